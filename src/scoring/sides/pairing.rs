//! Which cases of several sides are the same.

use super::cases::has_same_key;
use super::matcher::{ABSENT, Items, mix, mix_text};
use super::{Side, SideCases, SideRun, StripPattern};
use crate::model::{CaseTable, RunKey};
use arrow_array::BooleanArray;
use serde::{Deserialize, Serialize};

/// What makes a case the same on another side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
pub enum PairBy {
    /// Suite, variant, group and id; a number is not the text of it.
    #[default]
    Key,
    /// The id alone.
    Id,
    /// The text of the input.
    Input,
}

impl PairBy {
    /// All, in the order in which they are tried.
    pub const ALL: [Self; 3] = [Self::Key, Self::Id, Self::Input];

    /// The word of exports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Id => "id",
            Self::Input => "input",
        }
    }

    /// The way of this word.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.as_str() == text)
    }
}

/// The cases of several sides, paired: in the order of their first appearance, side by side.
#[derive(Debug, Clone, Default)]
pub struct Pairing {
    /// How.
    pub by: PairBy,
    n_sides: usize,
    /// The case of each side, pair by pair.
    cases: Vec<u32>,
    /// Number of pairs that the baseline, the first side, has with each of the others.
    pub n_matched: Vec<u64>,
}

impl Pairing {
    /// Number of different cases, on whatever side.
    pub fn len(&self) -> usize {
        self.cases.len().checked_div(self.n_sides).unwrap_or(0)
    }

    /// Whether there is no case.
    pub fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    /// Number of `case` on `side`; `None`: it is not there.
    pub fn on(&self, case: usize, side: usize) -> Option<usize> {
        let found = *self.cases.get(case * self.n_sides + side).filter(|_| side < self.n_sides)?;
        (found != ABSENT).then_some(found as usize)
    }

    /// The cases that both sides have: number of the case, its number on either side.
    pub fn both(
        &self,
        left: usize,
        right: usize,
    ) -> impl Iterator<Item = (usize, usize, usize)> + Clone {
        let rows = self.cases.chunks_exact(self.n_sides.max(1)).enumerate();
        rows.filter_map(move |(case, row)| match (row.get(left)?, row.get(right)?) {
            (&ABSENT, _) | (_, &ABSENT) => None,
            (one, two) => Some((case, *one as usize, *two as usize)),
        })
    }

    /// Whether `other` pairs the same cases, in whatever way.
    pub fn has_same_pairs(&self, other: &Self) -> bool {
        self.n_sides == other.n_sides && self.cases == other.cases
    }

