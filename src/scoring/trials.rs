//! Each case over several tries: repeats of a run, or attempts inside a case.

use super::attempts::{Attempt, attempts_one_by_one};
use super::matching::{Matching, match_cases};
use crate::model::{Outcome, Run};
use crate::stats;
use serde::{Deserialize, Serialize};

/// The cases of repeated runs, each with its trials.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trials {
    /// Which rows of the runs are the same case.
    pub matching: Matching,
    /// By case, in the order of `matching`.
    pub cases: Vec<CaseTrials>,
    /// Scores, case by case.
    scores: Vec<f64>,
    /// By case: the end of its scores.
    score_ends: Vec<usize>,
}

/// One case over its trials.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseTrials {
    /// Number of trials; each is in exactly one of the next four. Skipped ones are left out.
    pub n_trials: u32,
    /// Met their rule.
    pub n_passed: u32,
    /// Were judged and did not meet it.
    pub n_failed: u32,
    /// Could not be judged; they count as not passed.
    pub n_errors: u32,
    /// Have no verdict, since no rule gives one, or no score.
    pub n_unscored: u32,
    /// Trials that were not run.
    pub n_skipped: u32,
    /// Number of scores: finite ones, of trials without error. The next four are over these.
    pub n_scores: u32,
    /// Mean score. `None`: no score.
    pub mean: Option<f64>,
    /// Sample standard deviation (n − 1). `None`: fewer than two scores.
    pub std: Option<f64>,
    /// Smallest score.
    pub min: Option<f64>,
    /// Largest score.
    pub max: Option<f64>,
    /// Number of trials whose answer is known and not empty.
    pub n_answers: u32,
    /// Of these, the share with the most common answer, from 1 / `n_answers` to 1. Answers agree
    /// when their bytes in the file do. `None`: fewer than two answers.
    pub agreement: Option<f64>,
}

/// One try at a case.
struct CaseTrial {
    outcome: Outcome,
    score: Option<f64>,
    answer: Option<u64>,
}

/// The trials of `runs`, which are repeats of one subject on one part of a suite. A case that
/// combines several attempts (REBEL) gives one trial for each of them.
pub fn trials(runs: &[&Run]) -> Trials {
    let matching = match_cases(runs);
    let n_cases = matching.len();
    let mut cases = Vec::with_capacity(n_cases);
    let mut scores = Vec::with_capacity(n_cases * runs.len());
    let mut score_ends = Vec::with_capacity(n_cases);
    let mut answers = Vec::new();
    for case in 0..n_cases {
        let mut found = CaseTrials::default();
        let start = scores.len();
        answers.clear();
        for (run_idx, row) in matching.rows_of(case) {
            let Some(run) = runs.get(run_idx) else { continue };
            each_trial(run, row, |trial| {
                found.count(trial.outcome);
                answers.extend(trial.answer);
                if trial.outcome != Outcome::Error {
                    scores.extend(trial.score.filter(|score| score.is_finite()));
                }
            });
        }
        found.sum_up(scores.get(start..).unwrap_or_default(), &mut answers);
        cases.push(found);
        score_ends.push(scores.len());
    }
    Trials { matching, cases, scores, score_ends }
}

impl Trials {
    /// The scores of `case`, in the order of the runs: those that its figures are over.
    pub fn scores_of(&self, case: usize) -> &[f64] {
        let start = case.checked_sub(1).map_or(Some(&0), |before| self.score_ends.get(before));
        start
            .zip(self.score_ends.get(case))
            .and_then(|(&start, &end)| self.scores.get(start..end))
            .unwrap_or_default()
    }
}

/// Calls `take` with each trial that row `row` of `run` holds.
fn each_trial(run: &Run, row: usize, mut take: impl FnMut(CaseTrial)) {
    let cases = &run.cases;
    let outcome = cases.outcome_of(row);
    let n_attempts = cases.n_attempts.get(row);
    let is_combined = cases.strategy.get(row).is_some() || n_attempts.is_some_and(|n| n != 1);
    if outcome == Outcome::Skipped || !is_combined {
        take(CaseTrial { outcome, score: cases.score.get(row), answer: cases.answer.get(row) });
        return;
    }
    for attempt in attempts_one_by_one(run, row) {
        let Attempt { outcome, score, answer, .. } = attempt;
        take(CaseTrial { outcome, score, answer });
    }
}

impl CaseTrials {
    /// Whether every trial has a verdict, errors included, and there is one.
    pub fn is_judged(&self) -> bool {
        self.n_trials > 0 && self.n_unscored == 0
    }

    fn count(&mut self, outcome: Outcome) {
        self.n_trials += u32::from(outcome != Outcome::Skipped);
        *match outcome {
            Outcome::Passed => &mut self.n_passed,
            Outcome::Failed => &mut self.n_failed,
            Outcome::Error => &mut self.n_errors,
            Outcome::Skipped => &mut self.n_skipped,
            Outcome::Scored | Outcome::Unscored => &mut self.n_unscored,
        } += 1;
    }

    /// Fills in what follows from all scores and all answers, which are sorted for it.
    fn sum_up(&mut self, scores: &[f64], answers: &mut [u64]) {
        self.n_scores = u32::try_from(scores.len()).unwrap_or(u32::MAX);
        let both = stats::mean_and_stdev(scores);
        self.mean = both.map(|(mean, _)| mean).or(scores.first().copied());
        self.std = both.map(|(_, stdev)| stdev).filter(|stdev| stdev.is_finite());
        self.min = scores.iter().copied().min_by(f64::total_cmp);
        self.max = scores.iter().copied().max_by(f64::total_cmp);
        self.n_answers = u32::try_from(answers.len()).unwrap_or(u32::MAX);
        answers.sort_unstable();
        let n_most = answers.chunk_by(|left, right| left == right).map(<[u64]>::len).max();
        let n_most = n_most.and_then(|n| u32::try_from(n).ok()).filter(|_| self.n_answers > 1);
        self.agreement = n_most.map(|n| f64::from(n) / f64::from(self.n_answers));
    }
}
