//! All that a row says.

use super::forms;
use super::row::name_of;
use crate::input::json::Cursor;
use crate::model::{CaseDetail, CheckDetail, Content, Locator, Message, RawRecord, Run};
use crate::readers::chat;
use crate::readers::record_value::{
    Facts, content, items, json_content, number, record_of, short_text, text, text_content,
};
use crate::readers::{Bundle, Error, ErrorKind};
use serde_json::Value;

/// Reads a row again.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let gone = || Error::new(ErrorKind::Gone);
    let at = case.cases.locator_of(0).ok_or_else(gone)?;
    let (row, raw) = match at {
        Locator::Span { .. } => record_of(bundle, at)?,
        Locator::Row { source, row } => {
            let file = bundle.file(source).ok_or_else(gone)?;
            let rows = forms::rows(file)?;
            let nth = usize::try_from(row).map_err(|_err| gone())?;
            let value = rows.into_iter().nth(nth).ok_or_else(gone)?;
            let json = serde_json::to_string_pretty(&value).unwrap_or_default();
            (
                value,
                RawRecord {
                    file: file.path.clone(),
                    at: format!("row {row}"),
                    json,
                    left_out: None,
                },
            )
        }
    };
    let null = Value::Null;
    let member = |key: &str| row.get(key).unwrap_or(&null);
    let (grading, test, response, prompt) =
        (member("gradingResult"), member("testCase"), member("response"), member("prompt"));
    let mut detail = CaseDetail { facts: facts(&row), raw: vec![raw], ..CaseDetail::default() };
    let vars =
        if member("vars").is_object() { member("vars") } else { test.get("vars").unwrap_or(&null) };
    for (key, value) in vars.as_object().into_iter().flatten() {
        detail.input.extend(content(key, Some(value)));
    }
    let transcript = conversation(prompt, response);
    if transcript.is_empty() {
        detail.input.extend(content("prompt", prompt.get("raw")));
    }
    detail.transcript = transcript;
    let asserts = items(test, "assert");
    if !asserts.is_empty() {
        detail.input.push(json_content("assertions", &Value::Array(asserts.to_vec())));
    }
    // Only of this one the value is what the output should be.
    let equal = asserts.iter().filter(|one| text(one, "type") == Some("equals"));
    let equal: Vec<&str> = equal.filter_map(|one| text(one, "value")).collect();
    if let [only] = equal.as_slice() {
        detail.expected.push(text_content("equals", only));
    }
    detail.actual.extend(content("output", response.get("output")));
    let raw_output = response.get("raw").filter(|raw| response.get("output") != Some(raw));
    detail.actual.extend(content("output as the provider gave it", raw_output));
    for key in ["error", "metadata", "logProbs", "guardrails", "audio", "images"] {
        let label = if key == "error" { "provider error" } else { key };
        let place = if key == "error" { &mut detail.failure } else { &mut detail.actual };
        place.extend(content(label, response.get(key)));
    }
    failure(&mut detail.failure, &row, grading, response);
    detail.checks = checks(grading);
    Ok(detail)
}

