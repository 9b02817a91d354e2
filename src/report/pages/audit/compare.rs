//! One comparison: what a figure says, what its cases give, and whether the two agree.

use super::AuditValue;
use crate::model::{Declared, DeclaredValue, Figure, GateRule, NO_RULE, Run, Scope};
use crate::policy::Policy;
use crate::report::Num;
use crate::report::computed_figure::{base, compute, runs_of};
use crate::words::report::audit as words;
use crate::workspace::Entry;

/// Two floats that differ by less, relative to the larger, agree: originals sum in memory order.
const TOLERANCE: f64 = 1e-12;

/// Two floats that differ by less may be the same figure, rounded or summed in another way.
pub(super) const ROUNDING: f64 = 1e-9;

/// A declared figure with what became of its comparison.
pub(in crate::report) struct AuditedFigure<'a> {
    /// The figure.
    pub declared: &'a Declared,
    /// What it says.
    pub stated: AuditValue,
    /// What the cases give.
    pub computed: AuditValue,
    /// Whether they agree.
    pub agrees: bool,
}

/// Compares one figure.
///
/// # Errors
/// Why it cannot be compared.
pub(in crate::report) fn compared<'a>(
    declared: &'a Declared,
    entry: &Entry,
) -> Result<AuditedFigure<'a>, String> {
    // Over no run at all some figures would come out as 0, or as an empty list.
    if runs_of(&declared.scope, entry).is_empty()
        && !matches!(declared.figure, Figure::Summary(_) | Figure::Found { .. })
        && let Some(why) = missing_ground(declared, entry)
    {
        return Err(why);
    }
    if follows_from_groups(declared.figure.innermost()) && lacks_groups(&declared.scope, entry) {
        return Err(words::NO_KINDS.to_owned());
    }
    let computed = match compute(&declared.figure, &declared.scope, entry) {
        AuditValue::Number(number) => AuditValue::Number(Num(number.0 * declared.scale)),
        other => other,
    };
    if computed == AuditValue::Missing
        && let Some(why) = missing_ground(declared, entry)
    {
        return Err(why);
    }
    let stated = value_of(&declared.value);
    let agrees = agrees(&declared.figure, &stated, &computed);
    Ok(AuditedFigure { declared, stated, computed, agrees })
}

/// Why there is nothing that a figure could be compared with; `None`: there should be something.
fn missing_ground(declared: &Declared, entry: &Entry) -> Option<String> {
    let config = &entry.evaluation.config;
    if let Figure::Summary(path) = &declared.figure {
        let Some(summary) = &base(entry).summary else {
            return Some(words::NO_SUMMARY_LINES.to_owned());
        };
        let is_known = path.split('.').try_fold(summary, |value, key| value.get(key)).is_some();
        return (!is_known).then(|| NO_RULE.to_owned());
    }
    if runs_of(&declared.scope, entry).is_empty() {
        return Some(match &declared.scope {
            Scope::Repeat(repeat) => words::no_results_of_run(*repeat),
            Scope::Subject { repeat, subject } => words::no_results_of_subject(subject, *repeat),
            Scope::SubjectAggregate(name) | Scope::Suite(name) => words::no_results_of(name),
            Scope::Evaluation | Scope::Run(_) => words::NO_RESULTS.to_owned(),
        });
    }
    let figure = declared.figure.innermost();
    let needs_gate = matches!(
        figure,
        Figure::GatePassed
            | Figure::GateValue
            | Figure::GateMean
            | Figure::RepeatsPassed
            | Figure::RepeatsFailed
            | Figure::RepeatsPassRate
    );
    let needs_case_rule = matches!(
        &declared.figure,
        Figure::Passed
            | Figure::Failed
            | Figure::AttemptedPassRate
            | Figure::MetricPassed(_)
            | Figure::MetricFailed(_)
            | Figure::MetricPassRate(_)
    );
    match figure {
        _ if needs_case_rule && config.no_case_rule.is_some() => {
            config.no_case_rule.as_deref().map(str::to_owned)
        }
        _ if needs_gate => match config.gate.as_ref().map(|gate| &gate.rule) {
            None => Some(words::NO_GATE.to_owned()),
            Some(GateRule::Unknown(why)) => Some(words::gate_not_understood(why)),
            Some(_) => {
                let mut gates =
                    base(entry).repeats.iter().filter_map(|repeat| repeat.gate.as_ref());
                let open = gates.find(|gate| gate.is_passed.is_none())?;
                Some(words::gate_not_evaluated(&open.reason))
            }
        },
        Figure::Reward if config.reward.is_none() => Some(words::NO_REWARD_RULE.to_owned()),
        figure
            if let Some(name) =
                metric_of(figure).filter(|name| !has_metric(name, declared, entry)) =>
        {
            Some(words::no_score_for(name))
        }
        Figure::Policy(name) if Policy::from_text(name).is_none() => {
            Some(words::unknown_policy(name))
        }
        _ => None,
    }
}

