//! The columns of the two tables, cases and checks: the same in CSV and Parquet, and in
//! `docs/exports.md`, which a test compares with this list.

use crate::model::{CaseTable, Run, SourceId};
use crate::report::{RunRef, is_right};
use crate::workspace::{Entry, Workspace};

/// One cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// Words.
    Text(&'a str),
    /// A number, which need not be finite.
    Number(f64),
    /// A number of things, or a place in a list.
    Count(u64),
    /// Yes or no.
    Flag(bool),
    /// The 64 bits of a hash.
    Hash(u64),
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportType {
    /// [`Value::Text`]
    Text,
    /// [`Value::Number`]
    Number,
    /// [`Value::Count`] or [`Value::Hash`]
    Count,
    /// [`Value::Flag`]
    Flag,
}

/// What a file says of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnField {
    /// Name.
    pub name: &'static str,
    /// What it holds.
    pub kind: ExportType,
    /// Whether every row has a value.
    pub is_required: bool,
}

/// A column of some table.
pub trait HasField {
    /// What a file says of it.
    fn field(&self) -> ColumnField;
}

impl<T: HasField> HasField for &T {
    fn field(&self) -> ColumnField {
        (*self).field()
    }
}

impl HasField for ExportColumn {
    fn field(&self) -> ColumnField {
        ColumnField { name: self.name, kind: self.kind, is_required: self.is_required }
    }
}

/// One column.
pub(super) struct ExportColumn {
    /// Name.
    pub name: &'static str,
    /// What it holds.
    pub kind: ExportType,
    /// Whether every row has a value.
    pub is_required: bool,
    /// Its cell in a row; `None`: unknown or undefined.
    pub get: for<'a> fn(&ExportRow<'a>) -> Option<Value<'a>>,
}

/// A run, and what its rows share.
pub(super) struct RunCx<'a> {
    /// Its evaluation.
    pub entry: &'a Entry,
    /// The run.
    pub run: &'a Run,
    /// The run as its producer judged it, when the rules in force judge it otherwise.
    recorded: Option<&'a Run>,
    /// Its identity in exports.
    pub key: String,
}

/// A case, or one check of it.
#[derive(Clone, Copy)]
pub(super) struct ExportRow<'a> {
    /// Its run.
    pub cx: &'a RunCx<'a>,
    /// Its row in the run.
    pub idx: usize,
    /// Row of the check in the run, in the table of checks.
    pub check: usize,
    /// Why the check came out as it did.
    pub reason: Option<&'a str>,
    /// What the files hold of the case beyond its scores, as JSON.
    pub detail: Option<&'a str>,
}

impl<'a> RunCx<'a> {
    /// Run `at` of `workspace`; `None` when it is not there.
    pub(super) fn new(workspace: &'a Workspace, at: RunRef) -> Option<Self> {
        let (entry, run) = workspace.run(at)?;
        let recorded = entry.recorded_runs().get(at.run as usize);
        let recorded = recorded.filter(|_| entry.is_rejudged());
        Some(Self { entry, run, recorded, key: entry.run_key(at.run as usize) })
    }

    /// Case `idx` as a row.
    pub(super) fn row(&'a self, idx: usize) -> ExportRow<'a> {
        ExportRow { cx: self, idx, check: 0, reason: None, detail: None }
    }

    /// The path of a file that the run was read from.
    fn file_path(&self, source: u32) -> Option<&'a str> {
        self.entry.bundle.file(SourceId(source)).map(|file| file.path.as_str())
    }

    /// Checks of case `idx` that are wrong, and those that were verified.
    pub(super) fn n_checks(&self, idx: usize) -> (u64, u64) {
        let verdicts = self.run.checks_of(idx).filter_map(|at| is_right(self.run, at));
        verdicts.fold((0, 0), |(wrong, all), is_right| (wrong + u64::from(!is_right), all + 1))
    }
}

impl<'a> ExportRow<'a> {
    /// The cases as their producer judged them, when it judged this one otherwise.
    fn as_declared(&self) -> Option<&'a CaseTable> {
        let recorded = &self.cx.recorded?.cases;
        recorded.is_otherwise(self.idx, &self.cx.run.cases).then_some(recorded)
    }
}

/// A column of `kind` that may lack values.
const fn column(
    name: &'static str,
    kind: ExportType,
    get: for<'a> fn(&ExportRow<'a>) -> Option<Value<'a>>,
) -> ExportColumn {
    ExportColumn { name, kind, is_required: false, get }
}