fn facts(row: &Value) -> Vec<crate::model::Fact> {
    let mut facts = Facts::default();
    let null = Value::Null;
    let member = |key: &str| row.get(key).unwrap_or(&null);
    let test = member("testCase");
    facts.member("description", test, "description");
    facts.member("provider", member("provider"), "label");
    facts.member("provider id", member("provider"), "id");
    facts.member("prompt", member("prompt"), "label");
    for key in ["testIdx", "promptIdx"] {
        facts.member(key, row, key);
    }
    if let Some(millis) = number(row, "latencyMs") {
        facts.add("latency", format!("{millis} ms"));
    }
    if let Some(cost) = number(row, "cost") {
        facts.add("cost", format!("{cost} USD"));
    }
    facts.member("threshold", test, "threshold");
    for key in ["cached", "isRefusal", "finishReason"] {
        facts.member(key, member("response"), key);
    }
    for (name, value) in member("namedScores").as_object().into_iter().flatten() {
        facts.add(&format!("score {name}"), short_text(value));
    }
    for (name, value) in member("metadata").as_object().into_iter().flatten() {
        if !name.starts_with('_') {
            facts.add(name, short_text(value));
        }
    }
    let usage = row.get("tokenUsage").or_else(|| member("response").get("tokenUsage"));
    facts.add("token usage", usage.map(short_text).unwrap_or_default());
    for key in ["options", "providerOutput", "assertScoringFunction"] {
        let says =
            test.get(key).filter(|value| crate::readers::record_value::says_something(value));
        facts.add(key, says.map(short_text).unwrap_or_default());
    }
    let known = [
        "cost",
        "error",
        "gradingResult",
        "id",
        "latencyMs",
        "namedScores",
        "prompt",
        "promptId",
        "promptIdx",
        "provider",
        "response",
        "score",
        "success",
        "testCase",
        "testIdx",
        "tokenUsage",
        "vars",
        "metadata",
        "failureReason",
        "description",
    ];
    facts.unknown(row, &known);
    facts.into_vec()
}

/// The prompt as a conversation, where it is one, with the output at its end.
fn conversation(prompt: &Value, response: &Value) -> Vec<Message> {
    let Some(raw) = text(prompt, "raw") else { return Vec::new() };
    if !raw.trim_start().starts_with('[') {
        return Vec::new();
    }
    let Ok(Value::Array(list)) = Cursor::new(raw.as_bytes()).tree() else { return Vec::new() };
    if list.is_empty() || !list.iter().all(|message| message.get("role").is_some()) {
        return Vec::new();
    }
    let mut messages = chat::messages(&list);
    if let Some(output) = response.get("output").filter(|output| !output.is_null()) {
        messages.push(Message {
            turn: messages.last().map_or(0, |last| last.turn),
            role: "assistant".to_owned(),
            text: short_text(output),
            ..Message::default()
        });
    }
    messages
}

/// Why the row fails: the reason of its grading, and the error where that says more.
fn failure(to: &mut Vec<Content>, row: &Value, grading: &Value, response: &Value) {
    if row.get("success") == Some(&Value::Bool(true)) {
        to.extend(text(grading, "reason").map(|reason| text_content("reason", reason)));
    } else {
        let reason = text(grading, "reason");
        to.extend(reason.map(|reason| text_content("reason", reason)));
        let error = text(row, "error").filter(|error| Some(*error) != reason);
        let error = error.filter(|error| text(response, "error") != Some(error));
        to.extend(error.map(|error| text_content("error", error)));
    }
    to.extend(content("comment", grading.get("comment")));
}

/// Assertions with their reasons; the members of a set stand in its metadata.
fn checks(grading: &Value) -> Vec<CheckDetail> {
    let all = super::row::components(grading).into_iter();
    all.map(|(_, component)| check(component, name_of(component))).collect()
}

fn check(component: &Value, name: String) -> CheckDetail {
    let null = Value::Null;
    let assertion = component.get("assertion").unwrap_or(&null);
    let passed = component.get("pass").and_then(Value::as_bool);
    let mut further = serde_json::Map::new();
    for key in ["metadata", "componentResults"] {
        let value =
            component.get(key).filter(|one| crate::readers::record_value::says_something(one));
        further.extend(value.map(|value| (key.to_owned(), value.clone())));
    }
    CheckDetail {
        attempt: 1,
        name,
        score: number(component, "score"),
        is_correct: passed,
        weight: number(assertion, "weight"),
        verdict: passed.map(|passed| if passed { "passed" } else { "failed" }.to_owned()),
        reason: text(component, "reason").map(str::to_owned),
        expected: assertion
            .as_object()
            .map(|members| Value::Object(members.clone()).to_string())
            .filter(|json| json != "{}"),
        metadata: (!further.is_empty()).then(|| Value::Object(further).to_string()),
        ..CheckDetail::default()
    }
}
