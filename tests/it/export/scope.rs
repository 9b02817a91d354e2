//! Parts of a workspace, chosen cases, stopping, changes meanwhile.

use crate::support::{core_of, file, fixture_files, report_of};
use evalglass::export::{Contents, ExportTarget};
use evalglass::input::Pulse;
use evalglass::report::{RunRef, Target};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, EXPORTS, ExportKind, Failure, Question, Task};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

fn two() -> Core {
    let mut files = fixture_files("letta-evals/0.26.0_reward_multirun");
    files.extend(fixture_files("rebel/basic"));
    core_of(files)
}

fn bytes(core: &Core, kind: ExportKind, scope: ExportTarget<'_>) -> Result<Vec<u8>, Failure> {
    match pollster::block_on(core.export(kind, scope, &Pulse::silent()))? {
        Answer::Export(download) => Ok(download.bytes),
        other => panic!("{other:?}"),
    }
}

fn text(core: &Core, kind: ExportKind, scope: ExportTarget<'_>) -> String {
    String::from_utf8(bytes(core, kind, scope).unwrap()).unwrap()
}

fn report(core: &Core, scope: ExportTarget<'_>) -> Value {
    serde_json::from_slice(&bytes(core, ExportKind::ReportJson, scope).unwrap()).unwrap()
}

/// Run id and row of every case in the exported table.
fn cases(core: &Core, scope: ExportTarget<'_>) -> Vec<(String, u32)> {
    let text = text(core, ExportKind::CasesCsv, scope);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().unwrap().clone();
    let at = |name: &str| head.iter().position(|column| column == name).unwrap();
    let (run, row) = (at("run"), at("case_idx"));
    let rows = reader.records().map(|record| {
        let record = record.unwrap();
        (record[run].to_owned(), record[row].parse().unwrap())
    });
    rows.collect()
}

const RUN: RunRef = RunRef { evaluation: 0, run: 1 };

#[test]
fn in_steps_or_at_once_the_bytes_are_the_same() {
    let core = two();
    for export in EXPORTS {
        let Ok(Answer::Export(whole)) = core.answer(Task::Export { kind: export.kind, view: None })
        else {
            panic!("{} is exported", export.name);
        };
        let stepped = bytes(&core, export.kind, ExportTarget::default()).unwrap();
        assert_eq!(whole.bytes, stepped, "{}", export.name);
    }
}

