//! `evaluation/report.json`: what pytest said of each test, in the two forms that were used.
//!
//! Producer's definition: pytest-json-report 1.5 (from 77c199b on), CTRF by pytest-json-ctrf
//! (2a9800e). Fixtures: `g2/feeab5a`, `g2/v1.0` (json-report), `g2/2a9800e` (CTRF).

use super::evaluation_g1::owned;
use super::evaluation_g2::outcome;
use super::role;
use crate::input::json::Cursor;
use crate::input::{self, ValueKind, each_element};
use crate::model::{Locator, NoteKind, Outcome, Place};
use crate::readers::{Claimed, Context, Error};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, VecDeque};

/// Bytes of a failure text that the import keeps; the rest is read on demand.
const TEXT_KEPT: usize = 8 << 10;

/// What a report says of one test.
#[derive(Debug, Default, Clone)]
pub(super) struct Reported {
    /// What came of it.
    pub(super) outcome: Option<Outcome>,
    /// Seconds over all phases.
    pub(super) duration_secs: Option<f64>,
    /// First part of the failure text.
    pub(super) message: Option<String>,
    /// Phase that failed: `setup`, `call`, `teardown`.
    pub(super) phase: Option<&'static str>,
    /// Place of the test's record.
    pub(super) at: Option<Locator>,
}

/// What a report says of itself, beside its tests.
#[derive(Debug, Default)]
pub(super) struct Summary {
    /// Its members except for lists of tests, collectors and warnings, and the environment.
    pub(super) stated: Value,
    /// Number of tests in its list.
    pub(super) n_tests: u64,
    /// Tests by what came of them, in the report's own words.
    pub(super) by_word: HashMap<String, u64>,
}

impl Summary {
    fn count(&mut self, word: Option<&str>) {
        self.n_tests += 1;
        if let Some(word) = word {
            *self.by_word.entry(word.to_owned()).or_default() += 1;
        }
    }
}

/// Tests by file's checkpoint (`None`: the file name has none) and id; a repeated key has several.
#[derive(Debug, Default)]
pub(super) struct PytestReport {
    /// What it says of itself.
    pub(super) summary: Summary,
    /// Whether some of its tests cannot be read: what it does not name may be among them.
    pub(super) is_damaged: bool,
    tests: HashMap<(Option<String>, String), VecDeque<Reported>>,
    order: Vec<(Option<String>, String)>,
}

impl PytestReport {
    /// Takes out the next record of a test.
    pub(super) fn take(&mut self, checkpoint: Option<&str>, id: &str) -> Option<Reported> {
        let found = |key: &(Option<String>, String)| self.tests.contains_key(key);
        let key = [(checkpoint.map(str::to_owned), id.to_owned()), (None, id.to_owned())]
            .into_iter()
            .find(found)?;
        let tests = self.tests.get_mut(&key)?;
        let next = tests.pop_front();
        if tests.is_empty() {
            self.tests.remove(&key);
        }
        next
    }

    /// What nobody took, in file order.
    pub(super) fn rest(mut self) -> Vec<(Option<String>, String, Reported)> {
        let order = std::mem::take(&mut self.order);
        order
            .into_iter()
            .filter_map(|key| {
                let next = self.tests.get_mut(&key)?.pop_front()?;
                Some((key.0, key.1, next))
            })
            .collect()
    }

    fn add(&mut self, nodeid: &str, reported: Reported) {
        let (file, id) = nodeid.split_once("::").unwrap_or((nodeid, nodeid));
        let key = (checkpoint_of(file).map(str::to_owned), id.to_owned());
        self.order.push(key.clone());
        self.tests.entry(key).or_default().push_back(reported);
    }
}

/// Checkpoint that the name of a test file names: `…/test_checkpoint_1.py`.
pub(super) fn checkpoint_of(file: &str) -> Option<&str> {
    let name = file.rsplit('/').next()?;
    name.strip_prefix("test_")?.strip_suffix(".py")
}

