//! The whole record of one entry.

use super::super::{Bundle, Error, ErrorKind};
use crate::input::json::{Cursor, f64_from_value};
use crate::model::{
    AttemptDetail, CaseDetail, CheckDetail, Content, ContentFormat, Fact, Locator, Message,
    RawRecord, Run,
};
use serde_json::Value;

/// Reads the entry of case `case_idx` again.
pub(super) fn read(bundle: &Bundle, run: &Run, case_idx: usize) -> Result<CaseDetail, Error> {
    let locator = run.cases.locator_of(case_idx).ok_or_else(|| Error::new(ErrorKind::Gone))?;
    let bytes = bundle.span_bytes(locator)?.ok_or_else(|| Error::new(ErrorKind::Gone))?;
    let entry = Cursor::new(&bytes).tree()?;
    let metric = run.cases.variant.get(case_idx).unwrap_or("metric 1");
    let (at, file) = match locator {
        Locator::Span { offset, .. } => (format!("byte {offset}"), locator.source()),
        Locator::Row { row, .. } => (format!("row {row}"), locator.source()),
    };
    Ok(CaseDetail {
        facts: facts(&entry),
        input: parameters(&entry),
        expected: output_contents(entry.get("expected_output"), "expected"),
        actual: Vec::new(),
        failure: Vec::new(),
        checks: checks(&entry, metric),
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
    facts
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

/// The texts of an output: words, tool calls, context.
fn output_contents(output: Option<&Value>, label: &str) -> Vec<Content> {
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
        let value = output.get(key).filter(|value| value.as_array().is_some_and(|v| !v.is_empty()));
        contents.extend(value.map(|value| json_content(&format!("{label}: {key}"), value)));
    }
    contents
}

fn checks(entry: &Value, metric: &str) -> Vec<CheckDetail> {
    items(entry, "evaluation_results")
        .zip(1_u32..)
        .map(|(result, attempt)| CheckDetail {
            attempt,
            name: metric.to_owned(),
            score: result.get("score").and_then(f64_from_value),
            verdict: result.get("verdict").and_then(Value::as_str).map(str::to_owned),
            reason: result.get("reason").map(short_text).filter(|reason| !reason.is_empty()),
            ..CheckDetail::default()
        })
        .collect()
}

fn attempts(entry: &Value) -> Vec<AttemptDetail> {
    items(entry, "actual_outputs")
        .zip(1_u32..)
        .map(|(output, attempt)| AttemptDetail {
            attempt,
            duration_secs: output.get("execution_time").and_then(f64_from_value),
            output: output_contents(Some(output), "output"),
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