    /// Whether the way of pairing finds too little: less than half of the smaller side, on any candidate.
    fn is_poor(&self, sides: &[(&Side<'_>, &SideCases)]) -> bool {
        let Some((_, baseline)) = sides.first() else { return false };
        let others = sides.iter().skip(1).zip(&self.n_matched);
        others.into_iter().any(|((_, cases), n)| {
            let smaller = baseline.len().min(cases.len()) as u64;
            smaller > 0 && *n * 2 < smaller
        })
    }
}

/// Pairs the cases of `sides` by their key; where that pairs less than half of the smaller side, by the id
/// alone, then by the input, whichever first pairs half, else whichever pairs most.
pub fn pair_best(sides: &[(&Side<'_>, &SideCases)], strip: Option<&StripPattern>) -> Pairing {
    let mut best = pair(sides, PairBy::Key, strip);
    if !best.is_poor(sides) {
        return best;
    }
    for by in [PairBy::Id, PairBy::Input] {
        let other = pair(sides, by, strip);
        if other.n_matched.iter().sum::<u64>() > best.n_matched.iter().sum() {
            best = other;
            if !best.is_poor(sides) {
                break;
            }
        }
    }
    best
}

/// Pairs the cases of `sides` in the way `by`, after `strip` was taken out of ids. A key that a side has several
/// times is paired by order.
pub fn pair(
    sides: &[(&Side<'_>, &SideCases)],
    by: PairBy,
    strip: Option<&StripPattern>,
) -> Pairing {
    let n_sides = sides.len();
    if strip.is_none() && by != PairBy::Input && is_row_by_row(sides, by) {
        let n = sides.first().map_or(0, |(_, cases)| cases.len());
        let cases = (0_u32..).take(n).flat_map(|case| std::iter::repeat_n(case, n_sides)).collect();
        let n_matched = vec![n as u64; n_sides.saturating_sub(1)];
        return Pairing { by, n_sides, cases, n_matched };
    }
    let mut found = Pairing { by, n_sides, ..Pairing::default() };
    found.n_matched = vec![0; n_sides.saturating_sub(1)];
    let (mut ends, mut hashes, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    let by_own_hashes = by == PairBy::Key && strip.is_none();
    for (side, cases) in sides {
        let place = |case: usize| {
            let (run, row) = cases.first(case)?;
            Some((side.runs.get(run)?, row))
        };
        if by_own_hashes {
            hashes.extend_from_slice(cases.hashes(side));
        } else {
            let hash = |case| place(case).map_or(0, |(own, row)| hash_of(own, row, by, strip));
            hashes.extend((0..cases.len()).map(hash));
        }
        if by == PairBy::Input {
            // A case of unknown input is the same as no other.
            let is_alone = |case| place(case).is_none_or(|(own, row)| !has_input(own, row));
            alone.extend((0..cases.len()).map(is_alone));
        }
        ends.push(u32::try_from(hashes.len()).unwrap_or(ABSENT));
    }
    let place = |item: u32| {
        let at = ends.partition_point(|end| *end <= item);
        let start = at.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
        let (side, cases) = sides.get(at)?;
        let (run, row) = cases.first((item - start) as usize)?;
        Some((side.runs.get(run)?, row))
    };
    let is_same = |one: u32, two: u32| match (place(one), place(two)) {
        (Some((left, row)), Some((right, other))) => is_same(left, row, right, other, by, strip),
        _ => false,
    };
    let items = Items { ends: &ends, hashes: &hashes, alone: &alone };
    let numbered = items.numbered(is_same);
    found.cases = vec![ABSENT; numbered.n * n_sides];
    let mut start = 0;
    for (at, end) in ends.iter().enumerate() {
        let own = numbered.numbers.get(start..*end as usize).unwrap_or_default();
        for (case, number) in (0_u32..).zip(own) {
            if let Some(cell) = found.cases.get_mut(*number as usize * n_sides + at) {
                *cell = case;
            }
        }
        start = *end as usize;
    }
    for row in found.cases.chunks_exact(n_sides.max(1)) {
        let Some((&first, others)) = row.split_first() else { continue };
        for (n, &other) in found.n_matched.iter_mut().zip(others) {
            *n += u64::from(first != ABSENT && other != ABSENT);
        }
    }
    found
}

/// Whether the same ids stand row by row on all sides, each once, with nothing beside them that tells cases apart: the
/// same cases in the same order are what is compared most.
fn is_row_by_row(sides: &[(&Side<'_>, &SideCases)], by: PairBy) -> bool {
    let Some(first) = sides.first().and_then(|(side, cases)| plain(side, cases)) else {
        return false;
    };
    sides.iter().skip(1).all(|side| {
        plain(side.0, side.1).is_some_and(|(key, table, n_numeric)| {
            let is_same_kind = first.2 == n_numeric
                && first.0.suite == key.suite
                && first.0.variant == key.variant;
            (by == PairBy::Id || is_same_kind) && first.1.id.is_same_text(&table.id)
        })
    })
}

/// The one run of a side whose cases are told apart by their ids alone, and how many of these are numbers: all or none.
fn plain<'a>(side: &Side<'a>, cases: &SideCases) -> Option<(&'a RunKey, &'a CaseTable, usize)> {
    let [only] = side.runs.as_slice() else { return None };
    let table = &only.run.cases;
    let is_plain = cases.duplicates.is_empty()
        && !cases.has_repeats()
        && table.group.array().is_none()
        && table.variant.array().is_none();
    let n_numeric = table.is_numeric_id.array().map_or(0, BooleanArray::true_count);
    (is_plain && (n_numeric == 0 || n_numeric == table.len())).then_some((
        &only.run.key,
        table,
        n_numeric,
    ))
}

fn has_input(own: &SideRun<'_>, row: usize) -> bool {
    own.run.cases.input_hash.get(row).is_some()
}

fn hash_of(own: &SideRun<'_>, row: usize, by: PairBy, strip: Option<&StripPattern>) -> u64 {
    let cases = &own.run.cases;
    let stripped = |hash: u64| {
        let id = cases.id.get(row);
        match (id, strip) {
            (Some(id), Some(strip)) => mix_text(hash, Some(&strip.apply(id))),
            (id, _) => mix_text(hash, id),
        }
    };
    match by {
        PairBy::Input => cases.input_hash.get(row).map_or(0, |input| mix(6, input)),
        PairBy::Id => stripped(1),
        PairBy::Key => {
            let key = &own.run.key;
            let hash = mix_text(mix_text(1, key.suite.as_deref()), key.variant.as_deref());
            let hash = mix_text(mix_text(hash, cases.group.get(row)), cases.variant.get(row));
            stripped(hash)
        }
    }
}

fn is_same(
    one: &SideRun<'_>,
    row: usize,
    two: &SideRun<'_>,
    other: usize,
    by: PairBy,
    strip: Option<&StripPattern>,
) -> bool {
    let (left, right) = (&one.run.cases, &two.run.cases);
    let has_same_id = || match (left.id.get(row), right.id.get(other), strip) {
        (Some(left), Some(right), Some(strip)) => strip.apply(left) == strip.apply(right),
        (left, right, _) => left == right,
    };
    match by {
        PairBy::Key if strip.is_none() => has_same_key(one, row, two, other),
        PairBy::Key => {
            one.run.key.suite == two.run.key.suite
                && one.run.key.variant == two.run.key.variant
                && left.group.get(row) == right.group.get(other)
                && left.variant.get(row) == right.variant.get(other)
                && has_same_id()
        }
        PairBy::Id => has_same_id(),
        PairBy::Input => left.input_hash.get(row) == right.input_hash.get(other),
    }
}
