//! Words of cases and documents as they are read: transcripts, differences, checks.

pub use crate::words::terms::{
    AGENT_TIME, ATTEMPTS, COST, DIFFERENCE, EXPECTED, GROUP, INPUT, KIND, REASON, STEPS, SUBJECT,
    TIME, TOKENS, VARIANT,
};

use crate::format::{bytes, count, counted, number, secs};

// Sections of a case.

/// The conversation.
pub const TRANSCRIPT: &str = "Transcript";
/// What went wrong.
pub const FAILURE: &str = "Failure";
/// The checks.
pub const CHECKS: &str = "Checks";
/// Both sides.
pub const SIDES: &str = "Expected and actual";
/// What the files say beyond the columns of the table.
pub const METADATA: &str = "Metadata";
/// The case as it is written in the files.
pub const RAW: &str = "Raw records";

// Facts in the head of a case, and what it took.

/// The same case of a run of another evaluation.
pub fn elsewhere(evaluation: &str, run: &str) -> String {
    format!("{evaluation} / {run}")
}

/// A case that is not there, by its key.
pub fn case_key(key: &str) -> String {
    format!("“{key}”")
}

/// The same, by its number.
pub fn case_number(number: u64) -> String {
    format!("number {number}")
}

// Expected and actual.

/// What came; also such a text of a check.
pub const ACTUAL: &str = "Actual";
/// A text of a check: the difference in the words of the file.
pub const DESCRIBED: &str = "Difference as the file describes it";

/// A record: its file, and where in it.
pub fn record(file: &str, place: &str) -> String {
    format!("{file}, {place}")
}

// The page about an agent.

/// Tokens that it was given.
pub const INPUT_TOKENS: &str = "Input tokens";
/// Tokens that it wrote.
pub const OUTPUT_TOKENS: &str = "Output tokens";
/// Tokens of the first that came out of a cache.
pub const CACHED_TOKENS: &str = "Cache read tokens";

// Attempts.

/// Where an attempt left nothing.
pub const NO_OUTPUT: &str = "The files hold no output of this attempt.";
/// Of an output that is that of the attempt before; and the fold of how it differs from that.
pub const AGAINST_BEFORE: [&str; 2] =
    ["The same as in the attempt before, byte by byte.", "Compared with the previous attempt"];
/// The same of an output and what was expected.
pub const AGAINST_EXPECTED: [&str; 2] =
    ["The same as expected, byte by byte.", "Compared with the expected text"];

/// An attempt.
pub fn attempt(nth: u64) -> String {
    format!("Attempt {}", count(nth))
}

/// The same with the time that it took.
pub fn attempt_took(nth: u64, took: f64) -> String {
    format!("{}, {}", attempt(nth), secs(took))
}

// Documents of a run.

/// Where nothing is in one.
pub const EMPTY_DOCUMENT: &str = "(empty)";
/// What became of a file where that is not said.
pub const FILE_CHANGED: &str = "changed";

/// How many rows its table has.
pub fn rows(n: u64) -> String {
    counted(n, "row", "rows")
}

/// What became of a file that is no text.
pub fn binary(change: &str) -> String {
    format!("{change}, binary")
}

// Folds of long lists.

/// Of rows.
pub const ROWS_PART: &str = "Rows ";
/// Of checks.
pub const CHECKS_PART: &str = "Checks ";

/// A part of a list: what it is of, the first and the last.
pub fn part(what: &str, first: u64, last: u64) -> String {
    format!("{what}{} – {}", count(first), count(last))
}

// Checks.

/// The fold of what was compared.
pub const COMPARED: &str = "What was compared";
/// A check that nobody has judged.
pub const NOT_VERIFIED: &str = "not verified";
/// Before what was expected, in a line.
pub const EXPECTED_SIDE: &str = "expected";
/// Before what came.
pub const ACTUAL_SIDE: &str = "actual";
/// Before what the file says of both.
pub const COMPARISON_SIDE: &str = "comparison";
/// Before why a grade is what it is.
pub const REASON_SIDE: &str = "reason";
/// In the place of a side that is empty.
pub const EMPTY_SIDE: &str = "(empty text)";
/// The fold of what `DeepDiff` has found.
pub const DEEP_DIFF: &str = "Differences that the file lists (DeepDiff)";

/// How many are wrong.
pub fn checks_failed(n_wrong: u64, n_checks: u64) -> String {
    format!("{} of {} failed", count(n_wrong), count(n_checks))
}

/// The fold of those that nobody has judged.
pub fn not_verified(n: u64) -> String {
    counted(n, "was not verified", "were not verified")
}

/// The attempt that a check belongs to.
pub fn check_attempt(nth: u64) -> String {
    format!("attempt {}", count(nth))
}

/// How much it counts.
pub fn check_weight(weight: f64) -> String {
    format!("weight {}", number(weight, 3))
}

/// What the file says of it in other words.
pub fn recorded_as(verdict: &str) -> String {
    format!("recorded as {verdict}")
}

