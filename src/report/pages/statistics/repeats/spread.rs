//! Every figure over repeated runs: its values, its spread, how it is drawn.

use super::{Repeated, run_name};
use crate::figures::RunFigures;
use crate::model::Run;
use crate::report::cells::{count_cell, mean_interval_cell};
use crate::report::charts::{Repeat, repeat_strips};
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::tree::run_score;
use crate::report::{
    Cell, ChartFigure, Link, Measure, Num, Outcome, Section, Table, Target, VerdictOrigin,
};
use crate::scoring::TimingTotals;
use crate::stats::{self, bootstrap};
use crate::words::report::statistics::{self, repeats as words};
use crate::workspace::Entry;
use crate::workspace::distinct_parts;

/// Folders that [`joined`] names at most: more of them are no sentence.
const MAX_NAMED: usize = 5;

/// A figure of repeated runs.
struct Spreading {
    name: String,
    /// One for each run that has it.
    values: Vec<f64>,
    /// Whether it lies in 0–1.
    is_unit: bool,
}

/// The section about `several`, groups of two runs or more.
pub(super) fn section(scope: &PageScope<'_>, several: &[&Repeated<'_>]) -> Section {
    let mut lead = joined(several);
    lead.push(words::lead(u64::from(bootstrap::N_RESAMPLES), bootstrap::SEED));
    Section {
        title: words::REPEATS.to_owned(),
        lead: Some(lead.join(" ")),
        figures: strips(scope, several),
        tables: vec![spread_table(several)],
        ..Section::default()
    }
}

/// Which groups hold runs of several folders. Nothing in the files says that these are repeats, so the
/// page does.
fn joined(groups: &[&Repeated<'_>]) -> Vec<String> {
    let (mut found, mut n_left, mut n_more) = (Vec::new(), MAX_NAMED, 0);
    for group in groups {
        let mut entries: Vec<&Entry> = group.runs.iter().map(|(entry, ..)| *entry).collect();
        entries.dedup_by_key(|entry| entry.id);
        if entries.len() < 2 {
            continue;
        }
        if n_left == 0 {
            n_more += 1;
            continue;
        }
        let paths: Vec<&str> = entries.iter().map(|e| e.evaluation.path.as_str()).collect();
        let mut names = distinct_parts(&paths);
        let more = names.len().saturating_sub(n_left);
        names.truncate(n_left);
        n_left -= names.len();
        let mut folders = names.join(", ");
        if more > 0 {
            folders = words::and_more_folders(&folders, more);
        }
        let has_subject = group.runs.iter().all(|(.., run)| run.key.subject.is_some());
        let why = if has_subject { words::SAME_SUBJECT } else { words::SUBJECT_NOT_NAMED };
        found.push(words::joined(&group.name, entries.len() as u64, &folders, why));
    }
    if n_more > 0 {
        found.push(words::more_joined(n_more));
    }
    found
}

impl Repeated<'_> {
    /// Every figure with its values, one for each run that has it.
    fn values(&self) -> Vec<Spreading> {
        let figures = self.figures();
        let of = |get: &dyn Fn(&RunFigures) -> Option<Num>| -> Vec<f64> {
            figures.iter().filter_map(|run| get(run)).map(|number| number.0).collect()
        };
        // Shares lie in 0–1, scores where the producer's do; what is measured has no such bounds.
        let is_unit = self.has_unit_scores();
        let figure =
            |name: &str, values, is_unit| Spreading { name: name.to_owned(), values, is_unit };
        let mut found = vec![
            figure(statistics::SCORE, of(&run_score), is_unit),
            figure(words::MEAN_ATTEMPTED, of(&|run| run.totals.score.mean_attempted), is_unit),
            figure(words::MEAN_TOTAL, of(&|run| run.totals.score.mean_total), is_unit),
            figure(words::REWARD, of(&|run| run.totals.reward), is_unit),
            figure(words::PASS_RATE, of(&pass_rate), true),
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
            found.push(figure(&words::metric(name), values, is_unit));
        }
        let cost = of(&|run| run.totals.usage.as_ref()?.cost_usd);
        found.push(figure(statistics::COST_IN_USD, cost, false));
        found.push(figure(statistics::STEPS, of(&|run| run.totals.usage.as_ref()?.steps), false));
        let timing =
            |get: fn(&TimingTotals) -> Option<Num>| of(&|run| get(run.totals.timing.as_ref()?));
        found.push(figure(words::AGENT_SECONDS, timing(|timing| timing.agent_secs), false));
        found.push(figure(words::TEST_SECONDS, timing(|timing| timing.test_secs), false));
        found.push(figure(words::MEAN_SECONDS, timing(|timing| timing.mean_secs), false));
        // A score that is one of the others says nothing new.
        let score = found.first().map(|first| first.values.clone()).unwrap_or_default();
        let is_known = found.iter().skip(1).any(|other| other.values == score);
        let own = found.into_iter().skip(usize::from(is_known));
        own.filter(|figure| !figure.values.is_empty()).collect()
    }
}

