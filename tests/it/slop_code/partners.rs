//! Files without their partners, under other names, or twice.

use super::{G1_RUN, G2, imported};
use crate::support::{
    assert_same, bytes_of, core_of, file, fixture_files, fixture_json, report_of,
};
use evalglass::input::{Dropped, Limits, Pulse, open, shape};
use evalglass::model::{Note, NoteKind, Notes, Outcome};
use evalglass::readers::READERS;

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
        // Reports of pytest are those of any runner, except among this producer's files.
        let is_own = ["slop-code", "ctrf", "pytest-json-report"].contains(&claims[0][0].0);
        assert!(is_own, "{}: {}", dropped.path, claims[0][0].0);
        n_claimed += 1;
    }
    assert!(n_claimed > 100, "only {n_claimed}");
}

/// The files of a fixture folder whose names end so, without their folders.
pub fn loose(folder: &str, ends: &[&str]) -> Vec<Dropped> {
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
fn a_checkpoint_whose_evaluation_is_broken_is_counted_once_and_not_judged() {
    for (checkpoint, n_tests) in [("checkpoint_2", 17), ("checkpoint_3", 2)] {
        let mut files = fixture_files("slop-code/g2/v1.0/maple-3_20260430T1200");
        let broken = format!("{checkpoint}/evaluation.json");
        let at = files.iter().position(|file| file.path.ends_with(&broken)).unwrap();
        files[at] = file(&files[at].path, br#"{"a":"#.to_vec());
        let report = report_of(&core_of(files));
        let runs = report["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 3);
        let run = runs.iter().find(|run| run["variant"] == checkpoint).unwrap();
        assert_eq!(run["suite"], "inventory_api");
        assert_eq!(run["counts"]["total"], n_tests);
        let verdict = &run["verdict"];
        assert_eq!(verdict["outcome"], "unscored");
        let why = "the kinds of its cases are unknown, so no policy can be checked";
        assert_eq!(verdict["reason"], why);
        assert!(verdict["so_far"].is_null(), "{verdict}");
        let whole = report["evaluations"][0]["verdict"]["reason"].as_str().unwrap();
        assert!(whole.ends_with(" of 3 checkpoints pass, 1 without a verdict"), "{whole}");
        // What its row declares is not compared with counts that nobody knows.
        let rows = report["audit"].as_array().unwrap();
        let accused = rows.iter().filter(|row| row["severity"] == "major");
        let fields: Vec<_> = accused.map(|row| row["field"].as_str().unwrap()).collect();
        // These are so in the whole folder too.
        assert_eq!(fields, ["run_info.summary.total_cost", "run_info.summary.total_steps"]);
        let unchecked = report["unchecked"].to_string();
        assert!(unchecked.contains("core_total"), "{unchecked}");
    }
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
