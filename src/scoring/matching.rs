//! Which rows of several runs are the same case.

use crate::model::Run;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

/// No row.
const ABSENT: u32 = u32::MAX;

/// The cases of several runs, matched: numbered in the order of their first appearance, run by run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matching {
    n_runs: usize,
    /// Row of each case in each run, case by case.
    rows: Vec<u32>,
}

/// What makes a case the same in another run: group, variant, whether the id is a number, id.
type MatchKey<'a> = (Option<&'a str>, Option<&'a str>, Option<bool>, Option<&'a str>);

/// Where a key was met.
struct Met {
    /// The case of its first occurrence in any run.
    first: u32,
    /// The run it was met in last.
    run_idx: usize,
    /// The case of its last occurrence there.
    latest: u32,
}

/// Matches the cases of `runs` by group, variant and id (the number 1 and the text "1" are two ids).
/// A key that stands several times in a run is matched by order of occurrence.
pub fn match_cases(runs: &[&Run]) -> Matching {
    match_by(runs, |run_idx, row| runs.get(run_idx).map(|run| key_of(run, row)))
}

/// Matches the cases of `runs` by what `key` gives for a run, by its place, and a row of it.
pub fn match_by<K: Eq + Hash>(runs: &[&Run], key: impl Fn(usize, usize) -> K) -> Matching {
    let n_runs = runs.len();
    let mut rows: Vec<u32> = Vec::new();
    let mut met: HashMap<K, Met> = HashMap::new();
    // By case: the case of the next occurrence of its key in the same run.
    let mut next: Vec<u32> = Vec::new();
    for (run_idx, run) in runs.iter().enumerate() {
        for row in 0..run.cases.len() {
            let n_cases = u32::try_from(next.len()).unwrap_or(ABSENT);
            let case = match met.entry(key(run_idx, row)) {
                Entry::Vacant(entry) => {
                    entry.insert(Met { first: n_cases, run_idx, latest: n_cases });
                    n_cases
                }
                Entry::Occupied(mut entry) => {
                    let met = entry.get_mut();
                    let case = if met.run_idx == run_idx {
                        next.get_mut(met.latest as usize).map_or(n_cases, |next| {
                            *next = (*next).min(n_cases);
                            *next
                        })
                    } else {
                        met.first
                    };
                    (met.run_idx, met.latest) = (run_idx, case);
                    case
                }
            };
            if case == n_cases {
                next.push(ABSENT);
                rows.resize(rows.len() + n_runs, ABSENT);
            }
            if let Some(cell) = rows.get_mut(case as usize * n_runs + run_idx) {
                *cell = u32::try_from(row).unwrap_or(ABSENT);
            }
        }
    }
    Matching { n_runs, rows }
}

fn key_of(run: &Run, row: usize) -> MatchKey<'_> {
    let cases = &run.cases;
    (cases.group.get(row), cases.variant.get(row), cases.is_numeric_id.get(row), cases.id.get(row))
}

impl Matching {
    /// Number of cases.
    pub fn len(&self) -> usize {
        self.rows.len().checked_div(self.n_runs).unwrap_or(0)
    }

    /// Whether there is no case.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Row of `case` in run `run_idx`; `None` when it is not there.
    pub fn row(&self, case: usize, run_idx: usize) -> Option<usize> {
        let row = self.rows.get(case * self.n_runs + run_idx).filter(|_| run_idx < self.n_runs)?;
        (*row != ABSENT).then_some(*row as usize)
    }

    /// Each run that has `case`, with its row there, in the order of the runs.
    pub fn rows_of(&self, case: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..self.n_runs).filter_map(move |run_idx| Some((run_idx, self.row(case, run_idx)?)))
    }
}