/// Pass rate of cases; `None` where no case is judged.
#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn pass_rate(run: &RunFigures) -> Option<Num> {
    let counts = &run.totals.counts;
    let (passed, counted) = counts.passing().filter(|_| counts.is_judged())?;
    (counted > 0).then(|| Num(passed as f64 / counted as f64))
}

/// Score and pass rate of every run, side by side.
fn strips(scope: &PageScope<'_>, groups: &[&Repeated<'_>]) -> Vec<ChartFigure> {
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
        figure("chart-repeat-scores", words::SCORES, Measure::Score, Cell::Number),
        figure("chart-repeat-passes", words::PASS_RATES, Measure::PassRate, Cell::Rate),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Every figure of every group: how many runs have it, its mean, spread and intervals.
fn spread_table(groups: &[&Repeated<'_>]) -> Table {
    let mut table = Table::new(
        "repeat-spread",
        words::SPREAD,
        vec![
            Column::words(statistics::OF),
            Column::words(statistics::FIGURE),
            Column::numbers(statistics::RUNS, words::RUNS_HINT),
            Column::numbers(statistics::PASSED, words::RUNS_PASSED_HINT),
            Column::numbers(statistics::MEAN, statistics::EXACT_MEAN),
            Column::numbers(statistics::STD, statistics::STD_HINT),
            Column::numbers(statistics::MIN, ""),
            Column::numbers(statistics::MAX, ""),
            Column::numbers(words::NORMAL_INTERVAL, words::NORMAL_INTERVAL_HINT),
            Column::numbers(words::T_INTERVAL, statistics::T_INTERVAL_HINT),
            Column::numbers(words::BOOTSTRAP_INTERVAL, words::BOOTSTRAP_INTERVAL_HINT),
        ],
    );
    for group in groups {
        let verdicts = || group.figures().into_iter().filter_map(|run| run.verdict.as_ref());
        let verdicts = || verdicts().filter(|verdict| verdict.standing() == VerdictOrigin::Judged);
        let n_judged = verdicts().count() as u64;
        let n_passed = verdicts().filter(|v| v.outcome == Outcome::Passed).count() as u64;
        for (idx, figure) in group.values().into_iter().enumerate() {
            let values = &figure.values;
            let number = |found: Option<f64>| {
                Cell::or_missing(found.map(Num), Cell::Number, words::TOO_FEW_RUNS)
            };
            let ends = |found: Option<stats::Interval>| {
                let ends = found.map(|ci| [Num(ci.low), Num(ci.high)]);
                mean_interval_cell(ends, values.len() as u64, figure.is_unit)
            };
            let passed = match (idx, n_judged) {
                (0, 1..) => count_cell(n_passed, n_judged),
                (0, 0) => Cell::Missing(words::NO_RULE.to_owned()),
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
