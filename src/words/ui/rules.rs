//! Words of the page about the rules.

/// Name of the group of fields for the rules.
pub const RULES: &str = "Rules";
/// Heading of the weights.
pub const WEIGHTS: &str = "Weights of groups";
/// What weights are.
pub const WEIGHTS_LEAD: &str = "How much each group counts in a checkpoint's score. 0 leaves it out. Applies to every group of this name.";
/// Heading of the gate.
pub const GATE: &str = "Gate";
/// What a gate is.
pub const GATE_LEAD: &str = "Your own pass rule over aggregates. It replaces each evaluation's rule, whichever producer wrote it.";
/// Label of the gate's text.
pub const GATE_TEXT: &str = "As text";
/// An example of a gate.
pub const GATE_EXAMPLE: &str = "avg_score(*) >= 0.8 and p95(quality) > 0.5";
/// Name of a part of the gate.
pub const GATE_PART: &str = "Part of the gate";
/// Before the evaluations that a gate leaves as they are.
pub const GATE_UNFIT: &str =
    "These evaluations lack a metric of this gate and keep their own rule: ";
/// Before the reason why something typed is not understood.
pub const NOT_UNDERSTOOD: &str = "Not understood: ";
/// What a field that is empty stands for.
pub const AS_DECLARED: &str = "as declared";
/// The button that takes one rule back.
pub const RESET: &str = "Reset";
/// Name of the choice between "at least", "less than" and so on.
pub const COMPARISON: &str = "Comparison";
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
