//! Words of the charts of scores against what they cost.

// Titles.

/// Score and money.
pub const AGAINST_COST: &str = "Score against cost";
/// Score and tokens.
pub const AGAINST_TOKENS: &str = "Score against tokens";
/// Score and time of the agent.
pub const AGAINST_AGENT_TIME: &str = "Score against agent time";
/// Score and time.
pub const AGAINST_TIME: &str = "Score against time";

// What points are: as a column, one in a sentence, several in a sentence.

/// Evaluations.
pub const REPORTS: [&str; 3] = ["Report", "report", "reports"];
/// Models.
pub const MODELS: [&str; 3] = ["Model", "model", "models"];
/// Runs.
pub const RUNS: [&str; 3] = ["Run", "run", "runs"];

// Table and lead.

/// Column that marks the best points.
pub const ON_FRONT: &str = "On Pareto front";
/// Why points are left out.
pub const UNKNOWN: &str = "the score or the figure is unknown";

/// Lead of the chart; `points` is their number with a name, `more` is what is said after it, with a space before.
pub fn lead(points: &str, more: &str) -> String {
    format!(
        "{points}. Dashed line: Pareto front (no other point scores at least as high for less).{more}"
    )
}

/// The same, where lower scores are better.
pub fn lead_lower_better(points: &str, more: &str) -> String {
    format!(
        "{points}. Dashed line: Pareto front (no other point scores at least as low for less; lower is better).{more}"
    )
}
