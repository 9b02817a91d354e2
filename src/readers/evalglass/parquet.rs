//! Our tables as Parquet: the cases, whose footer holds the report without them, and beside them the
//! checks. Runs and rows join the two.
//!
//! Rows come in the order of the runs, so that both tables are passed over side by side. Of a view that
//! was sorted the cases stay in its order; then the checks are gathered first.

use super::report::ReportDraft;
use super::role;
use super::table::ReportTable;
use crate::input::{InputFile, MemorySource, outline};
use crate::model::{CaseRow, CheckRow, Locator, NoteKind, Outcome, Place};
use crate::readers::parquet_file::ParquetFile;
use crate::readers::{Bundle, Claimed, Context, Error, ErrorKind, ReadEvaluation};
use std::collections::HashMap;
use std::rc::Rc;

/// Key of the footer that names the schema of a table.
const SCHEMA_KEY: &str = "evalglass.schema";
/// Key of the footer of a part of a dataset that names the writing it came out of.
pub(in crate::readers) const WRITING_KEY: &str = "evalglass.writing";
/// Key of the footer that holds the report without its cases.
const REPORT_KEY: &str = "evalglass.report";

/// Declares the columns of a table that are read: their places, and their names.
macro_rules! columns {
    ($of:ident, $names:ident: $($column:ident = $name:literal),+ $(,)?) => {
        #[derive(Clone, Copy)]
        enum $of { $($column),+ }
        const $names: &[&str] = &[$($name),+];
    };
}

columns! { C, CASES:
    Run = "run", Idx = "case_idx", Id = "case_id", IsNumeric = "is_numeric_id", Variant = "variant",
    Group = "group", Kind = "type", Tags = "tags", Outcome = "outcome", Score = "score",
    Passed = "passed", Strategy = "strategy", Attempted = "attempted", Attempts = "n_attempts",
    Secs = "duration", TargetSecs = "target_secs", ExtractionSecs = "extraction_secs",
    Prompt = "prompt_tokens", Completion = "completion_tokens", Cached = "cached_input_tokens",
    CacheWrite = "cache_write_tokens", Reasoning = "reasoning_tokens", Cost = "cost_usd",
    Reward = "reward", Answer = "answer", Input = "input_hash", Expected = "expected_hash", Category = "error_category", Type = "error_type",
    Message = "error_message", OwnOutcome = "declared_outcome", OwnScore = "declared_score",
    OwnPassed = "declared_passed", OwnStrategy = "declared_strategy", Checks = "n_checks",
}

columns! { K, CHECKS:
    Run = "run", Idx = "case_idx", Attempt = "attempt", Name = "name", Score = "score",
    IsCorrect = "is_correct", Weight = "weight", Verdict = "verdict", Secs = "duration_secs",
    Answer = "answer", Reason = "reason", AttemptSecs = "attempt_secs",
}

/// The columns of both tables that are read, and the places of run and row among them.
pub(in crate::readers) const CASE_COLUMNS: &[&str] = CASES;
pub(in crate::readers) const CASE_RUN: usize = C::Run as usize;
pub(in crate::readers) const CASE_IDX: usize = C::Idx as usize;
pub(in crate::readers) const CHECK_COLUMNS: &[&str] = CHECKS;
pub(in crate::readers) const CHECK_RUN: usize = K::Run as usize;
pub(in crate::readers) const CHECK_IDX: usize = K::Idx as usize;

/// Which run, by its place in the report, and which row of it.
type RunRow = (usize, u32);

/// What `file` is by its footer, if it is ours.
pub(super) fn role_of(file: &InputFile) -> Option<&'static str> {
    let opened = ParquetFile::open(file).ok()?;
    let schema = opened.key(SCHEMA_KEY)?;
    // Those of a dataset are its reader's.
    if opened.key(WRITING_KEY).is_some() || schema.starts_with("evalglass-dataset/") {
        return None;
    }
    match schema {
        "evalglass-cases/1" => Some(role::CASES),
        "evalglass-checks/1" => Some(role::CHECKS),
        _ if schema.starts_with("evalglass-") => Some(role::NEWER),
        _ => None,
    }
}

/// The schema that the footer of `file` names.
pub(super) fn schema_of(file: &InputFile) -> Option<String> {
    ParquetFile::open(file).ok()?.key(SCHEMA_KEY).map(str::to_owned)
}

