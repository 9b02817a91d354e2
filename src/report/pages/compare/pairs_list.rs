//! Which pairs of two sides there are, and in which order.

use super::computed::Computed;
use super::parts::part_name;
use super::prepared::PreparedSides;
use super::{Came, Change, PairLine, PairsQuery};
use crate::model::Outcome;
use crate::report::{Num, RunRef};
use crate::scoring::sides::{Inputs, Side, SideCases};
use crate::stats::mean;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::rc::Rc;

/// Differences below this are none.
pub(super) const NOTHING: f64 = 1e-12;

/// Sorts so far that the first `n` are those of the order.
pub(super) fn sort_first(chosen: &mut [ListedPair], n: usize, key: impl Fn(u32) -> f64) {
    let order = |one: &ListedPair, two: &ListedPair| -> Ordering {
        key(one.at)
            .total_cmp(&key(two.at))
            .then(one.at.cmp(&two.at))
            .then(one.cases.cmp(&two.cases))
    };
    let chosen = if n < chosen.len() { chosen.select_nth_unstable_by(n, order).0 } else { chosen };
    chosen.sort_unstable_by(order);
}

/// A pair by its place in the list of pairs and the numbers of its cases; what has no place is no pair that
/// counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListedPair {
    pub(super) at: u32,
    pub(super) cases: (u32, u32),
}

/// No case, or no place.
const NONE: u32 = u32::MAX;

/// The pairs of two sides.
pub(super) struct List<'a> {
    prepared: &'a PreparedSides,
    pub(super) side: usize,
    sides: [&'a Side<'a>; 2],
    pub(super) cases: [&'a SideCases; 2],
    pub(super) refs: [Vec<RunRef>; 2],
    computed: Rc<Computed>,
    /// By place in the list of pairs: the place by the deciding measure.
    deciding: Vec<u32>,
}

