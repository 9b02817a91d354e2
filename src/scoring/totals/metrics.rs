//! Figures by metric.

use super::compute::{interval, means};
use super::{Counts, MetricTotals};
use crate::model::{Config, MeanOver, Num, PassRule, Run, Verdict};
use crate::scoring::rules::Rules;
use crate::stats;

/// Scores of one metric, split by what counts them.
#[derive(Default)]
pub(super) struct MetricScores {
    /// Scores of every graded case.
    graded: Vec<f64>,
    /// Of these, the attempted cases' ones.
    attempted: Vec<f64>,
    /// Numbers of checks, where each attempt of a case has verdicts (REBEL).
    verdicts: Option<Verdicts>,
    /// Seconds of judging.
    pub secs: Vec<f64>,
}

impl MetricScores {
    /// The scores that the mean is over.
    pub(super) fn covered(&self, mean_over: MeanOver) -> &[f64] {
        match mean_over {
            MeanOver::Graded => &self.graded,
            MeanOver::AttemptedAndGraded => &self.attempted,
        }
    }
}

/// Numbers of checks by verdict.
#[derive(Clone, Copy, Default)]
struct Verdicts {
    n_passed: u64,
    n_failed: u64,
    n_errors: u64,
}

/// A check that a metric made of a case.
struct MetricCheck {
    /// Place of the metric.
    metric: usize,
    score: Option<f64>,
    /// Whether the case was attempted.
    is_attempted: bool,
    secs: Option<f64>,
    /// What it says, where each attempt of a case has verdicts.
    verdict: Option<Verdict>,
}

/// Gives each check of `runs` to `take`. The names of the metrics: those of `config.metrics` first, others in the order of
/// their first check; none where the configuration has no metrics.
fn each_check(runs: &[&Run], config: &Config, mut take: impl FnMut(MetricCheck)) -> Vec<String> {
    let mut metrics = config.metrics.clone();
    if metrics.is_empty() {
        return metrics;
    }
    for run in runs {
        let names: Vec<&str> = run.checks.name.words().collect();
        // By the number of a name: its place among the metrics, once a check has it.
        let mut places: Vec<Option<usize>> = vec![None; names.len()];
        let (attempted, cases) = (run.attempted(), run.checks.case_idx.cells());
        let (own, secs) = (run.checks.score.cells(), run.checks.duration_secs.cells());
        let n_attempts = run.cases.n_attempts.cells();
        let verdict_of = run.checks.verdict.meanings(Verdict::from_text);
        for (idx, code) in run.checks.name.codes().enumerate() {
            let (Some(code), Some(case_idx)) = (code, cases.get(idx)) else { continue };
            let (Some(name), Some(place)) = (names.get(code), places.get_mut(code)) else {
                continue;
            };
            let metric = *place.get_or_insert_with(|| {
                metrics.iter().position(|metric| metric == name).unwrap_or_else(|| {
                    metrics.push((*name).to_owned());
                    metrics.len() - 1
                })
            });
            let has_attempts = n_attempts.get(case_idx as usize).is_some();
            take(MetricCheck {
                metric,
                score: own.get(idx),
                is_attempted: attempted(case_idx as usize),
                secs: secs.get(idx),
                verdict: verdict_of(idx).flatten().filter(|_| has_attempts),
            });
        }
    }
    metrics
}

/// Scores by metric, in the order of [`each_check`].
pub(super) fn metric_scores(runs: &[&Run], config: &Config) -> Vec<(String, MetricScores)> {
    let mut all: Vec<MetricScores> = Vec::new();
    let names = each_check(runs, config, |check| {
        if all.len() <= check.metric {
            all.resize_with(check.metric + 1, MetricScores::default);
        }
        let Some(scores) = all.get_mut(check.metric) else { return };
        scores.secs.extend(check.secs);
        if let Some(verdict) = check.verdict {
            let verdicts = scores.verdicts.get_or_insert_default();
            match verdict {
                Verdict::Passed => verdicts.n_passed += 1,
                Verdict::Failed => verdicts.n_failed += 1,
                Verdict::Error => {
                    // Its score says nothing: the producer leaves it out.
                    verdicts.n_errors += 1;
                    return;
                }
            }
        }
        scores.graded.extend(check.score);
        scores.attempted.extend(check.score.filter(|_| check.is_attempted));
    });
    all.resize_with(names.len(), MetricScores::default);
    names.into_iter().zip(all).collect()
}

