//! What suites state about their own totals, beside what their tests give.
//!
//! What runners count: one for each `<testcase>`, but
//! * pytest: reports. A teardown that breaks after a pass counts twice, a second element of the same test for a
//!   teardown does not count, tries before the last one do not, and subtests that pass count without an element.
//! * jest-junit: suites that cannot be loaded are no tests, and tests that are still to be written ("todo")
//!   are elements that look as if they passed, but are not counted.

use super::cases::JunitCase;
use super::frames::File;
use super::test::JunitTest;
use crate::model::{Declared, DeclaredValue, Figure, Known, Outcome, Scope, Unchecked};
use crate::readers::unchecked_claims::Claims;
use std::rc::Rc;

/// `classname` of what jest-junit writes for a suite that cannot be loaded.
const NOT_LOADED: &str = "Test suite failed to run";

const SUBTESTS: &str = "pytest counts reports, not elements: subtests that pass, tests around subtests that fail, and \
    calls that pass in a try that is run again have no element";
const CLOCK: &str = "wall-clock time, which is not the sum of the test times";
const NOT_BY_TEST: &str = "the file does not say it test by test";

/// Numbers of a suite and all in it.
#[derive(Debug, Clone, Copy, Default)]
struct SuiteCounts {
    elements: usize,
    cases: usize,
    /// As pytest counts.
    reports: usize,
    /// As jest-junit counts.
    loaded: usize,
    failures: [usize; 2],
    loaded_failures: usize,
    errors: [usize; 2],
    skipped: [usize; 2],
    not_run: usize,
    retried: usize,
}

/// Counts of each suite, in the order of [`File::frames`].
fn counts_of(file: &File, cases: &[JunitCase]) -> Vec<SuiteCounts> {
    let mut counts = vec![SuiteCounts::default(); file.frames.len()];
    let mut add = |frame: usize, add: &dyn Fn(&mut SuiteCounts)| {
        let above = |at: &usize| file.frames.get(*at).and_then(|frame| frame.parent);
        for at in std::iter::successors(Some(frame), above) {
            counts.get_mut(at).into_iter().for_each(add);
        }
    };
    for case in cases {
        let n_tries = case.tries.len();
        for (nth, elements) in case.tries.iter().enumerate() {
            let is_last = nth + 1 == n_tries;
            for (place, &at) in elements.iter().enumerate() {
                let Some(test) = file.tests.get(at) else { continue };
                let is_first = nth == 0 && place == 0;
                let reports = reports_of(test, is_last, place > 0);
                add(test.frame, &|counts| {
                    counts.cases += usize::from(is_first);
                    counts.reports += reports;
                    counts.add(test);
                });
            }
        }
    }
    counts
}

/// How often pytest counts an element.
fn reports_of(test: &JunitTest, is_last: bool, is_second: bool) -> usize {
    let n_results: usize = test.n_results.iter().sum();
    match n_results {
        0 => usize::from(is_last),
        _ if is_second => 0,
        1 if test.phase == Some("teardown") => 2,
        n => n,
    }
}

impl SuiteCounts {
    fn add(&mut self, test: &JunitTest) {
        let [failures, errors, skipped] = test.n_results;
        let is_loaded = test.classname != NOT_LOADED && !test.tags.contains(&"todo");
        let both = |sums: &mut [usize; 2], n: usize| {
            let [all, tests] = sums;
            *all += n;
            *tests += usize::from(n > 0);
        };
        self.elements += usize::from(!test.tags.contains(&"suite"));
        self.loaded += usize::from(is_loaded);
        both(&mut self.failures, failures);
        both(&mut self.errors, errors);
        both(&mut self.skipped, skipped);
        self.loaded_failures += failures * usize::from(test.classname != NOT_LOADED);
        self.not_run += usize::from(test.outcome() == Outcome::Skipped && skipped == 0);
        self.retried += usize::from(test.tags.contains(&"flaky"));
    }
}

/// Marks tests that jest-junit writes as passed though they are still to be written: a suite counts fewer tests
/// than it has elements, and just as many elements took no time. `false`: some suite counts fewer, and nothing
/// tells which are meant.
pub(super) fn mark_todo(file: &mut File) -> bool {
    let root = file.frames.first().map(super::frames::SuiteFrame::name);
    let is_jest =
        root == Some("jest tests") || file.tests.iter().any(|test| test.classname == NOT_LOADED);
    let mut is_clear = true;
    for frame in 0..if is_jest { file.frames.len() } else { 0 } {
        let stated = file.frames.get(frame).filter(|frame| frame.is_suite);
        let stated = stated.and_then(|frame| frame.attribute("tests")?.parse::<usize>().ok());
        let own = |test: &&mut JunitTest| test.frame == frame && test.classname != NOT_LOADED;
        let n_own = file.tests.iter_mut().filter(own).count();
        let Some(n_missing) = stated.and_then(|n| n_own.checked_sub(n)).filter(|n| *n > 0) else {
            continue;
        };
        let idle = |test: &&mut JunitTest| own(test) && test.is_bare && test.secs == Some(0.0);
        if file.tests.iter_mut().filter(idle).count() != n_missing {
            is_clear = false;
            continue;
        }
        for test in file.tests.iter_mut().filter(idle) {
            test.outcome = Some(Outcome::Skipped);
            test.message = Some("still to be written (todo)".to_owned());
            test.tags.push("todo");
        }
    }
    is_clear
}

