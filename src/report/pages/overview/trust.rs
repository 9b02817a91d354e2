//! How far the numbers of a page can be relied on: what was lost, what differs, how many there are.

use super::board::TrustMark;
use crate::model::{Note, Run};
use crate::report::all_notes::notes_of_run;
use crate::report::pages::audit::{DeclaredAgreement, agreement};
use crate::report::pages::cases::runs_of;
use crate::report::table::Column;
use crate::report::{Cell, Link, Outcome, Table, Target};
use crate::stats;
use crate::words::report::overview::{headlines, trust as words};
use crate::workspace::{Entry, Workspace};

/// The table: one question a row, its answer, and what follows from it.
pub(in crate::report) fn trust(workspace: &Workspace, target: Target) -> Table {
    let mut table =
        Table::new("trust", words::QUALITY, Vec::from(words::QUALITY_COLUMNS.map(Column::words)));
    let runs: Vec<&Run> =
        runs_of(workspace, target).into_iter().flatten().map(|(_, run)| run).collect();
    table.row(declared(workspace, target));
    table.row(lost(workspace, target));
    table.row(number(&runs));
    table.row(unjudged(&runs));
    table.row(repeats(workspace, target, &runs));
    table
}

/// The same in a few words each, for the foot of the headline numbers.
pub(super) fn marks(workspace: &Workspace, target: Target) -> Vec<TrustMark> {
    let found = runs_of(workspace, target).into_iter().flatten();
    let runs: Vec<&Run> = found.map(|(_, run)| run).collect();
    if workspace.entries_of(target).next().is_none() {
        return Vec::new();
    }
    let mark = |words: String, is_warning, link| TrustMark { words, is_warning, link };
    let mut marks = vec![agreeing(agreement_of(workspace, target))];
    marks.push(match (n_lost_of(workspace, target), n_lost_beside(workspace, target)) {
        (0, LostBeside { in_folder: 0, elsewhere: 0 }) => {
            mark(words::MARK_ALL_READ.to_owned(), false, Some(Link::Notes))
        }
        (0, LostBeside { in_folder: 0, elsewhere }) => {
            mark(words::mark_lost_beside(elsewhere), true, Some(Link::Notes))
        }
        (n, LostBeside { in_folder: 0, .. }) => mark(words::mark_lost(n), true, Some(Link::Notes)),
        (n, LostBeside { in_folder, .. }) => {
            mark(words::mark_lost_in_folder(n + in_folder), true, Some(Link::Notes))
        }
    });
    let n_cases: u64 = runs.iter().map(|run| run.n_cases()).sum();
    let n_open: u64 = UNJUDGED.iter().map(|wanted| n_with(&runs, *wanted)).sum();
    if n_cases > 0 {
        let words = if n_open == 0 {
            words::mark_all_judged(n_cases)
        } else {
            words::mark_judged(n_cases - n_open, n_cases)
        };
        marks.push(mark(words, n_open > 0, None));
        let counted = runs.iter().filter_map(|run| run.declared_counts()).flatten();
        let n_counted: u64 = counted.map(|(_, _, total)| total).sum();
        if n_counted > 0 {
            let words = words::mark_counted(n_counted, n_counted + n_cases);
            marks.push(mark(words, true, None));
        }
    }
    let n_repeats = match target {
        Target::Run(_) => 1,
        _ => n_repeats(workspace, target),
    };
    let n_folders = if target == Target::All { same_part(workspace) } else { 0 };
    let attempts = runs.iter().filter_map(|run| run.cases.n_attempts.iter().flatten().max()).max();
    marks.push(match (n_repeats, n_folders, attempts) {
        (n, ..) if n > 1 => mark(words::mark_repeated(n), false, Some(Link::Statistics)),
        (_, n, _) if n > 1 => mark(words::mark_repeated(n), false, Some(Link::Statistics)),
        (.., Some(n)) if n > 1 => {
            mark(words::mark_attempts(n.into()), false, Some(Link::Statistics))
        }
        _ => mark(words::MARK_NOT_REPEATED.to_owned(), true, Some(Link::Statistics)),
    });
    marks
}

fn agreeing(found: DeclaredAgreement) -> TrustMark {
    let DeclaredAgreement { n_agreeing, n_explained, n_differing } = found;
    let n_all = n_agreeing + n_explained + n_differing;
    let (words, is_warning) = match (n_all, n_explained, n_differing) {
        (0, ..) => {
            return TrustMark {
                words: words::MARK_NO_TOTALS.to_owned(),
                is_warning: false,
                link: None,
            };
        }
        (1, 0, 0) => (words::MARK_ONE_AGREES.to_owned(), false),
        (_, 0, 0) => (words::mark_all_agree(n_all), false),
        (_, n, 0) => (words::mark_explained(n, n_all), false),
        (_, _, n) => (words::mark_differing(n, n_all), true),
    };
    TrustMark { words, is_warning, link: Some(Link::Audit) }
}

fn row(question: &str, answer: Cell, meaning: String) -> Vec<Cell> {
    vec![Cell::Text(question.to_owned()), answer, Cell::Text(meaning)]
}

