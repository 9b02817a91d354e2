//! The tables of cases and checks as Parquet, opened again.

use super::folders;
use super::pages::{assert_same_pages, exported, shown, tree_of};
use crate::support::{core_of, file, fixture_files};
use evalglass::export::ExportTarget;
use evalglass::input::{Dropped, Pulse};
use evalglass::model::NoteKind;
use evalglass::report::{CaseQuery, RunRef, SortKey, Target};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, ExportKind, Question};
use serde_json::Value;

fn table(core: &Core, kind: ExportKind, scope: ExportTarget<'_>) -> Vec<u8> {
    let pulse = Pulse::silent();
    match pollster::block_on(core.export(kind, scope, &pulse)) {
        Ok(Answer::Export(download)) => download.bytes,
        other => panic!("{other:?}"),
    }
}

/// The two tables as files of one folder.
fn tables(core: &Core, scope: ExportTarget<'_>) -> [Dropped; 2] {
    [
        file("out/evalglass-cases.parquet", table(core, ExportKind::CasesParquet, scope)),
        file("out/evalglass-checks.parquet", table(core, ExportKind::ChecksParquet, scope)),
    ]
}

fn details(core: &Core, kind: NoteKind) -> Vec<String> {
    let notes = core.files().notes.into_iter().filter(|note| note.kind == kind);
    notes.map(|note| note.detail).collect()
}

#[test]
fn tables_of_every_fixture_give_the_same_pages_and_the_same_report() {
    for folder in folders() {
        let core = core_of(fixture_files(&folder));
        let back = core_of(tables(&core, ExportTarget::default()).into());
        assert_same_pages(&shown(&back, &[]), &shown(&core, &[]), &folder);
        assert_eq!(exported(&back), exported(&core), "{folder}");
    }
}

#[test]
fn under_changed_rules_tables_hold_the_judgement_of_the_producer() {
    let core = core_of(fixture_files("rebel/edge"));
    let words =
        vec![("strategy".to_owned(), "max".to_owned()), ("pass".to_owned(), ">= 0.5".to_owned())];
    core.answer(Question::Rules(words)).unwrap();
    let back = core_of(tables(&core, ExportTarget::default()).into());
    core.answer(Question::Rules(Vec::new())).unwrap();
    assert_same_pages(
        &shown(&back, &["changed rules"]),
        &shown(&core, &["changed rules"]),
        "rules",
    );
}

#[test]
fn cases_without_the_checks_beside_them_say_so_until_they_are_there() {
    let core = core_of(fixture_files("letta-evals/0.15.0_logical_multirun"));
    let [cases, checks] = tables(&core, ExportTarget::default());
    let back = core_of(vec![cases]);
    let missing =
        "the table of checks is not beside the cases: checks and their reasons are missing";
    assert_eq!(details(&back, NoteKind::MissingPartner), [missing]);
    assert_eq!(tree_of(&back).n_cases, tree_of(&core).n_cases);
    pollster::block_on(back.open(vec![checks.clone()], Vec::new(), &Pulse::silent())).unwrap();
    assert!(details(&back, NoteKind::MissingPartner).is_empty());
    assert_eq!(exported(&back), exported(&core));
    // Checks alone are nothing.
    let alone = core_of(vec![checks]);
    assert!(tree_of(&alone).evaluations.is_empty());
    let broken = details(&alone, NoteKind::Broken);
    assert_eq!(broken, ["the table of cases that these checks belong to is not there: open both"]);
}

/// The members of a report's cases, by run and id.
fn cases_by_id(report: &Value) -> Vec<(String, Value)> {
    let runs = report["runs"].as_array().unwrap().iter();
    let mut cases: Vec<(String, Value)> = runs
        .flat_map(|run| {
            let cases = run["cases"].as_array().unwrap().iter();
            cases.map(|case| (format!("{} {} {case}", run["id"], case["id"]), case.clone()))
        })
        .collect();
    cases.sort_by(|left, right| left.0.cmp(&right.0));
    cases
}

