//! The score of a run from its groups or cases, and that of a group from its cases.

use super::made::{ScoreParts, ScoreTerm, TermName, Terms};
use super::{HowBasis, scored};
use crate::model::{Config, MeanOver, Run};
use crate::report::cells::NO_SCORE;
use crate::report::table::Column;
use crate::report::tree::run_score;
use crate::report::{Cell, How, Link, RunRef};
use crate::scoring::{GroupScore, group_parts, run_parts};

/// How the score of the run was made; `None` when it is not there.
pub(super) fn run<'a>(basis: HowBasis<'a>, at: RunRef, run: &'a Run) -> Option<ScoreParts<'a>> {
    let figures = basis.entry.figures.runs.get(at.run as usize)?;
    let score = scored(run_score(figures), NO_SCORE);
    if figures.totals.score.weighted.is_some() {
        return Some(ScoreParts { score, ..of_groups(basis, at, &figures.groups) });
    }
    let config = &basis.entry.evaluation.config;
    let parts = run_parts(run, config, &basis.settings.rules);
    let is_empty_mean = score.is_ok() && parts.iter().all(|(_, part)| part.score().is_none());
    let mut rule = rule_of_cases(config);
    if figures.groups.iter().any(|group| group.score.is_some()) {
        rule.insert_str(
            0,
            "No scored group has a weight, so the score is computed from the cases. ",
        );
    }
    Some(ScoreParts {
        rule,
        source: basis.source_of_run(),
        numbers: is_empty_mean.then(|| "the producer defines the mean of no cases as 0".to_owned()),
        score,
        terms: of_cases(at, run, parts.into_iter().map(ScoreTerm::of_case).collect()),
        remarks: basis.remarks(),
        tables: Vec::new(),
    })
}

/// slop-code: the weighted mean of the groups.
fn of_groups<'a>(basis: HowBasis<'a>, at: RunRef, groups: &'a [GroupScore]) -> ScoreParts<'a> {
    let term = |(idx, group): (usize, &GroupScore)| {
        let why = if group.cases == 0 { "no case of the group counts" } else { NO_SCORE };
        let score = group.score.map(|score| score.0).ok_or(why);
        ScoreTerm { weight: group.weight.0, ..ScoreTerm::plain(idx, score) }
    };
    let named = move |idx: usize| {
        let group = groups.get(idx);
        let n_cases = group.map_or(0, |group| group.cases);
        let kind = group.and_then(|group| group.kind);
        TermName {
            name: group.map_or_else(String::new, |group| group.name.clone()),
            link: u32::try_from(idx).ok().map(|group| Link::How(How::Group { run: at, group })),
            cells: vec![
                Cell::words(kind.map(|kind| kind.as_str()), "the files name no kind"),
                Cell::Count(n_cases),
            ],
        }
    };
    ScoreParts {
        rule: "Weighted mean of the groups that have a score: Σ weight × score / Σ weight. \
               A group has weight 1 unless you set another."
            .to_owned(),
        source: "slop-code's reporting guide (weighted group scoring); not stored by its code"
            .to_owned(),
        score: Err(NO_SCORE.to_owned()),
        numbers: None,
        terms: Terms {
            caption: "Groups",
            word: "groups",
            columns: vec![Column::words("Kind"), Column::numbers("Cases", "Cases that count")],
            list: groups.iter().enumerate().map(term).collect(),
            named: Box::new(named),
            empty: "This run has no groups.",
        },
        remarks: basis.remarks(),
        tables: Vec::new(),
    }
}

/// How the score of group `group` was made; `None` when it is not there.
pub(super) fn group<'a>(
    basis: HowBasis<'a>,
    at: RunRef,
    run: &'a Run,
    group: usize,
) -> Option<ScoreParts<'a>> {
    let found = basis.entry.figures.runs.get(at.run as usize)?.groups.get(group)?;
    let parts = group_parts(run, &found.name, &basis.settings.rules);
    let why = if parts.is_empty() { "the group is empty" } else { NO_SCORE };
    Some(ScoreParts {
        rule: "Mean of the case scores, using the last case of each ID: Σ score / n.".to_owned(),
        source: "slop-code's reporting guide (group score); not stored by its code".to_owned(),
        score: scored(found.score, why),
        numbers: None,
        terms: of_cases(at, run, parts.into_iter().map(ScoreTerm::of_case).collect()),
        remarks: basis.remarks(),
        tables: Vec::new(),
    })
}

/// Which mean over cases stands for a run.
fn rule_of_cases(config: &Config) -> String {
    let what = match (&config.reward, &config.primary_metric) {
        (Some(_), _) => {
            return "Mean of the rewards of the cases that completed: Σ reward / n.".to_owned();
        }
        (None, Some(metric)) => format!("scores by {}", config.label_of(metric)),
        (None, None) => "scores".to_owned(),
    };
    match config.mean_over {
        MeanOver::Graded => {
            format!("Mean of the {what} of all cases that have one, completed or not: Σ score / n.")
        }
        MeanOver::AttemptedAndGraded => {
            format!("Mean of the {what} of the cases that completed: Σ score / n.")
        }
    }
}

fn of_cases(at: RunRef, run: &Run, list: Vec<ScoreTerm>) -> Terms<'_> {
    Terms {
        caption: "Cases",
        word: "cases",
        columns: vec![Column::words("Outcome")],
        list,
        named: Box::new(move |idx| {
            let cases = &run.cases;
            let id = cases.id.get(idx).unwrap_or_default();
            let variant = cases.variant.get(idx);
            let case_idx = idx as u64;
            let opened = Some(Link::Case { run: at, case_idx });
            TermName {
                name: variant.map_or_else(|| id.to_owned(), |variant| format!("{id} · {variant}")),
                link: Some(Link::How(How::Case { run: at, case_idx })),
                cells: vec![Cell::Outcome(cases.outcome_of(idx)).opening(opened)],
            }
        }),
        empty: "There are no cases.",
    }
}
