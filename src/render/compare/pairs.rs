//! The pairs of two sides, one line each.

use super::CompareContext;
use super::figures::value_words;
use super::matrix::CameShown;
use super::words::{self, DifferenceScale};
use crate::address::{CasePlace, CompareView, Page, Route};
use crate::format::count;
use crate::report::compare::{Came, FilterSays, PairAt, PairLine, PairsPage, Valued};
use crate::report::{Name, RunRef};
use crate::words::ui::compared as said;
use serde::{Deserialize, Serialize};

/// Some pairs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PairsShown {
    /// How many there are in all.
    pub n_all: u64,
    /// The same in words, with what the list is of.
    pub count: String,
    /// What has to be known of the filter.
    pub filter: FilterSays,
    /// Letters of the baseline and the candidate.
    pub letters: [String; 2],
    /// Letters of the other sides.
    pub others: Vec<String>,
    /// What the difference is of: `Pass rate, B − A`.
    pub difference_of: String,
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
    /// How it came out on the other sides; `None`: it is not there.
    pub others: Vec<Option<CameShown>>,
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
    /// What it is worth, where its outcome does not say that.
    pub value: String,
    /// Its score, where it is worth something else.
    pub score: String,
    /// The page of the case.
    pub address: String,
}

/// The pairs as lines. `measure`: what they are worth by; `key`: the name of a case.
pub fn pairs_shown(
    page: &PairsPage,
    measure: Option<&Valued>,
    drawn: &CompareContext<'_>,
    key: &dyn Fn(RunRef, u64) -> Name,
) -> PairsShown {
    let lines = page.lines.iter().map(|line| pair(line, measure, drawn, key));
    let candidate = ('A'..='Z').nth(drawn.view.against.max(1)).unwrap_or('B');
    PairsShown {
        n_all: page.n_all,
        count: count_words(page, drawn.view),
        filter: page.filter.clone(),
        letters: ['A', candidate].map(String::from),
        others: ('B'..='Z')
            .take(drawn.view.sides.len().saturating_sub(1))
            .filter(|letter| *letter != candidate)
            .filter(|_| drawn.view.sides.len() > 2)
            .map(String::from)
            .collect(),
        difference_of: match measure {
            Some(measure) => said::difference_of(&words::name(measure).0, candidate),
            None => said::DIFFERENCE.to_owned(),
        },
        lines: lines.collect(),
    }
}

/// How many pairs are listed, and which.
fn count_words(page: &PairsPage, view: &CompareView) -> String {
    let mut words = match page.n_all < page.n_unfiltered {
        true => said::listed(page.n_all, page.n_unfiltered),
        false => count(page.n_all),
    };
    let list = view.list_words();
    if !list.is_empty() {
        words = [&words, ": ", &list].concat();
    }
    words
}

/// A pair with the ones before and after it.
pub fn pair_shown(
    at: &PairAt,
    measure: Option<&Valued>,
    drawn: &CompareContext<'_>,
    key: &dyn Fn(RunRef, u64) -> Name,
) -> (PairShown, [Option<String>; 2]) {
    let beside = |line: &Option<PairLine>| line.as_ref().map(|line| address(line, drawn, key));
    (pair(&at.line, measure, drawn, key), [beside(&at.previous), beside(&at.next)])
}

fn pair(
    line: &PairLine,
    measure: Option<&Valued>,
    drawn: &CompareContext<'_>,
    key: &dyn Fn(RunRef, u64) -> Name,
) -> PairShown {
    let scale = match measure {
        Some(Valued::PassRate) => DifferenceScale::Points,
        _ => DifferenceScale::Plain,
    };
    let is_rate = measure == Some(&Valued::PassRate);
    let one = |at: Option<(RunRef, u64)>,
               came: Option<Came>,
               value: Option<f64>,
               score: Option<f64>| {
        let (run, row) = at?;
        let case = CasePlace { run, case: key(run, row), at: None, spot: String::new() };
        let route =
            Route { page: Page::Cases, target: drawn.target, case: Some(case), ..Route::default() };
        Some(OneShown {
            came: CameShown::new(came?),
            value: value
                .filter(|value| !is_rate || (*value > 0.0 && *value < 1.0))
                .map_or(String::new(), |value| value_words(measure, value, drawn.look)),
            score: score.filter(|_| is_rate).map_or(String::new(), |score| drawn.look.score(score)),
            address: route.to_hash(drawn.names),
        })
    };
    let words = |number: Option<crate::report::Num>, scale: DifferenceScale| {
        number.map_or(String::new(), |n| scale.with_unit(n.0))
    };
    let place = [line.suite.as_deref(), line.variant.as_deref(), line.group.as_deref()];
    PairShown {
        id: line.id.clone(),
        place: place.into_iter().flatten().collect::<Vec<_>>().join(" / "),
        baseline: one(
            line.baseline,
            line.came.0,
            line.values.map(|values| values.0.0),
            line.scores.0.map(|score| score.0),
        ),
        candidate: one(
            line.candidate,
            line.came.1,
            line.values.map(|values| values.1.0),
            line.scores.1.map(|score| score.0),
        ),
        others: line.others.iter().map(|came| came.map(CameShown::new)).collect(),
        difference: words(line.difference, DifferenceScale::Plain),
        adds: words(line.contribution, scale),
        address: address(line, drawn, key),
    }
}

/// The page of a pair: it is named by its first case.
fn address(
    line: &PairLine,
    drawn: &CompareContext<'_>,
    key: &dyn Fn(RunRef, u64) -> Name,
) -> String {
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
