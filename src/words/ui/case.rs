//! Words of the page of a case, and of the page of what an agent did.

pub use crate::words::terms::{ATTEMPTS, CASE, RUN, VERDICT};

use crate::format::{count, counted};

/// Which of the cases of the table this is.
pub fn position(nth: u64, n_matching: u64) -> String {
    format!("{} of {}", count(nth), count(n_matching))
}

/// Leads back to the table.
pub const ALL_CASES: &str = "All cases";
/// Steps over cases that passed.
pub const FAILURES_ONLY: &str = "Failures only";
/// To the case before.
pub const PREVIOUS: &str = "Previous";
/// To the case after.
pub const NEXT: &str = "Next";
/// The list of sections.
pub const SECTIONS: &str = "Sections of this case";
/// Before the rule that decided.
pub const RULE: &str = "Rule";
/// What the case took.
pub const USAGE: &str = "Usage";
/// The same case in other runs.
pub const ELSEWHERE: &str = "In other runs";
/// Leads to this case against the same case of another run.
pub const COMPARE: &str = "Compare";

/// The same in full.
pub fn compare_with(run: &str) -> String {
    format!("Compare with {run}")
}

/// The run before, beside its name.
pub const BEFORE: &str = "before";
/// Where the score leads to.
pub const BREAKDOWN: &str = "Score breakdown";
/// Before the score.
pub const SCORE: &str = "score";
/// Around the name of a case that is not there.
pub const LOST: [&str; 2] = ["There is no case ", " in this run."];
/// Behind the evaluation and the run that are open.
pub const LOST_RUN: &str = " is open. The files may have changed since the link was made.";
/// Leads from a case that is not there to those that are.
pub const CASES_OF_RUN: &str = "The cases of this run";
/// Why a part is not here: page and worker do not match.
pub const OTHER_ANSWER: &str = "the worker gave another answer";
/// Before the reason why a part is not here.
pub const NOT_SHOWN: &str = "This could not be shown";
/// Copies a text.
pub const COPY: &str = "Copy";

/// The same in full.
pub fn copy(what: &str) -> String {
    format!("{COPY} {what}")
}

/// What is copied: what somebody said, a difference.
pub const A_MESSAGE: &str = "message";
/// As above.
pub const THE_DIFFERENCE: &str = "difference";
/// Where something is looked for.
pub const SEARCH_IN_HERE: &str = "Search in here";

/// The same with the name of what is searched.
pub fn search_in(what: &str) -> String {
    format!("Search in {what}")
}

/// A message with all the signs of its Markdown.
pub const AS_WRITTEN: &str = "Message as written";
/// The list of what a failure text names.
pub const PLACES: &str = "Files and parts named here";
/// At its end where it is cut.
pub const MORE_BELOW: &str = "and more below";
/// A difference.
pub const DIFFERENCE: &str = "Difference between expected and actual";
/// Before a line of the expected text, for who does not see colours.
pub const EXPECTED_LINE: &str = "expected";
/// The same of the actual text.
pub const ACTUAL_LINE: &str = "actual";
/// The table of values that differ.
pub const CHANGES: &str = "Values that differ";
/// Its columns.
pub const CHANGE_COLUMNS: [&str; 4] = ["Where", "How", "Expected", "Actual"];
/// In the place of a value that is not there.
pub const NOTHING: &str = "nothing";
/// Below the beginning of a long value.
pub const CUT_VALUE: &str = "Shortened. The full value is in the expected and actual texts.";
/// In the place of a text of no letters.
pub const EMPTY_TEXT: &str = "(empty text)";
/// The list of turns and failed tools.
pub const OUTLINE: &str = "Outline of the transcript";

/// Name of a message: its number, and who speaks.
pub fn message(number: &str, role: &str) -> String {
    format!("Message {number}, {role}")
}

/// Name of the link beside a message.
pub fn link_to_message(number: &str) -> String {
    format!("Link to message {number}")
}

/// Behind a tool in the outline.
pub const OUTLINE_FAILED: &str = " failed";
/// Before the task of a sub-agent.
pub const SUB_AGENT: &str = "sub-agent";
/// What the time beside a message is.
pub const SINCE: &str = "Time since the message before";
/// At a tool that failed.
pub const TOOL_FAILED: &str = "tool failed";
/// Before the time that a tool took.
pub const RETURNED_AFTER: &str = "returned after";
/// At a call without anything that came back.
pub const NO_RESULT: &str = "No result recorded.";
/// The table of files that changed.
pub const FILES: &str = "Files that changed";
/// The table of a document.
pub const ROWS: &str = "Rows";
/// The page of agents.
pub const AGENT: &str = "Agent";
/// Where nothing beside the cases is open.
pub const NO_DOCUMENTS: &str =
    "The files hold nothing beyond the cases: no event stream of an agent, no prompt, no changes.";
/// Above the list of runs.
pub const CHOOSE_RUN: &str = "What the agent of each run was told, did and changed. Choose a run.";
/// Leads to where an agent ended.
pub const LAST_STEP_AND_ERROR: &str = "Last step and error";
/// Where a run has nothing beside its cases.
pub const NO_DOCUMENTS_OF_RUN: &str =
    "The files of this run hold no event stream of an agent, no prompt and no changes.";
/// To the run before.
pub const PREVIOUS_RUN: &str = "Previous run";
/// To the run after.
pub const NEXT_RUN: &str = "Next run";
/// Back to the run.
pub const OVERVIEW_OF_RUN: &str = "Overview of the run";
/// The page of an agent.
pub const WHAT_THE_AGENT_DID: &str = "What the agent did";
/// To the last step.
pub const LAST_STEP: &str = "Last step";
/// The list of documents.
pub const DOCUMENTS: &str = "Documents of this run";

/// Opens a document.
pub fn show_document(title: &str) -> String {
    format!("Show “{title}”")
}

/// Columns of the table of files that changed.
pub const FILE_COLUMNS: [&str; 5] = ["File", "Change", "+", "−", "Size"];
/// Columns of the list of runs.
pub const RUN_COLUMNS: [&str; 4] = ["Run", "Evaluation", "Documents", "Error"];

/// Name of a view of many rows.
pub fn rows(label: &str, n: u64) -> String {
    format!("{label}, {}", counted(n, "row", "rows"))
}
