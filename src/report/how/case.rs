//! The score of a case: from attributes, graders, attempts, or as recorded.

use super::made::{ScoreParts, ScoreTerm, TermName, Terms};
use super::{HowBasis, attempts, formula};
use crate::model::{Outcome, RewardRule, Run, Verdict};
use crate::order::Order as _;
use crate::report::pages::case::score_reason;
use crate::report::table::Column;
use crate::report::{Cell, Num, RunRef};
use crate::scoring::Missing;
use crate::words::report::how as words;

/// How the score of case `idx` was made.
pub(super) fn case<'a>(
    basis: HowBasis<'a>,
    at: RunRef,
    run: &'a Run,
    idx: usize,
) -> ScoreParts<'a> {
    let config = &basis.entry.evaluation.config;
    let mut made = match (attempts::attempts(basis, run, idx), &config.primary_metric) {
        (Some(made), _) => made,
        (None, Some(metric)) => of_graders(basis, run, idx, metric),
        (None, None) if config.has_policies && !run.checks_of(idx).is_empty() => {
            of_attributes(basis, run, idx)
        }
        (None, None) if run.is_infrastructure_failure.is_some() => of_test(basis, at, run, idx),
        (None, None) => recorded(basis, run, idx),
    };
    let standing = match basis.settings.rules.standing(run, idx) {
        Missing::AsDeclared => None,
        Missing::Zero => Some(words::CASE_ZERO),
        Missing::LeftOut => Some(words::CASE_LEFT_OUT),
    };
    made.remarks.extend(standing.map(|text| (words::RULES_IN_FORCE, Cell::Text(text.to_owned()))));
    made
}

/// The score of case `idx`, or why there is none.
pub(super) fn score_of(run: &Run, idx: usize) -> Result<Num, String> {
    let reason = || score_reason(run, idx).unwrap_or_default();
    run.cases.score.get(idx).map(Num).ok_or_else(reason)
}

/// slop-code with weighted attributes.
fn of_attributes<'a>(basis: HowBasis<'a>, run: &'a Run, idx: usize) -> ScoreParts<'a> {
    let checks = &run.checks;
    let term = |at: usize| {
        let score = checks.is_correct.get(at).map(|is_correct| f64::from(u8::from(is_correct)));
        ScoreTerm {
            weight: checks.weight.get(at).unwrap_or(0.0),
            ..ScoreTerm::plain(at, score.ok_or(words::NOT_VERIFIED))
        }
    };
    // The file's order means nothing here; what counts comes first.
    let mut list: Vec<ScoreTerm> = run.checks_of(idx).map(term).collect();
    list.order_by_key(|term| term.score.is_err());
    ScoreParts {
        rule: words::ATTRIBUTES_RULE.to_owned(),
        source: basis.of_producer(words::ATTRIBUTES_SOURCE),
        score: score_of(run, idx),
        numbers: None,
        terms: Terms {
            caption: words::ATTRIBUTES,
            word: words::ATTRIBUTES_WORD,
            columns: vec![Column::words(words::CORRECT)],
            list,
            named: Box::new(|at| TermName {
                name: checks.name.get(at).unwrap_or_default().to_owned(),
                link: None,
                cells: vec![checks.is_correct.get(at).map_or_else(not_verified, Cell::Flag)],
            }),
            empty: "",
        },
        remarks: Vec::new(),
        tables: Vec::new(),
    }
}

fn not_verified() -> Cell {
    Cell::Missing(words::NOT_VERIFIED.to_owned())
}

