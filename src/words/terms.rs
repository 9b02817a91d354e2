//! Terms that several pages use: one word for one thing (DESIGN, section 3).

/// Name of a score.
pub const SCORE: &str = "Score";
/// Name of a cost.
pub const COST: &str = "Cost";
/// Name of a kind of tests.
pub const KIND: &str = "Kind";
/// Name of cases.
pub const CASES: &str = "Cases";
/// How a case came out, or how many did so.
pub const PASSED: &str = "Passed";
/// Cases that did not pass.
pub const FAILED: &str = "Failed";
/// Cases that could not be judged.
pub const ERRORS: &str = "Errors";
/// Name of a group.
pub const GROUP: &str = "Group";
/// The same of several.
pub const GROUPS: &str = "Groups";
/// Name of tokens.
pub const TOKENS: &str = "Tokens";
/// Name of a verdict.
pub const VERDICT: &str = "Verdict";
/// A run (not: to run).
pub const RUN: &str = "Run";
/// Several of them.
pub const RUNS: &str = "Runs";
/// Name of a checkpoint.
pub const CHECKPOINT: &str = "Checkpoint";
/// Several of them.
pub const CHECKPOINTS: &str = "Checkpoints";
/// Steps that an agent took.
pub const STEPS: &str = "Steps";
/// How long the agent worked.
pub const AGENT_TIME: &str = "Agent time";
/// How long the tests took.
pub const TEST_TIME: &str = "Test time";
/// Name of a metric.
pub const METRIC: &str = "Metric";
/// Name of a name.
pub const NAME: &str = "Name";
/// How a case came out.
pub const OUTCOME: &str = "Outcome";
/// Name of a repeat.
pub const REPEAT: &str = "Repeat";
/// Several of them.
pub const REPEATS: &str = "Repeats";
/// Name of a reward.
pub const REWARD: &str = "Reward";
/// Name of a problem.
pub const PROBLEM: &str = "Problem";
/// An interval that holds the true value in 95 % of all experiments.
pub const INTERVAL: &str = "95 % interval";
/// Attempts of a case.
pub const ATTEMPTS: &str = "Attempts";
/// How long something took.
pub const TIME: &str = "Time";
/// How long something took, as a heading of charts and tables.
pub const DURATION: &str = "Duration";
/// Name of a difference.
pub const DIFFERENCE: &str = "Difference";
/// One case.
pub const CASE: &str = "Case";
/// Share of cases that pass.
pub const PASS_RATE: &str = "Pass rate";
/// Name of a message.
pub const MESSAGE: &str = "Message";
/// Name of a model.
pub const MODEL: &str = "Model";
/// Several of them.
pub const MODELS: &str = "Models";
/// Name of a mean.
pub const MEAN: &str = "Mean";
/// Mean score of attempted cases.
pub const MEAN_ATTEMPTED: &str = "Mean (errors left out)";
/// Mean score of all cases.
pub const MEAN_TOTAL: &str = "Mean (errors counted as 0)";
/// What `PASSED` is as a figure.
pub const PASSED_HINT: &str = "Cases that pass, of all";
/// What `MEAN_TOTAL` is.
pub const MEAN_TOTAL_HINT: &str = "Mean over all cases; a missing score counts as 0";
/// What `MEAN_ATTEMPTED` is.
pub const MEAN_ATTEMPTED_HINT: &str = "Mean score over attempted cases";
/// What `REWARD` is as a figure.
pub const REWARD_HINT: &str = "Mean reward over cases without error";
/// The same below the heading `REWARD`.
pub const REWARD_COLUMN_HINT: &str = "Mean over cases without error";
/// What `ERRORS` is.
pub const ERRORS_HINT: &str = "Cases that could not be judged";
/// Name of an evaluation.
pub const EVALUATION: &str = "Evaluation";
/// Name of a number.
pub const FIGURE: &str = "Figure";
/// Name of a variant.
pub const VARIANT: &str = "Variant";
/// Why something is so.
pub const REASON: &str = "Reason";
/// Name of a gate.
pub const GATE: &str = "Gate";
/// Name of a comparison.
pub const COMPARISON: &str = "Comparison";
/// Tokens read.
pub const PROMPT_TOKENS: &str = "Prompt tokens";
/// What `PROMPT_TOKENS` is.
pub const PROMPT_TOKENS_HINT: &str = "Tokens read by the model";
/// Tokens written.
pub const COMPLETION_TOKENS: &str = "Completion tokens";
/// What `COMPLETION_TOKENS` is.
pub const COMPLETION_TOKENS_HINT: &str = "Tokens written by the model";
/// What a standard deviation is here.
pub const STD_HINT: &str = "Sample standard deviation, n − 1";
/// What an interval of a mean is here.
pub const T_INTERVAL_HINT: &str = "Student's t interval of the mean";
/// What an interval of a rate is here.
pub const WILSON_HINT: &str = "Wilson's";
/// Weight of a group or metric.
pub const WEIGHT: &str = "Weight";
/// Cases that completed.
pub const ATTEMPTED: &str = "Attempted";
/// Time of the case in the middle.
pub const MEDIAN_CASE: &str = "Median case";
/// Time of a slow case.
pub const SLOW_CASE: &str = "95th percentile case";
/// Name of a suite.
pub const SUITE: &str = "Suite";
/// Name of what is evaluated.
pub const SUBJECT: &str = "Subject";
/// What a case gives.
pub const INPUT: &str = "Input";
/// What it expects.
pub const EXPECTED: &str = "Expected";
/// How cases are paired.
pub const BY_KEY: &str = "by suite, group and id";
/// The same without suite and group.
pub const BY_ID: &str = "by the id alone";
/// The same by what was asked.
pub const BY_INPUT: &str = "by the text of the input";
/// Which way a figure is better, where that is not as usual.
pub const LOWER_IS_BETTER: &str = "lower is better";
/// Why there are no figures.
pub const NO_RESULTS: &str = "no results are among the files";
/// Why a gate over no case has no value.
pub const NO_CASE: &str = "there is no case";
/// How a run ended.
pub const NOT_RUN: &str = "planned, and did not run";
