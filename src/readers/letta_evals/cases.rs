//! Rows into cases and checks.

use super::super::answer::answer;
use super::super::{Context, Error};
use super::generation::{Generation, Traits};
use super::judged::{GradeError, check, error_text};
use super::partners::Partners;
use super::row::{self, Grade, Names, Row};
use super::rules::{Rules, SINGLE_GRADER};
use super::seen::Seen;
use super::stretch::Trace;
use super::sums::Sums;
use crate::input::json::Cursor;
use crate::input::{self, InputFile, Record};
use crate::model::{CaseRow, CheckRow, Locator, NoteKind, Outcome, Place, Run, RunBuilder, RunKey};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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

/// Said of a sample that comes again.
pub const AGAIN: &str = "a sample has more than one row of the same model and run";

/// Said of a row whose sample the suite does not have.
pub fn no_sample(id: &str) -> String {
    format!("the suite has no sample {id:?}")
}

/// How the rows of a file are told apart into runs that were appended one after the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Appended {
    /// Number of the row (0-based) with which the last run begins, where that is known.
    pub last_from: Option<u64>,
}

/// How often samples come again in a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    /// Rows of a sample that had one before.
    pub n_rows: u64,
    /// Rows from the first of them on.
    pub n_since: u64,
    /// Samples.
    pub n_samples: u64,
}

impl Again {
    /// Counts a row; whether its sample had one before.
    pub fn count(&mut self, is_again: bool) {
        self.n_rows += u64::from(is_again);
        self.n_since += u64::from(self.n_rows > 0);
    }
}

/// What a file of rows gave.
pub struct Rows {
    /// Runs before the last one, that was appended to them.
    pub earlier: Vec<(Vec<Run>, Sums)>,
    /// How often samples come again in a run.
    pub again: Again,
    /// Runs, one per subject, in the order of first appearance; at least one row each.
    pub runs: Vec<Run>,
    /// What the file adds up to.
    pub sums: Sums,
    /// The summary that stands among the rows (0.2).
    pub summary: Option<Map<String, Value>>,
}

/// How the places of records are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Places {
    /// By line.
    Lines,
    /// By index in the list of this name; empty: the file is the list.
    Elements(&'static str),
}

impl Places {
    /// The place of record `number`, which begins at `byte`.
    pub fn of(self, number: u64, byte: u64) -> Place {
        match self {
            Self::Lines => Place::Line { line: number, byte },
            Self::Elements(list) => Place::Field(format!("{list}[{number}], byte {byte}")),
        }
    }

    /// What stands for the id of record `number` that has none.
    pub fn id(self, number: u64) -> String {
        match self {
            Self::Lines => format!("line {number}"),
            Self::Elements(_) => format!("element {number}"),
        }
    }
}

/// Takes the rows of one file (or one list of a dump).
pub struct Sink<'r, 'a> {
    reading: &'r mut Reading<'a>,
    file: &'r InputFile,
    /// How its records lie.
    pub places: Places,
    repeat: u32,
    split: bool,
    /// How appended runs are told apart; `None`: all rows are one run.
    pub appended: Option<Appended>,
    /// Sums of the runs before.
    before: Vec<Sums>,
    again: Again,
    n_taken: u64,
    builders: Vec<(Option<String>, RunBuilder)>,
    /// Of each builder, how many runs stand before its own.
    builder_runs: Vec<usize>,
    models: Vec<String>,
    seen: Seen,
    /// Whether a row names no model.
    has_nameless: bool,
    sums: Sums,
    summary: Option<Map<String, Value>>,
    /// Kept where the rows are a stretch of a file. Which samples come again, and where the partners of
    /// all lie, is then found out by whoever puts it behind another.
    pub trace: Option<Trace>,
}

/// Where a [`Sink`] stands, without its rows: those it had taken are the first ones of its runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Whether rows are told apart by model.
    pub split: bool,
    pub(super) models: Vec<String>,
    pub(super) has_nameless: bool,
    /// By run, how many cases it had.
    pub(super) n_cases: Vec<usize>,
    pub(super) again: Again,
    pub(super) sums: Sums,
    pub(super) summary: Option<Map<String, Value>>,
}

