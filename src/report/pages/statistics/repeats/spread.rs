//! Every figure over repeated runs: its values, its spread, how it is drawn.

use super::{Repeated, run_name};
use crate::figures::RunFigures;
use crate::format::{count, counted};
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
use crate::workspace::Entry;
use crate::workspace::distinct_parts;

/// Groups, and folders of each, that [`joined`] names at most.
const MAX_JOINED: usize = 5;

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
    Section {
        title: "Repeats".to_owned(),
        lead: Some(format!(
            "{}Each run gives one value. Std: sample standard deviation (n − 1). Normal interval: mean ± 1.96·s/√n, as in the letta-evals guide; too narrow for few runs. Student's t corrects for few runs. Bootstrap interval ({} resamples, seed {}): assumes no normal distribution, too narrow for few runs.",
            joined(several),
            count(u64::from(bootstrap::N_RESAMPLES)),
            bootstrap::SEED
        )),
        figures: strips(scope, several),
        tables: vec![spread_table(several)],
        ..Section::default()
    }
}

/// Which groups hold runs of several folders. Nothing in the files says that these are repeats, so the
/// page does.
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
        words.push(format!("{} more in the same way. ", count(more as u64)));
    }
    words.concat()
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
            figure("Score", of(&run_score), is_unit),
            figure("Mean (errors left out)", of(&|run| run.totals.score.mean_attempted), is_unit),
            figure("Mean (errors counted as 0)", of(&|run| run.totals.score.mean_total), is_unit),
            figure("Reward", of(&|run| run.totals.reward), is_unit),
            figure("Pass rate of cases", of(&pass_rate), true),
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
            found.push(figure(&format!("Metric {name}"), values, is_unit));
        }
        let cost = of(&|run| run.totals.usage.as_ref()?.cost_usd);
        found.push(figure("Cost, $", cost, false));
        found.push(figure("Steps", of(&|run| run.totals.usage.as_ref()?.steps), false));
        let timing =
            |get: fn(&TimingTotals) -> Option<Num>| of(&|run| get(run.totals.timing.as_ref()?));
        found.push(figure("Agent time, s", timing(|timing| timing.agent_secs), false));
        found.push(figure("Test time, s", timing(|timing| timing.test_secs), false));
        found.push(figure("Mean seconds", timing(|timing| timing.mean_secs), false));
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
        figure("chart-repeat-scores", "Score of every repeat", Measure::Score, Cell::Number),
        figure("chart-repeat-passes", "Pass rate of every repeat", Measure::PassRate, Cell::Rate),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Every figure of every group: how many runs have it, its mean, spread and intervals.
fn spread_table(groups: &[&Repeated<'_>]) -> Table {
    let mut table = Table::new(
        "repeat-spread",
        "Spread over runs",
        vec![
            Column::words("Of"),
            Column::words("Figure"),
            Column::numbers("Runs", "Runs with this figure"),
            Column::numbers("Passed", "Runs that pass by the rule in force"),
            Column::numbers("Mean", "Exact mean"),
            Column::numbers("Std", "Sample standard deviation, n − 1"),
            Column::numbers("Min", ""),
            Column::numbers("Max", ""),
            Column::numbers("95 % normal", "Mean ± 1.96·s/√n, as in the letta-evals guide"),
            Column::numbers("95 % t", "Student's t interval of the mean"),
            Column::numbers("95 % bootstrap", "Percentile bootstrap interval of the mean"),
        ],
    );
    for group in groups {
        let verdicts = || group.figures().into_iter().filter_map(|run| run.verdict.as_ref());
        let verdicts = || verdicts().filter(|verdict| verdict.standing() == VerdictOrigin::Judged);
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
