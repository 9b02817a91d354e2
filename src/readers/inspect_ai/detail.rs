//! The whole record of one sample.

use super::attachments::Attachments;
use super::declared::parts;
use super::value::Score;
use super::{sample_parts, transcript};
use crate::input::json::Cursor;
use crate::model::{AttemptDetail, CaseDetail, CheckDetail, Content, Fact, Run};
use crate::readers::record_value::{
    Facts, content, items, json_content, number, raw_of_case, short_text, text, text_content,
};
use crate::readers::{Bundle, Error};
use serde_json::{Map, Value};

/// Reads a sample again: the only case of its run.
pub(super) fn read(bundle: &Bundle, case: &Run) -> Result<CaseDetail, Error> {
    let parts = sample_parts::read(bundle, case)?;
    let (transcript, turns) = transcript::read(&parts);
    let (sample, attachments) = (&parts.rest, &parts.attachments);
    Ok(CaseDetail {
        facts: facts(sample, &parts.damaged),
        input: input(sample, attachments),
        expected: content("target", sample.get("target")).into_iter().collect(),
        actual: actual(sample, attachments),
        failure: failure(sample.get("error"), attachments),
        checks: checks(sample, case),
        attempts: attempts(sample, attachments),
        transcript,
        turns,
        raw: vec![raw_of_case(bundle, case, MAX_RAW_BYTES)?],
    })
}

/// A record of more bytes is not brought along.
const MAX_RAW_BYTES: u64 = 8 << 20;

const KNOWN: [&str; 38] = [
    "id",
    "epoch",
    "input",
    "choices",
    "target",
    "messages",
    "output",
    "score",
    "scores",
    "metadata",
    "store",
    "events",
    "transcript",
    "events_data",
    "timelines",
    "message_refs",
    "attachments",
    "model_usage",
    "role_usage",
    "error",
    "error_retries",
    "limit",
    "limit_reason",
    "invalidation",
    "uuid",
    "started_at",
    "completed_at",
    "total_time",
    "working_time",
    "turn_count",
    "message_limit",
    "token_limit",
    "time_limit",
    "description",
    "setup",
    "files",
    "sandbox",
    "completed",
];

fn facts(sample: &Value, damaged: &[String]) -> Vec<Fact> {
    let mut facts = Facts::default();
    damaged.iter().for_each(|part| facts.add("damaged part", part));
    facts.member("epoch", sample, "epoch");
    facts.member("description", sample, "description");
    if let Some(limit) = sample.get("limit").filter(|limit| !limit.is_null()) {
        let kind = limit.get("type").map_or_else(|| short_text(limit), short_text);
        let reason = text(limit, "reason").or_else(|| text(sample, "limit_reason"));
        let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
        let value = limit.get("limit").map_or(String::new(), |at| format!(" {at}"));
        facts.add("ended by a limit", format!("{kind}{value}{reason}"));
    }
    if let Some(by) = sample.get("invalidation").filter(|by| !by.is_null()) {
        facts.add("invalidated", provenance(by));
    }
    for (scorer, score) in sample.get("scores").and_then(Value::as_object).into_iter().flatten() {
        edits(scorer, score, &mut facts);
    }
    facts.member("started", sample, "started_at");
    facts.member("completed", sample, "completed_at");
    let secs = |key: &str| number(sample, key).map_or(String::new(), |secs| format!("{secs} s"));
    facts.add("total time", secs("total_time"));
    facts.add("working time", secs("working_time"));
    facts.member("turns", sample, "turn_count");
    let stop = sample.pointer("/output/choices/0/stop_reason");
    facts.add("stop reason", stop.map(short_text).unwrap_or_default());
    for (label, key) in [("tokens of", "model_usage"), ("tokens of role", "role_usage")] {
        for (model, usage) in sample.get(key).and_then(Value::as_object).into_iter().flatten() {
            facts.add(&format!("{label} {model}"), counts(usage));
        }
    }
    for key in ["message_limit", "token_limit", "time_limit", "sandbox", "files", "uuid"] {
        facts.member(&key.replace('_', " "), sample, key);
    }
    facts.unknown(sample, &KNOWN);
    facts.into_vec()
}

