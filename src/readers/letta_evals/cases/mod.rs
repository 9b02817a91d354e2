//! Rows into runs: what takes the rows of a file, tells their runs and models apart, and finds out
//! which samples come again.

mod from_row;
mod resume;
mod rows;

pub use resume::SinkState;
pub use rows::{AGAIN, Again, Appended, LettaRows, RecordPlaces, no_sample};

use super::grouping::partners::Partners;
use super::grouping::sums::Sums;
use super::judging::generation::Traits;
use super::judging::rules::LettaRules;
use super::row::{self, GraderNames};
use super::stretches::seen_samples::SeenSamples;
use super::stretches::stretch::Trace;
use crate::input::json::Cursor;
use crate::input::{self, InputFile, Record};
use crate::model::{NoteKind, Place, Run, RunBuilder, RunKey};
use crate::readers::{Context, Error};
use serde_json::{Map, Value};

/// What several files of an evaluation have in common while they are read.
pub struct ReadState<'a> {
    /// The rules.
    pub rules: &'a LettaRules,
    /// Suite name.
    pub suite: Option<&'a str>,
    /// Samples of the suite, when there is a suite document.
    pub partners: Option<&'a Partners>,
    /// Graders, in order.
    pub names: GraderNames,
    /// Where notes and progress go.
    pub cx: &'a Context<'a>,
}

/// Takes the rows of one file (or one list of a dump).
pub struct RowSink<'r, 'a> {
    reading: &'r mut ReadState<'a>,
    file: &'r InputFile,
    /// How its records lie.
    pub places: RecordPlaces,
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
    seen: SeenSamples,
    /// Whether a row names no model.
    has_nameless: bool,
    sums: Sums,
    summary: Option<Map<String, Value>>,
    /// Kept where the rows are a stretch of a file. Which samples come again, and where their partners
    /// lie, is then found out when stretches are joined.
    pub trace: Option<Trace>,
}

impl<'r, 'a> RowSink<'r, 'a> {
    /// An empty one.
    pub fn new(
        reading: &'r mut ReadState<'a>,
        file: &'r InputFile,
        repeat: u32,
        split: bool,
    ) -> Self {
        Self {
            reading,
            file,
            places: RecordPlaces::Lines,
            repeat,
            split,
            appended: None,
            before: Vec::new(),
            again: Again::default(),
            n_taken: 0,
            builders: Vec::new(),
            builder_runs: Vec::new(),
            models: Vec::new(),
            seen: SeenSamples::default(),
            has_nameless: false,
            sums: Sums::default(),
            summary: None,
            trace: None,
        }
    }

    /// Graders so far.
    pub fn names(&self) -> &GraderNames {
        &self.reading.names
    }

    /// Takes a record whose offset counts from `base`; one that is broken is noted.
    pub fn record(&mut self, record: &Record<'_>, base: u64) {
        if let Err(err) = self.try_record(record, base) {
            let place = self.places.of(record.number, base + record.offset);
            let notes = self.reading.cx.notes;
            notes.add(&self.file.path, err.note_kind(), place, err.to_string());
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
            if document == row::NonRowLine::Summary {
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
                self.seen = SeenSamples::default();
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
    pub fn finish(self) -> Result<(LettaRows, usize), Error> {
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
        let rows = LettaRows { earlier, again, runs, sums: self.sums, summary: self.summary };
        Ok((rows, self.models.len()))
    }
}

/// What the first row of a file (or list) tells about its generation, without the rest.
pub fn peek(bytes: &[u8]) -> Option<Traits> {
    let row = row::parse(bytes, &mut GraderNames::default()).ok()?;
    row.document.is_none().then_some(row.traits)
}
