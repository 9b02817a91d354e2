//! The pairs of two sides, one by one, and what has no pair.

use super::pairs_filter::PairFilter;
use super::pairs_list::{List, ListedPair, sort_first};
use super::pairs_others::on_others;
use super::parts::PartBy;
use super::prepared::{PreparedSides, prepare};
use super::{Came, CompareQuery};
use crate::report::filter::FilterError;
use crate::report::{Num, RunRef};
use crate::scoring::sides::Side;
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};

/// In which order pairs are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PairOrder {
    /// Largest loss first.
    #[default]
    WorstFirst,
    /// Largest gain first.
    BestFirst,
    /// Largest difference first, loss or gain.
    LargestFirst,
    /// As the baseline has them.
    AsPaired,
}

/// Which pairs are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// All.
    #[default]
    Any,
    /// Worse on the candidate.
    Regressed,
    /// Better.
    Fixed,
    /// Worth another value.
    Changed,
    /// So on the baseline, and so on the candidate.
    From(Came, Came),
    /// With another input or expected answer.
    OtherInput,
    /// With an error, a skipped or an unscored case on a side.
    NoResult,
    /// That no measure counts.
    LeftOut,
    /// Under an id that stands before on a side.
    Repeated,
    /// No pairs: the cases of the baseline alone.
    OnlyBaseline,
    /// No pairs: the cases of the candidate alone.
    OnlyCandidate,
}

/// Pairs that are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairsQuery {
    /// Place of the candidate among the sides.
    pub side: usize,
    /// Which.
    pub change: Change,
    /// Only those of this part.
    pub within: Option<(PartBy, String)>,
    /// Only those of which the value or the outcome differs.
    pub is_different: bool,
    /// Only those that this filter keeps; empty: all.
    pub filter: String,
    /// In which order.
    pub order: PairOrder,
    /// Whether it is also asked how each came out on all other sides.
    pub has_others: bool,
    /// The first one, 0-based.
    pub start: usize,
    /// How many.
    pub n: usize,
}

/// Some pairs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PairsPage {
    /// How many there are in all.
    pub n_all: u64,
    /// How many there are without the filter.
    pub n_unfiltered: u64,
    /// Those that were asked for.
    pub lines: Vec<PairLine>,
    /// What has to be known of the filter.
    pub filter: FilterSays,
}

/// What has to be known of a filter of pairs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilterSays {
    /// Why it cannot be read and is not applied.
    pub error: Option<FilterError>,
    /// As it was probably meant.
    pub by_value: Option<String>,
    /// Texts that it looks for in files that have not been searched for them: that part is not applied.
    pub unsearched: Vec<String>,
}

impl PairOrder {
    /// What pairs with the difference `apart` (NaN: none), which is better by `gain`, are sorted by.
    fn key(self, apart: f64, gain: f64) -> f64 {
        let key = match self {
            Self::AsPaired => 0.0,
            Self::WorstFirst => gain,
            Self::BestFirst => -gain,
            Self::LargestFirst => -apart.abs(),
        };
        // Those without a difference stay last.
        if key.is_nan() { f64::INFINITY } else { key }
    }

    /// Sorts so far that the first `n` are those of the order.
    fn sort(self, list: &List<'_>, chosen: &mut [ListedPair], n: usize) {
        if self != Self::AsPaired {
            sort_first(chosen, n, |at| self.key(list.apart(at), list.gain(at)));
        }
    }
}

/// The pairs that `query` asks for in no order, how many there were without the filter, and what has to be
/// known of that.
fn filtered(
    workspace: &Workspace,
    list: &List<'_>,
    query: &PairsQuery,
) -> (Vec<ListedPair>, u64, FilterSays) {
    let mut found = list.chosen(query);
    let n_unfiltered = found.len() as u64;
    if query.filter.trim().is_empty() {
        return (found, n_unfiltered, FilterSays::default());
    }
    let says = match PairFilter::new(workspace, list, &query.filter) {
        Some(Ok(filter)) => {
            if query.change == Change::Any && filter.asks_for_lone() {
                found.extend(list.lone());
            }
            filter.keep(list, &mut found);
            let (by_value, unsearched) = (filter.by_value(), filter.unsearched());
            FilterSays { error: None, by_value, unsearched }
        }
        Some(Err(error)) => FilterSays { error: Some(error), ..FilterSays::default() },
        None => FilterSays::default(),
    };
    (found, n_unfiltered, says)
}

