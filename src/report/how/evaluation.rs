//! The score of an evaluation, from its runs.

use super::made::{ScoreParts, ScoreTerm, TermName, Terms, terms_table};
use super::{HowBasis, scored};
use crate::figures::RepeatFigures;
use crate::format::count;
use crate::report::table::Column;
use crate::report::tree::{evaluation_score, run_score, score_of_totals};
use crate::report::{Cell, How, Link, Table};
use crate::scoring::run_parts;
use crate::workspace::Entry;

/// Most repeats whose runs are shown one by one.
const MAX_REPEATS: usize = 25;

const NO_SCORE: &str = "it has no score";

/// How the score of the evaluation was made.
pub(super) fn evaluation(basis: HowBasis<'_>) -> ScoreParts<'_> {
    let figures = &basis.entry.figures;
    match figures.repeats.as_slice() {
        _ if basis.entry.evaluation.config.has_policies => of_checkpoints(basis),
        [only] if figures.aggregate.is_none() => of_repeat(basis, only),
        repeats => of_repeats(basis, repeats),
    }
}

/// slop-code: the mean over checkpoints.
fn of_checkpoints(basis: HowBasis<'_>) -> ScoreParts<'_> {
    let entry = basis.entry;
    let scores = entry.figures.runs.iter().enumerate();
    let list = scores.map(|(idx, run)| {
        ScoreTerm::plain(idx, run_score(run).map(|score| score.0).ok_or(NO_SCORE))
    });
    ScoreParts {
        rule: "Mean of the checkpoints' scores that are defined: Σ score / n.".to_owned(),
        source: "Evalglass: slop-code's reporting guide defines scores up to checkpoints only"
            .to_owned(),
        score: scored(evaluation_score(entry), "no checkpoint has a score"),
        numbers: None,
        terms: Terms {
            caption: "Checkpoints",
            word: "checkpoints",
            columns: Vec::new(),
            list: list.collect(),
            named: Box::new(|idx| run_named(entry, idx)),
            empty: "The files hold no checkpoint.",
        },
        remarks: basis.remarks(),
        tables: Vec::new(),
    }
}

/// Several repeats: the exact mean of the repeats' means.
fn of_repeats<'a>(basis: HowBasis<'a>, repeats: &'a [RepeatFigures]) -> ScoreParts<'a> {
    let entry = basis.entry;
    let scores = repeats.iter().enumerate();
    let list = scores.map(|(at, repeat)| {
        ScoreTerm::plain(at, score_of_totals(&repeat.totals).map(|score| score.0).ok_or(NO_SCORE))
    });
    let several = repeats.iter().filter(|repeat| runs_of(entry, repeat.repeat).len() > 1);
    let tables: Vec<Table> = several
        .clone()
        .take(MAX_REPEATS)
        .map(|repeat| {
            let mut table = terms_table(
                &format!("repeat-{}", repeat.repeat),
                &format!("Runs of repeat {}", repeat.repeat),
                &pooled(basis, repeat),
                score_of_totals(&repeat.totals),
            );
            table.footnote = Some(POOLED.to_owned());
            table
        })
        .collect();
    let mut remarks = basis.remarks();
    let n_repeats = several.count();
    if n_repeats > MAX_REPEATS {
        let text = format!(
            "of the first {MAX_REPEATS} of {} repeats are listed below",
            count(n_repeats as u64)
        );
        remarks.push(("Runs", Cell::Text(text)));
    }
    ScoreParts {
        rule: "Mean of the repeats' scores, computed exactly and rounded once: Σ score / n."
            .to_owned(),
        source: basis.source_of_repeats(),
        score: scored(evaluation_score(entry), "no repeat has a score"),
        numbers: None,
        terms: Terms {
            caption: "Repeats",
            word: "repeats",
            columns: Vec::new(),
            list: list.collect(),
            named: Box::new(|at| {
                let repeat = repeats.get(at).map_or(0, |repeat| repeat.repeat);
                let name = format!("Repeat {repeat}");
                match runs_of(entry, repeat).as_slice() {
                    [only] => TermName { name, ..run_named(entry, *only) },
                    _ => TermName { name, link: None, cells: Vec::new() },
                }
            }),
            empty: "The files hold no repeat.",
        },
        remarks,
        tables,
    }
}

const POOLED: &str =
    "All cases of the repeat count equally, so each run weighs as much as its counted cases.";

/// One repeat: the mean over the cases of all its runs.
fn of_repeat<'a>(basis: HowBasis<'a>, repeat: &RepeatFigures) -> ScoreParts<'a> {
    let mut terms = pooled(basis, repeat);
    let rule = match terms.list.as_mut_slice() {
        [only] => {
            only.weight = 1.0;
            "The score of its only run.".to_owned()
        }
        _ => {
            format!("Mean over the cases of all runs together: Σ cases × score / Σ cases. {POOLED}")
        }
    };
    ScoreParts {
        rule,
        source: basis.source_of_run(),
        score: scored(evaluation_score(basis.entry), "no case has a score"),
        numbers: None,
        terms,
        remarks: basis.remarks(),
        tables: Vec::new(),
    }
}

/// The runs of a repeat, each weighted by the number of its cases that count.
fn pooled<'a>(basis: HowBasis<'a>, repeat: &RepeatFigures) -> Terms<'a> {
    let HowBasis { entry, settings } = basis;
    let term = |idx: usize| {
        let run = entry.evaluation.runs.get(idx);
        let parts = run.map(|run| run_parts(run, &entry.evaluation.config, &settings.rules));
        let counted = parts.unwrap_or_default();
        let n_counted = counted.iter().filter(|(_, part)| part.score().is_some()).count();
        let score = entry.figures.runs.get(idx).and_then(run_score).filter(|_| n_counted > 0);
        #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
        let weight = n_counted as f64;
        ScoreTerm {
            weight,
            ..ScoreTerm::plain(idx, score.map(|score| score.0).ok_or("none of its cases counts"))
        }
    };
    Terms {
        caption: "Runs",
        word: "runs",
        columns: vec![Column::numbers("Cases", "All cases of the run, counted or not")],
        list: runs_of(entry, repeat.repeat).into_iter().map(term).collect(),
        named: Box::new(|idx| {
            let n_cases = entry.evaluation.runs.get(idx).map_or(0, |run| run.cases.len());
            TermName { cells: vec![Cell::Count(n_cases as u64)], ..run_named(entry, idx) }
        }),
        empty: "The files hold no run.",
    }
}

/// The runs of repeat `repeat`.
fn runs_of(entry: &Entry, repeat: u32) -> Vec<usize> {
    let runs = entry.evaluation.runs.iter().enumerate();
    runs.filter(|(_, run)| run.key.repeat == repeat).map(|(idx, _)| idx).collect()
}

fn run_named(entry: &Entry, idx: usize) -> TermName {
    TermName {
        name: entry.evaluation.runs.get(idx).map_or_else(String::new, |run| run.label.clone()),
        link: entry.run_ref(idx).map(|run| Link::How(How::Run(run))),
        cells: Vec::new(),
    }
}
