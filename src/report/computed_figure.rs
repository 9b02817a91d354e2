//! The computed counterpart of a declared figure.

use super::Num;
use super::pages::audit::{AuditValue, value_of};
use crate::figures::{AggregateFigures, Figures, RepeatFigures};
use crate::model::{
    Config, Ended, Figure, GateRule, Kind, Outcome, Run, Scope, UsageField, id_list,
};
use crate::policy::{Policy, judge_policy};
use crate::scoring::{MetricTotals, Spread, SpreadStat, Totals};
use crate::stats;
use crate::workspace::Entry;

/// The figures that declared ones are compared with: those of the files' own rules.
pub(super) fn base(entry: &Entry) -> &Figures {
    &entry.base
}

/// What the cases give for `figure` of `scope`.
pub(super) fn compute(figure: &Figure, scope: &Scope, entry: &Entry) -> AuditValue {
    if let Figure::Found { value, .. } = figure {
        return value_of(value);
    }
    if let Figure::FailedIds = figure {
        return AuditValue::Text(failed_ids(scope, entry));
    }
    let found = match scope {
        Scope::Run(idx) => of_run(figure, *idx, entry),
        Scope::Repeat(repeat) => {
            of_repeat(figure, repeat_figures(*repeat, entry), &entry.evaluation.config)
        }
        Scope::Subject { repeat, subject } => repeat_figures(*repeat, entry)
            .and_then(|figures| figures.subjects.iter().find(|(name, _)| name == subject))
            .and_then(|(_, totals)| of_totals(figure, totals, &entry.evaluation.config)),
        Scope::Evaluation => of_evaluation(figure, entry),
        Scope::SubjectAggregate(subject) => of_subject(figure, subject, entry),
        Scope::Suite(suite) => of_suite(figure, suite, entry),
    };
    found.unwrap_or(AuditValue::Missing)
}

fn repeat_figures(repeat: u32, entry: &Entry) -> Option<&RepeatFigures> {
    base(entry).repeats.iter().find(|figures| figures.repeat == repeat)
}

/// Rows of the runs that a scope covers.
pub(super) fn runs_of(scope: &Scope, entry: &Entry) -> Vec<usize> {
    if let Scope::Run(idx) = scope {
        return entry.recorded_runs().get(*idx).map(|_| *idx).into_iter().collect();
    }
    let is_in = |run: &Run| match scope {
        Scope::Evaluation | Scope::Run(_) => true,
        Scope::Repeat(repeat) => run.key.repeat == *repeat,
        Scope::Subject { repeat, subject } => {
            run.key.repeat == *repeat && run.key.subject.as_ref() == Some(subject)
        }
        Scope::SubjectAggregate(subject) => run.key.subject.as_ref() == Some(subject),
        Scope::Suite(suite) => run.key.suite.as_ref() == Some(suite),
    };
    let runs = entry.recorded_runs().iter().enumerate();
    runs.filter(|(_, run)| is_in(run)).map(|(at, _)| at).collect()
}