impl Standing {
    /// Whether the runs tell the model of every row, as what a row is recognised by when it comes
    /// again: not where one run has rows with a model and rows without.
    pub fn tells_models(&self) -> bool {
        self.split || self.models.is_empty() || (self.models.len() == 1 && !self.has_nameless)
    }
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
            places: Places::Lines,
            repeat,
            split,
            appended: None,
            before: Vec::new(),
            again: Again::default(),
            n_taken: 0,
            builders: Vec::new(),
            builder_runs: Vec::new(),
            models: Vec::new(),
            seen: Seen::default(),
            has_nameless: false,
            sums: Sums::default(),
            summary: None,
            trace: None,
        }
    }

    /// One that goes on where another stood when it had taken the first rows of `runs`.
    pub fn resumed(
        reading: &'r mut Reading<'a>,
        file: &'r InputFile,
        repeat: u32,
        standing: &Standing,
        runs: &[Run],
    ) -> Self {
        let mut sink = Self::new(reading, file, repeat, standing.split);
        for (run, n_cases) in runs.iter().zip(&standing.n_cases) {
            // A run that was not split got its subject at the end of the file, maybe from a later row.
            let only =
                if standing.split { &run.key.subject } else { &standing.models.first().cloned() };
            let model = only.as_deref();
            let builder_idx = sink.builder(model);
            for idx in 0..*n_cases {
                sink.take_again(run, idx, model, builder_idx);
            }
        }
        let Standing { models, has_nameless, sums, summary, again, .. } = standing.clone();
        Self { models, has_nameless, sums, summary, again, ..sink }
    }

    /// Takes case `idx` of `run` once more, which was read from the file as it was then.
    fn take_again(&mut self, run: &Run, idx: usize, model: Option<&str>, builder_idx: usize) {
        let row = run.cases.row(idx);
        let (is_numeric, id) = (row.is_numeric_id == Some(true), row.id.unwrap_or_default());
        self.seen.insert(model, is_numeric, id);
        let partner = self.reading.partners.and_then(|known| known.get(is_numeric, id));
        let mut case = CaseRow { source: Some(self.file.id.0), ..row };
        let Some((_, builder)) = self.builders.get_mut(builder_idx) else { return };
        if let Some(locator) = partner {
            case = case.joined_with(locator);
            builder.source(locator.source());
        }
        builder.case(case);
        for at in run.checks_of(idx) {
            let check = run.checks.row(at);
            let reason_source = check.reason_source.map(|_| self.file.id.0);
            builder.check(CheckRow { reason_source, ..check });
        }
    }

    /// Where it stands.
    pub fn standing(&self) -> Standing {
        Standing {
            split: self.split,
            models: self.models.clone(),
            has_nameless: self.has_nameless,
            n_cases: self.builders.iter().map(|(_, builder)| builder.n_cases()).collect(),
            again: self.again,
            sums: self.sums,
            summary: self.summary.clone(),
        }
    }

    /// Graders so far.
    pub fn names(&self) -> &Names {
        &self.reading.names
    }

    /// Takes a record whose offset counts from `base`; one that is broken is noted.
    pub fn record(&mut self, record: &Record<'_>, base: u64) {
        if let Err(err) = self.try_record(record, base) {
            let place = self.places.of(record.number, base + record.offset);
            let notes = self.reading.cx.notes;
            notes.add(&self.file.path, NoteKind::Broken, place, err.to_string());
        }
    }

    /// Takes a record whose offset counts from `base`.
    ///
    /// # Errors
    /// When it is not JSON; then nothing of it is kept.
    pub fn try_record(&mut self, record: &Record<'_>, base: u64) -> Result<(), input::Error> {
        let offset = base + record.offset;
        let place = self.places.of(record.number, offset);
        let note = |kind: NoteKind, place: Place, detail: String| {
            self.reading.cx.notes.add(&self.file.path, kind, place, detail);
        };
        let row = row::parse(record.bytes, &mut self.reading.names)?;
        if let Some((document, span)) = row.document {
            if document == row::Document::Summary {
                let bytes = record.bytes.get(span).unwrap_or_default();
                if let Ok(Value::Object(map)) = Cursor::new(bytes).tree() {
                    self.summary = Some(map);
                }
            }
            return Ok(());
        }
        if row.id.is_none() && row.grade.is_none() && row.grades.is_empty() && !row.has_trajectory {
            note(NoteKind::Broken, place, "the line is no result row".to_owned());
            return Ok(());
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
        Ok(())
    }

    fn row(&mut self, mut row: Row<'_>, record: &Record<'_>, offset: u64, place: Place) {
        let generation = self.reading.rules.generation;
        if generation < Generation::C1 {
            row.add_agent_usage(record.bytes);
        }
        let is_guide = generation == Generation::Guide;
        let has_error = is_guide && row.is_error_in_grade();
        let is_attempted =
            generation.is_attempted(&row) || (has_error && self.reading.rules.counts_errors);
        let own_score = is_guide.then(|| self.own_score(&row, &place));
        if row.grades.is_empty()
            && is_attempted
            && let Some(grade) = row.grade.clone()
        {
            let number = match &self.reading.rules.grade_metric {
                Some(metric) => self.reading.names.number(metric),
                None if self.reading.names.0.is_empty() => self.reading.names.number(SINGLE_GRADER),
                None => 0,
            };
            row.grades.push((number, grade));
        }
        let stand_in = row.id.is_none().then(|| self.places.id(record.number));
        let id = row.id.as_deref().or(stand_in.as_deref()).unwrap_or_default();
        if row.id.is_none() {
            let detail = "a row has no id; its place in the file stands for it";
            self.reading.cx.notes.add(&self.file.path, NoteKind::Assumed, place.clone(), detail);
        }
        let is_again = match &mut self.trace {
            Some(trace) => {
                trace.row(record.number, row.id.is_some(), self.reading.cx.notes);
                false
            }
            None => self.is_again(row.model.as_deref(), row.is_numeric_id, id),
        };
        let builder_idx = self.builder(row.model.as_deref());
        let names = &self.reading.names;
        let rules = self.reading.rules;
        let primary = rules.config.primary_metric.as_deref().unwrap_or_else(|| names.name(0));
        let score_of = |metric: Option<&str>| {
            if let (Some(own), None) = (own_score, metric) {
                return own;
            }
            let metric = metric.unwrap_or(primary);
            let (_, grade) = row.grades.iter().find(|(number, _)| names.name(*number) == metric)?;
            grade.score
        };
        let passed = rules
            .sample
            .as_ref()
            .filter(|_| is_attempted && !has_error)
            .and_then(|rule| rule.passes(&score_of, row.reward));
        let score = score_of(None);
        let outcome = match (is_attempted && !has_error, passed) {
            (false, _) => Outcome::Error,
            (true, Some(true)) => Outcome::Passed,
            (true, Some(false)) => Outcome::Failed,
            (true, None) => Outcome::without_rule(score),
        };
        if is_again {
            self.reading.cx.notes.add(&self.file.path, NoteKind::Duplicate, place.clone(), AGAIN);
        }
        self.sums.add(&row, is_attempted, score);
        if row.is_out_of_range() {
            let detail = "a score lies outside 0–1, the range of letta-evals";
            self.reading.cx.notes.add(&self.file.path, NoteKind::Mismatch, place.clone(), detail);
        }
        let in_grade = row.grade.as_ref().filter(|_| has_error);
        let in_grade = in_grade.map(|grade| GradeError::new(grade, record.bytes));
        let (mut message, mut category, mut exception) = match in_grade {
            Some(found) => (Some(found.message), found.category, found.exception),
            None => (error_text(&row, record.bytes, outcome), None, None),
        };
        if let Some(error) = &row.error {
            message = error.message.as_deref().map(str::to_owned);
            category = error.category.as_deref().map(str::to_owned);
            exception = error.exception.as_deref().map(str::to_owned);
        }
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
            error_category: category.as_deref(),
            error_type: exception.as_deref(),
            error_message: message.as_deref(),
            ..CaseRow::default()
        }
        .with_outcome(outcome)
        .at(Locator::Span { source: self.file.id, offset, len: record.bytes.len() as u64 });
        let mut partner = None;
        if let Some(trace) = &mut self.trace {
            trace.step(self.reading.cx.notes);
        }
        if let Some(partners) = self.reading.partners {
            partner = partners.get(row.is_numeric_id, id);
            match partner {
                Some(locator) => case = case.joined_with(locator),
                None => {
                    let detail = no_sample(id);
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

    /// The score of a sample as the guide has it: of its `grade`; without one of the gate's grader, or
    /// of the only one.
    fn own_score(&self, row: &Row<'_>, place: &Place) -> Option<f64> {
        if let Some(grade) = &row.grade {
            return grade.score;
        }
        let names = &self.reading.names;
        let wanted =
            self.reading.rules.config.gate.as_ref().and(self.reading.rules.grade_metric.as_deref());
        let of_gate = |(number, _): &&(usize, Grade)| Some(names.name(*number)) == wanted;
        match (row.grades.iter().find(of_gate), row.grades.as_slice()) {
            (Some((_, grade)), _) | (None, [(_, grade)]) => grade.score,
            (None, []) => None,
            (None, _) => {
                let detail = "a sample has several grades and no score of its own, and no gate says \
                    which counts: its score stays unknown";
                self.reading.cx.notes.add(
                    &self.file.path,
                    NoteKind::Assumed,
                    place.clone(),
                    detail,
                );
                None
            }
        }
    }

    /// Whether the run has a row of this sample already. Where runs are told apart, such a row (or the
    /// one with which the last run is known to begin) begins the next one.
    fn is_again(&mut self, model: Option<&str>, is_numeric: bool, id: &str) -> bool {
        let is_again = !self.seen.insert(model, is_numeric, id);
        let number = self.n_taken;
        self.n_taken += 1;
        if let Some(Appended { last_from }) = self.appended {
            let is_last = last_from.is_some_and(|from| number > from);
            if last_from == Some(number) || (is_again && !is_last) {
                self.before.push(std::mem::take(&mut self.sums));
                self.seen = Seen::default();
                self.seen.insert(model, is_numeric, id);
                return false;
            }
        }
        self.again.count(is_again);
        is_again
    }

    /// The builder for rows of `model`.
    fn builder(&mut self, model: Option<&str>) -> usize {
        self.has_nameless |= model.is_none();
        if let Some(model) = model
            && !self.models.iter().any(|known| known == model)
        {
            self.models.push(model.to_owned());
        }
        let model = model.filter(|_| self.split);
        let n_before = self.before.len();
        let mut known = self.builders.iter().zip(&self.builder_runs);
        let found =
            known.position(|((known, _), own)| known.as_deref() == model && *own == n_before);
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
            self.builder_runs.push(n_before);
            self.builders.len() - 1
        })
    }

    /// The runs, and how many models the rows name.
    ///
    /// # Errors
    /// When the columns cannot be made.
    pub fn finish(self) -> Result<(Rows, usize), Error> {
        let only = (!self.split && self.models.len() == 1).then(|| self.models.first().cloned());
        let mut earlier: Vec<(Vec<Run>, Sums)> =
            self.before.into_iter().map(|sums| (Vec::new(), sums)).collect();
        let mut runs = Vec::new();
        for ((_, builder), n_before) in self.builders.into_iter().zip(self.builder_runs) {
            let mut run = builder.finish();
            if let Some(model) = only.clone().flatten() {
                run.key.subject = Some(model);
            }
            match earlier.get_mut(n_before) {
                Some((own, _)) => own.push(run),
                None => runs.push(run),
            }
        }
        let again = Again { n_samples: self.seen.len() as u64, ..self.again };
        let rows = Rows { earlier, again, runs, sums: self.sums, summary: self.summary };
        Ok((rows, self.models.len()))
    }
}

/// What the first row of a file (or list) tells about its generation, without the rest.
pub fn peek(bytes: &[u8]) -> Option<Traits> {
    let row = row::parse(bytes, &mut Names::default()).ok()?;
    row.document.is_none().then_some(row.traits)
}
