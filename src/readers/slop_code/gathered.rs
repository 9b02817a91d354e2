//! The rows of `reports.parquet` as columns: of the cases, and of their checks.
//!
//! Cells go from the arrays of a file into the columns of a run by whole slices, words by their numbers. Only what
//! a case's score is made of is looked at one by one.

use super::reports::ReportRows;
use super::word_columns::{Coded, NONE, all, flags, numbers};
use crate::model::{
    CaseTable, CheckTable, Kind, Note, NoteKind, Notes, Outcome, Place, SourceId, ValueColumn,
};
use crate::readers::parquet_file::ParquetColumn as Cells;
use crate::readers::{Error, ErrorKind};
use arrow_array::builder::{BooleanBuilder, Float64Builder, StringBuilder};
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, UInt32Type, UInt64Type};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, UInt32Array, UInt64Array};
use arrow_buffer::ScalarBuffer;
use std::ops::Range;
use std::sync::Arc;

/// Rows so far.
#[derive(Default)]
pub(super) struct Gathered {
    ids: StringBuilder,
    /// Groups by their names.
    pub(super) groups: Coded,
    /// Group types as the file spells them.
    kinds: Coded,
    variants: Coded,
    scores: Vec<Option<f64>>,
    did_pass: Vec<bool>,
    durations: Float64Builder,
    /// Number in the file of each row.
    rows: Vec<u64>,
    /// Number of checks before each case.
    starts: Vec<u32>,
    n_checks: usize,
    names: Coded,
    is_correct: BooleanBuilder,
    weights: Float64Builder,
    noted: Noted,
}

/// What was noted, and after how many cases each note came first.
#[derive(Default)]
pub(super) struct Noted {
    notes: Notes,
    steps: Vec<usize>,
}

impl Noted {
    /// Notes something after `step` cases.
    pub(super) fn add(
        &mut self,
        step: usize,
        path: &str,
        kind: NoteKind,
        at: Place,
        detail: String,
    ) {
        self.notes.add(path, kind, at, detail);
        self.steps.resize(self.notes.len(), step);
    }

    /// Notes what was counted elsewhere.
    fn add_counted(&mut self, step: usize, note: Note) {
        self.notes.add_counted(note);
        self.steps.resize(self.notes.len(), step);
    }

    /// The notes, each with its step.
    pub(super) fn into_steps(self) -> impl Iterator<Item = (usize, Note)> {
        self.steps.into_iter().zip(self.notes.into_vec())
    }
}

/// Rows that are passed on, as columns.
pub(super) struct GatheredRows {
    /// The cases.
    pub(super) cases: RecordBatch,
    /// Their checks.
    pub(super) checks: RecordBatch,
    /// What was noted, each note with the number of cases before it.
    pub(super) notes: Vec<(usize, Note)>,
}

/// The tables of a run, with the number of checks before each case.
pub(super) struct RunTables {
    pub(super) cases: CaseTable,
    pub(super) checks: CheckTable,
    pub(super) starts: Vec<u32>,
}

impl Gathered {
    /// No row yet, and room for so many cases and checks: columns that grow are copied again and again.
    pub(super) fn with_room(n_cases: usize, n_checks: usize) -> Self {
        Self {
            groups: Coded::with_room(n_cases),
            kinds: Coded::with_room(n_cases),
            variants: Coded::with_room(n_cases),
            scores: Vec::with_capacity(n_cases),
            did_pass: Vec::with_capacity(n_cases),
            durations: Float64Builder::with_capacity(n_cases),
            rows: Vec::with_capacity(n_cases),
            starts: Vec::with_capacity(n_cases),
            names: Coded::with_room(n_checks),
            is_correct: BooleanBuilder::with_capacity(n_checks),
            weights: Float64Builder::with_capacity(n_checks),
            ..Self::default()
        }
    }

