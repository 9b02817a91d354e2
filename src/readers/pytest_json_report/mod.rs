//! pytest-json-report: `.report.json` of pytest's plugin of that name, 1.5.
//!
//! Fixtures: `pytest-json-report/pytest-9.2.0` (all, without some members, summary alone, a collection error), with
//! what pytest itself reported. Recognised by `created`, `exitcode` and `summary`. In a folder of slop-code's it is
//! that producer's.
//!
//! A file is one run. Words of `outcome` are open: a test that passed when it was run again stays `rerun`, and
//! one with subtests ends as `subtests passed` whatever became of the others. Files that could not be collected are
//! cases that ended in an error.

mod declared;
mod detail;
mod test;

use super::records::elements;
use super::slop_code::node_keys;
use super::test_case::{Tested, rules};
use super::{
    Bundle, Claim, Claimed, ContentKeys, Context, Error, Format, KeysOf, Producer, ReadEvaluation,
    Reader,
};
use crate::input::json::{Cursor, f64_from_value};
use crate::input::{Form, InputFile, LocalFuture, Shape, ValueKind};
use crate::model::{
    CaseDetail, Config, Evaluation, Locator, NoteKind, Place, Run, RunBuilder, RunKey,
};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The reader.
pub struct PytestJsonReport;

/// Role of its files.
pub(super) const REPORT: &str = "report of pytest-json-report";

impl Producer for PytestJsonReport {
    fn id(&self) -> &'static str {
        "pytest-json-report"
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        files
            .into_iter()
            .map(|claimed| Bundle { path: claimed.file.path.clone(), files: vec![claimed] })
            .collect()
    }
}

impl Reader for PytestJsonReport {
    fn formats(&self) -> &'static [Format] {
        &[Format {
            files: ".report.json",
            versions: "pytest-json-report 1.5",
            what: "tests with phases, outputs, metadata; files that could not be collected",
        }]
    }

    fn sniff(&self, _file: &InputFile, shape: &Shape) -> Option<Claim> {
        let outline = &shape.outline;
        let is_report = matches!(shape.form, Form::Document | Form::Lines)
            && outline.has("exitcode", ValueKind::Number)
            && outline.has("created", ValueKind::Number)
            && (outline.has("summary", ValueKind::Object) || outline.has("root", ValueKind::Text));
        is_report.then_some(Claim {
            role: REPORT,
            generation: Some("1.5"),
            why: "created, exitcode and summary",
        })
    }

    fn content_keys(&self, claimed: &Claimed) -> ContentKeys {
        node_keys(claimed)
    }

    /// Whether it is a run's of slop-code is told by its tests.
    fn is_told_by_content(&self, _claim: &Claim) -> bool {
        true
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
    let mut top = Map::new();
    for key in ["created", "duration", "exitcode", "root", "environment", "summary"] {
        let Some(member) = claimed.shape.outline.member(key) else { continue };
        let bytes = file.bytes(member.span.clone());
        let bytes = bytes.map_err(|err| Error::from(err).in_file(&file.path))?;
        if let Ok(value) = Cursor::new(&bytes).tree() {
            top.insert(key.to_owned(), value);
        }
    }
    let mut tests: Vec<(Tested, Locator)> = Vec::new();
    let mut outcomes: HashMap<String, usize> = HashMap::new();
    let mut models: HashSet<String> = HashSet::new();
    elements(claimed, "tests", "test", cx, &mut |record| {
        let value = record.read(|cursor| cursor.tree())?;
        let test = test::read(&value)?;
        let word = value.get("outcome").and_then(Value::as_str).unwrap_or_default();
        *outcomes.entry(word.to_owned()).or_default() += 1;
        let model = value.pointer("/metadata/model").and_then(Value::as_str);
        models.extend(model.map(str::to_owned));
        let len = record.bytes.len() as u64;
        tests.push((test, Locator::Span { source: file.id, offset: record.offset, len }));
        Ok(())
    })
    .await?;
    let n_tests = tests.len();
    elements(claimed, "collectors", "collector", cx, &mut |record| {
        let value = record.read(|cursor| cursor.tree())?;
        if let Some(broken) = test::collector(&value) {
            let len = record.bytes.len() as u64;
            tests.push((broken, Locator::Span { source: file.id, offset: record.offset, len }));
        }
        Ok(())
    })
    .await?;
    note(claimed, &top, n_tests, tests.len() - n_tests, &outcomes, cx);
    let top = Value::Object(top);
    let number = |name: &str| top.get(name).and_then(f64_from_value);
    let key = RunKey {
        suite: Some("pytest".to_owned()),
        subject: (models.len() == 1).then(|| models.into_iter().next()).flatten(),
        variant: None,
        repeat: 1,
        path: file.path.clone(),
    };
    let mut run = RunBuilder::new(key, file.name().to_owned());
    run.source(file.id);
    run.duration_secs = number("duration").filter(|secs| *secs >= 0.0);
    let started = number("created").zip(run.duration_secs).map(|(end, secs)| end - secs);
    run.started_at = started.and_then(moment);
    let has_scores = tests.iter().any(|(test, _)| test.score.is_some());
    for (test, at) in &tests {
        test.add_to(&mut run, *at, has_scores);
    }
    let (declared, unchecked) = declared::of(&file.path, &top, &outcomes, n_tests, claimed);
    let environment = top.get("environment").and_then(Value::as_object).into_iter().flatten();
    let description = environment
        .map(|(key, value)| (key.clone(), super::record_value::short_text(value)))
        .chain(
            top.get("root").map(|root| ("root".to_owned(), super::record_value::short_text(root))),
        )
        .collect();
    Ok(Evaluation {
        producer: "pytest-json-report".into(),
        generation: "1.5".to_owned(),
        path: bundle.path.clone(),
        label: file.name().to_owned(),
        suite: Some("pytest".to_owned()),
        config: Config { description, ..rules(has_scores) },
        declared,
        unchecked,
        declared_json: top,
        rows: Vec::new(),
        runs: vec![run.finish()],
        sources: vec![file.id],
    })
}

