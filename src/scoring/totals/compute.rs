//! Cases to totals: counts, means over cases; the rest is in [`metrics`](super::metrics) and
//! [`side`].

use super::metrics::{MetricScores, metric_scores, metric_totals, metrics_by_rule};
use super::{Counts, MeanUnderRules, ScoreTotals, Totals, side};
use crate::model::{Config, MeanOver, Num, Outcome, PassRule, Run};
use crate::scoring::parts::run_parts;
use crate::scoring::rules::{Missing, Rules};
use crate::stats;

/// The totals of the same cases by the declared rules.
#[derive(Clone, Copy)]
pub struct DeclaredTotals<'a> {
    /// Under the default of [`Rules`].
    pub totals: &'a Totals,
    /// Whether the rules in force judge some case otherwise; else they only count otherwise.
    pub is_rejudged: bool,
}

/// The totals of the cases of `runs` together, under `rules`. What these do not change is taken from `known`.
pub fn totals(
    runs: &[&Run],
    config: &Config,
    rules: &Rules,
    known: Option<DeclaredTotals<'_>>,
) -> Totals {
    let known = match known {
        Some(DeclaredTotals { totals: known, is_rejudged: false }) => {
            let mut found = known.clone();
            found.counts.left_out = n_left_out(runs, rules);
            found.score.under_rules = under_rules(runs, config, rules);
            return found;
        }
        Some(DeclaredTotals { totals: known, .. }) => {
            if let (None, Some(rule)) = (rules.strategy, rules.pass) {
                return by_pass_rule(runs, config, rules, rule, known);
            }
            Some(known)
        }
        None => None,
    };
    let counts = counts(runs, config, rules);
    let metrics = metric_scores(runs, config);
    Totals {
        score: ScoreTotals {
            under_rules: under_rules(runs, config, rules),
            ..score(runs, &metrics, counts.total, config)
        },
        reward: config.reward.as_ref().and_then(|_| reward(runs, config)),
        metrics: metric_totals(&metrics, &counts, config, rules),
        usage: match known {
            Some(known) => known.usage.clone(),
            None => side::usage(runs, config),
        },
        timing: match known {
            Some(known) => known.timing.clone(),
            None => side::timing(runs, config, &metrics),
        },
        errors: side::errors(runs),
        counts,
    }
}

/// The totals by the pass rule `rule` alone: it passes and fails cases that were attempted before, and their scores count as in
/// `known`.
fn by_pass_rule(
    runs: &[&Run],
    config: &Config,
    rules: &Rules,
    rule: PassRule,
    known: &Totals,
) -> Totals {
    let counts = counts(runs, config, rules);
    let mut found = known.clone();
    found.score.under_rules = under_rules(runs, config, rules);
    let metrics = metrics_by_rule(runs, config, rule, counts.attempted, &known.metrics);
    found.metrics = metrics
        .unwrap_or_else(|| metric_totals(&metric_scores(runs, config), &counts, config, rules));
    found.counts = counts;
    found
}

/// The mean of the primary scores; `n_all` are all cases.
fn score(
    runs: &[&Run],
    metrics: &[(String, MetricScores)],
    n_all: u64,
    config: &Config,
) -> ScoreTotals {
    let primary = match &config.primary_metric {
        Some(name) => metrics
            .iter()
            .find(|(metric, _)| metric == name)
            .map(|(_, scores)| scores.covered(config.mean_over).to_vec())
            .unwrap_or_default(),
        None => case_scores(runs, config.mean_over),
    };
    let (mean_attempted, mean_total) = means(&primary, n_all, config);
    ScoreTotals {
        mean_attempted,
        mean_total,
        ci95: interval(&primary),
        n: primary.len() as u64,
        ..ScoreTotals::default()
    }
}

/// The mean under rules that count otherwise than the producer; `None`: they count as it does.
fn under_rules(runs: &[&Run], config: &Config, rules: &Rules) -> Option<MeanUnderRules> {
    if !rules.changes_counting() {
        return None;
    }
    let parts = runs.iter().flat_map(|run| run_parts(run, config, rules));
    let values: Vec<f64> = parts.filter_map(|(_, part)| part.score()).collect();
    Some(MeanUnderRules {
        mean: stats::mean(values.iter().copied()).map(Num),
        ci95: interval(&values),
        n: values.len() as u64,
    })
}

/// The mean of `scores`, and the same sum over `n_all` cases.
pub(super) fn means(scores: &[f64], n_all: u64, config: &Config) -> (Option<Num>, Option<Num>) {
    let empty = config.empty_mean.map(Num);
    if scores.is_empty() {
        return (empty, empty);
    }
    let total = stats::sum(scores.iter().copied());
    #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
    let over = |n_cases: u64| Num(total / n_cases as f64);
    (Some(over(scores.len() as u64)), (n_all > 0).then(|| over(n_all)).or(empty))
}

/// The 95 % t interval of the mean of `scores`.
pub(super) fn interval(scores: &[f64]) -> Option<[Num; 2]> {
    stats::mean_interval(scores).map(|ci| [Num(ci.low), Num(ci.high)])
}

/// Numbers of cases by outcome.
fn counts(runs: &[&Run], config: &Config, rules: &Rules) -> Counts {
    let mut counts = Counts { left_out: n_left_out(runs, rules), ..Counts::default() };
    let (mut passed, mut failed) = (0, 0);
    for run in runs {
        let by_outcome = run.cases.n_by_outcome();
        counts.total += run.cases.len() as u64;
        counts.attempted += run.n_attempted(&by_outcome);
        for (outcome, n) in Outcome::ALL.iter().zip(by_outcome) {
            *match outcome {
                Outcome::Passed => &mut passed,
                Outcome::Failed => &mut failed,
                Outcome::Error => &mut counts.error,
                Outcome::Skipped => &mut counts.skipped,
                Outcome::Scored => &mut counts.scored,
                Outcome::Unscored => &mut counts.unscored,
            } += n;
        }
    }
    let has_no_rule = config.no_case_rule.is_some() && rules.pass.is_none();
    if passed + failed > 0 || (counts.scored == 0 && !has_no_rule) {
        (counts.passed, counts.failed) = (Some(passed), Some(failed));
    }
    counts
}

/// Cases that `rules` leave out.
fn n_left_out(runs: &[&Run], rules: &Rules) -> u64 {
    if !rules.changes_counting() {
        return 0;
    }
    let of_run = |run: &&Run| {
        let all = rules.standings(run);
        all.iter().filter(|standing| **standing == Missing::LeftOut).count() as u64
    };
    runs.iter().map(of_run).sum()
}

/// The cases' own scores, when no metric is the primary one.
fn case_scores(runs: &[&Run], mean_over: MeanOver) -> Vec<f64> {
    let mut scores = Vec::new();
    for run in runs {
        let (own, attempted) = (run.cases.score.cells(), run.attempted());
        for idx in 0..run.cases.len() {
            let counts = mean_over == MeanOver::Graded || attempted(idx);
            scores.extend(own.get(idx).filter(|_| counts));
        }
    }
    scores
}

/// Mean reward over cases without error that have one.
fn reward(runs: &[&Run], config: &Config) -> Option<Num> {
    let rewards = runs.iter().flat_map(|run| {
        let (own, attempted) = (run.cases.reward.cells(), run.attempted());
        (0..run.cases.len()).filter(move |&idx| attempted(idx)).filter_map(move |idx| own.get(idx))
    });
    stats::mean(rewards).or(config.empty_mean).map(Num)
}
