//! Words: how a figure was made.

pub use crate::words::terms::{
    ATTEMPTS, CASE, CASES, CHECKPOINTS, GROUPS, KIND, NAME, OUTCOME, REPEATS, REWARD, RUNS, SCORE,
    VERDICT, WEIGHT,
};

use crate::format::count;

// The page and its formula.

/// Title of the page.
pub fn title(name: &str) -> String {
    format!("Score breakdown: {name}")
}
/// Caption of the table about the formula.
pub const FORMULA: &str = "Formula";
/// Its columns.
pub const FORMULA_COLUMNS: [&str; 2] = ["Part", "What it is"];
/// Row of the formula with the numbers put in.
pub const WITH_NUMBERS: &str = "With numbers";
/// Row of where the rule comes from.
pub const DEFINED_BY: &str = "Defined by";
/// Row of the terms that do not count.
pub const NOT_COUNTED: &str = "Not counted";
/// Row of the terms that the rules in force make 0.
pub const COUNTED_AS_ZERO: &str = "Counted as 0";
/// Row of what the rules in force do.
pub const RULES_IN_FORCE: &str = "Rules in force";
/// Row of what the score is a part of.
pub const PART_OF: &str = "Part of";
/// Row that opens the overview.
pub const OVERVIEW: &str = "Overview";
/// Row of how the reward is made.
pub const REWARD_RULE: &str = "Reward rule";

/// How many terms do not count, and why.
pub fn not_counted(n: u64, all: u64, what: &str, why: &str) -> String {
    format!("{} of {} {what}: {why}", count(n), count(all))
}
/// How many terms count as 0.
pub fn counted_as_zero(n: u64, all: u64, what: &str) -> String {
    format!("{} of {} {what}, by the rules in force", count(n), count(all))
}
/// How many repeats have a table of their runs, where some have not.
pub fn repeats_listed(n: usize, all: u64) -> String {
    format!("of the first {n} of {} repeats are listed below", count(all))
}
/// What a part of an evaluation leads to.
pub const SCORE_OF_EVALUATION: &str = "the score of its evaluation";
/// What a part of a run leads to.
pub const SCORE_OF_RUN: &str = "the score of its run";
/// What a part of a group leads to.
pub const SCORE_OF_GROUP: &str = "the score of its group";
/// Opens the overview of the evaluation.
pub const OF_THIS_EVALUATION: &str = "of this evaluation";
/// Opens the overview of the run.
pub const OF_THIS_RUN: &str = "of this run";
/// Opens the case.
pub const CASE_PARTS: &str = "input, output, checks";
/// What follows a formula in which not all terms stand.
pub fn formula_size(n_terms: u64) -> String {
    format!(", {} terms", count(n_terms))
}
/// The formula of a score that the files record.
pub fn recorded(score: &str) -> String {
    format!("recorded: {score}")
}
/// The formula of a score that one grader gave.
pub fn grade_by(metric: &str, score: &str) -> String {
    format!("grade by {metric} = {score}")
}

// The table of terms.

/// What that weight is.
pub const WEIGHT_HINT: &str = "In the mean";
/// Column of what a term gives to the score.
pub const CONTRIBUTION: &str = "Contribution";
/// How that is made.
pub const CONTRIBUTION_HINT: &str = "Weight × score / sum of weights";
/// Column of whether an attribute is right.
pub const CORRECT: &str = "Correct";
/// What the number of cases of a run is.
pub const CASES_OF_RUN_HINT: &str = "All cases of the run, counted or not";
/// What the number of cases of a group is.
pub const CASES_OF_GROUP_HINT: &str = "Cases that count";
/// Row of the terms that are not listed one by one.
pub fn more_terms(n: u64, what: &str) -> String {
    format!("{} more {what}", count(n))
}
/// Said below a table that does not list every term.
pub fn terms_cut(n: usize, all: u64, what: &str) -> String {
    format!("The first {n} of {} {what} are listed one by one, the rest in one row.", count(all))
}
/// Row of the sum.
pub const TOTAL: &str = "Total";
/// Caption of the runs of one repeat.
pub fn runs_of_repeat(repeat: u32) -> String {
    format!("Runs of repeat {repeat}")
}
/// Name of a repeat as a term.
pub fn repeat(repeat: u32) -> String {
    format!("Repeat {repeat}")
}
/// Name of an attempt as a term.
pub fn attempt(number: u32) -> String {
    format!("Attempt {number}")
}