// Values that differ.

/// None does.
pub const NO_VALUE_DIFFERS: &str =
    "No value differs. Numbers are compared by value; the order of keys is ignored.";

/// More do than are listed.
pub fn values_differ(n_all: u64, n_listed: u64) -> String {
    format!("{} values differ; the first {} are listed.", count(n_all), count(n_listed))
}

// Texts that differ.

/// How many lines are in one of them only.
pub fn lines_differ(n_removed: u64, n_added: u64) -> String {
    format!("−{} expected, +{} actual lines", count(n_removed), count(n_added))
}

/// They do not.
pub const SAME_BYTES: &str = "Both texts are the same, byte by byte.";
/// They do only where it means nothing.
pub const SAME_JSON: &str = "Both are the same JSON except for white space between values.";
/// What differs would not be seen.
pub const WHITE_SPACE_ONLY: &str = "They differ in white space only, which is made visible here.";
/// They were compared in part.
pub const ROUGH: &str = "The texts differ too much for a full comparison: some equal lines may be \
                         shown as different. Lines shown as equal are equal.";
/// Name of the choice of how the texts stand.
pub const ARRANGEMENT: &str = "Arrangement";
/// In one column.
pub const UNIFIED: &str = "Unified";
/// In two.
pub const SIDE_BY_SIDE: &str = "Side by side";
/// As values.
pub const STRUCTURE: &str = "Structure";
/// Name of the choice of what is shown besides.
pub const SHOW: &str = "Show";
/// Unchanged lines too.
pub const ALL_LINES: &str = "All lines";
/// White space too.
pub const WHITE_SPACE: &str = "White space";
/// At the end of a line that has no end.
pub const NO_LINE_END: &str = "no line end";
/// At the end of a line of Windows.
pub const CR_LF: &str = "CR LF";

/// Lines that are folded away.
pub fn unchanged_lines(n: u64) -> String {
    counted(n, "unchanged line", "unchanged lines")
}

/// A part of very many of them.
pub fn unchanged_part(first: u64, last: u64) -> String {
    format!("unchanged lines {} – {}", count(first), count(last))
}

// Texts.

/// Name of the choice of how a text is shown.
pub const SHOW_AS: &str = "Show as";
/// JSON as a tree.
pub const AS_TREE: &str = "Tree";
/// JSON in lines.
pub const AS_LINES: &str = "Indented";
/// As the file has it; also of a difference.
pub const AS_WRITTEN: &str = "As written";
/// Markdown as it is meant.
pub const RENDERED: &str = "Rendered";

/// How long a text is.
pub fn size(n_lines: u64, n_bytes: u64) -> String {
    format!("{}, {}", counted(n_lines, "line", "lines"), bytes(n_bytes))
}

/// Name of code in Markdown.
pub const CODE: &str = "Code";
/// Name of a table in Markdown.
pub const TABLE: &str = "Table";
/// Before the words of a picture in Markdown, which is not shown.
pub const IMAGE: &str = "[image: ";

/// Name of code in a language.
pub fn code_in(language: &str) -> String {
    format!("{CODE}, {language}")
}

// Trees.

/// What is in an object.
pub fn keys(n: u64) -> String {
    format!("{{}} {}", counted(n, "key", "keys"))
}

/// What is in a list.
pub fn items(n: u64) -> String {
    format!("[] {}", counted(n, "item", "items"))
}

/// What stands before the status of a response.
pub const RESPONSE: &str = "Response";

// What was found in a long text.

/// How much.
pub fn matches(n: u64) -> String {
    counted(n, "match", "matches")
}

/// The same where not all of it is listed.
pub fn matches_listed(n: u64, n_listed: u64) -> String {
    format!("{}, the first {} are listed", matches(n), count(n_listed))
}

/// Where it is.
pub fn line(nth: u64) -> String {
    format!("line {}", count(nth))
}

// Transcripts.

/// What is searched.
pub const THE_TRANSCRIPT: &str = "the transcript";
/// The fold of the outline.
pub const OUTLINE: &str = "Outline";
/// Who speaks where that is not said.
pub const ROLE_UNKNOWN: &str = "unknown";
/// A call of a tool.
pub const ROLE_CALL: &str = "tool call";
/// What came back from one.
pub const ROLE_RETURN: &str = "tool return";
/// What a tool was given.
pub const ARGUMENTS: &str = "Arguments";
/// What it gave back.
pub const RETURN: &str = "Return";
/// Where that is nothing.
pub const RETURNED_NOTHING: &str = "returned nothing";

/// The fold of the outline where tools have failed.
pub fn outline_failed(n: u64) -> String {
    format!("{OUTLINE}, {}", counted(n, "failed tool", "failed tools"))
}

/// Where a user turn begins.
pub fn turn(nth: u64) -> String {
    format!("Turn {}", count(nth))
}

/// The fold of a long message.
pub fn whole_message(n_bytes: u64) -> String {
    format!("The beginning is shown. The whole, {}", bytes(n_bytes))
}
