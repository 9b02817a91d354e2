//! slop-code against its own values, and its odd cases.

// The shapes of real run directories.
mod real;
// Reports of other shapes than the fixtures'.
mod reports;

use crate::support::{
    assert_close, assert_same, at, bytes_of, core_of, file, fixture_files, fixture_json, report_of,
};
use evalglass::input::{Dropped, Limits, Pulse, open, shape};
use evalglass::model::{CaseDetail, Note, NoteKind, Notes, Outcome};
use evalglass::readers::{Alone, Imported, Marks, READERS, import, reader};
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
        &Alone::default(),
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

/// Counts by kind and the seven policies of a run; `any` by the guide.
fn assert_counts(run: &Value, expected: &Value, prefix: &str, what: &str) {
    for (field, counts) in [("passed", "pass_counts"), ("total", "total_counts")] {
        for kind in ["Core", "Functionality", "Regression", "Error"] {
            let found = run["by_kind"][kind][field].as_u64().unwrap_or(0);
            let count = expected[counts][kind].as_u64().unwrap_or(0);
            assert_eq!(found, count, "{what} {counts}.{kind}");
        }
    }
    for (policy, found) in members(&run["policies"]) {
        let by_guide = if policy == "any" { "any-case" } else { policy };
        let key = format!("{prefix}{by_guide}");
        assert_eq!(found, &expected["policies"][&key], "{what} policy {policy}");
    }
}

/// Every value of a G1 checkpoint.
fn assert_g1(run: &Value, expected: &Value, what: &str) {
    let cases = run["cases"].as_array().unwrap();
    let entries = expected["cases"].as_array().unwrap();
    assert_eq!(cases.len(), entries.len(), "{what}");
    for (case, entry) in cases.iter().zip(entries) {
        let what = format!("{what} {}", entry["id"]);
        for (field, key) in [("id", "id"), ("group", "group"), ("kind", "type")] {
            assert_eq!(case[field], entry[key], "{what} {field}");
        }
        assert_eq!(case["passed"], entry["did_pass"], "{what}");
        assert_same(&case["score"], &entry["score"], &what);
        assert_same(&case["duration_secs"], &entry["duration"], &what);
        let checks = case["checks"].as_array().unwrap();
        assert_eq!(Some(checks.len() as u64), entry["n_attributes"].as_u64(), "{what}");
        for (name, letter) in members(&entry["format_result"]) {
            let check = checks.iter().find(|check| check["name"] == *name).unwrap();
            assert_eq!(check["is_correct"], Value::from(letter == "P"), "{what} {name}");
        }
        let original = &entry["original_checkpoint"];
        assert_eq!(case.get("variant").unwrap_or(&Value::Null), original, "{what}");
    }
    assert_eq!(run["started_at"], expected["timestamp"], "{what}");
    assert_same(&run["duration_secs"], &expected["duration"], what);
    assert_counts(run, expected, "", what);
    let groups = run["groups"].as_array().unwrap();
    let group = |name: &str| groups.iter().find(|group| group["name"] == name).unwrap();
    if let Some(table) = expected["cli_group_table"].as_object() {
        for (name, row) in table {
            assert_eq!(group(name)["cases"], row["num_cases"], "{what} {name}");
            if !has_repeated_ids(expected) {
                assert_close(&group(name)["score"], &row["mean"], &format!("{what} {name}"));
            }
        }
        let total = &expected["cli_total_row"];
        assert_close(at(run, "score.mean_attempted"), &total["mean"], what);
        assert_eq!(run["counts"]["total"], total["num_cases"], "{what}");
    }
    for (name, score) in members(&expected["doc_group_scores"]) {
        assert_close(&group(name)["score"], score, &format!("{what} {name}"));
    }
    assert_close(at(run, "score.mean_of_groups"), &expected["doc_checkpoint_score"], what);
}

/// The guide's group scores count a repeated id once, and so do ours; the console's table counts every
/// row.
fn has_repeated_ids(expected: &Value) -> bool {
    let entries = expected["cases"].as_array().unwrap();
    let key = |entry: &Value| (entry["group"].to_string(), entry["id"].to_string());
    let keys: std::collections::HashSet<_> = entries.iter().map(key).collect();
    keys.len() < entries.len()
}

