//! slop-code against its own values, and its odd cases.

// Evaluations that are odd.
mod odd;
// Files without their partners, under other names, or twice.
pub mod partners;
// The shapes of real run directories.
mod real;
// Reports of other shapes than the fixtures'.
mod reports;
// Every value of `expected.json`.
mod values;

use crate::support::{bytes_of, core_of, file, fixture_files, report_of};
use evalglass::input::{Dropped, Limits, Pulse, open};
use evalglass::model::{CaseDetail, Note, NoteKind, Notes, Outcome};
use evalglass::readers::{Imported, InProcess, Marks, import, reader};
use serde_json::{Map, Value};
use std::fmt::Write as _;

const G1_RUN: &str = "slop-code/g1/runs/willow-2_claude_code_just-solve_none_20251218T0905";
const G2: [(&str, &str, &str); 3] = [
    ("slop-code/g2/2a9800e", "maple-1_20251222T1010", "G2a"),
    ("slop-code/g2/feeab5a", "maple-2_20260115T0930", "G2c"),
    ("slop-code/g2/v1.0", "maple-3_20260430T1200", "G2d"),
];

fn report(files: Vec<Dropped>) -> Value {
    report_of(&core_of(files))
}

fn imported(files: Vec<Dropped>) -> Imported {
    let (notes, pulse) = (Notes::default(), Pulse::silent());
    let mut next_id = 0;
    let limits = Limits::default();
    let opened = open(files, &mut next_id, &limits, &notes, &pulse);
    let opened = pollster::block_on(opened).unwrap();
    pollster::block_on(import(
        opened,
        &[],
        &[],
        &|_| false,
        &Marks::default(),
        &InProcess::default(),
        &pulse,
    ))
    .unwrap()
}

fn all_notes(imported: &Imported) -> Vec<Note> {
    let own = imported.imports.iter().flat_map(|import| import.notes.clone());
    imported.notes.iter().cloned().chain(own).collect()
}

fn run_at<'a>(report: &'a Value, end: &str) -> &'a Value {
    let runs = report["runs"].as_array().unwrap();
    let found = runs.iter().find(|run| run["path"].as_str().unwrap().ends_with(end));
    found.unwrap_or_else(|| panic!("no run ends with {end}"))
}

fn members(value: &Value) -> &Map<String, Value> {
    value.as_object().unwrap()
}

#[test]
fn checkpoints_come_in_order_and_keep_their_paths() {
    let imported = imported(fixture_files(G1_RUN));
    let [only] = imported.imports.as_slice() else { panic!("one evaluation") };
    let evaluation = &only.evaluation;
    let names: Vec<_> = evaluation.runs.iter().map(|run| run.label.as_str()).collect();
    assert_eq!(
        names,
        [
            "ledger_sync / checkpoint_1",
            "ledger_sync / checkpoint_2",
            "ledger_sync / checkpoint_3",
            "tide_tables / checkpoint_1",
            "tide_tables / checkpoint_2"
        ]
    );
    assert_eq!(evaluation.config.declared_policy.as_deref(), Some("core-cases"));
    assert_eq!(evaluation.runs[0].key.subject.as_deref(), Some("willow-2"));
    assert_eq!(evaluation.rows.len(), 5);
    let empty = &evaluation.runs[3];
    assert_eq!((empty.cases.len(), empty.groups.len()), (0, 1));
    // A repeated id is two cases and a note.
    assert_eq!(evaluation.runs[4].cases.len(), 3);
    let is_duplicate = |note: &&Note| note.kind == NoteKind::Duplicate;
    assert_eq!(only.notes.iter().filter(is_duplicate).count(), 1);
}

#[test]
fn a_damaged_file_costs_only_itself() {
    let broken = |end: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let files = fixture_files(G1_RUN).into_iter().map(|dropped| {
            let mut bytes = bytes_of(&dropped);
            if dropped.path.ends_with(end) {
                change(&mut bytes);
            }
            file(&dropped.path, bytes)
        });
        imported(files.collect())
    };
    let cut = broken("ledger_sync/checkpoint_1/evaluation.json", &|bytes| bytes.truncate(500));
    let evaluation = &cut.imports[0].evaluation;
    assert_eq!(evaluation.runs[0].cases.len(), 7);
    assert!(all_notes(&cut).iter().any(|note| note.kind == NoteKind::Truncated));

    let footer = broken("ledger_sync/checkpoint_1/reports.parquet", &|bytes| {
        let len = bytes.len();
        bytes.truncate(len - 9);
    });
    let run = &footer.imports[0].evaluation.runs[0];
    assert_eq!(run.cases.len(), 7, "the recorded scores are used");
    let detail = |imported: &Imported, kind| {
        let notes = all_notes(imported);
        notes.into_iter().find(|note| note.kind == kind).map(|note| note.detail)
    };
    insta::assert_snapshot!(detail(&footer, NoteKind::Broken).unwrap());

    let page = broken("ledger_sync/checkpoint_1/reports.parquet", &|bytes| {
        bytes[4..1200].fill(0xff);
    });
    insta::assert_snapshot!(detail(&page, NoteKind::Broken).unwrap());

    let empty = broken("ledger_sync/checkpoint_1/evaluation.json", &Vec::clear);
    assert_eq!(empty.imports[0].evaluation.runs[0].cases.len(), 7);
    assert_eq!(detail(&empty, NoteKind::Truncated).unwrap(), "the file is empty");

    let row = broken("checkpoint_results.jsonl", &|bytes| bytes[10] = b'}');
    assert_eq!(row.imports[0].evaluation.rows.len(), 4);
    assert_eq!(row.imports[0].evaluation.runs.len(), 5);
}