// What terms are: as a caption, and in a sentence.

/// Attempts, in a sentence.
pub const ATTEMPTS_WORD: &str = "attempts";
/// Attributes, as a caption.
pub const ATTRIBUTES: &str = "Attributes";
/// Attributes, in a sentence.
pub const ATTRIBUTES_WORD: &str = "attributes";
/// Graders, as a caption.
pub const GRADERS: &str = "Graders";
/// Graders, in a sentence.
pub const GRADERS_WORD: &str = "graders";
/// The test, as a caption.
pub const TEST: &str = "Test";
/// Tests, in a sentence.
pub const TESTS_WORD: &str = "tests";
/// Parts that no file holds, as a caption.
pub const PARTS: &str = "Parts";
/// Parts, in a sentence.
pub const PARTS_WORD: &str = "parts";
/// Checkpoints, in a sentence.
pub const CHECKPOINTS_WORD: &str = "checkpoints";
/// Repeats, in a sentence.
pub const REPEATS_WORD: &str = "repeats";
/// Runs, in a sentence.
pub const RUNS_WORD: &str = "runs";
/// Groups, in a sentence.
pub const GROUPS_WORD: &str = "groups";
/// Cases, in a sentence.
pub const CASES_WORD: &str = "cases";

// Why there is no term.

/// No attempt has a result.
pub const NO_ATTEMPTS: &str = "No attempt has a result.";
/// No grader graded the case.
pub const NO_GRADERS: &str = "No grader graded this case.";
/// The parts of a test run are not among the files.
pub const NO_PARTS: &str = "Its parts are not among the files; they would be in reports.parquet.";
/// A score has no parts.
pub const OWN_SCORE: &str =
    "The row states its own score. Scores of graders are reported separately.";
/// There is no checkpoint.
pub const NO_CHECKPOINTS: &str = "The files hold no checkpoint.";
/// There is no repeat.
pub const NO_REPEATS: &str = "The files hold no repeat.";
/// There is no run.
pub const NO_RUNS: &str = "The files hold no run.";
/// There is no group.
pub const NO_GROUPS: &str = "This run has no groups.";
/// There is no case.
pub const NO_CASES: &str = "There are no cases.";

// Why a term does not count, or a value is not there.

/// An attempt that ended in an error.
pub const ATTEMPT_DROPPED: &str = "verdict error: dropped";
/// Attempts that no known strategy combines.
pub const ATTEMPT_UNWEIGHTED: &str = "no known strategy: the recorded result is shown";
/// An attribute that was not verified.
pub const NOT_VERIFIED: &str = "not verified";
/// A grader without a score.
pub const NO_GRADE: &str = "the grader gave no score";
/// A grader without a verdict.
pub const NO_GRADER_RULE: &str = "no pass rule for this grader";
/// A case without a reward.
pub const NO_REWARD: &str = "the file records no reward for this case";
/// A test that did not run.
pub const TEST_NOT_RUN: &str = "a test that was not run has no score";
/// A case that the rules in force leave out.
pub const LEFT_OUT: &str = "left out by the rules in force";
/// A case that did not complete.
pub const NOT_ATTEMPTED: &str = "not attempted (did not complete)";
/// A case that a later one of the same id replaces.
pub const REPEATED: &str = "a later case with the same ID counts instead";
/// Terms whose weights are all 0.
pub const NO_WEIGHT: &str = "the weights sum to 0";
/// A repeat or checkpoint without a score.
pub const TERM_WITHOUT_SCORE: &str = "it has no score";
/// A run of which no case counts.
pub const NO_CASE_OF_RUN: &str = "none of its cases counts";
/// A group of which no case counts.
pub const NO_CASE_OF_GROUP: &str = "no case of the group counts";
/// A group without cases.
pub const GROUP_EMPTY: &str = "the group is empty";
/// A group whose kind is not known.
pub const NO_KIND: &str = "the files name no kind";
/// An evaluation of which no checkpoint has a score.
pub const NO_CHECKPOINT_SCORE: &str = "no checkpoint has a score";
/// An evaluation of which no repeat has a score.
pub const NO_REPEAT_SCORE: &str = "no repeat has a score";
/// An evaluation of which no case has a score.
pub const NO_CASE_SCORE: &str = "no case has a score";

