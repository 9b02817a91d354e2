//! Cases by kind, as computed and as declared.

use crate::model::{DeclaredValue, Figure, Kind, Scope};
use crate::report::cells::{count_cell, wilson_cell};
use crate::report::table::Column;
use crate::report::{Cell, Table};
use crate::words::report::overview::{headlines, strip as words};
use crate::workspace::Entry;
use std::collections::BTreeMap;

/// Cases of a kind, as computed and as declared.
#[derive(Default, Clone, Copy)]
struct KindCounts {
    passed: u64,
    total: u64,
    declared_passed: Option<f64>,
    declared_total: Option<f64>,
}

impl KindCounts {
    fn add(&mut self, other: Self) {
        let sum = |left: Option<f64>, right: Option<f64>| match (left, right) {
            (None, None) => None,
            (left, right) => Some(left.unwrap_or(0.0) + right.unwrap_or(0.0)),
        };
        self.passed += other.passed;
        self.total += other.total;
        self.declared_passed = sum(self.declared_passed, other.declared_passed);
        self.declared_total = sum(self.declared_total, other.declared_total);
    }

    /// `5 of 6`, as the files have it.
    fn declared(self) -> Option<String> {
        let total = self.declared_total?;
        Some(format!("{} / {total}", self.declared_passed.unwrap_or(0.0)))
    }
}

/// Passed and all cases by kind and their sum, over the runs `idxs`: computed, and as
/// `evaluation.json` declares them.
pub(super) fn kinds(entry: &Entry, idxs: &[usize]) -> Table {
    let mut sums: BTreeMap<Kind, KindCounts> = BTreeMap::new();
    for run in idxs.iter().filter_map(|&idx| entry.figures.runs.get(idx)) {
        for (kind, count) in &run.by_kind {
            let own =
                KindCounts { passed: count.passed, total: count.total, ..KindCounts::default() };
            sums.entry(*kind).or_default().add(own);
        }
    }
    let stated = entry.evaluation.declared.iter().filter(|declared| {
        let is_own = matches!(&declared.scope, Scope::Run(idx) if idxs.contains(idx));
        is_own
            && (declared.field.starts_with("pass_counts.")
                || declared.field.starts_with("total_counts."))
    });
    for declared in stated {
        let DeclaredValue::Number(value) = declared.value else { continue };
        let (kind, own) = match declared.figure {
            Figure::KindPassed(kind) => {
                (kind, KindCounts { declared_passed: Some(value), ..KindCounts::default() })
            }
            Figure::KindTotal(kind) => {
                (kind, KindCounts { declared_total: Some(value), ..KindCounts::default() })
            }
            _ => continue,
        };
        sums.entry(kind).or_default().add(own);
    }
    // A kind without a case, declared as such, says nothing.
    sums.retain(|_, of| of.total > 0 || of.declared_total.is_some_and(|total| total > 0.0));
    let mut table = Table::new(
        "kinds",
        words::BY_KIND,
        vec![
            Column::words(words::KIND),
            Column::numbers(headlines::PASSED, headlines::PASSED_OF_ALL),
            Column::numbers(words::INTERVAL, words::INTERVAL_HINT),
            Column::numbers(words::DECLARED, words::DECLARED_HINT),
        ],
    );
    let mut all = KindCounts::default();
    let rows = sums.len();
    let mut put = |name: &str, of: KindCounts| {
        table.row(vec![
            Cell::Text(name.to_owned()),
            count_cell(of.passed, of.total),
            wilson_cell(of.passed, of.total),
            Cell::words(of.declared().as_deref(), words::NOT_DECLARED),
        ]);
    };
    for (kind, of) in sums {
        all.add(of);
        put(kind.as_str(), of);
    }
    if rows > 0 {
        put(words::ALL_KINDS, all);
    }
    if let Some(total) = all.declared_total
        && total != all.total as f64
    {
        let passed = all.declared_passed.unwrap_or(0.0);
        table.footnote = Some(words::other_total(passed, total, all.total));
    }
    table.drop_unknown(&[words::DECLARED]);
    if table.rows.is_empty() {
        table.empty = Some(words::NO_KIND.to_owned());
    }
    table
}