/// A column of `kind` in which every row has a value.
const fn required(
    name: &'static str,
    kind: ExportType,
    get: for<'a> fn(&ExportRow<'a>) -> Option<Value<'a>>,
) -> ExportColumn {
    ExportColumn { name, kind, is_required: true, get }
}

fn text(found: Option<&str>) -> Option<Value<'_>> {
    found.map(Value::Text)
}

fn number<'a>(found: Option<f64>) -> Option<Value<'a>> {
    found.map(Value::Number)
}

fn count<'a>(found: Option<u32>) -> Option<Value<'a>> {
    found.map(|n| Value::Count(u64::from(n)))
}

fn hash<'a>(found: Option<u64>) -> Option<Value<'a>> {
    found.map(Value::Hash)
}

/// The table of cases: the guide's six columns, then the rest.
pub(super) const CASES: &[ExportColumn] = &[
    column("group", ExportType::Text, |row| text(row.cx.run.cases.group.get(row.idx))),
    column("case_id", ExportType::Text, |row| text(row.cx.run.cases.id.get(row.idx))),
    column("type", ExportType::Text, |row| text(row.cx.run.cases.kind.get(row.idx))),
    column("passed", ExportType::Flag, |row| row.cx.run.cases.passed.get(row.idx).map(Value::Flag)),
    column("score", ExportType::Number, |row| number(row.cx.run.cases.score.get(row.idx))),
    column("duration", ExportType::Number, |row| {
        number(row.cx.run.cases.duration_secs.get(row.idx))
    }),
    required("outcome", ExportType::Text, |row| {
        text(Some(row.cx.run.cases.outcome_of(row.idx).as_str()))
    }),
    required("evaluation", ExportType::Text, |row| text(Some(&row.cx.entry.key))),
    required("producer", ExportType::Text, |row| text(Some(&row.cx.entry.evaluation.producer))),
    required("run", ExportType::Text, |row| text(Some(&row.cx.key))),
    required("run_label", ExportType::Text, |row| text(Some(&row.cx.run.label))),
    column("suite", ExportType::Text, |row| text(row.cx.run.key.suite.as_deref())),
    column("run_variant", ExportType::Text, |row| text(row.cx.run.key.variant.as_deref())),
    column("subject", ExportType::Text, |row| text(row.cx.run.key.subject.as_deref())),
    required("repeat", ExportType::Count, |row| count(Some(row.cx.run.key.repeat))),
    required("case_idx", ExportType::Count, |row| Some(Value::Count(row.idx as u64))),
    column("variant", ExportType::Text, |row| text(row.cx.run.cases.variant.get(row.idx))),
    column("n_attempts", ExportType::Count, |row| count(row.cx.run.cases.n_attempts.get(row.idx))),
    column("strategy", ExportType::Text, |row| text(row.cx.run.cases.strategy.get(row.idx))),
    required("n_checks", ExportType::Count, |row| Some(Value::Count(row.cx.n_checks(row.idx).1))),
    required("n_failed_checks", ExportType::Count, |row| {
        Some(Value::Count(row.cx.n_checks(row.idx).0))
    }),
    column("reward", ExportType::Number, |row| number(row.cx.run.cases.reward.get(row.idx))),
    column("target_secs", ExportType::Number, |row| {
        number(row.cx.run.cases.target_secs.get(row.idx))
    }),
    column("extraction_secs", ExportType::Number, |row| {
        number(row.cx.run.cases.extraction_secs.get(row.idx))
    }),
    column("prompt_tokens", ExportType::Number, |row| {
        number(row.cx.run.cases.prompt_tokens.get(row.idx))
    }),
    column("completion_tokens", ExportType::Number, |row| {
        number(row.cx.run.cases.completion_tokens.get(row.idx))
    }),
    column("cached_input_tokens", ExportType::Number, |row| {
        number(row.cx.run.cases.cached_input_tokens.get(row.idx))
    }),
    column("cache_write_tokens", ExportType::Number, |row| {
        number(row.cx.run.cases.cache_write_tokens.get(row.idx))
    }),
    column("reasoning_tokens", ExportType::Number, |row| {
        number(row.cx.run.cases.reasoning_tokens.get(row.idx))
    }),
    column("cost_usd", ExportType::Number, |row| number(row.cx.run.cases.cost_usd.get(row.idx))),
    column("error_category", ExportType::Text, |row| {
        text(row.cx.run.cases.error_category.get(row.idx))
    }),
    column("error_type", ExportType::Text, |row| text(row.cx.run.cases.error_type.get(row.idx))),
    column("error_message", ExportType::Text, |row| {
        text(row.cx.run.cases.error_message.get(row.idx))
    }),
    column("is_numeric_id", ExportType::Flag, |row| {
        row.cx.run.cases.is_numeric_id.get(row.idx).map(Value::Flag)
    }),
    column("tags", ExportType::Text, |row| text(row.cx.run.cases.tags.get(row.idx))),
    column("attempted", ExportType::Flag, |row| {
        row.cx.run.cases.is_attempted.get(row.idx).map(Value::Flag)
    }),
    column("answer", ExportType::Count, |row| hash(row.cx.run.cases.answer.get(row.idx))),
    column("input_hash", ExportType::Count, |row| hash(row.cx.run.cases.input_hash.get(row.idx))),
    column("expected_hash", ExportType::Count, |row| {
        hash(row.cx.run.cases.expected_hash.get(row.idx))
    }),
    column("declared_outcome", ExportType::Text, |row| {
        text(Some(row.as_declared()?.outcome_of(row.idx).as_str()))
    }),
    column("declared_score", ExportType::Number, |row| {
        number(row.as_declared()?.score.get(row.idx))
    }),
    column("declared_passed", ExportType::Flag, |row| {
        row.as_declared()?.passed.get(row.idx).map(Value::Flag)
    }),
    column("declared_strategy", ExportType::Text, |row| {
        text(row.as_declared()?.strategy.get(row.idx))
    }),
];

