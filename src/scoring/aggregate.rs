//! How several attempts become one score and verdict (REBEL 0.2.0).

use crate::model::{Strategy, Verdict};
use crate::stats;

/// A score with its verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// Score; any float.
    pub score: f64,
    /// Verdict.
    pub verdict: Verdict,
}

/// Combines attempts: verdict `error` is dropped; of nothing left, score 0 and verdict `error`.
///
/// The verdict never looks at the score: `min` fails if any attempt failed, `max` passes if any
/// passed, `mean` and `median` go by majority, where a tie fails. Source: rebel-eval 0.2.0.
pub fn aggregate_attempts(attempts: &[Judged], strategy: Strategy) -> Judged {
    CountedAttempts::of(attempts).by(strategy)
}

/// What each strategy makes of `attempts`, in the order of [`Strategy::ALL`].
pub fn aggregate_by_all(attempts: &[Judged]) -> impl Iterator<Item = (Strategy, Judged)> {
    let kept = CountedAttempts::of(attempts);
    Strategy::ALL.iter().map(move |&strategy| (strategy, kept.by(strategy)))
}

/// The attempts that count.
struct CountedAttempts {
    scores: Vec<f64>,
    n_passed: usize,
}

impl CountedAttempts {
    fn of(attempts: &[Judged]) -> Self {
        let kept = || attempts.iter().filter(|attempt| attempt.verdict != Verdict::Error);
        Self {
            scores: kept().map(|attempt| attempt.score).collect(),
            n_passed: kept().filter(|attempt| attempt.verdict == Verdict::Passed).count(),
        }
    }

    fn by(&self, strategy: Strategy) -> Judged {
        let scores = &self.scores;
        let Some(&first) = scores.first() else {
            return Judged { score: 0.0, verdict: Verdict::Error };
        };
        let n_failed = scores.len() - self.n_passed;
        let has_majority = self.n_passed > n_failed;
        let (score, is_passed) = match strategy {
            Strategy::Min => (extreme(first, scores, |new, best| new < best), n_failed == 0),
            Strategy::Max => (extreme(first, scores, |new, best| new > best), self.n_passed > 0),
            Strategy::Mean => (stats::exact_mean(scores).unwrap_or(first), has_majority),
            Strategy::Median => (python_median(scores).unwrap_or(first), has_majority),
        };
        Judged { score, verdict: if is_passed { Verdict::Passed } else { Verdict::Failed } }
    }
}

/// The weight of each attempt in the score that [`aggregate_attempts`] gives: `Σ weight·score / Σ weight`
/// is that score. `None`: dropped, its verdict is `error`.
///
/// Every attempt has weight 1 in a `mean`, only the deciding one in `min` and `max` (the first of equal
/// ones), the middle one or two in `median`, where a NaN decides alone.
pub fn attempt_weights(attempts: &[Judged], strategy: Strategy) -> Vec<Option<f64>> {
    let is_kept = |attempt: &Judged| attempt.verdict != Verdict::Error;
    let mut kept: Vec<(usize, f64)> = attempts
        .iter()
        .enumerate()
        .filter(|(_, attempt)| is_kept(attempt))
        .map(|(at, attempt)| (at, attempt.score))
        .collect();
    let best = |is_better: fn(f64, f64) -> bool| {
        let better = |best: (usize, f64), new: (usize, f64)| {
            if is_better(new.1, best.1) { new } else { best }
        };
        kept.iter().copied().reduce(better).into_iter().collect()
    };
    let deciding: Vec<(usize, f64)> = match strategy {
        Strategy::Min => best(|new, best| new < best),
        Strategy::Max => best(|new, best| new > best),
        Strategy::Mean => kept,
        Strategy::Median => match kept.iter().find(|(_, score)| score.is_nan()) {
            Some(nan) => vec![*nan],
            None => {
                kept.sort_by(|left, right| left.1.total_cmp(&right.1));
                let middle = kept.len().saturating_sub(1) / 2..=kept.len() / 2;
                kept.get(middle).unwrap_or_default().to_vec()
            }
        },
    };
    let mut weights: Vec<Option<f64>> =
        attempts.iter().map(|attempt| is_kept(attempt).then_some(0.0)).collect();
    for (at, _) in deciding {
        if let Some(weight) = weights.get_mut(at) {
            *weight = Some(1.0);
        }
    }
    weights
}

/// Python's `min`/`max`: a later value replaces the best only when it compares better, so that NaN
/// neither wins nor, once first, loses.
fn extreme(first: f64, scores: &[f64], is_better: impl Fn(f64, f64) -> bool) -> f64 {
    scores.iter().fold(first, |best, &new| if is_better(new, best) { new } else { best })
}

/// `statistics.median`; NaN anywhere gives NaN.
fn python_median(scores: &[f64]) -> Option<f64> {
    if scores.iter().any(|score| score.is_nan()) { Some(f64::NAN) } else { stats::median(scores) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempts(list: &[(f64, Verdict)]) -> Vec<Judged> {
        list.iter().map(|&(score, verdict)| Judged { score, verdict }).collect()
    }

    #[test]
    fn a_tie_fails_by_majority_and_errors_do_not_count() {
        use Verdict::{Error, Failed, Passed};
        let tie = attempts(&[(1.0, Passed), (0.0, Failed), (0.0, Error)]);
        for (strategy, score, verdict) in [
            (Strategy::Min, 0.0, Failed),
            (Strategy::Max, 1.0, Passed),
            (Strategy::Mean, 0.5, Failed),
            (Strategy::Median, 0.5, Failed),
        ] {
            assert_eq!(aggregate_attempts(&tie, strategy), Judged { score, verdict });
        }
        let lost = attempts(&[(0.0, Error)]);
        assert_eq!(aggregate_attempts(&lost, Strategy::Max), Judged { score: 0.0, verdict: Error });
    }

    #[test]
    fn weights_name_the_attempts_that_make_the_score() {
        use Verdict::{Error, Failed, Passed};
        let four = attempts(&[(0.5, Passed), (9.0, Error), (0.25, Failed), (0.25, Passed)]);
        for (strategy, weights) in [
            (Strategy::Min, [Some(0.0), None, Some(1.0), Some(0.0)]),
            (Strategy::Max, [Some(1.0), None, Some(0.0), Some(0.0)]),
            (Strategy::Mean, [Some(1.0), None, Some(1.0), Some(1.0)]),
            (Strategy::Median, [Some(0.0), None, Some(0.0), Some(1.0)]),
        ] {
            assert_eq!(attempt_weights(&four, strategy), weights, "{strategy}");
        }
        let even = attempts(&[(3.0, Passed), (1.0, Passed), (2.0, Passed), (0.0, Passed)]);
        let weights = attempt_weights(&even, Strategy::Median);
        assert_eq!(weights, [Some(0.0), Some(1.0), Some(1.0), Some(0.0)]);
        let nan = attempts(&[(3.0, Passed), (f64::NAN, Passed)]);
        assert_eq!(attempt_weights(&nan, Strategy::Median), [Some(0.0), Some(1.0)]);
        assert_eq!(attempt_weights(&[], Strategy::Median), []);
    }

    #[test]
    fn attempts_with_nan_aggregate_as_python_does() {
        use Verdict::Passed;
        let scores = attempts(&[(0.5, Passed), (f64::NAN, Passed), (0.25, Passed)]);
        assert_eq!(aggregate_attempts(&scores, Strategy::Min).score, 0.25);
        assert!(aggregate_attempts(&scores, Strategy::Mean).score.is_nan());
        assert!(aggregate_attempts(&scores, Strategy::Median).score.is_nan());
    }
}
