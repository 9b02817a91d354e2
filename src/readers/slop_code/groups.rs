//! `config.yaml` beside an evaluation: types and weights of groups.
//!
//! The reporting guide writes `groups` in two ways: a list of `{name, weight}`, and a mapping from the
//! name to `{type, weight}`; either may have either member. Fixtures: `guides/s7_weighted`,
//! `guides/s8_types`, `guides/s8b_config_alone`, `guides/s8c_config_alone`.

use super::checkpoint::Built;
use super::run_files::{Document, RunFiles};
use crate::input::json::f64_from_value;
use crate::input::yaml;
use crate::model::{Kind, NoteKind, Place};
use crate::readers::Context;
use serde_json::Value;
use std::collections::HashMap;

/// What a config says of one group.
struct Setting {
    name: String,
    kind: Option<String>,
    weight: Option<f64>,
    /// A weight that is not a number of 0 or more.
    is_odd_weight: bool,
}

/// Whether the beginning of a file with `groups` describes groups of cases.
pub(super) fn is_config(text: &str) -> bool {
    // A checkpoint's config is short; other files have groups among much else.
    const MOST_KEYS: usize = 12;
    yaml::top_keys(text).len() <= MOST_KEYS && (text.contains("weight:") || text.contains("type:"))
}

fn settings(document: &Value) -> Vec<Setting> {
    let one = |name: &str, members: &Value| {
        let weight = members.get("weight").or(members.as_number().map(|_| members));
        let number = weight.and_then(f64_from_value).filter(|n| n.is_finite() && *n >= 0.0);
        Setting {
            name: name.to_owned(),
            kind: members.get("type").and_then(Value::as_str).map(str::to_owned),
            is_odd_weight: weight.is_some() && number.is_none(),
            weight: number,
        }
    };
    match document.get("groups") {
        Some(Value::Array(items)) => {
            items.iter().filter_map(|item| Some(one(item.get("name")?.as_str()?, item))).collect()
        }
        Some(Value::Object(members)) => {
            members.iter().map(|(name, members)| one(name, members)).collect()
        }
        _ => Vec::new(),
    }
}

/// What a config that lies alone says, in a sentence.
pub(super) fn alone(files: &RunFiles) -> Option<String> {
    let described: Vec<String> = files
        .groups
        .iter()
        .flat_map(|document| settings(&document.value))
        .map(|group| {
            let kind = group.kind.map(|kind| format!("type {kind}"));
            let weight = group.weight.map(|weight| format!("weight {weight}"));
            let words: Vec<String> = kind.into_iter().chain(weight).collect();
            format!("{} ({})", group.name, words.join(", "))
        })
        .collect();
    (!described.is_empty()).then(|| {
        format!(
            "This is the config of a checkpoint. It describes the groups {}. The evaluation.json \
             that it belongs to is not among the files.",
            described.join(", ")
        )
    })
}

/// Gives the groups of each checkpoint what the config beside it says.
pub(super) fn apply(builts: &mut [Built], files: &RunFiles, cx: &Context<'_>) {
    if files.groups.is_empty() {
        return;
    }
    let mut by_folder: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, built) in builts.iter().enumerate() {
        by_folder.entry(built.home.clone()).or_default().push(at);
        if built.folder != built.home {
            by_folder.entry(built.folder.clone()).or_default().push(at);
        }
    }
    for document in &files.groups {
        for at in by_folder.get(document.folder()).into_iter().flatten() {
            if let Some(built) = builts.get_mut(*at) {
                apply_to(built, document, cx);
            }
        }
    }
}

fn apply_to(built: &mut Built, document: &Document, cx: &Context<'_>) {
    let note = |kind: NoteKind, name: &str, detail: String| {
        cx.notes.add(&document.path, kind, Place::Field(format!("groups.{name}")), detail);
    };
    for setting in settings(&document.value) {
        let groups = built.run.groups.iter_mut();
        let Some(group) = groups.into_iter().find(|group| group.name == setting.name) else {
            if built.has_all_groups {
                let detail = format!("the evaluation has no group {:?}", setting.name);
                note(NoteKind::Mismatch, &setting.name, detail);
            }
            continue;
        };
        if setting.is_odd_weight {
            let detail = "a weight is a number of 0 or more: this one is left out".to_owned();
            note(NoteKind::Broken, &setting.name, detail);
        }
        group.weight = setting.weight.or(group.weight);
        let Some(word) = setting.kind else { continue };
        match (Kind::from_text(&word), group.kind) {
            (None, _) => {
                let detail = format!("the group type {word:?} is unknown");
                note(NoteKind::Unknown, &setting.name, detail);
            }
            (Some(said), Some(own)) if said != own => {
                let detail = format!(
                    "the config says type {}, evaluation.json says {}: the latter holds",
                    said.as_str(),
                    own.as_str()
                );
                note(NoteKind::Mismatch, &setting.name, detail);
            }
            // Kinds of cases are those of evaluation.json; a group without one gets the config's
            // for display.
            (Some(said), None) => group.kind = Some(said),
            _ => {}
        }
    }
}
