//! What a report states about its own totals.
//!
//! Source: `rebel.models.evaluation`. Each entry repeats its number of attempts three times: as
//! planned (`retry_params.count`), as answers (`actual_outputs`) and as judgements
//! (`evaluation_results`). The last two go together; the first may be more, since a failed request
//! leaves no record, or less, since groups of equal names are merged.

use super::PlacedEntry;
use crate::input::json::f64_from_value;
use crate::model::{Declared, DeclaredValue, Figure, Scope, Unchecked};
use crate::readers::unchecked_claims::{Claims, Part};
use crate::scoring::Judged;
use serde_json::Value;
use std::cmp::Ordering;
use std::rc::Rc;

/// Up to how many entries of a report every recorded figure is listed; beyond, only those that
/// differ.
const ENTRIES_LISTED: usize = 5_000;

const FEWER: &str =
    "fewer attempts are recorded than were planned: failed requests leave no record";
const UNCLEAR: &str = "the number of results is neither that of the outputs nor that of metrics × outputs, \
    so that nothing tells which attempt each belongs to";
const MORE: &str =
    "more attempts are recorded than were planned: groups of equal names were merged";

/// Every figure of the report in `file`, and what cannot be checked.
pub(super) fn of(
    file: &Rc<str>,
    metadata: &Value,
    entries: &[PlacedEntry<'_>],
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
    let is_long = entries.len() > ENTRIES_LISTED;
    for (case_idx, PlacedEntry { entry, layout, .. }) in entries.iter().enumerate() {
        let field = |name: &str| format!("test_cases[{case_idx}].{name}");
        let n_attempts = layout.n_attempts;
        if let Some(aggregated) = entry.aggregated {
            let score = DeclaredValue::Number(aggregated.score);
            let verdict = DeclaredValue::Text(aggregated.verdict.as_str().to_owned());
            if entry.strategy.is_none() && !entry.is_all_error() {
                // The recorded result is what is shown: there is nothing to compare it with.
                let why = "the aggregation strategy is not known";
                claims.add(file, "test_cases[].aggregated_result.score", score, why);
                claims.add(file, "test_cases[].aggregated_result.verdict", verdict, why);
            } else if !is_long || !entry.judged().is_some_and(|own| is_same(own, aggregated)) {
                let figure = Figure::CaseScore { group: None, case_idx };
                declared.push(run(field("aggregated_result.score"), figure, score));
                let figure = Figure::CaseOutcome { case_idx };
                declared.push(run(field("aggregated_result.verdict"), figure, verdict));
            }
        }
        let at = if layout.n_metrics > 1 {
            format!("length of evaluation_results / {} metrics", layout.n_metrics)
        } else {
            "length of evaluation_results".to_owned()
        };
        let found = Figure::Found { value: number(n_attempts), at: at.into() };
        if let Some(n_outputs) = entry.n_outputs.filter(|n| !is_long || *n != n_attempts) {
            let field = field("actual_outputs (length)");
            if layout.is_unclear {
                claims.add(file, &field, number(n_outputs), UNCLEAR);
            } else {
                declared.push(run(field, found.clone(), number(n_outputs)));
            }
        }
        if let Some(count) = entry.retry_count {
            let name = "retry_params.count";
            match count.cmp(&n_attempts) {
                Ordering::Equal if is_long => {}
                Ordering::Equal => declared.push(run(field(name), found, number(count))),
                _ if layout.is_unclear => claims.add(file, &field(name), number(count), UNCLEAR),
                order => {
                    let field = if is_long { format!("test_cases[].{name}") } else { field(name) };
                    let why = if order.is_gt() { FEWER } else { MORE };
                    claims.add(file, &field, number(count), why);
                }
            }
        }
    }
    (declared, claims.into_vec())
}

/// Whether two results are the same to the bit; any NaN is the same.
fn is_same(left: Judged, right: Judged) -> bool {
    let is_nan = left.score.is_nan() && right.score.is_nan();
    left.verdict == right.verdict && (is_nan || left.score.to_bits() == right.score.to_bits())
}

#[expect(clippy::cast_precision_loss, reason = "counts of attempts stay far below 2^53")]
fn number(n: u64) -> DeclaredValue {
    DeclaredValue::Number(n as f64)
}
