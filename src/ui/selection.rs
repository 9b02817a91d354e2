//! Which rows of a long table are selected: ranges, so that a million rows are two numbers.

use crate::order::Order as _;

/// Selected rows, as ranges (first, end) in order, none touching another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowSelection {
    ranges: Vec<(u64, u64)>,
    /// Where a range that is being drawn began.
    anchor: u64,
}

impl RowSelection {
    /// The ranges.
    pub fn ranges(&self) -> &[(u64, u64)] {
        &self.ranges
    }

    /// Number of rows.
    pub fn n_rows(&self) -> u64 {
        self.ranges.iter().map(|(first, end)| end - first).sum()
    }

    /// Whether row `at` is selected.
    pub fn holds(&self, at: u64) -> bool {
        self.ranges.iter().any(|(first, end)| (*first..*end).contains(&at))
    }

    /// Forgets all; the next range begins at `anchor`.
    pub fn clear(&mut self, anchor: u64) {
        *self = Self { ranges: Vec::new(), anchor };
    }

    /// Selects everything.
    pub fn all(&mut self, n_rows: u64) {
        self.ranges = if n_rows > 0 { vec![(0, n_rows)] } else { Vec::new() };
    }

    /// Selects row `at`, or no longer.
    pub fn toggle(&mut self, at: u64) {
        self.anchor = at;
        if !self.holds(at) {
            self.ranges.push((at, at + 1));
            self.join();
            return;
        }
        let mut ranges = Vec::with_capacity(self.ranges.len() + 1);
        for (first, end) in self.ranges.drain(..) {
            if (first..end).contains(&at) {
                ranges.extend([(first, at), (at + 1, end)].into_iter().filter(|(a, b)| a < b));
            } else {
                ranges.push((first, end));
            }
        }
        self.ranges = ranges;
    }

    /// Selects just the rows from where the range began to `at`.
    pub fn extend_to(&mut self, at: u64) {
        self.ranges = vec![(self.anchor.min(at), self.anchor.max(at) + 1)];
    }

    fn join(&mut self) {
        self.ranges.order_by(Ord::cmp);
        let mut joined: Vec<(u64, u64)> = Vec::with_capacity(self.ranges.len());
        for (first, end) in self.ranges.drain(..) {
            match joined.last_mut() {
                Some(last) if last.1 >= first => last.1 = last.1.max(end),
                _ => joined.push((first, end)),
            }
        }
        self.ranges = joined;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_range_is_drawn_from_where_it_began() {
        let mut selection = RowSelection::default();
        selection.clear(5);
        selection.extend_to(8);
        selection.extend_to(3);
        assert_eq!(selection.ranges(), [(3, 6)]);
        selection.all(1_000_000);
        selection.toggle(7);
        assert_eq!((selection.ranges().len(), selection.n_rows()), (2, 999_999));
        selection.all(0);
        assert_eq!(selection.n_rows(), 0);
    }

    proptest! {
        #[test]
        fn toggling_is_that_of_a_set(rows in prop::collection::vec(0..12_u64, 0..60)) {
            let (mut selection, mut expected) = (RowSelection::default(), BTreeSet::new());
            for row in rows {
                selection.toggle(row);
                if !expected.remove(&row) {
                    expected.insert(row);
                }
                let found: BTreeSet<u64> = (0..20).filter(|at| selection.holds(*at)).collect();
                prop_assert_eq!(&found, &expected);
                prop_assert_eq!(selection.n_rows(), expected.len() as u64);
                prop_assert!(selection.ranges().windows(2).all(|pair| pair[0].1 < pair[1].0));
            }
        }
    }
}
