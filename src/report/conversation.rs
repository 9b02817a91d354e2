//! A conversation in the order in which it is read: each call of a tool with its return, the time
//! that passes in between, where turns begin, and what failed.

use super::Message;
use jiff::Timestamp;
use jiff::civil::DateTime;
use std::collections::{HashMap, VecDeque};

/// What is read, in order. Every message is in it exactly once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conversation {
    /// Messages, returns with their calls.
    pub entries: Vec<ConversationEntry>,
}

/// A message, or a call of a tool with its return.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConversationEntry {
    /// The message, by its place among all of them.
    pub message: usize,
    /// What the tool gave back, when the message is a call.
    pub answer: Option<usize>,
    /// Whether a user turn begins with it.
    pub is_turn_start: bool,
    /// Whether it is the first message of its day.
    pub is_day_start: bool,
    /// Seconds since the message before it, when both say when they were written.
    pub gap_secs: Option<f64>,
    /// Seconds from the call to the return.
    pub answer_secs: Option<f64>,
}

/// Puts `messages` in reading order.
pub fn conversation(messages: &[Message]) -> Conversation {
    let answers = answers(messages);
    let call_of: HashMap<usize, usize> =
        answers.iter().map(|(call, answer)| (*answer, *call)).collect();
    let moments: Vec<Option<Moment>> =
        messages.iter().map(|message| message.at.as_deref().and_then(Moment::parse)).collect();
    let moment = |idx: usize| moments.get(idx).copied().flatten();
    let between = |from: Option<Moment>, to: usize| from?.secs_until(moment(to)?);
    let (mut entries, mut turn, mut last) = (Vec::with_capacity(messages.len()), None, None);
    let mut day = None;
    for (idx, message) in messages.iter().enumerate() {
        if !call_of.contains_key(&idx) {
            let answer = answers.get(&idx).copied();
            entries.push(ConversationEntry {
                message: idx,
                answer,
                is_turn_start: turn != Some(message.turn),
                is_day_start: day_of(message).is_some_and(|found| day != Some(found)),
                gap_secs: between(last, idx),
                answer_secs: answer.and_then(|answer| between(moment(idx), answer)),
            });
            turn = Some(message.turn);
            day = day_of(message).or(day);
        }
        last = moment(idx).or(last);
    }
    Conversation { entries }
}

/// The day on which a message was written, as the file writes it.
fn day_of(message: &Message) -> Option<&str> {
    message.at.as_deref()?.get(..10)
}

/// Whether `message` calls a tool.
pub fn is_call(message: &Message) -> bool {
    let is_named = message.kind.contains("call") || message.kind.contains("request");
    message.role != "tool" && is_named && message.tool.is_some()
}

/// Which return belongs to which call: by the call's id, else by the tool's name, else by order.
fn answers(messages: &[Message]) -> HashMap<usize, usize> {
    let mut open: VecDeque<usize> = VecDeque::new();
    let mut by_id: HashMap<&str, VecDeque<usize>> = HashMap::new();
    let mut answers = HashMap::new();
    for (idx, message) in messages.iter().enumerate() {
        if is_call(message) {
            match message.call_id.as_deref() {
                Some(id) => by_id.entry(id).or_default().push_back(idx),
                None => open.push_back(idx),
            }
        } else if message.role == "tool" {
            let id = message.call_id.as_deref();
            let named = id.and_then(|id| by_id.get_mut(id)).and_then(VecDeque::pop_front);
            let call = named.or_else(|| {
                let tool = |call: &usize| messages.get(*call).and_then(|call| call.tool.as_ref());
                let same = open.iter().position(|call| tool(call) == message.tool.as_ref());
                let at = same.or_else(|| (message.tool.is_none() && !open.is_empty()).then_some(0));
                open.remove(at?)
            });
            if let Some(call) = call {
                answers.insert(call, idx);
            }
        }
    }
    answers
}

/// A moment as files write it, with or without a place on earth.
#[derive(Clone, Copy)]
enum Moment {
    Earthly(Timestamp),
    Local(DateTime),
}

impl Moment {
    fn parse(text: &str) -> Option<Self> {
        let earthly = text.parse().map(Self::Earthly);
        earthly.or_else(|_err| text.parse().map(Self::Local)).ok()
    }

    /// Seconds to `later`; `None` between two kinds.
    fn secs_until(self, later: Self) -> Option<f64> {
        let span = match (self, later) {
            (Self::Earthly(from), Self::Earthly(to)) => to.duration_since(from),
            (Self::Local(from), Self::Local(to)) => to.duration_since(from),
            _ => return None,
        };
        Some(span.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(role: &str, tool: Option<&str>, id: Option<&str>, at: &str) -> Message {
        Message {
            role: role.to_owned(),
            kind: if role == "assistant" && tool.is_some() { "tool_call" } else { "" }.to_owned(),
            tool: tool.map(str::to_owned),
            call_id: id.map(str::to_owned),
            at: (!at.is_empty()).then(|| at.to_owned()),
            ..Message::default()
        }
    }

    fn pairs(messages: &[Message]) -> Vec<(usize, Option<usize>)> {
        let read = conversation(messages);
        read.entries.iter().map(|entry| (entry.message, entry.answer)).collect()
    }

    #[test]
    fn parallel_calls_find_their_returns_by_id() {
        let messages = [
            message("user", None, None, ""),
            message("assistant", Some("a"), Some("1"), ""),
            message("assistant", Some("b"), Some("2"), ""),
            message("tool", Some("b"), Some("2"), ""),
            message("tool", Some("a"), Some("1"), ""),
            message("tool", Some("a"), Some("1"), ""),
        ];
        assert_eq!(pairs(&messages), [(0, None), (1, Some(4)), (2, Some(3)), (5, None)]);
    }

    #[test]
    fn without_ids_the_name_decides_and_then_the_order() {
        let messages = [
            message("assistant", Some("a"), None, ""),
            message("assistant", Some("b"), None, ""),
            message("tool", Some("b"), None, ""),
            message("tool", None, None, ""),
            message("tool", Some("c"), None, ""),
        ];
        assert_eq!(pairs(&messages), [(0, Some(3)), (1, Some(2)), (4, None)]);
    }

    #[test]
    fn time_passes_between_what_is_dated() {
        let mut messages = [
            message("user", None, None, "2025-01-01T00:00:00Z"),
            message("assistant", None, None, "2025-01-01T01:00:12.500+01:00"),
            message("assistant", None, None, ""),
            message("assistant", Some("t"), Some("1"), "2025-01-01T00:00:13Z"),
            message("tool", Some("t"), Some("1"), "2025-01-01T00:00:15Z"),
            message("user", None, None, "2025-01-01T00:00:16"),
        ];
        messages[5].turn = 1;
        let read = conversation(&messages);
        let gaps: Vec<Option<f64>> = read.entries.iter().map(|entry| entry.gap_secs).collect();
        assert_eq!(gaps, [None, Some(12.5), None, Some(0.5), None], "no zone, no difference");
        assert_eq!(read.entries[3].answer_secs, Some(2.0));
        let starts: Vec<bool> = read.entries.iter().map(|entry| entry.is_turn_start).collect();
        assert_eq!(starts, [true, false, false, false, true]);
        let days: Vec<bool> = read.entries.iter().map(|entry| entry.is_day_start).collect();
        assert_eq!(days, [true, false, false, false, false]);
    }
}
