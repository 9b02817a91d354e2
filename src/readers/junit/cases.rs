//! Which elements are the same test: JUnit writes one more for each try, and one for a broken teardown.
//!
//! The last try counts. Runners of JavaScript write no tries, and let two tests have one name: there, elements of
//! one name stay apart unless all of them are bad, so that no failure is hidden.

use super::frames::File;
use super::test::JunitTest;
use crate::model::{Outcome, Verdict};
use std::collections::{HashMap, HashSet};

/// One test with its tries.
pub(super) struct JunitCase {
    /// Tries in order, each with its elements (places in [`File::tests`]); at least one of one.
    pub tries: Vec<Vec<usize>>,
    /// Name of its group.
    pub group: Option<String>,
    /// What tells it from another test of the same name and group.
    pub variant: Option<String>,
}

/// A try as it came out.
pub(super) struct JunitTry {
    /// Outcome.
    pub outcome: Outcome,
    /// Seconds.
    pub secs: Option<f64>,
}

impl JunitCase {
    /// Its elements, in order.
    pub(super) fn elements<'a>(&'a self, file: &'a File) -> impl Iterator<Item = &'a JunitTest> {
        self.tries.iter().flatten().filter_map(|&at| file.tests.get(at))
    }

    /// The element of the last try that says most: the worst one, of these the first.
    pub(super) fn decisive<'a>(&self, file: &'a File) -> Option<&'a JunitTest> {
        let last = self.tries.last()?.iter().filter_map(|&at| file.tests.get(at));
        last.reduce(|worst, test| if rank(test) > rank(worst) { test } else { worst })
    }

    /// Its tries as they came out, the last one last. `is_pytest`: an element that another one of the same
    /// test follows is a try that failed, though nothing in it says so.
    pub(super) fn outcomes(&self, file: &File, is_pytest: bool) -> Vec<JunitTry> {
        let mut tries = Vec::new();
        let n_tries = self.tries.len();
        for (nth, elements) in self.tries.iter().enumerate() {
            let own: Vec<&JunitTest> =
                elements.iter().filter_map(|&at| file.tests.get(at)).collect();
            let secs = own.iter().filter_map(|test| test.secs).reduce(|sum, secs| sum + secs);
            let worst = own.iter().copied().reduce(|a, b| if rank(b) > rank(a) { b } else { a });
            let Some(worst) = worst else { continue };
            let is_rerun = is_pytest && nth + 1 < n_tries && worst.is_bare;
            let outcome = if is_rerun { Outcome::Failed } else { worst.outcome() };
            let is_flaky = worst.tags.contains(&"flaky");
            let inner = worst.retries.iter().map(|&outcome| JunitTry { outcome, secs: None });
            let last = JunitTry { outcome, secs };
            // Surefire: tries before a pass, or after the failure that the element is about.
            if is_flaky {
                tries.extend(inner);
                tries.push(last);
            } else {
                tries.push(last);
                tries.extend(inner);
            }
        }
        tries
    }
}

fn rank(test: &JunitTest) -> u8 {
    match test.outcome() {
        Outcome::Error => 3,
        Outcome::Failed => 2,
        Outcome::Skipped => 1,
        _ => 0,
    }
}

/// What a try's check says.
pub(super) fn verdict_of(outcome: Outcome) -> Option<Verdict> {
    match outcome {
        Outcome::Passed => Some(Verdict::Passed),
        Outcome::Failed => Some(Verdict::Failed),
        Outcome::Error => Some(Verdict::Error),
        _ => None,
    }
}

/// Whether the runner never writes a test twice to say that it was tried again.
fn is_without_tries(file: &File) -> bool {
    let root = file.frames.first().map(super::frames::SuiteFrame::name);
    matches!(root, Some("vitest tests" | "jest tests" | "Mocha Tests"))
}

/// The tests of a file, in the order of their first elements.
pub(super) fn cases(file: &File) -> Vec<JunitCase> {
    let by_classname = grouped_by_classname(file);
    let mut same: HashMap<(usize, &str, &str), Vec<usize>> = HashMap::new();
    let mut order = Vec::new();
    for (at, test) in file.tests.iter().enumerate() {
        let key = (test.frame, test.classname.as_str(), test.name.as_str());
        let own = same.entry(key).or_default();
        if own.is_empty() {
            order.push(key);
        }
        own.push(at);
    }
    let is_apart = is_without_tries(file);
    let mut cases = Vec::new();
    for key in order {
        let Some(elements) = same.remove(&key) else { continue };
        let are_bad =
            || elements.iter().all(|&at| file.tests.get(at).is_some_and(JunitTest::is_bad));
        let tries = if !is_apart {
            vec![tries_of(&elements, file)]
        } else if are_bad() {
            vec![vec![elements]]
        } else {
            elements.into_iter().map(|at| vec![vec![at]]).collect()
        };
        for tries in tries {
            let first = tries.first().and_then(|first| first.first());
            let Some(test) = first.and_then(|&at| file.tests.get(at)) else { continue };
            let group = group_of(test, file, &by_classname);
            cases.push(JunitCase { tries, group, variant: None });
        }
    }
    tell_apart(&mut cases, file);
    cases
}

/// Elements of one test as tries: what a broken teardown adds belongs to the try before.
fn tries_of(elements: &[usize], file: &File) -> Vec<Vec<usize>> {
    let mut tries: Vec<Vec<usize>> = Vec::new();
    for &at in elements {
        let is_teardown = file.tests.get(at).is_some_and(|test| test.phase == Some("teardown"));
        // A test that passes and breaks its teardown is one element; only a failure has one of its own before.
        let before = tries.last().and_then(|last| file.tests.get(*last.last()?));
        let is_same_try = is_teardown && before.is_some_and(|before| before.n_results[0] > 0);
        match tries.last_mut() {
            Some(last) if is_same_try => last.push(at),
            _ => tries.push(vec![at]),
        }
    }
    tries
}

/// Suites whose tests are grouped by class: several classes in one suite, as pytest writes them.
fn grouped_by_classname(file: &File) -> HashSet<usize> {
    let mut classes: HashMap<usize, HashSet<&str>> = HashMap::new();
    for test in &file.tests {
        let own = classes.entry(test.frame).or_default();
        if !test.classname.is_empty() && test.classname != test.name {
            own.insert(&test.classname);
        }
    }
    let is_pytest = file.is_pytest();
    let is_own = file.is_own();
    let many = |(_, own): &(usize, HashSet<&str>)| own.len() > 1 || is_pytest || is_own;
    classes.into_iter().filter(many).map(|(frame, _)| frame).collect()
}

fn group_of(test: &JunitTest, file: &File, by_classname: &HashSet<usize>) -> Option<String> {
    let suite =
        file.frames.get(test.frame).map(super::frames::SuiteFrame::name).unwrap_or_default();
    let group = match by_classname.contains(&test.frame) {
        true => test.classname.as_str(),
        false if suite.is_empty() => test.classname.as_str(),
        false => suite,
    };
    (!group.is_empty()).then(|| group.to_owned())
}

/// Gives tests of one name and group a number each, from the second on.
fn tell_apart(cases: &mut [JunitCase], file: &File) {
    let mut seen: HashMap<(Option<String>, String), usize> = HashMap::new();
    for case in cases {
        let name = case.elements(file).next().map(|test| test.name.clone()).unwrap_or_default();
        let n = seen.entry((case.group.clone(), name)).or_default();
        *n += 1;
        if *n > 1 {
            case.variant = Some(n.to_string());
        }
    }
}