/// Every member of the summary, in order, to the bit.
fn assert_summary(found: &Value, expected: &Value, path: &str) {
    let Some(expected_members) = expected.as_object() else {
        if expected.is_string() {
            assert_eq!(found, expected, "{path}");
        }
        return assert_same(found, expected, path);
    };
    let keys = |value: &Map<String, Value>| value.keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(members(found)), keys(expected_members), "{path}");
    for (key, value) in expected_members {
        assert_summary(&found[key], value, &format!("{path}.{key}"));
    }
}

#[test]
fn every_value_of_g1_agrees() {
    let report = report(fixture_files(G1_RUN));
    let expected = fixture_json("slop-code/g1/expected.json");
    assert_eq!(report["evaluations"].as_array().unwrap().len(), 1);
    assert_eq!(report["evaluations"][0]["generation"], "G1");
    for (path, checkpoint) in members(&expected["checkpoints"]) {
        assert_g1(run_at(&report, path), checkpoint, path);
    }
    assert_summary(&report["evaluations"][0]["summary"], &expected["run_summary"], "summary");
    let differing: Vec<&str> = report["audit"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["agrees"] == false)
        .map(|row| row["field"].as_str().unwrap())
        .collect();
    // Of the checkpoint without cases; the original writes 0.
    let rates = ["pass_rate", "checkpoint_pass_rate", "core_pass_rate"];
    assert_eq!(differing, rates.map(|name| format!("checkpoint_results.{name}")));
}

#[test]
fn every_value_of_g2_agrees() {
    for (folder, run_folder, generation) in G2 {
        let report = report(fixture_files(&format!("{folder}/{run_folder}")));
        let expected = fixture_json(&format!("{folder}/expected.json"));
        assert_eq!(report["evaluations"][0]["generation"], generation);
        for (name, checkpoint) in members(&expected["checkpoints"]) {
            let run = run_at(&report, name);
            let what = format!("{folder} {name}");
            let cases = run["cases"].as_array().unwrap();
            let tests = checkpoint["tests"].as_array().unwrap();
            assert_eq!(cases.len(), tests.len(), "{what}");
            for test in tests {
                let own = |case: &&Value| {
                    let variant = case.get("variant").filter(|variant| !variant.is_null());
                    let variant = variant.cloned().unwrap_or_else(|| Value::from(name.as_str()));
                    case["id"] == test["id"] && variant == test["checkpoint"]
                };
                let case = cases.iter().find(own).unwrap();
                assert_eq!(case["kind"], test["group_type"], "{what} {test}");
                assert_eq!(case["outcome"], test["status"], "{what} {test}");
                let millis = Value::from(case["duration_secs"].as_f64().unwrap() * 1000.0);
                assert_close(&millis, &test["duration_ms"], &what);
                let is_bad = matches!(test["status"].as_str(), Some("failed" | "error"));
                assert_eq!(!case["error"].is_null(), is_bad, "{what} {test}");
            }
            assert_same(&run["duration_secs"], &checkpoint["duration"], &what);
            assert_counts(run, checkpoint, "check:", &what);
        }
        assert_summary(&report["evaluations"][0]["summary"], &expected["run_summary"], folder);
        for row in report["audit"].as_array().unwrap() {
            assert!(row["agrees"] == true || !row["why"].is_null(), "{folder}: {row}");
        }
    }
}

