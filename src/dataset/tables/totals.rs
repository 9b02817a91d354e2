//! Columns of all figures over a set of cases: the same for runs and for repeats.

use crate::dataset::cell::{RecordCell, RecordColumn, column, count, num, number, required};
use crate::export::ExportType::{Count, Number};
use crate::model::Num;
use crate::scoring::{ResponseTimes, TimingTotals, Totals, UsageTotals};
use crate::stats;

/// The columns.
pub(super) fn totals() -> Vec<RecordColumn<Totals>> {
    vec![
        required("total", Count, |of: &Totals| count(of.counts.total)),
        required("attempted", Count, |of| count(of.counts.attempted)),
        column("passed", Count, |of| of.counts.passed.map(RecordCell::Count)),
        column("failed", Count, |of| of.counts.failed.map(RecordCell::Count)),
        required("errors", Count, |of| count(of.counts.error)),
        required("skipped", Count, |of| count(of.counts.skipped)),
        required("scored", Count, |of| count(of.counts.scored)),
        required("unscored", Count, |of| count(of.counts.unscored)),
        column("pass_rate", Number, |of| rate(of).map(RecordCell::Number)),
        column("pass_rate_low", Number, |of| wilson(of).map(|(low, _)| RecordCell::Number(low))),
        column("pass_rate_high", Number, |of| wilson(of).map(|(_, high)| RecordCell::Number(high))),
        column("mean_attempted", Number, |of| num(of.score.mean_attempted)),
        column("mean_total", Number, |of| num(of.score.mean_total)),
        column("mean_of_groups", Number, |of| num(of.score.mean_of_groups)),
        column("weighted", Number, |of| num(of.score.weighted)),
        column("ci95_low", Number, |of| num(of.score.ci95.map(|[low, _]| low))),
        column("ci95_high", Number, |of| num(of.score.ci95.map(|[_, high]| high))),
        required("n_scores", Count, |of| count(of.score.n)),
        column("reward", Number, |of| num(of.reward)),
        column("prompt_tokens", Number, |of| usage(of, |usage| usage.prompt_tokens)),
        column("completion_tokens", Number, |of| usage(of, |usage| usage.completion_tokens)),
        column("cached_input_tokens", Number, |of| usage(of, |usage| usage.cached_input_tokens)),
        column("cache_write_tokens", Number, |of| usage(of, |usage| usage.cache_write_tokens)),
        column("reasoning_tokens", Number, |of| usage(of, |usage| usage.reasoning_tokens)),
        column("cost_usd", Number, |of| usage(of, |usage| usage.cost_usd)),
        column("cost_missing", Count, |of| {
            of.usage.as_ref().map(|usage| RecordCell::Count(usage.cost_missing))
        }),
        column("steps", Number, |of| usage(of, |usage| usage.steps)),
        column("mean_secs", Number, |of| timing(of, |timing| timing.mean_secs)),
        column("mean_target_secs", Number, |of| timing(of, |timing| timing.mean_target_secs)),
        column("mean_extraction_secs", Number, |of| {
            timing(of, |timing| timing.mean_extraction_secs)
        }),
        column("p50_secs", Number, |of| timing(of, |timing| timing.p50_secs)),
        column("p95_secs", Number, |of| timing(of, |timing| timing.p95_secs)),
        column("agent_secs", Number, |of| timing(of, |timing| timing.agent_secs)),
        column("test_secs", Number, |of| timing(of, |timing| timing.test_secs)),
        column("n_responses", Count, |of| responses(of).map(|times| RecordCell::Count(times.n))),
        column("response_mean_secs", Number, |of| num(responses(of).map(|times| times.mean_secs))),
        column("response_p50_secs", Number, |of| num(responses(of).map(|times| times.p50_secs))),
        column("response_p95_secs", Number, |of| num(responses(of).map(|times| times.p95_secs))),
        column("response_max_secs", Number, |of| num(responses(of).map(|times| times.max_secs))),
    ]
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn rate(of: &Totals) -> Option<f64> {
    let (passed, counted) = of.counts.passing()?;
    (counted > 0).then(|| passed as f64 / counted as f64)
}

fn wilson(of: &Totals) -> Option<(f64, f64)> {
    let (passed, counted) = of.counts.passing()?;
    stats::wilson_interval(passed, counted).map(|interval| (interval.low, interval.high))
}

fn usage(of: &Totals, get: impl Fn(&UsageTotals) -> Option<Num>) -> Option<RecordCell> {
    number(get(of.usage.as_ref()?).map(|found| found.0))
}

fn timing(of: &Totals, get: impl Fn(&TimingTotals) -> Option<Num>) -> Option<RecordCell> {
    number(get(of.timing.as_ref()?).map(|found| found.0))
}

fn responses(of: &Totals) -> Option<&ResponseTimes> {
    of.timing.as_ref()?.responses.as_ref()
}
