//! `suite.yaml`: what a run was asked to do, by its user's own hand. Read beside results for the gate
//! and graders that they do not record, and alone for what suite it describes.
//!
//! Source: `SuiteSpec` of letta-evals 0.2 – 0.26 and its guide. Fixtures `guides/l6_yaml_alone`,
//! `guides/l6b_yaml_beside`.

use crate::input::yaml;
use crate::model::{Config, Evaluation, NoteKind, Place};
use crate::readers::letta_evals::judging::gate;
use crate::readers::letta_evals::sniff::role;
use crate::readers::{Bundle, Claimed, Context, Error, ErrorKind};
use crate::secrets::mask_named;
use serde_json::{Map, Value};
use std::rc::Rc;

type SuiteObject = Map<String, Value>;

/// Longest file that is read as a suite.
const MAX_BYTES: u64 = 4 << 20;

/// A suite, with the file it stands in.
pub struct Suite<'a> {
    claimed: &'a Rc<Claimed>,
    map: SuiteObject,
}

/// The suite of a bundle: the one called `name` where several lie together. One that cannot be read
/// is noted, by line, and costs only itself.
pub fn find<'a>(bundle: &'a Bundle, name: Option<&str>, cx: &Context<'_>) -> Option<Suite<'a>> {
    let mut suites: Vec<Suite<'_>> =
        bundle.of_role(role::SUITE_YAML).filter_map(|claimed| read(claimed, cx)).collect();
    let is_named = |suite: &Suite<'_>| name.is_some() && suite.text("name") == name;
    let at = suites.iter().position(is_named).or((suites.len() == 1).then_some(0))?;
    Some(suites.swap_remove(at))
}

fn read<'a>(claimed: &'a Rc<Claimed>, cx: &Context<'_>) -> Option<Suite<'a>> {
    let file = &claimed.file;
    let note = |kind, place, detail: String| cx.notes.add(&file.path, kind, place, detail);
    if file.len() > MAX_BYTES {
        let detail = format!("{} bytes are more than the limit of {MAX_BYTES}", file.len());
        note(NoteKind::Limit, Place::File, detail);
        return None;
    }
    let bytes = match file.all_bytes() {
        Ok(bytes) => bytes,
        Err(err) => {
            note(err.note_kind(), Place::Byte(err.at()), err.to_string());
            return None;
        }
    };
    match yaml::parse(&String::from_utf8_lossy(&bytes)) {
        Ok(Value::Object(map)) => Some(Suite { claimed, map }),
        Ok(_) => {
            note(NoteKind::Broken, Place::File, "the suite is no mapping".to_owned());
            None
        }
        Err(err) => {
            let place = Place::Line { line: err.line, byte: err.byte };
            note(NoteKind::Broken, place, err.to_string());
            None
        }
    }
}

impl Suite<'_> {
    fn text(&self, key: &str) -> Option<&str> {
        self.map.get(key)?.as_str()
    }

    /// Its name.
    pub fn name(&self) -> Option<&str> {
        self.text("name")
    }

    /// The document, secrets masked, with its path.
    pub fn document(&self) -> (&str, &SuiteObject) {
        (&self.claimed.file.path, &self.map)
    }

    /// Adds to `config`, as the results record it, what that lacks: graders, gate or reward. What is
    /// recorded counts; where the suite says otherwise, that is noted.
    pub fn complete(&self, config: &mut SuiteObject, cx: &Context<'_>) {
        let is_empty = |value: Option<&Value>| match value {
            None | Some(Value::Null) => true,
            Some(value) => value.as_object().is_some_and(Map::is_empty),
        };
        let has_rule = !is_empty(config.get("gate")) || !is_empty(config.get("reward"));
        for key in ["graders", "gate", "reward"] {
            let Some(own) = self.map.get(key).filter(|own| !is_empty(Some(own))) else { continue };
            let recorded = config.get(key).filter(|recorded| !is_empty(Some(recorded)));
            match recorded {
                Some(recorded) if !agrees(own, recorded) => {
                    let detail = format!(
                        "its {key} differs from the one that the results record, which counts"
                    );
                    let path = &self.claimed.file.path;
                    let place = Place::Field(key.to_owned());
                    cx.notes.add(path, NoteKind::Mismatch, place, detail);
                }
                Some(_) => {}
                None if key != "graders" && has_rule => {}
                None => drop(config.insert(key.to_owned(), own.clone())),
            }
        }
    }

    /// What it says, for the page: label and value.
    pub fn description(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut add = |label: &str, value: Option<String>| {
            found.extend(value.map(|value| (label.to_owned(), value)));
        };
        let plain = |key: &str| self.map.get(key).and_then(words);
        add("Name", plain("name"));
        add("Description", plain("description"));
        add("Dataset", plain("dataset"));
        add("Target", self.map.get("target").and_then(words));
        if let Some(Value::Object(graders)) = self.map.get("graders") {
            for (name, grader) in graders {
                add(&format!("Grader {name}"), words(grader));
            }
        }
        let gate = self.map.get("gate").and_then(Value::as_object);
        add("Gate", gate.map(|map| gate::gate(map, self.first_grader()).gate.text));
        add("Reward", self.map.get("reward").and_then(words));
        add("Runs", plain("num_runs"));
        found
    }

    fn first_grader(&self) -> Option<&str> {
        self.map.get("graders")?.as_object()?.keys().next().map(String::as_str)
    }
}

