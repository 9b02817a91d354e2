//! The whole record of one entry.

use super::super::{Bundle, Error, ErrorKind};
use crate::input::json::{Cursor, f64_from_value};
use crate::model::{
    AttemptDetail, CaseDetail, CheckDetail, Content, ContentFormat, Fact, Locator, Message,
    RawRecord, Run,
};
use serde_json::Value;

/// Reads the entry of a case again: the only one of its run.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let locator = case.cases.locator_of(0).ok_or_else(|| Error::new(ErrorKind::Gone))?;
    let bytes = bundle.span_bytes(locator)?.ok_or_else(|| Error::new(ErrorKind::Gone))?;
    let entry = Cursor::new(&bytes).tree()?;
    let (at, file) = match locator {
        Locator::Span { offset, .. } => (format!("byte {offset}"), locator.source()),
        Locator::Row { row, .. } => (format!("row {row}"), locator.source()),
    };
    Ok(CaseDetail {
        facts: facts(&entry),
        input: parameters(&entry),
        expected: output_contents(entry.get("expected_output"), "expected", None),
        actual: Vec::new(),
        failure: Vec::new(),
        checks: checks(&entry, case),
        attempts: attempts(&entry),
        transcript: transcript(&entry),
        turns: Vec::new(),
        raw: vec![RawRecord {
            file: bundle.file(file).map_or(String::new(), |file| file.path.clone()),
            at,
            json: String::from_utf8_lossy(&bytes).into_owned(),
        }],
    })
}

fn items<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn facts(entry: &Value) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut fact = |label: &str, value: String| {
        if !value.is_empty() {
            facts.push(Fact { label: label.to_owned(), value });
        }
    };
    let tags: Vec<&str> = items(entry, "tags").filter_map(Value::as_str).collect();
    fact("tags", tags.join(", "));
    let retry = entry.get("retry_params");
    let member = |key: &str| retry.and_then(|retry| retry.get(key)).map(short_text);
    fact("planned attempts", member("count").unwrap_or_default());
    fact("strategy", member("aggregation_strategy").unwrap_or_default());
    fact("results", items(entry, "evaluation_results").count().to_string());
    let text = |path: &str| entry.pointer(path).filter(|value| !value.is_null()).map(short_text);
    fact("aggregated reason", text("/aggregated_result/reason").unwrap_or_default());
    let secs = entry.pointer("/expected_output/execution_time").and_then(f64_from_value);
    fact("expected execution time", secs.map(|secs| format!("{secs} s")).unwrap_or_default());
    let metrics = entry.get("metrics").filter(|metrics| says_something(metrics));
    fact("metrics", metrics.map(Value::to_string).unwrap_or_default());
    for (key, value) in unknown_members(entry, &KNOWN_OF_ENTRY) {
        fact(key, short_text(value));
    }
    facts
}

const KNOWN_OF_ENTRY: [&str; 9] = [
    "name",
    "tags",
    "retry_params",
    "input",
    "expected_output",
    "metrics",
    "actual_outputs",
    "evaluation_results",
    "aggregated_result",
];
const KNOWN_OF_OUTPUT: [&str; 4] = ["output", "tools_called", "context", "execution_time"];
const KNOWN_OF_RESULT: [&str; 7] =
    ["score", "verdict", "reason", "metric", "metric_name", "attempt", "attempt_number"];

/// Members that the tool does not write, which are shown as they are.
fn unknown_members<'a>(
    value: &'a Value,
    known: &'a [&str],
) -> impl Iterator<Item = (&'a str, &'a Value)> {
    let members = value.as_object().into_iter().flatten();
    members
        .map(|(key, value)| (key.as_str(), value))
        .filter(|(key, value)| !known.contains(key) && says_something(value))
}

/// Whether there is anything in it: not null, not empty, not a list of such things.
fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => items.iter().any(says_something),
        Value::Object(members) => !members.is_empty(),
        Value::Bool(_) | Value::Number(_) => true,
    }
}

/// A value in one line: text as it is, anything else as JSON.
fn short_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn parameters(entry: &Value) -> Vec<Content> {
    let params = entry
        .pointer("/input/api_params")
        .filter(|params| params.as_object().is_some_and(|params| !params.is_empty()));
    params.map(|params| json_content("api_params", params)).into_iter().collect()
}

