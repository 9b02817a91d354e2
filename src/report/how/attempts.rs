//! The score of a case from its attempts, and what each strategy gives (REBEL).

use super::HowBasis;
use super::case::{score_of, verdict_cell};
use super::formula;
use super::made::{ScoreParts, ScoreTerm, TermName, Terms};
use crate::model::{Run, Strategy, Verdict};
use crate::report::table::Column;
use crate::report::{Cell, Num, Table};
use crate::scoring::{Judged, attempt_weights, attempts as attempts_of, by_strategy};
use crate::words::report::how as words;

/// How the score of case `idx` was made of attempts; `None` when it was not.
pub(super) fn attempts<'a>(
    basis: HowBasis<'a>,
    run: &'a Run,
    idx: usize,
) -> Option<ScoreParts<'a>> {
    let attempts = attempts_of(run, idx);
    let strategy = run.cases.strategy_of(idx);
    if attempts.is_empty() && strategy.is_none() {
        return None;
    }
    let score = score_of(run, idx);
    let judged: Vec<Judged> = attempts.iter().map(|(_, judged)| *judged).collect();
    // Without an attempt that is no error, every strategy gives the same.
    let is_lost = judged.iter().all(|attempt| attempt.verdict == Verdict::Error);
    let combined = strategy.or(is_lost.then_some(Strategy::Mean));
    let weights = combined.map(|strategy| attempt_weights(&judged, strategy));
    let term = |(nth, (at, judged)): (usize, &(usize, Judged))| {
        let weight = match &weights {
            Some(weights) => weights.get(nth).copied().flatten().ok_or(words::ATTEMPT_DROPPED),
            None => Err(words::ATTEMPT_UNWEIGHTED),
        };
        ScoreTerm {
            weight: weight.unwrap_or(0.0),
            ..ScoreTerm::plain(*at, weight.map(|_| judged.score))
        }
    };
    let list: Vec<ScoreTerm> = attempts.iter().enumerate().map(term).collect();
    let kept: Vec<f64> = list.iter().filter_map(|term| term.score.ok()).collect();
    let (rule, numbers) = match (strategy, &score) {
        (_, Ok(_)) if is_lost => {
            (words::LOST_RULE.to_owned(), Some(words::LOST_NUMBERS.to_owned()))
        }
        (Some(Strategy::Mean), _) => (rule_of(Strategy::Mean), None),
        (Some(strategy), Ok(score)) => {
            (rule_of(strategy), Some(formula::function(strategy.as_str(), &kept, score.0)))
        }
        (Some(strategy), Err(_)) => (rule_of(strategy), None),
        (None, score) => (
            words::NO_STRATEGY_RULE.to_owned(),
            score.as_ref().ok().map(|score| words::recorded(&formula::full(score.0))),
        ),
    };
    let is_own = basis.settings.rules.strategy.is_some();
    let mut remarks = Vec::new();
    if let (true, Some(strategy)) = (is_own, strategy) {
        remarks.push((words::RULES_IN_FORCE, Cell::Text(words::strategy(strategy.as_str()))));
    }
    Some(ScoreParts {
        rule,
        source: basis.of_producer(words::ATTEMPTS_SOURCE),
        score,
        numbers,
        terms: Terms {
            caption: words::ATTEMPTS,
            word: words::ATTEMPTS_WORD,
            columns: vec![Column::words(words::VERDICT)],
            list,
            named: Box::new(move |at| TermName {
                name: name_of(run, idx, at),
                link: None,
                cells: run.checks.verdict_of(at).map(verdict_cell).into_iter().collect(),
            }),
            empty: words::NO_ATTEMPTS,
        },
        remarks,
        tables: vec![strategies(run, idx, strategy)],
    })
}

/// The attempt that check `at` of case `idx` judges; with the metric, when an attempt has several.
fn name_of(run: &Run, idx: usize, at: usize) -> String {
    let number = run.checks.attempt.get(at);
    let name = words::attempt(number.unwrap_or(0));
    let n_own = run.checks_of(idx).filter(|at| run.checks.attempt.get(*at) == number).count();
    match run.checks.name.get(at).filter(|_| n_own > 1) {
        Some(metric) => format!("{name}, {metric}"),
        None => name,
    }
}

fn rule_of(strategy: Strategy) -> String {
    let (rule, verdict) = match strategy {
        Strategy::Min => (words::LOWEST, words::ANY_FAILED),
        Strategy::Max => (words::HIGHEST, words::ANY_PASSED),
        Strategy::Mean => (words::EXACT_MEAN, words::MORE_PASS),
        Strategy::Median => (words::MEDIAN, words::MORE_PASS),
    };
    words::strategy_rule(rule, strategy.as_str(), verdict)
}

/// What each strategy makes of the attempts.
fn strategies(run: &Run, idx: usize, in_force: Option<Strategy>) -> Table {
    let mut table = Table::new(
        "strategies",
        words::STRATEGIES,
        vec![
            Column::words(words::STRATEGY),
            Column::numbers(words::SCORE, ""),
            Column::words(words::VERDICT),
            Column::words(words::IN_FORCE),
        ],
    );
    for (strategy, judged) in by_strategy(run, idx) {
        table.row(vec![
            Cell::Text(strategy.as_str().to_owned()),
            Cell::Number(Num(judged.score)),
            verdict_cell(judged.verdict),
            Cell::Flag(in_force == Some(strategy)),
        ]);
    }
    if table.rows.is_empty() {
        table.empty = Some(words::NOTHING_TO_COMBINE.to_owned());
    }
    table
}
