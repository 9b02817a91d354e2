//! Shares that pass, by kind of case or by metric.

use super::board::{RateRow, Rates};
use crate::model::Kind;
use crate::report::{Link, Num, Target};
use crate::scoring::MetricTotals;
use crate::stats;
use crate::words::report::overview::tables as words;
use crate::workspace::{Entry, Workspace};
use std::collections::BTreeMap;

/// Metrics that are shown.
const MAX_ROWS: usize = 8;

/// The shares of `target`; `None` where nothing passes or fails by kind or metric, or where everything is of one.
pub(super) fn rates(workspace: &Workspace, target: Target) -> Option<Rates> {
    let id = match target {
        Target::All => return None,
        Target::Evaluation(id) => id,
        Target::Run(run) => run.evaluation,
    };
    let entry = workspace.entry(id)?;
    let idxs: Vec<usize> = match target {
        Target::Run(run) => vec![run.run as usize],
        _ => (0..entry.evaluation.runs.len())
            .filter(|&idx| entry.evaluation.runs.get(idx).is_some_and(|run| run.again().is_none()))
            .collect(),
    };
    let (title, rows) = match entry.evaluation.config.has_policies {
        true => (words::BY_KIND, by_kind(entry, &idxs)),
        false => (words::BY_METRIC, by_metric(entry, &idxs)),
    };
    let rows: Vec<RateRow> = rows.into_iter().take(MAX_ROWS).collect();
    (rows.len() > 1).then(|| Rates { title: title.to_owned(), rows })
}

/// Whether the shares of `target` are shown kind by kind.
pub(super) fn is_by_kind(workspace: &Workspace, target: Target) -> bool {
    rates(workspace, target).is_some_and(|rates| rates.title == words::BY_KIND)
}

fn by_kind(entry: &Entry, idxs: &[usize]) -> Vec<RateRow> {
    let mut sums: BTreeMap<Kind, (u64, u64)> = BTreeMap::new();
    for run in idxs.iter().filter_map(|&idx| entry.figures.runs.get(idx)) {
        for (kind, count) in &run.by_kind {
            let sum = sums.entry(*kind).or_default();
            *sum = (sum.0 + count.passed, sum.1 + count.total);
        }
    }
    let row = |(kind, (passed, total)): (Kind, (u64, u64))| {
        let link = Link::Filter(format!("kind:{}", kind.as_str()));
        row(kind.as_str(), passed, total, Some(link))
    };
    sums.into_iter().filter_map(row).collect()
}

/// Metrics by which cases pass or fail; cases of repeats are counted in each.
fn by_metric(entry: &Entry, idxs: &[usize]) -> Vec<RateRow> {
    let mut sums: Vec<(&str, u64, u64)> = Vec::new();
    for run in idxs.iter().filter_map(|&idx| entry.figures.runs.get(idx)) {
        for MetricTotals { label, passed, failed, .. } in &run.totals.metrics {
            let Some((passed, failed)) = passed.zip(*failed) else { continue };
            match sums.iter_mut().find(|(known, ..)| known == label) {
                Some((_, own, all)) => (*own, *all) = (*own + passed, *all + passed + failed),
                None => sums.push((label, passed, passed + failed)),
            }
        }
    }
    let row = |(name, passed, total): (&str, u64, u64)| row(name, passed, total, None);
    sums.into_iter().filter_map(row).collect()
}

fn row(name: &str, passed: u64, total: u64, link: Option<Link>) -> Option<RateRow> {
    let interval = stats::wilson_interval(passed, total)?;
    Some(RateRow {
        name: name.to_owned(),
        passed,
        total,
        rate: Num(passed as f64 / total as f64),
        low: Num(interval.low),
        high: Num(interval.high),
        link,
    })
}
