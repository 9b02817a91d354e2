//! What a job says of its own rules and settings, and what is noted about its files.

use super::job::TrialFiles;
use crate::model::{Config, NoteKind, Place, Run};
use crate::readers::formula::is_beyond_unit;
use crate::readers::record_value::{says_something, short_text, text};
use crate::readers::{Claimed, Context};
use serde_json::Value;

/// Names of the rewards; the one called so is the first.
pub(super) fn reward_names(found: &[TrialFiles<'_>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in found.iter().flat_map(|one| one.trial.rewards.iter().flatten()) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    if let Some(at) = names.iter().position(|name| name == "reward") {
        names.swap(0, at);
    }
    names
}

/// What is said of the scores. A single reward is the score of its case, and no metric beside it.
pub(super) fn rules(names: Vec<String>, runs: &[Run]) -> Config {
    let source = match names.as_slice() {
        [] | [_] => "mean of rewards; in Harbor's own mean a trial without a reward counts 0".into(),
        [first, ..] => format!(
            "mean of {first}, the first of several rewards; in Harbor's own mean a trial without one counts 0"
        )
        .into(),
    };
    Config {
        metrics: if names.len() > 1 { names } else { Vec::new() },
        no_case_rule: Some("Harbor gives rewards, and has no rule that says which pass".into()),
        no_verdict: Some("Harbor has no rule that passes or fails a job".into()),
        score_source: Some(source),
        has_any_scores: is_beyond_unit(runs),
        ..Config::default()
    }
}

/// Notes what a trial's result says in another form than it should.
pub(super) fn note_odd(record: &Value, path: &str, cx: &Context<'_>) {
    let objects = [
        "verifier_result",
        "verifier_result.rewards",
        "exception_info",
        "agent_info",
        "agent_result",
    ];
    for field in objects {
        let pointer = format!("/{}", field.replace('.', "/"));
        let is_odd = |value: &Value| !value.is_null() && !value.is_object();
        if record.pointer(&pointer).is_some_and(is_odd) {
            let place = Place::Field(field.to_owned());
            cx.notes.add(path, NoteKind::Broken, place, "it is not an object, and left out");
        }
    }
    let rewards = record.pointer("/verifier_result/rewards").and_then(Value::as_object);
    for (name, value) in rewards.into_iter().flatten() {
        if super::trial::reward(value).is_none() {
            let place = Place::Field(format!("verifier_result.rewards.{name}"));
            cx.notes.add(path, NoteKind::Broken, place, "the reward is not a number, and left out");
        }
    }
}

/// Notes that a job had not ended.
pub(super) fn note_unfinished(
    claimed: &Claimed,
    job: &Value,
    found: &[TrialFiles<'_>],
    cx: &Context<'_>,
) {
    let is_cut = claimed.shape.outline.cut.is_some();
    if is_cut || job.get("finished_at").is_some_and(says_something) {
        return;
    }
    let n_there = found.iter().filter(|one| one.trial.has_result).count();
    let n_planned = job.get("n_total_trials").map(short_text).unwrap_or_default();
    let detail = format!(
        "the job had not ended when its result was written: {n_there} of {n_planned} trials have a result"
    );
    cx.notes.add(&claimed.file.path, NoteKind::Unfinished, Place::File, detail);
}

/// What the job was asked to do. Environment variables and other settings of agents stay out: they may be secrets.
pub(super) fn description(config: &Value) -> Vec<(String, String)> {
    let named = |list: &str, keys: &[&str]| {
        let all = config.get(list).and_then(Value::as_array).into_iter().flatten();
        let one = |value: &Value| {
            let parts: Vec<&str> = keys.iter().filter_map(|key| text(value, key)).collect();
            parts.join(" ")
        };
        all.map(one).filter(|one| !one.is_empty()).collect::<Vec<_>>().join(", ")
    };
    let short = |key: &str| config.pointer(key).map(short_text).unwrap_or_default();
    let all = [
        ("agents", named("agents", &["name", "import_path", "model_name"])),
        ("datasets", named("datasets", &["name", "path", "version"])),
        ("tasks", named("tasks", &["name", "path"])),
        ("attempts of each task", short("/n_attempts")),
        ("environment", short("/environment/type")),
        ("timeout multiplier", short("/timeout_multiplier")),
    ];
    let said = all.into_iter().filter(|(_, value)| !value.is_empty());
    said.map(|(label, value)| (label.to_owned(), value)).collect()
}
