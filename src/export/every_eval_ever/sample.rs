//! The samples: one line for each case and result that it has a score for.
//!
//! A case without a score that counts has one line that joins no result, because the schema wants a number in every line;
//! `metadata.score` then says `missing` or, of numbers that JSON cannot write, which one. `metadata.outcome` is the
//! outcome of every case: `is_correct` is false of all that did not pass, also where no rule says what passes.

use super::{SCORE, VERSION, Writing, put_line};
use crate::export::columns::RunCx;
use crate::export::job::ExportContext;
use crate::export::report_json::num;
use crate::export::words::case_name;
use crate::model::{CaseDetail, Content, Message, Outcome, TAG_SEPARATOR};
use crate::readers::EVERY_EVAL_EVER_MISSING;
use crate::report::{RunRef, conversation::is_call};
use serde_json::{Map, Value, json};
use std::io;

/// The cases of a run.
pub(super) struct Samples<'a> {
    pub cx: &'a ExportContext<'a>,
    pub of: &'a RunCx<'a>,
    pub at: RunRef,
}

impl Samples<'_> {
    /// Writes the lines of case `idx`.
    pub(super) fn write(&self, run: &mut Writing, idx: usize, out: &mut Vec<u8>) -> io::Result<()> {
        let cases = &self.of.run.cases;
        let outcome = cases.outcome_of(idx);
        let row = u32::try_from(idx).map_err(io::Error::other)?;
        let (detail, lost) = match self.cx.workspace.detail(self.at, row) {
            Ok(detail) => (detail, None),
            Err(err) => (CaseDetail::default(), Some(err.to_string())),
        };
        let mut line = Map::new();
        let mut put = |name: &str, value: Value| line.insert(name.to_owned(), value);
        put("schema_version", json!(VERSION));
        put("evaluation_id", json!(run.names.id));
        put("model_id", json!(run.names.model));
        put("evaluation_name", json!(run.names.evaluation));
        put("sample_id", json!(sample_id(run, &case_name(self.of.run, idx))));
        let expected: Vec<&str> =
            detail.expected.iter().map(|content| content.body.as_str()).collect();
        let raw = together(&detail.input);
        put("input", json!({ "raw": raw, "reference": expected }));
        let n_calls = conversation(&detail, &mut put);
        put("answer_attribution", json!([]));
        put("token_usage", self.tokens(idx));
        let secs = cases.duration_secs.get(idx).filter(|secs| secs.is_finite() && *secs >= 0.0);
        put("performance", secs.map_or(Value::Null, |secs| json!({ "latency_ms": secs * 1000.0 })));
        if outcome == Outcome::Error {
            let message = cases.error_message.get(idx).or(cases.error_type.get(idx));
            put("error", json!(message.filter(|text| !text.is_empty()).unwrap_or("error")));
        }
        let own = self.own_score(run, idx, outcome);
        let finite = own.filter(|score| score.is_finite());
        let mut metadata = self.metadata(idx, outcome, lost);
        if finite.is_none() {
            let said = own.map_or_else(|| json!(EVERY_EVAL_EVER_MISSING), |score| num(Some(score)));
            metadata.insert("score".to_owned(), said);
        }
        put("metadata", Value::Object(metadata));
        let is_passed = outcome == Outcome::Passed;
        let mut scores = vec![(finite.is_some().then_some(0), finite.unwrap_or(0.0), is_passed)];
        scores.extend(self.metrics(run, idx));
        for (place, score, is_correct) in scores {
            let result = place.and_then(|place| run.results.get_mut(place));
            match result {
                Some(result) => {
                    result.scores.push(score);
                    line.insert("evaluation_result_id".to_owned(), json!(result.id));
                }
                None => {
                    line.shift_remove("evaluation_result_id");
                }
            }
            let mut judged = json!({ "score": score, "is_correct": is_correct });
            if let (Value::Object(members), true) = (&mut judged, n_calls > 0) {
                members.insert("tool_calls_count".to_owned(), json!(n_calls));
            }
            line.insert("evaluation".to_owned(), judged);
            put_line(out, &line)?;
            run.n_rows += 1;
        }
        Ok(())
    }

    /// The score of a case, or 1 and 0 where the cases only pass or fail.
    fn own_score(&self, run: &Writing, idx: usize, outcome: Outcome) -> Option<f64> {
        match run.results.first().map(|result| result.id.as_str()) {
            Some(SCORE) => self.of.run.cases.score.get(idx),
            _ => match outcome {
                Outcome::Passed => Some(1.0),
                Outcome::Failed => Some(0.0),
                _ => None,
            },
        }
    }

    /// Scores of the checks that are metrics, each once: of several attempts none stands for the case.
    fn metrics(&self, run: &Writing, idx: usize) -> Vec<(Option<usize>, f64, bool)> {
        let (checks, cases) = (&self.of.run.checks, &self.of.run.cases);
        if cases.n_attempts.get(idx) > Some(1) {
            return Vec::new();
        }
        let mut found: Vec<(Option<usize>, f64, bool)> = Vec::new();
        for at in self.of.run.checks_of(idx) {
            let (Some(name), Some(score)) = (checks.name.get(at), checks.score.get(at)) else {
                continue;
            };
            let is_own = |id: &str| id == name || id.strip_prefix("metric ") == Some(name);
            let place = run.results.iter().skip(1).position(|result| is_own(&result.id));
            let place = place.map(|place| place + 1).filter(|_| score.is_finite());
            if place.is_some() && !found.iter().any(|(known, ..)| *known == place) {
                found.push((place, score, checks.is_correct.get(at) == Some(true)));
            }
        }
        found
    }

    fn tokens(&self, idx: usize) -> Value {
        let cases = &self.of.run.cases;
        let (Some(input), Some(output)) =
            (whole(cases.prompt_tokens.get(idx)), whole(cases.completion_tokens.get(idx)))
        else {
            return Value::Null;
        };
        json!({
            "input_tokens": input,
            "output_tokens": output,
            "total_tokens": input.saturating_add(output),
            "input_tokens_cache_read": whole(cases.cached_input_tokens.get(idx)),
            "input_tokens_cache_write": whole(cases.cache_write_tokens.get(idx)),
            "reasoning_tokens": whole(cases.reasoning_tokens.get(idx)),
        })
    }

    /// What the schema has no member for, as texts.
    fn metadata(&self, idx: usize, outcome: Outcome, lost: Option<String>) -> Map<String, Value> {
        let cases = &self.of.run.cases;
        let text = |text: Option<&str>| text.map(str::to_owned);
        let number = |number: Option<f64>| number.map(|number| number.to_string());
        let attempts = cases.n_attempts.get(idx).filter(|n| *n > 1);
        let known = [
            ("outcome", Some(outcome.as_str().to_owned())),
            ("epoch", Some(self.of.run.key.repeat.to_string())),
            ("case_id", text(cases.id.get(idx))),
            ("group", text(cases.group.get(idx))),
            ("variant", text(cases.variant.get(idx))),
            ("tags", cases.tags.get(idx).map(|tags| tags.replace(TAG_SEPARATOR, ", "))),
            ("attempts", attempts.map(|n| n.to_string())),
            ("strategy", text(cases.strategy.get(idx))),
            ("cost_usd", number(cases.cost_usd.get(idx))),
            ("reward", number(cases.reward.get(idx))),
            ("not_read_again", lost),
        ];
        known.into_iter().filter_map(|(name, text)| Some((name.to_owned(), json!(text?)))).collect()
    }
}

