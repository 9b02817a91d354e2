//! Damage costs only itself, and is named.

use super::names::import_files;
use crate::support::{bytes_of, file, fixture_files};
use evalglass::model::{Note, NoteKind, Outcome};
use evalglass::readers::{Import, Imported};

const ROW: &str = r#"{"type":"result","result":{"sample":{"id":ID,"input":"x","ground_truth":"y"},"submission":"y","trajectory":[[{"role":"user","content":"x"}]],"agent_id":"a","grade":{"score":1.0,"rationale":"r"},"grades":{"g":{"score":1.0,"rationale":"r"}},"model_name":"m"}}"#;
const HEADER: &str = r#"{"type":"header","suite":"s","config":{"target":{"kind":"agent"},"gate":{"metric":"avg_score","metric_key":"g","op":"gte","value":0.5},"graders":{"g":{"kind":"tool"}}}}"#;

fn row(id: &str) -> String {
    ROW.replace("ID", id)
}

/// A folder with a header and these lines.
fn folder(lines: &[&str]) -> Imported {
    let rows = lines.join("\n");
    import_files(vec![file("r/header.json", HEADER), file("r/results.jsonl", rows)])
}

fn only(imported: &Imported) -> &Import {
    assert_eq!(imported.imports.len(), 1, "{:?}", imported.notes);
    &imported.imports[0]
}

#[track_caller]
fn note(import: &Import, kind: NoteKind) -> &Note {
    let found = import.notes.iter().find(|note| note.kind == kind);
    found.unwrap_or_else(|| panic!("a note of kind {kind:?}: {:?}", import.notes))
}

fn n_cases(import: &Import) -> usize {
    import.evaluation.runs.iter().map(|run| run.cases.len()).sum()
}

