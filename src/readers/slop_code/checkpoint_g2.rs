//! A checkpoint of G2: `evaluation.json` and the pytest report.
//!
//! `evaluation.json` decides what passed; the report adds durations, what was an error or skipped,
//! and failure texts. A report alone gives tests without kinds. Producer's definition:
//! `pytest_runner` and `CorrectnessResults` of 2a9800e – v1.0. Fixtures: `g2/*`; `g2/feeab5a` has a
//! skipped test in the bucket `failed`.

use super::bundle::CheckpointFiles;
use super::checkpoint::{Built, builder, evaluation_bytes, key, kind, note_cut, note_strangers};
use super::declared::{self, FigureSheet};
use super::evaluation_g2::{self, PytestFile, split_group};
use super::pytest_report::{self, PytestReport, Reported};
use crate::model::{
    CaseRow, GroupInfo, Kind, Locator, NoteKind, Outcome, Place, RunBuilder, RunState,
};
use crate::readers::{Claimed, Context, Error};
use std::collections::HashSet;
use std::rc::Rc;

/// Reads the checkpoint.
///
/// # Errors
/// When the work is cancelled, or the report cannot be read.
pub(super) async fn read(
    unit: &CheckpointFiles,
    evaluation: Option<&Rc<Claimed>>,
    cx: &Context<'_>,
) -> Result<Built, Error> {
    let mut file = PytestFile::default();
    // Tests that are missing beside what cannot be read are no disagreement.
    let mut is_damaged = false;
    let mut generation = "G2";
    if let Some(claimed) = evaluation {
        let (read, cut) = evaluation_g2::parse(&evaluation_bytes(claimed, cx));
        is_damaged = cut.is_some() || !read.strangers.is_empty();
        note_cut(claimed, cut.as_ref(), cx);
        note_strangers(
            claimed,
            &read.strangers,
            "something else stands where a test should be",
            cx,
        );
        cx.pulse.advance(claimed.file.len()).await?;
        generation = claimed.claim.generation.unwrap_or(generation);
        if read.has_skipped {
            generation = "G2d";
        }
        file = read;
    }
    let mut report = PytestReport::default();
    match &unit.pytest {
        Some(claimed) => report = pytest_report::read(claimed, cx).await?,
        None if !file.tests.is_empty() => {
            let detail = "no evaluation/report.json can be read: durations, failure texts and what was \
                an error or skipped are unknown";
            cx.notes.add(unit.path(), NoteKind::MissingPartner, Place::File, detail);
        }
        None => {}
    }
    let key = key(unit, file.problem.clone(), file.checkpoint.clone(), cx);
    let own = key.variant.clone();
    let mut builder = builder(key, unit);
    builder.duration_secs = file.duration;
    builder.is_infrastructure_failure = Some(file.is_infrastructure_failure == Some(true));
    if file.is_infrastructure_failure == Some(true) {
        builder.state =
            Some(RunState { message: Some(broken_words(&file)), ..RunState::default() });
    }
    for name in groups_of(&file) {
        let kind = kind(split_group(name).1, unit.path(), cx);
        builder.group(GroupInfo { name: name.to_owned(), kind, duration_secs: None, weight: None });
    }
    if let Some(claimed) = evaluation {
        add_tests(&mut builder, &file, claimed, &mut report, own.as_deref(), unit, cx);
        note_oddities(&file, is_damaged, claimed, cx);
    } else {
        let detail = "no evaluation.json can be read: the kinds of the tests are unknown";
        cx.notes.add(unit.path(), NoteKind::MissingPartner, Place::File, detail);
    }
    let summary = std::mem::take(&mut report.summary);
    for (checkpoint, id, reported) in report.rest() {
        if evaluation.is_some() {
            if !is_damaged {
                let place = Place::Field(id);
                let detail = "report.json has a test that evaluation.json does not have";
                cx.notes.add(unit.path(), NoteKind::Mismatch, place, detail);
            }
            continue;
        }
        let case = CaseRow { id: Some(&id), variant: checkpoint.as_deref(), ..CaseRow::default() };
        let outcome = reported.outcome.unwrap_or(Outcome::Unscored);
        let Some(at) = reported.at else { continue };
        add_test(&mut builder, case.at(at), outcome, Some(&reported));
    }
    let run = builder.finish();
    let mut sheet = FigureSheet::default();
    if let Some(claimed) = evaluation {
        let path = claimed.file.path.as_str().into();
        declared::evaluation(&mut sheet, &file, &path, &run, unit.pytest.is_some());
    }
    if let Some(claimed) = &unit.pytest {
        let path = claimed.file.path.as_str().into();
        declared::report(&mut sheet, &summary, &path, file.exit_code);
    }
    let mut built = Built::new(run, sheet, generation, file.version, unit);
    built.has_all_groups &= !is_damaged;
    Ok(built)
}

/// What the file says of an infrastructure failure.
fn broken_words(file: &PytestFile) -> String {
    let exit = file.exit_code.map(|code| format!("pytest ended with exit code {code}"));
    let collected = match file.collected {
        Some(0.0) => Some("collected no test".to_owned()),
        Some(n) => Some(format!("collected {n} tests")),
        None => None,
    };
    let words: Vec<String> = exit.into_iter().chain(collected).collect();
    if words.is_empty() { "the test runner failed".to_owned() } else { words.join(" and ") }
}

