//! Conversations as most tools write them: a list of messages with `role` and `content`.
//!
//! Shapes: OpenAI chat completions (`tool_calls[].function`, `tool_call_id`), Anthropic messages (parts
//! `tool_use`, `tool_result`, `thinking`), and what tools made of both. What is not known is shown as JSON.

use super::record_value::{items, says_something, short_text, text};
use crate::model::Message;
use serde_json::Value;
use std::borrow::Borrow;
use std::collections::HashMap;

/// The messages of `list`, in order. A turn begins with each message of the user but the first.
pub(super) fn messages<T: Borrow<Value>>(list: impl IntoIterator<Item = T>) -> Vec<Message> {
    let mut reader = ChatParser::default();
    list.into_iter().for_each(|message| reader.message(message.borrow()));
    reader.messages
}

#[derive(Default)]
struct ChatParser {
    messages: Vec<Message>,
    turn: u32,
    /// Tool of each call, by the call's id.
    tools: HashMap<String, String>,
}

impl ChatParser {
    fn message(&mut self, message: &Value) {
        let role = text(message, "role").or_else(|| text(message, "type")).unwrap_or("unknown");
        let is_user = |message: &Message| message.role == "user";
        self.turn += u32::from(role == "user" && self.messages.iter().any(is_user));
        let n_before = self.messages.len();
        for key in ["reasoning", "reasoning_content", "reasoning_trace", "thinking"] {
            if let Some(thought) = text(message, key) {
                self.push("reasoning", thought.to_owned());
            }
        }
        match message.get("content") {
            Some(Value::Array(parts)) => {
                parts.iter().for_each(|part| self.part(role, message, part))
            }
            Some(content) if !content.is_null() => self.words(role, message, short_text(content)),
            _ => {}
        }
        for call in items(message, "tool_calls") {
            let function = call.get("function").filter(|function| function.is_object());
            let function = function.unwrap_or(call);
            let name = text(function, "name").or_else(|| text(call, "function"));
            let given = ["arguments", "args", "input"].iter().find_map(|key| function.get(*key));
            self.call(role, text(call, "id"), name, given.map(short_text).unwrap_or_default());
        }
        if let Some(call) = message.get("function_call").filter(|call| call.is_object()) {
            let given = call.get("arguments").map(short_text).unwrap_or_default();
            self.call(role, None, text(call, "name"), given);
        }
        if self.messages.len() == n_before && message.get("content").is_none() {
            self.push(role, short_text(message));
        }
    }

    /// One part of a message's content.
    fn part(&mut self, role: &str, message: &Value, part: &Value) {
        match text(part, "type") {
            Some("tool_use") => {
                let given = part.get("input").map(short_text).unwrap_or_default();
                self.call(role, text(part, "id"), text(part, "name"), given);
            }
            Some("tool_result") => {
                let returned = words_of(part.get("content"));
                let is_error = part.get("is_error") == Some(&Value::Bool(true));
                self.returned(text(part, "tool_use_id"), None, returned, is_error);
            }
            Some("reasoning" | "thinking") => {
                let thought = ["reasoning", "thinking", "text", "summary"];
                let thought = thought.iter().find_map(|key| text(part, key));
                self.push("reasoning", thought.map_or_else(|| short_text(part), str::to_owned));
            }
            _ => self.words(role, message, words_of(Some(part))),
        }
    }

    /// Words of a role; of a tool they are what it returned.
    fn words(&mut self, role: &str, message: &Value, words: String) {
        if !matches!(role, "tool" | "function") {
            return self.push(role, words);
        }
        let error = message.get("error").filter(|error| says_something(error));
        let name = text(message, "name").or_else(|| text(message, "function"));
        let words = match error {
            Some(error) if words.is_empty() => short_text(error.get("message").unwrap_or(error)),
            _ => words,
        };
        self.returned(call_id(message), name, words, error.is_some());
    }

    fn call(&mut self, role: &str, id: Option<&str>, name: Option<&str>, given: String) {
        if let (Some(id), Some(name)) = (id, name) {
            self.tools.insert(id.to_owned(), name.to_owned());
        }
        self.messages.push(Message {
            turn: self.turn,
            role: role.to_owned(),
            kind: "tool call".to_owned(),
            tool: name.map(str::to_owned),
            call_id: id.map(str::to_owned),
            text: given,
            ..Message::default()
        });
    }

    fn returned(&mut self, id: Option<&str>, name: Option<&str>, text: String, is_error: bool) {
        let known = || id.and_then(|id| self.tools.get(id)).cloned();
        self.messages.push(Message {
            turn: self.turn,
            role: "tool".to_owned(),
            tool: name.map(str::to_owned).or_else(known),
            call_id: id.map(str::to_owned),
            text,
            is_error,
            ..Message::default()
        });
    }

    fn push(&mut self, role: &str, text: String) {
        let turn = self.turn;
        self.messages.push(Message { turn, role: role.to_owned(), text, ..Message::default() });
    }
}

/// The call that a tool answers; some tools write a list of them.
fn call_id(message: &Value) -> Option<&str> {
    let of_list = || items(message, "tool_call_id").first().and_then(Value::as_str);
    text(message, "tool_call_id").or_else(of_list)
}

/// The words of a content: a text, a part with a text, several of them; anything else as JSON.
fn words_of(content: Option<&Value>) -> String {
    match content {
        None => String::new(),
        Some(Value::Array(parts)) => {
            let parts: Vec<String> = parts.iter().map(|part| words_of(Some(part))).collect();
            parts.join("\n")
        }
        Some(part) => text(part, "text").map_or_else(|| short_text(part), str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_shapes_of_a_tool_call_read_alike() {
        let openai = json!([
            {"role": "user", "content": "find"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{\"x\":1}"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "seen"},
        ]);
        let anthropic = json!([
            {"role": "user", "content": [{"type": "text", "text": "find"}]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "c1", "name": "look", "input": {"x": 1}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "seen"}]}]},
        ]);
        for list in [openai, anthropic] {
            let read = messages(list.as_array().unwrap());
            let shown: Vec<(&str, Option<&str>, &str)> = read
                .iter()
                .map(|m| (m.role.as_str(), m.tool.as_deref(), m.text.as_str()))
                .collect();
            let call = ("assistant", Some("look"), "{\"x\":1}");
            assert_eq!(shown, [("user", None, "find"), call, ("tool", Some("look"), "seen")]);
        }
    }

    #[test]
    fn a_failing_tool_and_an_odd_message_are_shown() {
        let list = json!([
            {"role": "tool", "function": "look", "content": "", "error": {"message": "no such place"}},
            {"role": "assistant"}, 7,
        ]);
        let read = messages(list.as_array().unwrap());
        assert_eq!((read[0].text.as_str(), read[0].is_error), ("no such place", true));
        assert_eq!(
            (read[1].role.as_str(), read[1].text.as_str()),
            ("assistant", r#"{"role":"assistant"}"#)
        );
        assert_eq!((read[2].role.as_str(), read[2].text.as_str()), ("unknown", "7"));
    }
}
