//! What pairing left out, counted.

use super::{PairBy, Pairing, Side, SideCases};
use serde::{Deserialize, Serialize};

/// What was paired and what was not. The cases of a side are `n_pairs` and those that it alone has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audit {
    /// How cases were paired.
    pub by: PairBy,
    /// Number of pairs.
    pub n_pairs: u64,
    /// Cases of the baseline alone.
    pub only_baseline: u64,
    /// Cases of the candidate alone.
    pub only_candidate: u64,
    /// Of the pairs, those with another input or expected answer.
    pub changed: u64,
    /// Of the pairs, those whose input or expected answer is known on both sides.
    pub n_known_inputs: u64,
    /// Cases of either side whose key stands on it before; they are paired by order.
    pub duplicates: u64,
    /// Of the pairs, those that no measure counts: the rules in force leave them out, or a switch does.
    pub left_out: u64,
}

/// Of the pairs of side `left`, the baseline, and side `right`. [`Audit::left_out`] stays 0.
pub fn audit(
    sides: &[(&Side<'_>, &SideCases)],
    pairing: &Pairing,
    left: usize,
    right: usize,
) -> Audit {
    let (Some((one, cases)), Some((two, others))) = (sides.get(left), sides.get(right)) else {
        return Audit::default();
    };
    let mut found = Audit {
        by: pairing.by,
        duplicates: (cases.duplicates.len() + others.duplicates.len()) as u64,
        ..Audit::default()
    };
    let has_inputs = |side: &Side<'_>| side.runs.iter().any(|own| own.run.cases.has_asked());
    let are_known = has_inputs(one) && has_inputs(two);
    for (_, case, other) in pairing.both(left, right) {
        found.n_pairs += 1;
        if are_known && let Some(is_changed) = is_changed(one, cases, case, two, others, other) {
            found.n_known_inputs += 1;
            found.changed += u64::from(is_changed);
        }
    }
    found.only_baseline = cases.len() as u64 - found.n_pairs;
    found.only_candidate = others.len() as u64 - found.n_pairs;
    found
}

/// Whether a pair has another input or expected answer; `None`: it is not known of both.
pub(crate) fn is_changed(
    one: &Side<'_>,
    cases: &SideCases,
    case: usize,
    two: &Side<'_>,
    others: &SideCases,
    other: usize,
) -> Option<bool> {
    let asked = |side: &Side<'_>, cases: &SideCases, case: usize| {
        let (run, row) = cases.first(case)?;
        Some(side.runs.get(run)?.run.cases.asked_of(row))
    };
    let (left, right) = (asked(one, cases, case)?, asked(two, others, other)?);
    let differ = |one: Option<u64>, other: Option<u64>| Some(one? != other?);
    let (input, expected) =
        (differ(left.input, right.input), differ(left.expected, right.expected));
    // An expected answer alone, where no file says what was asked, tells as much.
    input.or(expected).map(|_| input == Some(true) || expected == Some(true))
}
