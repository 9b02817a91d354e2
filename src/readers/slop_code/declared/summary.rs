//! `result.json` against the rows, `run_info.yaml` against the checkpoints of its problem.
//!
//! Producer's definition: `metrics/summary`, `save_results` of `agent_runner/reporting.py`.

use super::{DeclaredDocument, FigureSheet, count, seconds_between};
use crate::input::json::f64_from_value;
use crate::model::{DeclaredValue, Figure, Known, Scope};
use crate::readers::slop_code::run_files::{Document, RunFiles};
use crate::readers::unchecked_claims::{Part, stated};
use serde_json::Value;
use std::collections::BTreeSet;

const ANY_ALWAYS: &str =
    "the original's code lets `any` always pass; the guide asks for at least one passed case";
const NO_ROWS: &str =
    "checkpoint_results.jsonl is not among the files: code quality is in it alone";
const NO_INFERENCE: &str =
    "checkpoint_results.jsonl and some inference_result.json are not among the files";
const LISTS: &str = "Evalglass does not compare lists";
const TOKENS: &str = "the runner's own count of tokens, which is not their sum over checkpoints";
const NO_PROBLEM: &str = "no checkpoint of its problem is among the files";

/// Every figure of `result.json`, by its path. `n_without_inference`: checkpoints without
/// `inference_result.json`.
pub(in crate::readers::slop_code) fn result(
    sheet: &mut FigureSheet,
    files: &RunFiles,
    n_without_inference: usize,
) {
    let Some(document) = &files.result else { return };
    let mut page = DeclaredDocument::new(sheet, &document.path, "result.", Scope::Evaluation);
    let has_rows = files.rows_path.is_some();
    let part = |path: &str| match path.split('.').next().unwrap_or_default() {
        "cc" | "ratios" | "delta" | "verbosity" | "erosion" if !has_rows => {
            Part::Unchecked(NO_ROWS)
        }
        "costs" | "time" | "tokens" | "steps" if !has_rows && n_without_inference > 0 => {
            Part::Unchecked(NO_INFERENCE)
        }
        // Names of the config; without one there is nothing to compare them with.
        "model" | "thinking" | "prompt" | "agent_type" | "agent_version"
            if files.config.is_none() =>
        {
            Part::Other
        }
        _ => Part::Open,
    };
    if let Some(expected) = document.value.get("expected_checkpoints").and_then(f64_from_value) {
        let at = "checkpoints of problem.yaml of every problem";
        let there = planned(files).map(count);
        page.found("expected_checkpoints", DeclaredValue::Number(expected), there, at);
    }
    flatten(&document.value, String::new(), &part, &mut page);
    page.rest(&document.value, &|path| match part(path) {
        Part::Open if path.ends_with("[]") => Part::Unchecked(LISTS),
        part => part,
    });
}

fn flatten(
    value: &Value,
    path: String,
    part: &dyn Fn(&str) -> Part,
    page: &mut DeclaredDocument<'_>,
) {
    if !path.is_empty() && (part(&path) != Part::Open || path == "expected_checkpoints") {
        return;
    }
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let dot = if path.is_empty() { "" } else { "." };
                flatten(value, format!("{path}{dot}{key}"), part, page);
            }
        }
        Value::Array(_) => {}
        leaf => {
            let value = stated(leaf).unwrap_or(DeclaredValue::Null);
            page.put(&path, value, Figure::Summary(path.clone()), None);
        }
    }
}

/// Checkpoints that the definitions of all problems of the rows list together.
fn planned(files: &RunFiles) -> Option<u64> {
    let name =
        |row: &serde_json::Map<String, Value>| row.get("problem")?.as_str().map(str::to_owned);
    let problems: BTreeSet<String> = files.rows.iter().filter_map(name).collect();
    let of_problem = |problem: &String| {
        let is_own = |document: &&Document| {
            document.value.get("name").and_then(Value::as_str) == Some(problem)
        };
        let definition = files.problems.iter().find(is_own)?;
        Some(definition.value.get("checkpoints")?.as_object()?.len() as u64)
    };
    let counts: Option<Vec<u64>> = problems.iter().map(of_problem).collect();
    counts.filter(|counts| !counts.is_empty()).map(|counts| counts.iter().sum())
}

/// What `run_info.yaml` says of a problem: whether its policy passes, what it took.
pub(in crate::readers::slop_code) fn run_info(
    sheet: &mut FigureSheet,
    document: &Document,
    problem: Option<&str>,
    files: &RunFiles,
) {
    let info = &document.value;
    let scope = problem.map_or(Scope::Evaluation, |problem| Scope::Suite(problem.to_owned()));
    let mut page = DeclaredDocument::new(sheet, &document.path, "run_info.", scope);
    if problem.is_some() {
        verdicts(&mut page, info);
        if let Some(secs) = info.pointer("/summary/duration_seconds").and_then(f64_from_value) {
            let summary = info.get("summary");
            let time = |key: &str| summary?.get(key);
            let between = seconds_between(time("started"), time("ended"));
            let at = "ended − started of the same file";
            page.seconds("summary.duration_seconds", secs, between, at);
        }
        usage(&mut page, info, document.folder(), files);
    }
    page.rest(info, &|path| match path.split('.').next() {
        Some("" | "summary") if problem.is_none() => Part::Unchecked(NO_PROBLEM),
        Some("summary") if path.starts_with("summary.total_usage.") => Part::Unchecked(TOKENS),
        Some("" | "summary") => Part::Open,
        _ => Part::Other,
    });
}

