//! Cases tried several times: chances to pass in k trials, and how steady each case is.

use super::Repeated;
use crate::model::Run;
use crate::order::Order as _;
use crate::report::cells::{count_cell, mean_interval_cell};
use crate::report::table::Column;
use crate::report::{Cell, Link, Num, Row, Section, Table};
use crate::scoring::{IntervalMethod, Steadiness, TrialTotals, Trials, trial_totals, trials};
use crate::stats;
use crate::words::report::statistics::{self, repeats as words};

/// Repeated runs, the trials of their cases, and what these add up to.
type RepeatTrials<'a> = (&'a Repeated<'a>, Trials, TrialTotals);

/// Cases of the table of steadiness, the least steady first.
const MAX_CASES: usize = 1_000;

/// The sections about the cases of `groups` that have two trials or more.
pub(super) fn sections(groups: &[Repeated<'_>]) -> impl Iterator<Item = Section> {
    let tried: Vec<RepeatTrials<'_>> = groups
        .iter()
        .filter_map(|group| {
            let runs: Vec<&Run> = group.runs.iter().map(|(_, _, run)| *run).collect();
            let found = trials(&runs);
            let is_repeated = found.cases.iter().any(|case| case.n_trials > 1);
            is_repeated.then(|| {
                let totals = trial_totals(&found);
                (group, found, totals)
            })
        })
        .collect();
    chances(&tried).into_iter().chain(steadiness(&tried))
}

/// Pass@k and pass^k.
fn chances(tried: &[RepeatTrials<'_>]) -> Option<Section> {
    let mut table = Table::new(
        "pass-at-k",
        words::CHANCES_TABLE,
        vec![
            Column::words(statistics::OF),
            Column::numbers(words::K, words::K_HINT),
            Column::numbers(words::ANY, words::ANY_HINT),
            Column::numbers(statistics::INTERVAL, words::INTERVAL_HINT),
            Column::numbers(words::ALL, words::ALL_HINT),
            Column::numbers(statistics::INTERVAL, words::INTERVAL_HINT),
            Column::numbers(words::CASES, words::CASES_HINT),
        ],
    );
    let mut methods = Vec::new();
    for (group, _, totals) in tried {
        let method = match totals.interval_method {
            IntervalMethod::Bootstrap { n_resamples, seed } => {
                words::bootstrap_over_cases(u64::from(n_resamples), seed)
            }
            IntervalMethod::StudentT => words::T_OVER_CASES.to_owned(),
        };
        if !methods.contains(&method) {
            methods.push(method);
        }
        for pass in &totals.pass {
            let ends = |found: Option<stats::Interval>| {
                let ends = found.map(|ci| [Num(ci.low), Num(ci.high)]);
                mean_interval_cell(ends, pass.n_cases, true)
            };
            table.row(vec![
                Cell::Text(group.name.clone()),
                Cell::Count(u64::from(pass.k)),
                Cell::Rate(Num(pass.any.mean)),
                ends(pass.any.ci95),
                Cell::Rate(Num(pass.all.mean)),
                ends(pass.all.ci95),
                Cell::Count(pass.n_cases),
            ]);
        }
    }
    (!table.rows.is_empty()).then(|| Section {
        title: words::ANY.to_owned(),
        lead: Some(words::chances_lead(&methods.join("; "))),
        tables: vec![table],
        ..Section::default()
    })
}

/// How steady cases are, and which are not.
fn steadiness(tried: &[RepeatTrials<'_>]) -> Option<Section> {
    if tried.is_empty() {
        return None;
    }
    let mut table = Table::new(
        "steadiness",
        words::STEADINESS_TABLE,
        vec![
            Column::words(statistics::OF),
            Column::numbers(words::CASES, ""),
            Column::numbers(words::TRIALS, words::TRIALS_HINT),
            Column::numbers(words::ALWAYS, words::OF_REPEATED),
            Column::numbers(words::SOMETIMES, words::OF_REPEATED),
            Column::numbers(words::NEVER, words::OF_REPEATED),
            Column::numbers(words::SAME_ANSWER, words::SAME_ANSWER_HINT),
            Column::numbers(words::AGREEMENT, words::MEAN_AGREEMENT_HINT),
            Column::numbers(words::STD_BETWEEN, words::STD_BETWEEN_HINT),
            Column::numbers(words::STD_WITHIN, words::STD_WITHIN_HINT),
            Column::numbers(words::ICC, words::ICC_HINT),
        ],
    );
    for (group, _, totals) in tried {
        let share = |get: fn(&Steadiness) -> u64| match &totals.steadiness {
            Some(found) => count_cell(get(found), found.n_cases),
            None => Cell::Missing(words::NO_VERDICTS.to_owned()),
        };
        let variance = |found: Option<f64>| {
            Cell::or_missing(found.map(Num), Cell::Number, words::TOO_FEW_SCORES)
        };
        let split = totals.variance.as_ref();
        let agreement = totals.agreement.as_ref();
        let no_answers = || Cell::Missing(words::NO_ANSWERS.to_owned());
        table.row(vec![
            Cell::Text(group.name.clone()),
            Cell::Count(totals.n_cases),
            Cell::Count(totals.n_trials),
            share(|found| found.n_always),
            share(|found| found.n_flicker),
            share(|found| found.n_never),
            agreement.map_or_else(no_answers, |found| count_cell(found.n_unanimous, found.n_cases)),
            agreement.map_or_else(no_answers, |found| Cell::Rate(Num(found.mean))),
            variance(split.map(|split| split.between.sqrt())),
            variance(split.map(|split| split.within.sqrt())),
            variance(split.and_then(|split| split.icc)),
        ]);
    }
    if tried.iter().any(|(.., totals)| totals.variance.is_some_and(|v| v.is_between_negative)) {
        table.footnote = Some(words::NEGATIVE_VARIANCE.to_owned());
    }
    Some(Section {
        title: words::STEADINESS.to_owned(),
        lead: Some(words::STEADINESS_LEAD.to_owned()),
        tables: vec![table, case_table(tried)],
        ..Section::default()
    })
}

/// Each case over its trials, the least steady first.
fn case_table(tried: &[RepeatTrials<'_>]) -> Table {
    let mut table = Table::new(
        "case-steadiness",
        words::CASE_TABLE,
        vec![
            Column::words(statistics::CASE),
            Column::words(statistics::OF),
            Column::numbers(statistics::PASSED, words::TRIALS_PASSED_HINT),
            Column::numbers(statistics::ERRORS, words::TRIAL_ERRORS_HINT),
            Column::numbers(words::MEAN_SCORE, ""),
            Column::numbers(statistics::STD, statistics::STD_HINT),
            Column::numbers(statistics::MIN, ""),
            Column::numbers(statistics::MAX, ""),
            Column::numbers(words::AGREEMENT, words::AGREEMENT_HINT),
        ],
    );
    let mut order: Vec<(f64, usize, usize)> = Vec::new();
    for (at, (_, found, _)) in tried.iter().enumerate() {
        for (case, figures) in found.cases.iter().enumerate() {
            let rate = f64::from(figures.n_passed) / f64::from(figures.n_trials.max(1));
            let unsteady = rate * (1.0 - rate) + figures.std.unwrap_or(0.0);
            order.push((unsteady, at, case));
        }
    }
    order.order_by(|left, right| right.0.total_cmp(&left.0));
    if order.len() > MAX_CASES {
        table.footnote = Some(words::first_cases(MAX_CASES, order.len() as u64));
        order.truncate(MAX_CASES);
    }
    for (_, at, case) in order {
        let Some((group, found, _)) = tried.get(at) else { continue };
        let Some(figures) = found.cases.get(case) else { continue };
        let Some((run_idx, row)) = found.matching.rows_of(case).next() else { continue };
        let Some((entry, idx, run)) = group.runs.get(run_idx) else { continue };
        let number = |found: Option<f64>| {
            Cell::or_missing(found.map(Num), Cell::Number, words::TOO_FEW_SCORES)
        };
        let link = entry.run_ref(*idx).map(|run| Link::Case { run, case_idx: row as u64 });
        table.rows.push(Row {
            cells: vec![
                Cell::Text(run.cases.id.get(row).unwrap_or_default().to_owned()),
                Cell::Text(group.name.clone()),
                count_cell(u64::from(figures.n_passed), u64::from(figures.n_trials)),
                Cell::Count(u64::from(figures.n_errors)),
                number(figures.mean),
                number(figures.std),
                number(figures.min),
                number(figures.max),
                Cell::or_missing(figures.agreement.map(Num), Cell::Rate, words::NO_TWO_ANSWERS),
            ],
            link,
        });
    }
    table
}
