//! Events of a sample that are no calls: errors, limits, what was logged or typed in.

use super::attachments::Attachments;
use crate::model::Message;
use crate::readers::record_value::{text, unknown_members};
use serde_json::{Map, Value};

/// The message that an event is which is no call. Changes of state and the frames of steps are left to the raw
/// record.
pub(super) fn other_event(
    kind: &str,
    event: &Value,
    agent: Option<&str>,
    attachments: &Attachments,
) -> Option<Message> {
    let shown = |key: &str| event.get(key).map(|value| attachments.shown(value));
    let at = text(event, "timestamp");
    Some(match kind {
        "" | "state" | "store" | "step" | "span_begin" | "span_end" | "sample_init"
        | "checkpoint" | "anchor" | "sentinel" => return None,
        "score" if event.get("intermediate") != Some(&Value::Bool(true)) => return None,
        "error" => {
            let error = event.get("error").unwrap_or(event);
            let part = |key: &str| text(error, key).map(|part| attachments.text(part));
            let parts = [part("message"), part("traceback")];
            let words: Vec<String> = parts.into_iter().flatten().collect();
            Message { is_error: true, ..said("error", words.join("\n\n"), agent, at) }
        }
        "logger" => {
            let entry = event.get("message").unwrap_or(event);
            let level = text(entry, "level").unwrap_or_default().to_owned();
            let words = entry.get("message").map(|words| attachments.shown(words));
            Message { kind: level, ..said("log", words.unwrap_or_default(), agent, at) }
        }
        "sample_limit" => {
            let words = shown("message").unwrap_or_default();
            Message { is_error: true, ..said("limit", words, agent, at) }
        }
        "info" => said("info", shown("data").unwrap_or_default(), agent, at),
        "input" => said("user", shown("input").unwrap_or_default(), agent, at),
        "sandbox" => {
            let parts = ["action", "cmd", "file", "input", "output", "result"];
            let parts: Vec<String> = parts.into_iter().filter_map(shown).collect();
            said("sandbox", parts.join("\n"), agent, at)
        }
        kind => {
            const FRAME: [&str; 6] =
                ["uuid", "span_id", "timestamp", "working_start", "event", "pending"];
            let rest: Map<String, Value> = unknown_members(event, &FRAME)
                .map(|(key, value)| (key.to_owned(), value.clone()))
                .collect();
            let words = attachments.shown(&Value::Object(rest));
            said(&kind.replace('_', " "), words, agent, at)
        }
    })
}

/// A message of an event.
pub(super) fn said(role: &str, text: String, agent: Option<&str>, at: Option<&str>) -> Message {
    Message {
        role: role.to_owned(),
        text,
        agent: agent.map(str::to_owned),
        at: at.map(str::to_owned),
        ..Message::default()
    }
}
