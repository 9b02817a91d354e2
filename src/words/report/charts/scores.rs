//! Words of the charts of scores: of all cases, and by metric.

pub use crate::words::terms::{MEAN, METRIC};

use crate::format::counted;

// Tables of bins.

/// Column of lower edges.
pub const FROM: &str = "From";
/// Hint of the column of lower edges.
pub const FROM_HINT: &str = "Lower edge, included";
/// Column of upper edges.
pub const TO: &str = "To";
/// Hint of the column of upper edges.
pub const TO_HINT: &str = "Upper edge, not included except in the last bin";

// Scores of all cases.

/// Title of the chart of all cases.
pub const SCORES: &str = "Scores of the cases";
/// Why there is no chart.
pub const NO_CASE: &str = "No case has a numeric score.";
/// Why cases are left out that have none.
pub const WITHOUT: &str = "without a numeric score";

/// Lead of the chart of all cases; `more` is what is said after it, with a space before.
pub fn scores_lead(n: u64, more: &str) -> String {
    format!("{}.{more}", counted(n, "case with a score", "cases with a score"))
}

/// Why scores are left out that lie far away, all in one place.
pub fn outside_at(score: &str) -> String {
    format!("outside of 0–1 (at {score})")
}

/// Why scores are left out that lie far away, by the lowest and the highest.
pub fn outside_from(low: &str, high: &str) -> String {
    format!("outside of 0–1 ({low} to {high})")
}

// Scores by metric.

/// Title of the chart by metric.
pub const BY_METRIC: &str = "Scores by metric";
/// What rows of the chart count: one, several.
pub const SCORE_NAMES: [&str; 2] = ["score", "scores"];
/// Column of numbers of scores.
pub const N_SCORES: &str = "Scores";
/// Hint of the column of numbers of scores.
pub const N_SCORES_HINT: &str = "Number of scores";
/// Hint of the column of means.
pub const MEAN_HINT: &str = "Mean of these scores";
/// Column of medians.
pub const MEDIAN: &str = "Median";
/// Column of lowest scores.
pub const MINIMUM: &str = "Minimum";
/// Column of highest scores.
pub const MAXIMUM: &str = "Maximum";

/// Lead of the chart by metric; `more` is what is said after it, with a space before.
pub fn by_metric_lead(n_scores: u64, n_metrics: usize, more: &str) -> String {
    format!(
        "{} of {n_metrics} metrics, over the cases that count in the mean. Each row is scaled to its fullest bin. Line: mean.{more}",
        counted(n_scores, "score", "scores")
    )
}

/// End of the lead, when there are more metrics than are drawn.
pub fn most_scores(drawn: usize, all: usize) -> String {
    format!(" The {drawn} with the most scores; the table has all {all}.")
}