fn verdicts(page: &mut DeclaredDocument<'_>, info: &Value) {
    let policy = info.get("pass_policy").and_then(Value::as_str);
    let flag = |pointer: &str| info.pointer(pointer).and_then(Value::as_bool);
    if let (Some(policy), Some(passed)) = (policy, flag("/summary/passed_policy")) {
        let original = Some(DeclaredValue::Bool(true));
        let known = (policy == "any").then_some(Known { why: ANY_ALWAYS.into(), original });
        let figure = Figure::Policy(policy.to_owned());
        page.put("summary.passed_policy", DeclaredValue::Bool(passed), figure, known);
    }
    if let Some(passed) = flag("/summary/passed") {
        let figure = Figure::Policy("all-cases".to_owned());
        page.put("summary.passed", DeclaredValue::Bool(passed), figure, None);
    }
    if let Some(rate) = info.pointer("/summary/overall_pass_rate").and_then(f64_from_value) {
        let figure = Figure::MeanOverRuns(Box::new(Figure::StrictPassRate));
        page.put("summary.overall_pass_rate", DeclaredValue::Number(rate), figure, None);
    }
}

/// Totals over the checkpoints that were run, and what came of each.
fn usage(page: &mut DeclaredDocument<'_>, info: &Value, folder: &str, files: &RunFiles) {
    const AT: &str = "sum over inference_result.json of every checkpoint";
    const WITH_SKILL: &str = "sum over inference_result.json of every checkpoint and \
        trajectory_stats_after.json of every skill after one";
    let states = info.pointer("/summary/checkpoints").and_then(Value::as_object);
    let of = |name: &str| {
        let dash = if folder.is_empty() { "" } else { "/" };
        let found = files.inferences.in_folder(&format!("{folder}{dash}{name}"));
        found.map(|found| &found.value)
    };
    let ran = states.into_iter().flatten().filter(|(_, state)| state.as_str() != Some("skipped"));
    let results: Option<Vec<&Value>> = ran.map(|(name, _)| of(name)).collect();
    let is_below = |other: &str| {
        let rest = other.strip_prefix(folder);
        rest.is_some_and(|rest| folder.is_empty() || rest.starts_with('/'))
    };
    // What a skill costs after a checkpoint is in the producer's totals, by the same name.
    let stats = files.trajectories_after.iter().filter(|found| is_below(found.folder()));
    let skills: Vec<&Value> = stats.map(|found| &found.value).collect();
    let mut folders = files.skill_folders.iter().filter(|skill| is_below(skill));
    let lacks_skill = folders.any(|skill| files.trajectories_after.in_folder(skill).is_none());
    let sum = |pointer: &str| {
        let mut sum = 0.0;
        for result in results.as_ref().filter(|results| !results.is_empty())? {
            sum += result.pointer(pointer).and_then(f64_from_value)?;
        }
        for skill in &skills {
            sum += skill.get(pointer.rsplit('/').next()?).and_then(f64_from_value)?;
        }
        Some(sum)
    };
    let at = if skills.is_empty() && !lacks_skill { AT } else { WITH_SKILL };
    let mut put = |path: &str, pointer: &str| {
        let own = format!("/{}", path.replace('.', "/"));
        if let Some(stated) = info.pointer(&own).and_then(f64_from_value) {
            // Without a skill's file its cost is unknown, and the total can only be larger than what is here.
            let is_open = |sum: &f64| lacks_skill && *sum < stated;
            let there = sum(pointer).filter(|sum| !is_open(sum)).map(DeclaredValue::Number);
            page.found(path, DeclaredValue::Number(stated), there, at);
        }
    };
    put("summary.total_cost", "/usage/cost");
    put("summary.total_steps", "/usage/steps");
    put("summary.total_usage.cost", "/usage/cost");
    put("summary.total_usage.steps", "/usage/steps");
    for (name, state) in states.into_iter().flatten() {
        let had_error = of(name).and_then(|result| result.get("had_error")?.as_bool());
        if let (Some(state), Some(had_error)) = (state.as_str(), had_error) {
            let there = if had_error { "error" } else { "ran" };
            let there = Some(DeclaredValue::Text(there.to_owned()));
            let path = format!("summary.checkpoints.{name}");
            let at = "had_error of inference_result.json";
            page.found(&path, DeclaredValue::Text(state.to_owned()), there, at);
        }
    }
}
