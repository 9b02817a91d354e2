//! CTRF, the common report of test runners (<https://ctrf.io>), as reporters of pytest, jest and others write it.
//!
//! Fixtures: `ctrf/pytest-9.2.0` (pytest-json-ctrf 0.6.1), `ctrf/js-runners` (jest-ctrf-json-reporter 0.0.11), with
//! what the runners themselves reported. Recognised by `results` and `reportFormat`; reporters before the format had
//! a name start `results` with `tool`. In a folder of slop-code's it is that producer's.
//!
//! A file is one run. Milliseconds become seconds. `rawStatus` tells what `status` has no word for: pytest's
//! setup and teardown errors, xfail. A collection error leaves no trace at all.

mod declared;
mod detail;
mod test;

use super::records::elements_in;
use super::slop_code::node_keys;
use super::test_case::{Tested, rules};
use super::{
    Bundle, Claim, Claimed, ContentKeys, Context, Error, Format, KeysOf, Producer, ReadEvaluation,
    Reader,
};
use crate::input::json::{Cursor, f64_from_value};
use crate::input::{self, Form, InputFile, LocalFuture, Outline, Shape, ValueKind, outline};
use crate::model::{
    CaseDetail, Config, Evaluation, Locator, NoteKind, Place, Run, RunBuilder, RunKey,
};
use serde_json::{Map, Value};
use std::rc::Rc;
use test::Statuses;

/// The reader.
pub struct Ctrf;

/// What `extra.duration_secs` says where nobody knows how long a test took: the format requires `duration`.
pub const NO_DURATION: &str = "not known";

/// Role of its files.
pub(super) const REPORT: &str = "test report in the CTRF form";

impl Producer for Ctrf {
    fn id(&self) -> &'static str {
        "ctrf"
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        files
            .into_iter()
            .map(|claimed| Bundle { path: claimed.file.path.clone(), files: vec![claimed] })
            .collect()
    }
}

