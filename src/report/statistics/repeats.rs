//! The same subject on the same part of a suite several times: spread of every figure, chances to
//! pass in k trials, how steady each case is.

use super::super::apart::distinct_parts;
use super::super::cells::{count_cell, has_unit_scores, mean_interval_cell};
use super::super::charts::{Repeat, repeat_strips};
use super::super::figures::RunFigures;
use super::super::rules_view::Scope;
use super::super::table::Column;
use super::super::tree::run_score;
use super::super::{
    Cell, Entry, Figure, Link, Measure, Num, Outcome, Row, Section, Standing, Table, Target,
};
use super::run_name;
use crate::format::{count, counted};
use crate::model::Run;
use crate::scoring::{IntervalMethod, TimingTotals, TrialTotals, Trials, trial_totals, trials};
use crate::stats::{self, bootstrap};

/// Cases of the table of steadiness, the least steady first.
const MAX_CASES: usize = 1_000;

/// Runs that repeat one another.
struct Repeated<'a> {
    name: String,
    runs: Vec<(&'a Entry, usize, &'a Run)>,
}

/// The sections about whatever is repeated in `scope`.
pub(super) fn sections(scope: &Scope<'_>) -> Vec<Section> {
    let groups = repeated(scope);
    let mut sections = Vec::new();
    let several: Vec<&Repeated<'_>> = groups.iter().filter(|group| group.runs.len() > 1).collect();
    if !several.is_empty() {
        sections.push(Section {
            title: "Repeats".to_owned(),
            lead: Some(format!(
                "{}Each figure of each run is one value. Std is the sample standard deviation (n − 1). The normal interval (mean ± 1.96·s/√n) is the one of letta-evals' guide and too narrow for few values; Student's t allows for their number; both take the values as normal. The bootstrap interval ({} resamples, seed {}) does not, but is too narrow for few values.",
                joined(&several),
                count(u64::from(bootstrap::N_RESAMPLES)),
                bootstrap::SEED
            )),
            figures: strips(scope, &several),
            tables: vec![spread_table(&several)],
            ..Section::default()
        });
    }
    let tried: Vec<(&Repeated<'_>, Trials, TrialTotals)> = groups
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
    sections.extend(chances(&tried));
    sections.extend(steadiness(&tried));
    sections
}

/// Names of repeated things that are said to lie in several folders, at most.
const MAX_JOINED: usize = 5;

/// That runs of several folders are taken for repeats, and of which: nothing in the files says so.
fn joined(groups: &[&Repeated<'_>]) -> String {
    let mut words = Vec::new();
    for group in groups {
        let mut entries: Vec<&Entry> = group.runs.iter().map(|(entry, ..)| *entry).collect();
        entries.dedup_by_key(|entry| entry.id);
        if entries.len() < 2 {
            continue;
        }
        let paths: Vec<&str> = entries.iter().map(|e| e.evaluation.path.as_str()).collect();
        let mut names = distinct_parts(&paths);
        let more = names.len().saturating_sub(MAX_JOINED);
        names.truncate(MAX_JOINED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let has_subject = group.runs.iter().all(|(.., run)| run.key.subject.is_some());
        let why = if has_subject {
            "counted as repeats of the same subject"
        } else {
            "counted as repeats of the same subject, since no file names who was evaluated"
        };
        let n = counted(entries.len() as u64, "folder", "folders");
        words.push(format!("{}: {n}: {}{more}, {why}. ", group.name, names.join(", ")));
    }
    let more = words.len().saturating_sub(MAX_JOINED);
    words.truncate(MAX_JOINED);
    if more > 0 {
        words.push(format!("{} more likewise. ", count(more as u64)));
    }
    words.concat()
}

/// Runs grouped by producer, suite, part and subject, in the order of their first one.
fn repeated<'a>(scope: &Scope<'a>) -> Vec<Repeated<'a>> {
    let mut groups: Vec<([Option<String>; 4], Repeated<'a>)> = Vec::new();
    for (entry, idxs) in &scope.parts {
        for &idx in idxs {
            let Some(run) = entry.evaluation.runs.get(idx) else { continue };
            let key = [
                Some(entry.evaluation.producer.to_string()),
                run.key.suite.clone(),
                run.key.variant.clone(),
                run.key.subject.clone(),
            ];
            let found = groups.iter_mut().find(|(known, _)| *known == key);
            if let Some((_, group)) = found {
                group.runs.push((*entry, idx, run));
                continue;
            }
            let words = key.iter().skip(1).flatten().cloned().collect::<Vec<_>>();
            let name = if words.is_empty() { run.label.clone() } else { words.join(" · ") };
            groups.push((key, Repeated { name, runs: vec![(*entry, idx, run)] }));
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// A figure of repeated runs.
struct Spreading {
    name: String,
    /// One for each run that has it.
    values: Vec<f64>,
    /// Whether it lies in 0–1.
    is_unit: bool,
}

impl Repeated<'_> {
    fn has_unit_scores(&self) -> bool {
        self.runs.iter().all(|(entry, _, _)| has_unit_scores(&entry.evaluation))
    }

    fn figures(&self) -> Vec<&RunFigures> {
        self.runs.iter().filter_map(|(entry, idx, _)| entry.figures.runs.get(*idx)).collect()
    }

    /// Every figure with its values, one for each run that has it.
    fn values(&self) -> Vec<Spreading> {
        let figures = self.figures();
        let of = |get: &dyn Fn(&RunFigures) -> Option<Num>| -> Vec<f64> {
            figures.iter().filter_map(|run| get(run)).map(|number| number.0).collect()
        };
        let mut found = vec![
            ("Score".to_owned(), of(&run_score)),
            ("Mean (errors left out)".to_owned(), of(&|run| run.totals.score.mean_attempted)),
            ("Mean (errors counted as 0)".to_owned(), of(&|run| run.totals.score.mean_total)),
            ("Reward".to_owned(), of(&|run| run.totals.reward)),
            ("Share of cases that pass".to_owned(), of(&pass_rate)),
        ];
        let mut names: Vec<&str> = Vec::new();
        for metric in figures.iter().flat_map(|run| &run.totals.metrics) {
            if !names.contains(&metric.name.as_str()) {
                names.push(&metric.name);
            }
        }
        for name in names {
            let values = of(&|run| {
                run.totals.metrics.iter().find(|metric| metric.name == name)?.mean_attempted
            });
            found.push((format!("Metric {name}"), values));
        }
        let cost = of(&|run| run.totals.usage.as_ref()?.cost_usd);
        found.push(("Cost, $".to_owned(), cost));
        found.push(("Steps".to_owned(), of(&|run| run.totals.usage.as_ref()?.steps)));
        let timing =
            |get: fn(&TimingTotals) -> Option<Num>| of(&|run| get(run.totals.timing.as_ref()?));
        found.push(("Agent time, s".to_owned(), timing(|timing| timing.agent_secs)));
        found.push(("Test time, s".to_owned(), timing(|timing| timing.test_secs)));
        found.push(("Mean seconds".to_owned(), of(&|run| run.totals.timing.as_ref()?.mean_secs)));
        // A score that is one of the others says nothing new.
        let score = found.first().map(|(_, values)| values.clone()).unwrap_or_default();
        let is_known = found.iter().skip(1).any(|(_, values)| *values == score);
        let is_unit = self.has_unit_scores();
        found
            .into_iter()
            .skip(usize::from(is_known))
            .filter(|(_, values)| !values.is_empty())
            .map(|(name, values)| {
                let is_measured = ["Cost, $", "Mean seconds"].contains(&name.as_str());
                let is_share = name == "Share of cases that pass";
                Spreading { is_unit: is_share || (is_unit && !is_measured), name, values }
            })
            .collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn pass_rate(run: &RunFigures) -> Option<Num> {
    let counts = &run.totals.counts;
    let (passed, counted) = counts.passing().filter(|_| counts.is_judged())?;
    (counted > 0).then(|| Num(passed as f64 / counted as f64))
}

/// Score and pass rate of every run, side by side.
fn strips(scope: &Scope<'_>, groups: &[&Repeated<'_>]) -> Vec<Figure> {
    let of = |measure: Measure| -> Vec<Repeat> {
        let values = |group: &&Repeated<'_>| {
            let of_run = |(entry, idx, run): &(&Entry, usize, &Run)| {
                let found = measure.of_run(entry, *idx).filter(|found| found.value.is_finite())?;
                let link = entry.run_ref(*idx).map(|run| Link::Target(Target::Run(run)));
                Some((run_name(scope, entry, run), found.value, link))
            };
            Repeat {
                name: group.name.clone(),
                values: group.runs.iter().filter_map(of_run).collect(),
                is_unit: measure == Measure::PassRate || group.has_unit_scores(),
            }
        };
        groups.iter().map(values).collect()
    };
    let figure = |id: &str, title: &str, measure: Measure, cell: fn(Num) -> Cell| {
        let repeats = of(measure);
        let values: Vec<f64> =
            repeats.iter().flat_map(|repeat| &repeat.values).map(|(_, value, _)| *value).collect();
        repeat_strips(id, title, measure.axis(&values), &repeats, cell)
    };
    [
        figure("chart-repeat-scores", "Score of every repeat", Measure::Score, Cell::Number),
        figure("chart-repeat-passes", "Pass rate of every repeat", Measure::PassRate, Cell::Rate),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn spread_table(groups: &[&Repeated<'_>]) -> Table {
    let mut table = Table::new(
        "repeat-spread",
        "Spread over runs",
        vec![
            Column::words("Of"),
            Column::words("Figure"),
            Column::numbers("Runs", "Runs that have the figure"),
            Column::numbers("Passed", "Runs that pass by the rule in force"),
            Column::numbers("Mean", "Exact mean"),
            Column::numbers("Std", "Sample standard deviation, n − 1"),
            Column::numbers("Min", ""),
            Column::numbers("Max", ""),
            Column::numbers("95 % normal", "Mean ± 1.96·s/√n, as the guide of letta-evals has it"),
            Column::numbers("95 % t", "Student's t interval of the mean"),
            Column::numbers("95 % bootstrap", "Percentile bootstrap interval of the mean"),
        ],
    );
    for group in groups {
        let verdicts = || group.figures().into_iter().filter_map(|run| run.verdict.as_ref());
        let verdicts = || verdicts().filter(|verdict| verdict.standing() == Standing::Judged);
        let n_judged = verdicts().count() as u64;
        let n_passed = verdicts().filter(|v| v.outcome == Outcome::Passed).count() as u64;
        for (idx, figure) in group.values().into_iter().enumerate() {
            let values = &figure.values;
            let number =
                |found: Option<f64>| Cell::or_missing(found.map(Num), Cell::Number, "too few runs");
            let ends = |found: Option<stats::Interval>| {
                let ends = found.map(|ci| [Num(ci.low), Num(ci.high)]);
                mean_interval_cell(ends, values.len() as u64, figure.is_unit)
            };
            let passed = match (idx, n_judged) {
                (0, 1..) => count_cell(n_passed, n_judged),
                (0, 0) => Cell::Missing("no rule gives a verdict".to_owned()),
                _ => Cell::Text(String::new()),
            };
            table.row(vec![
                Cell::Text(group.name.clone()),
                Cell::Text(figure.name.clone()),
                Cell::Count(values.len() as u64),
                passed,
                number(stats::exact_mean(values)),
                number(stats::exact_stdev(values)),
                number(values.iter().copied().min_by(f64::total_cmp)),
                number(values.iter().copied().max_by(f64::total_cmp)),
                ends(stats::normal_interval(values)),
                ends(stats::mean_interval(values)),
                ends(bootstrap::bootstrap_mean_interval(
                    values,
                    bootstrap::N_RESAMPLES,
                    bootstrap::SEED,
                )),
            ]);
        }
    }
    table
}

/// Pass@k and pass^k.
fn chances(tried: &[(&Repeated<'_>, Trials, TrialTotals)]) -> Option<Section> {
    let mut table = Table::new(
        "pass-at-k",
        "pass@k and pass^k",
        vec![
            Column::words("Of"),
            Column::numbers("k", "Number of trials drawn"),
            Column::numbers("pass@k", "At least one of k trials passes; unbiased"),
            Column::numbers("95 % interval", "Over cases"),
            Column::numbers("pass^k", "All of k trials pass; unbiased"),
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
        title: "Chances in k trials".to_owned(),
        lead: Some(format!(
            "Of a case with n trials and c passes: pass@k = 1 − C(n−c, k) / C(n, k), pass^k = C(c, k) / C(n, k), then the mean over cases. Errors count as not passed. Intervals: {}.",
            methods.join("; ")
        )),
        tables: vec![table],
        ..Section::default()
    })
}

/// How steady cases are, and which are not.
fn steadiness(tried: &[(&Repeated<'_>, Trials, TrialTotals)]) -> Option<Section> {
    if tried.is_empty() {
        return None;
    }
    let mut table = Table::new(
        "steadiness",
        "Steadiness",
        vec![
            Column::words("Of"),
            Column::numbers("Cases", ""),
            Column::numbers("Trials", "Without skipped ones"),
            Column::numbers("Always pass", "Of the cases with two trials or more"),
            Column::numbers("Sometimes", "Of the cases with two trials or more"),
            Column::numbers("Never", "Of the cases with two trials or more"),
            Column::numbers("Same answer", "Cases whose answers are all the same, byte by byte"),
            Column::numbers("Agreement", "Mean share of the most common answer"),
            Column::numbers("Std between", "Square root of the variance between cases"),
            Column::numbers("Std within", "Square root of the variance within a case"),
            Column::numbers("ICC", "Share of the variance that lies between cases"),
        ],
    );
    for (group, _, totals) in tried {
        let share = |get: fn(&crate::scoring::Steadiness) -> u64| match &totals.steadiness {
            Some(found) => count_cell(get(found), found.n_cases),
            None => Cell::Missing("no case has two trials with a verdict".to_owned()),
        };
        let variance =
            |found: Option<f64>| Cell::or_missing(found.map(Num), Cell::Number, "too few scores");
        let split = totals.variance.as_ref();
        let agreement = totals.agreement.as_ref();
        let no_answers = || Cell::Missing("the files hold no answers to compare".to_owned());
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
            "Where cases differ less than their own trials do, the estimate of the variance between them is negative; it is shown as 0."
                .to_owned(),
        );
    }
    Some(Section {
        title: "Consistency by case".to_owned(),
        lead: Some(
            "The same case over its trials. Variances are estimated by a one-way analysis with random effects."
                .to_owned(),
        ),
        tables: vec![table, case_table(tried)],
        ..Section::default()
    })
}

/// Each case over its trials, the least steady first.
fn case_table(tried: &[(&Repeated<'_>, Trials, TrialTotals)]) -> Table {
    let mut table = Table::new(
        "case-steadiness",
        "Cases, the least steady first",
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
    order.sort_by(|left, right| right.0.total_cmp(&left.0));
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
