//! A trajectory in the ATIF form as a conversation.
//!
//! A step is of the user, the agent or the system; the results of an agent's calls stand in the same step. Sub-agents
//! lie in the same file (`subagent_trajectories`, from v1.7) or in files beside it; a trajectory may go on in another
//! file. What both name is looked up by `others`.

use super::places::last;
use crate::model::{Message, TurnDetail};
use crate::readers::record_value::{
    items, number, says_something, short_text, text, unknown_members,
};
use serde_json::Value;
use std::collections::HashMap;

/// Trajectories within trajectories that are followed.
const MAX_DEPTH: u32 = 8;

/// Tokens and cost as steps state them, and what they are here.
pub(super) const METRICS: [(&str, &str, &str); 4] = [
    ("prompt_tokens", "total_prompt_tokens", "prompt tokens"),
    ("completion_tokens", "total_completion_tokens", "completion tokens"),
    ("cached_tokens", "total_cached_tokens", "cached tokens"),
    ("cost_usd", "total_cost_usd", "cost"),
];

/// The conversation of a trajectory.
#[derive(Default)]
pub(super) struct AtifConversation {
    /// Its messages.
    pub messages: Vec<Message>,
    /// Tokens and cost by turn of the user.
    pub turns: Vec<TurnDetail>,
    /// A line for each step that states metrics.
    pub steps: Vec<String>,
    /// References that nothing was found for.
    pub missing: Vec<String>,
}

/// Reads `trajectory`; `others` finds one in a file beside it by its name.
pub(super) fn tell(trajectory: &Value, others: &dyn Fn(&str) -> Option<Value>) -> AtifConversation {
    let mut teller = Teller::new(others);
    teller.trajectory(trajectory, None, 0);
    teller.told
}

struct Teller<'a> {
    others: &'a dyn Fn(&str) -> Option<Value>,
    told: AtifConversation,
    turn: u32,
    has_user: bool,
    /// Tool of each call.
    tools: HashMap<String, String>,
    /// Files that were followed.
    followed: Vec<String>,
}

impl<'a> Teller<'a> {
    fn new(others: &'a dyn Fn(&str) -> Option<Value>) -> Self {
        Self {
            others,
            told: AtifConversation::default(),
            turn: 0,
            has_user: false,
            tools: HashMap::new(),
            followed: Vec::new(),
        }
    }

    fn trajectory(&mut self, trajectory: &Value, agent: Option<&str>, depth: u32) {
        for step in items(trajectory, "steps") {
            self.step(step, trajectory, agent, depth);
        }
        let next = text(trajectory, "continued_trajectory_ref").map(last);
        if let Some(name) = next.filter(|_| depth < MAX_DEPTH) {
            match self.follow(name) {
                Some(next) => self.trajectory(&next, agent, depth.saturating_add(1)),
                None => self.told.missing.push(name.to_owned()),
            }
        }
    }

    /// The trajectory in the file called `name`; each is followed once.
    fn follow(&mut self, name: &str) -> Option<Value> {
        if self.followed.iter().any(|known| known == name) {
            return None;
        }
        self.followed.push(name.to_owned());
        (self.others)(name)
    }

    fn step(&mut self, step: &Value, whole: &Value, agent: Option<&str>, depth: u32) {
        let source = text(step, "source").unwrap_or("unknown");
        if source == "user" && agent.is_none() {
            self.turn =
                self.turn.saturating_add(u32::from(std::mem::replace(&mut self.has_user, true)));
        }
        let role = if source == "agent" { "assistant" } else { source };
        let said = Message {
            turn: self.turn,
            role: role.to_owned(),
            agent: agent.map(str::to_owned),
            at: text(step, "timestamp").map(str::to_owned),
            kind: match step.get("is_copied_context") {
                Some(Value::Bool(true)) => "copied context".to_owned(),
                _ => String::new(),
            },
            ..Message::default()
        };
        if let Some(thought) = text(step, "reasoning_content") {
            let role = "reasoning".to_owned();
            self.push(Message { role, text: thought.to_owned(), ..said.clone() });
        }
        let words = step.get("message").map(words_of).unwrap_or_default();
        let calls = items(step, "tool_calls");
        if !words.is_empty() || (calls.is_empty() && step.get("observation").is_none()) {
            self.push(Message { text: words, ..said.clone() });
        }
        for call in calls {
            let (id, tool) = (text(call, "tool_call_id"), text(call, "function_name"));
            if let (Some(id), Some(tool)) = (id, tool) {
                self.tools.insert(id.to_owned(), tool.to_owned());
            }
            self.push(Message {
                kind: "tool call".to_owned(),
                tool: tool.map(str::to_owned),
                call_id: id.map(str::to_owned),
                text: call.get("arguments").map(short_text).unwrap_or_default(),
                ..said.clone()
            });
        }
        for result in step.get("observation").map_or(&[][..], |seen| items(seen, "results")) {
            self.result(result, &said, whole, depth);
        }
        self.metrics(step, agent);
    }

