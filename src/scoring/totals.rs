//! Totals over a set of cases: counts, means, metrics, usage, timing, errors.

use super::parts::run_parts;
use super::rules::{Missing, Rules};
use super::side_totals;
use crate::model::{Config, MeanOver, Num, Outcome, PassRule, Run, Verdict};
use crate::stats;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All figures over a set of cases. Rates are 0–1; `None` is unknown or undefined, never 0.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Numbers of cases.
    pub counts: Counts,
    /// Scores.
    pub score: ScoreTotals,
    /// Mean reward over cases without error that have one. `None`: the format has no rewards.
    pub reward: Option<Num>,
    /// Figures by metric, in display order.
    pub metrics: Vec<MetricTotals>,
    /// Tokens and cost. `None`: no case says anything about it.
    pub usage: Option<UsageTotals>,
    /// Durations. `None`: no case says anything about it.
    pub timing: Option<TimingTotals>,
    /// Errors.
    pub errors: ErrorTotals,
}

/// Numbers of cases. Each case is in exactly one of passed, failed, error, skipped, scored, unscored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// All.
    pub total: u64,
    /// Attempted: completed without error, by the generation's own definition.
    pub attempted: u64,
    /// Met their rule. `None`: no rule says what passes.
    pub passed: Option<u64>,
    /// Judged and did not meet it. `None`: no rule says what passes.
    pub failed: Option<u64>,
    /// Could not be judged.
    pub error: u64,
    /// Not run.
    pub skipped: u64,
    /// With a score, and without a rule that says what passes.
    pub scored: u64,
    /// Judged, but without a score.
    pub unscored: u64,
    /// Of all, those that the rules in force leave out of every rate.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: u64,
}

impl Counts {
    /// Cases that rates are over: all but those left out.
    pub fn counted(&self) -> u64 {
        self.total.saturating_sub(self.left_out)
    }

    /// Cases that pass, and those they are of. `None`: no rule says what passes.
    pub fn passing(&self) -> Option<(u64, u64)> {
        self.passed.map(|passed| (passed, self.counted()))
    }

    /// The same over several sets: over those with a rule. `None`: none has one.
    pub fn passing_of<'a>(sets: impl IntoIterator<Item = &'a Self>) -> Option<(u64, u64)> {
        let known = sets.into_iter().filter_map(Self::passing);
        known.reduce(|sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    /// Whether some case passed or failed.
    pub fn is_judged(&self) -> bool {
        self.passed.unwrap_or(0) + self.failed.unwrap_or(0) > 0
    }
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks by reference; where pointers have 32 bits there is nothing to expect"
)]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// Scores over a set of cases.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreTotals {
    /// Mean of the primary scores over attempted cases, by the generation's definition.
    pub mean_attempted: Option<Num>,
    /// The same sum over all cases: what has no score counts as 0.
    pub mean_total: Option<Num>,
    /// Mean of the group scores. `None`: no groups with a score.
    pub mean_of_groups: Option<Num>,
    /// Mean of the group scores weighted by group.
    pub weighted: Option<Num>,
    /// 95 % t interval of the scores that `mean_attempted` covers.
    pub ci95: Option<[Num; 2]>,
    /// Number of these scores.
    pub n: u64,
    /// Mean, interval and number of scores under rules that count errors, skipped or unscored cases
    /// otherwise than the producer; of rewards where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub under_rules: Option<MeanUnderRules>,
}

/// A mean under rules of the page's reader.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MeanUnderRules {
    /// Mean.
    pub mean: Option<Num>,
    /// 95 % t interval.
    pub ci95: Option<[Num; 2]>,
    /// Number of scores.
    pub n: u64,
}

