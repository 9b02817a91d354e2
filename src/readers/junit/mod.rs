//! JUnit XML, as pytest, vitest, jest, Surefire, GoogleTest and many others write it, and as Evalglass exports it.
//!
//! There is no schema that all keep to. Fixtures: `junit/pytest` (pytest 9.2: xunit1, xunit2, a collection error),
//! `junit/js-runners` (vitest 5.1, jest 30.5 with jest-junit 17), with what the runners themselves reported.
//! Recognised by the root element.
//!
//! A file is one run; in an export of ours each suite is one, with the key that its properties state. An element
//! without a result is a test that passed, since JUnit has no other word for it. Elements of one name are tries of
//! one test (see `cases`). The only score that JUnit knows is a property of that name; where no test has one,
//! a test that passed counts 1, one that did not 0.

mod cases;
mod counts;
mod detail;
mod frames;
mod test;

use super::xml::root_name;
use super::{
    Bundle, Claim, Claimed, Context, Error, Format, KeysOf, Producer, ReadEvaluation, Reader,
};
use crate::input::{Form, InputFile, LocalFuture, Shape};
use crate::model::{
    CaseDetail, CaseRow, CheckRow, Config, DocumentDetail, DocumentKind, Evaluation, GroupInfo,
    Locator, NoteKind, Outcome, Place, Run, RunBuilder, RunDocument, RunKey,
};
use cases::{JunitCase, cases};
use frames::{File, SuiteFrame};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::rc::Rc;

/// The reader.
pub struct Junit;

const REPORT: &str = "JUnit report";

impl Producer for Junit {
    fn id(&self) -> &'static str {
        "junit"
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        files
            .into_iter()
            .map(|claimed| Bundle { path: claimed.file.path.clone(), files: vec![claimed] })
            .collect()
    }
}

impl Reader for Junit {
    fn formats(&self) -> &'static [Format] {
        &[Format {
            files: "junit.xml, TEST-*.xml",
            versions: "pytest 9, vitest 5, jest-junit 17, Surefire and alike; exports of Evalglass",
            what: "tests with failures, outputs and properties; tries of one test together",
        }]
    }

    fn sniff(&self, _file: &InputFile, shape: &Shape) -> Option<Claim> {
        if shape.form != Form::Text {
            return None;
        }
        let (root, _) = root_name(&shape.head)?;
        let why = match root.as_str() {
            "testsuites" => "the root element testsuites",
            "testsuite" => "the root element testsuite",
            _ => return None,
        };
        Some(Claim { role: REPORT, generation: None, why })
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

    fn document(&self, bundle: &Bundle, run: &Run) -> Result<DocumentDetail, Error> {
        detail::document(bundle, run)
    }
}

async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let Some(claimed) = bundle.files.first() else {
        return Err(Error::new(super::ErrorKind::Gone));
    };
    let input = &claimed.file;
    let mut file = frames::read(claimed, cx).await?;
    if !counts::mark_todo(&mut file) {
        let detail = "jest-junit counts fewer tests than it lists: some that look as if they passed are still to be \
                      written (todo), and nothing tells which";
        cx.notes.add(&input.path, NoteKind::Mismatch, Place::File, detail);
    }
    let cases = cases(&file);
    note_tries(&file, &cases, input, cx);
    // In an export of ours each suite is a run.
    let suites: Vec<usize> = (0..file.frames.len())
        .filter(|&at| file.frames.get(at).is_some_and(|frame| frame.is_suite))
        .collect();
    let run_frames: Vec<Option<usize>> =
        if file.is_own() { suites.iter().copied().map(Some).collect() } else { vec![None] };
    let run_of = |frame: usize| match file.is_own() {
        true => suites.iter().position(|&suite| suite == frame),
        false => Some(0),
    };
    let (declared, unchecked) = counts::of(&input.path.as_str().into(), &file, &cases, &run_of);
    let runs = run_frames.iter().map(|frame| run(&file, &cases, *frame, input)).collect();
    let attributes = |frame: &SuiteFrame| -> Map<String, Value> {
        let pairs = frame.attributes.iter();
        pairs.map(|(name, value)| (name.clone(), Value::String(value.clone()))).collect()
    };
    let declared_json = file.frames.iter().map(|frame| Value::Object(attributes(frame))).collect();
    Ok(Evaluation {
        producer: "junit".into(),
        generation: "JUnit XML".to_owned(),
        path: bundle.path.clone(),
        label: input.name().to_owned(),
        suite: suite_name(&file),
        config: Config {
            description: description(&file),
            may_skip: !file.is_own(),
            case_rule: (!file.is_own()).then_some(
                "a test passes when its runner reports no failure, error or skip".into(),
            ),
            score_source: (!file.is_own()).then(|| score_source(&file).into()),
            ..Config::default()
        },
        declared,
        unchecked,
        declared_json: serde_json::json!({ "suites": Value::Array(declared_json) }),
        rows: Vec::new(),
        runs,
        sources: vec![input.id],
    })
}