/// `17 input tokens, 25 output tokens`.
fn counts(usage: &Value) -> String {
    let members = usage.as_object().into_iter().flatten().filter(|(_, n)| !n.is_null());
    let all = members.map(|(key, n)| format!("{} {}", short_text(n), key.replace('_', " ")));
    all.collect::<Vec<String>>().join(", ")
}

/// Who did something, when and why.
fn provenance(by: &Value) -> String {
    let part = |key: &str, before: &str| {
        text(by, key).map_or(String::new(), |part| format!("{before}{part}"))
    };
    let all = [part("author", "by "), part("timestamp", "at "), part("reason", "because: ")];
    all.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// What was changed in a score, by whom.
fn edits(scorer: &str, score: &Value, facts: &mut Facts) {
    let history = items(score, "history");
    let value = |edit: &Value| edit.get("value").map(short_text).unwrap_or_default();
    let mut before: Option<String> = None;
    for edit in history {
        let own = value(edit);
        let after = if own == "UNCHANGED" { before.clone().unwrap_or_default() } else { own };
        if let Some(by) = edit.get("provenance").filter(|by| !by.is_null()) {
            let from = before.as_ref().map_or(String::new(), |before| format!("{before} → "));
            facts.add(
                &format!("edited score {scorer}"),
                format!("{from}{after} {}", provenance(by)),
            );
        }
        before = Some(after);
    }
}

fn input(sample: &Value, attachments: &Attachments) -> Vec<Content> {
    let mut all = Vec::new();
    match sample.get("input") {
        Some(Value::String(words)) => all.push(text_content("input", &attachments.text(words))),
        Some(messages) => {
            for message in messages.as_array().into_iter().flatten() {
                let role = text(message, "role").unwrap_or("message");
                let resolved = message.get("content").map(|content| attachments.resolved(content));
                all.extend(content(role, resolved.as_ref()));
            }
        }
        None => {}
    }
    let choices = items(sample, "choices");
    if !choices.is_empty() {
        let lettered = choices
            .iter()
            .zip('A'..='Z')
            .map(|(choice, letter)| format!("{letter}) {}", attachments.shown(choice)));
        let rest = choices.iter().skip(26).map(|choice| attachments.shown(choice));
        let lines: Vec<String> = lettered.chain(rest).collect();
        all.push(text_content("choices", &lines.join("\n")));
    }
    all.extend(content("setup", sample.get("setup").map(|it| attachments.resolved(it)).as_ref()));
    let metadata = sample.get("metadata").map(|it| attachments.resolved(it));
    all.extend(content("metadata", metadata.as_ref()));
    all
}

fn actual(sample: &Value, attachments: &Attachments) -> Vec<Content> {
    let mut all = Vec::new();
    let choices = sample.get("output").map_or(&[][..], |output| items(output, "choices"));
    for (nth, choice) in choices.iter().enumerate() {
        let label = if nth == 0 { "output".to_owned() } else { format!("output {}", nth + 1) };
        let words = choice.pointer("/message/content").map(|it| said(it, attachments));
        if let Some(words) = words.filter(|words| !words.is_empty()) {
            all.push(text_content(&label, &words));
        }
    }
    if let Some(error) = sample.pointer("/output/error").filter(|error| !error.is_null()) {
        all.push(text_content("error of the model", &attachments.shown(error)));
    }
    let store = sample.get("store").map(|store| attachments.resolved(store));
    all.extend(content("store", store.as_ref()));
    all
}

/// The words of a message's content, thoughts left out.
fn said(content: &Value, attachments: &Attachments) -> String {
    let part = |part: &Value| match (text(part, "type"), text(part, "text")) {
        (Some("reasoning"), _) => None,
        (_, Some(words)) => Some(attachments.text(words)),
        _ => Some(attachments.shown(part)),
    };
    match content {
        Value::Array(parts) => parts.iter().filter_map(part).collect::<Vec<_>>().join("\n"),
        single => attachments.shown(single),
    }
}

fn failure(error: Option<&Value>, attachments: &Attachments) -> Vec<Content> {
    let Some(error) = error.filter(|error| !error.is_null()) else { return Vec::new() };
    let message = error.get("message").unwrap_or(error);
    let mut all = vec![text_content("error", &attachments.shown(message))];
    if let Some(traceback) = text(error, "traceback") {
        all.push(text_content("traceback", &attachments.text(traceback)));
    }
    all
}

/// The scores as the table has them, with their words.
fn checks(sample: &Value, case: &Run) -> Vec<CheckDetail> {
    let attempt = case.cases.n_attempts.get(0).unwrap_or(1);
    let mut all = Vec::new();
    let scores = sample.get("scores").and_then(Value::as_object);
    let single = sample.get("score").map(|score| ("score", score));
    let scores = scores.into_iter().flatten().map(|(scorer, score)| (scorer.as_str(), score));
    for (scorer, score) in scores.chain(single) {
        let Some(given) = score.get("value") else { continue };
        // Read from text again: only there bare NaN and the word "NaN" are apart.
        let json = given.to_string();
        let is_nan = given.as_str() == Some("NaN");
        let value = match Score::read(&mut Cursor::new(json.as_bytes())) {
            Ok(_) if is_nan => Score::Number(f64::NAN),
            Ok(Score::Text(word)) if word == "Infinity" => Score::Number(f64::INFINITY),
            Ok(Score::Text(word)) if word == "-Infinity" => Score::Number(f64::NEG_INFINITY),
            Ok(value) => value,
            Err(_) => continue,
        };
        let metadata: Map<String, Value> = ["metadata", "reason", "history"]
            .into_iter()
            .filter_map(|key| Some((key, score.get(key)?)))
            .filter(|(_, value)| crate::readers::record_value::says_something(value))
            .map(|(key, value)| (key.to_owned(), value.clone()))
            .collect();
        for (nth, (name, value)) in parts(scorer, &value).into_iter().enumerate() {
            let is_first = nth == 0;
            all.push(CheckDetail {
                attempt,
                name,
                score: value.shown(),
                is_correct: value.is_correct(),
                verdict: match value {
                    Score::Text(word) => Some(word.clone()),
                    Score::Number(number) if number.is_nan() => Some("not scored".to_owned()),
                    _ => None,
                },
                reason: text(score, "explanation").filter(|_| is_first).map(str::to_owned),
                actual: text(score, "answer").filter(|_| is_first).map(str::to_owned),
                metadata: (is_first && !metadata.is_empty())
                    .then(|| Value::Object(metadata.clone()).to_string()),
                ..CheckDetail::default()
            });
        }
    }
    all
}

/// Attempts that ended in an error, and the last one.
fn attempts(sample: &Value, attachments: &Attachments) -> Vec<AttemptDetail> {
    let retries = items(sample, "error_retries");
    if retries.is_empty() {
        return Vec::new();
    }
    let mut all: Vec<AttemptDetail> = (1..)
        .zip(retries)
        .map(|(attempt, error)| {
            let mut output = failure(Some(error), attachments);
            let events = items(error, "events");
            if !events.is_empty() {
                output.push(json_content("events", &Value::from(events)));
            }
            AttemptDetail { attempt, duration_secs: None, output }
        })
        .collect();
    let last = u32::try_from(all.len() + 1).unwrap_or(u32::MAX);
    let mut output = actual(sample, attachments);
    output.truncate(1);
    output.extend(failure(sample.get("error"), attachments));
    all.push(AttemptDetail { attempt: last, duration_secs: number(sample, "total_time"), output });
    all
}
