//! What happened in a sample, as a conversation: calls of models and tools, sub-agents, errors.
//!
//! Made of its events. Each call of a model is given the whole conversation so far: only what was not said
//! before is shown again. Where there are no calls among the events, the messages are the conversation.

use super::agents::Agents;
use super::attachments::Attachments;
use super::given::{GivenMessages, key_of};
use super::message_list::MessageList;
use super::other_events::{other_event, said};
use super::sample_parts::SampleParts;
use crate::input::json::f64_from_value;
use crate::model::{Message, TurnDetail};
use crate::readers::chat;
use crate::readers::record_value::{items, says_something, text};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Deepest nesting of events within events (subtasks of the first releases).
const MAX_NESTED: usize = 32;

/// The conversation of a sample with what is known of its turns.
pub(super) fn read(parts: &SampleParts) -> (Vec<Message>, Vec<TurnDetail>) {
    let mut walk = TranscriptWalk::new(parts);
    if !parts.has_calls {
        let messages = parts.messages.iter();
        walk.said = chat::messages(messages.map(|message| parts.attachments.message(&message)));
    }
    parts.events.iter().for_each(|event| walk.event(&event, None, 0));
    if !parts.has_calls {
        return (walk.said, Vec::new());
    }
    walk.rest(&parts.messages);
    let turns = walk.turns();
    (walk.said, turns)
}

struct TranscriptWalk<'a> {
    attachments: &'a Attachments,
    /// Messages that events refer to by their place.
    pool: &'a MessageList,
    agents: Agents<'a>,
    said: Vec<Message>,
    turn: u32,
    has_user: bool,
    /// How often each message was said, by agent.
    known: HashMap<Option<String>, HashMap<u64, usize>>,
    /// What the last call of a model was given, by agent.
    given: HashMap<Option<String>, GivenMessages>,
    /// Ids of the messages that were said; the last one may be changed afterwards.
    ids: HashSet<String>,
    /// Calls whose arguments, and whose returns, were shown.
    called: HashSet<String>,
    returned: HashSet<String>,
    /// Tokens by turn.
    usage: Vec<(u32, Vec<(String, f64)>)>,
}

impl<'a> TranscriptWalk<'a> {
    fn new(parts: &'a SampleParts) -> Self {
        Self {
            attachments: &parts.attachments,
            pool: &parts.pool,
            agents: Agents::of(&parts.spans),
            said: Vec::new(),
            turn: 0,
            has_user: false,
            known: HashMap::new(),
            given: HashMap::new(),
            ids: HashSet::new(),
            called: HashSet::new(),
            returned: HashSet::new(),
            usage: Vec::new(),
        }
    }

    fn event(&mut self, event: &Value, agent: Option<&str>, depth: usize) {
        let own = self.agents.name(event).map(str::to_owned);
        let agent = own.as_deref().or(agent);
        match text(event, "event").unwrap_or_default() {
            "model" => self.model(event, agent),
            "tool" => {
                self.tool(event, agent);
                self.nested(event, text(event, "agent").or(agent), depth);
            }
            "subtask" => {
                self.subtask(event, agent);
                self.nested(event, text(event, "name").or(agent), depth);
            }
            kind => {
                if let Some(message) = other_event(kind, event, agent, self.attachments) {
                    self.push(message);
                }
            }
        }
    }

    fn nested(&mut self, event: &Value, agent: Option<&str>, depth: usize) {
        if depth < MAX_NESTED {
            items(event, "events").iter().for_each(|event| self.event(event, agent, depth + 1));
        }
    }

    /// A call of a model: what was said since the last one, and what it gave.
    fn model(&mut self, event: &Value, agent: Option<&str>) {
        let at = text(event, "timestamp");
        self.input(event, agent, at);
        let model = text(event, "model").map(|model| format!("model {model}"));
        let done = text(event, "completed").or(at);
        let output = event.get("output").unwrap_or(&Value::Null);
        for choice in items(output, "choices") {
            if let Some(message) = choice.get("message") {
                let is_empty =
                    message.get("content").is_none_or(|content| !says_something(content));
                let has_calls = !items(message, "tool_calls").is_empty();
                if !is_empty || has_calls {
                    self.message(message, agent, done, model.as_deref());
                }
            }
        }
        self.count(output.get("usage"));
        if let Some(error) = event.get("error").filter(|error| says_something(error)) {
            let mut words = self.attachments.shown(error);
            if let Some(traceback) = text(event, "traceback") {
                words.push_str("\n\n");
                words.push_str(&self.attachments.text(traceback));
            }
            let kind = model.unwrap_or_default();
            self.push(Message { kind, is_error: true, ..said("error", words, agent, done) });
        }
    }