fn groups_of(file: &PytestFile) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    let all = file.tests.iter().map(|test| &test.group).chain(&file.empty_groups);
    for name in all {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

fn add_tests(
    builder: &mut RunBuilder,
    file: &PytestFile,
    claimed: &Claimed,
    report: &mut PytestReport,
    own: Option<&str>,
    unit: &CheckpointFiles,
    cx: &Context<'_>,
) {
    let path = &claimed.file.path;
    let mut seen = HashSet::new();
    for test in &file.tests {
        let (checkpoint, kind) = split_group(&test.group);
        let place = Locator::Span {
            source: claimed.file.id,
            offset: test.span.start as u64,
            len: test.span.len() as u64,
        };
        let reported = report.take(checkpoint.or(own), &test.id);
        if reported.is_none() && unit.pytest.is_some() && !report.is_damaged {
            let place = Place::Field(test.id.clone());
            let detail = "evaluation.json has a test that report.json does not have";
            cx.notes.add(path, NoteKind::Mismatch, place, detail);
        }
        let said = reported.as_ref().and_then(|reported| reported.outcome);
        let outcome = refined(test.outcome, said);
        if said.is_some_and(|said| (said == Outcome::Passed) != (outcome == Outcome::Passed)) {
            let place = Place::Field(test.id.clone());
            let detail = "evaluation.json and report.json disagree on whether a test passed; the \
                first is counted";
            cx.notes.add(path, NoteKind::Mismatch, place, detail);
        }
        if !seen.insert((&test.group, &test.id)) {
            let place = Place::Byte(test.span.start as u64);
            let detail = format!("the id {:?} occurs more than once in {:?}", test.id, test.group);
            cx.notes.add(path, NoteKind::Duplicate, place, detail);
        }
        let kind = kind.and_then(Kind::from_text);
        let case = CaseRow {
            id: Some(&test.id),
            variant: checkpoint.filter(|&checkpoint| Some(checkpoint) != own),
            group: Some(&test.group),
            kind: kind.map(Kind::as_str),
            duration_secs: test.duration_secs,
            ..CaseRow::default()
        };
        let mut case = case.at(place);
        if let Some(at) = reported.as_ref().and_then(|reported| reported.at) {
            case = case.joined_with(at);
        }
        add_test(builder, case, outcome, reported.as_ref());
    }
}

/// What came of a test: `evaluation.json` decides whether it passed, the report says how not.
fn refined(recorded: Outcome, said: Option<Outcome>) -> Outcome {
    match (recorded, said) {
        (Outcome::Failed | Outcome::Unscored, Some(said)) if said != Outcome::Passed => said,
        (recorded, _) => recorded,
    }
}

/// Adds a test whose names and places are set.
fn add_test<'a>(
    builder: &mut RunBuilder,
    mut case: CaseRow<'a>,
    outcome: Outcome,
    reported: Option<&'a Reported>,
) {
    let message = reported.and_then(|reported| reported.message.as_deref());
    if matches!(outcome, Outcome::Failed | Outcome::Error) {
        case.error_category = reported.and_then(|reported| reported.phase);
        case.error_type = message.and_then(pytest_report::error_type);
        case.error_message = message;
    }
    case.duration_secs =
        case.duration_secs.or_else(|| reported.and_then(|reported| reported.duration_secs));
    // The original has no scores here; a test that did not pass counts nothing, one that was not
    // run has none.
    case.score = match outcome {
        Outcome::Passed => Some(1.0),
        Outcome::Failed | Outcome::Error => Some(0.0),
        Outcome::Skipped | Outcome::Scored | Outcome::Unscored => None,
    };
    case.passed = case.score.map(|score| score >= 1.0);
    case.is_attempted = Some(!matches!(outcome, Outcome::Skipped | Outcome::Unscored));
    case.n_attempts = Some(u32::from(outcome != Outcome::Skipped));
    builder.case(case.with_outcome(outcome));
}

fn note_oddities(file: &PytestFile, is_damaged: bool, claimed: &Claimed, cx: &Context<'_>) {
    let path = &claimed.file.path;
    if file.is_infrastructure_failure == Some(true) {
        let words = broken_words(file);
        let detail = format!(
            "the file marks the run as an infrastructure failure ({words}): every pass policy fails"
        );
        let place = Place::Field("infrastructure_failure".to_owned());
        cx.notes.add(path, NoteKind::Assumed, place, detail);
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of tests stay far below 2^53")]
    let n_tests = file.tests.len() as f64;
    // Ids with a space are not among those that the producer's collector counts.
    #[expect(clippy::cast_precision_loss, reason = "counts of tests stay far below 2^53")]
    let n_seen = file.tests.iter().filter(|test| !test.id.contains(' ')).count() as f64;
    // What cannot be read makes a file shorter, not longer.
    let is_explained = |collected: f64| is_damaged && n_tests < collected;
    let is_odd = |collected: &f64| {
        !is_explained(*collected) && *collected != n_tests && *collected != n_seen
    };
    if let Some(collected) = file.collected.filter(is_odd) {
        let detail = format!("pytest collected {collected} tests, the file has {n_tests}");
        let place = Place::Field("pytest_collected".to_owned());
        cx.notes.add(path, NoteKind::Mismatch, place, detail);
    }
}