/// What the mean over the tests is.
fn score_source(file: &File) -> &'static str {
    match file.tests.iter().any(|test| test.score.is_some()) {
        true => "mean of the property score over the tests that have one",
        false => "share of passed tests among those that ran",
    }
}

/// What was run, when one name covers it: that of the only suite, else that of the root.
fn suite_name(file: &File) -> Option<String> {
    if file.is_own() {
        return None;
    }
    let mut suites = file.frames.iter().filter(|frame| frame.is_suite && is_top(frame, file));
    let name = match (suites.next(), suites.next()) {
        (Some(only), None) => only.name(),
        _ => file.frames.first().map(SuiteFrame::name).unwrap_or_default(),
    };
    (!name.is_empty()).then(|| name.to_owned())
}

fn is_top(frame: &SuiteFrame, file: &File) -> bool {
    let parent = frame.parent.and_then(|at| file.frames.get(at));
    parent.is_none_or(|parent| !parent.is_suite)
}

/// Properties of the suites, as far as a page can show them: Surefire writes all of the machine's.
fn description(file: &File) -> Vec<(String, String)> {
    const MOST: usize = 40;
    if file.is_own() {
        return Vec::new();
    }
    let mut found: Vec<(String, String)> = Vec::new();
    for frame in &file.frames {
        let host = frame.attribute("hostname").map(|host| ("hostname".to_owned(), host.to_owned()));
        for pair in host.into_iter().chain(frame.properties.iter().cloned()) {
            if found.len() < MOST && !found.contains(&pair) {
                found.push(pair);
            }
        }
    }
    found
}

/// Says what was made of elements of one name.
fn note_tries(file: &File, cases: &[JunitCase], input: &InputFile, cx: &Context<'_>) {
    let is_pytest = file.is_pytest();
    for case in cases {
        let Some(first) = case.elements(file).next() else { continue };
        let place = Place::Byte(first.span.start);
        if case.tries.len() > 1 {
            let detail = if is_pytest {
                "several elements of one test: tries, of which the last one counts; pytest writes tries that failed as \
                 if they had passed"
            } else {
                "several elements of one test: tries, of which the last one counts"
            };
            cx.notes.add(&input.path, NoteKind::Assumed, place, detail);
        } else if case.variant.is_some() {
            let detail =
                "another test has the same name and group: they are told apart by a number";
            cx.notes.add(&input.path, NoteKind::Duplicate, place, detail);
        }
    }
}

/// The run of all tests, or of those in one suite.
fn run(file: &File, cases: &[JunitCase], only: Option<usize>, input: &InputFile) -> Run {
    let frame = only.and_then(|at| file.frames.get(at));
    let property = |name: &str| frame.and_then(|frame| frame.property(name)).map(str::to_owned);
    let subject = property("subject").or_else(|| {
        let models: HashSet<&str> =
            file.frames.iter().filter_map(|frame| frame.property("model")).collect();
        (models.len() == 1).then(|| models.into_iter().next().map(str::to_owned))?
    });
    let key = RunKey {
        suite: if frame.is_some() { property("suite") } else { suite_name(file) },
        variant: property("variant"),
        subject,
        repeat: property("repeat").and_then(|n| n.parse().ok()).unwrap_or(1),
        path: input.path.clone(),
    };
    let label = frame.map_or_else(|| input.name().to_owned(), |frame| frame.name().to_owned());
    let mut run = RunBuilder::new(key, label);
    run.source(input.id);
    let tops: Vec<&SuiteFrame> = match frame {
        Some(frame) => vec![frame],
        None => file.frames.iter().filter(|frame| frame.is_suite && is_top(frame, file)).collect(),
    };
    run.started_at = property("started_at")
        .or_else(|| tops.iter().find_map(|top| top.attribute("timestamp")).map(str::to_owned));
    run.duration_secs = match (frame, tops.as_slice()) {
        (None, [_, _, ..]) => file.frames.first().and_then(SuiteFrame::secs),
        (_, [only]) => only.secs(),
        _ => None,
    };
    let is_here = |at: usize| only.is_none_or(|only| file.is_in(at, only));
    for (_, frame) in file.frames.iter().enumerate().filter(|(at, _)| is_here(*at)) {
        run.documents.extend(frame.outputs.iter().map(|(what, span)| RunDocument {
            kind: DocumentKind::Output,
            title: match frame.name() {
                "" => (*what).to_owned(),
                name => format!("{what} of {name}"),
            },
            file: input.path.clone(),
            at: Locator::Span {
                source: input.id,
                offset: span.start,
                len: span.end.saturating_sub(span.start),
            },
        }));
    }
    let mut groups = HashSet::new();
    let has_scores = file.tests.iter().any(|test| test.score.is_some());
    let is_pytest = file.is_pytest();
    for case in cases {
        let Some(test) = case.elements(file).next() else { continue };
        if !is_here(test.frame) {
            continue;
        }
        let suite = file.frames.get(test.frame);
        if let (Some(group), Some(suite)) = (&case.group, suite)
            && suite.name() == group
            && groups.insert(group.clone())
        {
            run.group(GroupInfo {
                name: group.clone(),
                kind: None,
                duration_secs: suite.secs(),
                weight: None,
            });
        }
        add(&mut run, file, case, input, has_scores, is_pytest);
    }
    run.finish()
}