/// Each table of cases with the table of checks beside it: that of the same folder, of several the one
/// whose name is the same except for the word.
pub(super) fn bundles(cases: Vec<Rc<Claimed>>, mut checks: Vec<Rc<Claimed>>) -> Vec<Bundle> {
    let mut bundles = Vec::new();
    let of_folder = |all: &[Rc<Claimed>], folder: &str| {
        all.iter().filter(|one| one.file.folder() == folder).count()
    };
    let n_cases: Vec<usize> =
        cases.iter().map(|one| of_folder(&cases, one.file.folder())).collect();
    for (claimed, n_cases) in cases.into_iter().zip(n_cases) {
        let folder = claimed.file.folder();
        let is_alone = n_cases == 1 && of_folder(&checks, folder) == 1;
        let name = claimed.file.name().replace("cases", "checks");
        let partner = checks.iter().position(|other| {
            other.file.folder() == folder && (is_alone || other.file.name() == name)
        });
        let path = claimed.file.path.clone();
        let partner = partner.map(|at| checks.remove(at));
        bundles.push(Bundle { path, files: [claimed].into_iter().chain(partner).collect() });
    }
    let alone =
        |claimed: Rc<Claimed>| Bundle { path: claimed.file.path.clone(), files: vec![claimed] };
    bundles.extend(checks.into_iter().map(alone));
    bundles
}

/// Reads the tables of `bundle`.
pub(super) async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Vec<ReadEvaluation>, Error> {
    let Some(cases) = bundle.of_role(role::CASES).next().map(|claimed| &claimed.file) else {
        let reason = "the table of cases that these checks belong to is not there: open both";
        return Err(Error::new(ErrorKind::Format(reason.to_owned())));
    };
    let checks = bundle.of_role(role::CHECKS).next().map(|claimed| &claimed.file);
    let opened = ParquetFile::open(cases)?;
    let Some(report) = opened.key(REPORT_KEY) else {
        let reason = "the table was made by an earlier version: its footer holds no report";
        return Err(Error::new(ErrorKind::Format(reason.to_owned())).in_file(&cases.path));
    };
    let footer = InputFile {
        id: cases.id,
        path: cases.path.clone(),
        data: Rc::new(MemorySource::new(report.as_bytes())),
    };
    let found = outline(&footer, 0, cx.pulse).await?;
    let report =
        ReportDraft::read(&footer, &found, cx).await.map_err(|err| err.in_file(&cases.path))?;
    let mut tables = ReportTables::new(report, cases, checks, cx);
    if let Err(err) = tables.fill().await {
        if err.is_cancelled() {
            return Err(err);
        }
        let detail = format!("{err}; the cases before are kept");
        cx.notes.add(&cases.path, NoteKind::Broken, Place::File, detail);
    }
    Ok(tables.report.finish())
}

/// Two tables and the runs that they fill.
struct ReportTables<'a> {
    report: ReportDraft<'a>,
    cases: &'a InputFile,
    checks: Option<&'a InputFile>,
    cx: &'a Context<'a>,
    places: HashMap<String, usize>,
}

impl<'a> ReportTables<'a> {
    fn new(
        mut report: ReportDraft<'a>,
        cases: &'a InputFile,
        checks: Option<&'a InputFile>,
        cx: &'a Context<'a>,
    ) -> Self {
        for run in &mut report.runs {
            run.builder.source(cases.id);
            checks.into_iter().for_each(|checks| run.builder.source(checks.id));
        }
        let ids = report.runs.iter().enumerate();
        let places = ids.map(|(at, run)| (run.id.clone(), at)).collect();
        Self { report, cases, checks, cx, places }
    }

