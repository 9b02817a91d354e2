//! One result row of any generation: what tables need of it. [`parse()`] reads it.
//!
//! Rows 0 – C2: `SampleResult` of letta-evals 0.1 – 0.16 (from 0.2 on in `{"type": "result", "result": …}`);
//! rows D, E: `SampleResult` of 0.17 – 0.26, unwrapped. Fixtures `tests/fixtures/letta-evals/*`.

mod parse;

pub use parse::{id, parse};

use super::judging::generation::Traits;
use crate::input::json::Cursor;
use crate::model::Asked;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;

/// What a row says, as far as tables need it.
#[derive(Debug, Default)]
pub struct LettaRow<'a> {
    /// `sample.id` or `sample_id`.
    pub id: Option<Cow<'a, str>>,
    /// Whether the id is written as a number.
    pub is_numeric_id: bool,
    /// What `sample` asks.
    pub asked: Asked,
    /// `model_name` or `model_handle`.
    pub model: Option<Cow<'a, str>>,
    /// `agent_id` is not null.
    pub has_agent: bool,
    /// `trajectory` has an element.
    pub has_trajectory: bool,
    /// `grade`: of the gate's metric (0 – B) or the first grader (C).
    pub grade: Option<Grade>,
    /// `grades`: number of the grader in [`GraderNames`], grade.
    pub grades: Vec<(usize, Grade)>,
    /// `per_grader_time` or `timing.per_grader`.
    pub grader_secs: Vec<(usize, f64)>,
    /// Where `submission` (0 – C) or else `submissions` lies in the record.
    pub submission: Option<Range<usize>>,
    /// `reward.score`.
    pub reward: Option<f64>,
    /// `error`.
    pub error: Option<StatedError<'a>>,
    /// How long it took.
    pub secs: RowSecs,
    /// Tokens used.
    pub tokens: RowTokens,
    /// Dollars.
    pub cost: Option<f64>,
    /// Where `agent_usage` lies in the record.
    pub agent_usage: Option<Range<usize>>,
    /// What tells the generation.
    pub traits: Traits,
    /// A header or summary that stands among the rows (generation A).
    pub document: Option<(NonRowLine, Range<usize>)>,
    /// First member whose type is not what the format says.
    pub misfit: Option<String>,
    /// First member that no known release writes.
    pub unknown: Option<String>,
}

/// Seconds that a row states.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowSecs {
    /// In all.
    pub total: Option<f64>,
    /// Of the target.
    pub target: Option<f64>,
    /// Of extraction.
    pub extraction: Option<f64>,
}

/// Tokens that a row states.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowTokens {
    /// Of the prompt.
    pub prompt: Option<f64>,
    /// Of the completion.
    pub completion: Option<f64>,
    /// Of the prompt, read from a cache.
    pub cached_input: Option<f64>,
    /// Written to a cache.
    pub cache_write: Option<f64>,
    /// Of the completion, spent on reasoning.
    pub reasoning: Option<f64>,
}

/// A line that is not a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NonRowLine {
    /// `{"type": "header", …}`
    Header,
    /// `{"type": "summary", …}`
    Summary,
}

/// A grade.
#[derive(Debug, Clone, Default)]
pub struct Grade {
    /// Score; `None` when null: the grader gave NaN.
    pub score: Option<f64>,
    /// Where the JSON string of the rationale lies in the record.
    pub rationale: Option<Range<usize>>,
    /// The rationale says that the submission was empty.
    pub says_empty_submission: bool,
    /// The metadata carry an error.
    pub has_error: bool,
    /// Where the JSON string of that error lies in the record (guide).
    pub error: Option<Range<usize>>,
    /// Where that of its type lies.
    pub error_type: Option<Range<usize>>,
}

/// An error that a row states.
#[derive(Debug, Clone, Default)]
pub struct StatedError<'a> {
    /// `target`, `extraction`, `grading`, `reward`, `unknown`.
    pub category: Option<Cow<'a, str>>,
    /// Type of the exception.
    pub exception: Option<Cow<'a, str>>,
    /// Message.
    pub message: Option<Cow<'a, str>>,
}

/// Names of graders, numbered in the order in which they appear.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraderNames(pub Vec<String>);

impl GraderNames {
    /// The number of `name`.
    pub fn number(&mut self, name: &str) -> usize {
        self.0.iter().position(|known| known == name).unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        })
    }

    /// The name with `number`.
    pub fn name(&self, number: usize) -> &str {
        self.0.get(number).map_or("", String::as_str)
    }
}

impl LettaRow<'_> {
    /// Remembers that the member `key` has another type than the format says.
    fn expect(&mut self, is_right: bool, key: &str) {
        if !is_right {
            self.misfit.get_or_insert_with(|| key.to_owned());
        }
    }

    /// Whether its grade carries an error, as the guide writes failed samples.
    pub fn is_error_in_grade(&self) -> bool {
        self.grade.as_ref().is_some_and(|grade| grade.has_error)
    }

    /// Whether some score lies outside 0–1, where letta-evals has all of them.
    pub fn is_out_of_range(&self) -> bool {
        let all = self.grades.iter().map(|(_, grade)| grade).chain(&self.grade);
        all.filter_map(|grade| grade.score).any(|score| !(0.0..=1.0).contains(&score))
    }

    /// Tokens of `agent_usage`, for generations whose rows have none: the sum over its records.
    pub fn add_agent_usage(&mut self, bytes: &[u8]) {
        let Some(usage) = self.agent_usage.clone().and_then(|span| bytes.get(span)) else { return };
        let (mut prompt, mut completion) = (None::<f64>, None::<f64>);
        let read = Cursor::new(usage).each_item(|cursor| {
            cursor
                .each_field(|key, cursor| {
                    let sum = match key {
                        "prompt_tokens" => &mut prompt,
                        "completion_tokens" => &mut completion,
                        _ => return cursor.skip().map(drop),
                    };
                    if let Some(n_tokens) = cursor.number()? {
                        *sum = Some(sum.unwrap_or(0.0) + n_tokens);
                    }
                    Ok(())
                })
                .map(drop)
        });
        if read.is_ok() {
            (self.tokens.prompt, self.tokens.completion) = (prompt, completion);
        }
    }
}
