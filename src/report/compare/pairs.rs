//! The pairs of two sides, one by one.

use super::computed::Computed;
use super::prepared::{Prepared, prepare};
use super::{Came, CompareQuery};
use crate::report::{Num, RunRef};
use crate::scoring::sides::{Side, SideCases};
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

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
}

/// Pairs that are asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairsQuery {
    /// Place of the candidate among the sides.
    pub side: usize,
    /// Which.
    pub change: Change,
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

/// A pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairLine {
    /// Id on the baseline.
    pub id: String,
    /// Group, where it has one.
    pub group: Option<String>,
    /// Suite of its run.
    pub suite: Option<String>,
    /// Part of the suite that its run is about.
    pub variant: Option<String>,
    /// Run and row of its first trial on the baseline.
    pub baseline: (RunRef, u64),
    /// Run and row of its first trial on the candidate.
    pub candidate: (RunRef, u64),
    /// How it came out on either side.
    pub came: (Came, Came),
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
    let prepared = prepare(workspace, of)?;
    let sides = prepared.sides(workspace);
    let computed = prepared.computed(workspace, &sides, query.side, of.without_changed)?;
    let list = List::new(&prepared, &sides, computed, query.side)?;
    let mut chosen = list.chosen(query.change);
    match query.order {
        PairOrder::AsPaired => {}
        PairOrder::WorstFirst => {
            chosen.sort_by(|one, two| list.apart(*one).total_cmp(&list.apart(*two)));
        }
        PairOrder::BestFirst => {
            // Pairs without a difference stay last.
            let key = |at: u32| -list.apart(at);
            chosen.sort_by(|one, two| key(*one).total_cmp(&key(*two)));
        }
    }
    let shown = chosen.iter().skip(query.start).take(query.n);
    Some(PairsPage {
        n_all: chosen.len() as u64,
        lines: shown.filter_map(|at| list.line(*at)).collect(),
    })
}

/// The pairs of two sides.
struct List<'a> {
    sides: [&'a Side<'a>; 2],
    cases: [&'a SideCases; 2],
    refs: [Vec<RunRef>; 2],
    computed: Rc<Computed>,
    /// By place in the list of pairs: the place by the deciding measure.
    deciding: Vec<u32>,
}

impl<'a> List<'a> {
    fn new(
        prepared: &'a Prepared,
        sides: &'a [Side<'a>],
        computed: Rc<Computed>,
        side: usize,
    ) -> Option<Self> {
        let mut deciding = vec![u32::MAX; computed.pairs.len()];
        let places = computed.deciding.iter().flat_map(|paired| &paired.places);
        for (at, place) in (0_u32..).zip(places) {
            if let Some(cell) = deciding.get_mut(*place as usize) {
                *cell = at;
            }
        }
        Some(Self {
            sides: [sides.first()?, sides.get(side)?],
            cases: [prepared.cases.first()?, prepared.cases.get(side)?],
            refs: [prepared.refs(0), prepared.refs(side)],
            computed,
            deciding,
        })
    }

    /// The difference of a pair; NaN: it has none.
    fn apart(&self, at: u32) -> f64 {
        let own = self.deciding.get(at as usize).map_or(u32::MAX, |own| *own);
        let paired = self.computed.deciding.as_ref();
        paired.and_then(|paired| paired.apart.get(own as usize).copied()).unwrap_or(f64::NAN)
    }

    fn came(&self, at: u32) -> Option<(Came, Came)> {
        let (left, right) = self.computed.pairs.get(at as usize)?;
        let (one, two) = &self.computed.came;
        Some((*one.get(*left as usize)?, *two.get(*right as usize)?))
    }

    fn chosen(&self, change: Change) -> Vec<u32> {
        let n = u32::try_from(self.computed.pairs.len()).unwrap_or(u32::MAX);
        let is_chosen = |at: &u32| match change {
            Change::Any => true,
            Change::Regressed => self.apart(*at) < -1e-12,
            Change::Fixed => self.apart(*at) > 1e-12,
            Change::Changed => self.apart(*at).abs() > 1e-12,
            Change::From(from, to) => self.came(*at) == Some((from, to)),
        };
        (0..n).filter(is_chosen).collect()
    }

    fn line(&self, at: u32) -> Option<PairLine> {
        let (left, right) = *self.computed.pairs.get(at as usize)?;
        let place = |side: usize, case: u32| {
            let (run, row) = self.cases.get(side)?.first(case as usize)?;
            let own = self.sides.get(side)?.runs.get(run)?;
            let at = *self.refs.get(side)?.get(run)?;
            Some((own.run, at, row))
        };
        let (run, at_left, row) = place(0, left)?;
        let (_, at_right, other) = place(1, right)?;
        let paired = self.computed.deciding.as_ref();
        let own = *self.deciding.get(at as usize)? as usize;
        let values = paired.and_then(|paired| {
            Some((Num(*paired.baseline.get(own)?), Num(*paired.candidate.get(own)?)))
        });
        let difference = Some(self.apart(at)).filter(|apart| !apart.is_nan());
        #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
        let n = paired.map_or(f64::NAN, |paired| paired.apart.len() as f64);
        Some(PairLine {
            id: run.cases.id.get(row).unwrap_or_default().to_owned(),
            group: run.cases.group.get(row).map(str::to_owned),
            suite: run.key.suite.clone(),
            variant: run.key.variant.clone(),
            baseline: (at_left, row as u64),
            candidate: (at_right, other as u64),
            came: self.came(at)?,
            values,
            difference: difference.map(Num),
            contribution: difference.map(|apart| Num(apart / n)),
        })
    }
}
