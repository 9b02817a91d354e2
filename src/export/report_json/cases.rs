//! The cases of a run, one at a time: as members of the report, and as JSONL.

use super::put;
use crate::export::columns::RunCx;
use crate::export::job::{ExportContext, ExportFormat};
use crate::export::selection::{CaseBatch, ExportContents};
use crate::model::{CaseDetail, CaseTable, F64, Run, TAG_SEPARATOR, ValueColumn};
use crate::readers::{self, TextPlace};
use crate::report::{Num, RunRef};
use crate::workspace::{Entry, Need, Workspace};
use serde::Serialize;
use serde::ser::{Error as _, SerializeMap, Serializer};
use std::io;

/// One JSON object for each case: what the report says of it, after what it says of its run.
pub(in crate::export) struct CasesJsonl;

impl ExportFormat for CasesJsonl {
    fn needs(&self, cx: &ExportContext<'_>, piece: &CaseBatch) -> Vec<Need> {
        piece.reasons(cx.workspace, |_, _, _| true)
    }

    fn piece(
        &mut self,
        cx: &ExportContext<'_>,
        piece: &CaseBatch,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Some(run) = RunCx::new(cx.workspace, piece.run) else { return Ok(()) };
        let writer = CaseWriter::new(cx.workspace, run.entry, run.run, piece.run);
        for idx in piece.rows() {
            put(out, &CaseJson { writer: &writer, idx, of_run: Some(&run) })?;
            out.push(b'\n');
        }
        Ok(())
    }
}

/// Writes the cases of one run; members that no case of the run has are left out.
pub(super) struct CaseWriter<'a> {
    workspace: &'a Workspace,
    entry: &'a Entry,
    run: &'a Run,
    at: RunRef,
    /// The run as its producer judged it, when the rules in force judge it otherwise.
    recorded: Option<&'a Run>,
    carried: Option<&'a ExportContents>,
    has_group: bool,
    has_kind: bool,
    has_attempts: bool,
    has_duration: bool,
    has_check_score: bool,
    has_is_correct: bool,
    has_weight: bool,
    has_verdict: bool,
    has_reason: bool,
}

impl<'a> CaseWriter<'a> {
    /// For the cases of `run`, which is run `at` of `entry`.
    pub(super) fn new(
        workspace: &'a Workspace,
        entry: &'a Entry,
        run: &'a Run,
        at: RunRef,
    ) -> Self {
        let (cases, checks) = (&run.cases, &run.checks);
        let recorded = entry.recorded_runs().get(at.run as usize);
        Self {
            workspace,
            entry,
            run,
            at,
            recorded: recorded.filter(|_| entry.is_rejudged()),
            carried: None,
            has_group: cases.group.array().is_some(),
            has_kind: cases.kind.array().is_some(),
            has_attempts: cases.n_attempts.array().is_some(),
            has_duration: cases.duration_secs.array().is_some(),
            has_check_score: checks.score.array().is_some(),
            has_is_correct: checks.is_correct.array().is_some(),
            has_weight: checks.weight.array().is_some(),
            has_verdict: checks.verdict.array().is_some(),
            has_reason: checks.reason_source.array().is_some(),
        }
    }

    /// With what is `carried` of the files.
    pub(super) fn carrying(self, carried: &'a ExportContents) -> Self {
        Self { carried: Some(carried), ..self }
    }

    /// Writes case `idx`, member by member: a tree of each would cost several times as much.
    pub(super) fn write(&self, out: &mut Vec<u8>, idx: usize) -> io::Result<()> {
        put(out, &CaseJson { writer: self, idx, of_run: None })
    }
}

/// Writes case `idx` of `run`, which is run `at`, with what the selection carries of the files.
pub(in crate::export) fn case_json(
    cx: &ExportContext<'_>,
    run: &RunCx<'_>,
    at: RunRef,
    idx: usize,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let writer = CaseWriter::new(cx.workspace, run.entry, run.run, at);
    writer.carrying(&cx.selection.carried).write(out, idx)
}

/// Case `idx` as a JSON object.
struct CaseJson<'a> {
    writer: &'a CaseWriter<'a>,
    idx: usize,
    /// Its run, where the case stands for itself.
    of_run: Option<&'a RunCx<'a>>,
}