#[test]
fn odd_checkpoints_alone_are_evaluations() {
    let report = report(fixture_files("slop-code/g1/odd"));
    let expected = fixture_json("slop-code/g1/expected.json");
    assert_eq!(report["evaluations"].as_array().unwrap().len(), 2);
    let undefined = run_at(&report, "undefined_scores");
    assert_g1(undefined, &expected["odd"]["undefined_scores"], "undefined_scores");
    assert_eq!(undefined["cases"][0]["outcome"], "unscored");
    let infinite = run_at(&report, "nan_infinity");
    assert_eq!(infinite["duration_secs"], "NaN");
    assert_eq!(infinite["groups"][0]["duration_secs"], "Infinity");
    let policies = &expected["odd"]["nan_infinity"]["policies"];
    assert_eq!(members(&infinite["policies"]), members(policies));
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
fn a_file_is_known_by_its_content_alone() {
    let pulse = Pulse::silent();
    let mut n_claimed = 0;
    // Run directories hold much else: prompts, logs, pointers.
    let made = ["slop-code/g1", "slop-code/g2"].into_iter().flat_map(fixture_files);
    for dropped in made {
        let bytes = bytes_of(&dropped);
        if bytes.is_empty() {
            continue;
        }
        let claims: Vec<_> = [dropped.path.as_str(), "unknown"]
            .into_iter()
            .map(|path| {
                let (notes, mut next_id) = (Notes::default(), 0);
                let files = vec![file(path, bytes.clone())];
                let limits = Limits::default();
                let opened = open(files, &mut next_id, &limits, &notes, &pulse);
                let opened = pollster::block_on(opened).unwrap();
                let shape = pollster::block_on(shape(&opened[0], &pulse)).unwrap();
                READERS
                    .iter()
                    .filter_map(|reader| Some((reader.id(), reader.sniff(&opened[0], &shape)?)))
                    .collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(claims[0], claims[1], "{}", dropped.path);
        assert_eq!(claims[0].len(), 1, "{} {:?}", dropped.path, claims[0]);
        assert_eq!(claims[0][0].0, "slop-code", "{}", dropped.path);
        n_claimed += 1;
    }
    assert!(n_claimed > 100, "only {n_claimed}");
}

/// The files of a fixture folder whose names end so, without their folders.
fn loose(folder: &str, ends: &[&str]) -> Vec<Dropped> {
    let wanted = |dropped: &Dropped| ends.iter().any(|end| dropped.path.ends_with(end));
    let files = fixture_files(folder).into_iter().filter(wanted).enumerate();
    files.map(|(at, dropped)| file(&format!("file ({at})"), bytes_of(&dropped))).collect()
}

#[test]
fn either_file_of_a_pair_is_enough() {
    let expected = fixture_json("slop-code/g1/expected.json");
    let checkpoint = &expected["checkpoints"]["ledger_sync/checkpoint_2"];
    let folder = format!("{G1_RUN}/ledger_sync/checkpoint_2");

    let rows = imported(loose(&folder, &["reports.parquet"]));
    let run = &rows.imports[0].evaluation.runs[0];
    assert_eq!(run.key.variant.as_deref(), Some("checkpoint_2"));
    let entries = checkpoint["cases"].as_array().unwrap();
    assert_eq!(run.cases.len(), entries.len());
    for (idx, entry) in entries.iter().enumerate() {
        assert_eq!(run.cases.score.get(idx), entry["score"].as_f64());
        assert_eq!(run.cases.passed.get(idx), entry["did_pass"].as_bool());
    }
    assert_eq!(rows.imports[0].notes[0].kind, NoteKind::MissingPartner);

    let recorded = imported(loose(&folder, &["evaluation.json"]));
    let run = &recorded.imports[0].evaluation.runs[0];
    assert_eq!(run.cases.len(), entries.len());
    for entry in entries {
        let is_own = |idx: &usize| run.cases.id.get(*idx) == entry["id"].as_str();
        let idx = (0..run.cases.len()).find(is_own).unwrap();
        assert_eq!(run.cases.score.get(idx), entry["score"].as_f64());
    }
    assert_eq!(recorded.imports[0].notes[0].kind, NoteKind::Assumed);
}

#[test]
fn loose_files_find_their_partners() {
    let mut files = loose("slop-code/g1", &["evaluation.json", "reports.parquet"]);
    files.reverse();
    let imported = imported(files);
    assert_eq!(imported.imports.len(), 7);
    for import in &imported.imports {
        assert_eq!(import.bundle.files.len(), 2, "{}", import.bundle.path);
        let run = &import.evaluation.runs[0];
        let is_loss = |note: &&Note| note.kind != NoteKind::Duplicate && note.kind.is_loss();
        let lost: Vec<_> = import.notes.iter().filter(is_loss).collect();
        let is_known =
            lost.iter().all(|note| matches!(note.kind, NoteKind::Integrity | NoteKind::Mismatch));
        assert!(is_known, "{} {lost:?}", run.label);
    }
    for (folder, ..) in G2 {
        let mut files = loose(folder, &["evaluation.json", "report.json"]);
        files.rotate_left(1);
        let imported = self::imported(files);
        assert_eq!(imported.imports.len(), 3, "{folder}");
        for import in &imported.imports {
            assert_eq!(import.bundle.files.len(), 2, "{folder} {}", import.bundle.path);
            let run = &import.evaluation.runs[0];
            assert!((0..run.cases.len()).all(|idx| run.cases.duration_secs.get(idx).is_some()));
        }
    }
}

#[test]
fn a_pytest_report_alone_gives_tests_without_kinds() {
    let folder = "slop-code/g2/v1.0/maple-3_20260430T1200/inventory_api/checkpoint_2";
    let imported = imported(loose(folder, &["report.json"]));
    let run = &imported.imports[0].evaluation.runs[0];
    assert_eq!(run.cases.len(), 17);
    assert!((0..17).all(|idx| run.cases.kind_of(idx).is_none()));
    let outcomes = |outcome| (0..17).filter(|&idx| run.cases.outcome_of(idx) == outcome).count();
    assert_eq!(
        [Outcome::Passed, Outcome::Failed, Outcome::Error, Outcome::Skipped].map(outcomes),
        [8, 4, 2, 3]
    );
}

#[test]
fn a_second_evaluation_of_the_same_names_is_a_variant_of_its_own() {
    let mut files = fixture_files(G1_RUN);
    let again: Vec<Dropped> = files
        .iter()
        .filter(|file| file.path.contains("ledger_sync/checkpoint_1/"))
        .filter(|file| file.path.ends_with("evaluation.json") || file.path.ends_with("parquet"))
        .map(|dropped| {
            let path = dropped.path.replace("checkpoint_1/", "checkpoint_1/after_skill/");
            file(&path, bytes_of(dropped))
        })
        .collect();
    files.extend(again);
    let imported = imported(files);
    let runs: Vec<usize> = imported.imports.iter().map(|one| one.evaluation.runs.len()).collect();
    assert_eq!(runs, [6]);
    let second = &imported.imports[0].evaluation.runs[1];
    assert_eq!(second.key.variant.as_deref(), Some("checkpoint_1, after skill"));
    assert_eq!(second.again(), Some("checkpoint_1"));
    assert!(second.key.path.ends_with("checkpoint_1/after_skill"));
}

#[test]
fn rows_are_made_where_their_file_is_missing() {
    for folder in [G1_RUN, "slop-code/g2/v1.0/maple-3_20260430T1200"] {
        let without = |dropped: &Dropped| !dropped.path.ends_with("checkpoint_results.jsonl");
        let files = fixture_files(folder).into_iter().filter(without).collect();
        let made = imported(files);
        let recorded = imported(fixture_files(folder));
        let rows = &made.imports[0].evaluation.rows;
        assert_eq!(rows.len(), recorded.imports[0].evaluation.rows.len());
        for (made, recorded) in rows.iter().zip(&recorded.imports[0].evaluation.rows) {
            for (key, value) in made {
                assert_same(value, &recorded[key], key);
            }
            assert!(made.contains_key("cost") && made.len() > 25);
        }
    }
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

const EVALUATION_G2: &str = r#"{"schema_version": 1, "problem_name": "p", "problem_version": 1,
    "checkpoint_name": "a-b", "checkpoint_version": 1, "duration": 1.5, "entrypoint": "x",
    "tests": TESTS, "pass_counts": {}, "total_counts": {}, "pytest_exit_code": CODE,
    "pytest_collected": N, "infrastructure_failure": INFRA}"#;

fn evaluation_g2(tests: &str, code: &str, n_collected: &str, is_infra: &str) -> String {
    EVALUATION_G2
        .replace("TESTS", tests)
        .replace("CODE", code)
        .replace("INFRA", is_infra)
        .replace("\"pytest_collected\": N", &format!("\"pytest_collected\": {n_collected}"))
}

#[test]
fn an_infrastructure_failure_is_named() {
    let text = evaluation_g2("{}", "126", "0", "true");
    let imported = imported(vec![file("unknown", text)]);
    let import = &imported.imports[0];
    assert_eq!(import.evaluation.generation, "G2c");
    assert_eq!(import.evaluation.runs[0].cases.len(), 0);
    let details: Vec<_> = import.notes.iter().map(|note| note.detail.as_str()).collect();
    let told = "the file calls itself an infrastructure failure (pytest ended with exit code 126 and \
        collected no test): no policy holds";
    assert_eq!(details, [told]);
}

#[test]
fn buckets_split_at_the_last_dash_and_generations_by_their_keys() {
    let tests = r#"{"a-b-Core": {"passed": ["t [x;\n]"], "failed": ["u"]},
        "z-Regression": {"passed": ["t [x;\n]"], "failed": []}, "a-b-Error": {}}"#;
    let text = evaluation_g2(tests, "1", "2", "false");
    let older = text.replace("\"schema_version\": 1, ", "");
    let newer = text.replace("\"failed\": []", "\"failed\": [], \"skipped\": [\"s\"]");
    for (text, generation, n_cases) in [(&text, "G2c", 3), (&older, "G2b", 3), (&newer, "G2d", 4)] {
        let imported = imported(vec![file("unknown", text.as_str())]);
        let import = &imported.imports[0];
        assert_eq!(import.evaluation.generation, generation);
        let run = &import.evaluation.runs[0];
        assert_eq!(run.cases.len(), n_cases);
        assert_eq!(run.cases.variant.get(0), None);
        assert_eq!(run.cases.variant.get(2), Some("z"));
        assert_eq!(run.groups.len(), 3, "the empty bucket is a group");
        let kinds: Vec<_> = import.notes.iter().map(|note| note.kind).collect();
        // Two of the newer file's four ids have a space: they are those that were not collected.
        let told: &[NoteKind] = match generation {
            "G2d" => &[NoteKind::MissingPartner],
            _ => &[NoteKind::MissingPartner, NoteKind::Mismatch],
        };
        assert_eq!(kinds, told);
    }
}

#[test]
fn a_report_that_disagrees_is_named_and_the_evaluation_counts() {
    let tests = r#"{"a-b-Core": {"passed": ["same", "gone"], "failed": ["turned", "late"]}}"#;
    let test = |id: &str, outcome: &str| {
        format!(
            r#"{{"nodeid": "t/test_a-b.py::{id}", "lineno": 1, "outcome": "{outcome}",
            "call": {{"duration": 0.5, "outcome": "{outcome}"}}}}"#
        )
    };
    let listed = [
        test("same", "passed"),
        test("turned", "passed"),
        test("late", "error"),
        test("new", "passed"),
    ];
    let report = format!(
        r#"{{"created": 1.5, "duration": 2, "exitcode": 1, "root": "/", "summary": {{}}, "tests": [{}]}}"#,
        listed.join(",")
    );
    let imported = imported(vec![
        file("c/evaluation.json", evaluation_g2(tests, "1", "4", "false")),
        file("c/evaluation/report.json", report),
    ]);
    let import = &imported.imports[0];
    let run = &import.evaluation.runs[0];
    let outcomes: Vec<_> = (0..4).map(|idx| run.cases.outcome_of(idx)).collect();
    assert_eq!(outcomes, [Outcome::Passed, Outcome::Passed, Outcome::Failed, Outcome::Error]);
    let mut notes: Vec<_> =
        import.notes.iter().map(|note| (note.kind, note.places[0].to_string())).collect();
    notes.sort();
    assert_eq!(
        notes,
        [
            (NoteKind::Mismatch, "gone".to_owned()),
            (NoteKind::Mismatch, "new".to_owned()),
            (NoteKind::Mismatch, "turned".to_owned())
        ]
    );
}

