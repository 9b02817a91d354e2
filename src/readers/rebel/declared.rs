//! What a report states about its own totals.
//!
//! Source: `rebel.models.evaluation`. Each entry repeats its number of attempts three times: as
//! planned (`retry_params.count`), as answers (`actual_outputs`) and as judgements
//! (`evaluation_results`). The last two go together; the first may be more, since a failed request
//! leaves no record, or less, since groups of equal names are merged.

use super::super::claims::{Claims, Part};
use super::entry::Entry;
use crate::input::json::f64_from_value;
use crate::model::{Declared, DeclaredValue, Figure, Scope, Unchecked};
use serde_json::Value;
use std::rc::Rc;

const FEWER: &str = "fewer attempts are recorded than were planned: failed requests leave no record, \
    so that nothing tells whether one was taken out";
const MORE: &str =
    "more attempts are recorded than were planned: groups of equal names were merged";

/// Every figure of the report in `file`, and what cannot be checked.
pub(super) fn of(
    file: &Rc<str>,
    metadata: &Value,
    entries: &[Entry],
) -> (Vec<Declared>, Vec<Unchecked>) {
    let mut claims = Claims::default();
    let mut declared = Vec::new();
    let run = |field: String, figure: Figure, value: DeclaredValue| {
        Declared::new(Scope::Run(0), file, field, figure, value)
    };
    if let Some(total) = metadata.get("total_test_cases").and_then(f64_from_value) {
        let field = "metadata.total_test_cases".to_owned();
        declared.push(run(field, Figure::Total, DeclaredValue::Number(total)));
    }
    claims.walk(file, metadata, "metadata.", &declared, &|path| match path {
        "timestamp" => Part::Other,
        _ => Part::Open,
    });
    for (case_idx, entry) in entries.iter().enumerate() {
        let field = |name: &str| format!("test_cases[{case_idx}].{name}");
        if let Some(aggregated) = entry.aggregated {
            let score = DeclaredValue::Number(aggregated.score);
            let verdict = DeclaredValue::Text(aggregated.verdict.as_str().to_owned());
            if entry.strategy.is_none() && !entry.is_all_error() {
                // Without a strategy the recorded result is what is shown: nothing to compare it with.
                let why = "the aggregation strategy is not known";
                claims.add(file, "test_cases[].aggregated_result.score", score, why);
                claims.add(file, "test_cases[].aggregated_result.verdict", verdict, why);
            } else {
                let figure = Figure::CaseScore { group: None, case_idx };
                declared.push(run(field("aggregated_result.score"), figure, score));
                let figure = Figure::CaseOutcome { case_idx };
                declared.push(run(field("aggregated_result.verdict"), figure, verdict));
            }
        }
        let n_results = number(entry.results.len() as u64);
        let found = Figure::Found { value: n_results.clone(), at: "length of evaluation_results" };
        if let Some(n_outputs) = entry.n_outputs {
            let field = field("actual_outputs (length)");
            declared.push(run(field, found.clone(), number(n_outputs)));
        }
        if let Some(count) = entry.retry_count {
            let name = "retry_params.count";
            match count.cmp(&(entry.results.len() as u64)) {
                std::cmp::Ordering::Equal => declared.push(run(field(name), found, n_results)),
                order => {
                    let why = if order.is_gt() { FEWER } else { MORE };
                    claims.add(file, &field(name), number(count), why);
                }
            }
        }
    }
    (declared, claims.into_vec())
}

#[expect(clippy::cast_precision_loss, reason = "counts of attempts stay far below 2^53")]
fn number(n: u64) -> DeclaredValue {
    DeclaredValue::Number(n as f64)
}
