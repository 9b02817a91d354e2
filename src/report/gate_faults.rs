//! What a pipeline that gates on results stops on: every run that a gate in force does not let pass, with the reason.
//!
//! A gate that cannot be evaluated stops it too: nothing is green because nothing was looked at.

use crate::figures::{Judgement, knows_metrics, metric_names};
use crate::model::{GateRule, Outcome};
use crate::policy::gate_text;
use crate::scoring::{Rules, scores};
use crate::words::report::rules::gate as words;
use crate::workspace::{Entry, Workspace};

/// Names of metrics that are listed at most.
const METRICS_NAMED: usize = 12;

/// Every run that the gate of the rules in force does not let pass, else the gates that the files declare, with the
/// reason; empty: all of them pass.
pub fn gate_faults(workspace: &Workspace) -> Vec<String> {
    let given = workspace.settings.gate.as_ref();
    let mut faults = Vec::new();
    let mut has_gate = false;
    for entry in &workspace.entries {
        match given {
            Some(rule) => faults.extend(of_given(entry, rule, &workspace.settings.rules)),
            None if entry.evaluation.config.gate.is_some() => faults.extend(of_declared(entry)),
            None => continue,
        }
        has_gate = true;
    }
    if !has_gate {
        faults.push(words::NO_GATE.to_owned());
    }
    faults
}

/// The runs of `entry` that `rule` does not let pass.
fn of_given(entry: &Entry, rule: &GateRule, rules: &Rules) -> Vec<String> {
    let (evaluation, text) = (&entry.evaluation, gate_text(rule));
    if !knows_metrics(evaluation, rule) {
        let known = metric_names(evaluation);
        let missing: Vec<&str> =
            rule.metrics().into_iter().filter(|metric| !known.contains(metric)).collect();
        let more = known.len().saturating_sub(METRICS_NAMED);
        let mut known: Vec<&str> = known.into_iter().take(METRICS_NAMED).collect();
        let rest = words::and_more(more);
        known.extend((more > 0).then_some(rest.as_str()));
        let known = if known.is_empty() { words::NO_METRICS.to_owned() } else { known.join(", ") };
        let why = words::no_metric(&missing.join(", "), &known);
        return vec![words::gate_undecided(&evaluation.label, &text, &why)];
    }
    if evaluation.runs.is_empty() {
        return vec![words::gate_undecided(&evaluation.label, &text, words::NO_RUN)];
    }
    let runs = evaluation.runs.iter().zip(&entry.figures.runs);
    runs.filter_map(|(run, figures)| {
        let scored = names(rule).into_iter().any(|name| !scores(name, &[run], rules).is_empty());
        let subject = format!("{} › {}", evaluation.label, run.label);
        match fault(figures.verdict.as_ref(), &subject, &text) {
            // What a tool's own gate makes of nothing (0) must not let a run pass.
            None if !scored => {
                Some(words::gate_undecided(&subject, &text, words::NO_CASE_HAS_SCORE))
            }
            other => other,
        }
    })
    .collect()
}

/// The scores that `rule` looks at: those of a metric, or (`None`) the cases' own.
fn names(rule: &GateRule) -> Vec<Option<&str>> {
    match rule {
        GateRule::Simple { metric, .. } => vec![metric.as_deref()],
        GateRule::Weighted { weights, .. } => {
            weights.iter().map(|(name, _)| Some(name.as_str())).collect()
        }
        GateRule::Logical { rules, .. } => rules.iter().flat_map(names).collect(),
        GateRule::Unknown(_) => Vec::new(),
    }
}

/// The repeats of `entry` that the gate of its files, which looks at all their subjects together, does not let pass.
fn of_declared(entry: &Entry) -> Vec<String> {
    let label = &entry.evaluation.label;
    let text = entry.evaluation.config.gate.as_ref().map_or("", |gate| gate.text.as_str());
    let gates: Vec<_> = entry
        .figures
        .repeats
        .iter()
        .filter_map(|repeat| Some((repeat.repeat, repeat.gate.as_ref()?)))
        .collect();
    if gates.is_empty() {
        return vec![words::gate_undecided(label, text, words::NO_RUN)];
    }
    let several = gates.len() > 1;
    gates
        .into_iter()
        .filter(|(_, gate)| gate.is_passed != Some(true))
        .map(|(repeat, gate)| {
            let subject = if several { words::repeat_of(label, repeat) } else { label.clone() };
            if gate.is_passed.is_some() {
                words::gate_fails(&subject, text, &gate.reason)
            } else {
                words::gate_undecided(&subject, text, &gate.reason)
            }
        })
        .collect()
}

/// How a gate does not let a run pass, and why; `None`: it does.
fn fault(verdict: Option<&Judgement>, subject: &str, gate: &str) -> Option<String> {
    let Some(verdict) = verdict else {
        return Some(words::gate_undecided(subject, gate, words::NO_VERDICT));
    };
    let reason = verdict.reason.to_string();
    match verdict.outcome {
        Outcome::Passed => None,
        Outcome::Failed => Some(words::gate_fails(subject, gate, &reason)),
        _ => Some(words::gate_undecided(subject, gate, &reason)),
    }
}
