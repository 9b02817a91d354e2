//! Words: what is said of figures that files declare.

use crate::words::terms;
pub use crate::words::terms::{
    AGENT_TIME, ATTEMPTED, CASES, CHECKPOINT, CHECKPOINTS, COMPLETION_TOKENS,
    COMPLETION_TOKENS_HINT, COST, ERRORS, ERRORS_HINT, EVALUATION, FIGURE, GATE, MEAN,
    MEAN_ATTEMPTED, MEAN_ATTEMPTED_HINT, MEAN_TOTAL, MEAN_TOTAL_HINT, METRIC, MODEL, MODELS, NAME,
    PASS_RATE, PASSED, PASSED_HINT, PROBLEM, PROMPT_TOKENS, PROMPT_TOKENS_HINT, REPEAT, REPEATS,
    REWARD, REWARD_COLUMN_HINT, REWARD_HINT, RUNS, SCORE, STD_HINT, STEPS, T_INTERVAL_HINT,
};

// The page of an evaluation whose files hold only totals.

/// What stands above the figures.
pub const LEAD: &str = "Declared figures only: the files hold totals without the cases behind them, so nothing here can be checked.";

// Names of figures and what they are, for headlines and columns.

/// What that score is.
pub const SCORE_HINT: &str = "Mean over the metrics that the gate names";
/// What is put behind the name of a metric whose mean is over all cases.
pub const OF_ALL_CASES: &str = " (errors counted as 0)";
/// What they are, where an interval stands with them.
pub const PASSED_INTERVAL_HINT: &str = "Cases that pass, of all; with the Wilson 95 % interval";
/// What they are in the table of metrics.
pub const PASSED_BY_METRIC_HINT: &str =
    "Attempted cases that pass by this metric, of those judged by it";
/// Name of the mean over checkpoints of their pass rates.
pub const MEAN_PASS_RATE: &str = "Mean pass rate";
/// What that mean is.
pub const MEAN_PASS_RATE_HINT: &str = "Mean over checkpoints of the share of tests that pass";
/// What it is of a part.
pub const PASS_RATE_HINT: &str = "Share of tests that pass";
/// What it is of a metric.
pub const PASS_RATE_BY_METRIC_HINT: &str = "As the file states it";
/// What a column of a kind of tests shows.
pub const KIND_HINT: &str = "Tests of this kind that pass, of all";
/// What a column of a metric shows.
pub const METRIC_HINT: &str = "Its mean over attempted cases";
/// What they are.
pub const ATTEMPTED_HINT: &str = "Cases that completed without error, of all";
/// What that number is, as a headline.
pub const RUNS_HINT: &str = "Number of repeats behind these figures";
/// What that number is, as a column.
pub const RUNS_COLUMN_HINT: &str = "Number of runs behind these figures";
/// Name of the repeats whose gate passes.
pub const RUNS_PASSED: &str = "Runs passed";
/// What they are, as a headline.
pub const RUNS_PASSED_HINT: &str = "Repeats whose gate passes, of all";
/// What they are, as a column.
pub const RUNS_PASSED_COLUMN_HINT: &str = "Runs whose gate passes, of all";
/// What that verdict is.
pub const GATE_HINT: &str = "As recorded in the file; it cannot be judged again without the cases";
/// A gate that passes.
pub const GATE_PASSED: &str = "passed";
/// A gate that does not.
pub const GATE_FAILED: &str = "failed";
/// Name of the checkpoints of which every test passed.
pub const CHECKPOINTS_SOLVED: &str = "Checkpoints solved";
/// What they are.
pub const CHECKPOINTS_SOLVED_HINT: &str = "Every test passed";
/// Name of the checkpoints of which every Core test passed.
pub const CORE_SOLVED: &str = "Core solved";
/// What they are.
pub const CORE_SOLVED_HINT: &str = "Every Core test passed";
/// Name of the problems of which every checkpoint is solved.
pub const PROBLEMS_SOLVED: &str = "Problems solved";
/// What they are.
pub const PROBLEMS_SOLVED_HINT: &str = "Every checkpoint solved";
/// What it is.
pub const COST_HINT: &str = "Sum over cases or checkpoints";
/// Name of the tokens that a cache gave.
pub const CACHED_TOKENS: &str = "Cached tokens";
/// What they are.
pub const CACHED_TOKENS_HINT: &str = "Tokens read from a cache";
/// Name of the tokens of reasoning.
pub const REASONING_TOKENS: &str = "Reasoning tokens";
/// What they are.
pub const REASONING_TOKENS_HINT: &str = "Tokens of reasoning";
/// What they are.
pub const STEPS_HINT: &str = "Steps of the agent";
/// What it is.
pub const AGENT_TIME_HINT: &str = "Seconds that the agent worked";
/// Name of the mean time of a case.
pub const MEAN_TIME: &str = "Mean time";
/// What it is.
pub const MEAN_TIME_HINT: &str = "Mean seconds of a case";
/// Name of the mean time of the target's part of a case.
pub const MEAN_TARGET_TIME: &str = "Mean target time";
/// What it is.
pub const MEAN_TARGET_TIME_HINT: &str = "Mean seconds of the target";
/// Name of the median time of a case.
pub const MEDIAN_TIME: &str = terms::MEDIAN_CASE;
/// What it is.
pub const MEDIAN_TIME_HINT: &str = "By the producer's rule";
/// Name of the 95th percentile of the times of cases.
pub const P95_TIME: &str = terms::SLOW_CASE;
/// What it is.
pub const P95_TIME_HINT: &str = "95th percentile by the producer's rule";

