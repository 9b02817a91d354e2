//! The pairs of two sides, one by one, and what has no pair.

use super::pairs_list::{List, sort_first};
use super::parts::PartBy;
use super::prepared::prepare;
use super::{Came, CompareQuery};
use crate::report::{Num, RunRef};
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
    /// As the baseline has them.
    AsPaired,
}

/// Which pairs are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// All.
    #[default]
    Any,
    /// Worth less on the candidate.
    Regressed,
    /// Worth more.
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
    /// Only those whose id holds this text; empty: all.
    pub find: String,
    /// In which order.
    pub order: PairOrder,
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
    /// Those that were asked for.
    pub lines: Vec<PairLine>,
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
    with_list(workspace, of, query.side, |list| {
        let mut chosen = list.chosen(query);
        let end = query.start.saturating_add(query.n);
        match query.order {
            PairOrder::AsPaired => {}
            PairOrder::WorstFirst => sort_first(&mut chosen, end, |at| list.apart(at)),
            // Pairs without a difference stay last.
            PairOrder::BestFirst => sort_first(&mut chosen, end, |at| -list.apart(at)),
        }
        let shown = chosen.iter().skip(query.start).take(query.n);
        PairsPage {
            n_all: chosen.len() as u64,
            lines: shown.filter_map(|one| list.line(*one)).collect(),
        }
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
    with_list(workspace, of, query.side, |list| {
        let own = list.of_case(run, row)?;
        let mut chosen = list.chosen(query);
        match query.order {
            PairOrder::AsPaired => {}
            PairOrder::WorstFirst => sort_first(&mut chosen, usize::MAX, |at| list.apart(at)),
            PairOrder::BestFirst => sort_first(&mut chosen, usize::MAX, |at| -list.apart(at)),
        }
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
    make: impl FnOnce(&List<'_>) -> T,
) -> Option<T> {
    let prepared = prepare(workspace, of)?;
    let sides = prepared.sides(workspace);
    let computed = prepared.computed(workspace, &sides, side, of.without_changed)?;
    Some(make(&List::new(&prepared, &sides, computed, side)?))
}
