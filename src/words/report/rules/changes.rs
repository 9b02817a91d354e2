//! Words: what changes by the rules in force.

pub use crate::words::terms::NAME;

use crate::format::count;

// In short.

/// Said when the rules were changed and everything comes out the same.
pub const NOTHING_CHANGES: &str = "These rules change nothing.";
/// Said when no rule was changed and the files declare none.
pub const NONE_DECLARED: &str =
    "The default rules are in force: the files declare none. Change a rule to see what changes.";
/// Said when no rule was changed.
pub const DECLARED_IN_FORCE: &str =
    "The declared rules are in force. Change a rule to see what changes.";

/// Said when no rule was changed and the files declare other policies than the default one.
pub fn default_in_force(default: &str, declared: &str) -> String {
    format!(
        "The guide's default policy, {default}, is in force. These files declare {declared}: choose “as declared” to judge by that."
    )
}

/// What a changed thing is, and in what.
pub fn level_within(level: &str, within: &str) -> String {
    format!("{level} in {within}")
}

// One by one.

/// Heading of the section of changes.
pub const ALL_CHANGES: &str = "All changes";
/// What is compared with what.
pub const ALL_CHANGES_LEAD: &str = "Rules in force against declared rules.";
/// Caption of verdicts and groups that change.
pub const VERDICTS_AND_GROUPS: &str = "Verdicts and groups";
/// Column of what sort of thing changes.
pub const LEVEL: &str = "Level";
/// Column of what it is in.
pub const PART_OF: &str = "Part of";
/// Column of outcomes by the declared rules.
pub const FROM: &str = "From";
/// Column of outcomes by the rules in force.
pub const TO: &str = "To";
/// Column of scores by the declared rules.
pub const SCORE_BEFORE: &str = "Score before";
/// Column of scores by the rules in force.
pub const SCORE_NOW: &str = "Score now";

/// Below a table of changes that does not show all.
pub fn first_changes(n_shown: u64, n: u64) -> String {
    format!(
        "The first {} of {}. Export → Flip list (CSV) has all of them.",
        count(n_shown),
        count(n)
    )
}

// Scores that moved.

/// Column of what the score is of.
pub const SCORE_OF: &str = "Score of";
/// Column of scores before.
pub const BEFORE: &str = "Before";
/// By which rules the score before is.
pub const BEFORE_HINT: &str = "By the declared rules";
/// Column of scores now.
pub const NOW: &str = "Now";
/// By which rules the score now is.
pub const NOW_HINT: &str = "By the rules in force";
/// Column of differences.
pub const CHANGE: &str = "Change";
/// What the difference is.
pub const CHANGE_HINT: &str = "Now minus before";
/// Why there is no score before.
pub const UNDEFINED_BEFORE: &str = "not defined by the declared rules";
/// Why there is no score now.
pub const UNDEFINED_NOW: &str = "not defined by the rules in force";
/// Why there is no difference.
pub const ONE_UNDEFINED: &str = "one of the two is undefined";

/// Below a table of scores that does not show all.
pub fn first_scores(n_shown: u64, n: u64) -> String {
    format!("The first {} of {}.", count(n_shown), count(n))
}

// Reasons.

/// Stands for the reason where no gate decides.
pub const NO_GATE: &str = "no gate";
/// Stands for the reason where no rule decides.
pub const NO_RULE: &str = "no rule";

/// Names a repeat.
pub fn repeat_name(repeat: u32) -> String {
    format!("Run {repeat}")
}

/// A rule and its reason.
pub fn rule_and_reason(rule: &str, reason: &str) -> String {
    format!("{rule}: {reason}")
}

/// The reason by the rules in force, and that by the declared ones.
pub fn reason_and_before(now: &str, before: &str) -> String {
    format!("{now}; before: {before}")
}

/// Why a group comes out differently: its cases that pass, of all, now and before.
pub fn group_passes([n_passed, n]: [u64; 2], [n_passed_before, n_before]: [u64; 2]) -> String {
    format!("{n_passed} of {n} cases pass; before: {n_passed_before} of {n_before}")
}

/// Why a case comes out differently: the strategy.
pub fn by_strategy(strategy: &str, n_passed: usize, n_judged: usize) -> String {
    format!("by {strategy}, {n_passed} of {n_judged} attempts passed")
}

/// Why a case comes out differently: its score meets the pass rule.
pub fn score_meets(score: &str, rule: &str) -> String {
    format!("the score {score} is {rule}")
}

/// Why a case comes out differently: its score does not meet the pass rule.
pub fn score_misses(score: &str, rule: &str) -> String {
    format!("the score {score} is not {rule}")
}
