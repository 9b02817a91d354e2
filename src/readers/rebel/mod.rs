//! REBEL reports: `test_results_YYYYMMDD_HHMMSS.json`, rebel-eval 0.2.0 (the only release).
//!
//! Source: `rebel.models.evaluation.TestCaseEvaluated`, `rebel.saver`. Fixtures: `rebel/basic`, `edge`
//! (merged groups, all errors), `nonfinite`, `guide` (the example of the guide), `trend`.
//! Recognised by `metadata` (object) and `test_cases` (array).
//!
//! One entry of `test_cases` becomes one case. In files of the tool it is one (test, metric), whose name is
//! not in the file: of entries with the same test name, the position is kept as the case's variant. As the
//! guide describes it, an entry holds several metrics (see `layout`). Where `metrics` has names, they are
//! used. Attempt numbers are not in the file; the position in `evaluation_results` is. Failed requests leave
//! no trace but a shorter list.

mod declared;
mod detail;
mod entry;
mod layout;
mod names;

use super::record_value::iso_from_timestamp;
use super::records::elements;
use super::{
    Bundle, Claim, Claimed, Context, Error, Format, KeysOf, Producer, ReadEvaluation, Reader,
};
use crate::input::json::Cursor;
use crate::input::{Form, InputFile, LocalFuture, Record, Shape, ValueKind};
use crate::model::{
    CaseDetail, CaseRow, CheckRow, Config, Evaluation, Locator, NoteKind, Outcome, Place, Run,
    RunBuilder, RunKey, Verdict,
};
use entry::RebelEntry;
use layout::{ResultLayout, ResultOrder};
use names::EntryNames;
use serde_json::Value;
use std::rc::Rc;

/// The reader.
pub struct Rebel;

const REPORT: &str = "REBEL report";

impl Producer for Rebel {
    fn id(&self) -> &'static str {
        "rebel"
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        files
            .into_iter()
            .map(|claimed| Bundle { path: claimed.file.path.clone(), files: vec![claimed] })
            .collect()
    }
}

impl Reader for Rebel {
    fn formats(&self) -> &'static [Format] {
        &[Format {
            files: "test_results_*.json",
            versions: "rebel-eval 0.2.0",
            what: "attempts, metrics and reasons of each test, judged by the declared strategy",
        }]
    }

    fn sniff(&self, _file: &InputFile, shape: &Shape) -> Option<Claim> {
        let is_report = matches!(shape.form, Form::Document | Form::Lines)
            && shape.outline.has("metadata", ValueKind::Object)
            && shape.outline.has("test_cases", ValueKind::Array);
        is_report.then_some(Claim {
            role: REPORT,
            generation: Some("0.2.0"),
            why: "metadata and test_cases",
        })
    }

    fn read<'a>(
        &'a self,
        bundle: &'a Bundle,
        cx: &'a Context<'a>,
    ) -> LocalFuture<'a, Result<Vec<ReadEvaluation>, Error>> {
        Box::pin(async { read(bundle, cx).await.map(ReadEvaluation::alone) })
    }

    fn detail(&self, bundle: &Bundle, _config: &Config, case: &Run) -> Result<CaseDetail, Error> {
        detail::read(bundle, case)
    }
}

async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let Some(claimed) = bundle.files.first() else {
        return Err(Error::new(super::ErrorKind::Gone));
    };
    let file = &claimed.file;
    let metadata = metadata(claimed, cx)?;
    let entries = entries(claimed, cx).await?;
    let timestamp = metadata.get("timestamp").and_then(Value::as_str);
    let subject = common_model(&entries);
    let key = RunKey { suite: None, variant: None, subject, repeat: 1, path: file.path.clone() };
    let label = timestamp.map_or_else(|| file.name().to_owned(), |at| format!("REBEL {at}"));
    let mut run = RunBuilder::new(key, label.clone());
    run.source(file.id);
    run.started_at = timestamp.map(|at| iso_from_timestamp(at).unwrap_or_else(|| at.to_owned()));
    let order = layout::order_of(&entries);
    let placed: Vec<PlacedEntry<'_>> = entries
        .iter()
        .map(|entry| PlacedEntry { entry, layout: entry.layout(order), file })
        .collect();
    let names = names::of(&placed);
    for (idx, (placed, names)) in placed.iter().zip(&names.of_entries).enumerate() {
        note_attempts(placed, idx, cx);
        placed.add_to(&mut run, names);
    }
    note_order(&placed, order, cx);
    let (declared, unchecked) = declared::of(&file.path.as_str().into(), &metadata, &placed);
    Ok(Evaluation {
        producer: "rebel".into(),
        generation: "0.2.0".to_owned(),
        path: bundle.path.clone(),
        label,
        suite: None,
        config: Config { metrics: names.known, has_any_scores: true, ..Config::default() },
        declared,
        unchecked,
        declared_json: serde_json::json!({ "metadata": metadata }),
        rows: Vec::new(),
        runs: vec![run.finish()],
        sources: vec![file.id],
    })
}

/// The metadata; null, and a note, when they are broken: the test cases stand without them.
fn metadata(claimed: &Claimed, cx: &Context<'_>) -> Result<Value, Error> {
    let file = &claimed.file;
    let outline = &claimed.shape.outline;
    let Some(member) = outline.member("metadata") else { return Ok(Value::Null) };
    let bytes =
        file.bytes(member.span.clone()).map_err(|err| Error::from(err).in_file(&file.path))?;
    Ok(Cursor::new(&bytes).tree().unwrap_or_else(|err| {
        let detail = format!("the metadata cannot be read: {}", err.reason());
        let place = Place::Byte(err.at() + member.span.start);
        cx.notes.add(&file.path, NoteKind::Broken, place, detail);
        Value::Null
    }))
}