// Rules: evaluation, run, group.

/// Rule of an evaluation of checkpoints.
pub const CHECKPOINTS_RULE: &str = "Mean of the checkpoints' scores that are defined: Σ score / n.";
/// Rule of an evaluation of several repeats.
pub const REPEATS_RULE: &str =
    "Mean of the repeats' scores, computed exactly and rounded once: Σ score / n.";
/// Rule of an evaluation of one run.
pub const ONLY_RUN_RULE: &str = "The score of its only run.";
/// How runs weigh that are taken together.
pub const POOLED: &str =
    "All cases of the repeat count equally, so each run weighs as much as its counted cases.";
/// Rule of an evaluation of one repeat of several runs.
pub fn pooled_rule() -> String {
    format!("Mean over the cases of all runs together: Σ cases × score / Σ cases. {POOLED}")
}
/// Rule of a run of groups.
pub const GROUPS_RULE: &str = "Weighted mean of the groups that have a score: Σ weight × score / Σ weight. \
                               A group has weight 1 unless you set another.";
/// Rule of a group.
pub const GROUP_RULE: &str =
    "Mean of the case scores, using the last case of each ID: Σ score / n.";
/// Rule of a run whose cases have rewards.
pub const REWARDS_RULE: &str = "Mean of the rewards of the cases that completed: Σ reward / n.";
/// What the mean of a run is over: scores by one grader.
pub fn scores_by(metric: &str) -> String {
    format!("scores by {metric}")
}
/// What the mean of a run is over: scores.
pub const SCORES: &str = "scores";
/// Rule of a run whose cases count wherever they have a score.
pub fn mean_of_graded(what: &str) -> String {
    format!("Mean of the {what} of all cases that have one, completed or not: Σ score / n.")
}
/// Rule of a run whose cases count where they completed.
pub fn mean_of_completed(what: &str) -> String {
    format!("Mean of the {what} of the cases that completed: Σ score / n.")
}
/// Rule of a run that has groups, but none with a weight.
pub fn without_weights(rule: &str) -> String {
    format!("No scored group has a weight, so the score is computed from the cases. {rule}")
}
/// The formula of a mean of no cases.
pub const EMPTY_MEAN: &str = "the producer defines the mean of no cases as 0";

// Rules: case.

/// Rule of a case that attributes judge.
pub const ATTRIBUTES_RULE: &str = "Weight of the correct attributes over the weight of all verified ones: Σ weight × score / Σ weight, with correct = 1 and wrong = 0.";
/// Rule of a case that graders judge.
pub fn graders_rule(metric: &str) -> String {
    format!(
        "The score of the primary grader, {metric}. Other graders have weight 0 and are reported separately."
    )
}
/// Rule of a test.
pub const TEST_RULE: &str =
    "1 for a passed test, 0 for a failed test or an error; no score for a test that was not run.";
/// Rule of a score whose parts are in no file.
pub const RECORDED_RULE: &str = "The score that the files record.";
/// Reward that is the score of one metric.
pub fn reward_of_metric(metric: &str) -> String {
    format!("the score of {metric}")
}
/// Reward that a function of the suite makes.
pub fn reward_of_function(function: &str) -> String {
    format!("{function}, the suite's own function: recorded, not recomputed")
}
/// A case that the rules in force count as 0.
pub const CASE_ZERO: &str = "the case counts as 0 in the means";
/// A case that the rules in force leave out.
pub const CASE_LEFT_OUT: &str = "the case is left out of the means";

