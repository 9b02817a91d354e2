//! What pairing left out, counted.

use super::{PairBy, Pairing, Side, SideCases, SideRun};
use crate::model::FixedCells;
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
    let (left_inputs, right_inputs) = (Inputs::new(one, cases), Inputs::new(two, others));
    for (_, case, other) in pairing.both(left, right) {
        found.n_pairs += 1;
        if are_known && let Some(is_changed) = left_inputs.differ(case, &right_inputs, other) {
            found.n_known_inputs += 1;
            found.changed += u64::from(is_changed);
        }
    }
    found.only_baseline = cases.len() as u64 - found.n_pairs;
    found.only_candidate = others.len() as u64 - found.n_pairs;
    found
}

/// What the cases of a side were asked.
pub(crate) struct Inputs<'a> {
    cases: &'a SideCases,
    /// By run: hashes of inputs and of expected answers.
    runs: Vec<[FixedCells<'a, u64>; 2]>,
}

impl<'a> Inputs<'a> {
    /// Of `side`, whose cases are `cases`.
    pub(crate) fn new(side: &Side<'a>, cases: &'a SideCases) -> Self {
        let of_run = |own: &SideRun<'a>| {
            let table = &own.run.cases;
            [table.input_hash.cells(), table.expected_hash.cells()]
        };
        Self { cases, runs: side.runs.iter().map(of_run).collect() }
    }

    fn of(&self, case: usize) -> Option<[Option<u64>; 2]> {
        let (run, row) = self.cases.first(case)?;
        Some(self.runs.get(run)?.map(|hashes| hashes.get(row)))
    }

    /// Whether `case` and case `other` of another side have another input or expected answer; `None`: it is not
    /// known of both.
    pub(crate) fn differ(&self, case: usize, others: &Self, other: usize) -> Option<bool> {
        let ([input, expected], [other_input, other_expected]) =
            (self.of(case)?, others.of(other)?);
        let differ = |one: Option<u64>, other: Option<u64>| Some(one? != other?);
        let (input, expected) = (differ(input, other_input), differ(expected, other_expected));
        // An expected answer alone, where no file says what was asked, tells as much.
        input.or(expected).map(|_| input == Some(true) || expected == Some(true))
    }
}
