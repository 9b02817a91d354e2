//! Rows into cases and checks.

use super::super::answer::answer;
use super::super::{Context, Error};
use super::generation::{Generation, Traits};
use super::row::{self, Grade, Names, Row};
use super::rules::{Rules, SINGLE_GRADER};
use crate::input::json::Cursor;
use crate::input::{InputFile, Record, each_line};
use crate::model::{
    CaseRow, CheckRow, Locator, NoteKind, Outcome, Place, Run, RunBuilder, RunKey, SourceId,
    Verdict,
};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};

/// Where the samples of a suite lie, by whether their id is a number, and the id.
pub type Partners = HashMap<(bool, String), Locator>;

/// What several files of an evaluation have in common while they are read.
pub struct Reading<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// Suite name.
    pub suite: Option<&'a str>,
    /// Samples of the suite, when there is a suite document.
    pub partners: Option<&'a Partners>,
    /// Graders, in order.
    pub names: Names,
    /// Where notes and progress go.
    pub cx: &'a Context<'a>,
}

/// What a file of rows gave.
pub struct Rows {
    /// Runs, one per subject, in the order of first appearance; at least one row each.
    pub runs: Vec<Run>,
    /// What the file adds up to.
    pub sums: Sums,
    /// The summary that stands among the rows (0.2).
    pub summary: Option<Map<String, Value>>,
}

/// Sums by which a summary and its rows recognise each other.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sums {
    /// Rows.
    pub n_rows: u64,
    /// Attempted ones.
    pub n_attempted: u64,
    /// Sum of the primary scores.
    pub score: f64,
    /// Prompt tokens.
    pub prompt_tokens: f64,
    /// Sum and number of the rows' seconds.
    pub secs: (f64, u64),
}

/// Reads a file of lines. `split`: by model; else all rows are one subject, unless the rows name
/// several models.
///
/// # Errors
/// When the file cannot be read or the work is cancelled.
pub async fn read_lines(
    reading: &mut Reading<'_>,
    file: &InputFile,
    repeat: u32,
    split: bool,
) -> Result<Rows, Error> {
    let (rows, n_models) = read_once(reading, file, repeat, split).await?;
    if split || n_models < 2 {
        return Ok(rows);
    }
    // Only the end of the file shows that there are several: read again, knowing it. Silent, since
    // the first reading has counted the bytes and left the notes.
    let notes = crate::model::Notes::default();
    let pulse = crate::input::Pulse::silent();
    let silent = Context { notes: &notes, pulse: &pulse };
    let names = std::mem::take(&mut reading.names);
    let mut again = Reading { cx: &silent, names, ..*reading };
    let outcome = read_once(&mut again, file, repeat, true).await;
    reading.names = again.names;
    Ok(outcome?.0)
}

async fn read_once(
    reading: &mut Reading<'_>,
    file: &InputFile,
    repeat: u32,
    split: bool,
) -> Result<(Rows, usize), Error> {
    let cx = reading.cx;
    cx.pulse.set_file(&file.path);
    let mut sink = Sink::new(reading, file, repeat, split);
    let tail = each_line(
        file,
        cx.pulse,
        &mut |record| {
            sink.record(&record, 0);
            Ok(())
        },
        &mut |byte, line, err| {
            let place = Place::Line { line, byte };
            cx.notes.add(&file.path, NoteKind::Broken, place, err.to_string());
        },
    )
    .await
    .map_err(|err| Error::from(err).in_file(&file.path))?;
    if let Some((byte, line, _)) = tail.cut {
        let detail = "the last line is cut off";
        cx.notes.add(&file.path, NoteKind::Truncated, Place::Line { line, byte }, detail);
    }
    sink.finish()
}

/// Takes the rows of one file (or one list of a dump).
pub struct Sink<'r, 'a> {
    reading: &'r mut Reading<'a>,
    file: &'r InputFile,
    repeat: u32,
    split: bool,
    builders: Vec<(Option<String>, RunBuilder)>,
    models: Vec<String>,
    /// Hashes of model and id: the ids themselves would be most of the memory.
    seen: HashSet<u64>,
    hasher: RandomState,
    sums: Sums,
    summary: Option<Map<String, Value>>,
}

impl<'r, 'a> Sink<'r, 'a> {
    /// An empty one.
    pub fn new(
        reading: &'r mut Reading<'a>,
        file: &'r InputFile,
        repeat: u32,
        split: bool,
    ) -> Self {
        Self {
            reading,
            file,
            repeat,
            split,
            builders: Vec::new(),
            models: Vec::new(),
            seen: HashSet::new(),
            hasher: RandomState::new(),
            sums: Sums::default(),
            summary: None,
        }
    }