/// Ids of the cases with an error.
fn failed_ids(scope: &Scope, entry: &Entry) -> String {
    let mut ids = Vec::new();
    for run in runs_of(scope, entry).into_iter().filter_map(|at| entry.recorded_runs().get(at)) {
        let failed =
            (0..run.cases.len()).filter(|&idx| run.cases.outcome_of(idx) == Outcome::Error);
        ids.extend(failed.filter_map(|idx| run.cases.id.get(idx)).map(str::to_owned));
    }
    id_list(ids)
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn count(n: u64) -> Option<AuditValue> {
    Some(AuditValue::Number(Num(n as f64)))
}

fn number(found: Option<Num>) -> Option<AuditValue> {
    found.map(AuditValue::Number)
}

/// Figures of a run: its totals, kinds, policies, cases.
fn of_run(figure: &Figure, idx: usize, entry: &Entry) -> Option<AuditValue> {
    let figures = base(entry).runs.get(idx)?;
    let run = entry.recorded_runs().get(idx)?;
    match figure {
        Figure::KindPassed(kind) => {
            count(figures.by_kind.get(kind).map_or(0, |of_kind| of_kind.passed))
        }
        Figure::KindTotal(kind) => {
            count(figures.by_kind.get(kind).map_or(0, |of_kind| of_kind.total))
        }
        Figure::Policy(name) => {
            let policy = Policy::from_text(name)?;
            let verdict = figures.policies.iter().find(|verdict| verdict.policy == policy)?;
            Some(AuditValue::Flag(verdict.is_passed))
        }
        Figure::StrictPassRate => rate(run, |_| true),
        Figure::IsolatedPassRate => rate(run, |kind| kind != Some(Kind::Regression)),
        Figure::KindPassRate(kind) => rate(run, |own| own == Some(*kind)),
        Figure::CaseScore { case_idx, .. } => number(run.cases.score.get(*case_idx).map(Num)),
        Figure::CaseOutcome { case_idx } => {
            Some(AuditValue::Text(run.cases.outcome_of(*case_idx).as_str().to_owned()))
        }
        Figure::DurationFromGroups => {
            let secs = run.groups.iter().filter_map(|group| group.duration_secs);
            number(Some(Num(stats::sum(secs))))
        }
        figure => of_totals(figure, &figures.totals, &entry.evaluation.config),
    }
}

/// Passed cases over all cases of the kinds that count; `None` when there is none.
fn rate(run: &Run, is_counted: impl Fn(Option<Kind>) -> bool) -> Option<AuditValue> {
    let counted = (0..run.cases.len()).filter(|&idx| is_counted(run.cases.kind_of(idx)));
    let (passed, total) = counted.fold((0_u32, 0_u32), |(passed, total), idx| {
        (passed + u32::from(run.cases.outcome_of(idx) == Outcome::Passed), total + 1)
    });
    (total > 0).then(|| AuditValue::Number(Num(f64::from(passed) / f64::from(total))))
}

/// Figures over the runs of a suite.
fn of_suite(figure: &Figure, suite: &str, entry: &Entry) -> Option<AuditValue> {
    let own = runs_of(&Scope::Suite(suite.to_owned()), entry);
    match figure {
        Figure::Policy(name) => {
            let policy = Policy::from_text(name)?;
            Some(AuditValue::Flag(recorded_policy(policy, &own, entry)))
        }
        Figure::MeanOverRuns(inner) => {
            let values = own.iter().filter_map(|&idx| match of_run(inner, idx, entry)? {
                AuditValue::Number(number) => Some(number.0),
                _ => None,
            });
            number(stats::mean(values).map(Num))
        }
        _ => None,
    }
}

/// `passed_policy` as the producer makes it: the policy holds for every checkpoint, the evaluation
/// after a skill not counted; from v0.3 on also none had an error and all that were planned are there.
fn recorded_policy(policy: Policy, own: &[usize], entry: &Entry) -> bool {
    let is_late = entry.evaluation.generation.contains("G2d");
    let runs = own.iter().filter_map(|&idx| {
        let run = entry.recorded_runs().get(idx)?;
        Some((run, base(entry).runs.get(idx)?)).filter(|_| run.again().is_none())
    });
    let mut runs =
        runs.filter(|(run, _)| is_late || !(run.cases.is_empty() && run.state.is_some()));
    runs.all(|(run, figures)| {
        !(is_late && run.ended() != Ended::Complete)
            && judge_policy(policy, &figures.by_kind).is_passed
    })
}

fn of_repeat(
    figure: &Figure,
    figures: Option<&RepeatFigures>,
    config: &Config,
) -> Option<AuditValue> {
    let figures = figures?;
    match figure {
        Figure::GatePassed => figures.gate.as_ref()?.is_passed.map(AuditValue::Flag),
        Figure::GateValue => number(figures.gate.as_ref()?.value),
        figure => of_totals(figure, &figures.totals, config),
    }
}

fn of_totals(figure: &Figure, totals: &Totals, config: &Config) -> Option<AuditValue> {
    let metric = |name: &str| totals.metrics.iter().find(|metric| metric.name == name);
    let of_metric = |name: &str, get: fn(&MetricTotals) -> Option<Num>| number(get(metric(name)?));
    match figure {
        Figure::Total => count(totals.counts.total),
        Figure::Attempted => count(totals.counts.attempted),
        Figure::Passed => count(totals.counts.passed?),
        Figure::Failed => count(totals.counts.attempted.saturating_sub(totals.counts.passed?)),
        Figure::MeanAttempted => number(totals.score.mean_attempted),
        Figure::MeanTotal => number(totals.score.mean_total),
        Figure::MetricMeanAttempted(name) => of_metric(name, |metric| metric.mean_attempted),
        Figure::MetricMeanOfAttempted(name) => of_metric(name, |metric| metric.mean_of_attempted),
        Figure::GateMean => number(gate_mean(totals, config)),
        Figure::AttemptedPassRate => {
            let (passed, attempted) = (totals.counts.passed?, totals.counts.attempted);
            number(Some(share(passed, attempted).unwrap_or(Num(0.0))))
        }
        Figure::MetricMeanTotal(name) => of_metric(name, |metric| metric.mean_total),
        Figure::MetricPassRate(name) => of_metric(name, |metric| metric.pass_rate),
        Figure::MetricPassed(name) => count(metric(name)?.passed?),
        Figure::MetricFailed(name) => count(metric(name)?.failed?),
        Figure::Reward => number(totals.reward),
        Figure::Usage(field) => {
            let usage = totals.usage.as_ref()?;
            match field {
                UsageField::Prompt => number(usage.prompt_tokens),
                UsageField::Completion => number(usage.completion_tokens),
                UsageField::CachedInput => number(usage.cached_input_tokens),
                UsageField::CacheWrite => number(usage.cache_write_tokens),
                UsageField::Reasoning => number(usage.reasoning_tokens),
                UsageField::Cost => number(usage.cost_usd),
                UsageField::CostMissing => count(usage.cost_missing),
            }
        }
        Figure::MeanSecs => number(totals.timing.as_ref()?.mean_secs),
        Figure::MeanTargetSecs => number(totals.timing.as_ref()?.mean_target_secs),
        Figure::MeanExtractionSecs => number(totals.timing.as_ref()?.mean_extraction_secs),
        Figure::P50Secs => number(totals.timing.as_ref()?.p50_secs),
        Figure::P95Secs => number(totals.timing.as_ref()?.p95_secs),
        Figure::MetricSecs(name) => {
            number(totals.timing.as_ref()?.per_metric_mean_secs.get(name).copied())
        }
        Figure::Errors => count(totals.errors.total),
        Figure::ErrorsByCategory(category) => {
            count(totals.errors.by_category.get(category).copied().unwrap_or(0))
        }
        Figure::ErrorsByType(kind) => {
            count(totals.errors.by_exception_type.get(kind).copied().unwrap_or(0))
        }
        _ => None,
    }
}

/// The metrics that the gate names, as it weighs them; `score` of letta-evals 0.17 – 0.20.
fn gate_mean(totals: &Totals, config: &Config) -> Option<Num> {
    let mean = |name: &str| {
        totals.metrics.iter().find(|metric| metric.name == name)?.mean_attempted.map(|mean| mean.0)
    };
    match &config.gate.as_ref()?.rule {
        GateRule::Simple { metric: Some(metric), .. } => mean(metric).map(Num),
        GateRule::Weighted { weights, .. } => {
            let parts: Option<Vec<f64>> =
                weights.iter().map(|(metric, weight)| Some(weight * mean(metric)?)).collect();
            let weight = stats::sum(weights.iter().map(|(_, weight)| *weight));
            (weight > 0.0).then_some(Num(stats::sum(parts?) / weight))
        }
        GateRule::Logical { .. } => {
            stats::mean(totals.metrics.iter().filter_map(|m| m.mean_attempted).map(|n| n.0))
                .map(Num)
        }
        GateRule::Simple { .. } => totals.score.mean_attempted,
        GateRule::Unknown(_) => None,
    }
}

/// `part / whole`; `None` of nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn share(part: u64, whole: u64) -> Option<Num> {
    (whole > 0).then(|| Num(part as f64 / whole as f64))
}

