//! Failures: where they are, what fails, and what their messages have in common.

mod clusters;
mod matrix;
mod tables;
mod told;
mod top;

pub(in crate::report) use top::top_failures;

use crate::model::Run;
use crate::report::pages::cases::runs_of;
use crate::report::{Cell, Headline, Outcome, RunRef, Section, Sections, Target};
use crate::words::report::failures as words;
use crate::workspace::{Entry, Workspace};

/// What is said of so many cases.
type Counted = fn(u64) -> String;

/// A run with its evaluation.
#[derive(Clone, Copy)]
struct RunOf<'a> {
    entry: &'a Entry,
    at: RunRef,
    run: &'a Run,
}

/// A case that failed or ended in an error, by the rules in force.
#[derive(Clone, Copy)]
struct Failing<'a> {
    /// Its run, by place in the list of runs.
    nth_run: usize,
    of: RunOf<'a>,
    /// Its row in the run.
    idx: usize,
}

/// The failures of `target`; `None` when it is not there.
pub(in crate::report) fn failures(workspace: &Workspace, target: Target) -> Option<Sections> {
    let runs = runs_in(workspace, target)?;
    let failing = failing_in(&runs);
    let n_cases: usize = runs.iter().map(|of| of.run.cases.len()).sum();
    let mut page = Sections {
        title: words::TITLE.to_owned(),
        has_contents: true,
        facts: names_of(workspace, target),
        ..Sections::default()
    };
    if failing.is_empty() {
        page.empty = Some(nothing_failed(&runs, n_cases));
        return Some(page);
    }
    page.headlines = headlines(&failing, n_cases);
    if runs.iter().any(|of| of.entry.is_rejudged()) {
        let rules = workspace.settings.changes().join("; ");
        page.lead = Some(words::judged_by(&rules));
    }
    let section =
        |title: &str, tables| Section { title: title.to_owned(), tables, ..Section::default() };
    page.sections = clusters::sections(workspace, &runs, &failing);
    page.sections.push(section(words::BY_PLACE, tables::by_place(&runs)));
    page.sections.push(section(words::BY_CAUSE, tables::by_cause(&runs, &failing)));
    page.sections.retain(|section| !section.tables.is_empty());
    Some(page)
}

fn runs_in(workspace: &Workspace, target: Target) -> Option<Vec<RunOf<'_>>> {
    let with_entry =
        |(at, run): (RunRef, _)| Some(RunOf { entry: workspace.entry(at.evaluation)?, at, run });
    Some(runs_of(workspace, target)?.into_iter().filter_map(with_entry).collect())
}

fn failing_in<'a>(runs: &[RunOf<'a>]) -> Vec<Failing<'a>> {
    let of_run = |(nth_run, of): (usize, &RunOf<'a>)| {
        let of = *of;
        failing_cases(of.run).map(move |idx| Failing { nth_run, of, idx })
    };
    runs.iter().enumerate().flat_map(of_run).collect()
}

fn is_failure(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Failed | Outcome::Error)
}

fn failing_cases(run: &Run) -> impl Iterator<Item = usize> + use<'_> {
    let outcome = run.cases.outcomes();
    (0..run.cases.len()).filter(move |&idx| is_failure(outcome(idx)))
}

/// How many cases fail, and how.
fn headlines(failing: &[Failing<'_>], n_cases: usize) -> Vec<Headline> {
    let is_error = |case: &&Failing<'_>| case.of.run.cases.outcome_of(case.idx) == Outcome::Error;
    let n_errors = failing.iter().filter(is_error).count() as u64;
    let (part, whole) = (failing.len() as u64, n_cases as u64);
    [
        (words::FAILING, Cell::Share { part, whole }, words::FAILING_HINT),
        (words::FAILED, Cell::Count(part - n_errors), words::FAILED_HINT),
        (words::ERRORS, Cell::Count(n_errors), words::ERRORS_HINT),
    ]
    .map(|(label, value, hint)| Headline {
        label: label.to_owned(),
        value,
        note: None,
        hint: Some(hint.to_owned()),
    })
    .into()
}

/// What the page is about: evaluation and run, as far as `target` names them.
fn names_of(workspace: &Workspace, target: Target) -> Vec<String> {
    let evaluation = |id| workspace.entry(id).map(|entry| entry.evaluation.label.clone());
    match target {
        Target::All => vec![words::EVERYTHING.to_owned()],
        Target::Evaluation(id) => evaluation(id).into_iter().collect(),
        Target::Run(at) => {
            let run = workspace.run(at).map(|(_, run)| run.label.clone());
            evaluation(at.evaluation).into_iter().chain(run).collect()
        }
    }
}

/// That there is no failure, and what else is not passed.
fn nothing_failed(runs: &[RunOf<'_>], n_cases: usize) -> String {
    if n_cases == 0 {
        return words::NO_CASES.to_owned();
    }
    let n_of = |outcome: Outcome| -> usize {
        let of_run = |of: &RunOf<'_>| {
            let cases = &of.run.cases;
            (0..cases.len()).filter(|&idx| cases.outcome_of(idx) == outcome).count()
        };
        runs.iter().map(of_run).sum()
    };
    let mut text = words::none_failed(n_cases as u64);
    let others: [(Outcome, Counted); 3] = [
        (Outcome::Skipped, words::skipped),
        (Outcome::Scored, words::without_rule),
        (Outcome::Unscored, words::without_score),
    ];
    for (outcome, say) in others {
        let n_of_them = n_of(outcome);
        if n_of_them > 0 {
            text.push_str(", ");
            text.push_str(&say(n_of_them as u64));
        }
    }
    text.push('.');
    text
}
