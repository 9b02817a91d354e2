//! The score that stands for a side where it is no plain mean over cases: mean of groups, weights, repeats.
//!
//! Its interval is the bootstrap over cases, made linear: a case is worth the score of its side and what it alone
//! moves that by, whatever group and repeat its trials are in. Where groups, weights and repeats do not give the
//! score that stands for the side, there is none.

use super::computed::Both;
use super::measures::{MeasureLine, ends};
use crate::report::tree::{evaluation_score, run_score};
use crate::report::{Num, RunRef};
use crate::scoring::Rules;
use crate::scoring::sides::{Side, SideCases, Valued, row_values};
use crate::stats;
use crate::stats::paired::PairResamples;
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The score that stands for a side, where it is no plain mean over cases.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OwnScore {
    /// On the baseline.
    pub baseline: Num,
    /// On the candidate.
    pub candidate: Num,
    /// Candidate less baseline.
    pub difference: Num,
    /// Its 95 % BCa interval by the bootstrap over cases. `None`: it is not known how the score is made of cases.
    pub ci95: Option<[Num; 2]>,
}

/// The scores that stand for the sides, where they are not the means over pairs.
pub(super) fn own_score(
    workspace: &Workspace,
    refs: &[Vec<RunRef>; 2],
    both: &Both<'_>,
    measures: &[MeasureLine],
) -> Option<OwnScore> {
    let score = |refs: &[RunRef]| {
        let entry = workspace.entry(refs.first()?.evaluation)?;
        let is_whole = refs.len() == entry.evaluation.runs.len()
            && refs.iter().all(|at| at.evaluation == entry.id);
        match refs {
            [only] => run_score(entry.figures.runs.get(only.run as usize)?),
            _ if is_whole => evaluation_score(entry),
            _ => None,
        }
    };
    let (baseline, candidate) = (score(&refs[0])?, score(&refs[1])?);
    let line = measures.iter().find(|line| line.measure == Valued::Score);
    let is_same = |line: &MeasureLine| {
        (line.baseline.0 - baseline.0).abs() < 1e-9 && (line.candidate.0 - candidate.0).abs() < 1e-9
    };
    if line.is_some_and(is_same) {
        return None;
    }
    let moves = |at: usize, score: Num| {
        let (side, cases) = (both.sides.get(at)?, both.cases.get(at)?);
        let by = [ByRow::Score, ByRow::Reward].into_iter();
        by.filter_map(|by| moves(workspace, refs.get(at)?, side, cases, both.rules, by))
            .find(|(found, _)| (found - score.0).abs() < 1e-9)
            .map(|(_, moves)| moves)
    };
    let ci95 = moves(0, baseline)
        .zip(moves(1, candidate))
        .and_then(|(one, two)| interval(both.pairs, (baseline.0, &one), (candidate.0, &two)));
    let difference = Num(candidate.0 - baseline.0);
    Some(OwnScore { baseline, candidate, difference, ci95 })
}

/// What of a row the score is made of.
#[derive(Clone, Copy)]
enum ByRow {
    Score,
    Reward,
}

