//! Which agent an event is of: the spans around it.

use crate::readers::record_value::text;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Most spans around an event that are looked at.
const MAX_DEPTH: usize = 128;

/// Spans by id.
pub(super) struct Agents<'a> {
    spans: HashMap<&'a str, AgentSpan<'a>>,
    /// Name of the only agent that no other one called: it is the agent itself.
    main: Option<&'a str>,
}

struct AgentSpan<'a> {
    parent: Option<&'a str>,
    /// Name, where it is an agent's.
    agent: Option<&'a str>,
}

impl<'a> Agents<'a> {
    /// Of all spans that begin among `events`.
    pub fn of(events: &'a [Value]) -> Self {
        let begins = events.iter().filter(|event| text(event, "event") == Some("span_begin"));
        let spans = begins.filter_map(|event| {
            let is_agent = matches!(text(event, "type"), Some("agent" | "handoff"));
            let agent = text(event, "name").filter(|_| is_agent);
            Some((text(event, "id")?, AgentSpan { parent: text(event, "parent_id"), agent }))
        });
        let mut agents = Self { spans: spans.collect(), main: None };
        let outermost: HashSet<&str> = agents
            .spans
            .values()
            .filter(|span| agents.around(span.parent).is_none())
            .filter_map(|span| span.agent)
            .collect();
        if let [only] = outermost.into_iter().collect::<Vec<_>>().as_slice() {
            agents.main = Some(only);
        }
        agents
    }

    /// The sub-agent that `event` is of; `None`: the agent itself.
    pub fn name(&self, event: &Value) -> Option<&'a str> {
        self.around(text(event, "span_id")).filter(|name| Some(*name) != self.main)
    }

    /// The innermost agent around the span `id`, itself included.
    fn around(&self, id: Option<&str>) -> Option<&'a str> {
        let mut id = id;
        for _ in 0..MAX_DEPTH {
            let span = self.spans.get(id?)?;
            if span.agent.is_some() {
                return span.agent;
            }
            id = span.parent;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_sub_agent_is_named_and_the_agent_itself_is_not() {
        let span = |id: &str, parent: Option<&str>, kind: &str, name: &str| json!({"event": "span_begin", "id": id, "parent_id": parent, "type": kind, "name": name});
        let events = [
            span("a", None, "solvers", "solvers"),
            span("b", Some("a"), "agent", "react"),
            span("c", Some("b"), "tool", "search"),
            span("d", Some("c"), "agent", "searcher"),
            span("loop", Some("loop"), "tool", "x"),
        ];
        let agents = Agents::of(&events);
        let name = |id: &str| agents.name(&json!({"span_id": id}));
        assert_eq!((name("a"), name("b"), name("c")), (None, None, None));
        assert_eq!((name("d"), name("loop"), name("gone")), (Some("searcher"), None, None));
    }
}