/// A value in words: `kind agent, agent_file my_agent.af`. Secrets are masked.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().filter_map(words).collect();
            (!items.is_empty()).then(|| items.join(", "))
        }
        Value::Object(_) => {
            let mut value = value.clone();
            mask_named(&mut value);
            let members = value.as_object()?.iter();
            let parts: Vec<String> = members
                .filter_map(|(key, value)| Some(format!("{key} {}", words(value)?)))
                .collect();
            (!parts.is_empty()).then(|| parts.join(", "))
        }
        other => Some(other.to_string()),
    }
}

/// Whether what the user wrote is what was recorded: defaults that were filled in do not count.
fn agrees(own: &Value, recorded: &Value) -> bool {
    match (own, recorded) {
        (Value::Object(own), Value::Object(recorded)) => own.iter().all(|(key, value)| {
            recorded.get(key).map_or(value.is_null(), |recorded| agrees(value, recorded))
        }),
        (Value::Array(own), Value::Array(recorded)) => {
            own.len() == recorded.len()
                && own.iter().zip(recorded).all(|(own, recorded)| agrees(own, recorded))
        }
        (Value::Number(own), Value::Number(recorded)) => own.as_f64() == recorded.as_f64(),
        // A release fills in what a prompt file holds, and paths may be made absolute.
        (Value::String(own), Value::String(recorded)) => own == recorded || recorded.ends_with(own),
        (own, recorded) => own == recorded,
    }
}

/// A suite without results: what it describes, and no run.
///
/// # Errors
/// When no suite of the bundle can be read.
pub fn alone(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let Some(suite) = find(bundle, None, cx) else {
        let reason = "no suite can be read";
        return Err(Error::new(ErrorKind::Format(reason.to_owned())));
    };
    let name = suite.name().map(str::to_owned);
    let mut config =
        Config { description: suite.description(), empty_mean: Some(0.0), ..Config::default() };
    if let Some(Value::Object(graders)) = suite.map.get("graders") {
        config.metrics = graders.keys().cloned().collect();
    }
    if let Some(Value::Object(map)) = suite.map.get("gate") {
        config.gate = Some(gate::gate(map, suite.first_grader()).gate);
    }
    let (path, map) = suite.document();
    let mut value = Value::Object(map.clone());
    mask_named(&mut value);
    let last = bundle.path.rsplit('/').next().unwrap_or(&bundle.path);
    Ok(Evaluation {
        producer: crate::readers::letta_evals::ID.into(),
        generation: "suite".to_owned(),
        path: bundle.path.clone(),
        label: name.clone().unwrap_or_else(|| last.to_owned()),
        suite: name,
        config,
        declared: Vec::new(),
        unchecked: Vec::new(),
        declared_json: Value::Object(Map::from_iter([(path.to_owned(), value)])),
        rows: Vec::new(),
        runs: Vec::new(),
        sources: bundle.files.iter().map(|claimed| claimed.file.id).collect(),
    })
}