/// The entries of `test_cases`; broken ones are noted and left out.
async fn entries(claimed: &Claimed, cx: &Context<'_>) -> Result<Vec<RebelEntry>, Error> {
    let mut entries = Vec::new();
    let mut take = |record: Record<'_>| RebelEntry::read(record).map(|entry| entries.push(entry));
    elements(claimed, "test_cases", "test case", cx, &mut take).await?;
    Ok(entries)
}

/// `api_params.model`, when every entry names the same one.
fn common_model(entries: &[RebelEntry]) -> Option<String> {
    let first = entries.first()?.model.as_ref()?;
    entries.iter().all(|entry| entry.model.as_ref() == Some(first)).then(|| first.clone())
}

/// Says how several metrics in one entry were told apart.
fn note_order(placed: &[PlacedEntry<'_>], order: ResultOrder, cx: &Context<'_>) {
    let is_guessed =
        |placed: &&PlacedEntry<'_>| placed.layout.n_metrics > 1 && placed.layout.stated.is_empty();
    let Some(first) = placed.iter().find(is_guessed) else { return };
    let detail = match order {
        ResultOrder::ByAttempt => {
            "evaluation_results holds several metrics for each attempt: read attempt by attempt, all \
             metrics of the first one first, as the guide lists them; the file does not say it"
        }
        ResultOrder::ByMetric => {
            "evaluation_results holds several metrics for each attempt: read metric by metric, since only \
             so the same answers have the same results; the file does not say it"
        }
    };
    let at = placed.iter().position(|one| std::ptr::eq(one, first)).unwrap_or(0);
    let place = Place::Field(format!("test_cases[{at}].evaluation_results"));
    cx.notes.add(&first.file.path, NoteKind::Assumed, place, detail);
}

fn note_attempts(placed: &PlacedEntry<'_>, idx: usize, cx: &Context<'_>) {
    let PlacedEntry { entry, layout, file } = placed;
    let place = || Place::Field(format!("test_cases[{idx}]"));
    let n_attempts = layout.n_attempts;
    if layout.is_unclear {
        cx.notes.add(
            &file.path,
            NoteKind::Assumed,
            place(),
            "the number of results is neither that of the outputs nor that of metrics × outputs: each \
             result counts as an attempt of its own",
        );
    }
    match entry.retry_count.filter(|_| !layout.is_unclear) {
        Some(count) if n_attempts < count => cx.notes.add(
            &file.path,
            NoteKind::Mismatch,
            place(),
            "fewer results than attempts were planned: failed requests leave no record",
        ),
        Some(count) if n_attempts > count => cx.notes.add(
            &file.path,
            NoteKind::Assumed,
            place(),
            "more results than attempts were planned: groups of equal names were merged, all count",
        ),
        _ => {}
    }
    if entry.strategy.is_none() && entry.results.iter().any(|r| r.judged.verdict != Verdict::Error)
    {
        let detail = format!(
            "aggregation strategy {:?} is unknown, so the recorded result is shown",
            entry.strategy_text.as_deref().unwrap_or("null")
        );
        cx.notes.add(&file.path, NoteKind::Unknown, place(), detail);
    }
    if entry.n_unknown_verdicts > 0 {
        let detail = "a verdict is none of passed, failed, error, and counts as error";
        cx.notes.add(&file.path, NoteKind::Unknown, place(), detail);
    }
    if entry.n_missing_scores > 0 {
        cx.notes.add(
            &file.path,
            NoteKind::Broken,
            place(),
            "a score is not a number, and counts as NaN",
        );
    }
}

/// An entry and where its results belong.
struct PlacedEntry<'a> {
    entry: &'a RebelEntry,
    layout: ResultLayout,
    file: &'a InputFile,
}

impl PlacedEntry<'_> {
    fn add_to(&self, run: &mut RunBuilder, names: &EntryNames) {
        let Self { entry, layout, file } = self;
        let judged = entry.judged();
        let outcome = match judged.map(|judged| judged.verdict) {
            Some(Verdict::Passed) => Outcome::Passed,
            Some(Verdict::Failed) => Outcome::Failed,
            Some(Verdict::Error) => Outcome::Error,
            None => Outcome::Unscored,
        };
        let row = CaseRow {
            tags: entry.tags.as_deref(),
            id: Some(&entry.name),
            variant: names.variant.as_deref(),
            score: judged.map(|judged| judged.score),
            passed: judged.map(|judged| judged.verdict == Verdict::Passed),
            is_attempted: Some(outcome != Outcome::Error),
            n_attempts: u32::try_from(layout.n_attempts).ok(),
            strategy: entry.strategy.map(crate::model::Strategy::as_str),
            duration_secs: entry.duration_secs,
            error_category: (outcome == Outcome::Error).then_some("metric"),
            error_message: (outcome == Outcome::Error)
                .then(|| entry.first_error.as_deref().unwrap_or("All evaluation attempts failed")),
            ..CaseRow::default()
        };
        run.case(row.with_outcome(outcome).with_asked(entry.asked).at(Locator::Span {
            source: file.id,
            offset: entry.offset,
            len: entry.len,
        }));
        for (result, place) in entry.results.iter().zip(&layout.places) {
            let output = (place.attempt as usize).saturating_sub(1);
            let check = CheckRow {
                attempt: Some(place.attempt),
                name: names.metrics.get(place.metric).map(String::as_str),
                score: Some(result.judged.score),
                verdict: Some(result.judged.verdict.as_str()),
                attempt_secs: entry.secs.get(output).copied().flatten(),
                answer: entry.answers.get(output).copied().flatten(),
                ..CheckRow::default()
            };
            run.check(match result.reason {
                Some((offset, len)) => check.reasoned_at(file.id, offset, len),
                None => check,
            });
        }
    }
}