impl Reader for Ctrf {
    fn formats(&self) -> &'static [Format] {
        &[Format {
            files: "ctrf-report.json",
            versions: "0.0.0, 1.0.0; pytest-json-ctrf 0.6, jest-ctrf-json-reporter 0.0.11",
            what: "tests with failures, retries, steps and parameters",
        }]
    }

    fn sniff(&self, file: &InputFile, shape: &Shape) -> Option<Claim> {
        let outline = &shape.outline;
        let is_document = matches!(shape.form, Form::Document | Form::Lines);
        if !is_document || !outline.has("results", ValueKind::Object) {
            return None;
        }
        let why = if outline.has("reportFormat", ValueKind::Text) {
            "results and reportFormat"
        } else if starts_with_tool(file, outline) {
            "results that start with tool"
        } else {
            return None;
        };
        Some(Claim { role: REPORT, generation: None, why })
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

/// Whether `results` starts with `tool`.
fn starts_with_tool(file: &InputFile, outline: &Outline) -> bool {
    const LOOK: u64 = 64;
    let Some(member) = outline.member("results") else { return false };
    let end = member.span.end.min(member.span.start + LOOK);
    let Ok(bytes) = file.bytes(member.span.start..end) else { return false };
    let text = String::from_utf8_lossy(&bytes);
    text.trim_start_matches(['{', ' ', '\n', '\r', '\t']).starts_with("\"tool\"")
}

/// The members of `outline` as trees, except those that `left_out` names; what is broken is noted.
fn small_members(
    file: &InputFile,
    outline: &Outline,
    left_out: &[&str],
    cx: &Context<'_>,
) -> Result<Map<String, Value>, Error> {
    let mut members = Map::new();
    for member in outline.members.iter().filter(|one| !left_out.contains(&one.key.as_str())) {
        let bytes = file.bytes(member.span.clone());
        let bytes = bytes.map_err(|err| Error::from(err).in_file(&file.path))?;
        match Cursor::new(&bytes).tree() {
            Ok(value) => {
                members.insert(member.key.clone(), value);
            }
            Err(err) => {
                let detail = format!("{:?} cannot be read: {}", member.key, err.reason());
                let place = Place::Byte(err.at() + member.span.start);
                cx.notes.add(&file.path, NoteKind::Broken, place, detail);
            }
        }
    }
    Ok(members)
}

async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let Some(claimed) = bundle.files.first() else {
        return Err(Error::new(super::ErrorKind::Gone));
    };
    let file = &claimed.file;
    let in_file = |err: input::Error| Error::from(err).in_file(&file.path);
    let mut top = small_members(file, &claimed.shape.outline, &["results"], cx)?;
    let start = claimed.shape.outline.member("results").map_or(0, |member| member.span.start);
    let results = outline(file, start, cx.pulse).await.map_err(in_file)?;
    let own = small_members(file, &results, &["tests"], cx)?;
    let mut tests: Vec<(Tested, Locator)> = Vec::new();
    let mut statuses = Statuses::default();
    if let Some(member) = results.member("tests") {
        elements_in(file, member.span.clone(), "test", cx, &mut |record| {
            let value = record.read(|cursor| cursor.tree())?;
            let test = test::read(&value, &mut statuses)?;
            let len = record.bytes.len() as u64;
            tests.push((test, Locator::Span { source: file.id, offset: record.offset, len }));
            Ok(())
        })
        .await?;
    }
    if tests.is_empty() {
        let detail =
            "the report holds no test: files that pytest could not collect leave no trace in it";
        cx.notes.add(&file.path, NoteKind::Unfinished, Place::File, detail);
    }
    if results.member("tests").is_none() && results.cut.is_none() {
        let place = Place::Field("results.tests".to_owned());
        cx.notes.add(&file.path, NoteKind::Broken, place, "the report has no list of tests");
    }
    let results = Value::Object(own);
    let text = |pointer: &str| results.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let tool = text("/tool/name");
    let number = |name: &str| results.get("summary")?.get(name).and_then(f64_from_value);
    let key = RunKey {
        suite: tool.clone(),
        subject: None,
        variant: None,
        repeat: 1,
        path: file.path.clone(),
    };
    let mut run = RunBuilder::new(key, file.name().to_owned());
    run.source(file.id);
    // Exporters that do not know the moment have to write one all the same: they write 0.
    run.started_at = number("start").filter(|start| *start > 0.0).and_then(moment);
    run.duration_secs =
        number("start").zip(number("stop")).map(|(start, stop)| (stop - start) / 1000.0);
    run.duration_secs = run.duration_secs.filter(|secs| *secs >= 0.0);
    let has_scores = tests.iter().any(|(test, _)| test.score.is_some());
    for (test, at) in &tests {
        test.add_to(&mut run, *at, has_scores);
    }
    let (declared, unchecked) = declared::of(&file.path, &top, &results, &statuses);
    let mut description: Vec<(String, String)> = Vec::new();
    for (part, prefix) in [("tool", "tool "), ("environment", "")] {
        let members = results.get(part).and_then(Value::as_object).into_iter().flatten();
        let short = |(key, value): (&String, &Value)| {
            let value = super::record_value::short_text(value);
            (!value.is_empty()).then(|| (format!("{prefix}{key}"), value))
        };
        description.extend(members.filter_map(short));
    }
    top.insert("results".to_owned(), results);
    let version = top.get("specVersion").and_then(Value::as_str).unwrap_or_default();
    Ok(Evaluation {
        producer: "ctrf".into(),
        generation: format!("CTRF {version}").trim_end().to_owned(),
        path: bundle.path.clone(),
        label: file.name().to_owned(),
        suite: tool,
        config: Config { description, ..rules(has_scores) },
        declared,
        unchecked,
        declared_json: Value::Object(top),
        rows: Vec::new(),
        runs: vec![run.finish()],
        sources: vec![file.id],
    })
}

/// Milliseconds since 1970 as a moment.
fn moment(millis: f64) -> Option<String> {
    #[expect(clippy::cast_possible_truncation, reason = "milliseconds; absurd ones are refused")]
    let millis = (millis.abs() < 1e15).then_some(millis as i64)?;
    jiff::Timestamp::from_millisecond(millis).ok().map(|at| at.to_string())
}
