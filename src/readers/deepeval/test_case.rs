//! One test case or conversation, without its long texts.

use crate::input::json::Cursor;
use crate::input::{Error, ErrorKind, InputFile, Record};
use crate::model::{
    Asked, CaseRow, CheckRow, Locator, Outcome, RunBuilder, TAG_SEPARATOR, Verdict,
};
use crate::readers::answer_hash::{answer, mixed};
use crate::readers::asked_hash::asked;

/// Spans of a trace, in the order in which DeepEval counts the scores of their metrics.
pub(super) const SPANS: [&str; 5] =
    ["agentSpans", "toolSpans", "retrieverSpans", "llmSpans", "baseSpans"];

/// What figures need of a test case.
#[derive(Debug, Default)]
pub(super) struct TestCase {
    name: String,
    /// What the file says; `None`: null, or nothing.
    pub success: Option<bool>,
    /// `metricsData`; `None` when there is no such list.
    pub metrics: Option<Vec<Metric>>,
    /// Metrics of the spans of its trace, by kind of span.
    spans: [Vec<Metric>; 5],
    /// Metrics of the turns of a conversation (before 3.1).
    of_turns: Vec<Metric>,
    /// Verdicts that decide the case beside those: of the trace as a whole, of expectations, of turns.
    others: Vec<bool>,
    run_duration: Option<f64>,
    completion_time: Option<f64>,
    /// `evaluationCost` in US dollars.
    pub cost: Option<f64>,
    prompt_tokens: Option<f64>,
    completion_tokens: Option<f64>,
    tags: Vec<String>,
    asked: Asked,
    answer: Option<u64>,
    turns: Option<u64>,
    offset: u64,
    len: u64,
}

/// The result of one metric.
#[derive(Debug, Default)]
pub(super) struct Metric {
    pub name: String,
    pub score: Option<f64>,
    pub success: Option<bool>,
    pub is_flaky: bool,
    /// `evaluationCost` in US dollars.
    pub cost: Option<f64>,
    /// Text of the error, when the metric raised one.
    error: Option<String>,
    /// Offset and length of the JSON string of the reason, else of the error.
    reason: Option<(u64, u64)>,
}

impl TestCase {
    /// Reads an element.
    ///
    /// # Errors
    /// When it is not JSON, or not an object with a name.
    pub(super) fn read(record: Record<'_>) -> Result<Self, Error> {
        let base = record.offset;
        let mut case = Self { offset: base, len: record.bytes.len() as u64, ..Self::default() };
        let mut name = None;
        let is_object = Cursor::new(record.bytes).each_field(|key, cursor| {
            match key {
                "name" => name = cursor.text()?.map(std::borrow::Cow::into_owned),
                "success" => case.success = cursor.bool()?,
                "metricsData" => case.metrics = metrics(cursor, base)?,
                "trace" => case.read_trace(cursor, base)?,
                "expectationsData" => {
                    cursor.each_field(|key, cursor| {
                        match key {
                            "success" => case.others.extend(cursor.bool()?),
                            _ => skip(cursor)?,
                        }
                        Ok(())
                    })?;
                }
                "runDuration" => case.run_duration = cursor.number()?,
                "completionTime" => case.completion_time = cursor.number()?,
                "evaluationCost" => case.cost = cursor.number()?,
                "inputTokenCount" => case.prompt_tokens = cursor.number()?,
                "outputTokenCount" => case.completion_tokens = cursor.number()?,
                "flaky" => {
                    if cursor.bool()? == Some(true) {
                        case.tags.push("flaky".to_owned());
                    }
                }
                "tags" => {
                    cursor.each_item(|cursor| {
                        case.tags.extend(cursor.text()?.map(std::borrow::Cow::into_owned));
                        Ok(())
                    })?;
                }
                "input" | "scenario" | "multimodalInput" => {
                    case.asked.input = hash(cursor, asked)?.or(case.asked.input);
                }
                "expectedOutput" | "expectedOutcome" => {
                    case.asked.expected = hash(cursor, asked)?;
                }
                "actualOutput" | "multimodalActualOutput" => {
                    case.answer = hash(cursor, answer)?.or(case.answer);
                }
                "turns" => case.turns = hash(cursor, answer)?,
                // Before 3.1: turns are test cases, and one that fails fails the conversation.
                "testCases" => case.read_turns(cursor, base)?,
                _ => skip(cursor)?,
            }
            Ok(())
        })?;
        if !is_object {
            return Err(Error::new(ErrorKind::Format("a test case is not an object"), 0));
        }
        case.name =
            name.ok_or_else(|| Error::new(ErrorKind::Format("a test case has no name"), 0))?;
        case.answer = case.answer.or(case.turns);
        Ok(case)
    }

