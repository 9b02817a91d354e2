//! Words: rules that can be set with one choice or one value.

use crate::format::{count, counted};

// The pass policy.

/// Label of the choice of a policy.
pub const POLICY: &str = "Pass policy";
/// What a policy does.
pub const POLICY_HINT: &str = "Which cases must pass for a checkpoint to pass";
/// Option: what the files declare, where they name no policy.
pub const DECLARED_BY_NONE: &str = "as declared (the files name none)";

/// Option: the policies that the files name.
pub fn as_declared(policies: &str) -> String {
    format!("as declared ({policies})")
}

/// Option: the policy that holds where none is chosen.
pub fn default_policy(policy: &str) -> String {
    format!("{policy} (the guide's default)")
}

/// What follows from the policy in force.
pub fn checkpoints_pass(n_passed: u64, n: u64) -> String {
    format!("{} of {} checkpoints pass", count(n_passed), count(n))
}

// The strategy.

/// Label of the choice of a strategy.
pub const STRATEGY: &str = "Attempts combined by";
/// What a strategy does.
pub const STRATEGY_HINT: &str = "How the attempts of a case become one score and verdict";

// The pass rule.

/// Label of the pass rule.
pub const PASS: &str = "A case passes when its score is";
/// How the pass rule is typed, and what it does.
pub const PASS_HINT: &str =
    "For example >= 0.8. Replaces the producer's rule; leave empty for the declared rule";

/// What follows from the strategy and the pass rule in force.
pub fn cases_pass(n_passed: u64, n: u64) -> String {
    format!("{} of {} cases pass", count(n_passed), count(n))
}

// How cases without a result count.

/// Label of the choice for errors.
pub const ERRORS_COUNT: &str = "Errors count";
/// Label of the choice for skipped cases.
pub const SKIPPED_COUNT: &str = "Skipped cases count";
/// Label of the choice for unscored cases.
pub const UNSCORED_COUNT: &str = "Unscored cases count";
/// Where this choice matters.
pub const MISSING_HINT: &str = "In means, rates, groups, policies and gates; means over attempted and over all cases are shown either way";
/// Option: no rule of the user's own.
pub const AS_PRODUCER: &str = "as the producer counts them";
/// Option: a score of 0.
pub const AS_ZERO: &str = "as 0, not passed";
/// Option: not counted at all.
pub const LEFT_OUT: &str = "left out";

/// How many cases this choice is about.
pub fn n_cases(n: u64) -> String {
    counted(n, "case", "cases")
}

// Weights of groups.

/// What a weight does.
pub const WEIGHT_HINT: &str =
    "Weight of the group in the weighted score. Default: the declared weight, else 1";

/// The weight that the files declare.
pub fn declared_weight(weight: f64) -> String {
    format!("declared {weight}")
}

/// The weights that the files declare, where runs differ.
pub fn declared_weights(weights: &str) -> String {
    format!("declared {weights}, by run")
}

/// The score of the group.
pub fn group_score(score: f64) -> String {
    format!("score {score:.3}")
}
