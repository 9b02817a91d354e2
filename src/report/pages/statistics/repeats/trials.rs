//! Cases tried several times: chances to pass in k trials, and how steady each case is.

use super::Repeated;
use crate::format::count;
use crate::model::Run;
use crate::order::Order as _;
use crate::report::cells::{count_cell, mean_interval_cell};
use crate::report::table::Column;
use crate::report::{Cell, Link, Num, Row, Section, Table};
use crate::scoring::{IntervalMethod, Steadiness, TrialTotals, Trials, trial_totals, trials};
use crate::stats;

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
        "pass@k and pass^k",
        vec![
            Column::words("Of"),
            Column::numbers("k", "Number of trials drawn"),
            Column::numbers("pass@k", "At least one of k trials passes; unbiased estimate"),
            Column::numbers("95 % interval", "Over cases"),
            Column::numbers("pass^k", "All of k trials pass; unbiased estimate"),
            Column::numbers("95 % interval", "Over cases"),
            Column::numbers("Cases", "Cases with at least k trials"),
        ],
    );
    let mut methods = Vec::new();
    for (group, _, totals) in tried {
        let method = match totals.interval_method {
            IntervalMethod::Bootstrap { n_resamples, seed } => {
                let n_resamples = count(u64::from(n_resamples));
                format!("percentile bootstrap over cases, {n_resamples} resamples, seed {seed}")
            }
            IntervalMethod::StudentT => "Student's t over cases".to_owned(),
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
        title: "pass@k".to_owned(),
        lead: Some(format!(
            "For a case with n trials and c passes: pass@k = 1 − C(n−c, k) / C(n, k), pass^k = C(c, k) / C(n, k); averaged over cases. Errors count as not passed. Intervals: {}.",
            methods.join("; ")
        )),
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
        "Consistency",
        vec![
            Column::words("Of"),
            Column::numbers("Cases", ""),
            Column::numbers("Trials", "Skipped trials left out"),
            Column::numbers("Always pass", "Of cases with two or more trials"),
            Column::numbers("Sometimes", "Of cases with two or more trials"),
            Column::numbers("Never", "Of cases with two or more trials"),
            Column::numbers("Same answer", "Cases with byte-identical answers in all trials"),
            Column::numbers("Agreement", "Mean share of the most common answer"),
            Column::numbers("Std between", "Square root of the variance between cases"),
            Column::numbers("Std within", "Square root of the variance within a case"),
            Column::numbers("ICC", "Share of the variance that lies between cases"),
        ],
    );
    for (group, _, totals) in tried {
        let share = |get: fn(&Steadiness) -> u64| match &totals.steadiness {
            Some(found) => count_cell(get(found), found.n_cases),
            None => Cell::Missing("no case has two trials with a verdict".to_owned()),
        };
        let variance =
            |found: Option<f64>| Cell::or_missing(found.map(Num), Cell::Number, "too few scores");
        let split = totals.variance.as_ref();
        let agreement = totals.agreement.as_ref();
        let no_answers = || Cell::Missing("no answers recorded".to_owned());
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
        table.footnote = Some(
            "A negative estimate of the variance between cases is shown as 0; it arises when trials vary more than cases do."
                .to_owned(),
        );
    }
    Some(Section {
        title: "Consistency by case".to_owned(),
        lead: Some(
            "How often repeated trials of the same case agree. Variances: one-way random-effects analysis."
                .to_owned(),
        ),
        tables: vec![table, case_table(tried)],
        ..Section::default()
    })
}

/// Each case over its trials, the least steady first.
fn case_table(tried: &[RepeatTrials<'_>]) -> Table {
    let mut table = Table::new(
        "case-steadiness",
        "Least consistent cases",
        vec![
            Column::words("Case"),
            Column::words("Of"),
            Column::numbers("Passed", "Trials that pass, of all"),
            Column::numbers("Errors", "Trials that could not be judged"),
            Column::numbers("Mean score", ""),
            Column::numbers("Std", "Sample standard deviation, n − 1"),
            Column::numbers("Min", ""),
            Column::numbers("Max", ""),
            Column::numbers("Agreement", "Share of the most common answer"),
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
        table.footnote = Some(format!("The first {MAX_CASES} of {}.", count(order.len() as u64)));
        order.truncate(MAX_CASES);
    }
    for (_, at, case) in order {
        let Some((group, found, _)) = tried.get(at) else { continue };
        let Some(figures) = found.cases.get(case) else { continue };
        let Some((run_idx, row)) = found.matching.rows_of(case).next() else { continue };
        let Some((entry, idx, run)) = group.runs.get(run_idx) else { continue };
        let number =
            |found: Option<f64>| Cell::or_missing(found.map(Num), Cell::Number, "too few scores");
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
                Cell::or_missing(figures.agreement.map(Num), Cell::Rate, "no two answers"),
            ],
            link,
        });
    }
    table
}