#[test]
fn rows_alone_give_the_summary() {
    let rows = [
        r#"{"problem": "p", "checkpoint": "c1", "idx": 1, "state": "ran", "strict_pass_rate": 1.0,
            "isolated_pass_rate": 1.0, "core_pass_rate": 1.0, "input": Infinity, "cost": 0.1}"#,
        r#"{"problem": "p", "checkpoint": "c2", "idx": 2, "state": "error", "strict_pass_rate": 0.5,
            "isolated_pass_rate": 0.5, "core_pass_rate": 1.0, "input": 3, "cost": 0.2}"#,
    ];
    let text = rows.map(|row| row.replace('\n', " ")).join("\n");
    let report = report(vec![file("unknown", text)]);
    let summary = &report["evaluations"][0]["summary"];
    assert_eq!(summary["checkpoints_solved"], 1);
    assert_eq!(summary["checkpoints_core_solved"], 2);
    assert_eq!(summary["tokens"]["input"], "Infinity");
    assert_same(&summary["costs"]["total"], &Value::from(0.300_000_000_000_000_04), "costs");
    // Where no folder is there, none is missing.
    assert_eq!(report["notes"], Value::Array(Vec::new()));
}

#[test]
fn files_without_an_evaluation_say_so() {
    let folder = format!("{G1_RUN}/ledger_sync/checkpoint_1");
    let imported = imported(loose(&folder, &["inference_result.json", "diff.json"]));
    assert!(imported.imports.is_empty());
    let details: Vec<_> = imported.open_notes.iter().map(|note| note.detail.as_str()).collect();
    assert_eq!(
        details,
        ["these files describe a checkpoint, but neither evaluation.json nor reports.parquet is \
            among them"]
    );
}