    /// Takes a record whose offset counts from `base`.
    pub fn record(&mut self, record: &Record<'_>, base: u64) {
        let offset = base + record.offset;
        let place = Place::Line { line: record.number, byte: offset };
        let note = |kind: NoteKind, place: Place, detail: String| {
            self.reading.cx.notes.add(&self.file.path, kind, place, detail);
        };
        let row = match row::parse(record.bytes, &mut self.reading.names) {
            Ok(row) => row,
            Err(err) => return note(NoteKind::Broken, place, err.to_string()),
        };
        if let Some((document, span)) = row.document {
            if document == row::Document::Summary {
                let bytes = record.bytes.get(span).unwrap_or_default();
                if let Ok(Value::Object(map)) = Cursor::new(bytes).tree() {
                    self.summary = Some(map);
                }
            }
            return;
        }
        if row.id.is_none() && row.grade.is_none() && row.grades.is_empty() && !row.has_trajectory {
            return note(NoteKind::Broken, place, "the line is no result row".to_owned());
        }
        if let Some(field) = &row.misfit {
            let detail = format!("{field} is of another type than expected and is left out");
            note(NoteKind::Broken, place.clone(), detail);
        }
        if let Some(field) = &row.unknown {
            let detail = format!("the field {field:?} is not known; it is in the raw record only");
            note(NoteKind::Unknown, place.clone(), detail);
        }
        self.row(row, record, offset, place);
    }

    fn row(&mut self, mut row: Row<'_>, record: &Record<'_>, offset: u64, place: Place) {
        let generation = self.reading.rules.generation;
        if generation < Generation::C1 {
            row.add_agent_usage(record.bytes);
        }
        let is_attempted = generation.is_attempted(&row);
        if row.grades.is_empty()
            && is_attempted
            && let Some(grade) = row.grade.clone()
        {
            let number = match &self.reading.rules.config.primary_metric {
                Some(metric) => self.reading.names.number(metric),
                None if self.reading.names.0.is_empty() => self.reading.names.number(SINGLE_GRADER),
                None => 0,
            };
            row.grades.push((number, grade));
        }
        let builder_idx = self.builder(row.model.as_deref());
        let names = &self.reading.names;
        let rules = self.reading.rules;
        let primary = rules.config.primary_metric.as_deref().unwrap_or_else(|| names.name(0));
        let score_of = |metric: Option<&str>| {
            let metric = metric.unwrap_or(primary);
            let (_, grade) = row.grades.iter().find(|(number, _)| names.name(*number) == metric)?;
            grade.score
        };
        let passed = rules
            .sample
            .as_ref()
            .filter(|_| is_attempted)
            .and_then(|rule| rule.passes(&score_of, row.reward));
        let outcome = match (is_attempted, passed) {
            (false, _) => Outcome::Error,
            (true, Some(true)) => Outcome::Passed,
            (true, Some(false)) => Outcome::Failed,
            (true, None) => Outcome::Unscored,
        };
        let line = format!("line {}", record.number);
        let id = row.id.as_deref().unwrap_or(&line);
        if row.id.is_none() {
            let detail = "a row has no id; its line number stands for it";
            self.reading.cx.notes.add(&self.file.path, NoteKind::Assumed, place.clone(), detail);
        }
        let hash = self.hasher.hash_one((row.model.as_deref(), row.is_numeric_id, id));
        if !self.seen.insert(hash) {
            let detail = "a sample has more than one row of the same model and run";
            self.reading.cx.notes.add(&self.file.path, NoteKind::Duplicate, place.clone(), detail);
        }
        let score = score_of(None);
        self.sums.add(&row, is_attempted, score);
        let message = error_text(&row, record.bytes, outcome);
        let error = row.error.as_ref();
        let mut case = CaseRow {
            id: Some(id),
            is_numeric_id: Some(row.is_numeric_id),
            score,
            passed,
            is_attempted: Some(is_attempted),
            duration_secs: row.secs[0],
            target_secs: row.secs[1],
            extraction_secs: row.secs[2],
            prompt_tokens: row.tokens[0],
            completion_tokens: row.tokens[1],
            cached_input_tokens: row.tokens[2],
            cache_write_tokens: row.tokens[3],
            reasoning_tokens: row.tokens[4],
            cost_usd: row.cost,
            reward: row.reward,
            answer: row.submission.clone().and_then(|span| answer(record.bytes.get(span)?)),
            error_category: error.and_then(|error| error.category.as_deref()),
            error_type: error.and_then(|error| error.exception.as_deref()),
            error_message: message.as_deref(),
            ..CaseRow::default()
        }
        .with_outcome(outcome)
        .at(Locator::Span { source: self.file.id, offset, len: record.bytes.len() as u64 });
        let mut partner = None;
        if let Some(partners) = self.reading.partners {
            partner = partners.get(&(row.is_numeric_id, id.to_owned())).copied();
            match partner {
                Some(locator) => case = case.joined_with(locator),
                None => {
                    let detail = format!("the suite has no sample {id:?}");
                    let notes = self.reading.cx.notes;
                    notes.add(&self.file.path, NoteKind::MissingPartner, place, detail);
                }
            }
        }
        let Some((_, builder)) = self.builders.get_mut(builder_idx) else { return };
        if let Some(locator) = partner {
            builder.source(locator.source());
        }
        builder.case(case);
        for (number, grade) in &row.grades {
            let secs = row.grader_secs.iter().find(|(other, _)| other == number);
            let name = names.name(*number);
            builder.check(check(rules, name, grade, secs.map(|(_, secs)| *secs), |span| {
                (self.file.id, offset + span.0, span.1)
            }));
        }
    }

