//! Messages and events as short JSON, so that tens of thousands of them take little memory.

use super::attachments::Attachments;
use super::given::key_of;
use crate::input::json::Cursor;
use serde_json::Value;
use std::ops::Range;

/// Values in their order, their long texts kept elsewhere.
#[derive(Debug, Default)]
pub(super) struct ShortValues {
    json: Vec<u8>,
    /// Where each one ends in `json`.
    ends: Vec<usize>,
}

impl ShortValues {
    /// Adds `value`, whose long texts are kept already.
    pub fn push(&mut self, value: &Value) {
        self.add(value.to_string().as_bytes());
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The value at `idx`; null behind the last one.
    pub fn get(&self, idx: usize) -> Value {
        Cursor::new(self.json_of(idx)).tree().unwrap_or_default()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Value> {
        (0..self.len()).map(|idx| self.get(idx))
    }

    fn add(&mut self, json: &[u8]) {
        self.json.extend_from_slice(json);
        self.ends.push(self.json.len());
    }

    fn json_of(&self, idx: usize) -> &[u8] {
        let start = idx.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        let range = start.zip(self.ends.get(idx)).map(|(start, end)| start..*end);
        range.and_then(|range| self.json.get(range)).unwrap_or_default()
    }
}

/// Messages in their order, with what tells each from others.
#[derive(Debug, Default)]
pub(super) struct MessageList {
    values: ShortValues,
    keys: Vec<u64>,
}

impl MessageList {
    /// Adds `message`; `attachments` keep its long texts.
    pub fn push(&mut self, message: Value, attachments: &Attachments) {
        let message = attachments.keep(message);
        self.keys.push(key_of(&message));
        self.values.push(&message);
    }

    /// Adds those of `other` at `range`, as far as they exist.
    pub fn extend(&mut self, other: &Self, range: Range<usize>) {
        for idx in range.start..range.end.min(other.len()) {
            self.values.add(other.values.json_of(idx));
            self.keys.extend(other.key(idx));
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The message at `idx`; null behind the last one.
    pub fn get(&self, idx: usize) -> Value {
        self.values.get(idx)
    }

    /// What tells the message at `idx` from others.
    pub fn key(&self, idx: usize) -> Option<u64> {
        self.keys.get(idx).copied()
    }

    /// What tells each one from others.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Value> {
        self.values.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages_come_back_as_they_were_put_in() {
        let attachments = Attachments::default();
        let (mut list, mut some) = (MessageList::default(), MessageList::default());
        let all = [
            json!({"role": "user", "content": "a \"b\" \u{2028}", "n": [1, -0.0, 1e300, null]}),
            json!({"role": "tool", "content": [{"text": "x"}], "tool_calls": []}),
        ];
        all.iter().for_each(|message| list.push(message.clone(), &attachments));
        assert_eq!(list.iter().collect::<Vec<_>>(), all);
        assert_eq!((list.get(2), list.key(2)), (Value::Null, None));
        some.extend(&list, 1..9);
        assert_eq!(some.iter().collect::<Vec<_>>(), [all[1].clone()]);
        assert_eq!(some.keys(), &list.keys()[1..]);
    }
}