    /// What came of a call, or of something that the system did.
    fn result(&mut self, result: &Value, said: &Message, whole: &Value, depth: u32) {
        let id = text(result, "source_call_id");
        let tool = id.and_then(|id| self.tools.get(id)).cloned();
        let words = result.get("content").map(words_of).unwrap_or_default();
        let refs: Vec<&Value> = match result.get("subagent_trajectory_ref") {
            Some(Value::Array(list)) => list.iter().collect(),
            Some(one) if one.is_object() => vec![one],
            _ => Vec::new(),
        };
        if !words.is_empty() || refs.is_empty() {
            self.push(Message {
                role: "tool".to_owned(),
                kind: String::new(),
                tool,
                call_id: id.map(str::to_owned),
                text: words,
                ..said.clone()
            });
        }
        for reference in refs {
            let of_file = text(reference, "trajectory_path").map(last);
            let id = text(reference, "trajectory_id");
            let named = of_file.or(id).or_else(|| text(reference, "session_id"));
            let name = named.unwrap_or("sub-agent").to_owned();
            let is_it = |one: &&Value| id.is_some() && text(one, "trajectory_id") == id;
            let within = items(whole, "subagent_trajectories").iter().find(is_it).cloned();
            let found = match within {
                _ if depth >= MAX_DEPTH => None,
                Some(own) => Some(own),
                None => of_file.and_then(|name| self.follow(name)),
            };
            match found {
                Some(inner) => {
                    let agent = inner.get("agent").and_then(|agent| text(agent, "name"));
                    let agent =
                        agent.map_or_else(|| name.clone(), |agent| format!("{agent}: {name}"));
                    self.trajectory(&inner, Some(&agent), depth.saturating_add(1));
                }
                None => self.told.missing.push(name),
            }
        }
    }

    /// Tokens and cost of a step: a line, and a part of its turn.
    fn metrics(&mut self, step: &Value, agent: Option<&str>) {
        let Some(metrics) = step.get("metrics").filter(|metrics| says_something(metrics)) else {
            return;
        };
        let mut parts: Vec<String> = Vec::new();
        if let Some(model) = text(step, "model_name") {
            parts.push(model.to_owned());
        }
        for (key, _, words) in METRICS {
            let Some(value) = number(metrics, key) else { continue };
            let unit = if key == "cost_usd" { " USD" } else { "" };
            parts.push(format!("{words} {value}{unit}"));
            if agent.is_none() && step.get("is_copied_context") != Some(&Value::Bool(true)) {
                self.count(words, value);
            }
        }
        let known = ["prompt_token_ids", "completion_token_ids", "logprobs"]
            .into_iter()
            .chain(METRICS.map(|m| m.0));
        let known: Vec<&str> = known.collect();
        let others = unknown_members(metrics, &known);
        parts.extend(others.map(|(key, value)| format!("{key} {}", short_text(value))));
        let id = step.get("step_id").map(short_text).unwrap_or_default();
        let agent = agent.map_or(String::new(), |agent| format!("{agent}, "));
        self.told.steps.push(format!("{agent}step {id}: {}", parts.join(", ")));
    }

    fn count(&mut self, words: &str, value: f64) {
        let turn = self.turn;
        if self.told.turns.last().is_none_or(|last| last.turn != turn) {
            self.told.turns.push(TurnDetail { turn, ..TurnDetail::default() });
        }
        let Some(last) = self.told.turns.last_mut() else { return };
        match last.usage.iter_mut().find(|(known, _)| known == words) {
            Some((_, sum)) => *sum += value,
            None => last.usage.push((words.to_owned(), value)),
        }
    }

    fn push(&mut self, message: Message) {
        self.told.messages.push(message);
    }
}

/// The words of a message or a result: a text, or parts of text and pictures.
fn words_of(content: &Value) -> String {
    match content {
        Value::Array(parts) => {
            let one = |part: &Value| match (text(part, "text"), part.get("source")) {
                (Some(words), _) => words.to_owned(),
                (None, Some(source)) => {
                    let path = text(source, "path").unwrap_or_default();
                    format!("[{} {path}]", text(part, "type").unwrap_or("image"))
                }
                (None, None) => short_text(part),
            };
            parts.iter().map(one).collect::<Vec<_>>().join("\n")
        }
        other => short_text(other),
    }
}