/// Figures of one metric.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MetricTotals {
    /// Key.
    pub name: String,
    /// Label for display.
    pub label: String,
    /// Number of scores that `mean_attempted` covers.
    pub n: u64,
    /// Mean over attempted cases.
    pub mean_attempted: Option<Num>,
    /// Mean over cases that are attempted and have a score, whatever the generation averages over.
    #[serde(skip)]
    pub mean_of_attempted: Option<Num>,
    /// Mean over all cases.
    pub mean_total: Option<Num>,
    /// Attempted cases that pass by this metric; `None` where the generation has no such rule.
    pub passed: Option<u64>,
    /// Attempted cases that do not.
    pub failed: Option<u64>,
    /// Share that passes; from letta-evals 0.7 on the mean itself. `None`: no rule says what passes.
    pub pass_rate: Option<Num>,
    /// 95 % interval: Wilson's of the pass rate where cases pass by this metric, else the t interval of
    /// `mean_attempted`.
    pub ci95: Option<[Num; 2]>,
}

/// Tokens and cost; sums over the cases that say.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct UsageTotals {
    /// Tokens read.
    pub prompt_tokens: Option<Num>,
    /// Tokens written.
    pub completion_tokens: Option<Num>,
    /// Tokens read from a cache.
    pub cached_input_tokens: Option<Num>,
    /// Tokens written to a cache.
    pub cache_write_tokens: Option<Num>,
    /// Tokens of reasoning.
    pub reasoning_tokens: Option<Num>,
    /// US dollars.
    pub cost_usd: Option<Num>,
    /// Steps that the subject took, where runs say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Num>,
    /// Cases with tokens but without a price: above 0, `cost_usd` is a lower bound.
    pub cost_missing: u64,
}

/// Durations in seconds, over the cases that say.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TimingTotals {
    /// Mean of the whole.
    pub mean_secs: Option<Num>,
    /// Mean of the target's part.
    pub mean_target_secs: Option<Num>,
    /// Mean of extraction.
    pub mean_extraction_secs: Option<Num>,
    /// `sorted[n // 2]`.
    pub p50_secs: Option<Num>,
    /// `sorted[min(⌊0.95·n⌋, n − 1)]`.
    pub p95_secs: Option<Num>,
    /// Seconds that the subject worked, over the runs that say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_secs: Option<Num>,
    /// Seconds that the tests took, over the runs that say; only where they are another measure than
    /// the time of the run (slop-code).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_secs: Option<Num>,
    /// Mean of each metric's judging.
    pub per_metric_mean_secs: BTreeMap<String, Num>,
    /// Of single responses, where a case has several (REBEL): a case's own time is their sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub responses: Option<ResponseTimes>,
}

/// Seconds that single responses took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResponseTimes {
    /// Number of responses with a time.
    pub n: u64,
    /// Mean.
    pub mean_secs: Num,
    /// `sorted[n // 2]`.
    pub p50_secs: Num,
    /// `sorted[min(⌊0.95·n⌋, n − 1)]`.
    pub p95_secs: Num,
    /// Slowest.
    pub max_secs: Num,
}

/// Errors of cases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorTotals {
    /// Cases with an error.
    pub total: u64,
    /// By category.
    pub by_category: BTreeMap<String, u64>,
    /// By type of exception.
    pub by_exception_type: BTreeMap<String, u64>,
}

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

/// Numbers of checks by verdict.
#[derive(Clone, Copy, Default)]
struct Verdicts {
    n_passed: u64,
    n_failed: u64,
    n_errors: u64,
}