/// Says what the report leaves open.
fn note(
    claimed: &Claimed,
    top: &Map<String, Value>,
    n_tests: usize,
    n_broken: usize,
    outcomes: &HashMap<String, usize>,
    cx: &Context<'_>,
) {
    let path = &claimed.file.path;
    let outline = &claimed.shape.outline;
    let total =
        top.get("summary").and_then(|summary| summary.get("total")).and_then(f64_from_value);
    let has_total = total.is_some_and(|total| total > 0.0);
    if outline.member("tests").is_none() && outline.cut.is_none() && has_total {
        let detail =
            "a summary alone: the report was written without its tests (--json-report-summary)";
        cx.notes.add(path, NoteKind::MissingPartner, Place::Field("tests".to_owned()), detail);
    }
    let code = top.get("exitcode").and_then(f64_from_value);
    if n_tests == 0 && n_broken == 0 && !has_total {
        let detail = match code {
            Some(code) if code > 1.0 => format!(
                "pytest ended with exit code {code} and no test: files that could not be collected are not listed"
            ),
            _ => "no test was run".to_owned(),
        };
        cx.notes.add(path, NoteKind::Unfinished, Place::File, detail);
    }
    if outcomes.contains_key("subtests passed") {
        let detail = "a test ends as \"subtests passed\": the report keeps its last subtest only, so that it does not \
                      say whether all of them passed";
        cx.notes.add(path, NoteKind::Assumed, Place::Field("tests[].outcome".to_owned()), detail);
    }
    if outcomes.contains_key("rerun") {
        let detail = "a test ends as \"rerun\": it counts with the outcome of its last run";
        cx.notes.add(path, NoteKind::Assumed, Place::Field("tests[].outcome".to_owned()), detail);
    }
}

/// Seconds since 1970 as a moment.
fn moment(secs: f64) -> Option<String> {
    #[expect(clippy::cast_possible_truncation, reason = "milliseconds; absurd ones are refused")]
    let millis = (secs.abs() < 1e12).then_some((secs * 1000.0) as i64)?;
    jiff::Timestamp::from_millisecond(millis).ok().map(|at| at.to_string())
}
