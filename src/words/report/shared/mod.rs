//! Words: what several pages say; filters and their complaints and the palette have a file each.

pub use crate::words::terms::{
    CHECKPOINT, COST, GROUP, KIND, METRIC, MODEL, OUTCOME, REPEAT, RUN, SCORE, SUITE, TIME, TOKENS,
    VARIANT,
};

pub mod filter;
pub mod palette;

use crate::format::{count, counted};

// Cells of verdicts, scores and intervals.

/// Where a score is undefined.
pub const NO_SCORE: &str = "no score is defined";
/// Where cases are not counted as passed or failed and the files do not say why.
pub const NO_CASE_RULE: &str = "no pass rule";
/// Where there is no verdict.
pub const NO_VERDICT_RULE: &str = "no rule gives a verdict";
/// Where there is no case to count.
pub const NO_SUCH_CASES: &str = "no such cases";
/// Where an interval needs more values.
pub const TOO_FEW: &str = "too few values";
/// Where all groups with a score weigh nothing.
pub const WEIGHTS_ZERO: &str = "the weights of all scored groups are 0: undefined";
/// Where no group has a score.
pub const NO_GROUP_SCORE: &str = "no group has a score";
/// A verdict that the files declare, in a cell.
pub fn declared(verdict: &str) -> String {
    format!("declared: {verdict}")
}
/// A verdict about a part of what was planned.
pub fn so_far(outcome: impl std::fmt::Display) -> String {
    format!("{outcome} so far")
}

// The verdict above a page.

/// A verdict that the files declare, as the first word.
pub fn declared_verdict(verdict: &str) -> String {
    format!("Declared: {verdict}")
}
/// The first word where there is none.
pub const NO_VERDICT: &str = "No verdict";
/// Why a declared verdict is not judged again.
pub fn unchecked(reason: &str) -> String {
    format!("cannot be checked here: {reason}")
}

// What a page is about, and what it leaves out.

/// The number of evaluations, where a page is about several.
pub fn n_evaluations(n: u64) -> String {
    counted(n, "evaluation", "evaluations")
}
/// Said below a table that is cut off.
pub fn first_rows(n: u64, all: u64, what: &str) -> String {
    format!("The first {} of {} {what}.", count(n), count(all))
}
/// Whose figures come from the dataset: those of the only run.
pub const FIGURES_STORED: &str = "The figures come from the dataset";
/// Those of every run.
pub fn figures_stored_of_all(n: u64) -> String {
    format!("The figures of {} come from the dataset", counted(n, "run", "runs"))
}
/// Those of some runs.
pub fn figures_stored_of_some(n: u64, all: u64) -> String {
    format!("The figures of {} of {} runs come from the dataset", count(n), count(all))
}
/// What comes when cases are loaded, behind whose figures come from the dataset.
pub fn cases_not_loaded(whose: &str, size: &str, rules: &str) -> String {
    format!(
        "{whose}. The cases (about {size}) are loaded when you open Cases, Failures, Statistics or a comparison; charts of single cases are drawn then.{rules}"
    )
}
/// The end of that sentence where rules other than the declared ones are in force.
pub const RULES_NOT_APPLIED: &str = " The rules in force are not applied to these figures.";

// Facets of cases.

/// Facet of tags.
pub const TAG: &str = "Tag";
/// Facet of what is known of cases.
pub const HAS: &str = "Has data for";

// Differences of values.

/// Another value of the same type.
pub const CHANGED: &str = "changed";
/// A value of another type.
pub const OTHER_TYPE: &str = "other type";
/// A value that is expected and not there.
pub const MISSING: &str = "missing";
/// A value that is there and not expected.
pub const EXTRA: &str = "extra";
/// A value at another place.
pub const MOVED: &str = "moved";

// What stands in the shape of a message for what differs from case to case; the marks ‹ and › are part of it.

/// A quoted text.
pub const MASKED_TEXT: &str = "‹text›";
/// A number.
pub const MASKED_NUMBER: &str = "‹n›";
/// An address.
pub const MASKED_URL: &str = "‹url›";
/// A path.
pub const MASKED_PATH: &str = "‹path›";
/// An id.
pub const MASKED_ID: &str = "‹id›";
/// A time.
pub const MASKED_TIME: &str = "‹time›";