/// The totals of the cases of `runs` together, under `rules`.
pub fn totals(runs: &[&Run], config: &Config, rules: &Rules) -> Totals {
    let counts = counts(runs, config, rules);
    let metrics = metric_scores(runs, config);
    let attempted = counts.attempted;
    let covered = |scores: &MetricScores| match config.mean_over {
        MeanOver::Graded => scores.graded.clone(),
        MeanOver::AttemptedAndGraded => scores.attempted.clone(),
    };
    let means = |scores: &[f64], n_all: u64| {
        let empty = config.empty_mean.map(Num);
        let mean = stats::mean(scores.iter().copied()).map(Num).or(empty);
        #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
        let over_all = (n_all > 0 && !scores.is_empty())
            .then(|| Num(stats::sum(scores.iter().copied()) / n_all as f64))
            .or(empty);
        (mean, over_all)
    };
    let primary = match &config.primary_metric {
        Some(name) => metrics
            .iter()
            .find(|(metric, _)| metric == name)
            .map(|(_, scores)| covered(scores))
            .unwrap_or_default(),
        None => case_scores(runs, config.mean_over),
    };
    let (mean_attempted, mean_total) = means(&primary, counts.total);
    let interval =
        |scores: &[f64]| stats::mean_interval(scores).map(|ci| [Num(ci.low), Num(ci.high)]);
    let metric_totals = metrics
        .iter()
        .map(|(name, scores)| {
            let covered = covered(scores);
            // Where every attempt of a case is judged, checks are counted, not cases.
            let n_all =
                scores.verdicts.map_or(counts.total, |of| of.n_passed + of.n_failed + of.n_errors);
            let (mean_attempted, mean_total) = means(&covered, n_all);
            let declared_rule = rules.pass.or(config.pass_rule.filter(|rule| rule.is_declared));
            let by_rule = declared_rule
                .map(|rule| (n_passing(&scores.attempted, rule), attempted))
                .or(scores.verdicts.map(|of| (of.n_passed, of.n_passed + of.n_failed)));
            let passed = by_rule.map(|(passed, _)| passed);
            MetricTotals {
                label: config.label_of(name).to_owned(),
                name: name.clone(),
                n: covered.len() as u64,
                ci95: match by_rule {
                    Some((passed, attempted)) => stats::wilson_interval(passed, attempted)
                        .map(|ci| [Num(ci.low), Num(ci.high)]),
                    None => interval(&covered),
                },
                mean_attempted,
                mean_of_attempted: means(&scores.attempted, n_all).0,
                mean_total,
                passed,
                failed: by_rule.map(|(passed, attempted)| attempted.saturating_sub(passed)),
                pass_rate: match by_rule {
                    Some((passed, attempted)) => {
                        rate(passed, attempted).or(config.empty_mean.map(Num))
                    }
                    None if config.no_case_rule.is_some() => None,
                    None => mean_attempted,
                },
            }
        })
        .collect();
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
        metrics: metric_totals,
        usage: side_totals::usage(runs, config),
        timing: side_totals::timing(runs, config, &metrics),
        errors: side_totals::errors(runs),
        counts,
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

/// Scores by metric: those of `config.metrics` first, others in the order of their first check.
fn metric_scores(runs: &[&Run], config: &Config) -> Vec<(String, MetricScores)> {
    if config.metrics.is_empty() {
        return Vec::new();
    }
    let mut metrics: Vec<(String, MetricScores)> =
        config.metrics.iter().map(|name| (name.clone(), MetricScores::default())).collect();
    for run in runs {
        for idx in 0..run.checks.len() {
            let (Some(name), Some(case_idx)) =
                (run.checks.name.get(idx), run.checks.case_idx.get(idx))
            else {
                continue;
            };
            let at = match metrics.iter().position(|(metric, _)| metric == name) {
                Some(at) => at,
                None => {
                    metrics.push((name.to_owned(), MetricScores::default()));
                    metrics.len() - 1
                }
            };
            let Some((_, scores)) = metrics.get_mut(at) else { continue };
            scores.secs.extend(run.checks.duration_secs.get(idx));
            let has_attempts = run.cases.n_attempts.get(case_idx as usize).is_some();
            if let Some(verdict) = run.checks.verdict_of(idx).filter(|_| has_attempts) {
                let verdicts = scores.verdicts.get_or_insert_default();
                match verdict {
                    Verdict::Passed => verdicts.n_passed += 1,
                    Verdict::Failed => verdicts.n_failed += 1,
                    Verdict::Error => {
                        // Its score says nothing: the producer leaves it out.
                        verdicts.n_errors += 1;
                        continue;
                    }
                }
            }
            if let Some(score) = run.checks.score.get(idx) {
                scores.graded.push(score);
                if run.is_attempted(case_idx as usize) {
                    scores.attempted.push(score);
                }
            }
        }
    }
    metrics
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
