//! The pairs of two sides, one line each.

use super::Drawn;
use super::figures::value_words;
use super::matrix::CameShown;
use super::words::Scale;
use crate::address::{CasePlace, Page, Route};
use crate::report::compare::{Came, PairAt, PairLine, PairsPage, Valued};
use crate::report::{Name, RunRef};
use serde::{Deserialize, Serialize};

/// Some pairs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PairsShown {
    /// How many there are in all.
    pub n_all: u64,
    /// Those that are shown.
    pub lines: Vec<PairShown>,
}

/// A pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairShown {
    /// Id.
    pub id: String,
    /// Where it belongs: checkpoint, group.
    pub place: String,
    /// How it came out on the baseline; `None`: it is not there.
    pub baseline: Option<OneShown>,
    /// On the candidate.
    pub candidate: Option<OneShown>,
    /// The difference.
    pub difference: String,
    /// What it adds to the whole.
    pub adds: String,
    /// The page of the pair.
    pub address: String,
}

/// A case of a pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OneShown {
    /// How it came out.
    pub came: CameShown,
    /// What it is worth.
    pub value: String,
    /// The page of the case.
    pub address: String,
}

/// The pairs as lines. `measure`: what they are worth by; `key`: the name of a case.
pub fn pairs_shown(
    page: &PairsPage,
    measure: Option<&Valued>,
    drawn: &Drawn<'_>,
    key: &dyn Fn(RunRef, u64) -> Name,
) -> PairsShown {
    let lines = page.lines.iter().map(|line| pair(line, measure, drawn, key));
    PairsShown { n_all: page.n_all, lines: lines.collect() }
}

/// A pair with the ones before and after it.
pub fn pair_shown(
    at: &PairAt,
    measure: Option<&Valued>,
    drawn: &Drawn<'_>,
    key: &dyn Fn(RunRef, u64) -> Name,
) -> (PairShown, [Option<String>; 2]) {
    let beside = |line: &Option<PairLine>| line.as_ref().map(|line| address(line, drawn, key));
    (pair(&at.line, measure, drawn, key), [beside(&at.previous), beside(&at.next)])
}

fn pair(
    line: &PairLine,
    measure: Option<&Valued>,
    drawn: &Drawn<'_>,
    key: &dyn Fn(RunRef, u64) -> Name,
) -> PairShown {
    let scale = match measure {
        Some(Valued::PassRate) => Scale::Points,
        _ => Scale::Plain,
    };
    let one = |at: Option<(RunRef, u64)>, came: Option<Came>, value: Option<f64>| {
        let (run, row) = at?;
        let case = CasePlace { run, case: key(run, row), at: None, spot: String::new() };
        let route =
            Route { page: Page::Cases, target: drawn.target, case: Some(case), ..Route::default() };
        Some(OneShown {
            came: CameShown::new(came?),
            value: value.map_or(String::new(), |value| value_words(measure, value, drawn.look)),
            address: route.to_hash(drawn.names),
        })
    };
    let words = |number: Option<crate::report::Num>, scale: Scale| {
        number.map_or(String::new(), |n| scale.with_unit(n.0))
    };
    let place = [line.suite.as_deref(), line.variant.as_deref(), line.group.as_deref()];
    PairShown {
        id: line.id.clone(),
        place: place.into_iter().flatten().collect::<Vec<_>>().join(" / "),
        baseline: one(line.baseline, line.came.0, line.values.map(|values| values.0.0)),
        candidate: one(line.candidate, line.came.1, line.values.map(|values| values.1.0)),
        difference: words(line.difference, Scale::Plain),
        adds: words(line.contribution, scale),
        address: address(line, drawn, key),
    }
}

/// The page of a pair: it is named by its first case.
fn address(line: &PairLine, drawn: &Drawn<'_>, key: &dyn Fn(RunRef, u64) -> Name) -> String {
    let case = line.baseline.or(line.candidate).map(|(run, row)| CasePlace {
        run,
        case: key(run, row),
        at: None,
        spot: String::new(),
    });
    let compare = drawn.view.clone();
    let route =
        Route { page: Page::Compare, target: drawn.target, case, compare, ..Route::default() };
    route.to_hash(drawn.names)
}
