//! Texts that a sample keeps once and refers to: `attachment://HASH`, in chunked samples `attachment://NUMBER`.
//!
//! A tool's result stands three times in a sample: as message, as shared message of the events, and in its own event. So
//! long texts of messages and events are kept here, too, once, and referred to in the same way.

use crate::readers::record_value::short_text;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

const PREFIX: &str = "attachment://";
/// Most characters of a hash.
const HASH_CHARS: usize = 64;
/// Texts of more bytes are kept once; the tool makes attachments of those of more than a hundred characters.
const LONG_BYTES: usize = 100;

/// Members whose texts are read as they are written, and never resolved.
const AS_WRITTEN: [&str; 17] = [
    "event",
    "timestamp",
    "completed",
    "agent",
    "name",
    "model",
    "id",
    "uuid",
    "function",
    "span_id",
    "parent_id",
    "message_id",
    "tool_call_id",
    "role",
    "type",
    "level",
    "source",
];

/// Keeps texts and looks them up.
#[derive(Debug, Default)]
pub(super) struct Attachments {
    by_hash: RefCell<HashMap<String, String>>,
}

impl Attachments {
    /// Keeps `text`, to which the sample refers by `hash`.
    pub fn add(&self, hash: String, text: String) {
        self.by_hash.borrow_mut().insert(hash, text);
    }

    /// `value` with references in place of its long texts.
    pub fn keep(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.kept(text)),
            Value::Array(items) => items.into_iter().map(|item| self.keep(item)).collect(),
            Value::Object(members) => {
                let keep = |(key, value): (String, Value)| {
                    let is_text = value.is_string() && AS_WRITTEN.contains(&key.as_str());
                    let value = if is_text { value } else { self.keep(value) };
                    (key, value)
                };
                members.into_iter().map(keep).collect()
            }
            other => other,
        }
    }

    fn kept(&self, text: String) -> String {
        // References in a text that is kept would not be resolved.
        if text.len() <= LONG_BYTES || text.contains(PREFIX) {
            return text;
        }
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let hash = format!("{:016x}", hasher.finish());
        let reference = format!("{PREFIX}{hash}");
        let mut all = self.by_hash.borrow_mut();
        match all.get(&hash) {
            Some(known) if *known == text => reference,
            // Another text of the same hash.
            Some(_) => text,
            None => {
                all.insert(hash, text);
                reference
            }
        }
    }

    /// `text` with what it refers to in its place.
    pub fn text(&self, text: &str) -> String {
        let all = self.by_hash.borrow();
        let mut whole = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(PREFIX) {
            whole.push_str(before);
            let digits = after.bytes().take(HASH_CHARS).take_while(u8::is_ascii_hexdigit).count();
            let (hash, behind) = after.split_at(digits);
            match all.get(hash) {
                Some(found) => {
                    whole.push_str(found);
                    rest = behind;
                }
                None => {
                    whole.push_str(PREFIX);
                    rest = after;
                }
            }
        }
        whole.push_str(rest);
        whole
    }

    /// `value` with all texts in it resolved; pictures and sounds become a word that says what they are.
    pub fn resolved(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::from(without_data(&self.text(text))),
            Value::Array(items) => items.iter().map(|item| self.resolved(item)).collect(),
            Value::Object(members) => {
                let members = members.iter();
                members.map(|(key, value)| (key.clone(), self.resolved(value))).collect()
            }
            other => other.clone(),
        }
    }

    /// A message, resolved: the parts of its content are one text, except for thoughts.
    pub fn message(&self, message: &Value) -> Value {
        let mut resolved = self.resolved(message);
        let Some(Value::Array(parts)) = resolved.get_mut("content") else { return resolved };
        let is_thought = |part: &Value| part.get("type").is_some_and(|kind| kind == "reasoning");
        let (mut thoughts, words): (Vec<Value>, Vec<Value>) =
            std::mem::take(parts).into_iter().partition(is_thought);
        let words: Vec<String> = words.iter().map(part_text).collect();
        if !words.is_empty() {
            thoughts.push(serde_json::json!({ "type": "text", "text": words.join("\n") }));
        }
        *parts = thoughts;
        resolved
    }

    /// `value` in one text, resolved.
    pub fn shown(&self, value: &Value) -> String {
        short_text(&self.resolved(value))
    }
}

/// The words of a part: its text, else what its type names (a picture, a sound), else all of it.
fn part_text(part: &Value) -> String {
    let named = || part.get(part.get("type")?.as_str()?)?.as_str();
    let words = part.get("text").and_then(Value::as_str).or_else(named);
    words.map_or_else(|| short_text(part), str::to_owned)
}

/// `data:image/png;base64,…` as `[image/png, 118 characters of base64]`: the raw record has it all.
fn without_data(text: &str) -> String {
    let data = text.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    match data {
        Some((kind, body)) if kind.len() < 100 => {
            format!("[{kind}, {} characters of base64]", body.len())
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_are_replaced_wherever_they_stand() {
        let hash = "d61ad60485dc72f71a7ba7fce716a951";
        let all = Attachments::default();
        all.add(hash.to_owned(), "a long text".to_owned());
        assert_eq!(all.text(&format!("see attachment://{hash}.")), "see a long text.");
        assert_eq!(all.text("attachment://unknown"), "attachment://unknown");
        assert_eq!(all.text("ends with attachment://"), "ends with attachment://");
        let picture = json!({"image": "data:image/png;base64,AAAA"});
        assert_eq!(all.resolved(&picture), json!({"image": "[image/png, 4 characters of base64]"}));
    }

    #[test]
    fn a_long_text_is_kept_once_and_comes_back() {
        let all = Attachments::default();
        let long = "a long text, ".repeat(20);
        let spaces = " ".repeat(200);
        let quoted = format!("{long} attachment://00");
        let message = json!({"role": long, "content": [{"text": long}, {"text": spaces}, "short", quoted, 1.5]});
        let kept = all.keep(message.clone());
        assert_eq!(all.keep(json!([long, long])).as_array().map(Vec::len), Some(2));
        assert_eq!(all.by_hash.borrow().len(), 2, "one text and the spaces");
        assert_eq!(kept["role"], message["role"], "a name is left as it is");
        assert_eq!(kept["content"][3], quoted, "what refers to others is left as it is");
        assert!(kept["content"].to_string().len() < 600, "{kept}");
        assert_eq!(all.resolved(&kept), message);
    }
}
