//! Figures by metric.

use super::compute::{interval, means};
use super::{Counts, MetricTotals};
use crate::model::{Config, MeanOver, Num, PassRule, Run, Verdict, in_blocks};
use crate::scoring::rules::Rules;
use crate::stats;
use std::collections::BTreeMap;

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

/// Scores by metric: those of `config.metrics` first, others in the order of their first check.
pub(super) fn metric_scores(runs: &[&Run], config: &Config) -> Vec<(String, MetricScores)> {
    if config.metrics.is_empty() {
        return Vec::new();
    }
    let mut metrics: Vec<(String, MetricScores)> =
        config.metrics.iter().map(|name| (name.clone(), MetricScores::default())).collect();
    for run in runs {
        let names: Vec<&str> = run.checks.name.words().collect();
        // By the number of a name: its place among the metrics, once a check has it.
        let mut places: Vec<Option<usize>> = vec![None; names.len()];
        let (attempted, cases) = (run.attempted(), run.checks.case_idx.cells());
        let (own, secs) = (run.checks.score.cells(), run.checks.duration_secs.cells());
        let n_attempts = run.cases.n_attempts.cells();
        let verdict_of = run.checks.verdict.meanings(Verdict::from_text);
        let codes = run.checks.name.keys();
        let mut add = |idx: usize| {
            let code = usize::try_from(codes.get(idx)?).ok()?;
            let case_idx = cases.get(idx)?;
            let (name, place) = (names.get(code)?, places.get_mut(code)?);
            let at = *place.get_or_insert_with(|| {
                metrics.iter().position(|(metric, _)| metric == name).unwrap_or_else(|| {
                    metrics.push(((*name).to_owned(), MetricScores::default()));
                    metrics.len() - 1
                })
            });
            let (_, scores) = metrics.get_mut(at)?;
            scores.secs.extend(secs.get(idx));
            let has_attempts = n_attempts.get(case_idx as usize).is_some();
            if let Some(verdict) = verdict_of(idx).flatten().filter(|_| has_attempts) {
                let verdicts = scores.verdicts.get_or_insert_default();
                match verdict {
                    Verdict::Passed => verdicts.n_passed += 1,
                    Verdict::Failed => verdicts.n_failed += 1,
                    Verdict::Error => {
                        // Its score says nothing: the producer leaves it out.
                        verdicts.n_errors += 1;
                        return None;
                    }
                }
            }
            let score = own.get(idx)?;
            scores.graded.push(score);
            if attempted(case_idx as usize) {
                scores.attempted.push(score);
            }
            Some(())
        };
        in_blocks(run.checks.len(), |rows| {
            for idx in rows {
                // A check without name, case or score adds nothing.
                add(idx);
            }
        });
    }
    metrics
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
    let mut n_passing: BTreeMap<&str, u64> = BTreeMap::new();
    n_passing.extend(config.metrics.iter().map(|name| (name.as_str(), 0)));
    for run in runs.iter().filter(|_| !config.metrics.is_empty()) {
        let names: Vec<&str> = run.checks.name.words().collect();
        for (name, n) in names.iter().zip(passing_checks(run, rule, names.len())) {
            *n_passing.entry(name).or_default() += n;
        }
    }
    let is_known = |name: &&str| {
        let mut known = declared.iter().filter(|own| own.name == **name);
        known.any(|own| own.mean_of_attempted.is_some() == own.mean_attempted.is_some())
    };
    if !n_passing.keys().all(is_known) {
        return None;
    }
    let passing = |name: &str| n_passing.get(name).copied().unwrap_or(0);
    let of_metric =
        |own: &MetricTotals| own.clone().passing(passing(&own.name), n_attempted, config);
    Some(declared.iter().map(of_metric).collect())
}

/// By number of the metric's name in `run`, of which there are `n_names`: its checks of attempted cases whose score passes `rule`.
fn passing_checks(run: &Run, rule: PassRule, n_names: usize) -> Vec<u64> {
    let checks = &run.checks;
    let (names, scores) = (checks.name.keys(), checks.score.cells());
    let name_of = |row| names.get(row).and_then(|name| usize::try_from(name).ok());
    let passes = |row| scores.get(row).is_some_and(|score| rule.op.holds(score, rule.value));
    let mut n_passing = vec![0_u64; n_names];
    for row in 0..checks.len() {
        if let (Some(name), Some(score)) = (names.get(row), scores.get(row))
            && let Some(n) = n_passing.get_mut(name as usize)
        {
            // No branch: whether the next score passes cannot be predicted.
            *n += u64::from(rule.op.holds(score, rule.value));
        }
    }
    // Most cases were attempted: the others' checks are taken off again.
    let missed = run.not_attempted();
    let of_missed = missed.iter().flat_map(|&case| run.checks_of(case));
    // Where each attempt of a case has verdicts, a score beside an error says nothing.
    let beside_error = rows_beside_errors(run);
    let beside_error = beside_error.into_iter().filter(|row| {
        let case = checks.case_idx.get(*row).map(|case| case as usize);
        case.is_none_or(|case| missed.binary_search(&case).is_err())
    });
    for row in of_missed.chain(beside_error).filter(|row| passes(*row)) {
        if let Some(n) = name_of(row).and_then(|name| n_passing.get_mut(name)) {
            *n = n.saturating_sub(1);
        }
    }
    n_passing
}

/// The checks of cases with several attempts that could not be judged.
fn rows_beside_errors(run: &Run) -> Vec<usize> {
    let is_error = |word: &str| Verdict::from_text(word) == Some(Verdict::Error);
    let (cases, n_attempts) = (run.checks.case_idx.cells(), run.cases.n_attempts.cells());
    let mut rows = run.checks.verdict.rows_of(is_error);
    rows.retain(|row| cases.get(*row).is_some_and(|case| n_attempts.get(case as usize).is_some()));
    rows
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
                mean_of_attempted: match config.mean_over {
                    MeanOver::AttemptedAndGraded => mean_attempted,
                    MeanOver::Graded => means(&scores.attempted, n_all, config).0,
                },
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