/// Whether a figure follows from the kinds of cases, or from which of them stand in a group.
fn follows_from_groups(figure: &Figure) -> bool {
    matches!(
        figure,
        Figure::Total
            | Figure::Passed
            | Figure::StrictPassRate
            | Figure::KindPassed(_)
            | Figure::KindTotal(_)
            | Figure::KindPassRate(_)
            | Figure::IsolatedPassRate
            | Figure::Policy(_)
    )
}

/// Whether cases count by their groups, and there is a run within `scope` that lacks them.
fn lacks_groups(scope: &Scope, entry: &Entry) -> bool {
    let runs = entry.recorded_runs();
    entry.evaluation.config.has_policies
        && runs_of(scope, entry).into_iter().any(|at| runs.get(at).is_some_and(Run::lacks_groups))
}

/// The metric that a figure is of.
fn metric_of(figure: &Figure) -> Option<&str> {
    match figure {
        Figure::MetricMeanAttempted(name)
        | Figure::MetricMeanOfAttempted(name)
        | Figure::MetricMeanTotal(name)
        | Figure::MetricPassed(name)
        | Figure::MetricFailed(name)
        | Figure::MetricPassRate(name) => Some(name),
        _ => None,
    }
}

/// Whether some row of the figure's part has a score of the metric.
fn has_metric(name: &str, declared: &Declared, entry: &Entry) -> bool {
    runs_of(&declared.scope, entry).into_iter().any(|at| {
        let figures = base(entry).runs.get(at);
        figures.is_some_and(|run| run.totals.metrics.iter().any(|metric| metric.name == name))
    })
}

/// A declared value as the page and the export show it.
pub(in crate::report) fn value_of(value: &DeclaredValue) -> AuditValue {
    match value {
        DeclaredValue::Number(number) => AuditValue::Number(Num(*number)),
        DeclaredValue::Bool(flag) => AuditValue::Flag(*flag),
        DeclaredValue::Text(text) => AuditValue::Text(text.clone()),
        DeclaredValue::Null => AuditValue::Missing,
    }
}

/// Computed − declared, of two numbers.
pub(super) fn difference(declared: &AuditValue, computed: &AuditValue) -> Option<f64> {
    match (declared, computed) {
        (AuditValue::Number(declared), AuditValue::Number(computed)) => {
            let difference = computed.0 - declared.0;
            // Of equal infinities and of two NaN there is none.
            let is_none = difference.is_nan() && is_same(declared.0, computed.0);
            Some(if is_none { 0.0 } else { difference })
        }
        _ => None,
    }
}

fn agrees(figure: &Figure, declared: &AuditValue, computed: &AuditValue) -> bool {
    match (declared, computed) {
        (AuditValue::Number(declared), AuditValue::Number(computed)) => {
            is_same(declared.0, computed.0)
        }
        // A usage of 0 is written as null by letta-evals 0.9 – 0.16.
        (AuditValue::Missing, AuditValue::Number(computed)) => {
            matches!(figure, Figure::Usage(_)) && computed.0 == 0.0
        }
        (declared, computed) => declared == computed,
    }
}

/// Whether two numbers agree.
fn is_same(left: f64, right: f64) -> bool {
    is_within(left, right, TOLERANCE)
}

/// Whether two numbers differ by at most `tolerance`, relative to the larger; an infinite one is like itself alone.
#[expect(clippy::float_cmp, reason = "equal infinities and zeros need no tolerance")]
pub(super) fn is_within(left: f64, right: f64, tolerance: f64) -> bool {
    let scale = left.abs().max(right.abs());
    left == right
        || (left.is_nan() && right.is_nan())
        || (scale.is_finite() && (left - right).abs() <= tolerance * scale)
}