impl Serialize for CaseJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { writer, idx, of_run } = *self;
        let cases = &writer.run.cases;
        let mut case = serializer.serialize_map(None)?;
        if let Some(RunCx { entry, run, key, .. }) = of_run {
            case.serialize_entry("evaluation", &entry.key)?;
            case.serialize_entry("run", key)?;
            case.serialize_entry("suite", &run.key.suite)?;
            if let Some(variant) = &run.key.variant {
                case.serialize_entry("run_variant", variant)?;
            }
            case.serialize_entry("subject", &run.key.subject)?;
            case.serialize_entry("repeat", &run.key.repeat)?;
            case.serialize_entry("case_idx", &idx)?;
        }
        let number = case_number(writer.run, idx);
        match &number {
            Some(number) => case.serialize_entry("id", number)?,
            None => case.serialize_entry("id", &cases.id.get(idx))?,
        }
        if let Some(id) = cases.id.get(idx).filter(|_| cases.is_numeric_id.get(idx) == Some(true))
            && number.is_none_or(|number| number.to_string() != id)
        {
            case.serialize_entry("id_number", id)?;
        }
        if writer.has_group {
            case.serialize_entry("group", &cases.group.get(idx))?;
        }
        if writer.has_kind {
            case.serialize_entry("kind", &cases.kind.get(idx))?;
        }
        if let Some(variant) = cases.variant.get(idx) {
            case.serialize_entry("variant", variant)?;
        }
        if let Some(tags) = cases.tags.get(idx) {
            case.serialize_entry("tags", &tags.split(TAG_SEPARATOR).collect::<Vec<_>>())?;
        }
        if let Some(strategy) = cases.strategy.get(idx) {
            case.serialize_entry("strategy", strategy)?;
        }
        case.serialize_entry("score", &cases.score.get(idx).map(Num))?;
        case.serialize_entry("outcome", cases.outcome_of(idx).as_str())?;
        case.serialize_entry("passed", &cases.passed.get(idx))?;
        if let Some(recorded) = writer.recorded.filter(|run| run.cases.is_otherwise(idx, cases)) {
            case.serialize_entry("as_declared", &Recorded::new(&recorded.cases, idx))?;
        }
        if let Some(is_attempted) = cases.is_attempted.get(idx) {
            case.serialize_entry("attempted", &is_attempted)?;
        }
        if writer.has_attempts {
            case.serialize_entry("n_attempts", &cases.n_attempts.get(idx))?;
        }
        if writer.has_duration {
            case.serialize_entry("duration_secs", &cases.duration_secs.get(idx).map(Num))?;
        }
        if let Some(reward) = cases.reward.get(idx) {
            case.serialize_entry("reward", &Num(reward))?;
        }
        for (name, column) in numbers(cases) {
            if let Some(number) = column.get(idx) {
                case.serialize_entry(name, &Num(number))?;
            }
        }
        let hashes = [
            ("answer", &cases.answer),
            ("input_hash", &cases.input_hash),
            ("expected_hash", &cases.expected_hash),
        ];
        for (name, column) in hashes {
            if let Some(hash) = column.get(idx) {
                case.serialize_entry(name, &hash.to_string())?;
            }
        }
        let error = CaseError {
            category: cases.error_category.get(idx),
            kind: cases.error_type.get(idx),
            message: cases.error_message.get(idx),
        };
        if error.category.or(error.kind).or(error.message).is_some() {
            case.serialize_entry("error", &error)?;
        }
        case.serialize_entry("checks", &ChecksJson(self))?;
        if let Some(carried) = writer.carried.filter(|own| own.is_of(writer.at, idx)) {
            let row = u32::try_from(idx).map_err(S::Error::custom)?;
            write_detail(&mut case, writer.workspace.detail(writer.at, row), carried)?;
        }
        case.end()
    }
}

/// How a case was judged.
#[derive(Serialize)]
struct Recorded<'a> {
    outcome: &'static str,
    score: Option<Num>,
    passed: Option<bool>,
    strategy: Option<&'a str>,
}