    fn read_trace(&mut self, cursor: &mut Cursor<'_>, base: u64) -> Result<(), Error> {
        cursor.each_field(|key, cursor| {
            if key == "metricsData" {
                let of_trace = metrics(cursor, base)?.unwrap_or_default();
                let counted = of_trace.iter().filter(|metric| !metric.is_flaky);
                self.others.extend(counted.filter_map(|metric| metric.success));
                return Ok(());
            }
            let kind = SPANS.iter().position(|name| *name == key);
            let Some(spans) = kind.and_then(|kind| self.spans.get_mut(kind)) else {
                return cursor.skip().map(drop);
            };
            cursor.each_item(|cursor| {
                cursor.each_field(|key, cursor| {
                    match key {
                        "metricsData" => spans.extend(metrics(cursor, base)?.unwrap_or_default()),
                        _ => skip(cursor)?,
                    }
                    Ok(())
                })?;
                Ok(())
            })?;
            Ok(())
        })?;
        Ok(())
    }

    fn read_turns(&mut self, cursor: &mut Cursor<'_>, base: u64) -> Result<(), Error> {
        let mut hashes = Vec::new();
        cursor.each_item(|cursor| {
            cursor.each_field(|key, cursor| {
                match key {
                    "success" => self.others.extend(cursor.bool()?),
                    "metricsData" => {
                        self.of_turns.extend(metrics(cursor, base)?.unwrap_or_default());
                    }
                    "input" | "actualOutput" => hashes.extend(hash(cursor, answer)?),
                    _ => skip(cursor)?,
                }
                Ok(())
            })?;
            Ok(())
        })?;
        self.turns = hashes.into_iter().reduce(|all, one| mixed(all ^ one));
        Ok(())
    }

    /// The metrics that the run's totals count: its own, then those of the spans, of turns. Without a list of its own none
    /// does, as in the original.
    pub(super) fn all_metrics(&self) -> impl Iterator<Item = &Metric> {
        let spans = self.spans.iter().flatten().filter(|_| self.metrics.is_some());
        self.metrics.iter().flatten().chain(spans).chain(&self.of_turns)
    }

    /// Whether it passes by its metrics: it is so until one fails that is not marked flaky.
    pub(super) fn is_passed(&self) -> bool {
        let all = self.metrics.iter().flatten().chain(self.spans.iter().flatten());
        let mut counted = all.filter(|metric| !metric.is_flaky);
        counted.all(|metric| metric.success != Some(false))
            && self.others.iter().all(|is_so| *is_so)
    }

    /// Sum of what its metrics cost; `None` where none says.
    pub(super) fn cost_of_metrics(&self) -> Option<f64> {
        sum(self.metrics.iter().flatten().map(|metric| metric.cost))
    }

    /// Whether more than its own metrics may have cost something.
    pub(super) fn has_trace(&self) -> bool {
        !self.others.is_empty()
            || !self.of_turns.is_empty()
            || self.spans.iter().any(|spans| !spans.is_empty())
    }