/// Figures of the evaluation: over repeats, of its summary, or of its only repeat.
fn of_evaluation(figure: &Figure, entry: &Entry) -> Option<AuditValue> {
    let aggregate = base(entry).aggregate.as_ref();
    let repeats = &base(entry).repeats;
    match figure {
        Figure::Repeats => count(repeats.len() as u64),
        Figure::RepeatsPassed => count(aggregate?.n_passed?),
        Figure::RepeatsFailed => count(aggregate?.n_repeats.saturating_sub(aggregate?.n_passed?)),
        Figure::RepeatsPassRate => number(share(aggregate?.n_passed?, aggregate?.n_repeats)),
        Figure::GatePassed => {
            entry.evaluation.config.gate.as_ref()?;
            let is_known = |repeat: &RepeatFigures| repeat.gate.as_ref()?.is_passed;
            repeats.iter().find_map(is_known)?;
            Some(AuditValue::Flag(repeats.iter().any(|repeat| {
                repeat.gate.as_ref().is_some_and(|gate| gate.is_passed == Some(true))
            })))
        }
        Figure::Summary(path) => summary_member(base(entry).summary.as_ref()?, path),
        Figure::Policy(name) => {
            let policy = Policy::from_text(name)?;
            let all = base(entry).runs.iter().all(|run| {
                run.policies.iter().any(|verdict| verdict.policy == policy && verdict.is_passed)
            });
            Some(AuditValue::Flag(all))
        }
        figure => over_repeats(figure, &aggregate?.spread).or_else(|| {
            let totals = repeats.iter().map(|repeat| &repeat.totals);
            sum_over(figure, totals, &entry.evaluation.config)
        }),
    }
}