impl<'a> List<'a> {
    pub(super) fn new(
        prepared: &'a PreparedSides,
        sides: &'a [Side<'a>],
        computed: Rc<Computed>,
        side: usize,
    ) -> Option<Self> {
        let mut deciding = vec![NONE; computed.pairs.len()];
        let places = computed.deciding.iter().flat_map(|paired| &paired.places);
        for (at, place) in (0_u32..).zip(places) {
            if let Some(cell) = deciding.get_mut(*place as usize) {
                *cell = at;
            }
        }
        Some(Self {
            prepared,
            side,
            sides: [sides.first()?, sides.get(side)?],
            cases: [prepared.cases.first()?, prepared.cases.get(side)?],
            refs: [prepared.refs(0), prepared.refs(side)],
            computed,
            deciding,
        })
    }

    /// The difference of a pair; NaN: it has none.
    pub(super) fn apart(&self, at: u32) -> f64 {
        let own = self.deciding.get(at as usize).map_or(NONE, |own| *own);
        let paired = self.computed.deciding.as_ref();
        paired.and_then(|paired| paired.apart.get(own as usize).copied()).unwrap_or(f64::NAN)
    }

    /// How much better a pair is on the candidate; NaN: it has no difference.
    pub(super) fn gain(&self, at: u32) -> f64 {
        let apart = self.apart(at);
        self.computed.deciding.as_ref().map_or(apart, |paired| paired.gain(apart))
    }

    fn came(&self, (left, right): (u32, u32)) -> (Option<Came>, Option<Came>) {
        let (one, two) = &self.computed.came;
        (one.get(left as usize).copied(), two.get(right as usize).copied())
    }

    /// The pair, or the case alone, that the case in row `row` of `run` is of.
    pub(super) fn of_case(&self, run: RunRef, row: u64) -> Option<ListedPair> {
        let number = |side: usize| -> Option<u32> {
            let refs = self.refs.get(side)?;
            let at = refs.iter().position(|known| *known == run)?;
            let row = usize::try_from(row).ok()?;
            let cases = self.cases.get(side)?;
            let is_it = |case: &usize| {
                cases.trials(*case).iter().any(|trial| cases.place(*trial) == Some((at, row)))
            };
            u32::try_from((0..cases.len()).find(is_it)?).ok()
        };
        let of = |left: Option<u32>, right: Option<u32>| {
            let is_it = |(one, two): &(u32, u32)| {
                left.is_none_or(|left| left == *one) && right.is_none_or(|right| right == *two)
            };
            let at = self.computed.pairs.iter().position(is_it);
            let cases = at.and_then(|at| self.computed.pairs.get(at).copied());
            match (at, cases) {
                (Some(at), Some(cases)) => {
                    ListedPair { at: u32::try_from(at).unwrap_or(NONE), cases }
                }
                _ => ListedPair { at: NONE, cases: (left.unwrap_or(NONE), right.unwrap_or(NONE)) },
            }
        };
        match (number(0), number(1)) {
            (None, None) => None,
            (Some(left), _) => Some(of(Some(left), None)),
            (None, Some(right)) => Some(of(None, Some(right))),
        }
    }

    pub(super) fn chosen(&self, query: &PairsQuery) -> Vec<ListedPair> {
        let pairs = || {
            (0_u32..).zip(&self.computed.pairs).map(|(at, cases)| ListedPair { at, cases: *cases })
        };
        let mut found: Vec<ListedPair> = match query.change {
            Change::Any => pairs().collect(),
            Change::Regressed => pairs().filter(|one| self.gain(one.at) < -NOTHING).collect(),
            Change::Fixed => pairs().filter(|one| self.gain(one.at) > NOTHING).collect(),
            Change::Changed => pairs().filter(|one| self.apart(one.at).abs() > NOTHING).collect(),
            Change::From(from, to) => {
                let wanted = (Some(from), Some(to));
                pairs().filter(|one| self.came(one.cases) == wanted).collect()
            }
            Change::NoResult => pairs()
                .filter(|one| {
                    let (left, right) = self.came(one.cases);
                    lacks_result(left) || lacks_result(right)
                })
                .collect(),
            Change::LeftOut => pairs().filter(|one| self.apart(one.at).is_nan()).collect(),
            Change::OtherInput => self.other_inputs(),
            Change::Repeated => self.repeated(),
            Change::OnlyBaseline => self.alone(0),
            Change::OnlyCandidate => self.alone(1),
        };
        if let Some((by, name)) = &query.within {
            found.retain(|one| {
                let (side, case) = one.place();
                let own = self.sides.get(side).zip(self.cases.get(side));
                own.is_some_and(|(side, cases)| {
                    part_name(side, cases, case as usize, *by).unwrap_or_default() == name
                })
            });
        }
        if query.is_different {
            found.retain(|one| {
                let (left, right) = self.came(one.cases);
                self.apart(one.at).abs() > NOTHING || left != right
            });
        }
        found
    }

    /// Whether the cases of `one` have another input or expected answer.
    pub(super) fn is_other_input(&self, one: ListedPair) -> bool {
        let [inputs, others] = self.inputs();
        inputs.differ(one.cases.0 as usize, &others, one.cases.1 as usize) == Some(true)
    }

    fn inputs(&self) -> [Inputs<'_>; 2] {
        let ([one, two], [cases, others]) = (self.sides, self.cases);
        [Inputs::new(one, cases), Inputs::new(two, others)]
    }

    /// The cases that have no pair.
    pub(super) fn lone(&self) -> impl Iterator<Item = ListedPair> {
        self.alone(0).into_iter().chain(self.alone(1))
    }

    /// Pairs with another input or expected answer, counted or not.
    fn other_inputs(&self) -> Vec<ListedPair> {
        let [inputs, others] = self.inputs();
        let counted: HashSet<(u32, u32)> = self.computed.pairs.iter().copied().collect();
        let mut place = 0_u32;
        let mut found = Vec::new();
        for (_, case, other) in self.prepared.pairing.both(0, self.side) {
            let number = |case: usize| u32::try_from(case).unwrap_or(NONE);
            let pair = (number(case), number(other));
            let is_counted = counted.contains(&pair);
            if inputs.differ(case, &others, other) == Some(true) {
                found.push(ListedPair { at: if is_counted { place } else { NONE }, cases: pair });
            }
            place += u32::from(is_counted);
        }
        found
    }

    /// Pairs, and cases alone, under an id that stands before on their side.
    fn repeated(&self) -> Vec<ListedPair> {
        let of = |side: usize| -> HashSet<u32> {
            self.cases.get(side).map(|cases| cases.duplicates().collect()).unwrap_or_default()
        };
        let (one, two) = (of(0), of(1));
        let is_repeated = |cases: (u32, u32)| one.contains(&cases.0) || two.contains(&cases.1);
        let pairs =
            (0_u32..).zip(&self.computed.pairs).map(|(at, cases)| ListedPair { at, cases: *cases });
        pairs.chain(self.lone()).filter(|one| is_repeated(one.cases)).collect()
    }

    /// The cases that only one side has.
    fn alone(&self, side: usize) -> Vec<ListedPair> {
        let Some(cases) = self.cases.get(side) else { return Vec::new() };
        let mut is_paired = vec![false; cases.len()];
        for (_, left, right) in self.prepared.pairing.both(0, self.side) {
            if let Some(cell) = is_paired.get_mut(if side == 0 { left } else { right }) {
                *cell = true;
            }
        }
        let alone = (0_u32..).zip(is_paired).filter(|(_, is_paired)| !is_paired);
        let one = |case: u32| if side == 0 { (case, NONE) } else { (NONE, case) };
        alone.map(|(case, _)| ListedPair { at: NONE, cases: one(case) }).collect()
    }

    /// The first trial of a case: its run, what that is called, its row.
    fn first(&self, side: usize, case: u32) -> Option<(&crate::model::Run, RunRef, usize)> {
        let (run, row) = self.cases.get(side)?.first(case as usize)?;
        let own = self.sides.get(side)?.runs.get(run)?;
        Some((own.run, *self.refs.get(side)?.get(run)?, row))
    }

    /// The mean of the scores that the trials of a case have.
    fn score(&self, side: usize, case: u32) -> Option<Num> {
        let (own, cases) = (self.sides.get(side)?, self.cases.get(side)?);
        let scores = cases.trials(case as usize).iter().filter_map(|trial| {
            let (run, row) = cases.place(*trial)?;
            own.runs.get(run)?.run.cases.score.get(row)
        });
        mean(scores).map(Num)
    }

    pub(super) fn line(&self, one: ListedPair) -> Option<PairLine> {
        let (side, case) = one.place();
        let (run, _, row) = self.first(side, case)?;
        let place = |side: usize, case: u32| {
            let (_, at, row) = self.first(side, case).filter(|_| case != NONE)?;
            Some((at, row as u64))
        };
        let paired = self.computed.deciding.as_ref();
        let own = self.deciding.get(one.at as usize).map_or(NONE, |own| *own) as usize;
        let values = paired.and_then(|paired| {
            Some((Num(*paired.baseline.get(own)?), Num(*paired.candidate.get(own)?)))
        });
        let difference = Some(self.apart(one.at)).filter(|apart| !apart.is_nan());
        #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
        let n = paired.map_or(f64::NAN, |paired| paired.apart.len() as f64);
        Some(PairLine {
            id: run.cases.id.get(row).unwrap_or_default().to_owned(),
            group: run.cases.group.get(row).map(str::to_owned),
            suite: run.key.suite.clone(),
            variant: run.cases.variant.get(row).map(str::to_owned).or(run.key.variant.clone()),
            baseline: place(0, one.cases.0),
            candidate: place(1, one.cases.1),
            came: self.came(one.cases),
            others: Vec::new(),
            scores: (self.score(0, one.cases.0), self.score(1, one.cases.1)),
            values,
            difference: difference.map(Num),
            contribution: difference.map(|apart| Num(apart / n)),
        })
    }
}

impl ListedPair {
    /// Whether there is a case on the baseline, and on the candidate.
    pub(super) fn is_on(self) -> [bool; 2] {
        [self.cases.0 != NONE, self.cases.1 != NONE]
    }

    /// The side and the number of the case that stands for it.
    fn place(self) -> (usize, u32) {
        match self.cases {
            (NONE, right) => (1, right),
            (left, _) => (0, left),
        }
    }
}

/// Whether a case has no proper result.
pub(super) fn lacks_result(came: Option<Came>) -> bool {
    matches!(came, Some(Came::Out(Outcome::Error | Outcome::Skipped | Outcome::Unscored)))
}
