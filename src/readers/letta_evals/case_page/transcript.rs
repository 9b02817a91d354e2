//! The conversation of a sample: `trajectory`, a list of messages per user turn.
//!
//! Messages: `LettaMessageUnion` of letta-client 0.1 and 1.x (`message_type`), and `role`/`content` as the
//! guide shows them. What is not known is shown as JSON.

use crate::model::Message;
use serde_json::{Map, Value};
use std::collections::HashMap;

type TranscriptObject = Map<String, Value>;

/// The messages of a trajectory, in order.
pub fn messages(trajectory: &Value) -> Vec<Message> {
    let mut reader = TranscriptParser::default();
    for (number, turn) in (0u32..).zip(trajectory.as_array().into_iter().flatten()) {
        match turn {
            Value::Array(messages) => {
                reader.turn = number;
                messages.iter().for_each(|message| reader.message(message));
            }
            // A list without turns.
            message => reader.message(message),
        }
    }
    reader.messages
}

#[derive(Default)]
struct TranscriptParser {
    messages: Vec<Message>,
    turn: u32,
    /// Tool of each call, by the call's id.
    tools: HashMap<String, String>,
}

impl TranscriptParser {
    fn message(&mut self, value: &Value) {
        let Some(message) = value.as_object() else {
            return self.push("", "", json(value), None);
        };
        let at = text(message, "date").or_else(|| text(message, "timestamp"));
        match text(message, "message_type") {
            Some(kind) => self.typed(message, kind, at),
            None => self.plain(message, at),
        }
    }

    fn typed(&mut self, message: &TranscriptObject, kind: &str, at: Option<&str>) {
        match kind {
            "system_message" => self.push("system", kind, content(message), at),
            "user_message" => self.push("user", kind, content(message), at),
            "assistant_message" => self.push("assistant", kind, content(message), at),
            "reasoning_message" => self.push("reasoning", kind, words(message, "reasoning"), at),
            "hidden_reasoning_message" => {
                let hidden = text(message, "hidden_reasoning").map(str::to_owned);
                let state = text(message, "state").unwrap_or("hidden");
                let shown = hidden.unwrap_or_else(|| format!("[{state}]"));
                self.push("reasoning", kind, shown, at);
            }
            "tool_call_message" | "approval_request_message" => self.calls(message, kind, at),
            "tool_return_message" => self.returns(message, kind, at),
            "approval_response_message" => self.approvals(message, kind, at),
            "summary" | "summary_message" => {
                self.push("system", kind, words(message, "summary"), at);
            }
            "event" | "event_message" => {
                let event = text(message, "event_type").unwrap_or("event");
                let data = message.get("event_data").map(json).unwrap_or_default();
                self.push("system", kind, format!("{event} {data}").trim().to_owned(), at);
            }
            _ => self.push(kind, kind, json(&Value::Object(message.clone())), at),
        }
    }

    /// `role` and `content`.
    fn plain(&mut self, message: &TranscriptObject, at: Option<&str>) {
        let Some(role) = text(message, "role") else {
            return self.push("", "", json(&Value::Object(message.clone())), at);
        };
        let shown = content(message);
        let calls = message.get("tool_calls").and_then(Value::as_array);
        if role == "tool" {
            let id = text(message, "tool_call_id");
            let name = text(message, "name");
            return self.tool_return("", id, name, shown, false, at);
        }
        if !shown.is_empty() || calls.is_none_or(Vec::is_empty) {
            self.push(role, "", shown, at);
        }
        for call in calls.into_iter().flatten().filter_map(Value::as_object) {
            let function = call.get("function").and_then(Value::as_object).unwrap_or(call);
            let id = text(call, "id").or_else(|| text(call, "tool_call_id"));
            self.call("", id, function, at);
        }
    }

    /// `tool_calls` (parallel, of which `tool_call` is the first), or `tool_call` alone.
    fn calls(&mut self, message: &TranscriptObject, kind: &str, at: Option<&str>) {
        let parallel = message.get("tool_calls").and_then(Value::as_array);
        let list: Vec<&Value> = match parallel {
            Some(calls) if !calls.is_empty() => calls.iter().collect(),
            // Some versions write a single object here.
            _ => [message.get("tool_calls"), message.get("tool_call")]
                .into_iter()
                .flatten()
                .filter(|call| call.is_object())
                .take(1)
                .collect(),
        };
        if list.is_empty() {
            self.push("assistant", kind, json(&Value::Object(message.clone())), at);
        }
        for call in list.into_iter().filter_map(Value::as_object) {
            self.call(kind, text(call, "tool_call_id"), call, at);
        }
    }

    fn call(&mut self, kind: &str, id: Option<&str>, call: &TranscriptObject, at: Option<&str>) {
        let tool = text(call, "name").map(str::to_owned);
        if let (Some(id), Some(tool)) = (id, &tool) {
            self.tools.insert(id.to_owned(), tool.clone());
        }
        self.messages.push(Message {
            agent: None,
            turn: self.turn,
            role: "assistant".to_owned(),
            kind: if kind.is_empty() { "tool_call" } else { kind }.to_owned(),
            tool,
            call_id: id.map(str::to_owned),
            text: words(call, "arguments"),
            is_error: false,
            at: at.map(str::to_owned),
        });
    }