/// A pair, or a case that has none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairLine {
    /// Id on the baseline, or where the case is.
    pub id: String,
    /// Group, where it has one.
    pub group: Option<String>,
    /// Suite of its run.
    pub suite: Option<String>,
    /// Part of the suite that its run is about.
    pub variant: Option<String>,
    /// Run and row of its first trial on the baseline; `None`: it is not there.
    pub baseline: Option<(RunRef, u64)>,
    /// Run and row of its first trial on the candidate.
    pub candidate: Option<(RunRef, u64)>,
    /// How it came out on either side.
    pub came: (Option<Came>, Option<Came>),
    /// How it came out on the other sides, where that was asked; `None`: it is not there.
    pub others: Vec<Option<Came>>,
    /// Its score on either side: the mean over the trials that have one.
    pub scores: (Option<Num>, Option<Num>),
    /// Its values by the deciding measure. `None`: a side has none.
    pub values: Option<(Num, Num)>,
    /// Candidate less baseline.
    pub difference: Option<Num>,
    /// What it adds to the whole difference.
    pub contribution: Option<Num>,
}

/// The pairs that `query` asks for, of the comparison `of`.
pub fn compare_pairs(
    workspace: &Workspace,
    of: &CompareQuery,
    query: &PairsQuery,
) -> Option<PairsPage> {
    with_list(workspace, of, query.side, |list, prepared, sides| {
        let (mut chosen, n_unfiltered, filter) = filtered(workspace, list, query);
        let end = query.start.saturating_add(query.n);
        query.order.sort(list, &mut chosen, end);
        let shown = chosen.get(query.start.min(chosen.len())..end.min(chosen.len()));
        let shown = shown.unwrap_or_default();
        let mut lines: Vec<PairLine> = shown.iter().filter_map(|one| list.line(*one)).collect();
        if query.has_others && sides.len() > 2 && lines.len() == shown.len() {
            let found = on_others(workspace, prepared, sides, of, (query.side, shown));
            for (line, others) in lines.iter_mut().zip(found) {
                line.others = others;
            }
        }
        PairsPage { n_all: chosen.len() as u64, n_unfiltered, lines, filter }
    })
}

/// The pair of the case in row `row` of `run`, whichever of the sides that is of, with its place in the list
/// that `query` asks for, and the pairs before and after it there.
pub fn compare_pair(
    workspace: &Workspace,
    of: &CompareQuery,
    query: &PairsQuery,
    (run, row): (RunRef, u64),
) -> Option<PairAt> {
    with_list(workspace, of, query.side, |list, _, _| {
        let own = list.of_case(run, row)?;
        let (mut chosen, ..) = filtered(workspace, list, query);
        query.order.sort(list, &mut chosen, usize::MAX);
        let at = chosen.iter().position(|one| one.cases == own.cases);
        let beside = |at: Option<usize>| list.line(*chosen.get(at?)?);
        Some(PairAt {
            line: list.line(own)?,
            previous: beside(at.and_then(|at| at.checked_sub(1))),
            next: beside(at.map(|at| at + 1)),
            at: at.map(|at| at as u64),
            n_all: chosen.len() as u64,
        })
    })?
}

/// A pair and its place in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairAt {
    /// The pair.
    pub line: PairLine,
    /// The one before.
    pub previous: Option<PairLine>,
    /// The one after.
    pub next: Option<PairLine>,
    /// Its place, 0-based; `None`: the list does not hold it.
    pub at: Option<u64>,
    /// Length of the list.
    pub n_all: u64,
}

fn with_list<T>(
    workspace: &Workspace,
    of: &CompareQuery,
    side: usize,
    make: impl FnOnce(&List<'_>, &PreparedSides, &[Side<'_>]) -> T,
) -> Option<T> {
    let prepared = prepare(workspace, of)?;
    let sides = prepared.sides(workspace);
    let computed = prepared.computed(workspace, &sides, side, of.without_changed)?;
    Some(make(&List::new(&prepared, &sides, computed, side)?, &prepared, &sides))
}
