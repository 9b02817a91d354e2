//! Words of the overview.

pub use crate::words::terms::VERDICT;

use crate::format::{count, counted};

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
const CHART_MENU: &str = "Table and pictures";
/// Shows the numbers of a chart.
pub const CHART_TABLE: &str = "Table";

/// What the menu of a chart is called.
pub fn chart_menu(chart: &str) -> String {
    format!("{CHART_MENU}: {chart}")
}

/// The rule behind the verdict.
pub fn rule(rule: &str) -> String {
    format!("Rule: {rule}")
}

/// What the file says of it.
pub fn recorded(declared: &str) -> String {
    format!("Recorded in the file: {declared}")
}

/// Behind the cases that decide the verdict.
pub fn and_more(n: u64) -> String {
    format!("and {} more", count(n))
}

/// What the largest groups of failures are made of.
pub fn failures_note(n_cases: u64) -> String {
    format!("{}, similar messages together", counted(n_cases, "case", "cases"))
}

/// The same where some cases have not been read.
pub fn failures_note_more(n_cases: u64, n_unread: u64) -> String {
    format!("{}; {} more not grouped", failures_note(n_cases), count(n_unread))
}

/// The groups that are not listed.
pub fn other_messages(n: u64) -> String {
    counted(n, "other message", "other messages")
}

/// End of the scale of shares.
pub const RATES_END: &str = "100 %";

/// Tooltip of a share: the ends of its interval.
pub fn rate_interval(low: &str, high: &str) -> String {
    format!("95 % {low} to {high}")
}