fn tag(text: String, is_bad: bool) -> Cell {
    Cell::Tag { text, is_bad }
}

/// Whether what the files say about their totals comes out of their cases.
fn declared(workspace: &Workspace, target: Target) -> Vec<Cell> {
    let found = agreement_of(workspace, target);
    let question = words::DECLARED;
    let DeclaredAgreement { n_agreeing, n_explained, n_differing } = found;
    let n_all = n_agreeing + n_explained + n_differing;
    if is_declared_only(workspace, target) {
        let answer = Cell::Missing(words::ONLY_TOTALS.to_owned());
        let meaning = match n_all {
            0 => words::NOTHING_TO_CHECK.to_owned(),
            n if n_differing == 0 => words::lines_match(n),
            n => words::lines_differ(n_differing, n),
        };
        return row(question, answer.opening(Some(Link::Audit)), meaning);
    }
    match (n_all, n_differing) {
        (0, _) => row(
            question,
            Cell::Missing(words::NO_TOTALS.to_owned()),
            words::NO_TOTALS_MEANING.to_owned(),
        ),
        (n, 0) if n_explained == 0 => row(
            question,
            tag(words::all_figures(n), false).opening(Some(Link::Audit)),
            words::ALL_FIGURES_MEANING.to_owned(),
        ),
        (n, 0) => row(
            question,
            tag(words::explained_of(n_explained, n), false).opening(Some(Link::Audit)),
            words::EXPLAINED_MEANING.to_owned(),
        ),
        (n, differing) => row(
            question,
            tag(words::differing_of(differing, n), true).opening(Some(Link::Audit)),
            words::DIFFERING_MEANING.to_owned(),
        ),
    }
}

fn agreement_of(workspace: &Workspace, target: Target) -> DeclaredAgreement {
    match target {
        Target::Run(run) => {
            workspace.entry(run.evaluation).map_or_else(DeclaredAgreement::default, |entry| {
                agreement(entry, Some(run.run as usize))
            })
        }
        Target::All | Target::Evaluation(_) => DeclaredAgreement::of(workspace.entries_of(target)),
    }
}

/// Whether the files hold only declared figures of `target`.
fn is_declared_only(workspace: &Workspace, target: Target) -> bool {
    let mut entries = workspace.entries_of(target).peekable();
    entries.peek().is_some() && entries.all(Entry::is_declared_only)
}

/// Whether anything in the files could not be used.
fn lost(workspace: &Workspace, target: Target) -> Vec<Cell> {
    let LostBeside { in_folder, elsewhere } = n_lost_beside(workspace, target);
    let n_own = n_lost_of(workspace, target) + in_folder;
    let question = words::ALL_READ;
    if n_own == 0 {
        let meaning = match elsewhere {
            0 => words::NOTHING_LOST.to_owned(),
            n => words::lost_beside_meaning(n),
        };
        return row(
            question,
            tag(words::YES.to_owned(), false).opening(Some(Link::Notes)),
            meaning,
        );
    }
    let answer = tag(words::items_lost(n_own), true);
    let meaning = match in_folder {
        0 => words::ITEMS_LOST_MEANING,
        _ => words::FOLDER_LOST_MEANING,
    };
    let meaning = meaning.to_owned();
    row(question, answer.opening(Some(Link::Notes)), meaning)
}

fn n_lost_of(workspace: &Workspace, target: Target) -> u64 {
    match target {
        // Notes about files that belong to no evaluation count for everything.
        Target::All => n_lost(workspace.all_notes().into_iter()),
        Target::Evaluation(_) => {
            workspace.entries_of(target).map(|entry| n_lost(entry.notes.iter())).sum()
        }
        Target::Run(run) => workspace
            .entry(run.evaluation)
            .map_or(0, |entry| n_lost(notes_of_run(entry, run.run as usize).into_iter())),
    }
}

/// What was lost in files that belong to no evaluation: whether it was a part of this one, nobody can say.
struct LostBeside {
    /// In files that lie in its folder.
    in_folder: u64,
    /// In others.
    elsewhere: u64,
}

fn n_lost_beside(workspace: &Workspace, target: Target) -> LostBeside {
    let folders: Vec<&str> = match target {
        Target::All => return LostBeside { in_folder: 0, elsewhere: 0 },
        Target::Evaluation(_) => {
            workspace.entries_of(target).map(|entry| entry.evaluation.path.as_str()).collect()
        }
        Target::Run(run) => {
            workspace.run(run).map(|(_, run)| run.key.path.as_str()).into_iter().collect()
        }
    };
    let beside = workspace.notes_by_entry().into_iter().filter(|(entry, _)| entry.is_none());
    let (inside, outside): (Vec<&Note>, Vec<&Note>) = beside
        .map(|(_, note)| note)
        .partition(|note| folders.iter().any(|folder| lies_in(&note.file, folder)));
    LostBeside { in_folder: n_lost(inside.into_iter()), elsewhere: n_lost(outside.into_iter()) }
}

