//! Words: the gate that is being made, and runs that a gate does not let pass.

pub use crate::words::terms::WEIGHT;

// Buttons of the gate.

/// The button that begins a gate.
pub const BEGIN: &str = "Build a gate";
/// The button that adds a part to a logical rule.
pub const ADD_CONDITION: &str = "Add condition";
/// The button that adds a metric to a weighted mean.
pub const ADD_METRIC: &str = "Add metric";
/// The button that takes out a part or a metric.
pub const REMOVE: &str = "Remove";

// Fields of the gate.

/// Label of the choice of what a part is.
pub const KIND_OF_RULE: &str = "Kind of rule";
/// Label of the choice of an aggregate.
pub const AGGREGATE: &str = "Aggregate";
/// Label of the threshold of accuracy.
pub const RIGHT_FROM: &str = "Score that counts as right";
/// Label of the choice of a metric, where the case's own score can be chosen too.
pub const METRIC_OR_OWN: &str = "Metric; * is the case's own score";
/// Label of the choice of an operator.
pub const OPERATOR: &str = "Operator";
/// Label of the value that is compared with.
pub const THRESHOLD: &str = "Threshold";

// What stops a pipeline that gates on results.

/// Said when there is no gate at all.
pub const NO_GATE: &str = "no gate is given, and the files declare none";
/// Stands for the metrics where there are none.
pub const NO_METRICS: &str = "none";
/// Why a gate cannot be evaluated: nothing ran.
pub const NO_RUN: &str = "the files hold no run";
/// Why a gate cannot be evaluated: nothing that it looks at has a score.
pub const NO_CASE_HAS_SCORE: &str = "no case has a score for it";
/// Why a gate cannot be evaluated: nothing was decided.
pub const NO_VERDICT: &str = "the run has no verdict";

/// Why a gate cannot be evaluated: it looks at metrics that are not there; `known` are those that are.
pub fn no_metric(missing: &str, known: &str) -> String {
    format!("there is no metric {missing} (metrics: {known})")
}

/// Ends a list of metrics of which some are not named.
pub fn and_more(n_more: usize) -> String {
    format!("and {n_more} more")
}

/// Names one repeat of an evaluation that has several.
pub fn repeat_of(evaluation: &str, repeat: u32) -> String {
    format!("{evaluation}, repeat {repeat}")
}

/// Said of a run or repeat that fails by a gate.
pub fn gate_fails(subject: &str, gate: &str, reason: &str) -> String {
    format!("{subject}: gate {gate} fails: {reason}")
}

/// Said of a run, repeat or evaluation that a gate cannot judge.
pub fn gate_undecided(subject: &str, gate: &str, reason: &str) -> String {
    format!("{subject}: gate {gate} cannot be evaluated: {reason}")
}
