//! Three sides or more: who is first?

use super::measures::{ends, gain};
use super::prepared::prepare;
use super::{CompareQuery, SideLine};
use crate::order::Order as _;
use crate::report::Num;
use crate::scoring::sides::{BetterDirection, Valued, Values, values, way};
use crate::stats;
use crate::stats::paired::{PairedTable, differences, holm, letters, ranking, sign_flip};
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};

/// From this p on, adjusted for all pairs of sides, two of them cannot be told apart.
const ALPHA: f64 = 0.05;

/// Sides in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankView {
    /// By what.
    pub measure: Valued,
    /// Whether less of it is better.
    pub is_less_better: bool,
    /// Number of cases that every side has a value for; all figures are over these.
    pub n: u64,
    /// The sides, best first.
    pub lines: Vec<RankLine>,
    /// Every two of them, in the order of the sides.
    pub matrix: Vec<RankMatrix>,
    /// The sides as they were given.
    pub sides: Vec<SideLine>,
}

/// A side among several.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RankLine {
    /// Its place among the sides as given.
    pub side: usize,
    /// Mean over the cases.
    pub value: Num,
    /// 95 % interval of that.
    pub ci95: Option<[Num; 2]>,
    /// Chance of each rank, the first one first.
    pub chances: Vec<Num>,
    /// Letters; sides that share one cannot be told apart.
    pub letters: String,
}

/// Two sides among several.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RankMatrix {
    /// The first of them.
    pub one: usize,
    /// The second.
    pub two: usize,
    /// Second less first.
    pub difference: Num,
    /// 95 % interval of that.
    pub ci95: Option<[Num; 2]>,
    /// Two-sided p of no difference.
    pub p: Num,
    /// The same, adjusted for all pairs of sides.
    pub p_holm: Num,
}

/// The sides of `query` in order, over the cases that all have; `None` of fewer than three sides, when no two cases
/// have a value on all, and where of some runs higher is better and of others less.
pub fn compare_ranks(workspace: &Workspace, query: &CompareQuery) -> Option<RankView> {
    if query.sides.len() < 3 {
        return None;
    }
    let prepared = prepare(workspace, query)?;
    let sides = prepared.sides(workspace);
    let rules = &workspace.settings.rules;
    let of = |measure: &Valued| -> Option<(Vec<Vec<f64>>, bool)> {
        let all: Option<Vec<Values>> = sides
            .iter()
            .zip(&prepared.cases)
            .map(|(side, cases)| values(side, cases, measure, rules))
            .collect();
        let all = all?;
        let mut columns = vec![Vec::new(); sides.len()];
        let mut row = Vec::with_capacity(sides.len());
        for case in 0..prepared.pairing.len() {
            row.clear();
            row.extend((0..sides.len()).map_while(|side| {
                let own = prepared.pairing.on(case, side)?;
                all.get(side)?.mean.get(own).copied().filter(|value| !value.is_nan())
            }));
            if row.len() == sides.len() {
                columns.iter_mut().zip(&row).for_each(|(column, value)| column.push(*value));
            }
        }
        let is_binary = all.iter().all(|values| values.is_binary);
        columns.first().is_some_and(|first| first.len() >= 2).then_some((columns, is_binary))
    };
    let (measure, (columns, is_binary)) = [Valued::PassRate, Valued::Score]
        .into_iter()
        .find_map(|measure| of(&measure).map(|found| (measure, found)))?;
    let is_binary = is_binary && measure == Valued::PassRate;
    let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let way = way(&sides, &measure);
    if way == BetterDirection::Mixed {
        return None;
    }
    // Chances are of being the highest: of what is better the less there is, that of the opposite numbers.
    let gains: Vec<Vec<f64>> = match way {
        BetterDirection::Down => {
            columns.iter().map(|own| own.iter().map(|value| -value).collect()).collect()
        }
        _ => Vec::new(),
    };
    let gains: Vec<&[f64]> = gains.iter().map(Vec::as_slice).collect();
    let chances = ranking(if gains.is_empty() { &slices } else { &gains })?.chances;
    let matrix = matrix(&slices, is_binary)?;
    let n = columns.first()?.len() as u64;
    let mut lines: Vec<RankLine> = columns
        .iter()
        .zip(chances)
        .enumerate()
        .filter_map(|(side, (column, chances))| {
            let interval = if is_binary {
                let n_passed = column.iter().filter(|value| **value > 0.5).count() as u64;
                stats::wilson_interval(n_passed, n)
            } else {
                stats::mean_interval(column)
            };
            Some(RankLine {
                side,
                value: Num(stats::mean(column.iter().copied())?),
                ci95: ends(interval),
                chances: chances.into_iter().map(Num).collect(),
                letters: String::new(),
            })
        })
        .collect();
    let gain = |line: &RankLine| gain(way, line.value.0);
    lines.order_by(|one, two| gain(two).total_cmp(&gain(one)).then(one.side.cmp(&two.side)));
    let place = |at: usize| lines.get(at).map_or(usize::MAX, |line: &RankLine| line.side);
    let is_apart = |one: usize, two: usize| {
        let (one, two) = (place(one), place(two));
        let cell = matrix
            .iter()
            .find(|cell| (cell.one, cell.two) == (one, two) || (cell.one, cell.two) == (two, one));
        cell.is_some_and(|cell| cell.p_holm.0 < ALPHA)
    };
    let letters = letters(lines.len(), is_apart);
    lines.iter_mut().zip(letters).for_each(|(line, letters)| line.letters = letters);
    let sides = prepared.lines(workspace, &sides, &query.sides);
    Some(RankView {
        measure,
        is_less_better: way == BetterDirection::Down,
        n,
        lines,
        matrix,
        sides,
    })
}

/// Every two sides.
fn matrix(columns: &[&[f64]], is_binary: bool) -> Option<Vec<RankMatrix>> {
    let mut found = Vec::new();
    for (one, left) in columns.iter().enumerate() {
        for (two, right) in columns.iter().enumerate().skip(one + 1) {
            let apart: Vec<f64> =
                left.iter().zip(*right).map(|(left, right)| right - left).collect();
            let own = differences(&apart)?;
            let (interval, p) = if is_binary {
                let mut table = PairedTable::default();
                for (left, right) in left.iter().zip(*right) {
                    table.add(*left > 0.5, *right > 0.5);
                }
                (table.interval(), table.mcnemar().p)
            } else {
                (own.interval, sign_flip(&apart).p)
            };
            let difference = Num(own.mean);
            let ci95 = ends(interval);
            found.push(RankMatrix { one, two, difference, ci95, p: Num(p), p_holm: Num(1.0) });
        }
    }
    let p: Vec<Option<f64>> = found.iter().map(|cell| Some(cell.p.0)).collect();
    for (cell, p) in found.iter_mut().zip(holm(&p)) {
        cell.p_holm = Num(p.unwrap_or(1.0));
    }
    Some(found)
}
