//! Outcomes on the baseline against outcomes on the candidate.

use super::CompareContext;
use crate::address::CompareView;
use crate::format::count;
use crate::order::Order as _;
use crate::report::Outcome;
use crate::report::compare::{Came, Change, Transition, Versus};
use serde::{Deserialize, Serialize};

/// How many pairs came out in each way.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MatrixShown {
    /// Outcomes on the candidate.
    pub columns: Vec<CameShown>,
    /// Outcomes on the baseline, with a cell for each column; `None`: no pair.
    pub rows: Vec<(CameShown, Vec<Option<CellShown>>, String)>,
    /// Pairs of each column.
    pub sums: Vec<String>,
    /// All pairs.
    pub all: String,
}

/// How cases came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CameShown {
    /// Of which the shape is drawn; `None`: not the same in all trials.
    pub outcome: Option<Outcome>,
    /// Its word.
    pub word: String,
}

/// Pairs of one cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CellShown {
    /// How many.
    pub n: String,
    /// What they are.
    pub kind: CellKind,
    /// The list of them.
    pub address: String,
}

/// What the pairs of a cell are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CellKind {
    /// As before.
    Same,
    /// They passed, and do not any more.
    Regressed,
    /// They pass now.
    Fixed,
    /// Something else.
    Other,
}

impl CameShown {
    pub(super) fn new(came: Came) -> Self {
        let outcome = match came {
            Came::Out(outcome) => Some(outcome),
            Came::Mixed => None,
        };
        Self { outcome, word: came.as_str().to_owned() }
    }
}

/// How good an outcome is: what passed in some trials lies between.
fn rank(came: Came) -> u8 {
    match came {
        Came::Out(Outcome::Passed) => 2,
        Came::Mixed => 1,
        Came::Out(_) => 0,
    }
}

pub(super) fn matrix(versus: &Versus, drawn: &CompareContext<'_>) -> MatrixShown {
    let sorted = |of: fn(&Transition) -> Came| {
        let mut found: Vec<Came> = versus.transitions.iter().map(of).collect();
        found.order_by_key(|came| (place(*came), *came));
        found.dedup();
        found
    };
    let (rows, columns) = (sorted(|one| one.from), sorted(|one| one.to));
    let n = |is_it: &dyn Fn(&&Transition) -> bool| -> u64 {
        versus.transitions.iter().filter(is_it).map(|one| one.n).sum()
    };
    let row = |from: &Came| {
        let cells = columns.iter().map(|to| {
            let n = n(&|one| one.from == *from && one.to == *to);
            let change = Change::From(*from, *to);
            let kind = match (rank(*from), rank(*to)) {
                _ if from == to => CellKind::Same,
                (from, to) if from > to => CellKind::Regressed,
                (from, to) if from < to => CellKind::Fixed,
                _ => CellKind::Other,
            };
            (n > 0).then(|| CellShown {
                n: count(n),
                kind,
                address: drawn.address(|view| *view = CompareView::of_change(view, change)),
            })
        });
        (CameShown::new(*from), cells.collect(), count(n(&|one| one.from == *from)))
    };
    MatrixShown {
        rows: rows.iter().map(row).collect(),
        sums: columns.iter().map(|to| count(n(&|one| one.to == *to))).collect(),
        columns: columns.into_iter().map(CameShown::new).collect(),
        all: count(n(&|_| true)),
    }
}

/// Where an outcome stands in the matrix.
fn place(came: Came) -> u8 {
    match came {
        Came::Out(Outcome::Passed) => 0,
        Came::Mixed => 1,
        Came::Out(Outcome::Failed) => 2,
        Came::Out(Outcome::Error) => 3,
        Came::Out(Outcome::Scored) => 4,
        Came::Out(_) => 5,
    }
}