/// Reads the tests of a report. Damage costs what comes after it, and leaves a note.
///
/// # Errors
/// When it cannot be read, or the work is cancelled.
pub(super) async fn read(claimed: &Claimed, cx: &Context<'_>) -> Result<PytestReport, Error> {
    let file = &claimed.file;
    let in_file = |err: input::Error| Error::from(err).in_file(&file.path);
    cx.pulse.set_file(&file.path);
    let mut report = PytestReport::default();
    let mut counted = 0;
    if claimed.claim.role == role::CTRF {
        let bytes = file.all_bytes().map_err(in_file)?;
        if let Err(err) = ctrf(&bytes, &mut report, file.id) {
            note_cut(cx, &file.path, &err, &mut report);
        }
    } else if let Some(member) = claimed.shape.outline.member("tests") {
        report.summary.stated = members(claimed);
        counted = member.span.end.saturating_sub(member.span.start);
        let tail = each_element(file, member.span.clone(), cx.pulse, &mut |record| {
            let summary = &mut report.summary;
            let (nodeid, mut reported) = match json_report_test(record.bytes, summary) {
                Ok(test) => test,
                Err(err) => {
                    report.is_damaged = true;
                    let at = Place::Byte(record.offset + err.at());
                    cx.notes.add(&file.path, err.note_kind(), at, err.to_string());
                    return Ok(());
                }
            };
            let len = record.bytes.len() as u64;
            reported.at = Some(Locator::Span { source: file.id, offset: record.offset, len });
            if let Some(nodeid) = nodeid {
                report.add(&nodeid, reported);
            }
            Ok(())
        })
        .await;
        match tail {
            Ok(tail) => {
                if let Some((_, _, err)) = tail.cut {
                    note_cut(cx, &file.path, &err, &mut report);
                }
            }
            Err(err) if err.is_cancelled() => return Err(err.into()),
            Err(err) => note_cut(cx, &file.path, &err, &mut report),
        }
    } else if let Some(err) = &claimed.shape.outline.cut {
        note_cut(cx, &file.path, err, &mut report);
    }
    cx.pulse.advance(file.len().saturating_sub(counted)).await?;
    Ok(report)
}

/// Small members of a pytest-json-report, beside its lists.
fn members(claimed: &Claimed) -> Value {
    const LARGEST: u64 = 1 << 20;
    const LISTS: [&str; 4] = ["tests", "collectors", "warnings", "environment"];
    let mut map = Map::new();
    for member in &claimed.shape.outline.members {
        let len = member.span.end.saturating_sub(member.span.start);
        if LISTS.contains(&member.key.as_str()) || len > LARGEST {
            continue;
        }
        let bytes = claimed.file.bytes(member.span.clone()).unwrap_or_default();
        if let Ok(value) = Cursor::new(&bytes).tree() {
            map.insert(member.key.clone(), value);
        }
    }
    Value::Object(map)
}

fn note_cut(cx: &Context<'_>, path: &str, err: &input::Error, report: &mut PytestReport) {
    report.is_damaged = true;
    let detail = format!("{err}; durations and failures of the tests before it are used");
    cx.notes.add(path, NoteKind::Truncated, Place::Byte(err.at()), detail);
}

