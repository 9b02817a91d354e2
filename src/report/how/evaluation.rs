//! The score of an evaluation, from its runs.

use super::made::{ScoreParts, ScoreTerm, TermName, Terms, terms_table};
use super::{HowBasis, scored};
use crate::figures::RepeatFigures;
use crate::report::table::Column;
use crate::report::tree::{evaluation_score, run_score, score_of_totals};
use crate::report::{Cell, How, Link, Table};
use crate::scoring::run_parts;
use crate::words::report::how as words;
use crate::workspace::Entry;

/// Most repeats whose runs are shown one by one.
const MAX_REPEATS: usize = 25;

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
        ScoreTerm::plain(idx, run_score(run).map(|score| score.0).ok_or(words::TERM_WITHOUT_SCORE))
    });
    ScoreParts {
        rule: words::CHECKPOINTS_RULE.to_owned(),
        source: words::CHECKPOINTS_SOURCE.to_owned(),
        score: scored(evaluation_score(entry), words::NO_CHECKPOINT_SCORE),
        numbers: None,
        terms: Terms {
            caption: words::CHECKPOINTS,
            word: words::CHECKPOINTS_WORD,
            columns: Vec::new(),
            list: list.collect(),
            named: Box::new(|idx| run_named(entry, idx)),
            empty: words::NO_CHECKPOINTS,
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
        ScoreTerm::plain(
            at,
            score_of_totals(&repeat.totals).map(|score| score.0).ok_or(words::TERM_WITHOUT_SCORE),
        )
    });
    let several = repeats.iter().filter(|repeat| runs_of(entry, repeat.repeat).len() > 1);
    let tables: Vec<Table> = several
        .clone()
        .take(MAX_REPEATS)
        .map(|repeat| {
            let mut table = terms_table(
                &format!("repeat-{}", repeat.repeat),
                &words::runs_of_repeat(repeat.repeat),
                &pooled(basis, repeat),
                score_of_totals(&repeat.totals),
            );
            table.footnote = Some(words::POOLED.to_owned());
            table
        })
        .collect();
    let mut remarks = basis.remarks();
    let n_repeats = several.count();
    if n_repeats > MAX_REPEATS {
        let text = words::repeats_listed(MAX_REPEATS, n_repeats as u64);
        remarks.push((words::RUNS, Cell::Text(text)));
    }
    ScoreParts {
        rule: words::REPEATS_RULE.to_owned(),
        source: basis.source_of_repeats(),
        score: scored(evaluation_score(entry), words::NO_REPEAT_SCORE),
        numbers: None,
        terms: Terms {
            caption: words::REPEATS,
            word: words::REPEATS_WORD,
            columns: Vec::new(),
            list: list.collect(),
            named: Box::new(|at| {
                let repeat = repeats.get(at).map_or(0, |repeat| repeat.repeat);
                let name = words::repeat(repeat);
                match runs_of(entry, repeat).as_slice() {
                    [only] => TermName { name, ..run_named(entry, *only) },
                    _ => TermName { name, link: None, cells: Vec::new() },
                }
            }),
            empty: words::NO_REPEATS,
        },
        remarks,
        tables,
    }
}

/// One repeat: the mean over the cases of all its runs.
fn of_repeat<'a>(basis: HowBasis<'a>, repeat: &RepeatFigures) -> ScoreParts<'a> {
    let mut terms = pooled(basis, repeat);
    let rule = match terms.list.as_mut_slice() {
        [only] => {
            only.weight = 1.0;
            words::ONLY_RUN_RULE.to_owned()
        }
        _ => words::pooled_rule(),
    };
    ScoreParts {
        rule,
        source: basis.source_of_run(),
        score: scored(evaluation_score(basis.entry), words::NO_CASE_SCORE),
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
            ..ScoreTerm::plain(idx, score.map(|score| score.0).ok_or(words::NO_CASE_OF_RUN))
        }
    };
    Terms {
        caption: words::RUNS,
        word: words::RUNS_WORD,
        columns: vec![Column::numbers(words::CASES, words::CASES_OF_RUN_HINT)],
        list: runs_of(entry, repeat.repeat).into_iter().map(term).collect(),
        named: Box::new(|idx| {
            let n_cases = entry.evaluation.runs.get(idx).map_or(0, |run| run.cases.len());
            TermName { cells: vec![Cell::Count(n_cases as u64)], ..run_named(entry, idx) }
        }),
        empty: words::NO_RUNS,
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
