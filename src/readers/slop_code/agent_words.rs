//! What the first and the last event of an agent's stream state.

use super::agent_turns::USAGE;
use super::detail::plain;
use crate::input::json::f64_from_value;
use crate::model::Fact;
use serde_json::Value;

/// The session: model, tools, version.
pub(super) fn facts_of_init(event: &Value) -> Vec<Fact> {
    let known = [
        ("model", "Model"),
        ("claude_code_version", "Version of the agent"),
        ("permissionMode", "Permission mode"),
        ("cwd", "Folder"),
        ("session_id", "Session"),
    ];
    let mut facts: Vec<Fact> = known
        .iter()
        .filter_map(|(key, label)| Some(fact(label, plain(event.get(*key)?))))
        .collect();
    if let Some(tools) = event.get("tools").and_then(Value::as_array) {
        let names: Vec<String> = tools.iter().map(plain).collect();
        facts.push(fact("Tools offered", names.join(", ")));
    }
    facts
}

/// How it ended, what it took.
pub(super) fn facts_of_result(event: &Value) -> Vec<Fact> {
    let number = |key: &str| event.get(key).and_then(f64_from_value);
    let mut facts = Vec::new();
    let word = event.get("subtype").map(plain).unwrap_or_default();
    let is_error = event.get("is_error").and_then(Value::as_bool) == Some(true);
    facts.push(fact("Result", if is_error { format!("{word} (error)") } else { word }));
    facts.extend(number("num_turns").map(|turns| fact("Turns, as declared", turns.to_string())));
    for (key, label) in [("duration_ms", "Time"), ("duration_api_ms", "Time in the model")] {
        let secs = number(key).map(|millis| format!("{} s", millis / 1_000.0));
        facts.extend(secs.map(|secs| fact(label, secs)));
    }
    let usd = |usd: f64| format!("${usd}");
    facts.extend(number("total_cost_usd").map(|cost| fact("Cost, as declared", usd(cost))));
    if let Some(usage) = event.get("usage") {
        let parts = USAGE.iter().filter_map(|(key, words)| {
            Some(format!("{} {words}", f64_from_value(usage.get(*key)?)?))
        });
        facts.push(fact("Tokens, as declared", parts.collect::<Vec<_>>().join(", ")));
    }
    if let Some(models) = event.get("modelUsage").and_then(Value::as_object) {
        for (model, usage) in models {
            let parts = usage
                .as_object()
                .into_iter()
                .flatten()
                .filter_map(|(key, value)| Some(format!("{key} {}", f64_from_value(value)?)));
            facts.push(fact(&format!("Usage of {model}"), parts.collect::<Vec<_>>().join(", ")));
        }
    }
    facts
}

/// What the last event says in words.
pub(super) fn result_text(event: &Value) -> String {
    let mut parts = Vec::new();
    parts.extend(event.get("result").filter(|text| !text.is_null()).map(plain));
    if let Some(errors) = event.get("errors").and_then(Value::as_array) {
        parts.extend(errors.iter().map(plain));
    }
    if parts.is_empty() { event.to_string() } else { parts.join("\n") }
}

fn fact(label: &str, value: String) -> Fact {
    Fact { label: label.to_owned(), value }
}