/// Every figure of the suites, and what cannot be checked. `run_of` gives the run of a frame; `None`: all.
pub(super) fn of(
    path: &Rc<str>,
    file: &File,
    cases: &[JunitCase],
    run_of: &dyn Fn(usize) -> Option<usize>,
) -> (Vec<Declared>, Vec<Unchecked>) {
    let counts = counts_of(file, cases);
    let is_pytest = file.is_pytest();
    let is_jest = file.tests.iter().any(|test| !is_loaded(test));
    let (mut declared, mut claims) = (Vec::new(), Claims::default());
    for (at, (frame, own)) in file.frames.iter().zip(&counts).enumerate() {
        let scope = run_of(at).map_or(Scope::Evaluation, Scope::Run);
        for (name, text) in &frame.attributes {
            let Ok(number) = text.trim().parse::<f64>() else { continue };
            let value = DeclaredValue::Number(number);
            let place = match at {
                0 => name.clone(),
                _ => format!("testsuite[{}].{name}", at - usize::from(!is_root_suite(file))),
            };
            let candidates: Vec<(usize, &'static str)> = match name.as_str() {
                "tests" if is_pytest => {
                    vec![(own.reports, "reports of the test cases, as pytest counts")]
                }
                "tests" if is_jest => vec![(
                    own.loaded,
                    "test cases, without those to be written and suites that did not load",
                )],
                "tests" => {
                    vec![(own.elements, "test cases"), (own.cases, "tests, each once")]
                }
                "failures" if is_jest => {
                    vec![(
                        own.loaded_failures,
                        "failures of tests, without suites that did not load",
                    )]
                }
                "failures" => kinds(own.failures, "failure elements", "test cases with a failure"),
                "errors" => kinds(own.errors, "error elements", "test cases with an error"),
                "skipped" | "skip" | "skips" | "ignored" => {
                    let [all, tests] = own.skipped;
                    vec![
                        (all, "skipped elements"),
                        (tests, "skipped test cases"),
                        (tests + own.not_run, "test cases that were not run"),
                    ]
                }
                "disabled" => vec![
                    (own.not_run, "test cases that were not run"),
                    (
                        own.not_run + own.skipped[1],
                        "skipped test cases, and those that were not run",
                    ),
                ],
                "flakes" => vec![(own.retried, "test cases that passed when tried again")],
                "time" | "duration" => {
                    claims.add(path, &general(at, name), value, CLOCK);
                    continue;
                }
                "id" | "name" | "timestamp" | "package" | "hostname" | "version" | "file"
                | "line" => {
                    continue;
                }
                _ => {
                    claims.add(path, &general(at, name), value, NOT_BY_TEST);
                    continue;
                }
            };
            let is_it = |(n, _): &&(usize, &str)| number_of(*n).to_bits() == number.to_bits();
            let found = candidates.iter().find(is_it).or(candidates.first());
            let Some((n, what)) = found.copied() else { continue };
            let figure =
                Figure::Found { value: DeclaredValue::Number(number_of(n)), at: what.into() };
            let mut one = Declared::new(scope.clone(), path, place, figure, value);
            if is_pytest && name == "tests" && number > number_of(n) {
                one.known = Some(Known { why: SUBTESTS.into(), original: None });
            }
            declared.push(one);
        }
    }
    (declared, claims.into_vec())
}

fn is_loaded(test: &JunitTest) -> bool {
    test.classname != NOT_LOADED && !test.tags.contains(&"todo")
}

fn is_root_suite(file: &File) -> bool {
    file.frames.first().is_some_and(|root| root.is_suite)
}

fn general(at: usize, name: &str) -> String {
    if at == 0 { name.to_owned() } else { format!("testsuite[].{name}") }
}

fn kinds(
    [all, tests]: [usize; 2],
    of_all: &'static str,
    of_tests: &'static str,
) -> Vec<(usize, &'static str)> {
    vec![(all, of_all), (tests, of_tests)]
}

#[expect(clippy::cast_precision_loss, reason = "counts of tests stay far below 2^53")]
fn number_of(n: usize) -> f64 {
    n as f64
}
