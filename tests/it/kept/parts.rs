//! Reports of a part, under other rules, and of several evaluations at once.

use super::pages::{assert_same_pages, exported, shown, tree_of};
use super::reports::{opened, report};
use crate::support::{core_of, file, fixture_files, report_under};
use evalglass::export::ExportTarget;
use evalglass::input::Pulse;
use evalglass::model::NoteKind;
use evalglass::report::{RunRef, Target};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Question};
use serde_json::Value;

const FOLDER: &str = "letta-evals/0.26.0_reward_multirun";

/// Details of the notes of a kind.
fn notes(core: &Core, kind: NoteKind) -> Vec<String> {
    let notes = core.files().notes.into_iter().filter(|note| note.kind == kind);
    notes.map(|note| note.detail).collect()
}

fn n_cases(core: &Core) -> u64 {
    tree_of(core).n_cases
}

#[test]
fn of_picked_cases_the_figures_are_of_these_and_nothing_declared_is_compared() {
    let core = core_of(fixture_files(FOLDER));
    let all = n_cases(&core);
    let run = |run| RunRef { evaluation: 0, run };
    let picked = [(run(1), 0), (run(1), 2), (run(0), 1)];
    let part = report(&core, ExportTarget { cases: Some(&picked), ..ExportTarget::default() });
    let back = opened(part);
    assert_eq!(n_cases(&back), 3);
    let runs: Vec<u64> = tree_of(&back).evaluations[0].runs.iter().map(|run| run.n_cases).collect();
    assert_eq!(runs, [1, 2]);
    let words = format!("the report holds 3 of {all} cases; the figures are of these");
    assert!(notes(&back, NoteKind::Assumed).contains(&words));
    let audit = back.audit();
    assert!(!core.audit().rows.is_empty());
    assert!(audit.rows.is_empty(), "{:?}", audit.rows.first());
    let why = "the report does not hold all the cases that it is about";
    assert!(format!("{:?}", audit.unchecked).contains(why));
    // The cases themselves are as they were.
    let case = |core: &Core, run: u32, row: usize| {
        exported(core)["runs"][run as usize]["cases"][row].clone()
    };
    for (at, row, (run, own)) in [(0, 0, (0, 1)), (1, 0, (1, 0)), (1, 1, (1, 2))] {
        assert_eq!(case(&back, at, row), case(&core, run, own));
    }
    // A report of the part is the same part.
    let again = opened(report(&back, ExportTarget::default()));
    assert_same_pages(&shown(&again, &[]), &shown(&back, &[]), "a report of a part");
}

#[test]
fn a_report_of_one_run_compares_what_is_declared_of_it() {
    let core = core_of(fixture_files("slop-code/g1/runs"));
    let run = RunRef { evaluation: 0, run: 2 };
    let back =
        opened(report(&core, ExportTarget { target: Target::Run(run), ..ExportTarget::default() }));
    let tree = tree_of(&back);
    assert_eq!(tree.evaluations[0].runs.len(), 1);
    assert_eq!(tree.evaluations[0].runs[0].label, tree_of(&core).evaluations[0].runs[2].label);
    let key = |core: &Core, run| exported(core)["runs"][run]["id"].as_str().unwrap().to_owned();
    let (own, other) = (key(&core, 2), key(&back, 0));
    let rows = |core: &Core, key: &str| {
        let mut rows = core.audit().rows;
        rows.retain(|row| row.run.as_deref() == Some(key));
        let row = |row: &evalglass::report::AuditRow| {
            (row.field.clone(), row.declared.clone(), row.computed.clone())
        };
        rows.iter().map(row).collect::<Vec<_>>()
    };
    assert!(!rows(&core, &own).is_empty());
    assert_eq!(rows(&back, &other), rows(&core, &own));
    assert_eq!(back.audit().rows.len(), rows(&back, &other).len());
}

#[test]
fn under_changed_rules_the_judgement_of_the_producer_is_read() {
    let rules: [(&str, &[(&str, &str)]); 4] = [
        ("rebel/edge", &[("strategy", "max"), ("errors", "zero")]),
        ("rebel/nonfinite", &[("pass", ">= 0.5")]),
        (FOLDER, &[("gate", "avg_score(*) >= 0.9"), ("pass", "> 0.3")]),
        ("slop-code/g1/runs", &[("policy", "all-cases"), ("pass", ">= 1"), ("skipped", "zero")]),
    ];
    for (folder, words) in rules {
        let core = core_of(fixture_files(folder));
        let changed = report_under(&core, words);
        let judged = changed["runs"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|run| run["cases"].as_array().unwrap());
        assert!(judged.filter(|case| case.get("as_declared").is_some()).count() > 0, "{folder}");
        let bytes = report(&core, ExportTarget::default());
        let back = opened(bytes);
        let note =
            notes(&back, NoteKind::Assumed).into_iter().find(|note| note.contains("changed rules"));
        assert!(note.is_some(), "{folder}");
        // What was changed is not in force, and changed again it gives the same.
        assert_eq!(without_notes(report_under(&back, words)), without_notes(changed), "{folder}");
        report_under(&core, &[]);
        report_under(&back, &[]);
        assert_same_pages(
            &shown(&back, &["changed rules"]),
            &shown(&core, &["changed rules"]),
            folder,
        );
    }
}

