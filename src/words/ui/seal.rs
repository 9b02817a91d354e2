//! Words of the dialog that saves a sealed report.

use crate::format::{count, counted};

/// Its title.
pub const TITLE: &str = "Save as HTML";
/// What it makes.
pub const LEAD: &str = "One file with this page and the results in it. It opens by double click, without a network and without a server.";
/// Heading of what is sealed.
pub const RESULTS: &str = "Results";
/// All that is open.
pub const EVERYTHING: &str = "Everything";
/// What the view is about.
pub const SELECTED: &str = "What is selected";
/// Heading of what goes in with each case.
pub const WITH_EACH_CASE: &str = "With each case";
/// Details, and what they are.
pub const DETAILS: [&str; 2] = ["Details", "input, output, failures, checks"];
/// Transcripts, and what they are.
pub const TRANSCRIPTS: [&str; 2] = ["Transcripts", "the conversations"];
/// Records, and what they are.
pub const RAW: [&str; 2] =
    ["Raw records", "as written in the files; only together with both of the above"];
/// Heading of what the file can do.
pub const FILE: &str = "The file";
/// A file that opens nothing else.
pub const READ_ONLY: [&str; 2] = ["Read-only", "takes no further files"];
/// A file that opens more.
pub const WITH_DROP: [&str; 2] = ["With drop enabled", "others may open more results beside these"];
/// Heading of what is taken out.
pub const TAKEN_OUT: &str = "Taken out";
/// Secrets, and what becomes of them.
pub const SECRETS: [&str; 2] =
    ["Mask secrets", "API keys, tokens, passwords, private keys: the first three characters stay"];
/// Fields, what becomes of them, and an example.
pub const FIELDS: [&str; 3] =
    ["Fields by name", "One to a line. What stands in them becomes [removed].", "user_email"];
/// Patterns, what becomes of what they match, and an example.
pub const PATTERNS: [&str; 3] = [
    "Patterns",
    "Regular expressions, one to a line. What they match becomes [redacted].",
    r"[\w.]+@example\.org",
];
/// The button that prepares the file.
pub const PREPARE: &str = "Prepare";
/// The button that closes the dialog.
pub const CLOSE: &str = "Close";
/// What preparing means.
pub const NOT_YET: &str =
    "Nothing is saved yet. First you see the sizes and what was masked or removed.";
/// Heading of what was prepared.
pub const READY: &str = "Ready to save";
/// Size of the results.
pub const SIZE: &str = "Results";
/// Their size, packed.
pub const PACKED: &str = "Packed";
/// Size of the file.
pub const WHOLE: &str = "Whole file";
/// What is said of a large file.
pub const LARGE: &str = "Not every browser opens a file of this size. Without raw records or transcripts it is smaller.";
/// Where nothing was.
pub const NOTHING: &str = "nothing";
/// Where nothing was found.
pub const NOTHING_FOUND: &str = "Nothing looked like a secret or fitted a rule.";
/// The button that saves.
pub const SAVE: &str = "Save";
/// What is said when the form has changed.
pub const CHANGED: &str = "The choices have changed: prepare again.";
/// Before patterns that are none.
pub const NO_PATTERNS: &str = "These patterns are not valid regular expressions:";
/// Where the host lacks the file that a report is made of.
pub const NO_FILE: &str = "A report is made from evalglass.html, which is missing beside this page. Open evalglass.html of your build and save the report there.";
/// Where that file cannot read others.
pub const NO_READER: &str = "A read-only sealed report does not contain the program that reads files, so a report saved from it cannot open files either. Choose \"Read-only\", or save from evalglass.html.";

/// Said where the view is filtered.
pub fn filtered(n_cases: u64) -> String {
    let cases = counted(n_cases, "case", "cases");
    format!(
        "All selected cases keep their scores, so no figure changes; only the {cases} that match the filter carry details."
    )
}

/// What was left out or replaced.
pub fn left_out(what: &str) -> String {
    format!("Left out or replaced: {what}.")
}

/// A size, exactly.
pub fn exactly(n_bytes: u64) -> String {
    format!("{} bytes", count(n_bytes))
}

/// Further samples of what a rule has replaced.
pub fn and_more(n: u64) -> String {
    format!("and {} more", count(n))
}

/// Before a pattern that is none: its line.
pub fn complaint_line(line: usize) -> String {
    format!("Line {line}: ")
}

/// Behind it: what is wrong.
pub fn complaint_reason(reason: &str) -> String {
    format!(" ({reason})")
}
