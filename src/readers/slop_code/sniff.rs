//! Recognises the producer's files by what is in them.
//!
//! Keys as `formats/slop-code.md` §2 lists them; a document that is cut off is recognised by the
//! members before the cut.

use super::{agent_stream, groups, reports, role};
use crate::input::{Form, InputFile, Outline, Shape, ValueKind, yaml};
use crate::readers::Claim;

/// What `file` is, if it is one of ours.
pub(super) fn sniff(file: &InputFile, shape: &Shape) -> Option<Claim> {
    match shape.form {
        Form::Parquet => parquet(file),
        Form::Document => document(&shape.outline).or_else(|| line(shape.record())),
        Form::Lines => line(shape.record()),
        Form::Text => text(&shape.head),
        Form::Binary | Form::Empty | Form::Unseen => None,
    }
}

/// What an empty file is: `diff.json` of a checkpoint without changes has no byte.
pub(super) fn empty(file: &InputFile) -> Claim {
    let role = if file.name() == "diff.json" { role::DIFF } else { role::EMPTY };
    claim(role, None, "an empty file beside the run's files")
}

fn claim(role: &'static str, generation: Option<&'static str>, why: &'static str) -> Claim {
    Claim { role, generation, why }
}

fn parquet(file: &InputFile) -> Option<Claim> {
    let why = match reports::kind(file) {
        reports::ParquetRole::Reports => "Parquet with the column results.list.element.attribute",
        reports::ParquetRole::NoColumns => "Parquet without columns and rows: no case was run",
        reports::ParquetRole::Damaged => "Parquet whose footer is damaged",
        reports::ParquetRole::Other => return None,
    };
    Some(claim(role::REPORTS, Some("G1"), why))
}

fn document(outline: &Outline) -> Option<Claim> {
    use ValueKind::{Array, Number, Object, Text};
    let is_cut = outline.cut.is_some();
    let has = |key, kind| outline.has(key, kind);
    let counts = has("pass_counts", Object) && has("total_counts", Object);
    if has("group_outcomes", Object) && (counts || (is_cut && has("duration", Number))) {
        let why = "group_outcomes, pass_counts and total_counts";
        return Some(claim(role::EVALUATION_G1, Some("G1"), why));
    }
    let is_pytest = outline.member("pytest_exit_code").is_some() && has("pass_counts", Object);
    let is_cut_pytest = is_cut && has("checkpoint_name", Text) && has("entrypoint", Text);
    if (is_pytest || is_cut_pytest) && (has("tests", Array) || has("tests", Object)) {
        let generation = if has("tests", Array) {
            "G2a"
        } else if outline.member("test_collection_hash").is_some() {
            "G2d"
        } else if outline.member("schema_version").is_none() {
            "G2b"
        } else {
            "G2c"
        };
        let why = "tests, pytest_exit_code and pass_counts";
        return Some(claim(role::EVALUATION_G2, Some(generation), why));
    }
    if has("num_checkpoints", Number) && has("pass_rates", Object) && has("costs", Object) {
        return Some(claim(role::RESULT, None, "num_checkpoints, pass_rates and costs"));
    }
    if has("usage", Object) && outline.has_all(&["started", "completed", "snapshot_dir"]) {
        return Some(claim(role::INFERENCE, None, "usage, started and completed"));
    }
    if has("file_diffs", Object) && outline.member("from_checksum").is_some() {
        return Some(claim(role::DIFF, None, "file_diffs and from_checksum"));
    }
    if outline.has_all(&["lines", "lint", "functions", "symbols"]) {
        return Some(claim(role::OVERALL_QUALITY, None, "lines, lint, functions and symbols"));
    }
    if has("tools_used", Object) && outline.has_all(&["steps", "input_tokens"]) {
        return Some(claim(role::TRAJECTORY, None, "tools_used, steps and input_tokens"));
    }
    None
}

/// Lines of JSON, by the first one; a file of one line looks like a document.
fn line(outline: &Outline) -> Option<Claim> {
    if outline.has_all(&["problem", "checkpoint", "idx", "state"]) {
        let role =
            if outline.member("run_id").is_some() { role::COMBINED_ROWS } else { role::ROWS };
        return Some(claim(role, None, "problem, checkpoint, idx and state"));
    }
    if agent_stream::is_stream(|key| outline.member(key).is_some()) {
        return Some(claim(role::AGENT_STREAM, None, "type, session and message"));
    }
    if outline.has_all(&["file_path", "lint_errors"]) || outline.has_all(&["file_path", "loc"]) {
        return Some(claim(role::FILE_QUALITY, None, "file_path and lint_errors or loc"));
    }
    if outline.has_all(&["name", "complexity", "start"]) {
        return Some(claim(role::SYMBOLS, None, "name, complexity and start"));
    }
    if outline.has_all(&["rule_id", "severity"]) || outline.has_all(&["rule_id", "file_path"]) {
        return Some(claim(role::QUALITY, None, "rule_id"));
    }
    None
}

/// What `file` is, which says nothing by itself and lies beside the producer's files.
pub(super) fn sniff_beside(file: &InputFile, shape: &Shape) -> Option<Claim> {
    let is_text = matches!(shape.form, Form::Text | Form::Empty | Form::Document | Form::Lines);
    let folder = file.folder().rsplit('/').next().unwrap_or_default();
    let role = match (folder, file.name()) {
        (_, "prompt.txt") => role::PROMPT,
        ("evaluation", "stdout.txt" | "stderr.txt") => role::PYTEST_OUTPUT,
        ("agent", "stdout.jsonl") => role::AGENT_STREAM,
        _ => return None,
    };
    is_text.then(|| claim(role, None, "its name, beside the run's files"))
}

fn text(head: &[u8]) -> Option<Claim> {
    let text = String::from_utf8_lossy(head);
    let first = text.trim_start().lines().next().unwrap_or_default();
    if first.starts_with("====") && first.contains(" test session starts ") {
        return Some(claim(role::PYTEST_OUTPUT, None, "pytest's first line"));
    }
    let keys = yaml::top_keys(&text);
    let has = |key: &str| keys.contains(&key);
    if has("summary") && (has("pass_policy") || has("skip_evaluation")) {
        return Some(claim(role::RUN_INFO, None, "summary and pass_policy"));
    }
    if has("agent") && has("model") && has("prompt_path") {
        return Some(claim(role::CONFIG, None, "agent, model and prompt_path"));
    }
    if has("groups") && groups::is_config(&text) {
        return Some(claim(role::GROUPS, None, "groups with weight or type"));
    }
    if has("checkpoints") && has("name") && has("version") {
        return Some(claim(role::PROBLEM, None, "checkpoints, name and version"));
    }
    if has("order") && has("name") && has("version") {
        return Some(claim(role::CHECKPOINT, None, "order, name and version"));
    }
    None
}
