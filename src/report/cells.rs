//! Cells that several pages share: verdicts, cases that pass, intervals.

use super::interval95::Interval95;
use super::{Cell, Link, Num, Outcome, Target};
use crate::figures::{Judgement, VerdictOrigin};
use crate::model::{Better, Evaluation, Run};
use crate::scoring::{Counts, GroupScore};
use crate::words::report::shared as words;
use crate::words::terms::LOWER_IS_BETTER;
use crate::workspace::Entry;

/// Shown where a score is undefined.
pub(super) const NO_SCORE: &str = words::NO_SCORE;

/// Shown where cases are not counted as passed or failed and the files do not say why.
pub(super) const NO_CASE_RULE: &str = words::NO_CASE_RULE;

/// A verdict, what the files declare instead of one, or why there is none.
pub(super) fn judgement_cell(verdict: Option<&Judgement>, proviso: Option<&str>) -> Cell {
    match verdict.map(|verdict| (verdict, verdict.standing(), &verdict.declared)) {
        None => verdict_cell(None, proviso),
        Some((_, VerdictOrigin::Declared, Some(declared))) => Cell::Text(words::declared(declared)),
        Some((verdict, VerdictOrigin::Judged, _)) => verdict_cell(Some(verdict.outcome), proviso),
        Some((verdict, ..)) => Cell::Missing(verdict.reason.shown()),
    }
}

/// A verdict; where it is one so far (`proviso`), a word only.
pub(super) fn verdict_cell(outcome: Option<Outcome>, proviso: Option<&str>) -> Cell {
    match (outcome, proviso) {
        (None, _) => Cell::Missing(words::NO_VERDICT_RULE.to_owned()),
        (Some(outcome), None) => Cell::Outcome(outcome),
        (Some(outcome), Some(_)) => Cell::Tag { text: words::so_far(outcome), is_bad: false },
    }
}

/// Opens run `idx`.
pub(super) fn link_of(entry: &Entry, idx: usize) -> Option<Link> {
    entry.run_ref(idx).map(|run| Link::Target(Target::Run(run)))
}

/// Cases that pass, of all.
pub(super) fn passed_cell<'a>(sets: impl IntoIterator<Item = &'a Counts>) -> Cell {
    match Counts::passing_of(sets) {
        Some((passed, all)) => count_cell(passed, all),
        None => Cell::Missing(NO_CASE_RULE.to_owned()),
    }
}

/// Wilson's interval of the share that passes.
pub(super) fn passed_interval_cell(counts: &Counts) -> Cell {
    match counts.passing() {
        Some((passed, all)) => wilson_cell(passed, all),
        None => Cell::Missing(NO_CASE_RULE.to_owned()),
    }
}

/// A part of a number of cases.
pub(super) fn count_cell(part: u64, whole: u64) -> Cell {
    if whole == 0 {
        Cell::Missing(words::NO_SUCH_CASES.to_owned())
    } else {
        Cell::Share { part, whole }
    }
}

/// Wilson's interval of a share.
pub(super) fn wilson_cell(passed: u64, total: u64) -> Cell {
    match Interval95::of_share(passed, total) {
        Interval95::Undefined => Cell::Missing(words::NO_SUCH_CASES.to_owned()),
        found => found.cell(),
    }
}

/// A 95 % interval, or missing.
pub(super) fn interval_cell(ci95: Option<[Num; 2]>) -> Cell {
    ci95.map_or_else(
        || Cell::Missing(words::TOO_FEW.to_owned()),
        |[low, high]| Cell::Interval { low, high },
    )
}

/// The 95 % interval of the mean of `n` values; missing where they are too few. Where the quantity lies in
/// 0–1 no end is shown outside of it.
pub(super) fn mean_interval_cell(ci95: Option<[Num; 2]>, n: u64, is_unit: bool) -> Cell {
    Interval95::of_mean(ci95.map(|[low, high]| [low.0, high.0]), n, is_unit).cell()
}

/// Which way the scores of `evaluation` are better; `None`: not every run says so.
pub(super) fn score_better(evaluation: &Evaluation) -> Option<Better> {
    let first = evaluation.runs.first()?.score_better?;
    evaluation.runs.iter().all(|run| run.score_better == Some(first)).then_some(first)
}

/// `name` of a figure, with the remark that lower is better where that is so.
pub(super) fn sided(name: &str, better: Option<Better>) -> String {
    match better {
        Some(Better::Less) => format!("{name} ({LOWER_IS_BETTER})"),
        _ => name.to_owned(),
    }
}

/// Whether the producer's scores lie in 0–1. REBEL's metrics may give any number, which its older reports do not
/// say.
pub(super) fn has_unit_scores(evaluation: &Evaluation) -> bool {
    !evaluation.config.has_any_scores && evaluation.producer != "rebel"
}

/// Whether the runs of `evaluation` are of several tasks, or of several variants of one.
pub(super) fn has_tasks(evaluation: &Evaluation) -> bool {
    let mut runs = evaluation.runs.iter().map(|run| (&run.key.suite, &run.key.variant));
    runs.next().is_some_and(|first| runs.any(|other| other != first))
}

/// What tells a run from others of its subject and repeat: task and variant.
pub(super) fn task_name(run: &Run) -> String {
    let parts = [run.key.suite.as_deref(), run.key.variant.as_deref()];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    if parts.is_empty() { run.label.clone() } else { parts.join(" · ") }
}

/// Why there is no weighted score.
pub(super) fn no_weighted_score(groups: &[GroupScore]) -> &'static str {
    if groups.iter().any(|group| group.score.is_some()) {
        words::WEIGHTS_ZERO
    } else {
        words::NO_GROUP_SCORE
    }
}
