//! Texts that a sample keeps once and refers to: `attachment://HASH`, in chunked samples `attachment://NUMBER`.

use crate::readers::record_value::short_text;
use serde_json::{Map, Value};

const PREFIX: &str = "attachment://";
/// Most characters of a hash.
const HASH_CHARS: usize = 64;

/// Looks texts up.
pub(super) struct Attachments<'a> {
    by_hash: Option<&'a Map<String, Value>>,
}

impl<'a> Attachments<'a> {
    /// Those of `sample`.
    pub fn of(sample: &'a Value) -> Self {
        let nested = || sample.pointer("/transcript/content");
        let all = sample.get("attachments").or_else(nested);
        Self { by_hash: all.and_then(Value::as_object) }
    }

    /// `text` with what it refers to in its place.
    pub fn text(&self, text: &str) -> String {
        let mut whole = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(PREFIX) {
            whole.push_str(before);
            let digits = after.bytes().take(HASH_CHARS).take_while(u8::is_ascii_hexdigit).count();
            let (hash, behind) = after.split_at(digits);
            match self.by_hash.and_then(|all| all.get(hash)?.as_str()) {
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
        let sample = json!({"attachments": {hash: "a long text"}});
        let all = Attachments::of(&sample);
        assert_eq!(all.text(&format!("see attachment://{hash}.")), "see a long text.");
        assert_eq!(all.text("attachment://unknown"), "attachment://unknown");
        assert_eq!(all.text("ends with attachment://"), "ends with attachment://");
        let picture = json!({"image": "data:image/png;base64,AAAA"});
        assert_eq!(all.resolved(&picture), json!({"image": "[image/png, 4 characters of base64]"}));
    }
}