/// The table of checks; `run` and `case_idx` join it to the cases.
pub(super) const CHECKS: &[ExportColumn] = &[
    required("evaluation", ExportType::Text, |row| text(Some(&row.cx.entry.key))),
    required("run", ExportType::Text, |row| text(Some(&row.cx.key))),
    required("case_idx", ExportType::Count, |row| Some(Value::Count(row.idx as u64))),
    column("case_id", ExportType::Text, |row| text(row.cx.run.cases.id.get(row.idx))),
    column("attempt", ExportType::Count, |row| count(row.cx.run.checks.attempt.get(row.check))),
    column("name", ExportType::Text, |row| text(row.cx.run.checks.name.get(row.check))),
    column("score", ExportType::Number, |row| number(row.cx.run.checks.score.get(row.check))),
    column("is_correct", ExportType::Flag, |row| {
        row.cx.run.checks.is_correct.get(row.check).map(Value::Flag)
    }),
    column("weight", ExportType::Number, |row| number(row.cx.run.checks.weight.get(row.check))),
    column("verdict", ExportType::Text, |row| text(row.cx.run.checks.verdict.get(row.check))),
    column("duration_secs", ExportType::Number, |row| {
        number(row.cx.run.checks.duration_secs.get(row.check))
    }),
    column("reason", ExportType::Text, |row| text(row.reason)),
    column("answer", ExportType::Count, |row| hash(row.cx.run.checks.answer.get(row.check))),
    column("attempt_secs", ExportType::Number, |row| {
        number(row.cx.run.checks.attempt_secs.get(row.check))
    }),
];

/// What the table of cases has in a dataset besides: where the record of a case lies, or what it holds.
pub(super) const CASE_PLACES: &[ExportColumn] = &[
    column("source_file", ExportType::Text, |row| {
        text(row.cx.file_path(row.cx.run.cases.source.get(row.idx)?))
    }),
    column("source_at", ExportType::Count, |row| {
        row.cx.run.cases.source_at.get(row.idx).map(Value::Count)
    }),
    column("source_bytes", ExportType::Count, |row| {
        row.cx.run.cases.source_len.get(row.idx).map(Value::Count)
    }),
    column("detail", ExportType::Text, |row| text(row.detail)),
];

/// The same of the table of checks: where the text of the reason lies.
pub(super) const CHECK_PLACES: &[ExportColumn] = &[
    column("reason_file", ExportType::Text, |row| {
        text(row.cx.file_path(row.cx.run.checks.reason_source.get(row.check)?))
    }),
    column("reason_at", ExportType::Count, |row| {
        row.cx.run.checks.reason_at.get(row.check).map(Value::Count)
    }),
    column("reason_bytes", ExportType::Count, |row| {
        row.cx.run.checks.reason_len.get(row.check).map(Value::Count)
    }),
];