/// Node id and record of one test of pytest-json-report.
fn json_report_test(
    bytes: &[u8],
    summary: &mut Summary,
) -> Result<(Option<String>, Reported), input::Error> {
    let mut reported = Reported::default();
    let (mut nodeid, mut word) = (None, None);
    let mut phases: [TestPhase; 3] = Default::default();
    Cursor::new(bytes).each_field(|key, cursor| {
        match key {
            "nodeid" => nodeid = owned(cursor)?,
            "outcome" => word = owned(cursor)?,
            // The order in which the original looks for the failure text.
            "call" => phases[0] = phase(cursor)?,
            "setup" => phases[1] = phase(cursor)?,
            "teardown" => phases[2] = phase(cursor)?,
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    })?;
    reported.outcome = word.as_deref().and_then(outcome);
    summary.count(word.as_deref());
    let [call, setup, teardown] = &phases;
    // As the original adds them up.
    reported.duration_secs = [setup, call, teardown]
        .into_iter()
        .filter_map(|phase| phase.duration)
        .reduce(|sum, secs| sum + secs);
    if matches!(reported.outcome, Some(Outcome::Failed | Outcome::Error)) {
        let named = ["call", "setup", "teardown"].into_iter().zip(phases);
        let failed = named
            .clone()
            .find(|(_, phase)| phase.is_failed)
            .or_else(|| named.clone().find(|(_, phase)| phase.text.is_some()));
        if let Some((name, phase)) = failed {
            reported.phase = Some(name);
            reported.message = phase.text;
        }
    }
    Ok((nodeid, reported))
}

#[derive(Debug, Default, Clone)]
struct TestPhase {
    duration: Option<f64>,
    is_failed: bool,
    text: Option<String>,
}

fn phase(cursor: &mut Cursor<'_>) -> Result<TestPhase, input::Error> {
    let mut phase = TestPhase::default();
    let (mut crash, mut longrepr) = (None, None);
    cursor.each_field(|key, cursor| {
        match key {
            "duration" => phase.duration = cursor.number()?,
            "outcome" => {
                phase.is_failed = matches!(cursor.text()?.as_deref(), Some("failed" | "error"));
            }
            "crash" => {
                cursor.each_field(|key, cursor| {
                    if key == "message" {
                        crash = head(cursor)?;
                    } else {
                        cursor.skip()?;
                    }
                    Ok(())
                })?;
            }
            "longrepr" => longrepr = head(cursor)?,
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    })?;
    phase.text = crash.or(longrepr);
    Ok(phase)
}

/// The first part of the text that comes next.
fn head(cursor: &mut Cursor<'_>) -> Result<Option<String>, input::Error> {
    if cursor.kind()? != ValueKind::Text {
        cursor.skip()?;
        return Ok(None);
    }
    let span = cursor.skip()?;
    let end = span.end.saturating_sub(1).min(span.start + 1 + TEXT_KEPT);
    let text = input::json::unescape(cursor.slice(span.start + 1..end));
    Ok((!text.is_empty()).then(|| text.into_owned()))
}

/// Tests of a CTRF document.
fn ctrf(
    bytes: &[u8],
    report: &mut PytestReport,
    source: crate::model::SourceId,
) -> Result<(), input::Error> {
    Cursor::new(bytes).each_field(|key, cursor| {
        if key != "results" {
            cursor.skip()?;
            return Ok(());
        }
        cursor.each_field(|key, cursor| {
            if key == "summary" {
                report.summary.stated = json!({"results": {"summary": cursor.tree()?}});
                return Ok(());
            }
            if key != "tests" {
                cursor.skip()?;
                return Ok(());
            }
            cursor.each_item(|cursor| {
                cursor.kind()?;
                let start = cursor.at();
                let (name, mut reported) = ctrf_test(cursor, &mut report.summary)?;
                let len = (cursor.at() - start) as u64;
                reported.at = Some(Locator::Span { source, offset: start as u64, len });
                if let Some(name) = name {
                    report.add(&name, reported);
                }
                Ok(())
            })?;
            Ok(())
        })?;
        Ok(())
    })?;
    Ok(())
}

fn ctrf_test(
    cursor: &mut Cursor<'_>,
    summary: &mut Summary,
) -> Result<(Option<String>, Reported), input::Error> {
    let mut reported = Reported::default();
    let (mut name, mut message, mut trace, mut raw, mut word) = (None, None, None, None, None);
    cursor.each_field(|key, cursor| {
        match key {
            "name" => name = owned(cursor)?,
            "status" => word = owned(cursor)?,
            "rawStatus" => raw = owned(cursor)?,
            "duration" => {
                reported.duration_secs = cursor.number()?.map(|millis| millis / 1000.0);
            }
            "message" => message = head(cursor)?,
            "trace" => trace = head(cursor)?,
            _ => {
                cursor.skip()?;
            }
        }
        Ok(())
    })?;
    reported.outcome = word.as_deref().and_then(outcome);
    summary.count(word.as_deref());
    if reported.outcome == Some(Outcome::Failed) {
        reported.message = message.or(trace);
        let raw = raw.as_deref().unwrap_or_default();
        reported.phase =
            ["setup", "call", "teardown"].into_iter().find(|phase| raw.starts_with(phase));
    }
    Ok((name, reported))
}

/// Type of the exception that a failure text starts with: `AssertionError: …`.
pub(super) fn error_type(message: &str) -> Option<&str> {
    let word = message.lines().next()?.split(':').next()?.trim();
    let is_name = word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let last = word.rsplit('.').next()?;
    (is_name && last.starts_with(char::is_uppercase)).then_some(word)
}
