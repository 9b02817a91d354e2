//! What the files say about how each side was made, as far as it differs.

use crate::order::Order as _;
use crate::report::RunRef;
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Characters of a value that are kept.
const MAX_CHARS: usize = 400;

/// Different values of one setting that are kept.
const MAX_VALUES: usize = 8;

/// Settings that are compared at the most.
const MAX_SETTINGS: usize = 2_000;

/// Members of a file that say how things were made, not what came of it.
const SETTINGS: [&str; 22] = [
    "agent",
    "args",
    "commit",
    "config",
    "dataset",
    "environment",
    "gate",
    "git",
    "graders",
    "metadata",
    "model",
    "models",
    "parameters",
    "params",
    "prompt",
    "seed",
    "settings",
    "suite",
    "target",
    "temperature",
    "version",
    "versions",
];

/// Settings that differ with each run.
const OF_EACH_RUN: [&str; 6] =
    ["timestamp", "started_at", "created_at", "total_test_cases", "run_id", "output_path"];

/// How much a setting matters, as a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Weight {
    /// Which model or agent.
    Model,
    /// What it was told.
    Prompt,
    /// How it was run.
    Parameter,
    /// What passes.
    Gate,
    /// Which version of what.
    Version,
    /// Anything else.
    Other,
}

/// A setting that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigLine {
    /// Its path: `target.model_handles.0`.
    pub path: String,
    /// On the baseline. `None`: it is not there.
    pub baseline: Option<String>,
    /// On the candidate.
    pub candidate: Option<String>,
    /// How much it matters.
    pub weight: Weight,
}

/// Values by path.
type SettingValues = BTreeMap<String, BTreeSet<String>>;

/// What differs between the sides, the important first.
pub(super) fn differences(
    workspace: &Workspace,
    refs: &(Vec<RunRef>, Vec<RunRef>),
) -> Vec<ConfigLine> {
    let (one, two) = (settings(workspace, &refs.0), settings(workspace, &refs.1));
    let paths: BTreeSet<&String> = one.keys().chain(two.keys()).collect();
    let joined = |settings: &SettingValues, path: &str| {
        let values = settings.get(path)?;
        Some(values.iter().cloned().collect::<Vec<_>>().join(", "))
    };
    let mut lines: Vec<ConfigLine> = paths
        .into_iter()
        .filter(|path| one.get(*path) != two.get(*path))
        .map(|path| ConfigLine {
            baseline: joined(&one, path),
            candidate: joined(&two, path),
            weight: weight(path),
            path: path.clone(),
        })
        .collect();
    lines.order_by_key(|line| line.weight);
    lines
}

fn settings(workspace: &Workspace, refs: &[RunRef]) -> SettingValues {
    let mut found = SettingValues::new();
    let mut seen = BTreeSet::new();
    for at in refs {
        let Some((entry, run)) = workspace.run(*at) else { continue };
        let evaluation = &entry.evaluation;
        if let Some(subject) = &run.key.subject {
            put(&mut found, "model or agent", subject);
        }
        if let Some(suite) = &run.key.suite {
            put(&mut found, "suite", suite);
        }
        if !seen.insert(entry.id) {
            continue;
        }
        put(&mut found, "producer", &evaluation.producer);
        put(&mut found, "format version", &evaluation.generation);
        if let Some(gate) = &evaluation.config.gate {
            put(&mut found, "gate", &gate.text);
        }
        if let Some(policy) = &evaluation.config.declared_policy {
            put(&mut found, "pass policy", policy);
        }
        for (label, value) in &evaluation.config.description {
            put(&mut found, label, value);
        }
        let Value::Object(files) = &evaluation.declared_json else { continue };
        for file in files.values() {
            let Value::Object(members) = file else { continue };
            for (name, value) in members {
                if SETTINGS.contains(&name.as_str()) {
                    // `config` alone says nothing that its members do not.
                    let path = if name == "config" { "" } else { name.as_str() };
                    flatten(&mut found, path, value);
                }
            }
        }
    }
    found
}

fn flatten(found: &mut SettingValues, path: &str, value: &Value) {
    let below =
        |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if !OF_EACH_RUN.contains(&name.as_str()) {
                    flatten(found, &below(name), value);
                }
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                flatten(found, &below(&at.to_string()), item);
            }
        }
        Value::Null => {}
        Value::String(text) => put(found, path, text),
        other => put(found, path, &other.to_string()),
    }
}

fn put(found: &mut SettingValues, path: &str, value: &str) {
    if found.len() >= MAX_SETTINGS && !found.contains_key(path) {
        return;
    }
    let values = found.entry(path.to_owned()).or_default();
    if values.len() < MAX_VALUES {
        values.insert(value.chars().take(MAX_CHARS).collect());
    }
}

fn weight(path: &str) -> Weight {
    let path = path.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| path.contains(word));
    if path.starts_with("grader") || path.contains("gate") || path.contains("policy") {
        Weight::Gate
    } else if has(&["model", "agent"]) {
        Weight::Model
    } else if has(&["prompt", "instruction", "system"]) {
        Weight::Prompt
    } else if has(&["temperature", "param", "seed", "max_", "timeout", "effort", "thinking"]) {
        Weight::Parameter
    } else if has(&["threshold", "metric"]) {
        Weight::Gate
    } else if has(&["version", "commit", "git", "producer"]) {
        Weight::Version
    } else {
        Weight::Other
    }
}
