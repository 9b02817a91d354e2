//! One sample: what its events say together.

use super::event::EvalEvent;
use crate::model::{Asked, CaseRow, CheckRow, Locator, Outcome, RunBuilder, SourceId, Verdict};

/// Names of the metrics of a run.
pub(super) struct MetricNames {
    /// Of matches; `None` where nothing was matched.
    pub of_match: Option<String>,
    /// Of metrics, in the order of their first event.
    pub own: Vec<String>,
    /// The metric that is the score of samples without a match.
    pub headline: Option<String>,
}

impl MetricNames {
    /// All of them, the telling one first.
    pub(super) fn all(&self) -> impl Iterator<Item = String> {
        self.of_match.iter().chain(self.headline.iter()).chain(&self.own).cloned()
    }
}

/// A sample.
#[derive(Debug)]
pub(super) struct OpenaiSample {
    id: String,
    is_numeric: bool,
    /// `correct` of each match.
    pub matches: Vec<Option<bool>>,
    /// Metrics, one list for each event.
    pub metrics: Vec<Vec<(String, Option<f64>)>>,
    /// Choices of a grader.
    pub choices: Vec<String>,
    error: Option<(Option<String>, Option<String>)>,
    asked: Asked,
    first_answer: Option<u64>,
    last_answer: Option<u64>,
    usage: Vec<(String, f64)>,
    /// Offset and length of the first and the last line.
    first: (u64, u64),
    last: (u64, u64),
    /// Number of the last line, and whether lines of others lie between its own.
    nth: u64,
    is_scattered: bool,
    first_event: f64,
}

impl OpenaiSample {
    /// A sample without an event.
    pub(super) fn new(id: String, is_numeric: bool) -> Self {
        Self {
            id,
            is_numeric,
            matches: Vec::new(),
            metrics: Vec::new(),
            choices: Vec::new(),
            error: None,
            asked: Asked::default(),
            first_answer: None,
            last_answer: None,
            usage: Vec::new(),
            first: (0, 0),
            last: (0, 0),
            nth: 0,
            is_scattered: false,
            first_event: f64::INFINITY,
        }
    }

    /// Adds line `nth` of the log, at `offset`.
    pub(super) fn add(
        &mut self,
        event: EvalEvent,
        event_id: Option<f64>,
        nth: u64,
        offset: u64,
        len: u64,
    ) {
        if self.first.1 == 0 {
            self.first = (offset, len);
        } else {
            self.is_scattered |= nth != self.nth.saturating_add(1);
        }
        (self.last, self.nth) = ((offset, len), nth);
        match event {
            EvalEvent::Sampling { prompt, answer, usage, .. } => {
                // The prompt of the call that came first, whatever the order of lines.
                let at = event_id.unwrap_or(f64::MAX);
                if at < self.first_event {
                    (self.asked.input, self.first_answer) = (prompt, answer);
                    self.first_event = at;
                }
                self.last_answer = answer;
                for (key, number) in usage.into_iter().flatten() {
                    match self.usage.iter_mut().find(|(known, _)| *known == key) {
                        Some((_, sum)) => *sum += number,
                        None => self.usage.push((key, number)),
                    }
                }
            }
            EvalEvent::Match { correct, expected } => {
                self.matches.push(correct);
                self.asked.expected = self.asked.expected.or(expected);
            }
            EvalEvent::Metrics { numbers, choice } => {
                self.metrics.push(numbers);
                self.choices.extend(choice);
            }
            EvalEvent::Error { kind, message } => self.error = Some((kind, message)),
            EvalEvent::Other => {}
        }
    }

    /// Its metrics by name.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &(String, Option<f64>)> {
        self.metrics.iter().flatten()
    }

    /// Adds it to a run; whether one of its numbers lies outside of 0–1.
    pub(super) fn add_to(
        &self,
        run: &mut RunBuilder,
        source: SourceId,
        names: &MetricNames,
    ) -> bool {
        let matches: Vec<f64> =
            self.matches.iter().flatten().map(|correct| f64::from(u8::from(*correct))).collect();
        let headline = || {
            let name = names.headline.as_ref()?;
            self.numbers().find(|(key, _)| key == name)?.1
        };
        let score = mean(&matches).or_else(headline);
        let passed = match self.matches.as_slice() {
            [first, rest @ ..] if rest.iter().all(|other| other == first) => *first,
            _ => None,
        };
        let is_error = self.error.is_some() && self.matches.is_empty() && self.metrics.is_empty();
        let outcome = match passed {
            _ if is_error => Outcome::Error,
            Some(passed) => Outcome::of(passed),
            None => Outcome::without_rule(score),
        };
        let (kind, message) = self.error.clone().unwrap_or_default();
        let tokens =
            |name: &str| self.usage.iter().find(|(key, _)| key == name).map(|(_, number)| *number);
        // A grader's answer comes last, the one that it grades first.
        let answer = if self.choices.is_empty() { self.last_answer } else { self.first_answer };
        let tags = self.choices.join(&crate::model::TAG_SEPARATOR.to_string());
        let row = CaseRow {
            id: Some(&self.id),
            is_numeric_id: self.is_numeric.then_some(true),
            tags: (!tags.is_empty()).then_some(tags.as_str()),
            score,
            passed,
            prompt_tokens: tokens("prompt_tokens"),
            completion_tokens: tokens("completion_tokens"),
            answer,
            error_category: is_error.then_some("sample"),
            error_type: kind.as_deref(),
            error_message: message.as_deref(),
            ..CaseRow::default()
        };
        let row = row.with_outcome(outcome).with_asked(self.asked);
        let span = |(offset, len): (u64, u64)| Locator::Span { source, offset, len };
        let end = self.last.0.saturating_add(self.last.1);
        let whole = (self.first.0, end.saturating_sub(self.first.0));
        run.case(if self.is_scattered {
            row.at(span(self.first)).joined_with(span(self.last))
        } else {
            row.at(span(whole))
        });
        let is_unit = |score: f64| (0.0..=1.0).contains(&score);
        for correct in &self.matches {
            let verdict =
                correct.map(|is_so| if is_so { Verdict::Passed } else { Verdict::Failed });
            run.check(CheckRow {
                name: names.of_match.as_deref(),
                score: correct.map(|correct| f64::from(u8::from(correct))),
                is_correct: *correct,
                verdict: verdict.map(Verdict::as_str),
                ..CheckRow::default()
            });
        }
        let mut has_any = false;
        for (name, number) in self.numbers() {
            has_any |= number.is_some_and(|number| !is_unit(number));
            run.check(CheckRow { name: Some(name), score: *number, ..CheckRow::default() });
        }
        has_any
    }
}

/// Sum over number, from left to right as the original adds; `None` of nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of events stay far below 2^53")]
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
