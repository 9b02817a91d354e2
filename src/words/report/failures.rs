//! Words: what Failures says.

pub use crate::words::terms::{CASES, ERRORS, FAILED, GROUP, KIND, MESSAGE, NAME, RUN, RUNS};

use crate::format::{count, counted};

// The page.

/// Title of the page.
pub const TITLE: &str = "Failures";
/// What the page is about where it is about all that is open.
pub const EVERYTHING: &str = "Everything";
/// Said where changed rules are in force.
pub fn judged_by(rules: &str) -> String {
    format!("Judged by the rules in force: {rules}.")
}
/// Section: by kind, run and group.
pub const BY_PLACE: &str = "By kind, run and group";
/// Section: by check, category and type.
pub const BY_CAUSE: &str = "By check and error";

// How many fail: the heads of the page, and columns of its tables.

/// Failed and ended in an error, together.
pub const FAILING: &str = "Failing";
/// Hint of that.
pub const FAILING_HINT: &str = "Cases that failed or ended in an error, of all";
/// Hint of that.
pub const FAILED_HINT: &str = "Judged and did not pass";
/// Hint of that.
pub const ERRORS_HINT: &str = "Could not be judged";

// Stands in place of the page where nothing failed; joined by commas.

/// Said where there is no case at all.
pub const NO_CASES: &str = "There are no cases here.";
/// The first part.
pub fn none_failed(n_cases: u64) -> String {
    format!("No case failed or ended in an error: {} in all", count(n_cases))
}
/// How many were skipped.
pub fn skipped(n: u64) -> String {
    format!("{} were skipped", count(n))
}
/// How many have a score that no rule judges.
pub fn without_rule(n: u64) -> String {
    format!("{} have a score but no pass rule", count(n))
}
/// How many have no score.
pub fn without_score(n: u64) -> String {
    format!("{} have no score", count(n))
}

// Similar messages.

/// Title of the section.
pub const SIMILAR: &str = "Similar messages";
/// What the section is about.
pub const SIMILAR_LEAD: &str = "Messages that are equal once quoted text, numbers, paths, addresses, IDs and times are masked; nothing is masked where all of a row say the same. Tracebacks are compared by their exception line; cases without a message by the reason of their first failed check (or of the lowest score), after the name of the check where the reason is figures alone.";
/// Caption of the table.
pub const BY_MESSAGE: &str = "Failing cases by message";
/// Hint of that column.
pub const CASES_HINT: &str = "Of all failing cases";
/// Hint of that column.
pub const RUNS_HINT: &str = "Runs with such cases";
/// Columns: the first cases.
pub const EXAMPLE_COLUMNS: [&str; 3] = ["Example", "Second", "Third"];
/// The last row, of all messages for which there is no room.
pub fn more_messages(n: u64) -> String {
    format!("{} more messages", count(n))
}
/// Stands in place of the rows where there are none.
pub const NO_MESSAGES: &str = "No messages could be read.";
/// Below the table: how much of a message counts.
pub fn compared_characters(n: u64) -> String {
    format!("Only the first {} characters of a message are compared.", count(n))
}
/// After that: reasons that are not read.
pub fn not_included(n: u64, n_all: u64, most: u64) -> String {
    format!(
        "{} of {} failures are not included: at most {} reasons are read from the files, in evenly spaced groups.",
        count(n),
        count(n_all),
        count(most)
    )
}
/// After that: reasons that are not there any more.
pub fn no_longer_read(n: u64) -> String {
    format!("The reasons of {} failures can no longer be read.", count(n))
}
/// Stands for a message where there is none.
pub const NO_MESSAGE: &str = "no message";
/// The same where checks are wrong.
pub fn no_message_but(checks: &str) -> String {
    format!("no message; failed: {checks}")
}
/// The same of more checks than are named.
pub fn no_message_but_more(checks: &str, n_more: usize) -> String {
    format!("no message; failed: {checks} and {n_more} more")
}
/// The shape of reasons that are figures alone, with the check that gives them.
pub fn figures_of(check: &str, shape: &str) -> String {
    format!("{check}: {shape}")
}
/// An example without an id.
pub const UNNAMED: &str = "unnamed case";

// By run: a row for each message or group, a column for each run.

/// Title of the section.
pub const BY_RUN: &str = "Failing cases by run";
/// Caption of the table of messages.
pub const MESSAGES_BY_RUN: &str = "Failing cases by message and run";
/// Caption of the table of groups.
pub const GROUPS_BY_RUN: &str = "Failing cases by group and run";
/// Column: all runs together.
pub const ALL: &str = "All";
/// Hint of that column.
pub const ALL_HINT: &str = "Failing cases of all runs";
/// The row of all that have none of their own.
pub const OTHERS: &str = "Others";
/// Below the table: not every run has a column.
pub fn first_runs(n: u64, n_all: u64) -> String {
    format!("The first {} of {} runs with failures.", count(n), count(n_all))
}

// By kind, run and group.

/// Caption of the table of kinds.
pub const KINDS: &str = "By kind";
/// Column: cases of a kind.
pub const FIRST_FAILING: &str = "First failing cases";
/// The row of cases without a kind.
pub const NO_KIND: &str = "no kind";
/// Tooltip where no case of a kind fails.
pub const NONE_OF_KIND: &str = "no failing case of this kind";
/// Caption of the table of runs.
pub const RUNS_TABLE: &str = "By run";
/// Caption of the table of groups.
pub const GROUPS: &str = "By group";
/// Below a table: runs that have no row.
pub fn more_runs(n: u64, n_cases: u64) -> String {
    not_shown(n, "runs", n_cases)
}
/// Below a table: groups that have no row.
pub fn more_groups(n: u64, n_cases: u64) -> String {
    not_shown(n, "groups", n_cases)
}

// By check, category and type.

/// Caption of the table of checks.
pub const CHECKS: &str = "By check";
/// Column: the check.
pub const CHECK: &str = "Check";
/// Column: who wrote its files.
pub const PRODUCER: &str = "Producer";
/// Hint of the column of failed checks.
pub const FAILED_CHECKS_HINT: &str = "Failed or error, of all judged";
/// Column: failing cases in which a check is wrong.
pub const FAILING_CASES: &str = "Failing cases";
/// Hint of that column.
pub const FAILING_CASES_HINT: &str = "Failing cases in which this check failed";
/// Below the table: checks that have no row.
pub fn more_checks(n: u64) -> String {
    format!("{} more checks are not shown.", count(n))
}
/// Caption of the table of categories.
pub const CATEGORIES: &str = "By error category";
/// Caption of the table of exceptions.
pub const TYPES: &str = "By exception type";
/// Below a table: names that have no row.
pub fn more_names(n: u64, n_cases: u64) -> String {
    not_shown(n, "names", n_cases)
}
/// Below a table: cases without a name.
pub fn unnamed(n: u64, n_all: u64) -> String {
    format!("{} of {} cases have none recorded.", count(n), count(n_all))
}

fn not_shown(n: u64, what: &str, n_cases: u64) -> String {
    format!("{} more {what} with {} failing cases are not shown.", count(n), count(n_cases))
}

// The largest groups of messages, on the overview: where they are.

/// In several checkpoints.
pub fn in_checkpoints(n: u64) -> String {
    counted(n, "checkpoint", "checkpoints")
}
/// In several runs.
pub fn in_runs(n: u64) -> String {
    counted(n, "run", "runs")
}
