//! What a row says about single turns: `agent_usage`, one record for each user turn (one for all of
//! them when the agent is letta-code), and `per_turn_grades` of each grade.

use crate::input::json::f64_from_value;
use crate::model::{TurnDetail, TurnGrade};
use crate::readers::letta_evals::case_page::transcript::words_of;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

type TurnObject = Map<String, Value>;

/// Counts of a usage record, and their words; details that some versions nest one level deeper.
const COUNTS: [(&str, &str); 6] = [
    ("/prompt_tokens", "prompt tokens"),
    ("/completion_tokens", "completion tokens"),
    ("/cached_input_tokens", "cached"),
    ("/cache_write_tokens", "written to the cache"),
    ("/reasoning_tokens", "reasoning"),
    ("/step_count", "steps"),
];
const NESTED: [(&str, &str); 5] = [
    ("/prompt_tokens_details/cached_input_tokens", "cached"),
    ("/prompt_tokens_details/cache_read_tokens", "cached"),
    ("/prompt_tokens_details/cached_tokens", "cached"),
    ("/prompt_tokens_details/cache_creation_tokens", "written to the cache"),
    ("/completion_tokens_details/reasoning_tokens", "reasoning"),
];

/// The turns of `row` about which it says anything, in order.
pub(in crate::readers::letta_evals) fn turns(row: &TurnObject) -> Vec<TurnDetail> {
    let mut turns: BTreeMap<u32, TurnDetail> = BTreeMap::new();
    let usage = row.get("agent_usage").and_then(Value::as_array);
    for (turn, record) in (0_u32..).zip(usage.into_iter().flatten()) {
        let counts = counts(record);
        if !counts.is_empty() {
            turns.entry(turn).or_default().usage = counts;
        }
    }
    match row.get("grades").and_then(Value::as_object) {
        Some(grades) if !grades.is_empty() => {
            for (grader, grade) in grades {
                add_grades(&mut turns, grader, grade);
            }
        }
        _ => row.get("grade").into_iter().for_each(|grade| add_grades(&mut turns, "grade", grade)),
    }
    turns.into_iter().map(|(turn, detail)| TurnDetail { turn, ..detail }).collect()
}

fn counts(record: &Value) -> Vec<(String, f64)> {
    let mut counts: Vec<(String, f64)> = Vec::new();
    for (place, words) in COUNTS.into_iter().chain(NESTED) {
        let is_known = counts.iter().any(|(known, _)| known == words);
        let count = record.pointer(place).and_then(f64_from_value);
        if let Some(count) = count.filter(|_| !is_known) {
            counts.push((words.to_owned(), count));
        }
    }
    counts
}

fn add_grades(turns: &mut BTreeMap<u32, TurnDetail>, grader: &str, grade: &Value) {
    let list = grade.get("per_turn_grades").and_then(Value::as_array);
    for (place, one) in (0_u32..).zip(list.into_iter().flatten()) {
        let written = one.get("turn").and_then(Value::as_u64);
        let turn = written.and_then(|turn| u32::try_from(turn).ok()).unwrap_or(place);
        let member = |key: &str| one.get(key).filter(|value| !value.is_null()).map(words_of);
        turns.entry(turn).or_default().grades.push(TurnGrade {
            grader: grader.to_owned(),
            score: one.get("score").and_then(f64_from_value),
            reason: member("rationale"),
            submission: member("submission"),
            expected: member("ground_truth"),
        });
    }
}
