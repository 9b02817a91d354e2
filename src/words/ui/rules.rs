//! Words of the page about the rules.

pub use crate::words::terms::{COMPARISON, GATE};

use crate::format::{count, counted};

/// Name of the group of fields for the rules.
pub const RULES: &str = "Rules";
/// Heading of the weights.
pub const WEIGHTS: &str = "Weights of groups";
/// What weights are.
pub const WEIGHTS_LEAD: &str = "How much each group counts in a checkpoint's score. 0 leaves it out. Applies to every group of this name.";
/// What a gate is.
pub const GATE_LEAD: &str = "Your own pass rule over aggregates. It replaces each evaluation's rule, whichever producer wrote it.";
/// Label of the gate's text.
pub const GATE_TEXT: &str = "As text";
/// An example of a gate.
pub const GATE_EXAMPLE: &str = "avg_score(*) >= 0.8 and p95(quality) > 0.5";
/// Name of a part of the gate.
pub const GATE_PART: &str = "Part of the gate";
/// Before the reason why something typed is not understood.
pub const NOT_UNDERSTOOD: &str = "Not understood: ";
/// What a field that is empty stands for.
pub const AS_DECLARED: &str = "as declared";
/// The button that takes one rule back.
pub const RESET: &str = "Reset";
/// Name of the slider of the pass rule.
pub const THRESHOLD: &str = "Threshold";
/// Heading of what changes.
pub const CHANGES: &str = "What changes";
/// Verdicts that change.
pub const VERDICTS: [&str; 2] = ["verdict", "verdicts"];
/// Groups that change.
pub const GROUPS: [&str; 2] = ["group", "groups"];
/// Cases that change.
pub const CASES: [&str; 2] = ["case", "cases"];
/// The button that takes all rules back.
pub const BACK: &str = "Back to declared rules";
/// The button that leads to every change.
pub const ALL_CHANGES: &str = "Show all changes";
/// The button that copies the rules in force.
pub const COPY_COMMAND: &str = "Copy as report command";
/// What is said when that is done.
pub const COMMAND_COPIED: &str =
    "Copied. Run it in a checkout of Evalglass and put in the paths of your results.";
/// What joins an outcome and the one that it becomes, for those who cannot see the arrow.
pub const BECOMES: &str = "becomes";

// The slider of the pass rule.

/// Cases that would pass.
pub fn pass(n_passed: u64, n_cases: u64) -> String {
    format!("{} pass", of(n_passed, n_cases, CASES))
}

/// Cases and checkpoints that would pass, each of how many.
pub fn pass_with_checkpoints(cases: (u64, u64), checkpoints: (u64, u64)) -> String {
    let checkpoints = of(checkpoints.0, checkpoints.1, ["checkpoint", "checkpoints"]);
    format!("{} and {checkpoints} pass", of(cases.0, cases.1, CASES))
}

fn of(part: u64, whole: u64, [one, many]: [&str; 2]) -> String {
    format!("{} of {}", count(part), counted(whole, one, many))
}

// The strip on every page.

/// Before the rules that were changed.
pub const CHANGED: &str = "Rules changed: ";

/// What comes of it.
pub fn effect(n_verdicts: u64, n_groups: u64, n_cases: u64) -> String {
    let [verdicts, groups, cases] = [(n_verdicts, VERDICTS), (n_groups, GROUPS), (n_cases, CASES)]
        .map(|(n, [one, many])| counted(n, one, many));
    format!("{verdicts}, {groups} and {cases} change.")
}

// Parts of the gate.

/// The evaluations, in words, that a gate leaves as they are.
pub fn gate_unfit(evaluations: &str) -> String {
    format!("These evaluations lack a metric of this gate and keep their own rule: {evaluations}")
}

/// Behind the value of a part: of how many scores it is made.
pub fn of_scores(n: u64) -> String {
    format!(" ({})", counted(n, "score", "scores"))
}
