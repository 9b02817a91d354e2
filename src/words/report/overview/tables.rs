//! Words: tables of evaluations, checkpoints, groups and errors, and what the tables of repeats share with them.

pub use crate::words::terms::{
    AGENT_TIME, CHECKPOINT, CHECKPOINTS, COST, DURATION, ERRORS, EVALUATION, GROUP, GROUPS,
    INTERVAL, KIND, PASSED, PASSED_HINT, PROBLEM, RUNS, SCORE, STEPS, TEST_TIME, TOKENS, VERDICT,
    WEIGHT,
};

use crate::format::{count, counted};

// Column titles of several tables.

/// Column: how many scores a mean is made of.
pub const SCORES: &str = "Scores";

// Definitions of columns of several tables.

/// How the interval of a share is found.
pub const WILSON_HINT: &str = "Wilson's interval of the share that passes";
/// Where a figure is empty when no file has it.
pub const WHERE_RECORDED: &str = "Where recorded";

// Why a cell is empty, in several tables.

/// Where no file has a cost.
pub const NO_COST: &str = "the files state no cost";
/// Where no file has the working time of the agent.
pub const NO_AGENT_TIME: &str = "the files state no agent time";

// The table of evaluations.

/// Heading of the table of evaluations.
pub const EVALUATIONS: &str = "Evaluations";
/// Column: the tool that wrote the files.
pub const PRODUCER: &str = "Producer";
/// What the score of an evaluation is the mean of.
pub const EVALUATION_SCORE_HINT: &str = "Mean over repeats, or over checkpoints";
/// Why an evaluation without cases has no verdict.
pub const ONLY_TOTALS: &str = "only totals are among the files";

// The table of checkpoints.

/// Column: Core cases that pass.
pub const CORE: &str = "Core";
/// What the score of a checkpoint is.
pub const CHECKPOINT_SCORE_HINT: &str = "Weighted mean of the group scores";
/// What the Core cases that pass are counted of.
pub const CORE_HINT: &str = "Core cases that pass, of all";
/// Whose cost it is.
pub const COST_HINT: &str = "Cost of the agent, where recorded";
/// Which tokens are counted.
pub const TOKENS_HINT: &str = "Tokens read and written by the model, where recorded";
/// Whose steps are counted.
pub const STEPS_HINT: &str = "Steps of the agent, where recorded";
/// What the time of the agent is.
pub const AGENT_TIME_HINT: &str = "Working time of the agent, where recorded";
/// What the time of the tests is.
pub const TEST_TIME_HINT: &str = "Duration of the tests, where recorded";
/// Where no file has the name of the problem.
pub const NO_PROBLEM: &str = "no file names the problem";
/// Where no file has the name of the checkpoint.
pub const NO_CHECKPOINT: &str = "no file names the checkpoint";
/// Where no file has tokens.
pub const NO_TOKENS: &str = "the files state no tokens";
/// Where no file has steps.
pub const NO_STEPS: &str = "the files state no steps";
/// Where no file has the time of the tests.
pub const NO_TEST_TIME: &str = "the files state no test time";

/// Under the checkpoints, when some have declared counts and no cases.
pub fn declared_checkpoints(n: u64) -> String {
    format!(
        "{} without cases in the files: the figures are the ones declared in their rows.",
        counted(n, "checkpoint", "checkpoints")
    )
}

// The table of groups.

/// What the score of a group is.
pub const GROUP_SCORE_HINT: &str = "Mean of the case scores";
/// How the interval of the score of a group is found.
pub const GROUP_INTERVAL_HINT: &str = "Student's t interval of the score";
/// What the number of scores is.
pub const GROUP_SCORES_HINT: &str = "Number of scores in the mean";
/// Where the weight counts.
pub const WEIGHT_HINT: &str = "In the weighted score";
/// What the duration of a group is.
pub const DURATION_HINT: &str = "Wall-clock time of the group";
/// Why an empty group has no score.
pub const EMPTY_GROUP: &str = "the group is empty";
/// Where no file has the kind of the group.
pub const NO_KIND: &str = "the files name no kind";
/// Where no file has the duration of the group.
pub const NO_DURATION: &str = "the files state no duration";
/// In the place of the table, when the run has no groups.
pub const NO_GROUPS: &str = "This run has no groups.";
/// Under the groups, when the files declare weights.
pub const DECLARED_WEIGHTS: &str =
    "Weights that are not set here are the ones declared in config.yaml.";

/// Under the groups, when some cases have no score.
pub fn cases_without_score(n: u64) -> String {
    format!(
        "{} cases have no score (not run, nothing verified, or no weight) and are left out of the means.",
        count(n)
    )
}

// The table of errors.

/// Columns of the table of errors.
pub const ERROR_COLUMNS: [&str; 3] = ["By", "Name", "Cases"];
/// An error is named by its category.
pub const BY_CATEGORY: &str = "category";
/// An error is named by the type of its exception.
pub const BY_EXCEPTION: &str = "exception";

// The suite.

/// Heading of what the evaluation was asked to do.
pub const SUITE: &str = "The suite as written";
/// Columns of what the evaluation was asked to do.
pub const SUITE_COLUMNS: [&str; 2] = ["Part", "As written"];

// Shares of cases that pass.

/// Title of the shares by kind.
pub const BY_KIND: &str = "Pass rate by kind";
/// Title of the shares by metric.
pub const BY_METRIC: &str = "Pass rate by metric";