#[test]
fn a_broken_line_costs_itself() {
    let imported = folder(&[&row("0"), r#"{"type":"result","result":{"sample":}}"#, &row("2")]);
    let import = only(&imported);
    assert_eq!(n_cases(import), 2);
    let note = note(import, NoteKind::Broken);
    assert_eq!(note.places[0].to_string(), format!("line 2, byte {}", row("0").len() + 1));
}

#[test]
fn a_broken_first_line_does_not_hide_the_rest() {
    let imported = folder(&["garbage", &row("1"), &row("2")]);
    assert_eq!(n_cases(only(&imported)), 2);
}

#[test]
fn bytes_that_are_no_text_stay_in_their_field() {
    let mut rows = row("0").replace("\"r\"", "\"\u{1}\"").into_bytes();
    rows.iter_mut().filter(|byte| **byte == 1).for_each(|byte| *byte = 0xff);
    rows.push(b'\n');
    rows.extend(row("1").into_bytes());
    let files = vec![file("r/header.json", HEADER), file("r/results.jsonl", rows)];
    assert_eq!(n_cases(only(&import_files(files))), 2);
}

#[test]
fn wrong_types_are_named_and_the_row_stays() {
    for (from, to) in [
        (r#""grades":{"g":{"score":1.0,"rationale":"r"}}"#, r#""grades":[1]"#),
        (r#""grades":{"g":{"score":1.0,"rationale":"r"}}"#, r#""grades":{"g":"good"}"#),
        (r#""score":1.0"#, r#""score":"1.0""#),
        (r#""grade":{"score":1.0,"rationale":"r"}"#, r#""grade":5"#),
        (r#"{"id":0,"input":"x","ground_truth":"y"}"#, r#""x""#),
    ] {
        let wrong = row("0").replace(from, to);
        let imported = folder(&[&wrong, &row("1")]);
        let import = only(&imported);
        assert_eq!(n_cases(import), 2, "{to}");
        assert!(note(import, NoteKind::Broken).detail.contains("another type"), "{to}");
    }
}

#[test]
fn a_row_twice_is_a_duplicate() {
    let imported = folder(&[&row("0"), &row("0"), &row("\"0\"")]);
    let import = only(&imported);
    assert_eq!(n_cases(import), 3);
    // `0` and `"0"` are two samples.
    assert_eq!(note(import, NoteKind::Duplicate).count, 1);
    assert!(import.notes.iter().all(|note| note.kind != NoteKind::Integrity));
}

#[test]
fn a_null_score_is_graded_but_has_no_score() {
    let null = row("0").replace("\"score\":1.0", "\"score\":null");
    let imported = folder(&[&null, &row("1")]);
    let run = &only(&imported).evaluation.runs[0];
    assert_eq!(run.checks.score.get(0), None);
    assert_eq!(run.cases.outcome_of(0), Outcome::Failed);
    assert_eq!(run.cases.outcome_of(1), Outcome::Passed);
}

#[test]
fn rows_alone_are_read_and_say_what_is_missing() {
    let imported = import_files(vec![file("results.jsonl", row("0"))]);
    let import = only(&imported);
    assert_eq!(import.evaluation.config.metrics, ["g"]);
    assert_eq!(import.evaluation.runs[0].cases.outcome_of(0), Outcome::Scored);
    assert!(import.notes.iter().any(|note| note.detail.contains("no header")));
}

#[test]
fn a_summary_that_counts_otherwise_is_named() {
    let summary = r#"{"type":"summary","metrics":{"total":3,"total_attempted":3,"avg_score_attempted":1.0,"avg_score_total":1.0},"gates_passed":true}"#;
    let files = vec![
        file("r/header.json", HEADER),
        file("r/results.jsonl", row("0")),
        file("r/summary.json", summary),
    ];
    let imported = import_files(files);
    let note = note(only(&imported), NoteKind::Unfinished);
    assert_eq!(note.detail, "the summary counts 3 samples, 1 is here");
}

#[test]
fn a_summary_alone_shows_what_it_states() {
    let summary =
        r#"{"type":"summary","metrics":{"total":3,"total_attempted":3},"gates_passed":true}"#;
    let imported = import_files(vec![file("r/summary.json", summary)]);
    assert!(!only(&imported).evaluation.declared.is_empty());
}

#[test]
fn empty_files_alone_give_nothing_and_say_so() {
    let imported = import_files(vec![file("r/run_1.jsonl", "")]);
    assert!(imported.imports.is_empty());
    assert_eq!(imported.open_notes[0].detail, "the file is empty");
}

/// What is said of how far the runs of a suite came whose first file of rows is given with `change`.
fn said_of_rows(change: impl Fn(&[&str]) -> Vec<String>) -> Vec<String> {
    let files = fixture_files("letta-evals/0.25.1_reward").into_iter().map(|old| {
        if !old.path.ends_with("claude-haiku-4-5.jsonl") {
            return old;
        }
        let text = String::from_utf8(bytes_of(&old)).unwrap();
        file(&old.path, change(&text.lines().collect::<Vec<_>>()).join("\n"))
    });
    let imported = import_files(files.collect());
    let notes = only(&imported).notes.iter();
    notes.filter(|n| n.kind == NoteKind::Unfinished).map(|n| n.detail.clone()).collect()
}

#[test]
fn a_row_that_is_broken_is_no_interruption() {
    let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    let with_broken = |lines: &[&str]| {
        let mut lines = owned(lines);
        lines[1].truncate(40);
        lines
    };
    assert!(said_of_rows(owned).is_empty());
    let said = said_of_rows(|lines| {
        let mut lines = owned(lines);
        lines.truncate(lines.len() - 2);
        lines
    });
    assert_eq!(said, ["the run has 14 of 16 samples: it was interrupted"]);
    let said = said_of_rows(with_broken);
    assert_eq!(
        said,
        ["the run has 15 of 16 samples: the others may be among what could not be read"]
    );
    let said = said_of_rows(|lines| with_broken(&lines[..lines.len() - 3]));
    assert_eq!(said, ["the run has 12 of 16 samples: it was interrupted"]);
}

#[test]
fn an_interrupted_suite_is_readable() {
    let files = fixture_files("letta-evals/0.26.0_reward_multirun");
    let kept = files.into_iter().filter(|file| !file.path.ends_with("summary.json"));
    let cut = kept.map(|old| {
        let mut bytes = bytes_of(&old);
        if old.path.ends_with("openai-gpt-4.1-mini/run_2.jsonl") {
            bytes.clear();
        } else if old.path.ends_with("openai-gpt-4.1-mini/run_1.jsonl") {
            bytes.truncate(bytes.len() - 100);
        }
        file(&old.path, bytes)
    });
    let imported = import_files(cut.collect());
    let import = only(&imported);
    let keys: Vec<_> = import
        .evaluation
        .runs
        .iter()
        .map(|run| (run.key.subject.as_deref().unwrap(), run.key.repeat, run.cases.len()))
        .collect();
    assert_eq!(
        keys,
        [("openai/gpt-4.1-mini", 1, 11), ("acme/unpriced-1", 1, 12), ("acme/unpriced-1", 2, 12)]
    );
    let n_of = |kind: NoteKind| import.notes.iter().filter(|note| note.kind == kind).count();
    // A line that is cut off is lost; that runs are not whole is no loss of what is there.
    assert_eq!(n_of(NoteKind::Truncated), 1, "{:?}", import.notes);
    assert_eq!(n_of(NoteKind::Unfinished), 3, "{:?}", import.notes);
}

#[test]
fn a_cut_suite_gives_its_first_samples() {
    let files = fixture_files("letta-evals/0.20.0_suite");
    let cut = files.into_iter().map(|old| {
        let mut bytes = bytes_of(&old);
        if old.path.ends_with("suite.json") {
            bytes.truncate(bytes.len() * 3 / 4);
        }
        file(&old.path, bytes)
    });
    let imported = import_files(cut.collect());
    let import = only(&imported);
    assert_eq!(n_cases(import), 45);
    note(import, NoteKind::Truncated);
    note(import, NoteKind::MissingPartner);
}

#[test]
fn every_cut_of_a_small_folder_is_survived() {
    for folder in ["letta-evals/0.3.2_single", "letta-evals/0.25.1_reward_11runs"] {
        for old in fixture_files(folder).into_iter().take(4) {
            let bytes = bytes_of(&old);
            for step in 0..60 {
                let len = bytes.len() * step / 60;
                import_files(vec![file(&old.path, bytes.get(..len).unwrap())]);
            }
        }
    }
}

#[test]
fn the_first_release_is_read() {
    let dump = r#"{"suite":"first","config":{"target":{"kind":"agent"},"grader":{"kind":"tool","function":"exact_match"},"gate":{"metric":"avg_score","op":"gte","value":0.5}},"results":[
        {"sample":{"id":0,"input":"2+2","ideal":"4","metadata":{"tags":[],"extra":null}},"submission":"4","trajectory":[[{"id":"m","date":"2025-09-10 12:00:00+00:00","message_type":"assistant_message","content":"4"}]],"agent_id":"a","grade":{"score":1.0,"rationale":"r","metadata":{}}},
        {"sample":{"id":1,"input":"2+3","ideal":"5","metadata":null},"submission":"4","trajectory":[[{"message_type":"assistant_message","content":"4"}]],"agent_id":"b","grade":{"score":0.5,"rationale":null,"metadata":{}}}],
        "metrics":{"total":2,"avg_score":0.75},"gates_passed":true}"#;
    let report = crate::support::report_of(&crate::support::core_of(vec![file("out.json", dump)]));
    assert_eq!(report["evaluations"][0]["generation"], "0");
    assert_eq!(report["runs"][0]["score"]["mean_attempted"], 0.75);
    assert_eq!(report["evaluations"][0]["repeats"][0]["gate"]["passed"], true);
    for row in report["audit"].as_array().unwrap() {
        assert_eq!(row["agrees"], true, "{row}");
    }
}

#[test]
fn two_models_that_share_a_file_are_told_apart() {
    let row = |id: u32, model: &str| {
        format!(
            r#"{{"sample_id":{id},"agent_id":"a","model_handle":"{model}","trajectory":[[]],"submissions":{{"g":"x"}},"grades":{{"g":{{"score":1.0}}}},"reward":{{"score":1.0}},"timing":{{"total":1.0,"target":1.0}}}}"#
        )
    };
    let lines = [row(1, "a/b"), row(1, "a-b"), row(2, "a-b")].join("\n");
    let suite = r#"{"suite":"s","config":{"target":{"kind":"letta_code","model_handles":["a/b","a-b"]},"graders":{"g":{"kind":"tool"}},"reward":{"kind":"metric","metric_key":"g"}},"samples":[{"id":1,"input":"x"},{"id":2,"input":"y"}]}"#;
    let imported = import_files(vec![file("o/a-b.jsonl", lines), file("o/suite.json", suite)]);
    let import = only(&imported);
    let keys: Vec<_> = import
        .evaluation
        .runs
        .iter()
        .map(|run| (run.key.subject.as_deref().unwrap(), run.cases.len()))
        .collect();
    assert_eq!(keys, [("a/b", 1), ("a-b", 2)]);
    assert!(import.notes.iter().all(|note| note.kind != NoteKind::Duplicate));
}

#[test]
fn an_empty_file_of_a_configuration_lies_beside_its_model() {
    let row = r#"{"sample_id":1,"agent_id":"a","trajectory":[[]],"submissions":{"g":"x"},"grades":{"g":{"score":1.0,"per_turn_grades":null}},"usage":null,"timing":{"total":1.0,"target":1.0},"error":null,"agent_state":null,"token_data":null}"#;
    let suite = r#"{"suite":"s","config":{"target":{"kind":"letta_agent","model_configs":["my-config"],"model_handles":null},"graders":{"g":{"kind":"tool"}},"gate":{"kind":"simple","metric_key":"g","aggregation":"avg_score","op":"gte","value":0.5}},"samples":[{"id":1,"input":"x"}]}"#;
    let imported = import_files(vec![
        file("o/my-config.jsonl", ""),
        file("o/openai-gpt-4.1.jsonl", row),
        file("o/suite.json", suite),
    ]);
    let import = only(&imported);
    assert_eq!(import.evaluation.generation, "D");
    assert_eq!(import.evaluation.runs.len(), 1);
    assert_eq!(import.evaluation.runs[0].key.subject.as_deref(), Some("openai-gpt-4.1"));
    assert!(import.notes.iter().all(|note| note.kind != NoteKind::Truncated), "{:?}", import.notes);
}

#[test]
fn seeded_mutations_are_survived() {
    let reader = evalglass::readers::reader("letta-evals").unwrap();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    let pieces: [&[u8]; 10] =
        [b"{", b"}", b"[", b"]", b"\"", b",", b"null", b"NaN", b"-1e999", b"\xff"];
    for folder in ["0.2.x_singlefile", "0.3.2_single", "guide_shape", "0.25.1_runnerresult_dump"] {
        let files: Vec<_> = fixture_files(&format!("letta-evals/{folder}"))
            .iter()
            .map(|old| (old.path.clone(), bytes_of(old)))
            .collect();
        for _ in 0..40 {
            let mut mutated = files.clone();
            for _ in 0..=next(4) {
                let which = next(mutated.len());
                let bytes = &mut mutated[which].1;
                let at = next(bytes.len());
                let end = (at + next(8)).min(bytes.len());
                let piece = pieces[next(pieces.len())];
                bytes.splice(at..end, piece.iter().copied());
            }
            let dropped = mutated.into_iter().map(|(path, bytes)| file(&path, bytes));
            for import in import_files(dropped.collect()).imports {
                for run in &import.evaluation.runs {
                    for idx in 0..run.cases.len() {
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
