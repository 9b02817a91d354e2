//! Every leaf of every document that states figures, changed in turn: a differing row names it, or
//! it is listed as unchecked. Nothing is silent.
//!
//! Leaves are changed some at a time, so that the test takes seconds; with `EVALGLASS_DEEP=1` one by
//! one.

use super::{FOLDERS, audited};
use crate::support::{bytes_of, file, fixture_files};
use evalglass::input::Dropped;
use evalglass::input::json::Cursor;
use serde_json::Value;

/// Rounds in which the leaves of a document are changed.
const ROUNDS: usize = 8;

/// A step on the way to a leaf.
#[derive(Clone)]
enum Step {
    Key(String),
    Idx(usize),
}

/// A leaf of a document.
struct Leaf {
    /// The document of its file: a line, or the whole.
    part: usize,
    steps: Vec<Step>,
    /// As the audit writes it.
    path: String,
    /// The same with `[]` for places in lists.
    general: String,
    changed: Value,
}

/// The documents of a file: one, or one per line. `None`: it states no figures.
fn documents(dropped: &Dropped) -> Option<Vec<Value>> {
    let bytes = bytes_of(dropped);
    let text = std::str::from_utf8(&bytes).ok()?;
    let name = dropped.path.rsplit('/').next().unwrap();
    let is_rebel = name.starts_with("test_results") || dropped.path.contains("guide/report");
    let is_document = is_rebel
        || ["result.json", "evaluation.json", "report.json", "inference_result.json"]
            .contains(&name)
        || ["overall_quality.json", "summary.json", "aggregate_stats.json"].contains(&name);
    if is_document {
        return Some(vec![Cursor::new(&bytes).tree().ok()?]);
    }
    let is_lines = name == "checkpoint_results.jsonl" || name == "run.jsonl";
    is_lines.then(|| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// Whether what stands at `path` is no claim: settings, rows of their own, times of day.
fn is_no_claim(name: &str, path: &str, document: &Value) -> bool {
    let is_rebel = document.get("test_cases").is_some();
    let first = path.split(['.', '[']).next().unwrap();
    match name {
        "run.jsonl" => first == "type" || document["type"] != "summary",
        "report.json" if !is_rebel => {
            let times = ["created", "results.summary.start", "results.summary.stop"];
            ["tests", "collectors", "environment", "warnings"].contains(&first)
                || times.contains(&path)
                || path.starts_with("results.tests")
                || path.starts_with("results.environment")
                || path.starts_with("results.tool")
        }
        "evaluation.json" => first == "tests",
        "overall_quality.json" => first == "source_files",
        _ if is_rebel => {
            let is_claim = path.contains(".aggregated_result")
                || path.ends_with("retry_params.count")
                || !path.contains("].")
                || path.ends_with(".retry_params");
            first != "metadata" && !is_claim
        }
        "result.json" | "summary.json" => {
            let is_rows = (path.starts_with("runs.") || path.starts_with("runs["))
                && (path.contains(".results[") || path.contains(".runs["));
            let is_dump = document.get("samples").is_some();
            ["config", "suite_spec", "samples", "results"].contains(&first) || (is_rows && is_dump)
        }
        _ => false,
    }
}

/// What a leaf is changed to; `None`: it is no claim.
fn changed(value: &Value, path: &str) -> Option<Value> {
    let is_verdict = path.ends_with("aggregated_result.verdict") || path == "state";
    match value {
        Value::Bool(flag) => Some(Value::from(!flag)),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Some(Value::from(whole + 1)),
            None => Some(Value::from(number.as_f64()? + 0.01)),
        },
        Value::String(word) if is_verdict => {
            let other = match word.as_str() {
                "passed" => "failed",
                "ran" => "error",
                _ => "passed",
            };
            Some(Value::from(other))
        }
        _ => None,
    }
}

fn collect(name: &str, part: usize, document: &Value, leaves: &mut Vec<Leaf>) {
    let mut open: Vec<(Vec<Step>, String, String, &Value)> =
        vec![(Vec::new(), String::new(), String::new(), document)];
    while let Some((steps, path, general, value)) = open.pop() {
        if !path.is_empty() && is_no_claim(name, &path, document) {
            continue;
        }
        let next = |step: Step| {
            let mut steps = steps.clone();
            steps.push(step);
            steps
        };
        match value {
            Value::Object(members) => {
                let join = |path: &str, key: &str| {
                    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
                };
                for (key, member) in members {
                    let (path, general) = (join(&path, key), join(&general, key));
                    open.push((next(Step::Key(key.clone())), path, general, member));
                }
            }
            Value::Array(items) => {
                for (idx, item) in items.iter().enumerate() {
                    let (path, general) = (format!("{path}[{idx}]"), format!("{general}[]"));
                    open.push((next(Step::Idx(idx)), path, general, item));
                }
            }
            leaf => {
                if let Some(changed) = changed(leaf, &path) {
                    leaves.push(Leaf { part, steps, path, general, changed });
                }
            }
        }
    }
}

/// The document as Python writes it, with bare words for non-finite numbers.
fn written(document: &Value) -> String {
    let words = ["-Infinity", "Infinity", "NaN"];
    words.iter().fold(document.to_string(), |text, word| text.replace(&format!("\"{word}\""), word))
}

fn change(document: &mut Value, leaf: &Leaf) {
    let mut at = document;
    for step in &leaf.steps {
        at = match step {
            Step::Key(key) => &mut at[key.as_str()],
            Step::Idx(idx) => &mut at[*idx],
        };
    }
    *at = leaf.changed.clone();
}

/// How a report names a leaf.
#[derive(PartialEq)]
enum Named {
    /// A row differs.
    Compared,
    /// It is listed as unchecked.
    Listed,
    /// Not at all.
    Silent,
}

/// How the report names the changed leaf of the file at `path`.
fn named(report: &Value, path: &str, leaf: &Leaf) -> Named {
    let ends = |field: &str, path: &str| {
        field == path || field.strip_suffix(path).is_some_and(|head| head.ends_with('.'))
    };
    // A list of ids is one figure.
    let list = leaf.path.rsplit_once('[').map_or(leaf.path.as_str(), |(list, _)| list);
    let is_list = list.ends_with("failed_sample_ids");
    let is_row = |row: &&Value| {
        let field = row["field"].as_str().unwrap();
        row["agrees"] == false
            && row["file"] == path
            && ((is_list && ends(field, list))
                || (ends(field, &leaf.path)
                    && (row["declared"] == leaf.changed
                        || row["declared"].as_f64() == leaf.changed.as_f64())))
    };
    let name = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    let is_group = |group: &&Value| {
        name(group["file"].as_str().unwrap()) == name(path)
            && group["fields"].as_array().unwrap().iter().any(|field| {
                let field = field["field"].as_str().unwrap();
                ends(field, &leaf.general) || ends(field, &leaf.path)
            })
    };
    if report["audit"].as_array().unwrap().iter().any(|row| is_row(&row)) {
        Named::Compared
    } else if report["unchecked"].as_array().unwrap().iter().any(|group| is_group(&group)) {
        Named::Listed
    } else {
        Named::Silent
    }
}

/// What came of changing leaves.
#[derive(Default)]
struct Found {
    n_compared: usize,
    n_listed: usize,
    silent: Vec<String>,
}

/// Changes every leaf of every document of a folder.
fn tamper(folder: &str, found: &mut Found) {
    let files = fixture_files(folder);
    for (at, dropped) in files.iter().enumerate() {
        let name = dropped.path.rsplit('/').next().unwrap();
        let Some(documents) = documents(dropped) else { continue };
        let mut leaves = Vec::new();
        for (part, document) in documents.iter().enumerate() {
            collect(name, part, document, &mut leaves);
        }
        let n_rounds = if std::env::var("EVALGLASS_DEEP").is_ok() { leaves.len() } else { ROUNDS };
        for round in 0..n_rounds.min(leaves.len()) {
            let own: Vec<&Leaf> = leaves.iter().skip(round).step_by(n_rounds).collect();
            let mut documents = documents.clone();
            for leaf in &own {
                change(&mut documents[leaf.part], leaf);
            }
            let text: Vec<String> = documents.iter().map(written).collect();
            let mut files = files.clone();
            files[at] = file(&dropped.path, text.join("\n"));
            let report = audited(files);
            for leaf in own {
                match named(&report, &dropped.path, leaf) {
                    Named::Compared => found.n_compared += 1,
                    Named::Listed => found.n_listed += 1,
                    Named::Silent => {
                        found.silent.push(format!("{} {}", dropped.path, leaf.path));
                    }
                }
            }
        }
    }
}

/// Changes every leaf of a producer's fixtures; at least so many are compared, at most so many are
/// listed only.
fn tamper_all(producer: &str, n_compared: usize, n_listed: usize) {
    let mut found = Found::default();
    for (folder, _) in FOLDERS.iter().filter(|(folder, _)| folder.starts_with(producer)) {
        let before = found.n_compared;
        tamper(folder, &mut found);
        assert!(found.n_compared > before, "{folder} states something that is compared");
    }
    let n_silent = found.silent.len();
    found.silent.truncate(40);
    assert!(found.silent.is_empty(), "{n_silent} are silent:\n{}", found.silent.join("\n"));
    let numbers = (found.n_compared, found.n_listed);
    assert!(numbers.0 >= n_compared && numbers.1 <= n_listed, "{numbers:?}");
}

#[test]
fn every_changed_figure_of_slop_code_is_named() {
    // Most of those that are listed measure code, which is not among the files.
    tamper_all("slop-code", 1850, 1650);
}

#[test]
fn every_changed_figure_of_letta_evals_is_named() {
    tamper_all("letta-evals", 2500, 40);
}

#[test]
fn every_changed_figure_of_rebel_is_named() {
    // Other numbers of planned attempts than recorded ones are listed.
    tamper_all("rebel", 210, 110);
}

/// `run_info.yaml` is text: its lines are changed.
#[test]
fn every_changed_figure_of_a_run_info_is_named() {
    let mut n_changed = 0;
    for (folder, _) in FOLDERS.iter().filter(|(folder, _)| folder.starts_with("slop-code")) {
        let files = fixture_files(folder);
        for (at, dropped) in files.iter().enumerate() {
            if !dropped.path.ends_with("run_info.yaml") {
                continue;
            }
            let text = String::from_utf8(bytes_of(dropped)).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            let summary = lines.iter().position(|line| *line == "summary:").unwrap();
            for number in summary + 1..lines.len() {
                let Some((key, value)) = lines[number].split_once(": ") else { continue };
                let changed = match value {
                    "true" => "false".to_owned(),
                    "false" => "true".to_owned(),
                    "ran" => "error".to_owned(),
                    value => match value.parse::<f64>() {
                        Ok(number) => (number + 1.0).to_string(),
                        Err(_) => continue,
                    },
                };
                if !lines[number].starts_with(' ') {
                    break;
                }
                let mut lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
                lines[number] = format!("{key}: {changed}");
                let mut files = files.clone();
                files[at] = file(&dropped.path, lines.join("\n"));
                let report = audited(files);
                let field = key.trim();
                let is_about = |stated: &Value| stated.as_str().unwrap().ends_with(field);
                let is_row = report["audit"].as_array().unwrap().iter().any(|row| {
                    row["agrees"] == false
                        && is_about(&row["field"])
                        && row["file"] == *dropped.path
                });
                let is_listed = report["unchecked"].as_array().unwrap().iter().any(|group| {
                    group["fields"].as_array().unwrap().iter().any(|one| is_about(&one["field"]))
                });
                assert!(is_row || is_listed, "{} {}", dropped.path, lines[number]);
                n_changed += 1;
            }
        }
    }
    assert!(n_changed > 40, "only {n_changed}");
}