    /// Number of cases.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Cases without attributes, by group and id.
    #[cfg(test)]
    pub(super) fn of(cases: impl Iterator<Item = (Option<&'static str>, String)>) -> Self {
        let mut own = Self::default();
        for ((group, id), row) in cases.zip(0..) {
            own.ids.append_value(id);
            let code = group.map_or(NONE, |group| own.groups.number(group));
            own.groups.push(code);
            own.rows.push(row);
        }
        own
    }

    /// The id of case `idx`.
    pub(super) fn id(&self, idx: usize) -> &str {
        let offsets = self.ids.offsets_slice();
        let at = |idx: usize| offsets.get(idx).and_then(|at| usize::try_from(*at).ok());
        let span = at(idx).zip(at(idx + 1));
        let bytes = span.and_then(|(start, end)| self.ids.values_slice().get(start..end));
        std::str::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
    }

    /// The score of case `idx`.
    pub(super) fn score(&self, idx: usize) -> Option<f64> {
        self.scores.get(idx).copied().flatten()
    }

    /// Number in the file of the row of case `idx`.
    pub(super) fn row(&self, idx: usize) -> u64 {
        self.rows.get(idx).copied().unwrap_or_default()
    }

    /// Notes something that comes before the next case.
    pub(super) fn note(&mut self, path: &str, kind: NoteKind, at: Place, detail: String) {
        self.noted.add(self.rows.len(), path, kind, at, detail);
    }

    /// The notes so far, which are here no more.
    pub(super) fn take_notes(&mut self) -> Noted {
        std::mem::take(&mut self.noted)
    }

    /// Adds `rows` of the file at `path`. A row without an id is noted and left out.
    ///
    /// # Errors
    /// When there is no room for so much text.
    pub(super) fn extend(&mut self, rows: &ReportRows, path: &str) -> Result<(), Error> {
        let mut start = 0;
        for row in rows.without_id() {
            self.extend_range(rows, start..row, path)?;
            let at = Place::Row(rows.first_row.saturating_add(row as u64));
            self.note(path, NoteKind::Broken, at, "a row has no id".to_owned());
            start = row + 1;
        }
        self.extend_range(rows, start..rows.len(), path)
    }

    /// Adds rows that all have an id.
    fn extend_range(
        &mut self,
        rows: &ReportRows,
        range: Range<usize>,
        path: &str,
    ) -> Result<(), Error> {
        if let Some(ids) = rows.ids(range.clone()) {
            self.ids.append_array(&ids)?;
        }
        self.groups.extend(rows.group.as_ref(), range.clone(), None);
        self.variants.extend(rows.original_checkpoint.as_ref(), range.clone(), None);
        extend_numbers(&mut self.durations, rows.durations(range.clone()), range.len());
        self.kinds.extend(rows.kind.as_ref(), range.clone(), None);
        self.note_kinds(self.rows.len(), path);
        let first_row = rows.first_row;
        self.rows.extend(range.clone().map(|row| first_row.saturating_add(row as u64)));
        let judged = rows.judged();
        let mut pending = 0..0;
        for row in range {
            let items = rows.items(row);
            let (score, did_pass) = judged.judge(items.clone());
            self.scores.push(score);
            self.did_pass.push(did_pass);
            self.starts.push(u32::try_from(self.n_checks).unwrap_or(u32::MAX));
            self.n_checks += items.len();
            // Lists are adjacent, except where rows are left out between them.
            if pending.end != items.start {
                self.extend_checks(rows, std::mem::replace(&mut pending, items.start..items.start));
            }
            pending.end = items.end;
        }
        self.extend_checks(rows, pending);
        Ok(())
    }

    fn extend_checks(&mut self, rows: &ReportRows, items: Range<usize>) {
        if items.is_empty() {
            return;
        }
        self.names.extend(rows.names(), items.clone(), Some(""));
        extend_numbers(&mut self.weights, rows.weights(items.clone()), items.len());
        match rows.flags(items.clone()) {
            Some(flags) => self.is_correct.append_array(&flags),
            None => self.is_correct.append_nulls(items.len()),
        }
    }

    /// Notes the kinds from case `from` on that nobody knows.
    fn note_kinds(&mut self, from: usize, path: &str) {
        let is_known: Vec<bool> =
            self.kinds.words.iter().map(|word| Kind::from_text(word).is_some()).collect();
        if is_known.iter().all(|is_known| *is_known) {
            return;
        }
        for case_idx in from..self.kinds.codes.len() {
            let Some(word) = self.kinds.word(case_idx) else { continue };
            if Kind::from_text(word).is_none() {
                let detail = format!("the group type {word:?} is unknown");
                self.noted.add(case_idx, path, NoteKind::Unknown, Place::File, detail);
            }
        }
    }

    /// These rows, to be passed on.
    ///
    /// # Errors
    /// When columns differ in length, which nothing here brings about.
    pub(super) fn into_part(mut self) -> Result<GatheredRows, Error> {
        let notes = self.take_notes().into_steps().collect();
        let cases: [(&str, ArrayRef); 9] = [
            ("id", Arc::new(self.ids.finish())),
            ("group", Arc::new(self.groups.finish())),
            ("kind", Arc::new(self.kinds.finish())),
            ("variant", Arc::new(self.variants.finish())),
            ("score", Arc::new(Float64Array::from(self.scores))),
            ("did_pass", Arc::new(BooleanArray::from(self.did_pass))),
            ("duration", Arc::new(self.durations.finish())),
            ("row", Arc::new(UInt64Array::from(self.rows))),
            ("start", Arc::new(UInt32Array::from(self.starts))),
        ];
        let checks: [(&str, ArrayRef); 3] = [
            ("name", Arc::new(self.names.finish())),
            ("is_correct", Arc::new(self.is_correct.finish())),
            ("weight", Arc::new(self.weights.finish())),
        ];
        Ok(GatheredRows {
            cases: RecordBatch::try_from_iter(cases)?,
            checks: RecordBatch::try_from_iter(checks)?,
            notes,
        })
    }

    /// Adds the rows of `part`, which follow in the same file.
    ///
    /// # Errors
    /// When there is no room for so much text, or the part is of another build.
    pub(super) fn join(&mut self, part: &GatheredRows) -> Result<(), Error> {
        let GatheredRows { cases, checks, notes } = part;
        let n_before = self.rows.len();
        for (step, note) in notes {
            self.noted.add_counted(n_before + step, note.clone());
        }
        let (n_cases, n_checks) = (cases.num_rows(), checks.num_rows());
        let columns = || {
            let column = |name| cases.column_by_name(name);
            Some((
                column("id")?.as_string_opt::<i32>()?,
                column("score")?.as_primitive_opt::<Float64Type>()?,
                column("did_pass")?.as_boolean_opt()?,
                column("row")?.as_primitive_opt::<UInt64Type>()?,
                column("start")?.as_primitive_opt::<UInt32Type>()?,
            ))
        };
        let misfit = || Error::new(ErrorKind::Format("row groups of another build".to_owned()));
        let (ids, scores, did_pass, rows, starts) = columns().ok_or_else(misfit)?;
        self.ids.append_array(ids)?;
        for (column, name) in [
            (&mut self.groups, "group"),
            (&mut self.kinds, "kind"),
            (&mut self.variants, "variant"),
        ] {
            column.extend(Cells::in_batch(cases, name).as_ref(), 0..n_cases, None);
        }
        self.scores.extend(scores);
        self.did_pass.extend(did_pass.values());
        let durations = numbers(Cells::in_batch(cases, "duration").as_ref(), 0..n_cases);
        extend_numbers(&mut self.durations, durations, n_cases);
        self.rows.extend_from_slice(rows.values());
        let n_checks_before = u32::try_from(self.n_checks).unwrap_or(u32::MAX);
        self.starts.extend(starts.values().iter().map(|at| at.saturating_add(n_checks_before)));
        self.n_checks += n_checks;
        self.names.extend(Cells::in_batch(checks, "name").as_ref(), 0..n_checks, Some(""));
        let weights = numbers(Cells::in_batch(checks, "weight").as_ref(), 0..n_checks);
        extend_numbers(&mut self.weights, weights, n_checks);
        match flags(Cells::in_batch(checks, "is_correct").as_ref(), 0..n_checks) {
            Some(flags) => self.is_correct.append_array(&flags),
            None => self.is_correct.append_nulls(n_checks),
        }
        Ok(())
    }

    /// The tables of these rows of the file `source`.
    pub(super) fn finish(mut self, source: SourceId) -> RunTables {
        let n_cases = self.rows.len();
        let n_checks = self.n_checks;
        let mut case_idx = Vec::with_capacity(n_checks);
        let ends = self.starts.iter().skip(1).map(|at| *at as usize).chain([n_checks]);
        for (idx, end) in (0..).zip(ends.take(n_cases)) {
            case_idx.resize(end, idx);
        }
        let mut checks = CheckTable::nulls(n_checks);
        checks.case_idx = ValueColumn::of(UInt32Array::new(ScalarBuffer::from(case_idx), None));
        checks.attempt = ValueColumn::of(all::<UInt32Type>(1, n_checks));
        checks.name = ValueColumn::of(self.names.finish());
        checks.is_correct = ValueColumn::of(self.is_correct.finish());
        checks.weight = ValueColumn::of(shrunk(self.weights.finish()));
        let mut outcomes = Coded::default();
        for (score, did_pass) in self.scores.iter().zip(&self.did_pass) {
            let outcome = match (score, did_pass) {
                (None, true) => Outcome::Unscored,
                (_, true) => Outcome::Passed,
                (_, false) => Outcome::Failed,
            };
            outcomes.push_word(outcome.as_str());
        }
        let mut cases = CaseTable::nulls(n_cases);
        cases.id = ValueColumn::of(self.ids.finish());
        cases.variant = ValueColumn::of(self.variants.finish());
        cases.group = ValueColumn::of(self.groups.finish());
        cases.kind = ValueColumn::of(known(self.kinds).finish());
        cases.outcome = ValueColumn::of(outcomes.finish());
        cases.score = ValueColumn::of(Float64Array::from(self.scores));
        cases.passed = ValueColumn::of(BooleanArray::from(self.did_pass));
        cases.n_attempts = ValueColumn::of(all::<UInt32Type>(1, n_cases));
        cases.duration_secs = ValueColumn::of(shrunk(self.durations.finish()));
        cases.source = ValueColumn::of(all::<UInt32Type>(source.0, n_cases));
        cases.source_at = ValueColumn::of(UInt64Array::new(ScalarBuffer::from(self.rows), None));
        RunTables { cases, checks, starts: self.starts }
    }
}

/// Of the kinds of groups those that are known.
fn known(kinds: Coded) -> Coded {
    if kinds.words.iter().all(|word| Kind::from_text(word).is_some()) {
        return kinds;
    }
    let mut known = Coded::default();
    for idx in 0..kinds.codes.len() {
        match kinds.word(idx).and_then(Kind::from_text) {
            Some(kind) => known.push_word(kind.as_str()),
            None => known.push(NONE),
        }
    }
    known
}

/// Adds `cells`, or `n` that are null.
fn extend_numbers(column: &mut Float64Builder, cells: Option<Float64Array>, n: usize) {
    match cells {
        Some(cells) => column.append_array(&cells),
        None => column.append_nulls(n),
    }
}

/// The same without room for more.
fn shrunk(mut cells: Float64Array) -> Float64Array {
    use arrow_array::Array as _;
    cells.shrink_to_fit();
    cells
}
