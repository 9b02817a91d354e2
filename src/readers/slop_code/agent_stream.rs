//! The event stream of an agent as a conversation.
//!
//! Producer's definition: `agent/stdout.jsonl` is what the agent's program prints. Of claude_code these are
//! `system`, `assistant`, `user` and `result` events; several lines share one `message.id`, and events of
//! sub-agents name the call that started them. Sub-agents write files of the same form
//! (`agent/workspace/projects/*/agent-*.jsonl`). Lines of any other form are kept as they are.

use super::agent_turns::{AgentAnswer, AgentTurns, USAGE, used_in_all};
use super::agent_words::{facts_of_init, facts_of_result, result_text};
use crate::input::json::f64_from_value;
use crate::input::{InputFile, Pulse, Record, at_once, each_line};
use crate::model::{CaseDetail, Fact, Message};
use crate::readers::{Error, ErrorKind};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Bytes of a line that cannot be read which are shown.
const MAX_BROKEN: u64 = 4_000;

/// Reads the stream in `file`, line by line.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn read(file: &InputFile) -> Result<CaseDetail, Error> {
    let in_file = |err: crate::input::Error| Error::from(err).in_file(&file.path);
    let mut stream = AgentStream::default();
    let mut broken = Vec::new();
    let pulse = Pulse::silent();
    let lines = at_once(each_line(
        file,
        &pulse,
        &mut |record: Record<'_>| {
            let value = record.read(|cursor| cursor.tree())?;
            stream.event(&value, record);
            Ok(())
        },
        &mut |offset, number, err| broken.push((offset, number, err.clone())),
    ));
    let tail = lines.ok_or_else(|| Error::new(ErrorKind::Gone))?.map_err(in_file)?;
    for (offset, number, err) in broken {
        stream.unreadable(file, offset, number, &err, "cannot be read");
    }
    if let Some((offset, number, err)) = tail.cut {
        stream.unreadable(file, offset, number, &err, "is the last one and is cut off");
    }
    Ok(stream.finish())
}

/// A message on its way into the conversation.
struct Spoken {
    /// Line it was read from.
    line: u64,
    message: Message,
    /// The call that started the agent that speaks.
    parent: Option<String>,
    /// The answer of the model that it is a part of, or follows.
    answer: Option<usize>,
}

#[derive(Default)]
struct AgentStream {
    spoken: Vec<Spoken>,
    answers: Vec<AgentAnswer>,
    /// Place in `answers`, by the message's id.
    known: HashMap<String, usize>,
    /// The last answer of each agent.
    last: HashMap<Option<String>, usize>,
    /// Name and description of each call, by its id.
    calls: HashMap<String, (String, String)>,
    init: Vec<Fact>,
    result: Vec<Fact>,
    faults: Vec<Fact>,
}

impl AgentStream {
    /// Takes in one line.
    fn event(&mut self, event: &Value, record: Record<'_>) {
        let text = |key: &str| event.get(key).and_then(Value::as_str);
        let line = record.number;
        let at = text("timestamp").map(str::to_owned);
        match (text("type"), event.get("message")) {
            (Some(kind @ ("assistant" | "user")), Some(message)) if message.is_object() => {
                let parent = text("parent_tool_use_id").map(str::to_owned);
                self.message(kind, message, parent, line, at.as_deref());
            }
            (Some("result"), _) if event.get("is_error").is_some() => {
                self.result = facts_of_result(event);
                let is_error = event.get("is_error").and_then(Value::as_bool) == Some(true);
                let message = Message {
                    role: "result".to_owned(),
                    kind: text("subtype").unwrap_or_default().to_owned(),
                    text: result_text(event),
                    is_error,
                    at,
                    ..Message::default()
                };
                self.push(line, message, None, None);
            }
            (kind, _) => {
                if kind == Some("system") && text("subtype") == Some("init") {
                    self.init = facts_of_init(event);
                }
                let message = Message { at, ..raw(event) };
                let parent = text("parent_tool_use_id").map(str::to_owned);
                self.push(line, message, parent, None);
            }
        }
    }