/// The id of a sample: the case's, each once in its run.
fn sample_id(run: &mut Writing, name: &str) -> String {
    let nth = run.ids.entry(name.to_owned()).or_default();
    *nth += 1;
    if *nth == 1 { name.to_owned() } else { format!("{name}~{nth}") }
}

/// Texts one after the other; with their labels where there are several.
fn together(contents: &[Content]) -> String {
    match contents {
        [] => String::new(),
        [only] => only.body.clone(),
        several => {
            let parts = several.iter().map(|one| format!("{}:\n{}", one.label, one.body));
            parts.collect::<Vec<_>>().join("\n\n")
        }
    }
}

/// Writes what the target gave: a conversation where there is one, else its output. The number of calls of tools.
fn conversation(detail: &CaseDetail, put: &mut impl FnMut(&str, Value) -> Option<Value>) -> usize {
    let n_calls = detail.transcript.iter().filter(|message| is_call(message)).count();
    if detail.transcript.is_empty() {
        let of_attempts = || detail.attempts.iter().flat_map(|attempt| &attempt.output);
        let mut given: Vec<&str> = detail.actual.iter().map(|one| one.body.as_str()).collect();
        if given.is_empty() {
            given.extend(of_attempts().map(|one| one.body.as_str()));
        }
        put("interaction_type", json!("single_turn"));
        put("output", json!({ "raw": given }));
        return n_calls;
    }
    let kind = if n_calls > 0 { "agentic" } else { "multi_turn" };
    put("interaction_type", json!(kind));
    put("messages", detail.transcript.iter().enumerate().map(message).collect());
    n_calls
}

/// Message `nth` of a conversation.
fn message((nth, message): (usize, &Message)) -> Value {
    let mut value = json!({ "turn_idx": nth, "role": message.role });
    let Value::Object(members) = &mut value else { return value };
    let mut put = |name: &str, value: Value| members.insert(name.to_owned(), value);
    if is_call(message) {
        put("role", json!("assistant"));
        let id = message.call_id.clone().unwrap_or_else(|| format!("call {nth}"));
        let arguments = match serde_json::from_str(&message.text) {
            Ok(Value::Object(given)) => {
                given.into_iter().map(|(name, value)| (name, as_text(value))).collect()
            }
            _ if message.text.is_empty() => Value::Null,
            _ => json!({ "text": message.text }),
        };
        let tool = message.tool.as_deref().unwrap_or("tool");
        put("tool_calls", json!([{ "id": id, "name": tool, "arguments": arguments }]));
    } else if message.role == "reasoning" {
        put("role", json!("assistant"));
        put("reasoning_trace", json!(message.text));
    } else {
        put("content", json!(message.text));
        if let Some(id) = message.call_id.as_ref().filter(|_| message.role == "tool") {
            put("tool_call_id", json!([id]));
        }
    }
    value
}

/// A value as a text, as the schema wants arguments.
fn as_text(value: Value) -> Value {
    match value {
        Value::String(_) => value,
        other => json!(other.to_string()),
    }
}

/// A count that is one.
fn whole(number: Option<f64>) -> Option<u64> {
    let number = number.filter(|number| (0.0..9e15).contains(number))?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within bounds")]
    Some(number.round() as u64)
}