    /// Adds it to the run of `file`.
    pub(super) fn add_to(&self, run: &mut RunBuilder, file: &InputFile) {
        let errors: Vec<String> = self.all_metrics().filter_map(Metric::error_line).collect();
        let has_score = self.all_metrics().any(|metric| metric.score.is_some());
        let outcome = match self.success {
            Some(is_passed) => Outcome::of(is_passed),
            None if has_score => Outcome::Scored,
            None => Outcome::Unscored,
        };
        let errors = errors.join("\n");
        let tags = self.tags.join(&TAG_SEPARATOR.to_string());
        let row = CaseRow {
            id: Some(&self.name),
            tags: (!tags.is_empty()).then_some(tags.as_str()),
            passed: self.success,
            // With it figures by metric count verdicts, as the tool's own do.
            n_attempts: Some(1),
            duration_secs: self.run_duration,
            target_secs: self.completion_time,
            cost_usd: self.cost,
            prompt_tokens: self.prompt_tokens,
            completion_tokens: self.completion_tokens,
            answer: self.answer,
            error_message: (!errors.is_empty()).then_some(errors.as_str()),
            ..CaseRow::default()
        };
        run.case(row.with_outcome(outcome).with_asked(self.asked).at(Locator::Span {
            source: file.id,
            offset: self.offset,
            len: self.len,
        }));
        for metric in self.all_metrics() {
            let verdict = match metric.success {
                _ if metric.error.is_some() => Some(Verdict::Error),
                Some(true) => Some(Verdict::Passed),
                Some(false) => Some(Verdict::Failed),
                None => None,
            };
            let check = CheckRow {
                attempt: Some(1),
                name: Some(&metric.name),
                score: metric.score,
                is_correct: metric.success,
                verdict: verdict.map(Verdict::as_str),
                ..CheckRow::default()
            };
            run.check(match metric.reason {
                Some((offset, len)) => check.reasoned_at(file.id, offset, len),
                None => check,
            });
        }
    }
}

impl Metric {
    fn error_line(&self) -> Option<String> {
        self.error.as_ref().map(|error| format!("{}: {error}", self.name))
    }
}

/// Sum of the numbers that are there, in order; `None` of none.
pub(super) fn sum(numbers: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    numbers.flatten().reduce(|sum, one| sum + one)
}

/// The metrics of the list that comes next; `None` when no list does.
fn metrics(cursor: &mut Cursor<'_>, base: u64) -> Result<Option<Vec<Metric>>, Error> {
    let mut metrics = Vec::new();
    let is_list = cursor.each_item(|cursor| {
        metrics.push(metric(cursor, base)?);
        Ok(())
    })?;
    Ok(is_list.then_some(metrics))
}

fn metric(cursor: &mut Cursor<'_>, base: u64) -> Result<Metric, Error> {
    let mut metric = Metric::default();
    let mut error = None;
    cursor.each_field(|key, cursor| {
        match key {
            "name" => metric.name = cursor.text()?.unwrap_or_default().into_owned(),
            "score" => metric.score = cursor.number()?,
            "success" => metric.success = cursor.bool()?,
            "flaky" => metric.is_flaky = cursor.bool()? == Some(true),
            "evaluationCost" => metric.cost = cursor.number()?,
            "reason" => metric.reason = text_at(cursor, base)?.map(|(place, _)| place),
            "error" => error = text_at(cursor, base)?,
            _ => skip(cursor)?,
        }
        Ok(())
    })?;
    if let Some((place, text)) = error {
        metric.error = Some(text);
        metric.reason = metric.reason.or(Some(place));
    }
    Ok(metric)
}

/// Offset and length of a JSON string, and what it says.
type PlacedText = ((u64, u64), String);

/// Where a text lies, and the text; `None` where there is none or it is empty.
fn text_at(cursor: &mut Cursor<'_>, base: u64) -> Result<Option<PlacedText>, Error> {
    let span = cursor.skip()?;
    let bytes = cursor.slice(span.clone());
    let text = Cursor::new(bytes).text()?.filter(|text| !text.is_empty());
    let place = (base.saturating_add(span.start as u64), span.len() as u64);
    Ok(text.map(|text| (place, text.into_owned())))
}

fn hash(cursor: &mut Cursor<'_>, of: impl Fn(&[u8]) -> Option<u64>) -> Result<Option<u64>, Error> {
    let span = cursor.skip()?;
    Ok(of(cursor.slice(span)))
}

fn skip(cursor: &mut Cursor<'_>) -> Result<(), Error> {
    cursor.skip().map(|_| ())
}