/// The mean over the runs of a side of the weighted mean over their groups, and by case what it alone moves that by.
fn moves(
    workspace: &Workspace,
    refs: &[RunRef],
    side: &Side<'_>,
    cases: &SideCases,
    rules: &Rules,
    by: ByRow,
) -> Option<(f64, Vec<f64>)> {
    let mut score = 0.0;
    let mut by_row: Vec<Vec<f64>> = Vec::with_capacity(side.runs.len());
    let n_runs = float(side.runs.len());
    for (own, at) in side.runs.iter().zip(refs) {
        let values: Vec<f64> = match by {
            ByRow::Score => row_values(own, &Valued::Score, rules),
            ByRow::Reward => own.run.cases.reward.iter().map(|v| v.unwrap_or(f64::NAN)).collect(),
        };
        let groups = &workspace.entry(at.evaluation)?.figures.runs.get(at.run as usize)?.groups;
        let scored = || groups.iter().filter(|group| group.score.is_some());
        let weights: f64 = scored().map(|group| group.weight.0).sum();
        let parts: HashMap<&str, f64> =
            scored().map(|group| (group.name.as_str(), group.weight.0 / weights)).collect();
        let part = |row: usize| own.run.cases.group.get(row).filter(|_| !groups.is_empty());
        let mut sums: HashMap<Option<&str>, (f64, f64)> = HashMap::new();
        for (row, value) in values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            let sum = sums.entry(part(row)).or_default();
            sum.0 += value;
            sum.1 += 1.0;
        }
        let share = |part: Option<&str>| match part {
            Some(name) => parts.get(name).copied().unwrap_or(0.0) / n_runs,
            None if groups.is_empty() => 1.0 / n_runs,
            None => 0.0,
        };
        let mean = |part: Option<&str>| sums.get(&part).map(|(sum, n)| (sum / n, *n));
        score += stats::sum(sums.iter().map(|(part, (sum, n))| share(*part) * sum / n));
        let moves = values.iter().enumerate().map(|(row, value)| match mean(part(row)) {
            Some((mean, n)) if !value.is_nan() => share(part(row)) * (value - mean) / n,
            _ => 0.0,
        });
        by_row.push(moves.collect());
    }
    let of_trial = |trial: &u32| {
        let (run, row) = cases.place(*trial)?;
        by_row.get(run)?.get(row).copied()
    };
    let of_case = |case: usize| cases.trials(case).iter().filter_map(of_trial).sum();
    Some((score, (0..cases.len()).map(of_case).collect()))
}

/// The interval of the difference of two scores, each with what its cases move it by, over all cases of both.
fn interval(
    pairs: &[(u32, u32)],
    (one, moves): (f64, &[f64]),
    (two, other_moves): (f64, &[f64]),
) -> Option<[Num; 2]> {
    let mut others = other_moves.to_vec();
    let mut paired = vec![0.0; moves.len()];
    for (left, right) in pairs {
        let own = paired.get_mut(*left as usize)?;
        *own = std::mem::take(others.get_mut(*right as usize)?);
    }
    // What is left stands for cases that the baseline does not have.
    let mut is_paired = vec![false; others.len()];
    pairs.iter().for_each(|(_, right)| {
        if let Some(cell) = is_paired.get_mut(*right as usize) {
            *cell = true;
        }
    });
    let alone = others.iter().zip(&is_paired).filter(|(_, is_paired)| !**is_paired);
    let alone: Vec<f64> = alone.map(|(moved, _)| *moved).collect();
    let n = float(moves.len() + alone.len());
    let left: Vec<f64> = moves
        .iter()
        .copied()
        .chain(alone.iter().map(|_| 0.0))
        .map(|moved| one + n * moved)
        .collect();
    let right: Vec<f64> = paired.iter().chain(&alone).map(|moved| two + n * moved).collect();
    ends(PairResamples::draw(&left, &right)?.difference())
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn float(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_plain_mean_it_is_the_interval_of_the_mean() {
        let one: Vec<f64> = (0..60_u32).map(|at| f64::from(at * 37 % 11) / 10.0).collect();
        let two: Vec<f64> = (0..60_u32).map(|at| f64::from(at * 17 % 13) / 12.0).collect();
        let mean = |all: &[f64]| stats::mean(all.iter().copied()).unwrap();
        let moves = |all: &[f64]| -> Vec<f64> {
            all.iter().map(|value| (value - mean(all)) / 60.0).collect()
        };
        let pairs: Vec<(u32, u32)> = (0..60).map(|at| (at, at)).collect();
        let (left, right) = (moves(&one), moves(&two));
        let found = interval(&pairs, (mean(&one), &left), (mean(&two), &right)).unwrap();
        let plain = PairResamples::draw(&one, &two).unwrap().difference().unwrap();
        assert!((found[0].0 - plain.low).abs() < 1e-9 && (found[1].0 - plain.high).abs() < 1e-9);
        // Cases without a pair widen it.
        let fewer = interval(&pairs[..30], (mean(&one), &left), (mean(&two), &right)).unwrap();
        assert!(fewer[0].0 < fewer[1].0);
    }
}
