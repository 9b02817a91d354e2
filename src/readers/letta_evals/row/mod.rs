//! One result row of any generation: what tables need of it. [`parse()`] reads it.
//!
//! Rows 0 – C2: `SampleResult` of letta-evals 0.1 – 0.16 (from 0.2 on in `{"type": "result", "result": …}`);
//! rows D, E: `SampleResult` of 0.17 – 0.26, unwrapped. Fixtures `tests/fixtures/letta-evals/*`.

mod parse;

pub use parse::{id, parse};

use super::generation::Traits;
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
    /// Seconds in all, of the target, of extraction.
    pub secs: [Option<f64>; 3],
    /// Prompt, completion, cached input, cache write and reasoning tokens.
    pub tokens: [Option<f64>; 5],
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
    /// Where the JSON strings of that error and of its type lie in the record (guide).
    pub error: [Option<Range<usize>>; 2],
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
        let mut sums = [None::<f64>; 2];
        let read = Cursor::new(usage).each_item(|cursor| {
            cursor
                .each_field(|key, cursor| {
                    let sum = match key {
                        "prompt_tokens" => &mut sums[0],
                        "completion_tokens" => &mut sums[1],
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
            [self.tokens[0], self.tokens[1]] = sums;
        }
    }
}