#[test]
fn a_sorted_view_comes_back_with_its_checks_in_its_order() {
    let core = core_of(fixture_files("rebel/edge"));
    let view = CaseQuery { sort: vec![(SortKey::Id, true)], limit: 1_000, ..CaseQuery::default() };
    let lines = core.cases(&view).unwrap().rows;
    let cases: Vec<(RunRef, u32)> =
        lines.iter().map(|line| (line.run, u32::try_from(line.case_idx).unwrap())).collect();
    let scope = ExportTarget { cases: Some(&cases), ..ExportTarget::default() };
    let back = core_of(tables(&core, scope).into());
    assert_eq!(cases_by_id(&exported(&back)), cases_by_id(&exported(&core)));
    let ids: Vec<String> = core_lines(&back);
    let wanted: Vec<String> = lines.iter().map(|line| line.id.clone()).collect();
    assert_eq!(ids, wanted);
    let unchecked = format!("{:?}", back.audit().unchecked);
    assert!(unchecked.contains("the cases are in the order of a view"), "{unchecked}");
    let differing = back.audit().n_differing;
    assert!(differing <= core.audit().n_differing);
}

/// Ids of all cases in the order of their rows.
fn core_lines(core: &Core) -> Vec<String> {
    let query = CaseQuery { limit: 1_000, ..CaseQuery::default() };
    core.cases(&query).unwrap().rows.iter().map(|line| line.id.clone()).collect()
}

#[test]
fn picked_cases_are_a_part_and_checks_of_others_are_left_out() {
    let core = core_of(fixture_files("letta-evals/0.26.0_reward_multirun"));
    let run = |run| RunRef { evaluation: 0, run };
    let picked = [(run(0), 1), (run(1), 0), (run(1), 2)];
    let scope = ExportTarget { cases: Some(&picked), ..ExportTarget::default() };
    let back = core_of(tables(&core, scope).into());
    assert_eq!(tree_of(&back).n_cases, 3);
    assert!(details(&back, NoteKind::Mismatch).iter().all(|note| !note.contains("left out")));
    let [cases, _] = tables(&core, scope);
    let [_, all_checks] = tables(&core, ExportTarget::default());
    let more = core_of(vec![cases, all_checks]);
    assert_eq!(exported(&more)["runs"], exported(&back)["runs"]);
    let lost = details(&more, NoteKind::Mismatch);
    assert!(lost.iter().any(|note| note.contains("checks are left out")), "{lost:?}");
    assert_eq!(tree_of(&back).evaluations[0].runs[0].run, RunRef { evaluation: 0, run: 0 });
    let one = ExportTarget { target: Target::Run(run(1)), ..ExportTarget::default() };
    let back = core_of(tables(&core, one).into());
    assert_eq!(tree_of(&back).evaluations[0].runs.len(), 1);
}

#[test]
fn parquet_of_other_makers_is_not_ours() {
    for dropped in fixture_files("slop-code/g1/runs") {
        if dropped.path.ends_with(".parquet") {
            let tree = core_of(vec![dropped]);
            assert!(tree.files().files.iter().all(|line| line.reader != "evalglass"));
        }
    }
}

#[test]
fn a_case_of_a_table_shows_its_checks_with_their_reasons_and_its_row() {
    let core = core_of(fixture_files("rebel/basic"));
    let back = core_of(tables(&core, ExportTarget::default()).into());
    let run = RunRef { evaluation: 0, run: 0 };
    let [own, other] = [&core, &back].map(|core| core.case(run, 1).unwrap().unwrap().detail);
    let reasons = |detail: &evalglass::model::CaseDetail| {
        detail.checks.iter().map(|check| check.reason.clone()).collect::<Vec<_>>()
    };
    assert!(reasons(&own).iter().any(Option::is_some));
    assert_eq!(reasons(&other), reasons(&own));
    assert!(other.raw[0].json.contains("\"case_idx\":1"));
    let left_out = &other.facts.iter().find(|fact| fact.label == "left out").unwrap().value;
    assert_eq!(left_out, "inputs, outputs, the transcript are not in this report");
}

#[test]
fn texts_of_reports_and_tables_are_searched() {
    let core = core_of(fixture_files("letta-evals/0.25.1_reward"));
    let query = CaseQuery { limit: 1_000, ..CaseQuery::default() };
    let rows = core.cases(&query).unwrap().rows;
    let message = rows.iter().find_map(|row| row.error.clone()).unwrap();
    let n_wanted = rows.iter().filter(|row| row.error.as_ref() == Some(&message)).count() as u64;
    let report = file("report.json", table(&core, ExportKind::ReportJson, ExportTarget::default()));
    for files in [vec![report], tables(&core, ExportTarget::default()).into()] {
        let back = core_of(files);
        let pulse = Pulse::silent();
        let answer = pollster::block_on(back.search(Target::All, &message, &pulse));
        let Ok(Answer::Found(n_found)) = answer else { panic!("{answer:?}") };
        assert_eq!(n_found, n_wanted, "{message:?}");
    }
}