    async fn fill(&mut self) -> Result<(), Error> {
        let is_in_order = self.is_in_order().await?;
        let mut checks = ParquetChecks {
            table: self.checks.map(|file| ReportTable::open(file, CHECKS)).transpose()?,
            ahead: None,
            gathered: HashMap::new(),
            n_lost: 0,
        };
        if !is_in_order {
            // What is declared of single cases goes by their rows in the run.
            self.report.runs.iter_mut().for_each(|run| run.here.is_in_order = false);
            while let Some((key, check)) = checks.next(&self.places)? {
                checks.gathered.entry(key).or_default().push(check);
            }
        }
        let mut table = ReportTable::open(self.cases, CASES)?;
        let mut n_judged = 0;
        while table.advance()? {
            if table.is_at_start() {
                self.cx.pulse.breathe().await?;
            }
            let place = Place::Row(table.row());
            let Some(key) = key_of(&table, &self.places, [C::Run as usize, C::Idx as usize]) else {
                let detail = "a case is left out: its run is not among those of the report";
                self.cx.notes.add(&self.cases.path, NoteKind::Broken, place, detail);
                continue;
            };
            let Some(run) = self.report.runs.get_mut(key.0) else { continue };
            let (row, is_known) = case(&table, self.cases);
            if !is_known {
                let detail = "the outcome of a case is not known, so the case counts as unscored";
                self.cx.notes.add(&self.cases.path, NoteKind::Unknown, place, detail);
            }
            run.builder.case(row);
            n_judged += u64::from(table.count(C::Checks as usize).unwrap_or(0));
            for check in checks.of(key, &self.places, is_in_order)? {
                run.builder.check(check.row(self.checks));
            }
        }
        self.note_checks(checks, n_judged)
    }

    /// Notes what is wrong with the checks, when they have been passed over.
    fn note_checks(&self, mut checks: ParquetChecks, n_judged: u64) -> Result<(), Error> {
        let notes = self.cx.notes;
        let Some(file) = self.checks else {
            if n_judged > 0 {
                let detail = "the table of checks is not beside the cases: checks and their reasons \
                    are missing";
                notes.add(&self.cases.path, NoteKind::MissingPartner, Place::File, detail);
            }
            return Ok(());
        };
        while checks.next(&self.places)?.is_some() {
            checks.n_lost += 1;
        }
        checks.n_lost += checks.gathered.values().map(Vec::len).sum::<usize>();
        if checks.n_lost > 0 {
            let n_lost = checks.n_lost;
            let detail = format!("{n_lost} checks are left out: their cases are not in the table");
            notes.add(&file.path, NoteKind::Mismatch, Place::File, detail);
        }
        Ok(())
    }

    /// Whether the cases come run by run, each in the order of its rows.
    async fn is_in_order(&self) -> Result<bool, Error> {
        let mut table = ReportTable::open(self.cases, &["run", "case_idx"])?;
        let mut last = None;
        while table.advance()? {
            if table.is_at_start() {
                self.cx.pulse.breathe().await?;
            }
            let Some(key) = key_of(&table, &self.places, [0, 1]) else { continue };
            if last.is_some_and(|last| key <= last) {
                return Ok(false);
            }
            last = Some(key);
        }
        Ok(true)
    }
}

/// The key of the row that `table` is at, by its columns for run and row.
fn key_of(
    table: &ReportTable,
    places: &HashMap<String, usize>,
    columns: [usize; 2],
) -> Option<RunRow> {
    let [run, idx] = columns;
    Some((*places.get(table.text(run)?)?, table.count(idx)?))
}

/// The case that `table` is at, as its producer judged it, and whether its outcome is a known word.
pub(in crate::readers) fn case<'a>(
    table: &'a ReportTable,
    file: &InputFile,
) -> (CaseRow<'a>, bool) {
    let text = |column: C| table.text(column as usize);
    let number = |column: C| table.number(column as usize);
    let flag = |column: C| table.flag(column as usize);
    let (outcome, score, passed, strategy) = match text(C::OwnOutcome) {
        Some(own) => (Some(own), number(C::OwnScore), flag(C::OwnPassed), text(C::OwnStrategy)),
        None => (text(C::Outcome), number(C::Score), flag(C::Passed), text(C::Strategy)),
    };
    let outcome = outcome.and_then(Outcome::from_text);
    let outcome = outcome.map(|outcome| outcome.with_score(score, passed));
    let row = CaseRow {
        id: text(C::Id),
        is_numeric_id: flag(C::IsNumeric),
        variant: text(C::Variant),
        group: text(C::Group),
        kind: text(C::Kind),
        tags: text(C::Tags),
        outcome: Some(outcome.unwrap_or(Outcome::Unscored).as_str()),
        score,
        passed,
        strategy,
        is_attempted: flag(C::Attempted),
        n_attempts: table.count(C::Attempts as usize),
        duration_secs: number(C::Secs),
        target_secs: number(C::TargetSecs),
        extraction_secs: number(C::ExtractionSecs),
        prompt_tokens: number(C::Prompt),
        completion_tokens: number(C::Completion),
        cached_input_tokens: number(C::Cached),
        cache_write_tokens: number(C::CacheWrite),
        reasoning_tokens: number(C::Reasoning),
        cost_usd: number(C::Cost),
        reward: number(C::Reward),
        answer: table.hash(C::Answer as usize),
        input_hash: table.hash(C::Input as usize),
        expected_hash: table.hash(C::Expected as usize),
        error_category: text(C::Category),
        error_type: text(C::Type),
        error_message: text(C::Message),
        ..CaseRow::default()
    };
    let place = Locator::Row { source: file.id, row: table.row() };
    (row.at(place), outcome.is_some())
}

