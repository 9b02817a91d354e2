//! Raw records of more than a megabyte: they are not held with the case, and whole wherever somebody asks for them.

use super::seen::Seen;
use crate::kept::reports::report;
use crate::support::{core_of, file};
use evalglass::export::{Contents, ExportTarget};
use evalglass::reading::CaseShown;
use evalglass::report::{CaseQuery, Name, RunRef};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Question};
use serde_json::{Value, json};

/// A case with an input of so many letters, as a line.
fn line(id: u32, n_letters: usize) -> String {
    let sample = json!({"id": id, "input": "é".repeat(n_letters)});
    let result = json!({"sample": sample, "grade": {"score": 0.5}, "model_name": "m"});
    json!({"type": "result", "result": result}).to_string()
}

/// The case in row `case_idx`, and the parts that its page leaves for later.
fn page(core: &Core, run: RunRef, case_idx: u64) -> Vec<String> {
    let question = Question::Case { run, case: Name::Place(case_idx), spot: String::new() };
    let Ok(Answer::Case(shown)) = core.answer(question) else { panic!("{case_idx} is not drawn") };
    let CaseShown::Case(page) = *shown else { panic!("{case_idx} is lost") };
    let body: Vec<_> = page.sections.into_iter().flat_map(|section| section.body).collect();
    Seen::of(&body).parts().cloned().collect()
}

fn text(core: &Core, name: &str) -> String {
    match core.answer(Question::Text(name.to_owned())) {
        Ok(Answer::Text(text)) => text,
        answer => panic!("{name}: {answer:?}"),
    }
}

#[test]
fn a_long_raw_record_comes_when_it_is_asked_for() {
    let lines = [line(0, 10), line(1, 600_000), line(2, 10)];
    let core = core_of(vec![file("results.jsonl", lines.join("\n"))]);
    let run =
        core.cases(&CaseQuery { limit: 1, ..CaseQuery::default() }).expect("cases").rows[0].run;
    let place = format!("{}.{}", run.evaluation, run.run);
    for (case_idx, own) in (0..).zip(&lines) {
        let parts = page(&core, run, case_idx);
        let of_raw = |part: &&String| part.contains(":block:raw-0");
        assert_eq!(parts.iter().filter(of_raw).count(), usize::from(case_idx == 1), "{parts:?}");
        for name in parts.iter().filter(of_raw) {
            let answer = core.answer(Question::Part(name.clone()));
            let Ok(Answer::Part(part)) = answer else { panic!("{name}: {answer:?}") };
            assert!(Seen::of_part(&part).parts().count() > 0, "a tree with more in it");
        }
        // What is found in it, and what is inside of it, without a look at the record first.
        let _ = page(&core, run, case_idx);
        let find = format!("{place}.{case_idx}:written:raw-0:find:model_name");
        let Ok(Answer::Part(found)) = core.answer(Question::Part(find)) else { panic!("no find") };
        assert!(format!("{found:?}").contains("model_name"), "{found:?}");
        let _ = page(&core, run, case_idx);
        assert_eq!(&text(&core, &format!("{place}.{case_idx}:text:raw-0")), own);
    }
    assert!(core.answer(Question::Text(format!("{place}.1:text:raw-1"))).is_err());
    // A report that carries raw records has them whole.
    let contents = Contents { details: true, transcripts: true, raw: true, only: None };
    let bytes = report(&core, ExportTarget { contents, ..ExportTarget::default() });
    let report: Value = serde_json::from_slice(&bytes).unwrap();
    for (case, own) in report["runs"][0]["cases"].as_array().unwrap().iter().zip(&lines) {
        assert_eq!(case["raw"][0]["json"], json!(own));
        assert_eq!(case["raw"][0].get("left_out"), None);
    }
}
