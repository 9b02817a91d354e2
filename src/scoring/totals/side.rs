//! Totals beside the scores: usage, timing, errors.

use super::metrics::MetricScores;
use super::{ErrorTotals, ResponseTimes, TimingTotals, UsageTotals};
use crate::model::{CaseTable, Config, F64, Num, Outcome, Run, RunUsage, ValueColumn};
use crate::scoring::attempts::attempts_one_by_one;
use crate::stats;

/// Sums over the cases and runs that state any; `None` when nothing does.
pub(super) fn usage(runs: &[&Run], config: &Config) -> Option<UsageTotals> {
    type OfCase = for<'a> fn(&'a CaseTable) -> &'a ValueColumn<F64>;
    let total = |of_case: OfCase, of_run: fn(&RunUsage) -> Option<f64>| {
        let mut found = Vec::new();
        for run in runs {
            found.extend(run.usage.as_ref().and_then(of_run));
            let mut of_cases = of_case(&run.cases).cells().present();
            if found.is_empty() {
                found = of_cases;
            } else {
                found.append(&mut of_cases);
            }
        }
        (!found.is_empty()).then(|| Num(stats::sum(found)))
    };
    let n_steps: Vec<f64> = runs.iter().filter_map(|run| run.usage.as_ref()?.n_steps).collect();
    let steps = (!n_steps.is_empty()).then(|| Num(stats::sum(n_steps)));
    let mut usage = UsageTotals {
        prompt_tokens: total(|cases| &cases.prompt_tokens, |run| run.prompt_tokens),
        completion_tokens: total(|cases| &cases.completion_tokens, |run| run.completion_tokens),
        cached_input_tokens: total(
            |cases| &cases.cached_input_tokens,
            |run| run.cached_input_tokens,
        ),
        cache_write_tokens: total(|cases| &cases.cache_write_tokens, |run| run.cache_write_tokens),
        reasoning_tokens: total(|cases| &cases.reasoning_tokens, |run| run.reasoning_tokens),
        cost_usd: total(|cases| &cases.cost_usd, |run| run.cost_usd),
        steps,
        cost_missing: 0,
    };
    if usage == UsageTotals::default() {
        return None;
    }
    for run in runs.iter().filter(|_| config.has_costs) {
        let (read, written) =
            (run.cases.prompt_tokens.cells(), run.cases.completion_tokens.cells());
        let cost = run.cases.cost_usd.cells();
        usage.cost_missing += (0..run.cases.len())
            .filter(|&idx| {
                let tokens = read.get(idx).unwrap_or(0.0) + written.get(idx).unwrap_or(0.0);
                tokens > 0.0 && cost.get(idx).is_none()
            })
            .count() as u64;
    }
    Some(usage)
}

/// Durations over the cases that state any; `None` when none does.
pub(super) fn timing(
    runs: &[&Run],
    config: &Config,
    metrics: &[(String, MetricScores)],
) -> Option<TimingTotals> {
    let collect = |of_case: for<'a> fn(&'a CaseTable) -> &'a ValueColumn<F64>| -> Vec<f64> {
        runs.iter().flat_map(|run| of_case(&run.cases).cells().present()).collect()
    };
    let mean = |values: Vec<f64>| stats::mean(values).map(Num);
    let sum = |get: &dyn Fn(&Run) -> Option<f64>| {
        let found: Vec<f64> = runs.iter().filter_map(|run| get(run)).collect();
        (!found.is_empty()).then(|| Num(stats::sum(found)))
    };
    let whole = collect(|cases| &cases.duration_secs);
    let timing = TimingTotals {
        responses: responses(runs),
        p50_secs: stats::upper_median(&whole).map(Num),
        p95_secs: stats::nearest_rank_p95(&whole).map(Num),
        mean_secs: mean(whole),
        mean_target_secs: mean(collect(|cases| &cases.target_secs)),
        mean_extraction_secs: mean(collect(|cases| &cases.extraction_secs)),
        agent_secs: sum(&|run| run.usage?.agent_secs),
        test_secs: sum(&|run| run.duration_secs.filter(|_| config.has_policies)),
        per_metric_mean_secs: metrics
            .iter()
            .filter_map(|(name, scores)| {
                let mean = stats::mean(scores.secs.iter().copied())?;
                Some((name.clone(), Num(mean)))
            })
            .collect(),
    };
    (timing != TimingTotals::default()).then_some(timing)
}

/// The times of single responses over all cases; `None` when none is known.
fn responses(runs: &[&Run]) -> Option<ResponseTimes> {
    let mut secs = Vec::new();
    for run in runs.iter().filter(|run| run.checks.attempt_secs.array().is_some()) {
        for row in 0..run.cases.len() {
            secs.extend(attempts_one_by_one(run, row).iter().filter_map(|attempt| attempt.secs));
        }
    }
    Some(ResponseTimes {
        n: secs.len() as u64,
        mean_secs: Num(stats::mean(secs.iter().copied())?),
        p50_secs: Num(stats::upper_median(&secs)?),
        p95_secs: Num(stats::nearest_rank_p95(&secs)?),
        max_secs: Num(secs.iter().copied().max_by(f64::total_cmp)?),
    })
}

/// Errors by category and by type.
pub(super) fn errors(runs: &[&Run]) -> ErrorTotals {
    let mut errors = ErrorTotals::default();
    for run in runs {
        let outcome = run.cases.outcomes();
        for idx in 0..run.cases.len() {
            if outcome(idx) != Outcome::Error {
                continue;
            }
            errors.total += 1;
            let kind = run.cases.error_type.get(idx);
            if let Some(category) = run.cases.error_category.get(idx) {
                *errors.by_category.entry(category.to_owned()).or_default() += 1;
            }
            if let Some(kind) = kind {
                *errors.by_exception_type.entry(kind.to_owned()).or_default() += 1;
            }
        }
    }
    errors
}
