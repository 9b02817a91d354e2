//! Words of the chart and the table of score bands.

use crate::format::counted;

/// Title of the chart.
pub const TITLE: &str = "Scores by band of the letta-evals guide";
/// The rule for values that the guide does not print.
const RULE: &str = "Each band ends where the next begins: 0.795 is in 0.6–0.79, 0.995 in 0.8–0.99.";

/// Caption of the table.
pub fn caption() -> String {
    format!("Score bands of the letta-evals guide. {RULE}")
}

/// Lead of the chart.
pub fn lead(n_cases: u64) -> String {
    format!("{} by outcome. {RULE}", counted(n_cases, "case", "cases"))
}

// Cases beside the bands.

/// Scores above all bands.
pub const ABOVE: &str = "above 1";
/// Scores below all bands.
pub const BELOW: &str = "below 0";
/// What scores above or below all bands are.
pub const BEYOND: &str = "beyond the guide's bands";
/// What cases without a score are.
pub const IN_NO_BAND: &str = "in no band";

// Columns.

/// Column of bands.
pub const BAND: &str = "Band";
/// Column of the guide's words.
pub const MEANING: &str = "Meaning in the guide";
/// Column of shares.
pub const SHARE: &str = "Share";
/// Hint of the column of shares.
pub const SHARE_HINT: &str = "Of all cases, including those without a score";
