//! Words of the overview.

/// The verdict.
pub const VERDICT: &str = "Verdict";
/// Cases that decide the verdict.
pub const DECIDING: &str = "Cases that decide it";
/// The headline numbers.
pub const FIGURES: &str = "Key figures";
/// The cases by outcome.
pub const OUTCOMES: &str = "Cases by outcome";
/// What speaks for and against the numbers.
pub const TRUST: &str = "Data quality";
/// What the page is in.
pub const CRUMBS: &str = "Is part of";
/// The largest groups of failures.
pub const TOP_FAILURES: &str = "Top failures";
/// Leads to the page of failures.
pub const ALL_FAILURES: &str = "All failures";
/// What the lines of a plot of shares are.
pub const RATES_NOTE: &str = "Pass rate with its 95 % interval (Wilson)";
/// The other ways to have a chart.
pub const CHART_MENU: &str = "Table and pictures";
/// Shows the numbers of a chart.
pub const CHART_TABLE: &str = "Table";
