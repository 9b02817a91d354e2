//! Tables of what a run has several of: groups and metrics.

use super::SmallRow;
use crate::dataset::cell::{
    RecordCell, RecordColumn, cells, column, count, fields, num, required, text,
};
use crate::export::ColumnField;
use crate::export::ExportType::{Count, Number, Text};
use crate::scoring::{GroupScore, MetricTotals};
use crate::workspace::Entry;

/// One of the groups or metrics of a run.
struct ListRecord<'a> {
    entry: &'a Entry,
    run: usize,
    nth: usize,
}

/// The columns of the table of groups.
pub(super) fn groups_schema() -> Vec<ColumnField> {
    fields(&own()).chain(fields(&group())).collect()
}

/// A row for each group of each run of `entry`.
pub(super) fn groups(entry: &Entry) -> Vec<SmallRow> {
    let mut rows = Vec::new();
    for (run, figures) in entry.figures.runs.iter().enumerate() {
        for (nth, found) in figures.groups.iter().enumerate() {
            let mut row = cells(&own(), &ListRecord { entry, run, nth });
            row.extend(cells(&group(), found));
            rows.push(row);
        }
    }
    rows
}

/// The columns of the table of metrics.
pub(super) fn metrics_schema() -> Vec<ColumnField> {
    fields(&own()).chain(fields(&metric())).collect()
}

/// A row for each metric of each run of `entry`.
pub(super) fn metrics(entry: &Entry) -> Vec<SmallRow> {
    let mut rows = Vec::new();
    for (run, figures) in entry.figures.runs.iter().enumerate() {
        for (nth, found) in figures.totals.metrics.iter().enumerate() {
            let mut row = cells(&own(), &ListRecord { entry, run, nth });
            row.extend(cells(&metric(), found));
            rows.push(row);
        }
    }
    rows
}

fn own<'a>() -> Vec<RecordColumn<ListRecord<'a>>> {
    vec![
        required("evaluation", Text, |of: &ListRecord<'a>| text(Some(&of.entry.key))),
        required("run", Text, |of| Some(RecordCell::Text(of.entry.run_key(of.run)))),
        required("place", Count, |of| count(of.nth as u64)),
    ]
}

fn group() -> Vec<RecordColumn<GroupScore>> {
    vec![
        required("name", Text, |of: &GroupScore| text(Some(&of.name))),
        column("kind", Text, |of| text(of.kind.map(|kind| kind.as_str()))),
        required("weight", Number, |of| num(Some(of.weight))),
        required("cases", Count, |of| count(of.cases)),
        required("passed", Count, |of| count(of.passed)),
        column("score", Number, |of| num(of.score)),
        column("ci95_low", Number, |of| num(of.ci95.map(|[low, _]| low))),
        column("ci95_high", Number, |of| num(of.ci95.map(|[_, high]| high))),
        required("n_scores", Count, |of| count(of.n_scores)),
        required("n_undefined", Count, |of| count(of.n_undefined)),
        column("duration_secs", Number, |of| num(of.duration_secs)),
    ]
}

fn metric() -> Vec<RecordColumn<MetricTotals>> {
    vec![
        required("name", Text, |of: &MetricTotals| text(Some(&of.name))),
        required("label", Text, |of| text(Some(&of.label))),
        required("n", Count, |of| count(of.n)),
        column("mean_attempted", Number, |of| num(of.mean_attempted)),
        column("mean_total", Number, |of| num(of.mean_total)),
        column("passed", Count, |of| of.passed.map(RecordCell::Count)),
        column("failed", Count, |of| of.failed.map(RecordCell::Count)),
        column("pass_rate", Number, |of| num(of.pass_rate)),
        column("ci95_low", Number, |of| num(of.ci95.map(|[low, _]| low))),
        column("ci95_high", Number, |of| num(of.ci95.map(|[_, high]| high))),
    ]
}
