//! The score of a run from its groups or cases, and that of a group from its cases.

use super::made::{ScoreParts, ScoreTerm, TermName, Terms};
use super::{HowBasis, scored};
use crate::model::{Config, MeanOver, Run};
use crate::report::cells::NO_SCORE;
use crate::report::table::Column;
use crate::report::tree::run_score;
use crate::report::{Cell, How, Link, RunRef};
use crate::scoring::{GroupScore, group_parts, run_parts};
use crate::words::report::how as words;

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
        rule = words::without_weights(&rule);
    }
    Some(ScoreParts {
        rule,
        source: basis.source_of_run(),
        numbers: is_empty_mean.then(|| words::EMPTY_MEAN.to_owned()),
        score,
        terms: of_cases(at, run, parts.into_iter().map(ScoreTerm::of_case).collect()),
        remarks: basis.remarks(),
        tables: Vec::new(),
    })
}

/// slop-code: the weighted mean of the groups.
fn of_groups<'a>(basis: HowBasis<'a>, at: RunRef, groups: &'a [GroupScore]) -> ScoreParts<'a> {
    let term = |(idx, group): (usize, &GroupScore)| {
        let why = if group.cases == 0 { words::NO_CASE_OF_GROUP } else { NO_SCORE };
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
                Cell::words(kind.map(|kind| kind.as_str()), words::NO_KIND),
                Cell::Count(n_cases),
            ],
        }
    };
    ScoreParts {
        rule: words::GROUPS_RULE.to_owned(),
        source: words::GROUPS_SOURCE.to_owned(),
        score: Err(NO_SCORE.to_owned()),
        numbers: None,
        terms: Terms {
            caption: words::GROUPS,
            word: words::GROUPS_WORD,
            columns: vec![
                Column::words(words::KIND),
                Column::numbers(words::CASES, words::CASES_OF_GROUP_HINT),
            ],
            list: groups.iter().enumerate().map(term).collect(),
            named: Box::new(named),
            empty: words::NO_GROUPS,
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
    let why = if parts.is_empty() { words::GROUP_EMPTY } else { NO_SCORE };
    Some(ScoreParts {
        rule: words::GROUP_RULE.to_owned(),
        source: words::GROUP_SOURCE.to_owned(),
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
        (Some(_), _) => return words::REWARDS_RULE.to_owned(),
        (None, Some(metric)) => words::scores_by(config.label_of(metric)),
        (None, None) => words::SCORES.to_owned(),
    };
    match config.mean_over {
        MeanOver::Graded => words::mean_of_graded(&what),
        MeanOver::AttemptedAndGraded => words::mean_of_completed(&what),
    }
}

fn of_cases(at: RunRef, run: &Run, list: Vec<ScoreTerm>) -> Terms<'_> {
    Terms {
        caption: words::CASES,
        word: words::CASES_WORD,
        columns: vec![Column::words(words::OUTCOME)],
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
        empty: words::NO_CASES,
    }
}