fn json_content(label: &str, value: &Value) -> Content {
    Content {
        label: label.to_owned(),
        body: serde_json::to_string_pretty(value).unwrap_or_default(),
        format: ContentFormat::Json,
    }
}

/// The texts of an output: words, tool calls, context, and what else is in it. A list that `expected` fills is
/// shown when it is empty, too: then it is what differs.
fn output_contents(output: Option<&Value>, label: &str, expected: Option<&Value>) -> Vec<Content> {
    let Some(output) = output else { return Vec::new() };
    let mut contents = Vec::new();
    if let Some(text) = output.get("output").and_then(Value::as_str) {
        contents.push(Content {
            label: label.to_owned(),
            body: text.to_owned(),
            format: ContentFormat::Text,
        });
    }
    for key in ["tools_called", "context"] {
        let is_filled = |of: &Value| of.get(key).is_some_and(says_something);
        let is_shown = is_filled(output) || expected.is_some_and(is_filled);
        let value = output.get(key).filter(|_| is_shown);
        contents.extend(value.map(|value| json_content(&format!("{label}: {key}"), value)));
    }
    for (key, value) in unknown_members(output, &KNOWN_OF_OUTPUT) {
        contents.push(json_content(&format!("{label}: {key}"), value));
    }
    contents
}

/// The results with the attempt and the metric that the reader gave them.
fn checks(entry: &Value, case: &Run) -> Vec<CheckDetail> {
    items(entry, "evaluation_results")
        .zip(case.checks_of(0))
        .map(|(result, at)| CheckDetail {
            attempt: case.checks.attempt.get(at).unwrap_or(1),
            name: case.checks.name.get(at).unwrap_or_default().to_owned(),
            score: result.get("score").and_then(f64_from_value),
            verdict: result.get("verdict").and_then(Value::as_str).map(str::to_owned),
            reason: result.get("reason").map(short_text).filter(|reason| !reason.is_empty()),
            metadata: metadata(result),
            ..CheckDetail::default()
        })
        .collect()
}

/// What else a result says, as JSON.
fn metadata(result: &Value) -> Option<String> {
    let members: serde_json::Map<String, Value> = unknown_members(result, &KNOWN_OF_RESULT)
        .map(|(key, value)| (key.to_owned(), value.clone()))
        .collect();
    (!members.is_empty()).then(|| Value::Object(members).to_string())
}

fn attempts(entry: &Value) -> Vec<AttemptDetail> {
    items(entry, "actual_outputs")
        .zip(1_u32..)
        .map(|(output, attempt)| AttemptDetail {
            attempt,
            duration_secs: output.get("execution_time").and_then(f64_from_value),
            output: output_contents(Some(output), "output", entry.get("expected_output")),
        })
        .collect()
}

fn transcript(entry: &Value) -> Vec<Message> {
    let Some(messages) = entry.pointer("/input/messages").and_then(Value::as_array) else {
        return Vec::new();
    };
    let mut transcript = Vec::new();
    let mut turn = 0;
    for message in messages {
        let text = |key: &str| message.get(key).and_then(Value::as_str).map(str::to_owned);
        let role = text("role").unwrap_or_else(|| "unknown".to_owned());
        let is_user = |message: &Message| message.role == "user";
        turn += u32::from(role == "user" && transcript.iter().any(is_user));
        let content = message.get("content").filter(|content| !content.is_null());
        if let Some(content) = content {
            transcript.push(Message {
                turn,
                role: role.clone(),
                call_id: text("tool_call_id"),
                text: short_text(content),
                ..Message::default()
            });
        }
        for call in items(message, "tool_calls") {
            let function = |key: &str| call.pointer(&format!("/function/{key}")).map(short_text);
            transcript.push(Message {
                turn,
                role: role.clone(),
                kind: "tool call".to_owned(),
                tool: function("name"),
                call_id: call.get("id").map(short_text),
                text: function("arguments").unwrap_or_default(),
                ..Message::default()
            });
        }
    }
    transcript
}
