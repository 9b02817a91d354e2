//! Words of the start page.

pub use crate::words::terms::{AGENT_TIME, COST, SCORE};

/// What the page is for.
pub const TITLE: &str = "See what passed, what failed, and why";
/// What comes of a drop.
pub const LEAD: &str = "Drop the results of an LLM or agent evaluation. You get the verdict, every score with its \
                        interval, every case, and the transcript behind it.";
/// What can be dropped.
pub const DROP: &str = "Drop files or a folder";
/// The same in more words.
pub const DROP_HINT: &str = "also .zip, .tar, .gz and .zst, and several at once";
/// What becomes of the files.
pub const TRUST: &str = "Nothing leaves this page.";
/// Why.
pub const TRUST_WHY: &str = "The files are read in your browser; there is no server behind it.";
/// The formats.
pub const READS: &str = "Reads";
/// Opens what is said of them.
pub const FORMATS: &str = "Files and formats";
/// How they are told apart.
pub const FORMATS_NOTE: &str = "Recognised by their content, not by their names.";
/// Opens the sample results.
pub const SAMPLES: &str = "Try sample results";
/// What the samples are.
pub const SAMPLES_HINT: &str = "Results of three tools, ready to explore.";
/// What the small overview is.
pub const EXAMPLE: &str = "Example";

// The example.

/// Headline number: cases.
pub const CASES_PASSED: &str = "Cases passed";
/// Its verdict.
pub const EXAMPLE_VERDICT: &str = "Failed: 3 of 7 checkpoints fail";
/// The rule behind it.
pub const EXAMPLE_RULE: &str = "Rule: every checkpoint by policy core-cases";
