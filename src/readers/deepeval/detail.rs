//! The whole record of one test case.

use super::test_case::SPANS;
use crate::model::{CaseDetail, CheckDetail, Content, Message, Run};
use crate::readers::record_value::{
    Facts, content, items, number, record_of_case, short_text, text, unknown_members,
};
use crate::readers::{Bundle, Error, chat};
use serde_json::{Map, Value, json};

/// Members that are shown as texts: key, label, and where.
const INPUTS: [(&str, &str); 9] = [
    ("input", "input"),
    ("multimodalInput", "input"),
    ("scenario", "scenario"),
    ("userDescription", "user description"),
    ("context", "context"),
    ("retrievalContext", "retrieval context"),
    ("imagesMapping", "images"),
    ("metadata", "metadata"),
    ("additionalMetadata", "metadata"),
];
const EXPECTED: [(&str, &str); 3] = [
    ("expectedOutput", "expected output"),
    ("expectedOutcome", "expected outcome"),
    ("expectedTools", "expected tools"),
];
const ACTUAL: [(&str, &str); 5] = [
    ("actualOutput", "actual output"),
    ("multimodalActualOutput", "actual output"),
    ("toolsCalled", "tools called"),
    ("expectationsData", "expectations"),
    ("trace", "trace"),
];
const KNOWN_OF_METRIC: [&str; 5] = ["name", "score", "success", "reason", "error"];

/// Reads a test case again: the only one of its run.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let (record, raw) = record_of_case(bundle, case)?;
    let texts = |list: &[(&str, &str)]| -> Vec<Content> {
        list.iter().filter_map(|(key, label)| content(label, record.get(*key))).collect()
    };
    let metrics: Vec<(&Value, Option<&str>)> = metrics(&record);
    let failure = metrics.iter().filter_map(|(metric, _)| {
        let label = format!("{}: error", text(metric, "name").unwrap_or_default());
        content(&label, metric.get("error"))
    });
    Ok(CaseDetail {
        facts: facts(&record).into_vec(),
        input: texts(&INPUTS),
        expected: texts(&EXPECTED),
        actual: texts(&ACTUAL),
        failure: failure.collect(),
        checks: metrics.iter().map(|(metric, span)| check(metric, *span)).collect(),
        transcript: transcript(&turns(&record)),
        raw: vec![raw],
        ..CaseDetail::default()
    })
}

/// The metrics in the order of the case's checks; those of a span with its name.
fn metrics(record: &Value) -> Vec<(&Value, Option<&str>)> {
    let own = items(record, "metricsData").iter().map(|metric| (metric, None));
    let trace = record.get("trace").filter(|_| record.get("metricsData").is_some());
    let kinds = SPANS.iter().filter_map(|kind| trace.map(|trace| items(trace, kind)));
    let of_spans = kinds.flatten().flat_map(|span| {
        let name = text(span, "name");
        items(span, "metricsData").iter().map(move |metric| (metric, name))
    });
    let of_turns = items(record, "testCases").iter().flat_map(|turn| {
        let name = text(turn, "name");
        items(turn, "metricsData").iter().map(move |metric| (metric, name))
    });
    own.chain(of_spans).chain(of_turns).collect()
}

fn facts(record: &Value) -> Facts {
    let mut facts = Facts::default();
    let secs = |key: &str| number(record, key).map(|secs| format!("{secs} s"));
    let dollars = |key: &str| number(record, key).map(|cost| format!("${cost}"));
    let tags: Vec<&str> = items(record, "tags").iter().filter_map(Value::as_str).collect();
    facts.add("tags", tags.join(", "));
    facts.member("order", record, "order");
    facts.member("flaky", record, "flaky");
    facts.add("run duration", secs("runDuration").unwrap_or_default());
    facts.add("completion time", secs("completionTime").unwrap_or_default());
    facts.add("evaluation cost", dollars("evaluationCost").unwrap_or_default());
    facts.add("token cost", dollars("tokenCost").unwrap_or_default());
    facts.member("comments", record, "comments");
    let shown = [&INPUTS[..], &EXPECTED, &ACTUAL].concat();
    let named = [
        "name",
        "success",
        "metricsData",
        "turns",
        "testCases",
        "tags",
        "order",
        "flaky",
        "runDuration",
        "completionTime",
        "evaluationCost",
        "tokenCost",
        "comments",
    ];
    let known: Vec<&str> = shown.iter().map(|(key, _)| *key).chain(named).collect();
    facts.unknown(record, &known);
    facts
}

fn check(metric: &Value, span: Option<&str>) -> CheckDetail {
    let is_error = text(metric, "error").is_some();
    let success = metric.get("success").and_then(Value::as_bool);
    let verdict = match success {
        _ if is_error => Some("error"),
        Some(true) => Some("passed"),
        Some(false) => Some("failed"),
        None => None,
    };
    let mut rest: Map<String, Value> = unknown_members(metric, &KNOWN_OF_METRIC)
        .map(|(key, value)| (key.to_owned(), value.clone()))
        .collect();
    rest.extend(span.map(|span| ("span".to_owned(), Value::from(span))));
    CheckDetail {
        attempt: 1,
        name: text(metric, "name").unwrap_or_default().to_owned(),
        score: number(metric, "score"),
        is_correct: success,
        verdict: verdict.map(str::to_owned),
        reason: text(metric, "reason").or_else(|| text(metric, "error")).map(str::to_owned),
        metadata: (!rest.is_empty()).then(|| Value::Object(rest).to_string()),
        ..CheckDetail::default()
    }
}

/// The turns of a conversation; before 3.1 they are test cases, each with what was said and answered.
fn turns(record: &Value) -> Vec<Value> {
    let said = |of: &Value, key: &str, role: &str| {
        let words = text(of, key)?;
        Some(json!({"role": role, "content": words}))
    };
    let older = items(record, "testCases").iter().flat_map(|turn| {
        let answer = said(turn, "actualOutput", "assistant").map(|mut answer| {
            for key in ["toolsCalled", "retrievalContext"] {
                if let (Some(value), Some(members)) = (turn.get(key), answer.as_object_mut()) {
                    members.insert(key.to_owned(), value.clone());
                }
            }
            answer
        });
        said(turn, "input", "user").into_iter().chain(answer)
    });
    items(record, "turns").iter().cloned().chain(older).collect()
}

/// The turns of a conversation, with the tools that each of them says were called.
fn transcript(turns: &[Value]) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut turn = 0;
    for (nth, one) in turns.iter().enumerate() {
        let is_next = nth > 0 && text(one, "role") == Some("user");
        turn += u32::from(is_next);
        let words = chat::messages(std::slice::from_ref(one));
        messages.extend(words.into_iter().map(|message| Message { turn, ..message }));
        for call in items(one, "toolsCalled") {
            let tool = text(call, "name").map(str::to_owned);
            let message = |role: &str, kind: &str, value: &Value| Message {
                turn,
                role: role.to_owned(),
                kind: kind.to_owned(),
                tool: tool.clone(),
                text: short_text(value),
                ..Message::default()
            };
            let given = call.get("inputParameters").unwrap_or(&Value::Null);
            messages.push(message("assistant", "tool call", given));
            if let Some(output) = call.get("output") {
                messages.push(message("tool", "tool return", output));
            }
        }
        if let Some(found) = content("retrieval context", one.get("retrievalContext")) {
            let role = "retrieval context".to_owned();
            messages.push(Message { turn, role, text: found.body, ..Message::default() });
        }
    }
    messages
}
