//! Words: what Statistics says of durations.

pub use crate::words::terms::{DURATION, GROUP, GROUPS, OUTCOME};

// The section.

/// Title of the section.
pub const TITLE: &str = "Timing";
/// What percentiles and throughput are.
pub const LEAD: &str = "p50 is the upper median, p95 the value at rank ⌊0.95·n⌋, as in letta-evals. Throughput uses the run's wall-clock time or, if that is not recorded, the sum of the case durations.";

// Columns that several tables have.

/// Column: how many cases have a duration.
pub const CASES_TIMED: &str = "Cases timed";
/// Hint of a mean over cases.
pub const MEAN_HINT: &str = "Mean duration of a case";
/// Column: the median.
pub const P50: &str = "p50";
/// Column: the 95th percentile.
pub const P95: &str = "p95";
/// Hint of that column.
pub const P95_HINT: &str = "Value at rank ⌊0.95·n⌋";
/// Column: the longest duration.
pub const LONGEST: &str = "Longest";

// Runs.

/// Hint of the column of the tests' time.
pub const TEST_TIME_HINT: &str = "Duration of the tests";
/// Column: the duration of the run.
pub const TOTAL: &str = "Total";
/// Hint of that column.
pub const TOTAL_HINT: &str = "Wall-clock time of the run";
/// Hint of the column of the agent's time.
pub const AGENT_TIME_HINT: &str = "Working time of the agent";
/// Hint of the column of timed cases.
pub const CASES_TIMED_HINT: &str = "Number of cases with a duration";
/// Hint of the median over cases.
pub const P50_HINT: &str = "Upper median";
/// Column: the target's time.
pub const TARGET: &str = "Target";
/// Hint of that column.
pub const TARGET_HINT: &str = "Mean time of the target";
/// Column: the time of extraction.
pub const EXTRACTION: &str = "Extraction";
/// Hint of that column.
pub const EXTRACTION_HINT: &str = "Mean time of extraction";
/// Column: how many cases are done in a minute.
pub const THROUGHPUT: &str = "Cases per minute";
/// Hint of that column.
pub const THROUGHPUT_HINT: &str = "Throughput";
/// Why a mean has no interval.
pub const TOO_FEW: &str = "too few values";
/// Why there is no throughput.
pub const NO_TIME: &str = "no time is recorded";

// Single responses.

/// Caption of the table.
pub const RESPONSES: &str = "Single responses";
/// Column: how many attempts have a duration.
pub const RESPONSES_TIMED: &str = "Responses timed";
/// Hint of that column.
pub const RESPONSES_TIMED_HINT: &str = "Number of attempts with an execution time";
/// Hint of the median over responses.
pub const RESPONSES_P50_HINT: &str = "Upper median, sorted[⌊n/2⌋]";
/// Column: the slowest response.
pub const SLOWEST_RESPONSE: &str = "Slowest";
/// Said below the table: what a response is.
pub const RESPONSES_NOTE: &str =
    "Each attempt is one response. A case's duration is the sum of its responses.";

// Groups.

/// Column: the time that the file states.
pub const RECORDED: &str = "Recorded";
/// Hint of that column.
pub const RECORDED_HINT: &str = "Wall-clock time of the group, as recorded";
/// Column: the durations of its cases together.
pub const SUM_OF_CASES: &str = "Sum of cases";
/// Why a group has no duration.
pub const NO_DURATION: &str = "no duration is recorded";

// Graders.

/// Caption of the table.
pub const GRADERS: &str = "Graders";
/// Column: the grader.
pub const GRADER: &str = "Grader";
/// Column: how many of its grades have a duration.
pub const GRADES_TIMED: &str = "Grades timed";

// The slowest cases.

/// Caption of the table.
pub const SLOWEST_CASES: &str = "Slowest cases";
/// Why a case has no score.
pub const NO_SCORE: &str = "no score";
