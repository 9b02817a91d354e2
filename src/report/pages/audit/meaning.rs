//! Causes that explain a difference by themselves: the figure was rounded, has another unit, was
//! measured by another clock, or follows another definition of the same name. Each is computed: it
//! is named only where it gives just the declared value.

use super::AuditValue;
use super::compare::{AuditedFigure, ROUNDING, is_within};
use crate::model::{Figure, Scope};
use crate::report::computed_figure::{compute, runs_of};
use crate::words::report::audit as words;
use crate::workspace::Entry;

/// Why the figure is what it is; `None`: none of these causes gives it.
pub(super) fn meaning(compared: &AuditedFigure<'_>, entry: &Entry) -> Option<String> {
    let (AuditValue::Number(stated), AuditValue::Number(computed)) =
        (&compared.stated, &compared.computed)
    else {
        return None;
    };
    let (stated, computed) = (stated.0, computed.0);
    not_finite(stated, computed)
        .or_else(|| rounded(stated, computed))
        .or_else(|| match &compared.declared.figure {
            Figure::DurationFromGroups => clock(stated, computed, &compared.declared.scope, entry),
            _ => None,
        })
        .or_else(|| unit(compared, stated, computed))
        .or_else(|| definition(compared, stated, computed, entry))
}

fn not_finite(stated: f64, computed: f64) -> Option<String> {
    let is_it = !stated.is_finite() && !computed.is_finite();
    is_it.then(|| words::NOT_FINITE.to_owned())
}

/// The computed figure, rounded to the decimals that the file writes. One digit says too little.
fn rounded(stated: f64, computed: f64) -> Option<String> {
    let text = stated.to_string();
    let decimals = text.split_once('.')?.1.len();
    let is_precise = decimals >= 2 || stated.abs() >= 10.0;
    let half = 0.5 * 10_f64.powi(-i32::try_from(decimals).ok()?);
    let is_it = is_precise && (stated - computed).abs() <= half * (1.0 + ROUNDING);
    is_it.then(|| words::rounded_to(decimals))
}

/// Seconds of a whole against those of its groups.
fn clock(stated: f64, computed: f64, scope: &Scope, entry: &Entry) -> Option<String> {
    if stated == 0.0 {
        return Some(words::PLACEHOLDER.to_owned());
    }
    if stated > computed {
        return Some(words::wall_clock(stated - computed));
    }
    let longest = runs_of(scope, entry)
        .into_iter()
        .filter_map(|at| entry.recorded_runs().get(at))
        .flat_map(|run| run.groups.iter().filter_map(|group| group.duration_secs))
        .fold(0.0, f64::max);
    // One group cannot run beside itself.
    let is_beside = stated >= longest && longest < computed * (1.0 - ROUNDING);
    is_beside.then(|| words::PARALLEL_GROUPS.to_owned())
}

/// Percents where a fraction is usual, and the other way about.
fn unit(compared: &AuditedFigure<'_>, stated: f64, computed: f64) -> Option<String> {
    let is_percent = is_within(compared.declared.scale, 100.0, ROUNDING);
    if is_percent && is_within(stated * 100.0, computed, ROUNDING) {
        return Some(words::AS_FRACTION.to_owned());
    }
    let is_share = matches!(
        compared.declared.figure.innermost(),
        Figure::MeanAttempted
            | Figure::MeanTotal
            | Figure::AttemptedPassRate
            | Figure::MetricMeanAttempted(_)
            | Figure::MetricMeanOfAttempted(_)
            | Figure::MetricMeanTotal(_)
            | Figure::MetricPassRate(_)
            | Figure::RepeatsPassRate
            | Figure::GateValue
            | Figure::GateMean
            | Figure::StrictPassRate
            | Figure::IsolatedPassRate
            | Figure::KindPassRate(_)
    );
    let is_it = is_share && !is_percent && is_within(stated, computed * 100.0, ROUNDING);
    is_it.then(|| words::AS_PERCENT.to_owned())
}