impl<'a> Recorded<'a> {
    fn new(cases: &'a CaseTable, idx: usize) -> Self {
        Self {
            outcome: cases.outcome_of(idx).as_str(),
            score: cases.score.get(idx).map(Num),
            passed: cases.passed.get(idx),
            strategy: cases.strategy.get(idx),
        }
    }
}

/// The numbers of a case that are left out where they are not known, with their names.
fn numbers(cases: &CaseTable) -> [(&'static str, &ValueColumn<F64>); 8] {
    [
        ("target_secs", &cases.target_secs),
        ("extraction_secs", &cases.extraction_secs),
        ("prompt_tokens", &cases.prompt_tokens),
        ("completion_tokens", &cases.completion_tokens),
        ("cached_input_tokens", &cases.cached_input_tokens),
        ("cache_write_tokens", &cases.cache_write_tokens),
        ("reasoning_tokens", &cases.reasoning_tokens),
        ("cost_usd", &cases.cost_usd),
    ]
}

/// What the files hold about a case, as far as it is carried; why not, when they cannot be read.
fn write_detail<M: SerializeMap>(
    case: &mut M,
    detail: Result<CaseDetail, readers::Error>,
    carried: &ExportContents,
) -> Result<(), M::Error> {
    let mut detail = match detail {
        Ok(detail) => detail,
        Err(err) => return case.serialize_entry("detail_error", &err.to_string()),
    };
    let transcript = std::mem::take(&mut detail.transcript);
    let turns = std::mem::take(&mut detail.turns);
    let raw = std::mem::take(&mut detail.raw);
    if carried.details {
        case.serialize_entry("detail", &detail)?;
    }
    if carried.transcripts {
        case.serialize_entry("transcript", &transcript)?;
        case.serialize_entry("turns", &turns)?;
    }
    if carried.raw {
        case.serialize_entry("raw", &raw)?;
    }
    Ok(())
}

/// What is known of a case's error.
#[derive(Serialize)]
struct CaseError<'a> {
    category: Option<&'a str>,
    #[serde(rename = "type")]
    kind: Option<&'a str>,
    message: Option<&'a str>,
}

/// The checks of a case as a JSON list.
struct ChecksJson<'a>(&'a CaseJson<'a>);

impl Serialize for ChecksJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let CaseJson { writer, idx, .. } = *self.0;
        serializer.collect_seq(writer.run.checks_of(idx).map(|at| CheckJson { writer, at }))
    }
}

/// Check `at` as a JSON object.
struct CheckJson<'a> {
    writer: &'a CaseWriter<'a>,
    at: usize,
}

impl Serialize for CheckJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { writer, at } = *self;
        let checks = &writer.run.checks;
        let mut check = serializer.serialize_map(None)?;
        check.serialize_entry("attempt", &checks.attempt.get(at))?;
        check.serialize_entry("name", &checks.name.get(at))?;
        if writer.has_check_score {
            check.serialize_entry("score", &checks.score.get(at).map(Num))?;
        }
        if writer.has_is_correct {
            check.serialize_entry("is_correct", &checks.is_correct.get(at))?;
        }
        if writer.has_weight {
            check.serialize_entry("weight", &checks.weight.get(at).map(Num))?;
        }
        if writer.has_verdict {
            check.serialize_entry("verdict", &checks.verdict.get(at))?;
        }
        if let Some(secs) = checks.duration_secs.get(at) {
            check.serialize_entry("duration_secs", &Num(secs))?;
        }
        if let Some(secs) = checks.attempt_secs.get(at) {
            check.serialize_entry("attempt_secs", &Num(secs))?;
        }
        if let Some(answer) = checks.answer.get(at) {
            check.serialize_entry("answer", &answer.to_string())?;
        }
        if writer.has_reason {
            let text = |at| writer.workspace.text(writer.entry.id, TextPlace::whole(at));
            let reason = checks.reason_of(at).and_then(text);
            check.serialize_entry("reason", &reason)?;
        }
        check.end()
    }
}

/// The id as a number, when the file writes it as one.
fn case_number(run: &Run, idx: usize) -> Option<serde_json::Number> {
    let is_number = run.cases.is_numeric_id.get(idx) == Some(true);
    run.cases.id.get(idx).filter(|_| is_number).and_then(|id| serde_json::from_str(id).ok())
}