/// letta-evals: the grade by the primary grader.
fn of_graders<'a>(basis: HowBasis<'a>, run: &'a Run, idx: usize, metric: &str) -> ScoreParts<'a> {
    let checks = &run.checks;
    let config = &basis.entry.evaluation.config;
    let primary = run.checks_of(idx).find(|&at| checks.name.get(at) == Some(metric));
    let term = |at: usize| ScoreTerm {
        weight: f64::from(u8::from(Some(at) == primary)),
        ..ScoreTerm::plain(at, checks.score.get(at).ok_or(words::NO_GRADE))
    };
    let score = score_of(run, idx);
    let mut remarks = Vec::new();
    if let Some(rule) = &config.reward {
        let text = match rule {
            RewardRule::Metric(metric) => words::reward_of_metric(config.label_of(metric)),
            RewardRule::Custom(function) => words::reward_of_function(function),
        };
        let reward = run.cases.reward.get(idx).map(Num);
        let value = Cell::or_missing(reward, Cell::Number, words::NO_REWARD);
        remarks.push((words::REWARD, value));
        remarks.push((words::REWARD_RULE, Cell::Text(text)));
    }
    ScoreParts {
        rule: words::graders_rule(config.label_of(metric)),
        source: basis.of_producer(words::GRADERS_SOURCE),
        numbers: score
            .as_ref()
            .ok()
            .map(|score| words::grade_by(config.label_of(metric), &formula::full(score.0))),
        score,
        terms: Terms {
            caption: words::GRADERS,
            word: words::GRADERS_WORD,
            columns: vec![Column::words(words::VERDICT)],
            list: run.checks_of(idx).map(term).collect(),
            named: Box::new(move |at| TermName {
                name: config.label_of(checks.name.get(at).unwrap_or_default()).to_owned(),
                link: None,
                cells: vec![
                    checks.verdict_of(at).map_or_else(
                        || Cell::Missing(words::NO_GRADER_RULE.to_owned()),
                        verdict_cell,
                    ),
                ],
            }),
            empty: words::NO_GRADERS,
        },
        remarks,
        tables: Vec::new(),
    }
}

pub(super) fn verdict_cell(verdict: Verdict) -> Cell {
    Cell::Outcome(match verdict {
        Verdict::Passed => Outcome::Passed,
        Verdict::Failed => Outcome::Failed,
        Verdict::Error => Outcome::Error,
    })
}

/// slop-code's tests by pytest, which have no score of their own.
fn of_test<'a>(basis: HowBasis<'a>, at: RunRef, run: &'a Run, idx: usize) -> ScoreParts<'a> {
    let recorded = basis.entry.recorded_runs().get(at.run as usize).unwrap_or(run);
    let outcome = recorded.cases.outcome_of(idx);
    let score = run.cases.score.get(idx).ok_or(words::TEST_NOT_RUN);
    ScoreParts {
        rule: words::TEST_RULE.to_owned(),
        source: words::TEST_SOURCE.to_owned(),
        numbers: score.ok().map(|score| format!("{outcome} = {}", formula::full(score))),
        score: score_of(run, idx),
        terms: Terms {
            caption: words::TEST,
            word: words::TESTS_WORD,
            columns: vec![Column::words(words::OUTCOME)],
            list: vec![ScoreTerm::plain(idx, score)],
            named: Box::new(move |idx| TermName {
                name: run.cases.id.get(idx).unwrap_or_default().to_owned(),
                link: None,
                cells: vec![Cell::Outcome(outcome)],
            }),
            empty: "",
        },
        remarks: Vec::new(),
        tables: Vec::new(),
    }
}

/// A score whose parts are in no file.
fn recorded<'a>(basis: HowBasis<'a>, run: &'a Run, idx: usize) -> ScoreParts<'a> {
    let score = score_of(run, idx);
    ScoreParts {
        rule: words::RECORDED_RULE.to_owned(),
        source: basis.of_producer(words::RECORDED_SOURCE),
        numbers: score.as_ref().ok().map(|score| words::recorded(&formula::full(score.0))),
        score,
        terms: Terms {
            caption: words::PARTS,
            word: words::PARTS_WORD,
            columns: Vec::new(),
            list: Vec::new(),
            named: Box::new(|_| TermName { name: String::new(), link: None, cells: Vec::new() }),
            empty: if basis.entry.evaluation.config.has_policies {
                words::NO_PARTS
            } else {
                words::OWN_SCORE
            },
        },
        remarks: Vec::new(),
        tables: Vec::new(),
    }
}
