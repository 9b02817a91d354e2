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
pub enum Kind {
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
pub struct Field {
    /// Name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether every row has a value.
    pub is_required: bool,
}

/// A column of some table.
pub trait HasField {
    /// What a file says of it.
    fn field(&self) -> Field;
}

impl<T: HasField> HasField for &T {
    fn field(&self) -> Field {
        (*self).field()
    }
}

impl HasField for Column {
    fn field(&self) -> Field {
        Field { name: self.name, kind: self.kind, is_required: self.is_required }
    }
}

/// One column.
pub(super) struct Column {
    /// Name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether every row has a value.
    pub is_required: bool,
    /// Its cell in a row; `None`: unknown or undefined.
    pub get: for<'a> fn(&Row<'a>) -> Option<Value<'a>>,
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
pub(super) struct Row<'a> {
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
    pub(super) fn row(&'a self, idx: usize) -> Row<'a> {
        Row { cx: self, idx, check: 0, reason: None, detail: None }
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

impl<'a> Row<'a> {
    /// The cases as their producer judged them, when it judged this one otherwise.
    fn as_declared(&self) -> Option<&'a CaseTable> {
        let recorded = &self.cx.recorded?.cases;
        recorded.is_otherwise(self.idx, &self.cx.run.cases).then_some(recorded)
    }
}

/// A column of `kind` that may lack values.
const fn column(
    name: &'static str,
    kind: Kind,
    get: for<'a> fn(&Row<'a>) -> Option<Value<'a>>,
) -> Column {
    Column { name, kind, is_required: false, get }
}

/// A column of `kind` in which every row has a value.
const fn required(
    name: &'static str,
    kind: Kind,
    get: for<'a> fn(&Row<'a>) -> Option<Value<'a>>,
) -> Column {
    Column { name, kind, is_required: true, get }
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
pub(super) const CASES: [Column; 43] = [
    column("group", Kind::Text, |row| text(row.cx.run.cases.group.get(row.idx))),
    column("case_id", Kind::Text, |row| text(row.cx.run.cases.id.get(row.idx))),
    column("type", Kind::Text, |row| text(row.cx.run.cases.kind.get(row.idx))),
    column("passed", Kind::Flag, |row| row.cx.run.cases.passed.get(row.idx).map(Value::Flag)),
    column("score", Kind::Number, |row| number(row.cx.run.cases.score.get(row.idx))),
    column("duration", Kind::Number, |row| number(row.cx.run.cases.duration_secs.get(row.idx))),
    required("outcome", Kind::Text, |row| {
        text(Some(row.cx.run.cases.outcome_of(row.idx).as_str()))
    }),
    required("evaluation", Kind::Text, |row| text(Some(&row.cx.entry.key))),
    required("producer", Kind::Text, |row| text(Some(&row.cx.entry.evaluation.producer))),
    required("run", Kind::Text, |row| text(Some(&row.cx.key))),
    required("run_label", Kind::Text, |row| text(Some(&row.cx.run.label))),
    column("suite", Kind::Text, |row| text(row.cx.run.key.suite.as_deref())),
    column("run_variant", Kind::Text, |row| text(row.cx.run.key.variant.as_deref())),
    column("subject", Kind::Text, |row| text(row.cx.run.key.subject.as_deref())),
    required("repeat", Kind::Count, |row| count(Some(row.cx.run.key.repeat))),
    required("case_idx", Kind::Count, |row| Some(Value::Count(row.idx as u64))),
    column("variant", Kind::Text, |row| text(row.cx.run.cases.variant.get(row.idx))),
    column("n_attempts", Kind::Count, |row| count(row.cx.run.cases.n_attempts.get(row.idx))),
    column("strategy", Kind::Text, |row| text(row.cx.run.cases.strategy.get(row.idx))),
    required("n_checks", Kind::Count, |row| Some(Value::Count(row.cx.n_checks(row.idx).1))),
    required("n_failed_checks", Kind::Count, |row| Some(Value::Count(row.cx.n_checks(row.idx).0))),
    column("reward", Kind::Number, |row| number(row.cx.run.cases.reward.get(row.idx))),
    column("target_secs", Kind::Number, |row| number(row.cx.run.cases.target_secs.get(row.idx))),
    column("extraction_secs", Kind::Number, |row| {
        number(row.cx.run.cases.extraction_secs.get(row.idx))
    }),
    column("prompt_tokens", Kind::Number, |row| {
        number(row.cx.run.cases.prompt_tokens.get(row.idx))
    }),
    column("completion_tokens", Kind::Number, |row| {
        number(row.cx.run.cases.completion_tokens.get(row.idx))
    }),
    column("cached_input_tokens", Kind::Number, |row| {
        number(row.cx.run.cases.cached_input_tokens.get(row.idx))
    }),
    column("cache_write_tokens", Kind::Number, |row| {
        number(row.cx.run.cases.cache_write_tokens.get(row.idx))
    }),
    column("reasoning_tokens", Kind::Number, |row| {
        number(row.cx.run.cases.reasoning_tokens.get(row.idx))
    }),
    column("cost_usd", Kind::Number, |row| number(row.cx.run.cases.cost_usd.get(row.idx))),
    column("error_category", Kind::Text, |row| text(row.cx.run.cases.error_category.get(row.idx))),
    column("error_type", Kind::Text, |row| text(row.cx.run.cases.error_type.get(row.idx))),
    column("error_message", Kind::Text, |row| text(row.cx.run.cases.error_message.get(row.idx))),
    column("is_numeric_id", Kind::Flag, |row| {
        row.cx.run.cases.is_numeric_id.get(row.idx).map(Value::Flag)
    }),
    column("tags", Kind::Text, |row| text(row.cx.run.cases.tags.get(row.idx))),
    column("attempted", Kind::Flag, |row| {
        row.cx.run.cases.is_attempted.get(row.idx).map(Value::Flag)
    }),
    column("answer", Kind::Count, |row| hash(row.cx.run.cases.answer.get(row.idx))),
    column("input_hash", Kind::Count, |row| hash(row.cx.run.cases.input_hash.get(row.idx))),
    column("expected_hash", Kind::Count, |row| hash(row.cx.run.cases.expected_hash.get(row.idx))),
    column("declared_outcome", Kind::Text, |row| {
        text(Some(row.as_declared()?.outcome_of(row.idx).as_str()))
    }),
    column("declared_score", Kind::Number, |row| number(row.as_declared()?.score.get(row.idx))),
    column("declared_passed", Kind::Flag, |row| {
        row.as_declared()?.passed.get(row.idx).map(Value::Flag)
    }),
    column("declared_strategy", Kind::Text, |row| text(row.as_declared()?.strategy.get(row.idx))),
];

/// The table of checks; `run` and `case_idx` join it to the cases.
pub(super) const CHECKS: [Column; 14] = [
    required("evaluation", Kind::Text, |row| text(Some(&row.cx.entry.key))),
    required("run", Kind::Text, |row| text(Some(&row.cx.key))),
    required("case_idx", Kind::Count, |row| Some(Value::Count(row.idx as u64))),
    column("case_id", Kind::Text, |row| text(row.cx.run.cases.id.get(row.idx))),
    column("attempt", Kind::Count, |row| count(row.cx.run.checks.attempt.get(row.check))),
    column("name", Kind::Text, |row| text(row.cx.run.checks.name.get(row.check))),
    column("score", Kind::Number, |row| number(row.cx.run.checks.score.get(row.check))),
    column("is_correct", Kind::Flag, |row| {
        row.cx.run.checks.is_correct.get(row.check).map(Value::Flag)
    }),
    column("weight", Kind::Number, |row| number(row.cx.run.checks.weight.get(row.check))),
    column("verdict", Kind::Text, |row| text(row.cx.run.checks.verdict.get(row.check))),
    column("duration_secs", Kind::Number, |row| {
        number(row.cx.run.checks.duration_secs.get(row.check))
    }),
    column("reason", Kind::Text, |row| text(row.reason)),
    column("answer", Kind::Count, |row| hash(row.cx.run.checks.answer.get(row.check))),
    column("attempt_secs", Kind::Number, |row| {
        number(row.cx.run.checks.attempt_secs.get(row.check))
    }),
];

/// What the table of cases has in a dataset besides: where the record of a case lies, or what it holds.
pub(super) const CASE_PLACES: [Column; 4] = [
    column("source_file", Kind::Text, |row| {
        text(row.cx.file_path(row.cx.run.cases.source.get(row.idx)?))
    }),
    column("source_at", Kind::Count, |row| {
        row.cx.run.cases.source_at.get(row.idx).map(Value::Count)
    }),
    column("source_bytes", Kind::Count, |row| {
        row.cx.run.cases.source_len.get(row.idx).map(Value::Count)
    }),
    column("detail", Kind::Text, |row| text(row.detail)),
];

/// The same of the table of checks: where the text of the reason lies.
pub(super) const CHECK_PLACES: [Column; 3] = [
    column("reason_file", Kind::Text, |row| {
        text(row.cx.file_path(row.cx.run.checks.reason_source.get(row.check)?))
    }),
    column("reason_at", Kind::Count, |row| {
        row.cx.run.checks.reason_at.get(row.check).map(Value::Count)
    }),
    column("reason_bytes", Kind::Count, |row| {
        row.cx.run.checks.reason_len.get(row.check).map(Value::Count)
    }),
];