    /// Says what of the conversation that `event` was given was not said before. The same words may come again, so they
    /// are counted.
    ///
    /// Each call is given all that was said so far. What the call before it was given has been said: only what is behind
    /// that is looked at, or a conversation of a thousand calls would be gone through a thousand times.
    fn input(&mut self, event: &Value, agent: Option<&str>, at: Option<&str>) {
        let of = agent.map(str::to_owned);
        let own = items(event, "input");
        let ranges: Vec<Range<usize>> = items(event, "input_refs")
            .iter()
            .filter_map(|range| {
                let end = |at: usize| range.get(at).and_then(Value::as_u64).map(|at| at as usize);
                Some(end(0)?..end(1)?.min(self.pool.len()))
            })
            .collect();
        let before = self.given.remove(&of).unwrap_or_default();
        let (mut given, fresh) = match before.behind(&ranges).filter(|_| own.is_empty()) {
            Some(fresh) => (before, fresh),
            None => (GivenMessages::default(), ranges.clone()),
        };
        for message in own {
            if self.is_new(key_of(message), &mut given.n_given, agent) {
                self.say(message, agent, at);
            }
        }
        let pool = self.pool;
        for range in fresh {
            for idx in range {
                let Some(key) = pool.key(idx) else { break };
                if self.is_new(key, &mut given.n_given, agent) {
                    self.say(&pool.get(idx), agent, at);
                }
            }
        }
        if own.is_empty() {
            self.given.insert(of, GivenMessages { ranges, ..given });
        }
    }

    /// Counts a message that a model was given; whether it was not said so often.
    fn is_new(&self, key: u64, n_given: &mut HashMap<u64, usize>, agent: Option<&str>) -> bool {
        let n = n_given.entry(key).or_default();
        *n += 1;
        let n_known = self.known.get(&agent.map(str::to_owned)).and_then(|own| own.get(&key));
        *n > n_known.copied().unwrap_or(0)
    }

    /// Says a message that a model was given, unless a tool's own event has shown it.
    fn say(&mut self, message: &Value, agent: Option<&str>, at: Option<&str>) {
        if !self.has_returned(message) {
            self.message(message, agent, at, None);
        }
    }

    /// Says what stands behind the last message that was said, and what no model was given any more.
    fn rest(&mut self, messages: &MessageList) {
        // Users' messages that are alike may share one id.
        let has_id = |message: &Value| {
            text(message, "role") == Some("assistant")
                && text(message, "id").is_some_and(|id| self.ids.contains(id))
        };
        let said: HashSet<u64> = self.known.values().flat_map(HashMap::keys).copied().collect();
        let is_known = |message: &Value, key: u64| {
            has_id(message) || self.has_returned(message) || said.contains(&key)
        };
        // Of messages that are alike, as many are behind as were not said.
        let mut n_left: HashMap<u64, usize> = HashMap::new();
        for key in messages.keys() {
            *n_left.entry(*key).or_default() += 1;
        }
        for (key, n) in self.known.values().flatten() {
            if let Some(left) = n_left.get_mut(key) {
                *left = left.saturating_sub(*n);
            }
        }
        let mut n_behind = 0;
        for (idx, key) in messages.keys().iter().enumerate().rev() {
            let message = messages.get(idx);
            match n_left.get_mut(key) {
                Some(left) if *left > 0 && !has_id(&message) && !self.has_returned(&message) => {
                    *left -= 1
                }
                _ if is_known(&message, *key) => break,
                _ => {}
            }
            n_behind += 1;
        }
        for idx in messages.len().saturating_sub(n_behind)..messages.len() {
            self.message(&messages.get(idx), None, None, None);
        }
    }

    /// Whether it is what a tool gave back, which its own event has shown.
    fn has_returned(&self, message: &Value) -> bool {
        text(message, "role") == Some("tool")
            && text(message, "tool_call_id").is_some_and(|id| self.returned.contains(id))
    }