/// Whether the file lies in the folder or below it; in a file lies nothing.
fn lies_in(file: &str, folder: &str) -> bool {
    folder.is_empty() || file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn n_lost<'a>(notes: impl Iterator<Item = &'a Note>) -> u64 {
    notes.filter(|note| note.kind.is_loss()).map(|note| note.count).sum()
}

/// Whether there are enough cases to tell small differences.
fn number(runs: &[&Run]) -> Vec<Cell> {
    let n_cases: u64 = runs.iter().map(|run| run.n_cases()).sum();
    let question = words::ENOUGH_CASES;
    // The widest Wilson interval of so many cases: that of one half.
    match stats::wilson_interval(n_cases / 2, n_cases) {
        None => row(question, Cell::Missing(headlines::NO_CASE.to_owned()), String::new()),
        Some(interval) => {
            let half = (interval.high - interval.low) / 2.0 * 100.0;
            row(
                question,
                tag(words::case_number(n_cases), n_cases < FEW_CASES),
                words::widest_interval(half),
            )
        }
    }
}

/// Below this a pass rate is known to some ten points only.
const FEW_CASES: u64 = 30;

/// Outcomes of cases that are in no score.
const UNJUDGED: [Outcome; 3] = [Outcome::Error, Outcome::Skipped, Outcome::Unscored];

fn n_with(runs: &[&Run], wanted: Outcome) -> u64 {
    runs.iter().map(|run| run.n_with(wanted)).sum()
}

/// Repeats of the evaluation that has most.
fn n_repeats(workspace: &Workspace, target: Target) -> u64 {
    let most = workspace.entries_of(target).map(|entry| entry.figures.repeats.len()).max();
    most.unwrap_or(1).max(1) as u64
}

/// Whether cases are in no score.
fn unjudged(runs: &[&Run]) -> Vec<Cell> {
    if runs.iter().all(|run| run.n_cases() == 0) {
        let answer = Cell::Missing(words::NO_CASE_IN_FILES.to_owned());
        return row(words::ALL_JUDGED, answer, String::new());
    }
    let counts = UNJUDGED.map(|one| (one, n_with(runs, one)));
    let found: Vec<String> = counts
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|&(outcome, n)| match outcome {
            Outcome::Error => words::errors(n),
            Outcome::Skipped => words::skipped(n),
            _ => words::without_score(n),
        })
        .collect();
    let question = words::ALL_JUDGED;
    if found.is_empty() {
        return row(
            question,
            tag(words::YES.to_owned(), false),
            words::ALL_JUDGED_MEANING.to_owned(),
        );
    }
    row(question, tag(found.join(", "), true), words::NOT_JUDGED_MEANING.to_owned())
}

/// In how many evaluations the part that most of them have stands.
fn same_part(workspace: &Workspace) -> u64 {
    let mut seen: std::collections::HashMap<_, u64> = std::collections::HashMap::new();
    for entry in &workspace.entries {
        let mut own: Vec<_> = Vec::new();
        for run in &entry.evaluation.runs {
            let part = (&run.key.suite, &run.key.variant, &run.key.subject);
            let is_known = part.0.is_some() && !own.contains(&part);
            if is_known && run.n_cases() > 0 {
                own.push(part);
            }
        }
        for part in own {
            *seen.entry((&entry.evaluation.producer, part)).or_default() += 1;
        }
    }
    seen.into_values().max().unwrap_or(0)
}

/// Whether chance was measured.
fn repeats(workspace: &Workspace, target: Target, runs: &[&Run]) -> Vec<Cell> {
    let question = words::REPEATED;
    if is_declared_only(workspace, target) {
        let most = workspace.entries_of(target).filter_map(super::declared::n_runs).max();
        return match most {
            Some(n) if n > 1 => row(
                question,
                tag(words::times_declared(n), false).opening(Some(Link::Statistics)),
                words::TIMES_DECLARED_MEANING.to_owned(),
            ),
            _ => row(question, Cell::Missing(words::TIMES_UNKNOWN.to_owned()), String::new()),
        };
    }
    let attempts = runs.iter().filter_map(|run| run.cases.n_attempts.iter().flatten().max()).max();
    let n_repeats = match target {
        Target::Run(_) => 1,
        Target::All | Target::Evaluation(_) => n_repeats(workspace, target),
    };
    let n_folders = match target {
        Target::All => same_part(workspace),
        _ => 0,
    };
    match (n_repeats, attempts) {
        (1, _) if n_folders > 1 => row(
            question,
            tag(words::times(n_folders), false).opening(Some(Link::Statistics)),
            words::folders_repeat(n_folders),
        ),
        (n, _) if n > 1 => row(
            question,
            tag(words::times(n), false).opening(Some(Link::Statistics)),
            words::TIMES_MEANING.to_owned(),
        ),
        (_, Some(n)) if n > 1 => row(
            question,
            tag(words::attempts(n.into()), false).opening(Some(Link::Statistics)),
            words::ATTEMPTS_MEANING.to_owned(),
        ),
        _ => row(question, tag(words::NO.to_owned(), false), words::ONE_RUN_MEANING.to_owned()),
    }
}
