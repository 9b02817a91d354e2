//! Broken and strange files: what is said about each, and how much of it is still read.

use crate::support::{bytes_of, core_of, file, fixture, fixture_files};
use evalglass::input::{Dropped, Pulse};
use evalglass::model::{Note, NoteKind};
use evalglass::report::{Outcome, Tree};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, Request};
use std::collections::BTreeSet;
use std::fmt::Write as _;

fn tree_of(core: &Core) -> Tree {
    match core.answer(Request::Settings(evalglass::report::Settings::default())) {
        Ok(Answer::Workspace(tree)) => tree,
        other => panic!("no workspace: {other:?}"),
    }
}

fn notes_of(core: &Core) -> Vec<Note> {
    match core.answer(Request::Files) {
        Ok(Answer::Files(files)) => files.notes,
        other => panic!("no files: {other:?}"),
    }
}

/// What `core` says about what it was given, as text: a line per evaluation, a line per note.
fn told(core: &Core) -> String {
    let mut text = String::new();
    let tree = tree_of(core);
    for evaluation in &tree.evaluations {
        let runs = &evaluation.runs;
        let n_cases: u64 = runs.iter().map(|run| run.n_cases).sum();
        writeln!(text, "{} cases of {} {}", n_cases, evaluation.producer, evaluation.generation)
            .unwrap();
    }
    for note in notes_of(core) {
        let places: Vec<String> = note.places.iter().map(ToString::to_string).collect();
        let times = if note.count == 1 { String::new() } else { format!(" x{}", note.count) };
        let (kind, file, detail) = (note.kind.as_str(), &note.file, &note.detail);
        writeln!(text, "{kind} {file} [{}]{times}: {detail}", places.join("; ")).unwrap();
    }
    text
}

fn bad_file(name: &str) -> Dropped {
    file(name, std::fs::read(fixture("bad").join(name)).expect("the file is there"))
}

#[test]
fn every_bad_file_is_known_and_every_known_one_is_there() {
    let there: BTreeSet<String> = std::fs::read_dir(fixture("bad"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "README.md")
        .collect();
    let known: BTreeSet<String> = KNOWN.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(known.len(), KNOWN.len(), "a file stands twice in KNOWN");
    assert_eq!(there, known, "tests/fixtures/bad and KNOWN differ: add a test");
    let readme = std::fs::read_to_string(fixture("bad/README.md")).unwrap();
    for name in &there {
        assert!(readme.contains(&format!("| `{name}` |")), "{name} has no line in README.md");
    }
}

#[test]
fn every_bad_file_gives_its_pinned_message() {
    let mut differing = String::new();
    for (name, expected) in KNOWN {
        let found = told(&core_of(vec![bad_file(name)]));
        if found.trim_end() != expected.trim() {
            writeln!(differing, "    (\n        {name:?},\n        r#\"\n{found}\"#,\n    ),").unwrap();
        }
    }
    assert!(differing.is_empty(), "these are told otherwise:\n{differing}");
}

const KNOWN: &[(&str, &str)] = &[
    ("bom_only.json", ""),
    ("braces.json", ""),
    ("csv_other.csv", ""),
    ("deep_lists.json.gz", ""),
    ("empty.json", ""),
    ("git_lfs_pointer.parquet", ""),
    ("gzip_bad_checksum.json.gz", ""),
    ("gzip_bomb.json.gz", ""),
    ("gzip_flipped.json.gz", ""),
    ("gzip_header_only.json.gz", ""),
    ("gzip_truncated.json.gz", ""),
    ("html_error.html", ""),
    ("jsonl_other.jsonl", ""),
    ("letta_broken_middle_line.jsonl", ""),
    ("letta_duplicate_ids.jsonl", ""),
    ("letta_first_line_broken.jsonl", ""),
    ("letta_glued_and_blank.jsonl", ""),
    ("letta_header_alone.json", ""),
    ("letta_huge_line.jsonl.gz", ""),
    ("letta_infinite_scores.jsonl", ""),
    ("letta_last_line_cut.jsonl", ""),
    ("letta_negative_weights.jsonl", ""),
    ("letta_null_sample.jsonl", ""),
    ("letta_samples_object.json", ""),
    ("letta_scores_as_text.jsonl", ""),
    ("letta_suite_cut.json", ""),
    ("mixed_producers.jsonl", ""),
    ("parquet_footer_length.parquet", ""),
    ("parquet_footer_thrift.parquet", ""),
    ("parquet_magic_only.parquet", ""),
    ("parquet_other_schema.parquet", ""),
    ("parquet_page_flipped.parquet", ""),
    ("parquet_page_header.parquet", ""),
    ("parquet_truncated.parquet", ""),
    ("png_header.json", ""),
    ("rebel_bad_escapes.json", ""),
    ("rebel_cases_object.json", ""),
    ("rebel_concatenated.json", ""),
    ("rebel_cut_before_close.json", ""),
    ("rebel_cut_between_elements.json", ""),
    ("rebel_cut_between_members.json", ""),
    ("rebel_cut_in_multibyte.json", ""),
    ("rebel_cut_in_string.json", ""),
    ("rebel_deep_nesting.json.gz", ""),
    ("rebel_duplicate_keys.json", ""),
    ("rebel_huge_numbers.json", ""),
    ("rebel_invalid_utf8.json", ""),
    ("rebel_list_at_top.json", ""),
    ("rebel_metadata_list.json", ""),
    ("rebel_missing_comma.json", ""),
    ("rebel_nan_everywhere.json", ""),
    ("rebel_null_case.json", ""),
    ("rebel_raw_newline_in_string.json", ""),
    ("rebel_scores_as_text.json", ""),
    ("rebel_single_quotes.json", ""),
    ("rebel_trailing_comma.json", ""),
    ("rebel_trailing_garbage.json", ""),
    ("rebel_utf16_half_unit.json", ""),
    ("rebel_utf32.json", ""),
    ("scalar.json", ""),
    ("slop_evaluation_cut.json", ""),
    ("slop_outcomes_cut.json", ""),
    ("slop_outcomes_wrong_types.json", ""),
    ("slop_rows_wrong_types.jsonl", ""),
    ("slop_tests_list_wrong_types.json", ""),
    ("slop_tests_number.json", ""),
    ("slop_tests_wrong_types.json", ""),
    ("whitespace.json", ""),
    ("yaml_other.yaml", ""),
    ("zip_bad_checksum.zip", ""),
    ("zip_bomb.zip", ""),
    ("zip_empty.zip", ""),
    ("zip_encrypted.zip", ""),
    ("zip_flipped.zip", ""),
    ("zip_mixed.zip", ""),
    ("zip_nested.zip", ""),
    ("zip_traversal.zip", ""),
    ("zip_truncated.zip", ""),
    ("zstd_truncated.json.zst", ""),
];
