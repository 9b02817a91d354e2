//! The first page about a run, an evaluation or everything.

mod banner;
mod board;
mod deciding;
mod headlines;
mod kinds;
mod rates;
mod repeat_tables;
mod run;
mod runs_strip;
mod tables;
mod trust;

pub use board::{
    Board, FailureGroup, RateRow, Rates, RunStrip, StripCell, StripRow, TallyPart, TopFailures,
    TrustMark, board,
};
pub(in crate::report) use headlines::headline;
pub(in crate::report) use trust::trust;

use crate::model::Run;
use crate::report::cells::{score_better, sided};
use crate::report::pages::audit::{DeclaredAgreement, agreement};
use crate::report::scope::PageScope;
use crate::report::tree::evaluation_score;
use crate::report::{Cell, Headline, How, Link, Outcome, Section, Sections, Table, Target};
use crate::report::{caveats, charts, declared, run_state};
use crate::scoring::{Counts, Totals};
use crate::words::report::overview as words;
use crate::workspace::{Entry, Workspace};
use banner::{badge, verdict_view};
use deciding::deciding;
use headlines::{count_headlines, main_costs, share_of, time_and_cost};
use run::of_run;
use std::collections::HashSet;

/// The overview of `target`; `None` when it is not (or no longer) there.
pub(in crate::report) fn overview(workspace: &Workspace, target: Target) -> Option<Sections> {
    match target {
        Target::All => Some(of_all(workspace)),
        Target::Evaluation(id) => {
            let entry = workspace.entry(id)?;
            Some(if entry.is_declared_only() {
                declared::page(workspace, entry)
            } else {
                of_evaluation(workspace, entry)
            })
        }
        Target::Run(run) => {
            let (entry, _) = workspace.run(run)?;
            of_run(workspace, entry, run.run as usize)
        }
    }
}

/// The overview of everything.
fn of_all(workspace: &Workspace) -> Sections {
    let entries = &workspace.entries;
    // What was evaluated again counts once.
    let first: Vec<&Totals> = entries.iter().flat_map(first_totals).collect();
    let n_cases: u64 = first.iter().map(|totals| totals.counts.total).sum();
    let n_runs = entries.iter().map(|entry| entry.figures.runs.len() as u64).sum();
    Sections {
        title: words::verdict::EVERYTHING.to_owned(),
        facts: vec![
            words::verdict::evaluations(entries.len() as u64),
            words::verdict::runs(n_runs),
            words::verdict::cases(n_cases),
        ],
        headlines: all_headlines(workspace, &first),
        badge: badge(DeclaredAgreement::of(entries.iter())),
        sections: questions(
            workspace,
            Target::All,
            [
                part(
                    std::iter::once(tables::evaluations(entries))
                        .chain(declared::models_of_all(entries))
                        .collect(),
                ),
                Section::default(),
                Section::default(),
                part(vec![trust(workspace, Target::All)]),
            ],
        ),
        empty: entries.is_empty().then(|| words::verdict::NOTHING_LOADED.to_owned()),
        ..Sections::default()
    }
}

/// What can be counted over all evaluations. Shares that pass are judged by different rules where there are
/// several producers, and make no sum there.
fn all_headlines(workspace: &Workspace, first: &[&Totals]) -> Vec<Headline> {
    let entries = &workspace.entries;
    let passing = Counts::passing_of(first.iter().map(|totals| &totals.counts));
    let verdicts = entries.iter().filter_map(|entry| entry.figures.verdict.as_ref());
    let judged = verdicts.map(|verdict| verdict.outcome);
    let judged: Vec<Outcome> =
        judged.filter(|outcome| !matches!(outcome, Outcome::Scored | Outcome::Unscored)).collect();
    let n_passed = judged.iter().filter(|outcome| **outcome == Outcome::Passed).count() as u64;
    let mut headlines = Vec::new();
    if board::is_one_producer(workspace, Target::All) {
        headlines.push(headline(
            words::headlines::PASSED,
            share_of(passing, None),
            Some(words::headlines::PASSED_OF_ALL),
        ));
    }
    if !judged.is_empty() && entries.len() > 1 {
        headlines.push(headline(
            words::verdict::EVALUATIONS_PASSED,
            Cell::Share { part: n_passed, whole: judged.len() as u64 },
            Some(words::verdict::EVALUATIONS_PASSED_HINT),
        ));
    }
    headlines.extend(main_costs(&all_totals(workspace)));
    headlines
}

