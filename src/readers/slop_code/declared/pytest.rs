//! `evaluation.json` and `report.json` of G2 against their own lists of tests.

use super::{DeclaredDocument, FigureSheet, UNNUMBERED, VERSION, count};
use crate::input::json::f64_from_value;
use crate::model::{DeclaredValue, Figure, Known, Outcome, Run};
use crate::readers::slop_code::evaluation_g2::PytestFile;
use crate::readers::slop_code::pytest_report::Summary;
use crate::readers::unchecked_claims::Part;
use serde_json::Value;
use std::rc::Rc;

const WALL_CLOCK: &str = "wall-clock seconds of the whole pytest process, its start included";
const HASH: &str =
    "a hash of the tests that were collected; what exactly went into it is not recorded";
const NOT_RUN: &str = "a test that was collected but not run sets it too (v0.3 and later)";
const WITHOUT_SPACE: &str = "tests whose id has no space: v0.3 and v1.0 do not collect the others";
const SPACES: &str = "a version that collects ids with a space counts them too";
const BROKEN_OFF: &str =
    "the file calls the run an infrastructure failure: the tests do not tell how pytest ended";
const UNKNOWN_ENDS: &str =
    "no report.json can be read: it alone tells which tests were skipped and which failed";
const STOPPED: &str =
    "pytest collects more tests than it runs when it stops early or leaves some out";
const CTRF_COUNTS: &str = "how the plugin counts this is not known";

/// Everything that `evaluation.json` at `path` states about `run`. `has_report`: there is a
/// `report.json` that tells skipped tests from failed ones.
pub(in crate::readers::slop_code) fn evaluation(
    sheet: &mut FigureSheet,
    file: &PytestFile,
    path: &Rc<str>,
    run: &Run,
    has_report: bool,
) {
    let mut page = DeclaredDocument::new(sheet, path, "", UNNUMBERED);
    page.counts(&file.pass_counts, &file.total_counts);
    let is_late = file.has_skipped || file.others.contains_key("test_collection_hash");
    if let Some(collected) = file.collected {
        let n_all = file.tests.len() as u64;
        let n_seen = file.tests.iter().filter(|test| !test.id.contains(' ')).count() as u64;
        let value = DeclaredValue::Number(collected);
        if is_late && n_seen < n_all {
            let found = Figure::Found { value: count(n_seen), at: WITHOUT_SPACE.into() };
            let known = Known { why: SPACES.into(), original: Some(count(n_all)) };
            page.put("pytest_collected", value, found, Some(known));
        } else {
            page.put("pytest_collected", value, Figure::Total, None);
        }
    }
    let is_failure = file.is_infrastructure_failure;
    if let Some(code) = file.exit_code {
        let value = DeclaredValue::Number(code);
        let ends = |idx| run.cases.outcome_of(idx);
        let is_bad = |idx| matches!(ends(idx), Outcome::Failed | Outcome::Error);
        let has_bad = (0..run.cases.len()).any(is_bad);
        match is_failure {
            Some(true) => page.unchecked("pytest_exit_code", value, BROKEN_OFF),
            _ if !has_report && !is_late => {
                page.unchecked("pytest_exit_code", value, UNKNOWN_ENDS);
            }
            _ => {
                let ended = Some(count(u64::from(has_bad)));
                page.found("pytest_exit_code", value, ended, "1 when a test fails, else 0");
            }
        }
    }
    if let Some(flag) = is_failure {
        let is_odd_end = !matches!(file.exit_code, Some(code) if code == 0.0 || code == 1.0);
        let is_broken = is_odd_end || file.collected.unwrap_or(0.0) == 0.0;
        let value = DeclaredValue::Bool(is_broken);
        let at = "pytest_exit_code and pytest_collected of the same file";
        let original = Some(DeclaredValue::Bool(true));
        let known = is_late.then_some(Known { why: NOT_RUN.into(), original });
        let stated = DeclaredValue::Bool(flag);
        page.put("infrastructure_failure", stated, Figure::Found { value, at: at.into() }, known);
    }
    if let Some(secs) = file.duration {
        page.unchecked("duration", DeclaredValue::Number(secs), WALL_CLOCK);
    }
    if let Some(version) = file.version {
        page.unchecked("problem_version", DeclaredValue::Number(version), VERSION);
    }
    page.rest(&Value::Object(file.others.clone()), &part);
}

/// What a further member of `evaluation.json` is to the audit.
pub(super) fn part(path: &str) -> Part {
    match path {
        "test_collection_hash" => Part::Unchecked(HASH),
        "version" | "problem_version" | "checkpoint_version" | "schema_version" => {
            Part::Unchecked(VERSION)
        }
        _ => Part::Open,
    }
}

/// Everything that the report at `path` states beside its tests. `exit_code`: that of the
/// evaluation it belongs to.
pub(in crate::readers::slop_code) fn report(
    sheet: &mut FigureSheet,
    summary: &Summary,
    path: &Rc<str>,
    exit_code: Option<f64>,
) {
    let mut page = DeclaredDocument::new(sheet, path, "report.", UNNUMBERED);
    let is_ctrf = summary.stated.get("results").is_some();
    let at = if is_ctrf { "results.summary" } else { "summary" };
    let pointer = format!("/{}", at.replace('.', "/"));
    let counts = summary.stated.pointer(&pointer).and_then(Value::as_object);
    let number = |name: &str| counts?.get(name).and_then(f64_from_value);
    for (name, stated) in counts.into_iter().flatten() {
        let Some(stated) = f64_from_value(stated) else { continue };
        let value = DeclaredValue::Number(stated);
        let field = format!("{at}.{name}");
        let n_listed = count(summary.n_tests);
        match name.as_str() {
            "total" | "tests" => {
                page.found(&field, value, Some(n_listed), "the tests of the same report");
            }
            "collected" => {
                let known = (DeclaredValue::Number(stated) != n_listed
                    && stated > summary.n_tests as f64)
                    .then_some(Known { why: STOPPED.into(), original: None });
                let at = "the tests of the same report";
                page.put(&field, value, Figure::Found { value: n_listed, at: at.into() }, known);
            }
            "passed" | "failed" | "error" | "skipped" | "xfailed" | "xpassed" | "pending"
            | "other" => {
                let n = summary.by_word.get(name).copied().unwrap_or(0);
                page.found(&field, value, Some(count(n)), "the tests of the same report");
            }
            "duration" if is_ctrf => {
                let millis = number("stop").zip(number("start")).map(|(stop, start)| stop - start);
                let millis = millis.map(DeclaredValue::Number);
                page.found(&field, value, millis, "stop − start of the same report");
            }
            _ => {}
        }
    }
    if let Some(code) = summary.stated.get("exitcode").and_then(f64_from_value) {
        let of_evaluation = exit_code.map(DeclaredValue::Number);
        let at = "pytest_exit_code of evaluation.json";
        page.found("exitcode", DeclaredValue::Number(code), of_evaluation, at);
    }
    page.rest(&summary.stated, &|path| match path {
        "created" | "results.summary.start" | "results.summary.stop" => Part::Other,
        "duration" => Part::Unchecked(WALL_CLOCK),
        "results.summary.suites" | "results.summary.flaky" => Part::Unchecked(CTRF_COUNTS),
        _ => Part::Open,
    });
}