    /// Says one message.
    fn message(
        &mut self,
        message: &Value,
        agent: Option<&str>,
        at: Option<&str>,
        kind: Option<&str>,
    ) {
        let known = self.known.entry(agent.map(str::to_owned)).or_default();
        *known.entry(key_of(message)).or_default() += 1;
        self.ids.extend(text(message, "id").map(str::to_owned));
        let calls = items(message, "tool_calls").iter().filter_map(|call| text(call, "id"));
        self.called.extend(calls.map(str::to_owned));
        if text(message, "role") == Some("user") {
            self.turn += u32::from(std::mem::replace(&mut self.has_user, true));
        }
        let resolved = self.attachments.message(message);
        for one in chat::messages(std::slice::from_ref(&resolved)) {
            let kind = match (one.kind.is_empty(), kind) {
                (true, Some(kind)) => kind.to_owned(),
                _ => one.kind.clone(),
            };
            let (agent, at) = (agent.map(str::to_owned), at.map(str::to_owned));
            self.push(Message { kind, agent, at, ..one });
        }
    }

    /// What a tool gave back; its call, too, where no model was seen to make it.
    fn tool(&mut self, event: &Value, agent: Option<&str>) {
        let name = text(event, "function");
        let at = text(event, "timestamp");
        let id = text(event, "id");
        let of_call = |message: Message| Message {
            tool: name.map(str::to_owned),
            call_id: id.map(str::to_owned),
            ..message
        };
        if !id.is_some_and(|id| self.called.contains(id)) {
            let given = event.get("arguments").map(|given| self.attachments.shown(given));
            let call = said("assistant", given.unwrap_or_default(), agent, at);
            self.push(of_call(Message { kind: "tool call".to_owned(), ..call }));
            self.called.extend(id.map(str::to_owned));
        }
        let mut words = event.get("result").map(|result| self.words(result)).unwrap_or_default();
        let error = event.get("error").filter(|error| says_something(error));
        if let Some(error) = error {
            let kind = text(error, "type").map_or(String::new(), |kind| format!("{kind}: "));
            let message = error.get("message").unwrap_or(error);
            let told = format!("{kind}{}", self.attachments.shown(message));
            words = if words.is_empty() { told } else { format!("{words}\n\n{told}") };
        }
        let is_open = event.get("pending") == Some(&Value::Bool(true));
        if words.is_empty() && is_open {
            "no result was recorded: the call did not come to its end".clone_into(&mut words);
        }
        if let Some([from, to]) = items(event, "truncated").get(..2) {
            words.push_str(&format!("\n\n(cut by the tool from {from} to {to} bytes)"));
        }
        let is_failed = event.get("failed") == Some(&Value::Bool(true));
        let done = text(event, "completed").or(at);
        let returned = said("tool", words, agent, done);
        self.returned.extend(id.map(str::to_owned));
        self.push(of_call(Message {
            is_error: error.is_some() || is_failed || is_open,
            ..returned
        }));
    }

    fn subtask(&mut self, event: &Value, agent: Option<&str>) {
        let name = text(event, "name").unwrap_or("subtask");
        let given = event.get("input").map(|given| self.attachments.shown(given));
        let result = event.get("result").filter(|result| says_something(result));
        let mut words = format!("{name} {}", given.unwrap_or_default());
        if let Some(result) = result {
            words.push_str(&format!("\n\n{}", self.attachments.shown(result)));
        }
        self.push(said("subtask", words, agent, text(event, "timestamp")));
    }

    /// The words of a tool's result: a text, a number, or parts.
    fn words(&self, result: &Value) -> String {
        let part = |part: &Value| match text(part, "text") {
            Some(words) => self.attachments.text(words),
            None => self.attachments.shown(part),
        };
        match result {
            Value::Array(parts) => parts.iter().map(part).collect::<Vec<String>>().join("\n"),
            single => part(single),
        }
    }

    fn push(&mut self, message: Message) {
        self.said.push(Message { turn: self.turn, ..message });
    }

    /// Adds tokens to the turn that is on.
    fn count(&mut self, usage: Option<&Value>) {
        let Some(usage) = usage.and_then(Value::as_object) else { return };
        if self.usage.last().is_none_or(|(turn, _)| *turn != self.turn) {
            self.usage.push((self.turn, Vec::new()));
        }
        let Some((_, sums)) = self.usage.last_mut() else { return };
        for (key, value) in usage {
            let Some(number) = f64_from_value(value).filter(|_| key != "total_tokens") else {
                continue;
            };
            let name = key.replace('_', " ");
            match sums.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += number,
                None => sums.push((name, number)),
            }
        }
    }

    fn turns(&mut self) -> Vec<TurnDetail> {
        let all = std::mem::take(&mut self.usage).into_iter();
        all.map(|(turn, usage)| TurnDetail { turn, usage, ..TurnDetail::default() }).collect()
    }
}
