//! The whole record of one entry.

use crate::input::json::f64_from_value;
use crate::model::{AttemptDetail, CaseDetail, CheckDetail, Content, Fact, Run};
use crate::readers::record_value::{
    Facts, items, items_at, json_content, record_of_case, says_something, short_text, text_content,
    unknown_members,
};
use crate::readers::{Bundle, Error, chat};
use serde_json::Value;

/// Reads the entry of a case again: the only one of its run.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let (entry, raw) = record_of_case(bundle, case)?;
    Ok(CaseDetail {
        facts: facts(&entry),
        input: parameters(&entry),
        expected: output_contents(entry.get("expected_output"), "expected", None),
        actual: Vec::new(),
        failure: Vec::new(),
        checks: checks(&entry, case),
        attempts: attempts(&entry),
        transcript: chat::messages(items_at(&entry, "/input/messages")),
        turns: Vec::new(),
        raw: vec![raw],
    })
}

fn facts(entry: &Value) -> Vec<Fact> {
    let mut facts = Facts::default();
    let tags: Vec<&str> = items(entry, "tags").iter().filter_map(Value::as_str).collect();
    facts.add("tags", tags.join(", "));
    let retry = entry.get("retry_params");
    let member = |key: &str| retry.and_then(|retry| retry.get(key)).map(short_text);
    facts.add("planned attempts", member("count").unwrap_or_default());
    facts.add("strategy", member("aggregation_strategy").unwrap_or_default());
    facts.add("results", items(entry, "evaluation_results").len().to_string());
    let text = |path: &str| entry.pointer(path).filter(|value| !value.is_null()).map(short_text);
    facts.add("aggregated reason", text("/aggregated_result/reason").unwrap_or_default());
    let secs = entry.pointer("/expected_output/execution_time").and_then(f64_from_value);
    facts.add("expected execution time", secs.map(|secs| format!("{secs} s")).unwrap_or_default());
    let metrics = entry.get("metrics").filter(|metrics| says_something(metrics));
    facts.add("metrics", metrics.map(Value::to_string).unwrap_or_default());
    facts.unknown(entry, &KNOWN_OF_ENTRY);
    facts.into_vec()
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

fn parameters(entry: &Value) -> Vec<Content> {
    let params = entry
        .pointer("/input/api_params")
        .filter(|params| params.as_object().is_some_and(|params| !params.is_empty()));
    params.map(|params| json_content("api_params", params)).into_iter().collect()
}

/// The texts of an output: words, tool calls, context, and what else is in it. A list that `expected` fills is
/// shown when it is empty, too: then it is what differs.
fn output_contents(output: Option<&Value>, label: &str, expected: Option<&Value>) -> Vec<Content> {
    let Some(output) = output else { return Vec::new() };
    let mut contents = Vec::new();
    if let Some(text) = output.get("output").and_then(Value::as_str) {
        contents.push(text_content(label, text));
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
        .iter()
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
        .iter()
        .zip(1_u32..)
        .map(|(output, attempt)| AttemptDetail {
            attempt,
            duration_secs: output.get("execution_time").and_then(f64_from_value),
            output: output_contents(Some(output), "output", entry.get("expected_output")),
        })
        .collect()
}