// Captions and columns of tables.

/// Caption of a table of parts of an evaluation that holds nothing else.
pub fn as_declared(what: &str) -> String {
    format!("{what}, as declared")
}
/// Caption of a table of parts that stands beside cases.
pub fn totals_only(what: &str) -> String {
    format!("{what} with declared totals only")
}
/// Column of what came of a part.
pub const STATE: &str = "State";
/// Column of the file that states a figure.
pub const STATED_IN: &str = "Stated in";
/// What a repeat is called in its row.
pub fn run_name(repeat: u32) -> String {
    format!("Run {repeat}")
}
/// Column of a metric in a table of parts.
pub fn metric_column(label: &str) -> String {
    format!("Metric {label}")
}

/// Caption of the table of metrics.
pub const METRICS: &str = "Metrics, as declared";

/// Caption of the table of pass rates of a run directory.
pub const RATES: &str = "Mean pass rates, as declared";
/// Column of the kind of tests.
pub const TESTS: &str = "Tests";
/// Column of the mean over checkpoints.
pub const OVER_CHECKPOINTS: &str = "Over checkpoints";
/// What that mean is.
pub const OVER_CHECKPOINTS_HINT: &str = "Mean of the checkpoints' rates";
/// Column of the mean over problems.
pub const OVER_PROBLEMS: &str = "Over problems";
/// What that mean is.
pub const OVER_PROBLEMS_HINT: &str = "Mean of the per-problem means";

/// Caption of the table of errors.
pub const ERROR_TABLE: &str = "Errors, as declared";
/// Column of what errors are told apart by.
pub const BY: &str = "By";
/// Errors told apart by category.
pub const BY_CATEGORY: &str = "category";
/// Errors told apart by type of exception.
pub const BY_EXCEPTION: &str = "exception";

/// Caption of the table of figures over several runs.
pub const SPREADS: &str = "Spread over runs, as declared";
/// Column of its standard deviation.
pub const STD: &str = "Std";
/// Column of its smallest value.
pub const MIN: &str = "Min";
/// Column of its largest value.
pub const MAX: &str = "Max";
/// Column of the interval as letta-evals makes it.
pub const NORMAL_INTERVAL: &str = "95 % normal";
/// What that interval is.
pub const NORMAL_INTERVAL_HINT: &str = "Mean ± 1.96 · std / √n, as in the letta-evals guide";
/// Column of Student's interval.
pub const T_INTERVAL: &str = "95 % t";
/// A spread over all models together.
pub const ALL_MODELS: &str = "all models";
/// Where a spread comes from that no file states.
pub const FROM_RUNS: &str = "from the declared runs";

// Why a value is not there.

/// Why a value is not there.
pub const NOT_STATED: &str = "not stated in the files";
/// Why a spread has no interval.
pub const NO_N: &str = "number of runs not stated";
/// Why an evaluation of several models has no figure of its own.
pub const PER_MODEL: &str = "declared per model only";
/// Why there is no cost.
pub const NO_COST: &str = "the files state no cost";

// Notes of values in trends and charts.

/// Note of a value that is declared.
pub const DECLARED: &str = "declared";
/// The same with what the value is.
pub fn declared_value(what: &str) -> String {
    format!("{what}, declared")
}
/// The score that stands for a part is its reward.
pub const MAIN_REWARD: &str = "reward";
/// It is the gate's score.
pub const MAIN_SCORE: &str = "score";
/// It is the mean over attempted cases.
pub const MAIN_MEAN: &str = "mean of attempted";
/// It is the share of tests that pass.
pub const MAIN_SHARE: &str = "share of tests that pass";