    /// Takes in what one line says of a message.
    fn message(
        &mut self,
        kind: &str,
        message: &Value,
        parent: Option<String>,
        line: u64,
        at: Option<&str>,
    ) {
        let role = message.get("role").and_then(Value::as_str).unwrap_or(kind);
        let answer = if kind == "assistant" {
            Some(self.answer(message, &parent))
        } else {
            self.last.get(&parent).copied()
        };
        let dated = |message: Message| Message { at: at.map(str::to_owned), ..message };
        match message.get("content") {
            Some(Value::Array(blocks)) => {
                for block in blocks {
                    let message = self.block(block, role);
                    self.push(line, dated(message), parent.clone(), answer);
                }
            }
            Some(Value::String(text)) => {
                let message = said(role, "text", text);
                self.push(line, dated(message), parent, answer);
            }
            _ => self.push(line, dated(raw(message)), parent, answer),
        }
    }

    /// The answer that a line of the model belongs to. Lines with one id are one answer, and what the
    /// last of them says was used counts once.
    fn answer(&mut self, message: &Value, parent: &Option<String>) -> usize {
        let id = message.get("id").and_then(Value::as_str);
        let known = id.and_then(|id| self.known.get(id).copied());
        let idx = known.unwrap_or_else(|| {
            let is_of_sub_agent = parent.is_some();
            self.answers.push(AgentAnswer { usage: Vec::new(), is_of_sub_agent });
            self.answers.len() - 1
        });
        if let Some(id) = id {
            self.known.insert(id.to_owned(), idx);
        }
        self.last.insert(parent.clone(), idx);
        if let (Some(usage), Some(answer)) = (message.get("usage"), self.answers.get_mut(idx)) {
            let found = USAGE.iter().filter_map(|(key, words)| {
                Some(((*words).to_owned(), f64_from_value(usage.get(*key)?)?))
            });
            answer.usage = found.collect();
        }
        idx
    }

    /// A part of a message.
    fn block(&mut self, block: &Value, role: &str) -> Message {
        let text = |key: &str| block.get(key).and_then(Value::as_str);
        match (text("type"), text("text"), text("thinking")) {
            (Some("text"), Some(words), _) => said(role, "text", words),
            (Some("thinking"), _, Some(words)) => said("reasoning", "thinking", words),
            (Some("tool_use"), ..) => {
                let tool = text("name").unwrap_or("(no name)").to_owned();
                let input = block.get("input");
                if let Some(id) = text("id") {
                    let about = input.and_then(|input| input.get("description"));
                    let about = about.and_then(Value::as_str).unwrap_or_default();
                    self.calls.insert(id.to_owned(), (tool.clone(), about.to_owned()));
                }
                Message {
                    role: "assistant".to_owned(),
                    kind: "tool_call".to_owned(),
                    tool: Some(tool),
                    call_id: text("id").map(str::to_owned),
                    text: input.map(Value::to_string).unwrap_or_default(),
                    ..Message::default()
                }
            }
            (Some("tool_result"), ..) => {
                let id = text("tool_use_id");
                let tool = id.and_then(|id| self.calls.get(id)).map(|(tool, _)| tool.clone());
                Message {
                    role: "tool".to_owned(),
                    kind: "tool_return".to_owned(),
                    tool,
                    call_id: id.map(str::to_owned),
                    text: block.get("content").map(returned).unwrap_or_default(),
                    is_error: block.get("is_error").and_then(Value::as_bool) == Some(true),
                    ..Message::default()
                }
            }
            _ => raw(block),
        }
    }

    fn push(&mut self, line: u64, message: Message, parent: Option<String>, answer: Option<usize>) {
        self.spoken.push(Spoken { line, message, parent, answer });
    }

    /// Keeps a line that is no JSON, as far as it is short, and names it.
    fn unreadable(
        &mut self,
        file: &InputFile,
        offset: u64,
        number: u64,
        err: &crate::input::Error,
        what: &str,
    ) {
        let end = offset.saturating_add(MAX_BROKEN).min(file.len());
        let bytes = file.bytes(offset..end).unwrap_or_default();
        let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let reason = format!("line {number} (byte {offset}) {what}: {}", err.reason());
        self.faults.push(Fact { label: "Damage".to_owned(), value: reason });
        let text = String::from_utf8_lossy(line).into_owned();
        let message = said("unreadable line", "unreadable", &text);
        // Among the others where it stands in the file.
        let at = self.spoken.partition_point(|one| one.line < number);
        self.spoken.insert(at, Spoken { line: number, message, parent: None, answer: None });
    }