fn without_notes(mut report: Value) -> Value {
    report["notes"] = Value::Null;
    report
}

/// A report of two evaluations, opened beside a third one.
fn three() -> Core {
    let mut files = fixture_files(FOLDER);
    files.extend(fixture_files("rebel/guide"));
    let bytes = report(&core_of(files), ExportTarget::default());
    let mut files = fixture_files("rebel/edge");
    files.push(file("evalglass-report.json", bytes));
    core_of(files)
}

fn labels(core: &Core) -> Vec<(u32, String)> {
    tree_of(core).evaluations.iter().map(|node| (node.id, node.label.clone())).collect()
}

fn ask(core: &Core, question: Question) {
    assert!(matches!(core.answer(question), Ok(Answer::Workspace(_))));
}

#[test]
fn evaluations_of_one_report_are_removed_and_come_back_one_by_one() {
    let core = three();
    let all = labels(&core);
    assert_eq!(all.len(), 3);
    for (id, _) in &all {
        ask(&core, Question::Remove(*id));
        assert_eq!(labels(&core).len(), 2);
        // Another drop does not bring it back: the rest of its file is known.
        ask(&core, Question::Restore);
        assert_eq!(labels(&core), all);
    }
    let of_report = all.iter().find(|(_, label)| !label.contains("REBEL")).unwrap().0;
    ask(&core, Question::Remove(of_report));
    let left = labels(&core);
    let more = fixture_files("rebel/nonfinite");
    pollster::block_on(core.open(more, Vec::new(), &Pulse::silent())).unwrap();
    assert_eq!(labels(&core).len(), 3);
    assert_eq!(labels(&core)[..2], left[..]);
}

#[test]
fn a_report_that_is_read_again_keeps_its_evaluations_and_those_that_are_gone() {
    let mut files = fixture_files(FOLDER);
    files.extend(fixture_files("rebel/guide"));
    let whole = core_of(files);
    let of_all = report(&whole, ExportTarget::default());
    let core = Core::default();
    let dropped = |bytes: &[u8]| vec![file("evalglass-report.json", bytes)];
    pollster::block_on(core.open_drop(3, dropped(&of_all), Vec::new(), &Pulse::silent())).unwrap();
    let all = labels(&core);
    assert_eq!(all.len(), 2);
    ask(&core, Question::Rename { target: Target::Evaluation(all[1].0), label: "mine".to_owned() });
    pollster::block_on(core.reload(3, dropped(&of_all), &Pulse::silent())).unwrap();
    assert_eq!(labels(&core), [all[0].clone(), (all[1].0, "mine".to_owned())]);
    // What was removed stays away, what is new comes.
    ask(&core, Question::Remove(all[0].0));
    pollster::block_on(core.reload(3, dropped(&of_all), &Pulse::silent())).unwrap();
    assert_eq!(labels(&core), [(all[1].0, "mine".to_owned())]);
    pollster::block_on(whole.open(fixture_files("rebel/edge"), Vec::new(), &Pulse::silent()))
        .unwrap();
    let more = report(&whole, ExportTarget::default());
    pollster::block_on(core.reload(3, dropped(&more), &Pulse::silent())).unwrap();
    assert_eq!(labels(&core).len(), 2);
    assert_eq!(labels(&core)[0], (all[1].0, "mine".to_owned()));
}

#[test]
fn a_report_beside_its_own_files_stays_apart() {
    let core = core_of(fixture_files("rebel/basic"));
    let bytes = report(&core, ExportTarget::default());
    pollster::block_on(core.open(
        vec![file("evalglass-report.json", bytes)],
        Vec::new(),
        &Pulse::silent(),
    ))
    .unwrap();
    let report = exported(&core);
    let ids: Vec<&str> = report["evaluations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), 2);
    assert_eq!(format!("{} (2)", ids[0]), ids[1]);
    // And opened again both are there.
    let back = opened(serde_json::to_vec(&report).unwrap());
    assert_eq!(tree_of(&back).evaluations.len(), 2);
    assert_eq!(exported(&back)["runs"], report["runs"]);
}