/// Adds a test to its run.
fn add(
    run: &mut RunBuilder,
    file: &File,
    case: &JunitCase,
    input: &InputFile,
    has_scores: bool,
    is_pytest: bool,
) {
    let Some(decisive) = case.decisive(file) else { return };
    let tries = case.outcomes(file, is_pytest);
    let Some(outcome) = tries.last().map(|last| last.outcome) else { return };
    let is_bad = matches!(outcome, Outcome::Failed | Outcome::Error);
    let mut tags: Vec<&str> = case.elements(file).flat_map(|test| test.tags.clone()).collect();
    let was_bad = |outcome: Outcome| matches!(outcome, Outcome::Failed | Outcome::Error);
    if outcome == Outcome::Passed && tries.iter().any(|one| was_bad(one.outcome)) {
        tags.push("flaky");
    }
    tags.sort_unstable();
    tags.dedup();
    let tags = tags.join(&crate::model::TAG_SEPARATOR.to_string());
    let n_skipped = usize::from(outcome == Outcome::Skipped);
    let stated = case.elements(file).filter_map(|test| test.score).last();
    let passed = match outcome {
        Outcome::Passed => Some(true),
        Outcome::Failed | Outcome::Error => Some(false),
        _ => None,
    };
    let by_outcome = passed.map(|is_passed| f64::from(u8::from(is_passed)));
    let own: Vec<f64> = match case.tries.last() {
        Some(last) => last.iter().filter_map(|&at| file.tests.get(at)?.secs).collect(),
        None => Vec::new(),
    };
    let name = if decisive.name.is_empty() { &decisive.classname } else { &decisive.name };
    let row = CaseRow {
        id: Some(name),
        variant: case.variant.as_deref(),
        group: case.group.as_deref(),
        tags: (!tags.is_empty()).then_some(tags.as_str()),
        score: if has_scores { stated } else { by_outcome },
        passed,
        is_attempted: Some(!matches!(outcome, Outcome::Skipped | Outcome::Unscored)),
        n_attempts: u32::try_from(tries.len() - n_skipped).ok(),
        duration_secs: own.into_iter().reduce(|sum, secs| sum + secs),
        error_category: decisive.phase.filter(|_| is_bad),
        error_type: decisive.error_type.as_deref().filter(|_| is_bad),
        error_message: decisive.message.as_deref(),
        ..CaseRow::default()
    };
    let spans = detail::places(file, case, input);
    let mut row = row.with_outcome(outcome).at(spans.0);
    if let Some(partner) = spans.1 {
        row = row.joined_with(partner);
    }
    run.case(row);
    if tries.len() > 1 {
        for (attempt, one) in (1..).zip(&tries) {
            run.check(CheckRow {
                attempt: Some(attempt),
                name: Some("try"),
                is_correct: cases::verdict_of(one.outcome).map(|_| one.outcome == Outcome::Passed),
                verdict: cases::verdict_of(one.outcome).map(crate::model::Verdict::as_str),
                attempt_secs: one.secs,
                ..CheckRow::default()
            });
        }
    }
}
