//! The two tables of a run: typed Arrow columns of equal length.
//!
//! A column is declared once, below; row type, builder and accessors follow from that line.

use super::column::{Bool, ColumnBuilder, Dict, F64, Kinded, Text, U32, U64, ValueColumn};
use super::ids::Locator;
use super::words::{Kind, Outcome, Strategy, Verdict};
use arrow_array::{
    Array as _, ArrayRef, RecordBatch, RecordBatchOptions, StringArray, UInt32Array, UInt64Array,
};
use arrow_schema::{ArrowError, Field, Schema};
use std::ops::Range;
use std::sync::Arc;

/// What stands between the tags of a case.
pub const TAG_SEPARATOR: char = '\u{1f}';

/// Declares a table: its row, its builder, its columns.
macro_rules! table {
    (
        $(#[$table_doc:meta])* $table:ident,
        $(#[$row_doc:meta])* $row:ident,
        $builder:ident { $($(#[$doc:meta])* $name:ident: $kind:ident),+ $(,)? }
    ) => {
        $(#[$row_doc])*
        #[derive(Debug, Clone, Default)]
        pub struct $row<'a> {
            $($(#[$doc])* pub $name: Option<<$kind as Kinded>::Value<'a>>,)+
        }

        $(#[$table_doc])*
        #[derive(Debug, Clone, Default)]
        pub struct $table {
            n_rows: usize,
            $($(#[$doc])* pub $name: ValueColumn<$kind>,)+
        }

        #[derive(Default)]
        pub(super) struct $builder {
            n_rows: usize,
            $($name: ColumnBuilder<$kind>,)+
        }

        impl $builder {
            pub(super) fn n_rows(&self) -> usize {
                self.n_rows
            }

            pub(super) fn set_room(&mut self, n_rows: usize) {
                $(self.$name.set_room(n_rows);)+
            }

            pub(super) fn push(&mut self, row: $row<'_>) {
                $(if let Some(value) = row.$name {
                    self.$name.put(self.n_rows, value);
                })+
                self.n_rows += 1;
            }

            pub(super) fn extend(&mut self, table: &$table) -> Result<(), ArrowError> {
                $(self.$name.extend(self.n_rows, &table.$name)?;)+
                self.n_rows += table.n_rows;
                Ok(())
            }

            pub(super) fn finish(self) -> $table {
                // A dataset has two tables without rows for each of its runs.
                if self.n_rows == 0 {
                    return $table::default();
                }
                $table { n_rows: self.n_rows, $($name: self.$name.finish(self.n_rows)),+ }
            }
        }

        impl $table {
            /// A table of `n_rows` rows, all null, whose columns are to be set.
            pub fn nulls(n_rows: usize) -> Self {
                Self { n_rows, $($name: ValueColumn::nulls(n_rows)),+ }
            }

            /// Whether each column is of as many rows as the table.
            pub(super) fn is_even(&self) -> bool {
                true $(&& self.$name.iter().len() == self.n_rows)+
            }

            /// Number of rows.
            pub fn len(&self) -> usize {
                self.n_rows
            }

            /// Whether there is no row.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// The table as a record batch: its columns by name, except those that are all null.
            ///
            /// # Errors
            /// When columns differ in length, which a builder does not bring about.
            pub fn to_batch(&self) -> Result<RecordBatch, ArrowError> {
                let mut fields = Vec::new();
                let mut columns: Vec<ArrayRef> = Vec::new();
                $(if let Some(array) = self.$name.array() {
                    fields.push(Field::new(stringify!($name), array.data_type().clone(), true));
                    columns.push(Arc::new(array.clone()));
                })+
                let options = RecordBatchOptions::new().with_row_count(Some(self.n_rows));
                RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), columns, &options)
            }

            /// The table that `batch` is; `None` when a column of it is of another type. Columns
            /// that are not there are all null.
            pub fn from_batch(batch: &RecordBatch) -> Option<Self> {
                let n_rows = batch.num_rows();
                Some(Self {
                    n_rows,
                    $($name: ValueColumn::of_array(n_rows, batch.column_by_name(stringify!($name)))?),+
                })
            }

            /// The rows of `rows`, as far as there are any; nothing is copied.
            pub(super) fn slice(&self, rows: Range<usize>) -> Self {
                let end = rows.end.min(self.n_rows);
                let rows = rows.start.min(end)..end;
                Self { n_rows: rows.len(), $($name: self.$name.slice(&rows)),+ }
            }

            /// Row `idx` as it was handed in, to be handed in again; all null past the end.
            pub fn row(&self, idx: usize) -> $row<'_> {
                $row { $($name: self.$name.get(idx)),+ }
            }
        }
    };
}

table! {
    /// The cases of a run, one row each, in the order of the files.
    CaseTable,
    /// One case, as a reader hands it in. `None` is unknown, never zero.
    CaseRow,
    CaseTableBuilder {
        /// Identifier as written; the text of it when the file has a number.
        id: Text,
        /// Whether the file writes the identifier as a number.
        is_numeric_id: Bool,
        /// Part of the suite that the case belongs to, beyond the run's own.
        variant: Dict,
        /// Group name.
        group: Dict,
        /// [`Kind`] as text.
        kind: Dict,
        /// Tags, in the order of the file, with U+001F between them.
        tags: Dict,
        /// [`Outcome`] as text.
        outcome: Dict,
        /// Score; 0–1 except where the producer allows any number. Null: undefined or not judged.
        score: F64,
        /// Whether the case met its rule. Null: no rule gives an answer.
        passed: Bool,
        /// Whether the producer counts it as attempted (completed without error).
        is_attempted: Bool,
        /// Number of attempts with a result.
        n_attempts: U32,
        /// [`Strategy`] by which attempts were combined, as text.
        strategy: Dict,
        /// Wall-clock seconds.
        duration_secs: F64,
        /// Of these, seconds spent by the target.
        target_secs: F64,
        /// Of these, seconds spent on extracting the submission.
        extraction_secs: F64,
        /// Tokens read by the model.
        prompt_tokens: F64,
        /// Tokens written by the model.
        completion_tokens: F64,
        /// Prompt tokens served from a cache.
        cached_input_tokens: F64,
        /// Prompt tokens written to a cache.
        cache_write_tokens: F64,
        /// Completion tokens spent on reasoning.
        reasoning_tokens: F64,
        /// Price in US dollars.
        cost_usd: F64,
        /// Reward (letta-evals from 0.21).
        reward: F64,
        /// Hash of what the target gave as a whole, to tell whether two answers are the same.
        answer: U64,
        /// Hash of what the case was asked, to tell whether two cases are asked the same.
        input_hash: U64,
        /// Hash of the answer that is expected of it.
        expected_hash: U64,
        /// Category of the error, in the producer's words.
        error_category: Dict,
        /// Type of the exception.
        error_type: Dict,
        /// First part of the error's message (at most [`super::run_builder::MESSAGE_CHARS`] characters).
        error_message: Text,
        /// Where the case's record lies: source number.
        source: U32,
        /// Byte offset, or row number where `source_len` is null.
        source_at: U64,
        /// Bytes; null for a Parquet row.
        source_len: U64,
        /// Where a second record of the same case lies (joined file): source number.
        partner: U32,
        /// Byte offset, or row number where `partner_len` is null.
        partner_at: U64,
        /// Bytes; null for a Parquet row.
        partner_len: U64,
    }
}

table! {
    /// The checks of a run, grouped by case, in the order of the files.
    CheckTable,
    /// One judged aspect of one attempt of a case.
    CheckRow,
    CheckTableBuilder {
        /// Row of the case in [`CaseTable`]; filled in by the builder.
        case_idx: U32,
        /// Attempt, 1-based.
        attempt: U32,
        /// Attribute, metric or grader.
        name: Dict,
        /// Score of the check alone.
        score: F64,
        /// Whether it is right; null: not verified.
        is_correct: Bool,
        /// Weight in the case's score.
        weight: F64,
        /// [`Verdict`] as text.
        verdict: Dict,
        /// Seconds that judging took.
        duration_secs: F64,
        /// Seconds that the target took for this attempt, where attempts are timed one by one; the same in
        /// every check of an attempt.
        attempt_secs: F64,
        /// Hash of what the target gave in this attempt, where attempts are judged one by one.
        answer: U64,
        /// Where the text of the reason lies: a JSON string, or a row of a table of checks. Source
        /// number.
        reason_source: U32,
        /// Byte offset of that string, at its opening quote; or row number where `reason_len` is null.
        reason_at: U64,
        /// Bytes, quotes included; null for a row.
        reason_len: U64,
    }
}

impl<'a> CaseRow<'a> {
    /// Sets the place of the case's own record.
    pub fn at(mut self, locator: Locator) -> Self {
        let (source, at, len) = locator.columns();
        (self.source, self.source_at, self.source_len) = (Some(source), Some(at), len);
        self
    }

    /// Sets the place of the case's second record.
    pub fn joined_with(mut self, locator: Locator) -> Self {
        let (source, at, len) = locator.columns();
        (self.partner, self.partner_at, self.partner_len) = (Some(source), Some(at), len);
        self
    }

    /// Sets the outcome and, with it, `passed` for the two outcomes that decide it.
    pub fn with_outcome(mut self, outcome: Outcome) -> Self {
        self.outcome = Some(outcome.as_str());
        self
    }
}

impl CheckRow<'_> {
    /// Sets the place of the reason's JSON string.
    pub fn reasoned_at(mut self, source: super::SourceId, offset: u64, len: u64) -> Self {
        (self.reason_source, self.reason_at, self.reason_len) =
            (Some(source.0), Some(offset), Some(len));
        self
    }
}

impl CheckRow<'_> {
    /// Sets the place of the reason, which lies in a row of a table.
    pub fn reasoned_in_row(mut self, source: super::SourceId, row: u64) -> Self {
        (self.reason_source, self.reason_at) = (Some(source.0), Some(row));
        self
    }
}

/// The columns that say how cases came out.
pub(super) struct JudgedColumns {
    pub outcome: ValueColumn<Dict>,
    pub score: ValueColumn<F64>,
    pub passed: ValueColumn<Bool>,
    pub strategy: ValueColumn<Dict>,
}

impl CaseTable {
    /// The same cases with these columns. Every other column is shared with this table.
    pub(super) fn judged(&self, columns: JudgedColumns) -> Self {
        let JudgedColumns { outcome, score, passed, strategy } = columns;
        Self { outcome, score, passed, strategy, ..self.clone() }
    }

    /// The same cases, each under the id that `id` gives it. Every other column is shared with this table.
    pub fn renamed<'a>(&'a self, id: impl Fn(usize) -> Option<&'a str>) -> Self {
        let ids = (0..self.len()).map(id).collect::<StringArray>();
        Self { id: ValueColumn::of(ids), ..self.clone() }
    }

    /// The same cases, each joined with the second record at the place that `partners` has for it. Every
    /// other column is shared with this table.
    pub fn partnered(&self, partners: &[Option<Locator>]) -> Self {
        let place = |idx: usize| partners.get(idx).copied().flatten().map(Locator::columns);
        let places = || (0..self.len()).map(place);
        let sources = places().map(|place| Some(place?.0)).collect::<UInt32Array>();
        let starts = places().map(|place| Some(place?.1)).collect::<UInt64Array>();
        let lens = places().map(|place| place?.2).collect::<UInt64Array>();
        Self {
            partner: ValueColumn::of(sources),
            partner_at: ValueColumn::of(starts),
            partner_len: ValueColumn::of(lens),
            ..self.clone()
        }
    }

    /// Whether `other` judges case `idx` otherwise; numbers are the same when their bits are.
    pub fn is_otherwise(&self, idx: usize, other: &Self) -> bool {
        let judged = |cases: &Self| {
            let score = cases.score.get(idx).map(f64::to_bits);
            (cases.outcome_of(idx), score, cases.passed.get(idx), cases.strategy_of(idx))
        };
        judged(self) != judged(other)
    }

    /// Outcome of case `idx`; `Unscored` when none was given.
    pub fn outcome_of(&self, idx: usize) -> Outcome {
        self.outcome.get(idx).and_then(Outcome::from_text).unwrap_or(Outcome::Unscored)
    }

    /// The same for many cases: each word is looked up once.
    pub fn outcomes(&self) -> impl Fn(usize) -> Outcome {
        let outcome = self.outcome.meanings(Outcome::from_text);
        move |idx| outcome(idx).flatten().unwrap_or(Outcome::Unscored)
    }

    /// Number of cases by [`Outcome::index`].
    pub fn n_by_outcome(&self) -> [u64; Outcome::ALL.len()] {
        let mut found = [0; Outcome::ALL.len()];
        let mut n_known = 0;
        let mut add = |outcome: Outcome, n: u64| {
            if let Some(of_outcome) = found.get_mut(outcome.index()) {
                *of_outcome += n;
            }
        };
        for (word, n) in self.outcome.words().zip(self.outcome.tally()) {
            add(Outcome::of_word(word), n);
            n_known += n;
        }
        add(Outcome::Unscored, (self.len() as u64).saturating_sub(n_known));
        found
    }

    /// Kind of case `idx`.
    pub fn kind_of(&self, idx: usize) -> Option<Kind> {
        self.kind.get(idx).and_then(Kind::from_text)
    }

    /// Strategy of case `idx`.
    pub fn strategy_of(&self, idx: usize) -> Option<Strategy> {
        self.strategy.get(idx).and_then(Strategy::from_text)
    }

    /// Where the record of case `idx` lies.
    pub fn locator_of(&self, idx: usize) -> Option<Locator> {
        let source = self.source.get(idx)?;
        Some(Locator::from_columns(source, self.source_at.get(idx)?, self.source_len.get(idx)))
    }

    /// How many bytes the records of case `idx` take, as far as that is known: a row of Parquet counts none.
    pub fn record_bytes(&self, idx: usize) -> u64 {
        let len = |column: &ValueColumn<U64>| column.get(idx).unwrap_or_default();
        len(&self.source_len).saturating_add(len(&self.partner_len))
    }

    /// Where its second record lies, when two files were joined.
    pub fn partner_of(&self, idx: usize) -> Option<Locator> {
        let source = self.partner.get(idx)?;
        Some(Locator::from_columns(source, self.partner_at.get(idx)?, self.partner_len.get(idx)))
    }
}

impl CheckTable {
    /// The same checks behind `n_cases` other cases. Every other column is shared with this table.
    pub(super) fn behind(&self, n_cases: u32) -> Self {
        let case_idx = self.case_idx.changed(|idx| idx.saturating_add(n_cases));
        Self { case_idx, ..self.clone() }
    }

    /// Verdict of check `idx`.
    pub fn verdict_of(&self, idx: usize) -> Option<Verdict> {
        self.verdict.get(idx).and_then(Verdict::from_text)
    }

    /// Whether check `idx` has a reason whose place is known.
    pub fn has_reason(&self, idx: usize) -> bool {
        self.reason_source.has(idx) && self.reason_at.has(idx)
    }

    /// Where the text of the reason lies.
    pub fn reason_of(&self, idx: usize) -> Option<Locator> {
        let source = self.reason_source.get(idx)?;
        Some(Locator::from_columns(source, self.reason_at.get(idx)?, self.reason_len.get(idx)))
    }
}