/// The figures of `declared`, of the same checks, by another pass rule: scores, and so means, stay. `None` when `declared` comes from
/// a file that does not have all of them.
pub(super) fn metrics_by_rule(
    runs: &[&Run],
    config: &Config,
    rule: PassRule,
    n_attempted: u64,
    declared: &[MetricTotals],
) -> Option<Vec<MetricTotals>> {
    let mut n_passing: Vec<u64> = Vec::new();
    let names = each_check(runs, config, |check| {
        let counts = check.is_attempted && check.verdict != Some(Verdict::Error);
        if check.score.is_some_and(|score| counts && rule.op.holds(score, rule.value)) {
            if n_passing.len() <= check.metric {
                n_passing.resize(check.metric + 1, 0);
            }
            n_passing.get_mut(check.metric).into_iter().for_each(|n| *n += 1);
        }
    });
    let is_known = |name: &String| {
        let mut known = declared.iter().filter(|own| own.name == *name);
        known.any(|own| own.mean_of_attempted.is_some() == own.mean_attempted.is_some())
    };
    if !names.iter().all(is_known) {
        return None;
    }
    let passing = |name: &str| {
        let place = names.iter().position(|known| known == name);
        place.and_then(|place| n_passing.get(place)).copied().unwrap_or(0)
    };
    let of_metric =
        |own: &MetricTotals| own.clone().passing(passing(&own.name), n_attempted, config);
    Some(declared.iter().map(of_metric).collect())
}

/// The figures of each of `metrics`; `counts` are those of the cases.
pub(super) fn metric_totals(
    metrics: &[(String, MetricScores)],
    counts: &Counts,
    config: &Config,
    rules: &Rules,
) -> Vec<MetricTotals> {
    let declared_rule = rules.pass.or(config.pass_rule.filter(|rule| rule.is_declared));
    metrics
        .iter()
        .map(|(name, scores)| {
            let covered = scores.covered(config.mean_over);
            // Where every attempt of a case is judged, checks are counted, not cases.
            let n_all =
                scores.verdicts.map_or(counts.total, |of| of.n_passed + of.n_failed + of.n_errors);
            let (mean_attempted, mean_total) = means(covered, n_all, config);
            let found = MetricTotals {
                label: config.label_of(name).to_owned(),
                name: name.clone(),
                n: covered.len() as u64,
                mean_attempted,
                mean_of_attempted: means(&scores.attempted, n_all, config).0,
                mean_total,
                ..MetricTotals::default()
            };
            let by_rule = declared_rule
                .map(|rule| (n_passing(&scores.attempted, rule), counts.attempted))
                .or(scores.verdicts.map(|of| (of.n_passed, of.n_passed + of.n_failed)));
            match by_rule {
                Some((passed, n_judged)) => found.passing(passed, n_judged, config),
                None => MetricTotals {
                    ci95: interval(covered),
                    pass_rate: mean_attempted.filter(|_| config.no_case_rule.is_none()),
                    ..found
                },
            }
        })
        .collect()
}

impl MetricTotals {
    /// The same where `passed` of `n_judged` pass by a rule.
    fn passing(self, passed: u64, n_judged: u64, config: &Config) -> Self {
        Self {
            passed: Some(passed),
            failed: Some(n_judged.saturating_sub(passed)),
            pass_rate: rate(passed, n_judged).or(config.empty_mean.map(Num)),
            ci95: stats::wilson_interval(passed, n_judged).map(|ci| [Num(ci.low), Num(ci.high)]),
            ..self
        }
    }
}

/// How many of `scores` pass `rule`.
fn n_passing(scores: &[f64], rule: PassRule) -> u64 {
    scores.iter().filter(|&&score| rule.op.holds(score, rule.value)).count() as u64
}

/// `part / whole`; `None` of nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn rate(part: u64, whole: u64) -> Option<Num> {
    (whole > 0).then(|| Num(part as f64 / whole as f64))
}