    /// The builder for rows of `model`.
    fn builder(&mut self, model: Option<&str>) -> usize {
        if let Some(model) = model
            && !self.models.iter().any(|known| known == model)
        {
            self.models.push(model.to_owned());
        }
        let model = model.filter(|_| self.split);
        let found = self.builders.iter().position(|(known, _)| known.as_deref() == model);
        found.unwrap_or_else(|| {
            let key = RunKey {
                suite: self.reading.suite.map(str::to_owned),
                variant: None,
                subject: model.map(str::to_owned),
                repeat: self.repeat,
                path: self.file.path.clone(),
            };
            let mut builder = RunBuilder::new(key, "");
            builder.source(self.file.id);
            self.builders.push((model.map(str::to_owned), builder));
            self.builders.len() - 1
        })
    }

    /// The runs, and how many models the rows name.
    ///
    /// # Errors
    /// When the columns cannot be made.
    pub fn finish(self) -> Result<(Rows, usize), Error> {
        let only = (!self.split && self.models.len() == 1).then(|| self.models.first().cloned());
        let mut runs = Vec::new();
        for (_, builder) in self.builders {
            let mut run = builder.finish();
            if let Some(model) = only.clone().flatten() {
                run.key.subject = Some(model);
            }
            runs.push(run);
        }
        Ok((Rows { runs, sums: self.sums, summary: self.summary }, self.models.len()))
    }
}

impl Sums {
    fn add(&mut self, row: &Row<'_>, is_attempted: bool, score: Option<f64>) {
        self.n_rows += 1;
        self.n_attempted += u64::from(is_attempted);
        self.score += score.unwrap_or(0.0);
        self.prompt_tokens += row.tokens[0].unwrap_or(0.0);
        if let Some(secs) = row.secs[0] {
            self.secs.0 += secs;
            self.secs.1 += 1;
        }
    }
}

fn check<'n>(
    rules: &Rules,
    name: &'n str,
    grade: &Grade,
    secs: Option<f64>,
    place: impl Fn((u64, u64)) -> (SourceId, u64, u64),
) -> CheckRow<'n> {
    let is_judged = rules.judged_metric.as_deref().is_none_or(|metric| metric == name);
    let is_correct = rules
        .config
        .pass_rule
        .filter(|_| is_judged && !grade.has_error)
        .and_then(|rule| Some(rule.op.holds(grade.score?, rule.value)));
    let verdict = match (grade.has_error, is_correct) {
        (true, _) => Some(Verdict::Error),
        (false, Some(true)) => Some(Verdict::Passed),
        (false, Some(false)) => Some(Verdict::Failed),
        (false, None) => None,
    };
    let mut check = CheckRow {
        attempt: Some(1),
        name: Some(name),
        score: grade.score,
        is_correct,
        verdict: verdict.map(Verdict::as_str),
        duration_secs: secs,
        ..CheckRow::default()
    };
    if let Some(span) = &grade.rationale {
        let (source, offset, len) = place((span.start as u64, span.len() as u64));
        check = check.reasoned_at(source, offset, len);
    }
    check
}

/// The message of a row's error: stated, or (up to 0.10) the rationale of its grade.
fn error_text(row: &Row<'_>, bytes: &[u8], outcome: Outcome) -> Option<String> {
    if let Some(error) = &row.error {
        return error.message.as_deref().map(str::to_owned);
    }
    if outcome != Outcome::Error {
        return None;
    }
    let span = row.grade.as_ref()?.rationale.clone()?;
    Cursor::new(bytes.get(span)?).text().ok()?.map(|text| text.into_owned())
}

/// What the first row of a file (or list) tells about its generation, without the rest.
pub fn peek(bytes: &[u8]) -> Option<Traits> {
    let row = row::parse(bytes, &mut Names::default()).ok()?;
    row.document.is_none().then_some(row.traits)
}