/// Another definition that people give the same name, where it gives the declared value.
fn definition(
    compared: &AuditedFigure<'_>,
    stated: f64,
    computed: f64,
    entry: &Entry,
) -> Option<String> {
    let declared = compared.declared;
    let is_it = |value: f64| is_within(value, stated, ROUNDING) || rounded(stated, value).is_some();
    let number = |figure: &Figure| match compute(figure, &declared.scope, entry) {
        AuditValue::Number(found) => Some(found.0 * declared.scale),
        _ => None,
    };
    let others = others(&declared.figure);
    if let Some((_, why)) = others.iter().find(|(figure, _)| number(figure).is_some_and(is_it)) {
        return Some((*why).to_owned());
    }
    let config = &entry.evaluation.config;
    let first = config.primary_metric.as_ref().or(config.metrics.first());
    let mut giving = config.metrics.iter().filter(|name| Some(*name) != first).filter(|name| {
        let figure = of_metric(&declared.figure, name);
        let value = figure.and_then(|figure| number(&figure));
        value.is_some_and(|value| is_within(value, stated, ROUNDING))
    });
    if let (Some(only), None) = (giving.next(), giving.next()) {
        return Some(words::of_other_metric(only));
    }
    match &declared.figure {
        Figure::StdOverRepeats(_) => {
            let AuditValue::Number(n) = compute(&Figure::Repeats, &Scope::Evaluation, entry) else {
                return None;
            };
            let of_population = computed * ((n.0 - 1.0) / n.0).max(0.0).sqrt();
            is_it(of_population).then(|| words::POPULATION_DEVIATION.to_owned())
        }
        Figure::Failed => {
            let all = number(&Figure::Total)? - number(&Figure::Passed)?;
            is_it(all).then(|| words::ERRORS_AS_FAILED.to_owned())
        }
        Figure::Attempted => is_it(number(&Figure::Total)?).then(|| words::ERRORS_TOO.to_owned()),
        Figure::Total => {
            let n_attempts: u64 = runs_of(&declared.scope, entry)
                .into_iter()
                .filter_map(|at| entry.recorded_runs().get(at))
                .flat_map(|run| run.cases.n_attempts.iter())
                .map(|n| u64::from(n.unwrap_or(1)))
                .sum();
            (as_number(n_attempts) > computed && is_it(as_number(n_attempts)))
                .then(|| words::EVERY_ATTEMPT.to_owned())
        }
        Figure::KindPassed(kind) => {
            let runs = runs_of(&declared.scope, entry).into_iter();
            let n_full: u64 = runs
                .filter_map(|at| entry.recorded_runs().get(at))
                .map(|run| {
                    let own =
                        (0..run.cases.len()).filter(|&idx| run.cases.kind_of(idx) == Some(*kind));
                    own.filter(|&idx| run.cases.score.get(idx).is_some_and(|score| score >= 1.0))
                        .count() as u64
                })
                .sum();
            is_it(as_number(n_full)).then(|| words::FULL_SCORES.to_owned())
        }
        _ => None,
    }
}

/// A mean of the primary metric, as the same of the metric `name`.
fn of_metric(figure: &Figure, name: &str) -> Option<Figure> {
    let wrapped = |inner: &Figure, wrap: fn(Box<Figure>) -> Figure| {
        of_metric(inner, name).map(|one| wrap(Box::new(one)))
    };
    match figure {
        Figure::MeanAttempted => Some(Figure::MetricMeanAttempted(name.to_owned())),
        Figure::MeanTotal => Some(Figure::MetricMeanTotal(name.to_owned())),
        Figure::MeanOverRepeats(inner) => wrapped(inner, Figure::MeanOverRepeats),
        Figure::StdOverRepeats(inner) => wrapped(inner, Figure::StdOverRepeats),
        Figure::MinOverRepeats(inner) => wrapped(inner, Figure::MinOverRepeats),
        Figure::MaxOverRepeats(inner) => wrapped(inner, Figure::MaxOverRepeats),
        _ => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn as_number(n: u64) -> f64 {
    n as f64
}

/// Figures that go by the same name, with the reason that is shown where one of them is meant.
fn others(figure: &Figure) -> Vec<(Figure, &'static str)> {
    let wrap = |inner: &Figure, wrap: fn(Box<Figure>) -> Figure| {
        others(inner).into_iter().map(|(one, why)| (wrap(Box::new(one)), why)).collect()
    };
    match figure {
        Figure::MeanAttempted => {
            vec![(Figure::MeanTotal, words::OF_ALL), (Figure::GateValue, words::OF_GATE)]
        }
        Figure::MeanTotal => vec![(Figure::MeanAttempted, words::OF_ATTEMPTED)],
        Figure::MetricMeanAttempted(name) | Figure::MetricMeanOfAttempted(name) => vec![
            (Figure::MetricMeanTotal(name.clone()), words::OF_ALL),
            (Figure::MetricMeanAttempted(name.clone()), words::OF_ATTEMPTED),
            (Figure::MetricMeanOfAttempted(name.clone()), words::OF_ATTEMPTED),
        ],
        Figure::MetricMeanTotal(name) => {
            vec![(Figure::MetricMeanAttempted(name.clone()), words::OF_ATTEMPTED)]
        }
        Figure::AttemptedPassRate => vec![(Figure::MeanAttempted, words::MEAN_AS_RATE)],
        Figure::MetricPassRate(name) => vec![
            (Figure::MetricMeanAttempted(name.clone()), words::MEAN_AS_RATE),
            (Figure::MetricMeanTotal(name.clone()), words::MEAN_AS_RATE),
        ],
        Figure::GateMean => vec![(Figure::GateValue, words::OF_GATE)],
        Figure::MeanOverRepeats(inner) => wrap(inner, Figure::MeanOverRepeats),
        Figure::StdOverRepeats(inner) => wrap(inner, Figure::StdOverRepeats),
        Figure::MinOverRepeats(inner) => wrap(inner, Figure::MinOverRepeats),
        Figure::MaxOverRepeats(inner) => wrap(inner, Figure::MaxOverRepeats),
        _ => Vec::new(),
    }
}
