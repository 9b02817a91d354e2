//! The attempts of a case one by one, each of which several metrics may have judged (REBEL).

use super::aggregate::{Judged, aggregate_attempts};
use crate::model::{Outcome, Run, Strategy, Verdict};
use crate::order::Order as _;

/// One attempt of a case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attempt {
    /// Its number, 1-based.
    pub number: u32,
    /// How it came out: with several metrics, by the case's own strategy over the results of this
    /// attempt alone, so that a case of one attempt comes out as that attempt does. Where no strategy is
    /// known, all of them must pass.
    pub outcome: Outcome,
    /// Its score, by the same rule.
    pub score: Option<f64>,
    /// Hash of what the target gave.
    pub answer: Option<u64>,
    /// Seconds that the target took.
    pub secs: Option<f64>,
}

/// The attempts of case `row` that were judged, in ascending order.
pub fn attempts_one_by_one(run: &Run, row: usize) -> Vec<Attempt> {
    let checks = &run.checks;
    let mut numbered: Vec<(u32, usize)> =
        run.checks_of(row).map(|at| (checks.attempt.get(at).unwrap_or(1), at)).collect();
    if !numbered.is_sorted_by(|left, right| left.0 <= right.0) {
        numbered.order_by_key(|(number, _)| *number);
    }
    let strategy = run.cases.strategy_of(row).unwrap_or(Strategy::Min);
    numbered
        .chunk_by(|left, right| left.0 == right.0)
        .filter_map(|of_attempt| {
            let &(number, first) = of_attempt.first()?;
            let (outcome, score) = match of_attempt {
                [(_, at)] => {
                    let score = checks.score.get(*at);
                    (outcome_of(checks.verdict_of(*at), score), score)
                }
                several => by_strategy(run, several, strategy),
            };
            let (answer, secs) = (checks.answer.get(first), checks.attempt_secs.get(first));
            Some(Attempt { number, outcome, score, answer, secs })
        })
        .collect()
}

fn by_strategy(
    run: &Run,
    of_attempt: &[(u32, usize)],
    strategy: Strategy,
) -> (Outcome, Option<f64>) {
    let judged: Vec<Judged> = of_attempt
        .iter()
        .filter_map(|(_, at)| {
            let (score, verdict) = (run.checks.score.get(*at)?, run.checks.verdict_of(*at)?);
            Some(Judged { score, verdict })
        })
        .collect();
    if judged.is_empty() {
        return (Outcome::Unscored, None);
    }
    let judged = aggregate_attempts(&judged, strategy);
    (outcome_of(Some(judged.verdict), Some(judged.score)), Some(judged.score))
}

fn outcome_of(verdict: Option<Verdict>, score: Option<f64>) -> Outcome {
    match verdict {
        Some(Verdict::Passed) => Outcome::Passed,
        Some(Verdict::Failed) => Outcome::Failed,
        Some(Verdict::Error) => Outcome::Error,
        None => Outcome::without_rule(score),
    }
}
