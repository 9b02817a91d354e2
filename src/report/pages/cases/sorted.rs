//! Cases in order. Of many, those that come first are put in order at once, the others bit by bit while nobody asks for
//! anything, or when somebody asks for them: a table shows some dozens of a million.

use super::SortKey;
use super::keys::SortColumn;
use crate::report::filter::FilterScope;

/// Fewer cases than this are all put in order at once.
const FEW: usize = 20_000;

/// Of more cases, this many are put in order at once.
const FIRST: usize = 2_000;

/// Numbers of cases of a scope.
#[derive(Debug)]
pub(super) struct SortedCases {
    /// The first of them in order, the others as in the files.
    cases: Vec<u32>,
    n_in_order: usize,
}

impl SortedCases {
    /// `cases`, which are in the order of the files, by the columns `by`, most important first.
    pub(super) fn new(scope: &FilterScope<'_>, cases: Vec<u32>, by: &[(SortKey, bool)]) -> Self {
        let mut sorted = Self { n_in_order: 0, cases };
        if by.is_empty() || sorted.cases.len() < FEW {
            sorted.put_in_order(scope, by);
            return sorted;
        }
        sorted.put_next_in_order(scope, by, FIRST);
        sorted
    }

    /// Puts some more cases in order, so few that somebody who asks for something meanwhile hardly waits; `scope` and `by`
    /// are those of before.
    pub(super) fn put_more_in_order(&mut self, scope: &FilterScope<'_>, by: &[(SortKey, bool)]) {
        let n_others = self.cases.len() - self.n_in_order;
        self.put_next_in_order(scope, by, (n_others / 2).max(FEW));
    }

    /// Puts the `n` that come next in order, or some more.
    fn put_next_in_order(&mut self, scope: &FilterScope<'_>, by: &[(SortKey, bool)], n: usize) {
        let columns = columns(scope, by);
        let others = self.cases.split_off(self.n_in_order);
        let (mut next, others) = split(scope, &others, &columns, n);
        sort(&mut next, &columns);
        self.cases.extend(next);
        self.n_in_order = self.cases.len();
        self.cases.extend(others);
    }

    /// Puts the cases in order that are not yet; `scope` and `by` are those of before.
    pub(super) fn put_in_order(&mut self, scope: &FilterScope<'_>, by: &[(SortKey, bool)]) {
        if !by.is_empty() && self.n_in_order < self.cases.len() {
            let mut others = self.cases.split_off(self.n_in_order);
            sort(&mut others, &columns(scope, by));
            self.cases.extend(others);
        }
        self.n_in_order = self.cases.len();
    }

    /// Number of cases.
    pub(super) fn len(&self) -> usize {
        self.cases.len()
    }

    /// Number of cases that are in order, from the first on.
    pub(super) fn n_in_order(&self) -> usize {
        self.n_in_order
    }

    /// The case at place `at`, when it is in order.
    pub(super) fn get(&self, at: usize) -> Option<u32> {
        self.in_order().get(at).copied()
    }

    /// The cases that are in order.
    pub(super) fn in_order(&self) -> &[u32] {
        self.cases.get(..self.n_in_order).unwrap_or_default()
    }
}

fn columns<'a>(scope: &'a FilterScope<'a>, by: &[(SortKey, bool)]) -> Vec<SortColumn<'a>> {
    let column =
        |(key, is_descending): &(SortKey, bool)| SortColumn::new(scope, *key, *is_descending);
    by.iter().map(column).collect()
}

fn sort(cases: &mut Vec<u32>, columns: &[SortColumn<'_>]) {
    for column in columns.iter().rev() {
        column.sort(cases);
    }
}

/// The `n` of `cases` that come first by `columns`, or some more, and the others; both as in the files.
fn split(
    scope: &FilterScope<'_>,
    cases: &[u32],
    columns: &[SortColumn<'_>],
    n: usize,
) -> (Vec<u32>, Vec<u32>) {
    let mut is_first = vec![false; scope.n_cases];
    let mut mark = |case: u32| {
        if let Some(mark) = is_first.get_mut(case as usize) {
            *mark = true;
        }
    };
    // Cases of which some are among the first, and how many: after each column, those with the value of the last of them.
    let (mut alike, mut n_wanted) = (cases.to_vec(), n);
    let mut are_equal = true;
    for column in columns {
        if !are_equal || alike.len() <= n_wanted {
            break;
        }
        let (numbers, is_exact) = column.numbers(&alike);
        let Some(last) = nth(&numbers, n_wanted) else { break };
        let mut still_alike = Vec::new();
        for (case, number) in alike.into_iter().zip(numbers) {
            if number < last {
                mark(case);
                n_wanted -= 1;
            } else if number == last {
                still_alike.push(case);
            }
        }
        (alike, are_equal) = (still_alike, is_exact);
    }
    // Equal ones stay in the order of the files.
    let n_alike = if are_equal { n_wanted } else { alike.len() };
    alike.into_iter().take(n_alike).for_each(&mut mark);
    cases.iter().partition(|case| is_first.get(**case as usize) == Some(&true))
}

/// The `n`th smallest of `numbers`, 1-based.
fn nth(numbers: &[u64], n: usize) -> Option<u64> {
    let at = n.checked_sub(1).filter(|at| *at < numbers.len())?;
    let mut numbers = numbers.to_vec();
    Some(*numbers.select_nth_unstable(at).1)
}
