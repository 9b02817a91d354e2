//! Cases to totals: counts, means over cases; the rest is in [`metrics`](super::metrics) and
//! [`side`].

use super::metrics::{metric_scores, metric_totals};
use super::{Counts, MeanUnderRules, ScoreTotals, Totals, side};
use crate::model::{Config, MeanOver, Num, Outcome, Run};
use crate::scoring::parts::run_parts;
use crate::scoring::rules::{Missing, Rules};
use crate::stats;

/// The totals of the cases of `runs` together, under `rules`.
pub fn totals(runs: &[&Run], config: &Config, rules: &Rules) -> Totals {
    let counts = counts(runs, config, rules);
    let metrics = metric_scores(runs, config);
    let primary = match &config.primary_metric {
        Some(name) => metrics
            .iter()
            .find(|(metric, _)| metric == name)
            .map(|(_, scores)| scores.covered(config.mean_over).to_vec())
            .unwrap_or_default(),
        None => case_scores(runs, config.mean_over),
    };
    let (mean_attempted, mean_total) = means(&primary, counts.total, config);
    Totals {
        score: ScoreTotals {
            mean_attempted,
            mean_total,
            ci95: interval(&primary),
            n: primary.len() as u64,
            under_rules: rules.changes_counting().then(|| {
                let parts = runs.iter().flat_map(|run| run_parts(run, config, rules));
                let values: Vec<f64> = parts.filter_map(|(_, part)| part.score()).collect();
                MeanUnderRules {
                    mean: stats::mean(values.iter().copied()).map(Num),
                    ci95: interval(&values),
                    n: values.len() as u64,
                }
            }),
            ..ScoreTotals::default()
        },
        reward: config.reward.as_ref().and_then(|_| reward(runs, config)),
        metrics: metric_totals(&metrics, &counts, config, rules),
        usage: side::usage(runs, config),
        timing: side::timing(runs, config, &metrics),
        errors: side::errors(runs),
        counts,
    }
}

/// The mean of `scores`, and the same sum over `n_all` cases.
pub(super) fn means(scores: &[f64], n_all: u64, config: &Config) -> (Option<Num>, Option<Num>) {
    let empty = config.empty_mean.map(Num);
    let mean = stats::mean(scores.iter().copied()).map(Num).or(empty);
    #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
    let over_all = (n_all > 0 && !scores.is_empty())
        .then(|| Num(stats::sum(scores.iter().copied()) / n_all as f64))
        .or(empty);
    (mean, over_all)
}

/// The 95 % t interval of the mean of `scores`.
pub(super) fn interval(scores: &[f64]) -> Option<[Num; 2]> {
    stats::mean_interval(scores).map(|ci| [Num(ci.low), Num(ci.high)])
}

/// Numbers of cases by outcome.
fn counts(runs: &[&Run], config: &Config, rules: &Rules) -> Counts {
    let mut counts = Counts::default();
    let (mut passed, mut failed) = (0, 0);
    for run in runs {
        let outcome = run.cases.outcomes();
        for idx in 0..run.cases.len() {
            let own = outcome(idx);
            counts.total += 1;
            counts.left_out += u64::from(rules.standing(run, idx) == Missing::LeftOut);
            let is_attempted = run.cases.is_attempted.get(idx);
            counts.attempted += u64::from(is_attempted.unwrap_or_else(|| own.is_attempted()));
            *match own {
                Outcome::Passed => &mut passed,
                Outcome::Failed => &mut failed,
                Outcome::Error => &mut counts.error,
                Outcome::Skipped => &mut counts.skipped,
                Outcome::Scored => &mut counts.scored,
                Outcome::Unscored => &mut counts.unscored,
            } += 1;
        }
    }
    let has_no_rule = config.no_case_rule.is_some() && rules.pass.is_none();
    if passed + failed > 0 || (counts.scored == 0 && !has_no_rule) {
        (counts.passed, counts.failed) = (Some(passed), Some(failed));
    }
    counts
}

/// The cases' own scores, when no metric is the primary one.
fn case_scores(runs: &[&Run], mean_over: MeanOver) -> Vec<f64> {
    let mut scores = Vec::new();
    for run in runs {
        for idx in 0..run.cases.len() {
            let counts = mean_over == MeanOver::Graded || run.is_attempted(idx);
            scores.extend(run.cases.score.get(idx).filter(|_| counts));
        }
    }
    scores
}

/// Mean reward over cases without error that have one.
fn reward(runs: &[&Run], config: &Config) -> Option<Num> {
    let rewards = runs.iter().flat_map(|run| {
        (0..run.cases.len())
            .filter(|&idx| run.is_attempted(idx))
            .filter_map(|idx| run.cases.reward.get(idx))
    });
    stats::mean(rewards).or(config.empty_mean).map(Num)
}