#[test]
fn a_part_is_what_the_whole_says_of_it() {
    let core = two();
    let whole = report_of(&core);
    let schema: Value =
        serde_json::from_str(include_str!("../../../schema/evalglass-report-1.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();

    let one = report(
        &core,
        ExportTarget { target: Target::Evaluation(1), cases: None, ..ExportTarget::default() },
    );
    assert!(validator.is_valid(&one));
    let id = &whole["evaluations"][1]["id"];
    assert_eq!(one["scope"], json!({ "evaluation": id }));
    assert_eq!(one["evaluations"], json!([whole["evaluations"][1]]));
    let own = |list: &str| {
        let all = whole[list].as_array().unwrap().iter();
        Value::Array(all.filter(|row| row["evaluation"] == *id).cloned().collect())
    };
    for list in ["runs", "audit", "unchecked"] {
        assert_eq!(one[list], own(list), "{list}");
    }

    let run = report(
        &core,
        ExportTarget { target: Target::Run(RUN), cases: None, ..ExportTarget::default() },
    );
    assert!(validator.is_valid(&run));
    assert_eq!(run["runs"], json!([whole["runs"][1]]));
    assert_eq!(run["scope"]["run"], whole["runs"][1]["id"]);
    let all = cases(&core, ExportTarget::default());
    let of_run = whole["runs"][1]["id"].as_str().unwrap();
    let expected: Vec<_> = all.iter().filter(|(run, _)| run == of_run).cloned().collect();
    assert_eq!(
        cases(
            &core,
            ExportTarget { target: Target::Run(RUN), cases: None, ..ExportTarget::default() }
        ),
        expected
    );
}

#[test]
fn chosen_cases_keep_the_order_of_the_view_in_the_table_and_that_of_the_files_elsewhere() {
    let core = two();
    let rebel = RunRef { evaluation: 1, run: 0 };
    let gone = RunRef { evaluation: 9, run: 0 };
    let picked = [(rebel, 3), (RUN, 7), (RUN, 2), (gone, 0), (rebel, 99_999), (rebel, 0), (RUN, 2)];
    let scope =
        ExportTarget { target: Target::All, cases: Some(&picked), ..ExportTarget::default() };
    let whole = report_of(&core);
    let id = |run: RunRef| {
        let nth = if run.evaluation == 0 { run.run as usize } else { 4 };
        whole["runs"][nth]["id"].as_str().unwrap().to_owned()
    };
    let expected = [(rebel, 3), (RUN, 7), (RUN, 2), (rebel, 0), (RUN, 2)];
    assert_eq!(cases(&core, scope), expected.map(|(run, row)| (id(run), row)));

    let report = report(&core, scope);
    assert_eq!(report["scope"], json!({ "cases": 4 }));
    let runs = report["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    let case = |nth: usize, row: usize| whole["runs"][nth]["cases"][row].clone();
    assert_eq!(runs[0]["cases"], json!([case(1, 2), case(1, 7)]));
    assert_eq!(runs[1]["cases"], json!([case(4, 0), case(4, 3)]));
    // Figures are those of all cases.
    assert_eq!(runs[1]["counts"], whole["runs"][4]["counts"]);

    let lines = text(&core, ExportKind::CasesJsonl, scope);
    assert_eq!(lines.lines().count(), 4);
    let junit = text(&core, ExportKind::JunitXml, scope);
    assert_eq!(junit.matches("<testcase ").count(), 4);
    assert!(junit.contains("<testsuites name=\"evalglass\" tests=\"4\""));
    for kind in [ExportKind::SummaryMarkdown, ExportKind::DetailedText, ExportKind::ReportHtml] {
        let words = "Cases listed here: the 4 that were chosen.";
        assert!(text(&core, kind, scope).contains(words), "{kind:?}");
    }

    let outside =
        ExportTarget { target: Target::Run(RUN), cases: Some(&picked), ..ExportTarget::default() };
    assert_eq!(cases(&core, outside), [(id(RUN), 7), (id(RUN), 2), (id(RUN), 2)]);
    let none = ExportTarget { target: Target::All, cases: Some(&[]), ..ExportTarget::default() };
    assert_eq!(cases(&core, none), []);
}

#[test]
fn groups_stand_together_in_texts() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let detailed = text(&core, ExportKind::DetailedText, ExportTarget::default());
    for run in detailed.split("\n====").filter(|part| part.contains("Group: ")) {
        let mut groups: Vec<&str> =
            run.lines().filter(|line| line.starts_with("Group: ")).collect();
        let n_groups = groups.len();
        groups.sort_unstable();
        groups.dedup();
        assert_eq!(groups.len(), n_groups, "a group stands twice in\n{run}");
    }
}

#[test]
fn what_is_not_there_is_gone() {
    let core = two();
    for target in [Target::Evaluation(7), Target::Run(RunRef { evaluation: 0, run: 99 })] {
        for export in EXPORTS {
            let found = bytes(
                &core,
                export.kind,
                ExportTarget { target, cases: None, ..ExportTarget::default() },
            );
            assert_eq!(found, Err(Failure::Gone), "{}", export.name);
        }
    }
}

/// A report of 20,000 cases: more than are written in one go.
fn many() -> Core {
    let entry = r#"{"name":"t","retry_params":{"count":1,"aggregation_strategy":"min"},
        "evaluation_results":[{"score":1,"verdict":"passed","reason":"fine"}]}"#;
    let text = format!(r#"{{"metadata":{{}},"test_cases":[{}]}}"#, vec![entry; 20_000].join(","));
    core_of(vec![file("r.json", text)])
}

#[test]
fn an_export_tells_how_far_it_is_and_can_be_stopped() {
    let core = many();
    let told = Rc::new(RefCell::new(Vec::new()));
    let pulse = {
        let told = Rc::clone(&told);
        Pulse::new(move |progress| {
            told.borrow_mut().push(progress);
            Box::pin(async { true })
        })
    };
    let answer =
        pollster::block_on(core.export(ExportKind::CasesJsonl, ExportTarget::default(), &pulse));
    let Ok(Answer::Export(download)) = answer else { panic!("it is exported") };
    let told = told.borrow();
    assert!(told.len() >= 4 && told.iter().all(|progress| progress.file == download.name));
    assert!(told.is_sorted_by(|left, right| left.n_done <= right.n_done));
    let last = told.last().unwrap();
    let n_bytes = download.bytes.len() as u64;
    assert!(last.n_total.abs_diff(n_bytes) < n_bytes / 100, "{last:?} of {n_bytes}");

    let n_breaths = Rc::new(Cell::new(0));
    let stopping = {
        let n_breaths = Rc::clone(&n_breaths);
        Pulse::new(move |_progress| {
            n_breaths.set(n_breaths.get() + 1);
            let goes_on = n_breaths.get() < 2;
            Box::pin(async move { goes_on })
        })
    };
    let answer =
        pollster::block_on(core.export(ExportKind::CasesJsonl, ExportTarget::default(), &stopping));
    assert_eq!((answer, n_breaths.get()), (Err(Failure::Cancelled), 2));
}

#[test]
fn an_export_ends_when_the_workspace_changes_under_it() {
    let core = Rc::new(many());
    let other = Rc::clone(&core);
    let pulse = Pulse::new(move |_progress| {
        other.answer(Question::Remove(0)).unwrap();
        Box::pin(async { true })
    });
    let answer =
        pollster::block_on(core.export(ExportKind::CasesCsv, ExportTarget::default(), &pulse));
    let Err(Failure::File { path: None, reason }) = answer else { panic!("it ends: {answer:?}") };
    assert!(reason.contains("changed meanwhile"), "{reason}");
}

#[test]
fn flips_are_those_of_the_part() {
    let core = two();
    core.answer(Question::Rules(vec![("pass".to_owned(), "> 2".to_owned())])).unwrap();
    let n_rows = |scope| text(&core, ExportKind::FlipsCsv, scope).lines().count() - 1;
    let of = |target| n_rows(ExportTarget { target, cases: None, ..ExportTarget::default() });
    let (all, first, second) =
        (of(Target::All), of(Target::Evaluation(0)), of(Target::Evaluation(1)));
    assert!(second > 0 && all == first + second);
    let rebel = RunRef { evaluation: 1, run: 0 };
    let picked = [(rebel, 2), (rebel, 0)];
    let one = n_rows(ExportTarget {
        target: Target::Run(rebel),
        cases: Some(&picked),
        ..ExportTarget::default()
    });
    assert!(one < of(Target::Run(rebel)));
}

#[test]
fn cases_carry_what_is_asked_for_and_no_other_byte_changes() {
    let core = two();
    let plain = report(&core, ExportTarget::default());
    let only = [(RUN, 1), (RunRef { evaluation: 1, run: 0 }, 0), (RUN, 99)];
    let all = Contents { details: true, transcripts: true, raw: true, only: None };
    for contents in [all, Contents { only: Some(&only), ..all }] {
        let mut carrying = report(&core, ExportTarget { contents, ..ExportTarget::default() });
        let mut n_carrying = 0;
        for run in carrying["runs"].as_array_mut().unwrap() {
            for case in run["cases"].as_array_mut().unwrap() {
                let case = case.as_object_mut().unwrap();
                let members = ["detail", "transcript", "turns", "raw"].map(|key| case.remove(key));
                n_carrying += usize::from(members.iter().any(Option::is_some));
                assert!(members.iter().all(Option::is_some) || members.iter().all(Option::is_none));
                assert!(!case.contains_key("detail_error"));
            }
        }
        assert_eq!(carrying, plain);
        let n_cases: usize = plain["runs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|run| run["cases"].as_array().unwrap().len())
            .sum();
        assert_eq!(n_carrying, if contents.only.is_some() { 2 } else { n_cases });
    }
}

#[test]
fn what_a_case_carries_is_what_its_page_shows() {
    let core = two();
    let contents = Contents { details: true, transcripts: true, raw: true, only: None };
    let carrying = report(&core, ExportTarget { contents, ..ExportTarget::default() });
    let case = &carrying["runs"][1]["cases"][1];
    let detail = core.case(RUN, 1).unwrap().unwrap().detail;
    assert!(!detail.transcript.is_empty() && !detail.checks.is_empty() && !detail.raw.is_empty());
    let mut back: evalglass::model::CaseDetail =
        serde_json::from_value(case["detail"].clone()).unwrap();
    back.transcript = serde_json::from_value(case["transcript"].clone()).unwrap();
    back.turns = serde_json::from_value(case["turns"].clone()).unwrap();
    back.raw = serde_json::from_value(case["raw"].clone()).unwrap();
    assert_eq!(back, detail);
    // Each kind of content stands for itself.
    let contents = Contents { transcripts: true, ..Contents::default() };
    let talking = report(&core, ExportTarget { contents, ..ExportTarget::default() });
    let case = talking["runs"][1]["cases"][1].as_object().unwrap();
    assert!(
        case.contains_key("transcript")
            && !case.contains_key("detail")
            && !case.contains_key("raw")
    );
}

#[test]
fn details_meet_the_schema() {
    let core = core_of(fixture_files("slop-code/g2/v1.0"));
    let contents = Contents { details: true, transcripts: true, raw: true, only: None };
    let scope = ExportTarget { contents, ..ExportTarget::default() };
    let schema: Value =
        serde_json::from_str(include_str!("../../../schema/evalglass-report-1.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for core in [core, two()] {
        let found = report(&core, scope);
        let faults: Vec<String> =
            validator.iter_errors(&found).map(|err| err.to_string()).take(3).collect();
        assert!(faults.is_empty(), "{faults:?}");
    }
}
