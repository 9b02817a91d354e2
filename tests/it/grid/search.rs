//! Files are searched for a text, and filters know what was found.

use super::oracle::cases;
use crate::support::{core_of, fixture_files};
use evalglass::input::Pulse;
use evalglass::report::{CaseQuery, Target};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Failure};
use std::cell::Cell;
use std::rc::Rc;

fn found(core: &Core, target: Target, filter: &str) -> (u64, Vec<String>) {
    let query = CaseQuery { target, filter: filter.to_owned(), ..CaseQuery::default() };
    let page = core.cases(&query).unwrap();
    (page.n_matching, page.unsearched)
}

/// Whether `needle` occurs in a text value of the records of a case, read one by one.
fn is_in_records(core: &Core, run: evalglass::report::RunRef, case_idx: u64, needle: &str) -> bool {
    let view = core.case(run, case_idx).expect("the case is there").expect("it can be read");
    fn holds(value: &serde_json::Value, needle: &str) -> bool {
        match value {
            serde_json::Value::String(text) => text.to_lowercase().contains(needle),
            serde_json::Value::Array(items) => items.iter().any(|item| holds(item, needle)),
            serde_json::Value::Object(members) => members.values().any(|item| holds(item, needle)),
            _ => false,
        }
    }
    view.detail.raw.iter().any(|record| {
        let tree = evalglass::input::json::Cursor::new(record.json.as_bytes()).tree();
        tree.is_ok_and(|tree| holds(&tree, needle))
    })
}

#[test]
fn what_is_found_is_what_the_records_hold() {
    for (folder, needles) in [
        ("letta-evals/0.25.1_reward", ["the", "ERROR", "\"", "é"]),
        ("letta-evals/0.20.0_suite", ["the", "timeout", "\n", "zzzz"]),
        ("rebel/edge", ["a", "ü", "reason", "failed"]),
        ("slop-code/g1/runs", ["expected", "1", "stdout", "no such text at all"]),
        ("slop-code/g2/v1.0", ["assert", "KeyError", "passed", "\\"]),
    ] {
        let core = core_of(fixture_files(folder));
        let all = cases(&core);
        for needle in needles {
            let quoted = needle.replace('\\', "\\\\").replace('"', "\\\"");
            let filter = format!("text~\"{quoted}\"");
            let (n_before, unsearched) = found(&core, Target::All, &filter);
            assert_eq!((n_before, unsearched), (all.len() as u64, vec![needle.to_owned()]));
            let answer = pollster::block_on(core.search(Target::All, needle, &Pulse::silent()));
            let lower = needle.to_lowercase();
            let expected = all
                .iter()
                .filter(|case| is_in_records(&core, case.line.run, case.line.case_idx, &lower))
                .count() as u64;
            assert_eq!(answer, Ok(Answer::Found(expected)), "{folder} {needle:?}");
            assert_eq!(found(&core, Target::All, &filter), (expected, Vec::new()), "{folder}");
            let rest = all.len() as u64 - expected;
            assert_eq!(found(&core, Target::All, &format!("-{filter}")).0, rest);
        }
    }
}

#[test]
fn a_search_that_is_stopped_keeps_the_runs_that_are_done() {
    let core = core_of(fixture_files("letta-evals/0.25.1_reward_11runs"));
    let n_left = Rc::new(Cell::new(3));
    let left = Rc::clone(&n_left);
    let pulse = Pulse::new(move |_progress| {
        left.set(left.get() - 1);
        let goes_on = left.get() > 0;
        Box::pin(async move { goes_on })
    });
    // Small runs do not breathe by themselves.
    let run = |run| Target::Run(evalglass::report::RunRef { evaluation: 0, run });
    let first = pollster::block_on(core.search(run(0), "the", &Pulse::silent()));
    assert!(matches!(first, Ok(Answer::Found(_))));
    assert!(found(&core, run(0), "text~the").1.is_empty(), "the run is searched");
    assert_eq!(found(&core, run(1), "text~the").1, ["the"], "another one is not");
    assert_eq!(found(&core, Target::All, "text~the").1, ["the"], "nor is the whole");
    assert!(pollster::block_on(core.search(Target::All, "the", &pulse)).is_ok());
    assert!(found(&core, Target::All, "text~the").1.is_empty());
    let gone = pollster::block_on(core.search(Target::Evaluation(9), "the", &Pulse::silent()));
    assert_eq!(gone, Err(Failure::Gone));
}

#[test]
fn a_search_can_be_cancelled() {
    // Each line is larger than the worker reads between two breaths.
    let filler = "x".repeat(3 << 20);
    let row = |id: usize| {
        format!(
            "{{\"sample_id\":{id},\"trajectory\":[],\"submission\":\"{filler}\",\"grade\":{{\"score\":1.0,\"rationale\":\"needle\"}}}}\n"
        )
    };
    let rows: String = (0..4).map(row).collect();
    let header = "{\"type\":\"header\",\"suite_name\":\"s\",\"config\":{}}\n";
    let lines: String =
        rows.lines().map(|line| format!("{{\"type\":\"result\",\"result\":{line}}}\n")).collect();
    let core = core_of(vec![crate::support::file("run.jsonl", format!("{header}{lines}"))]);
    let n_cases = cases(&core).len();
    assert_eq!(n_cases, 4, "{:?}", core.losses());
    let n_breaths = Rc::new(Cell::new(0));
    let breaths = Rc::clone(&n_breaths);
    let pulse = Pulse::new(move |_progress| {
        breaths.set(breaths.get() + 1);
        Box::pin(async { false })
    });
    let answer = pollster::block_on(core.search(Target::All, "needle", &pulse));
    assert_eq!((answer, n_breaths.get()), (Err(Failure::Cancelled), 1));
    assert_eq!(found(&core, Target::All, "text~needle").1, ["needle"]);
}
