//! Words: what each rule says, side by side: policies, gates, thresholds, strategies, rewards.

use crate::words::terms;
pub use crate::words::terms::{CHECKPOINT, INTERVAL, PASSED, VERDICT};

use crate::format::count;

// Columns of several tables.

/// How the interval is computed.
pub const INTERVAL_HINT: &str = terms::WILSON_HINT;

// Pass policies.

/// Heading of the section of policies, and caption of the policies of one run.
pub const POLICIES: &str = "Pass policies";
/// How policies are defined.
pub const POLICIES_LEAD: &str = "As the reporting guide defines them; any means at least one case. With no cases, “all” policies pass and “any” policies fail.";
/// Caption of the policies of every run.
pub const ALL_POLICIES: &str = "All policies";
/// Column of policies.
pub const POLICY: &str = "Policy";
/// Column that says why the policy in force decides as it does.
pub const REASON_IN_FORCE: &str = "Reason, by the policy in force";
/// What the rows of the table of all policies are, when not all are shown.
pub const CHECKPOINTS: &str = "checkpoints";
/// Below the policies of one run: where the producer's own code decides otherwise.
pub const POLICIES_FOOTNOTE: &str = "Policy “any” needs at least one passing case, as in the guide; slop-code's own code always passes it.";
/// Why a policy has no verdict.
pub const NOTHING_RAN: &str = "nothing ran: with no cases this policy passes";
/// Why no policy has a verdict of a checkpoint; the last column says more.
pub const NOT_JUDGED: &str = "not judged";
/// Caption of the answers in which slop-code's own code differs.
pub const ORIGINALS: &str = "Where slop-code's own code answers differently";
/// Column of a policy and both answers.
pub const POLICY_AND_ANSWERS: &str = "Policy and answers";
/// What the rows of the table of such answers are, when not all are shown.
pub const ANSWERS: &str = "answers";

// Gates.

/// Heading of the section of gates.
pub const GATES: &str = "Gates";
/// What gates look at.
pub const GATES_LEAD: &str = "Each gate over all subjects of a repeat, with every part. Gates look at every case that has a grade, with or without an error; accuracy is in percent.";
/// Column of the gate and its parts.
pub const RULE: &str = "Rule";
/// Column of values.
pub const VALUE: &str = "Value";
/// What a value is.
pub const VALUE_HINT: &str = "What is compared";
/// What the number of scores is.
pub const SCORES_HINT: &str = "Number of scores behind the value";
/// Column of what the files record.
pub const RECORDED: &str = "Recorded";
/// Column that says why a part of a gate holds or not.
pub const WHY: &str = "Why";
/// The files record that the gate passed.
pub const RECORDED_PASSED: &str = "passed";
/// The files record that the gate failed.
pub const RECORDED_FAILED: &str = "failed";
/// What the rows of the table of a gate are, when not all are shown.
pub const RULES: &str = "rules";
/// Why a part has no value.
pub const SEVERAL_VALUES: &str = "several values are compared";
/// Why a part has no number of scores.
pub const SEE_PARTS: &str = "see its parts";
/// Why a metric of a weighted mean has no verdict.
pub const PART_OF_MEAN: &str = "a part of a weighted mean";
/// Why nothing recorded stands beside a part.
pub const NOT_RECORDED: &str = "the files record no verdict of this part";

/// A part of the gate in one of several repeats.
pub fn rule_in_repeat(repeat: u32, rule: &str) -> String {
    format!("Run {repeat}: {rule}")
}

// Thresholds.

/// Heading of the section of thresholds.
pub const THRESHOLDS: &str = "Thresholds";
/// What the section of thresholds shows.
pub const THRESHOLDS_LEAD: &str =
    "How many cases would pass if a score of at least this value were required.";
/// Caption of the table of thresholds.
pub const PASSING_AT: &str = "Cases that pass at a threshold";
/// Column of thresholds.
pub const SCORE_AT_LEAST: &str = "Score at least";
/// Of which cases the share is.
pub const PASSING_HINT: &str = "Of all that have a score";

// Strategies.

/// Heading of the section of strategies, and caption of its first table.
pub const STRATEGIES: &str = "Strategies";
/// How attempts are combined.
pub const STRATEGIES_LEAD: &str = "Attempts that ended in an error are left out. If none is left, the score is 0 and the verdict is error. The verdict does not depend on the score.";
/// Column of strategies.
pub const STRATEGY: &str = "Strategy";
/// Column of what decides by a strategy.
pub const VERDICT_RULE: &str = "Verdict rule";
/// Of which cases the share is.
pub const PASSED_HINT: &str = "Cases, of all";
/// Column of means.
pub const MEAN_SCORE: &str = "Mean score";
/// Over what the mean is.
pub const MEAN_SCORE_HINT: &str = "Over the cases";
/// Caption of the table of strategies by metric.
pub const PASSED_BY_METRIC: &str = "Passed, by metric";
/// What the rows of that table are, when not all are shown.
pub const METRICS: &str = "metrics";
/// What decides as declared.
pub const DECIDES_AS_DECLARED: &str = "each case by its own strategy";
/// What decides by the least score.
pub const DECIDES_MIN: &str = "failed if any attempt failed";
/// What decides by the greatest score.
pub const DECIDES_MAX: &str = "passed if any attempt passed";
/// What decides by the mean or the median.
pub const DECIDES_MOST: &str = "passed if more passed than failed";

// Rewards.

/// Heading of the section of rewards.
pub const REWARDS: &str = "Rewards";
/// What the section of rewards shows.
pub const REWARDS_LEAD: &str =
    "How each grade relates to the recorded reward: found in the rows, not stated by the files.";
/// Column of means of grades.
pub const MEAN_GRADE: &str = "Mean grade";
/// Over what the mean is.
pub const MEAN_GRADE_HINT: &str = "Over cases that have a reward and this grade";
/// Column of cases whose grade is their reward.
pub const EQUALS_REWARD: &str = "Equals the reward";
/// Which cases these are.
pub const EQUALS_REWARD_HINT: &str = "Cases whose reward is this grade";
/// Why a grade has no mean.
pub const NO_GRADE: &str = "no case has this grade";
/// What the rows show of rewards that no weighted sum of grades gives.
pub const NO_RELATION: &str =
    "The rows show no linear relation to the grades; the recorded rewards are used.";

/// The files name a grade as the reward.
pub fn reward_is_grade(metric: &str) -> String {
    format!("The files say: the reward is the grade {metric}.")
}

/// The files name a function that makes the reward.
pub fn reward_by_function(function: &str) -> String {
    format!("The files say: the reward comes from the suite's own function {function}.")
}

/// The reward as a sum of weighted grades.
pub fn reward_formula(terms: &str) -> String {
    format!("reward = {terms}")
}

/// What the rows show of rewards that a weighted sum of grades gives.
pub fn reward_found(formula: &str, n_cases: u64) -> String {
    format!("The rows show: {formula}, in all {} cases.", count(n_cases))
}
