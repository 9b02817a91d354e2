//! The full record of one case, as it is read when somebody looks at it.
//!
//! Everything in it is hostile text. Nothing is shortened: what a file holds is reachable here, as
//! raw JSON at the least.
//!
//! In JSON (as `evalglass-report/1` carries it) what is not there is absent.

use super::number;
use serde::{Deserialize, Serialize};

/// All that the files hold about one case.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CaseDetail {
    /// Short facts beyond the table's columns: agent id, status, markers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// What the target was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub input: Vec<Content>,
    /// What was expected of the case as a whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<Content>,
    /// What the target gave, as a whole (submissions, outputs that belong to no single attempt).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actual: Vec<Content>,
    /// Failure text: exception, traceback, error message, captured output.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failure: Vec<Content>,
    /// Checks with their texts, in file order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckDetail>,
    /// Attempts, when the producer repeats a case.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<AttemptDetail>,
    /// The conversation, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transcript: Vec<Message>,
    /// What the files say about single turns of it, by turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<TurnDetail>,
    /// The records as written, one for each file that speaks of the case.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub raw: Vec<RawRecord>,
}

/// A labelled short value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is.
    pub label: String,
    /// Its value as text.
    pub value: String,
}

/// A labelled long text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// What it is.
    pub label: String,
    /// The text, whole.
    pub body: String,
    /// How to show it.
    pub format: ContentFormat,
}

/// How a text is to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContentFormat {
    /// As it is.
    Text,
    /// As JSON, indented.
    Json,
    /// As a unified diff.
    Diff,
}

/// One check with its texts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CheckDetail {
    /// Attempt, 1-based.
    pub attempt: u32,
    /// Attribute, metric or grader.
    pub name: String,
    /// Score of the check.
    #[serde(with = "number::maybe", skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Whether it is right; `None`: not verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_correct: Option<bool>,
    /// Weight in the case's score.
    #[serde(with = "number::maybe", skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Verdict word, when the file has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// Why, in the judge's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    /// The file's own description of the difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// Further data as JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<String>,
}

/// One attempt of a case.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AttemptDetail {
    /// Attempt, 1-based.
    pub attempt: u32,
    /// Wall-clock seconds.
    #[serde(with = "number::maybe", skip_serializing_if = "Option::is_none")]
    pub duration_secs: Option<f64>,
    /// What the target gave.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<Content>,
}

/// One message of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Message {
    /// User turn, 0-based.
    pub turn: u32,
    /// Who speaks: `user`, `assistant`, `system`, `tool`, `reasoning`, or the file's own word.
    pub role: String,
    /// The file's own type of the message, when it has one.
    pub kind: String,
    /// Name of the tool, for calls and returns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The sub-agent that speaks; none: the agent itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Joins a call and its return.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The text, whole: words, reasoning, tool arguments, tool return.
    pub text: String,
    /// The return says that the tool failed.
    pub is_error: bool,
    /// When, as the file writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// What is known about one user turn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnDetail {
    /// User turn, 0-based.
    pub turn: u32,
    /// Tokens and other counts, by the file's own names in words: `prompt tokens`.
    #[serde(with = "number::named", skip_serializing_if = "Vec::is_empty")]
    pub usage: Vec<(String, f64)>,
    /// Grades of the turn, one for each grader.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grades: Vec<TurnGrade>,
}

/// The grade of one turn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnGrade {
    /// Grader.
    pub grader: String,
    /// Score, 0–1.
    #[serde(with = "number::maybe", skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Why, in the judge's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was graded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submission: Option<String>,
    /// What was expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
}

/// A record as it is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RawRecord {
    /// File.
    pub file: String,
    /// Where in it.
    pub at: String,
    /// JSON text (for Parquet: the row as JSON).
    pub json: String,
    /// Bytes of the text, where it has not been brought along and `json` is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<u64>,
}

impl RawRecord {
    /// Leaves the text out, if it has more than `max` bytes.
    pub fn leave_out_over(&mut self, max: u64) {
        let n_bytes = self.json.len() as u64;
        if n_bytes > max {
            (self.json, self.left_out) = (String::new(), Some(n_bytes));
        }
    }
}