// Rules: attempts.

/// Rule of a case of which every attempt ended in an error.
pub const LOST_RULE: &str = "No attempt without an error: score 0, verdict error.";
/// Its formula.
pub const LOST_NUMBERS: &str = "no attempt without an error: 0";
/// Rule of a case whose strategy is not known.
pub const NO_STRATEGY_RULE: &str =
    "The file names no known strategy, so its recorded result is shown.";
/// Rule of a case that a strategy makes of its attempts.
pub fn strategy_rule(rule: &str, strategy: &str, verdict: &str) -> String {
    format!(
        "{rule} of the attempts that did not end in an error. Verdict by strategy {strategy}: {verdict}."
    )
}
/// Begins the rule of the strategy `min`.
pub const LOWEST: &str = "The lowest score";
/// Begins the rule of the strategy `max`.
pub const HIGHEST: &str = "The highest score";
/// Begins the rule of the strategy `mean`.
pub const EXACT_MEAN: &str = "The exact mean, Σ score / n,";
/// Begins the rule of the strategy `median`.
pub const MEDIAN: &str = "The median";
/// Verdict by the strategy `min`.
pub const ANY_FAILED: &str = "failed when any attempt failed";
/// Verdict by the strategy `max`.
pub const ANY_PASSED: &str = "passed when any attempt passed";
/// Verdict by the strategies `mean` and `median`.
pub const MORE_PASS: &str = "passed when more pass than fail";
/// Said of a strategy that the rules in force set.
pub fn strategy(name: &str) -> String {
    format!("strategy {name}")
}
/// Caption of the table of what each strategy gives.
pub const STRATEGIES: &str = "Result of each strategy";
/// Column of the strategy.
pub const STRATEGY: &str = "Strategy";
/// Column of whether it is the one that counts.
pub const IN_FORCE: &str = "In force";
/// Why that table is empty.
pub const NOTHING_TO_COMBINE: &str = "There are no attempts to combine.";

// Where a rule comes from.

/// Attempts of REBEL.
pub const ATTEMPTS_SOURCE: &str = "aggregation of attempts; the verdict does not use the score";
/// Attributes of slop-code.
pub const ATTRIBUTES_SOURCE: &str = "calculate_score, as in the reporting guide";
/// Graders of letta-evals.
pub const GRADERS_SOURCE: &str = "the grade of a sample";
/// Tests of slop-code.
pub const TEST_SOURCE: &str =
    "Evalglass: slop-code files since the switch to pytest hold no scores";
/// A score as recorded.
pub const RECORDED_SOURCE: &str = "recorded";
/// Checkpoints of slop-code.
pub const CHECKPOINTS_SOURCE: &str =
    "Evalglass: slop-code's reporting guide defines scores up to checkpoints only";
/// Groups of a run of slop-code.
pub const GROUPS_SOURCE: &str =
    "slop-code's reporting guide (weighted group scoring); not stored by its code";
/// A group of slop-code.
pub const GROUP_SOURCE: &str = "slop-code's reporting guide (group score); not stored by its code";
/// Rewards of letta-evals.
pub const REWARDS_SOURCE: &str = "mean reward over samples without error";
/// Scores of letta-evals.
pub const SAMPLES_SOURCE: &str = "mean score over attempted samples";
/// Test cases of REBEL.
pub const TEST_CASES_SOURCE: &str = "Evalglass: REBEL defines no score over test cases";
/// Cases of other tools.
pub const CASES_SOURCE: &str = "Evalglass: the files define no score over cases";
/// Repeats of several models of letta-evals.
pub const MODELS_SOURCE: &str = "Evalglass: letta-evals computes this mean per model";
/// Repeats of other evaluations.
pub const REPEATS_SOURCE: &str = "mean over runs";