/// Figures of a subject over all its repeats.
fn of_subject(figure: &Figure, subject: &str, entry: &Entry) -> Option<AuditValue> {
    let of_repeats = || {
        base(entry).repeats.iter().filter_map(|repeat| {
            repeat.subjects.iter().find(|(name, _)| name == subject).map(|(_, totals)| totals)
        })
    };
    let aggregate: Option<&AggregateFigures> = base(entry).aggregate.as_ref();
    let spread = aggregate
        .and_then(|over| over.subjects.iter().find(|(name, ..)| name == subject))
        .map(|(_, _, spread)| spread);
    if let (Figure::Total, n_repeats @ 1..) = (figure, of_repeats().count() as u64) {
        // The files state the cases of one repeat, rounded down.
        let total: u64 = of_repeats().map(|totals| totals.counts.total).sum();
        return count(total / n_repeats);
    }
    spread
        .and_then(|spread| over_repeats(figure, spread))
        .or_else(|| sum_over(figure, of_repeats(), &entry.evaluation.config))
}

/// A mean, deviation or end over repeats.
fn over_repeats(figure: &Figure, spread: &Spread) -> Option<AuditValue> {
    let (inner, get): (&Figure, fn(&SpreadStat) -> Option<Num>) = match figure {
        Figure::MeanOverRepeats(inner) => (inner, |stat| stat.mean),
        Figure::StdOverRepeats(inner) => (inner, |stat| stat.std),
        Figure::MinOverRepeats(inner) => (inner, |stat| stat.min),
        Figure::MaxOverRepeats(inner) => (inner, |stat| stat.max),
        _ => return None,
    };
    let stat = match inner {
        Figure::MeanAttempted => &spread.score,
        Figure::MeanTotal => &spread.score_total,
        Figure::Reward => spread.reward.as_ref()?,
        Figure::MetricMeanAttempted(name) => spread.metrics.get(name)?,
        _ => return None,
    };
    number(get(stat))
}

/// Counts and usage add up over repeats; timings are the mean of the repeats' own numbers.
fn sum_over<'a>(
    figure: &Figure,
    repeats: impl Iterator<Item = &'a Totals> + Clone,
    config: &Config,
) -> Option<AuditValue> {
    let is_mean = matches!(
        figure,
        Figure::MeanSecs
            | Figure::MeanTargetSecs
            | Figure::MeanExtractionSecs
            | Figure::P50Secs
            | Figure::P95Secs
            | Figure::MetricSecs(_)
    );
    let inner = match figure {
        Figure::MeanOverRepeats(inner)
        | Figure::StdOverRepeats(inner)
        | Figure::MinOverRepeats(inner)
        | Figure::MaxOverRepeats(inner) => inner,
        figure => figure,
    };
    let values: Vec<f64> = repeats
        .filter_map(|totals| match of_totals(inner, totals, config)? {
            AuditValue::Number(number) => Some(number.0),
            _ => None,
        })
        .collect();
    match figure {
        Figure::StdOverRepeats(_) => {
            let single = (values.len() == 1).then_some(0.0);
            return number(stats::exact_stdev(&values).or(single).map(Num));
        }
        Figure::MinOverRepeats(_) => {
            return number(values.into_iter().min_by(f64::total_cmp).map(Num));
        }
        Figure::MaxOverRepeats(_) => {
            return number(values.into_iter().max_by(f64::total_cmp).map(Num));
        }
        _ => {}
    }
    if is_mean || matches!(figure, Figure::MeanOverRepeats(_)) {
        return number(stats::exact_mean(&values).map(Num));
    }
    (!values.is_empty()).then(|| AuditValue::Number(Num(stats::sum(values))))
}

/// The member of a summary at a dotted path.
fn summary_member(summary: &serde_json::Value, path: &str) -> Option<AuditValue> {
    let member = path.split('.').try_fold(summary, |value, key| value.get(key))?;
    Some(match member {
        serde_json::Value::Bool(flag) => AuditValue::Flag(*flag),
        serde_json::Value::Null => AuditValue::Missing,
        other => match crate::input::json::f64_from_value(other) {
            Some(found) => AuditValue::Number(Num(found)),
            None => AuditValue::Text(other.as_str()?.to_owned()),
        },
    })
}