    /// `tool_returns` (parallel), or the message itself.
    fn returns(&mut self, message: &TranscriptObject, kind: &str, at: Option<&str>) {
        let parallel = message.get("tool_returns").and_then(Value::as_array);
        match parallel {
            Some(returns) if !returns.is_empty() => {
                for one in returns.iter().filter_map(Value::as_object) {
                    self.one_return(one, message, kind, at);
                }
            }
            _ => self.one_return(message, message, kind, at),
        }
    }

    fn one_return(
        &mut self,
        one: &TranscriptObject,
        message: &TranscriptObject,
        kind: &str,
        at: Option<&str>,
    ) {
        let id = text(one, "tool_call_id");
        let is_error = text(one, "status") == Some("error")
            || one.get("is_err").and_then(Value::as_bool) == Some(true);
        let mut shown = words(one, "tool_return");
        for stream in ["stdout", "stderr"] {
            let lines: Vec<String> = one
                .get(stream)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .map(words_of)
                .collect();
            if !lines.is_empty() {
                if !shown.is_empty() {
                    shown.push('\n');
                }
                shown.push_str(&format!("[{stream}]\n{}", lines.join("\n")));
            }
        }
        let name = text(one, "name").or_else(|| text(message, "name"));
        self.tool_return(kind, id, name, shown, is_error, at);
    }

    fn tool_return(
        &mut self,
        kind: &str,
        id: Option<&str>,
        name: Option<&str>,
        shown: String,
        is_error: bool,
        at: Option<&str>,
    ) {
        let called = id.and_then(|id| self.tools.get(id)).cloned();
        self.messages.push(Message {
            agent: None,
            turn: self.turn,
            role: "tool".to_owned(),
            kind: if kind.is_empty() { "tool_return" } else { kind }.to_owned(),
            tool: called.or_else(|| name.map(str::to_owned)),
            call_id: id.map(str::to_owned),
            text: shown,
            is_error,
            at: at.map(str::to_owned),
        });
    }

    /// `approvals` (several, tool returns among them), or the message itself.
    fn approvals(&mut self, message: &TranscriptObject, kind: &str, at: Option<&str>) {
        let several = message.get("approvals").and_then(Value::as_array);
        let list: Vec<&TranscriptObject> = match several {
            Some(approvals) if !approvals.is_empty() => {
                approvals.iter().filter_map(Value::as_object).collect()
            }
            _ => vec![message],
        };
        for one in list {
            if one.contains_key("tool_return") {
                self.one_return(one, message, kind, at);
                continue;
            }
            let word = match one.get("approve").and_then(Value::as_bool) {
                Some(true) => "approved",
                Some(false) => "denied",
                None => "answered",
            };
            let reason = text(one, "reason").map_or(String::new(), |reason| format!(": {reason}"));
            self.push("user", kind, format!("{word}{reason}"), at);
            let id = text(one, "tool_call_id").or_else(|| text(one, "approval_request_id"));
            if let (Some(last), Some(id)) = (self.messages.last_mut(), id) {
                last.call_id = Some(id.to_owned());
                last.tool = self.tools.get(id).cloned();
            }
        }
    }

    fn push(&mut self, role: &str, kind: &str, shown: String, at: Option<&str>) {
        self.messages.push(Message {
            agent: None,
            turn: self.turn,
            role: role.to_owned(),
            kind: kind.to_owned(),
            text: shown,
            at: at.map(str::to_owned),
            ..Message::default()
        });
    }
}

/// The content of a message: a text, or parts of text and images.
fn content(message: &TranscriptObject) -> String {
    match message.get("content") {
        Some(Value::Array(parts)) => parts.iter().map(part).collect::<Vec<_>>().join("\n"),
        Some(other) => words_of(other),
        None => String::new(),
    }
}

fn part(part: &Value) -> String {
    let Some(map) = part.as_object() else { return words_of(part) };
    if let Some(text) = text(map, "text") {
        return text.to_owned();
    }
    let source = map.get("source").and_then(Value::as_object);
    match (text(map, "type"), source) {
        (Some("image"), Some(source)) => {
            let place = text(source, "url").or_else(|| text(source, "file_id"));
            let kind = text(source, "media_type").or_else(|| text(source, "type"));
            let size = text(source, "data").map(|data| format!(" {} characters", data.len()));
            let shown = place.or(kind).unwrap_or("unknown");
            format!("[image {shown}{}]", size.unwrap_or_default())
        }
        _ => json(part),
    }
}

fn text<'a>(map: &'a TranscriptObject, key: &str) -> Option<&'a str> {
    map.get(key)?.as_str()
}

/// The member `key` as words; empty when null or absent.
fn words(map: &TranscriptObject, key: &str) -> String {
    map.get(key).map(words_of).unwrap_or_default()
}

/// Text as it is, null as nothing, anything else as JSON.
pub fn words_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => json(other),
    }
}

/// Indented JSON.
pub fn json(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