/// The checks, as they come or gathered by case.
struct ParquetChecks {
    table: Option<ReportTable>,
    ahead: Option<(RunRow, ParquetCheck)>,
    gathered: HashMap<RunRow, Vec<ParquetCheck>>,
    /// Checks whose case is not there.
    n_lost: usize,
}

/// One check.
pub(in crate::readers) struct ParquetCheck {
    /// Its row in the file.
    at: u64,
    attempt: Option<u32>,
    name: Option<String>,
    score: Option<f64>,
    is_correct: Option<bool>,
    weight: Option<f64>,
    verdict: Option<String>,
    duration_secs: Option<f64>,
    attempt_secs: Option<f64>,
    answer: Option<u64>,
    has_reason: bool,
}

impl ParquetChecks {
    /// The next check whose run is known.
    fn next(
        &mut self,
        places: &HashMap<String, usize>,
    ) -> Result<Option<(RunRow, ParquetCheck)>, Error> {
        if let Some(ahead) = self.ahead.take() {
            return Ok(Some(ahead));
        }
        let Some(table) = &mut self.table else { return Ok(None) };
        while table.advance()? {
            match key_of(table, places, [K::Run as usize, K::Idx as usize]) {
                Some(key) => return Ok(Some((key, ParquetCheck::read(table)))),
                None => self.n_lost += 1,
            }
        }
        Ok(None)
    }

    /// The checks of case `key`; in order, those of cases before it that were not asked for are lost.
    fn of(
        &mut self,
        key: RunRow,
        places: &HashMap<String, usize>,
        is_in_order: bool,
    ) -> Result<Vec<ParquetCheck>, Error> {
        if !is_in_order {
            return Ok(self.gathered.remove(&key).unwrap_or_default());
        }
        let mut own = Vec::new();
        while let Some((of, check)) = self.next(places)? {
            if of > key {
                self.ahead = Some((of, check));
                break;
            }
            if of == key {
                own.push(check);
            } else {
                self.n_lost += 1;
            }
        }
        Ok(own)
    }
}

impl ParquetCheck {
    /// The check that `table` is at.
    pub(in crate::readers) fn read(table: &ReportTable) -> Self {
        Self {
            at: table.row(),
            attempt: table.count(K::Attempt as usize),
            name: table.text(K::Name as usize).map(str::to_owned),
            score: table.number(K::Score as usize),
            is_correct: table.flag(K::IsCorrect as usize),
            weight: table.number(K::Weight as usize),
            verdict: table.text(K::Verdict as usize).map(str::to_owned),
            duration_secs: table.number(K::Secs as usize),
            attempt_secs: table.number(K::AttemptSecs as usize),
            answer: table.hash(K::Answer as usize),
            has_reason: table.text(K::Reason as usize).is_some(),
        }
    }

    /// The same as a row; `file` holds its reason.
    pub(in crate::readers) fn row(&self, file: Option<&InputFile>) -> CheckRow<'_> {
        let row = CheckRow {
            attempt: self.attempt,
            name: self.name.as_deref(),
            score: self.score,
            is_correct: self.is_correct,
            weight: self.weight,
            verdict: self.verdict.as_deref(),
            duration_secs: self.duration_secs,
            attempt_secs: self.attempt_secs,
            answer: self.answer,
            ..CheckRow::default()
        };
        match file.filter(|_| self.has_reason) {
            Some(file) => row.reasoned_in_row(file.id, self.at),
            None => row,
        }
    }
}