/// The overview of an evaluation.
fn of_evaluation(workspace: &Workspace, entry: &Entry) -> Sections {
    let evaluation = &entry.evaluation;
    let figures = &entry.figures;
    let totals = totals_of(entry);
    let first = first_totals(entry);
    let counts = count_headlines(&first, evaluation, &workspace.settings);
    let (passed, others) = counts.split_at(counts.len().min(1));
    let mut headlines = passed.to_vec();
    headlines.push(headline(
        &match evaluation.config.reward {
            Some(_) => words::verdict::REWARD.to_owned(),
            None => sided(words::verdict::SCORE, score_better(evaluation)),
        },
        Cell::or_missing(evaluation_score(entry), Cell::Number, words::verdict::NO_SCORED_CASE)
            .opening(Some(Link::How(How::Evaluation(entry.id)))),
        Some(if evaluation.config.has_policies {
            words::verdict::SCORE_OF_CHECKPOINTS_HINT
        } else {
            words::verdict::SCORE_OF_EVALUATION_HINT
        }),
    ));
    headlines.extend(main_costs(&totals));
    headlines.extend_from_slice(others);
    let (mut passing, mut failing) = (Vec::new(), Vec::new());
    if evaluation.config.has_policies {
        passing.extend(run_state::states(entry, None));
        passing.push(tables::checkpoints(entry));
        passing.extend(run_state::before_after(entry));
        let is_first =
            |idx: &usize| evaluation.runs.get(*idx).is_some_and(|run| run.again().is_none());
        let first: Vec<usize> = (0..evaluation.runs.len()).filter(is_first).collect();
        failing.push(kinds::kinds(entry, &first));
    } else {
        if figures.repeats.len() > 1 {
            passing.push(repeat_tables::repeats(entry));
        }
        let subjects = figures.repeats.iter().map(|r| r.subjects.len()).max().unwrap_or(0);
        if subjects > 1 || evaluation.runs.len() > figures.repeats.len() {
            passing.push(repeat_tables::runs(entry));
        }
        failing.extend(repeat_tables::metrics(&totals, &evaluation.config));
        failing.extend(bands_of(workspace, Target::Evaluation(entry.id)));
    }
    passing.extend(declared::beside_rows(entry));
    failing.extend(tables::errors(&totals));
    let asked = &evaluation.config.description;
    if !asked.is_empty() {
        passing.push(tables::description(asked));
    }
    let mut doubts: Vec<Table> =
        figures.aggregate.as_ref().map(repeat_tables::spread).into_iter().collect();
    let DeclaredAgreement { n_explained, n_differing, .. } = agreement(entry, None);
    doubts.extend(declared::spreads(entry).filter(|_| n_explained + n_differing > 0));
    doubts.push(trust(workspace, Target::Evaluation(entry.id)));
    // What was evaluated again counts for no verdict.
    let counted = evaluation.runs.iter().enumerate().filter(|(_, run)| run.again().is_none());
    let counted: Vec<usize> = counted.map(|(idx, _)| idx).collect();
    Sections {
        title: evaluation.label.clone(),
        facts: facts(entry),
        lead: run_state::declares(entry),
        verdict: (figures.verdict.as_ref()).map(|verdict| {
            let deciding = deciding(workspace, entry, verdict, &counted);
            verdict_view(
                verdict,
                caveats::of_evaluation(entry).as_deref(),
                caveats::in_part_words(entry),
                deciding,
            )
        }),
        headlines,
        badge: badge(agreement(entry, None)),
        sections: questions(
            workspace,
            Target::Evaluation(entry.id),
            [
                part(passing),
                part(failing),
                Section { headlines: time_and_cost(&totals, None), ..Section::default() },
                part(doubts),
            ],
        ),
        empty: evaluation.runs.is_empty().then(|| {
            let why = evaluation.config.no_runs.clone();
            let is_suite = !evaluation.config.description.is_empty();
            why.unwrap_or_else(|| {
                let words = if is_suite {
                    words::verdict::SUITE_WITHOUT_RUNS
                } else {
                    words::verdict::NO_RUN
                };
                words.to_owned()
            })
        }),
        ..Sections::default()
    }
}

