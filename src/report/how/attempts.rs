//! The score of a case from its attempts, and what each strategy gives (REBEL).

use super::HowBasis;
use super::case::{score_of, verdict_cell};
use super::formula;
use super::made::{ScoreParts, ScoreTerm, TermName, Terms};
use crate::model::{Run, Strategy, Verdict};
use crate::report::table::Column;
use crate::report::{Cell, Num, Table};
use crate::scoring::{Judged, attempt_weights, attempts as attempts_of, by_strategy};

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
            Some(weights) => weights.get(nth).copied().flatten().ok_or("verdict error: dropped"),
            None => Err("no known strategy: the recorded result is shown"),
        };
        ScoreTerm {
            weight: weight.unwrap_or(0.0),
            ..ScoreTerm::plain(*at, weight.map(|_| judged.score))
        }
    };
    let list: Vec<ScoreTerm> = attempts.iter().enumerate().map(term).collect();
    let kept: Vec<f64> = list.iter().filter_map(|term| term.score.ok()).collect();
    let (rule, numbers) = match (strategy, &score) {
        (_, Ok(_)) if is_lost => (
            "No attempt without an error: score 0, verdict error.".to_owned(),
            Some("no attempt without an error: 0".to_owned()),
        ),
        (Some(Strategy::Mean), _) => (rule_of(Strategy::Mean), None),
        (Some(strategy), Ok(score)) => {
            (rule_of(strategy), Some(formula::function(strategy.as_str(), &kept, score.0)))
        }
        (Some(strategy), Err(_)) => (rule_of(strategy), None),
        (None, score) => (
            "The file names no known strategy, so its recorded result is shown.".to_owned(),
            score.as_ref().ok().map(|score| format!("recorded: {}", formula::full(score.0))),
        ),
    };
    let is_own = basis.settings.rules.strategy.is_some();
    let mut remarks = Vec::new();
    if let (true, Some(strategy)) = (is_own, strategy) {
        remarks.push(("Rules in force", Cell::Text(format!("strategy {strategy}"))));
    }
    Some(ScoreParts {
        rule,
        source: basis.of_producer("aggregation of attempts; the verdict does not use the score"),
        score,
        numbers,
        terms: Terms {
            caption: "Attempts",
            word: "attempts",
            columns: vec![Column::words("Verdict")],
            list,
            named: Box::new(move |at| TermName {
                name: name_of(run, idx, at),
                link: None,
                cells: run.checks.verdict_of(at).map(verdict_cell).into_iter().collect(),
            }),
            empty: "No attempt has a result.",
        },
        remarks,
        tables: vec![strategies(run, idx, strategy)],
    })
}

/// The attempt that check `at` of case `idx` judges; with the metric, when an attempt has several.
fn name_of(run: &Run, idx: usize, at: usize) -> String {
    let number = run.checks.attempt.get(at);
    let name = format!("Attempt {}", number.unwrap_or(0));
    let n_own = run.checks_of(idx).filter(|at| run.checks.attempt.get(*at) == number).count();
    match run.checks.name.get(at).filter(|_| n_own > 1) {
        Some(metric) => format!("{name}, {metric}"),
        None => name,
    }
}

fn rule_of(strategy: Strategy) -> String {
    let (rule, verdict) = match strategy {
        Strategy::Min => ("The lowest score", "failed when any attempt failed"),
        Strategy::Max => ("The highest score", "passed when any attempt passed"),
        Strategy::Mean => ("The exact mean, Σ score / n,", "passed when more pass than fail"),
        Strategy::Median => ("The median", "passed when more pass than fail"),
    };
    format!(
        "{rule} of the attempts that did not end in an error. Verdict by strategy {strategy}: {verdict}."
    )
}

/// What each strategy makes of the attempts.
fn strategies(run: &Run, idx: usize, in_force: Option<Strategy>) -> Table {
    let mut table = Table::new(
        "strategies",
        "Result of each strategy",
        vec![
            Column::words("Strategy"),
            Column::numbers("Score", ""),
            Column::words("Verdict"),
            Column::words("In force"),
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
        table.empty = Some("There are no attempts to combine.".to_owned());
    }
    table
}
