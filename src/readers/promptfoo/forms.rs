//! Results in one piece: YAML, XML and CSV, as the same tree that JSON gives.
//!
//! These are read whole: promptfoo writes them for people, from results that it holds in memory itself. XML has no
//! types, so that members are numbers by their names; CSV has no assertions, and scores of two decimals.

use super::head::FileHead;
use crate::input::{self, InputFile, Limits, json::Cursor, yaml};
use crate::readers::xml::{Element, tree};
use crate::readers::{Error, ErrorKind};
use memchr::memmem;
use serde_json::{Map, Value, json};

const COLUMNS: [&str; 3] = ["Status", "Score", "Named Scores"];

/// Whether a file that starts with `head` is CSV of promptfoo: some output is followed by its columns.
pub(super) fn is_csv(head: &[u8]) -> bool {
    if memmem::find(head, b"Status,Score,Named Scores").is_none() {
        return false;
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(head);
    let mut header = csv::StringRecord::new();
    matches!(reader.read_record(&mut header), Ok(true)) && !outputs(&header).is_empty()
}

/// Whether a file that starts with `head` is YAML of promptfoo.
pub(super) fn is_yaml(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let keys = yaml::top_keys(&text);
    let has_inside = |key: &str| text.lines().any(|line| line.trim_end() == key);
    keys.contains(&"evalId") && keys.contains(&"results") && has_inside("  prompts:")
}

/// The rows of a file.
///
/// # Errors
/// As [`whole`].
pub(super) fn rows(file: &InputFile) -> Result<Vec<Value>, Error> {
    whole(file).map(|(_, rows)| rows)
}

/// What a file holds beside its rows, and these.
///
/// # Errors
/// When it cannot be read, is too large to be held, or is broken.
pub(super) fn whole(file: &InputFile) -> Result<(FileHead, Vec<Value>), Error> {
    let limit = Limits::default().max_record_bytes;
    if file.len() > limit {
        let found = file.len();
        let err = input::Error::new(input::ErrorKind::TooLarge { found, limit }, 0);
        return Err(Error::from(err).in_file(&file.path));
    }
    let bytes = file.all_bytes().map_err(|err| Error::from(err).in_file(&file.path))?;
    let root = crate::readers::xml::root_name(&bytes);
    if root.is_some_and(|(name, _)| name == "promptfoo") {
        let elements = tree(&bytes).map_err(|err| Error::from(err).in_file(&file.path))?;
        let value =
            elements.iter().find(|one| one.name == "promptfoo").map(|one| of_element(one, ""));
        return Ok(split(value.unwrap_or_default()));
    }
    if is_csv(bytes.get(..bytes.len().min(64 << 10)).unwrap_or_default()) {
        return of_csv(&bytes).map_err(|err| {
            Error::new(ErrorKind::Format(format!("not valid CSV: {err}"))).in_file(&file.path)
        });
    }
    let value = yaml::parse(&String::from_utf8_lossy(&bytes))
        .map_err(|err| Error::new(ErrorKind::Format(err.to_string())).in_file(&file.path))?;
    Ok(split(value))
}

/// The tree of a whole document, taken apart.
fn split(mut document: Value) -> (FileHead, Vec<Value>) {
    let list = |value: Option<Value>| match value {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    };
    let mut head = FileHead::default();
    let mut rows = Vec::new();
    if let Some(Value::Object(mut results)) = document.get_mut("results").map(Value::take) {
        head.prompts = list(results.remove("prompts"));
        head.stats = results.remove("stats").unwrap_or_default();
        rows = list(results.remove("results"));
        for key in ["version", "timestamp"] {
            head.rest.extend(results.remove(key).map(|value| (key.to_owned(), value)));
        }
    }
    for key in ["evalId", "metadata", "runtimeOptions", "shareableUrl"] {
        let member = document.get_mut(key).map(Value::take);
        head.rest.extend(member.map(|value| (key.to_owned(), value)));
    }
    if let Some(config) = document.get("config") {
        let own = super::head::OF_CONFIG
            .iter()
            .filter_map(|key| config.get(*key).map(|value| ((*key).to_owned(), value.clone())));
        head.rest.insert("config".to_owned(), Value::Object(own.collect()));
    }
    (head, rows)
}

/// An element as the tree that it was written from; `parent` is the name of the one around it.
fn of_element(element: &Element, parent: &str) -> Value {
    let name = element.name.as_str();
    if element.elements().next().is_none() {
        return of_text(&element.text(), name, parent);
    }
    let mut members = Map::new();
    for child in element.elements() {
        let value = of_element(child, name);
        let is_list = matches!(child.name.as_str(), "prompts" | "componentResults" | "assert")
            || (child.name == "results" && name == "results");
        match members.get_mut(&child.name) {
            Some(Value::Array(list)) => list.push(value),
            Some(one) => *one = Value::Array(vec![one.take(), value]),
            None => {
                let value = if is_list { Value::Array(vec![value]) } else { value };
                members.insert(child.name.clone(), value);
            }
        }
    }
    Value::Object(members)
}

/// A text as what it is by its name: most are texts.
fn of_text(text: &str, name: &str, parent: &str) -> Value {
    let is_number = matches!(
        name,
        "score"
            | "latencyMs"
            | "cost"
            | "promptIdx"
            | "testIdx"
            | "failureReason"
            | "weight"
            | "threshold"
            | "version"
            | "repeat"
    ) || matches!(
        parent,
        "metrics"
            | "stats"
            | "tokenUsage"
            | "tokensUsed"
            | "completionDetails"
            | "assertions"
            | "namedScores"
            | "namedScoresCount"
            | "namedScoreWeights"
    );
    match (text.trim(), name) {
        ("", _) if name != "output" && name != "raw" => Value::Null,
        ("true", "success" | "pass" | "cached" | "isRefusal") => Value::Bool(true),
        ("false", "success" | "pass" | "cached" | "isRefusal") => Value::Bool(false),
        (number, _) if is_number => {
            // Whole numbers stay whole: a repeat is counted.
            let whole = number.parse::<u64>().map(Value::from);
            let real = || number.parse::<f64>().map(Value::from);
            whole.or_else(|_| real()).unwrap_or_else(|_| Value::String(text.to_owned()))
        }
        _ => Value::String(text.to_owned()),
    }
}

/// What stands for a row of a CSV file that has fewer cells than the header: their number.
pub(super) const SHORT: &str = "cells of a short row";

/// The columns that hold outputs: those that Status, Score and Named Scores follow.
fn outputs(header: &csv::StringRecord) -> Vec<usize> {
    let is_one = |at: &usize| {
        COLUMNS.iter().enumerate().all(|(nth, name)| header.get(at + 1 + nth) == Some(name))
    };
    (0..header.len()).filter(is_one).collect()
}

fn of_csv(bytes: &[u8]) -> Result<(FileHead, Vec<Value>), csv::Error> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let mut records = reader.byte_records();
    let text = |record: csv::ByteRecord| -> csv::StringRecord {
        record.iter().map(String::from_utf8_lossy).collect::<Vec<_>>().into()
    };
    let header = records.next().transpose()?.map(text).unwrap_or_default();
    let outputs = outputs(&header);
    let first = outputs.first().copied().unwrap_or(header.len());
    let who = |at: usize| -> (String, String) {
        let name = header.get(at).unwrap_or_default();
        let parts = name.strip_prefix('[').and_then(|rest| rest.split_once("] "));
        parts.map_or_else(
            || (name.to_owned(), String::new()),
            |(provider, label)| (provider.to_owned(), label.to_owned()),
        )
    };
    let prompts = outputs.iter().map(|&at| {
        let (provider, label) = who(at);
        json!({"provider": provider, "label": label})
    });
    let head = FileHead { prompts: prompts.collect(), ..FileHead::default() };
    let mut rows = Vec::new();
    for (test, record) in records.enumerate() {
        let record = text(record?);
        if record.len() < header.len() {
            rows.push(json!({ SHORT: record.len() }));
            continue;
        }
        let cell = |at: usize| record.get(at).unwrap_or_default();
        let mut vars = Map::new();
        let mut description = String::new();
        for at in 0..first {
            match header.get(at).unwrap_or_default() {
                "Description" => cell(at).clone_into(&mut description),
                name => {
                    vars.insert(name.to_owned(), Value::String(cell(at).to_owned()));
                }
            }
        }
        for (prompt, &at) in outputs.iter().enumerate() {
            let end = outputs.get(prompt + 1).copied().unwrap_or(header.len());
            let of = |name: &str| {
                (at + 1..end)
                    .find(|&one| header.get(one) == Some(name))
                    .map(cell)
                    .unwrap_or_default()
            };
            let status = of("Status").trim();
            let named = Cursor::new(of("Named Scores").as_bytes()).tree().ok();
            let (provider, label) = who(at);
            let mut row = json!({
                "promptIdx": prompt,
                "testIdx": test,
                "provider": {"label": provider},
                "prompt": {"label": label},
                "vars": vars,
                "description": description,
                "success": status == "PASS",
                "failureReason": match status { "PASS" => 0, "ERROR" => 2, _ => 1 },
                "namedScores": named.filter(Value::is_object).unwrap_or_else(|| json!({})),
                "response": {"output": cell(at)},
                "gradingResult": {"reason": of("Grader Reason"), "comment": of("Comment")},
            });
            if let (Some(row), Ok(score)) = (row.as_object_mut(), of("Score").trim().parse::<f64>())
            {
                row.insert("score".to_owned(), Value::from(score));
            }
            rows.push(row);
        }
    }
    Ok((head, rows))
}