/// Producer, how much there is, and where it lies.
fn facts(entry: &Entry) -> Vec<String> {
    let evaluation = &entry.evaluation;
    let runs: Vec<&Run> = evaluation.runs.iter().filter(|run| run.again().is_none()).collect();
    let n_cases: u64 = runs.iter().map(|run| run.n_cases()).sum();
    let distinct = |of: fn(&Run) -> Option<&str>| {
        runs.iter().filter_map(|run| of(run)).collect::<HashSet<_>>().len() as u64
    };
    let mut facts = vec![format!("{} {}", evaluation.producer, evaluation.generation)];
    if evaluation.config.has_policies {
        facts.push(words::verdict::problems(distinct(|run| run.key.suite.as_deref())));
        facts.push(words::verdict::checkpoints(runs.len() as u64));
    } else {
        let n_subjects = distinct(|run| run.key.subject.as_deref());
        let n_repeats = entry.figures.repeats.len() as u64;
        facts.extend((n_subjects > 1).then(|| words::verdict::models(n_subjects)));
        facts.extend((n_repeats > 1).then(|| words::verdict::repeats(n_repeats)));
    }
    facts.push(words::verdict::cases(n_cases));
    facts.push(evaluation.path.clone());
    facts
}

/// The parts that answer the questions about `target`, with their charts; a question without an
/// answer is not asked.
pub(in crate::report) fn questions(
    workspace: &Workspace,
    target: Target,
    answers: [Section; 4],
) -> Vec<Section> {
    // The head of the page has the share that passes, kind by kind.
    let has_kinds = rates::is_by_kind(workspace, target);
    let figures =
        PageScope::new(workspace, target).map(|scope| charts::overview(&scope, has_kinds));
    let figures = figures.unwrap_or_default().into_iter().chain(std::iter::once(Vec::new()));
    let named = words::verdict::QUESTIONS.into_iter().zip(answers).zip(figures);
    named
        .map(|((question, answer), figures)| Section {
            title: question.to_owned(),
            figures,
            ..answer
        })
        .filter(|answer| {
            let is_blank = answer.tables.is_empty() && answer.headlines.is_empty();
            !(is_blank && answer.figures.is_empty())
        })
        .collect()
}

/// The cases by the bands of scores that the producer's guide gives words for.
fn bands_of(workspace: &Workspace, target: Target) -> Option<Table> {
    charts::score_bands(&PageScope::new(workspace, target)?)
}

/// A section of tables.
pub(in crate::report) fn part(tables: Vec<Table>) -> Section {
    Section { tables, ..Section::default() }
}

/// The totals of every evaluation: of its checkpoints, or of its repeats.
fn all_totals(workspace: &Workspace) -> Vec<&Totals> {
    workspace.entries.iter().flat_map(totals_of).collect()
}

/// The totals of an evaluation: of its checkpoints, or of its repeats.
fn totals_of(entry: &Entry) -> Vec<&Totals> {
    if entry.evaluation.config.has_policies {
        entry.figures.runs.iter().map(|run| &run.totals).collect()
    } else {
        entry.figures.repeats.iter().map(|repeat| &repeat.totals).collect()
    }
}

/// The same without what was evaluated again: counts and rates are of each checkpoint once.
fn first_totals(entry: &Entry) -> Vec<&Totals> {
    if !entry.evaluation.config.has_policies {
        return totals_of(entry);
    }
    let runs = entry.evaluation.runs.iter().zip(&entry.figures.runs);
    let first = runs.filter(|(run, _)| run.again().is_none());
    first.map(|(_, figures)| &figures.totals).collect()
}
