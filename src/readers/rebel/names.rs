//! What metrics are called.

use super::PlacedEntry;
use std::collections::{HashMap, HashSet};

/// The names of a report's metrics.
pub(super) struct ReportMetrics {
    /// Of each entry.
    pub of_entries: Vec<EntryNames>,
    /// The names that the file states, in the order of their first entry; also `metric 1` and so on where
    /// the report holds one test only, so that a number means the same metric everywhere. Empty when there
    /// is nothing that figures by metric could be about.
    pub known: Vec<String>,
}

/// The names of an entry's metrics.
pub(super) struct EntryNames {
    /// One for each metric within the entry.
    pub metrics: Vec<String>,
    /// What tells the entry from others of the same test; `None` when it is the only one.
    pub variant: Option<String>,
}

/// Names by what the file states: a result's own, else those of `metrics` where their number fits, else the
/// position among the metrics of the test.
pub(super) fn of(placed: &[PlacedEntry<'_>]) -> ReportMetrics {
    let mut n_of_test: HashMap<&str, usize> = HashMap::new();
    for one in placed {
        *n_of_test.entry(&one.entry.name).or_default() += 1;
    }
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut variants: HashSet<(&str, String)> = HashSet::new();
    let mut known = Vec::new();
    let mut of_entries = Vec::new();
    for one in placed {
        let test = one.entry.name.as_str();
        let n_entries = n_of_test.get(test).copied().unwrap_or(1);
        let position = seen.entry(test).or_default();
        *position += 1;
        let n_metrics = one.layout.n_metrics;
        let mut metrics: Vec<String> = Vec::new();
        for nth in 0..n_metrics {
            let stated = stated(one, nth, *position, n_entries);
            let is_known = stated.is_some() || (n_of_test.len() == 1 && n_metrics > 1);
            let number = if n_metrics > 1 { nth + 1 } else { *position };
            let name = free(stated.unwrap_or_else(|| format!("metric {number}")), |name| {
                metrics.iter().any(|other| other == name)
            });
            if is_known && !known.contains(&name) {
                known.push(name.clone());
            }
            metrics.push(name);
        }
        let variant = (n_entries > 1).then(|| {
            let name = metrics.first().filter(|_| n_metrics == 1).cloned();
            let name = name.unwrap_or_else(|| format!("entry {position}"));
            free(name, |name| variants.contains(&(test, name.to_owned())))
        });
        if let Some(variant) = &variant {
            variants.insert((test, variant.clone()));
        }
        of_entries.push(EntryNames { metrics, variant });
    }
    ReportMetrics { of_entries, known }
}

/// The name that the file states of metric `nth` of an entry, which is the `position`-th of `n_entries` of
/// its test.
fn stated(one: &PlacedEntry<'_>, nth: usize, position: usize, n_entries: usize) -> Option<String> {
    if let Some(name) = one.layout.stated.get(nth) {
        return Some(name.clone());
    }
    let listed = &one.entry.metrics;
    let at = match (listed.len(), one.layout.n_metrics) {
        (1, 1) => 0,
        (n_listed, n_metrics) if n_listed == n_metrics => nth,
        // An entry for each metric, and all metrics of the test in each of them.
        (n_listed, 1) if n_listed == n_entries => position - 1,
        _ => return None,
    };
    listed.get(at).cloned().flatten()
}

/// `name`, or `name (2)` and so on when it is taken.
fn free(name: String, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(&name) {
        return name;
    }
    (2..).map(|nth| format!("{name} ({nth})")).find(|name| !is_taken(name)).unwrap_or(name)
}