#[test]
fn nothing_panics_on_changed_bytes() {
    let names =
        ["evaluation.json", "reports.parquet", "report.json", "run_info.yaml", "results.jsonl"];
    let mut seed = 0x5eed_u64;
    let mut random = move |limit: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % limit.max(1)
    };
    let mut files = fixture_files("slop-code");
    let order = ["attribute", "actual", "expected", "diff", "is_correct", "weight"];
    files.push(file("plain/reports.parquet", reports::parquet(&order, true)));
    for dropped in files {
        let original = bytes_of(&dropped);
        if original.is_empty() || !names.iter().any(|name| dropped.path.ends_with(name)) {
            continue;
        }
        let n_rounds = if dropped.path.starts_with("plain") { 300 } else { 12 };
        for _ in 0..n_rounds {
            let mut bytes = original.clone();
            for _ in 0..=random(4) {
                let at = random(bytes.len());
                bytes[at] = u8::try_from(random(256)).unwrap();
            }
            if random(3) == 0 {
                bytes.truncate(random(bytes.len()));
            }
            let imported = imported(vec![file(&dropped.path, bytes)]);
            for import in &imported.imports {
                for run in &import.evaluation.runs {
                    for idx in 0..run.cases.len().min(3) {
                        let reader = reader("slop-code").unwrap();
                        let _ = reader.detail(
                            &import.bundle,
                            &import.evaluation.config,
                            &run.only(idx..idx + 1),
                        );
                    }
                }
            }
        }
    }
}

/// The detail of the case `id` of the run whose path ends so.
fn detail_of(folder: &str, end: &str, id: &str) -> CaseDetail {
    let imported = imported(fixture_files(folder));
    let import = &imported.imports[0];
    let runs = &import.evaluation.runs;
    let run = runs.iter().find(|run| run.key.path.ends_with(end)).unwrap();
    let idx = (0..run.cases.len()).find(|&idx| run.cases.id.get(idx) == Some(id)).unwrap();
    reader("slop-code")
        .unwrap()
        .detail(&import.bundle, &import.evaluation.config, &run.only(idx..idx + 1))
        .unwrap()
}

#[test]
fn every_case_has_its_whole_record() {
    for folder in [G1_RUN, "slop-code/g1/odd", G2[0].0, G2[1].0, G2[2].0] {
        for import in &imported(fixture_files(folder)).imports {
            for run in &import.evaluation.runs {
                for idx in 0..run.cases.len() {
                    let reader = reader("slop-code").unwrap();
                    let found = reader.detail(
                        &import.bundle,
                        &import.evaluation.config,
                        &run.only(idx..idx + 1),
                    );
                    let detail = found.unwrap_or_else(|err| panic!("{} {idx}: {err}", run.label));
                    let n_checks = run.checks_of(idx).len();
                    assert_eq!(detail.checks.len(), n_checks, "{} {idx}", run.label);
                    assert!(!detail.raw.is_empty());
                    let is_bad =
                        matches!(run.cases.outcome_of(idx), Outcome::Failed | Outcome::Error);
                    assert!(!is_bad || n_checks > 0 || !detail.failure.is_empty(), "{}", run.label);
                }
            }
        }
    }
}

#[test]
fn details_read_as_before() {
    let first = detail_of(G1_RUN, "ledger_sync/checkpoint_1", "sum_unicode");
    insta::assert_snapshot!(serde_json::to_string_pretty(&first).unwrap());
    let folder = "slop-code/g2/v1.0/maple-3_20260430T1200";
    let second = detail_of(folder, "checkpoint_1", "test_server");
    insta::assert_snapshot!(serde_json::to_string_pretty(&second).unwrap());
}

/// What an evaluation looks like, as text.
fn dump(imported: &Imported) -> String {
    let mut text = String::new();
    for import in &imported.imports {
        let evaluation = &import.evaluation;
        let policy = evaluation.config.declared_policy.as_deref().unwrap_or("–");
        writeln!(text, "{} {} policy {policy}", evaluation.label, evaluation.generation).unwrap();
        for run in &evaluation.runs {
            let key = &run.key;
            writeln!(text, "{} {:?} {:?}", run.label, key.subject, run.started_at).unwrap();
            for group in &run.groups {
                let (name, kind) = (&group.name, group.kind);
                writeln!(text, "  group {name} {kind:?} {:?}", group.duration_secs).unwrap();
            }
            for idx in 0..run.cases.len() {
                let cases = &run.cases;
                let part = |text: Option<&str>| text.unwrap_or("–").replace('\n', "⏎");
                writeln!(
                    text,
                    "  {} | {} | {} | {:?} | {} | {:?} | {} {} {:.40} | {} checks",
                    part(cases.id.get(idx)),
                    part(cases.group.get(idx)),
                    part(cases.variant.get(idx)),
                    cases.kind_of(idx),
                    cases.outcome_of(idx),
                    cases.score.get(idx),
                    part(cases.error_category.get(idx)),
                    part(cases.error_type.get(idx)),
                    part(cases.error_message.get(idx)),
                    run.checks_of(idx).len(),
                )
                .unwrap();
            }
        }
        for note in &import.notes {
            writeln!(text, "note {} {}: {}", note.kind.as_str(), note.file, note.detail).unwrap();
        }
    }
    text
}

#[test]
fn evaluations_read_as_before() {
    insta::assert_snapshot!(dump(&imported(fixture_files(G1_RUN))));
    for (folder, run, generation) in G2 {
        let imported = imported(fixture_files(&format!("{folder}/{run}")));
        insta::assert_snapshot!(generation, dump(&imported));
    }
}