    fn finish(self) -> CaseDetail {
        let Self { spoken, answers, calls, init, result, faults, .. } = self;
        let used = used_in_all(&answers);
        let (mut transcript, mut turns) = (Vec::with_capacity(spoken.len()), AgentTurns::default());
        for Spoken { mut message, parent, answer, .. } in nested(spoken) {
            message.agent = parent.map(|parent| agent_name(&parent, &calls));
            message.turn = turns.turn_of(answer, &answers);
            transcript.push(message);
        }
        let mut facts = result;
        if facts.is_empty() && !init.is_empty() {
            let value = "the stream has no result event: it ended before the agent did".to_owned();
            facts.push(Fact { label: "Result".to_owned(), value });
        }
        facts.extend(used);
        facts.extend(init);
        facts.extend(faults);
        CaseDetail { facts, transcript, turns: turns.details, ..CaseDetail::default() }
    }
}

/// What a sub-agent is called: by the call that started it.
fn agent_name(parent: &str, calls: &HashMap<String, (String, String)>) -> String {
    match calls.get(parent) {
        Some((_, about)) if !about.is_empty() => about.clone(),
        Some((tool, _)) => format!("started by {tool}"),
        None => parent.to_owned(),
    }
}

/// Messages of sub-agents behind the call that started them, else where they stand.
fn nested(spoken: Vec<Spoken>) -> Vec<Spoken> {
    let is_call = |one: &Spoken| one.message.kind == "tool_call";
    let callers: HashSet<String> = spoken
        .iter()
        .filter(|one| is_call(one))
        .filter_map(|one| one.message.call_id.clone())
        .collect();
    let mut of: HashMap<String, Vec<Spoken>> = HashMap::new();
    let mut roots = Vec::new();
    for one in spoken {
        match &one.parent {
            Some(parent) if callers.contains(parent) => {
                of.entry(parent.clone()).or_default().push(one)
            }
            _ => roots.push(one),
        }
    }
    let mut out = Vec::new();
    // A stack, the next message on top.
    let mut waiting: Vec<Spoken> = roots.into_iter().rev().collect();
    loop {
        while let Some(one) = waiting.pop() {
            let below = one.message.call_id.as_ref().filter(|_| is_call(&one));
            let below = below.and_then(|id| of.remove(id)).unwrap_or_default();
            waiting.extend(below.into_iter().rev());
            out.push(one);
        }
        // Calls that name each other as what started them: they come last.
        let Some(id) = of.keys().next().cloned() else { return out };
        waiting.extend(of.remove(&id).unwrap_or_default().into_iter().rev());
    }
}

fn said(role: &str, kind: &str, text: &str) -> Message {
    Message {
        role: role.to_owned(),
        kind: kind.to_owned(),
        text: text.to_owned(),
        ..Message::default()
    }
}

/// An event that has no form of its own here: whole, as JSON.
fn raw(event: &Value) -> Message {
    let word = |key: &str| event.get(key).and_then(Value::as_str);
    let words: Vec<&str> = [word("type"), word("subtype")].into_iter().flatten().collect();
    Message {
        role: "event".to_owned(),
        kind: words.join(" "),
        text: event.to_string(),
        ..Message::default()
    }
}

/// What a tool gave back: its text, anything else as JSON.
fn returned(content: &Value) -> String {
    let Value::Array(blocks) = content else {
        return content.as_str().map_or_else(|| content.to_string(), str::to_owned);
    };
    let parts: Vec<String> = blocks
        .iter()
        .map(|block| match block.get("text").and_then(Value::as_str) {
            Some(text) => text.to_owned(),
            None => block.to_string(),
        })
        .collect();
    parts.join("\n")
}

/// Whether a file whose first value has `members` is such a stream.
pub(super) fn is_stream(has: impl Fn(&str) -> bool) -> bool {
    let is_printed = has("session_id") && (has("subtype") || has("message"));
    let is_kept = has("sessionId") && has("message") && has("uuid");
    has("type") && (is_printed || is_kept)
}
