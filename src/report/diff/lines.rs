//! Two texts compared line by line.
//!
//! Only one of the library's algorithms is named, so that the others do not become part of the
//! worker: Myers' (1986), with the bounded search that Git uses for large inputs.

use similar::algorithms::{Capture, Replace, myers};
use similar::{DiffOp, Instant};
use std::collections::HashMap;
use std::ops::Range;
use std::time::Duration;

/// After this long the rest is compared roughly.
const TIME: Duration = Duration::from_millis(1_500);

/// How two lists of lines become each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineDiff {
    /// In order; together they cover both lists exactly once.
    pub blocks: Vec<DiffBlock>,
    /// Lines that only the old list has.
    pub n_removed: usize,
    /// Lines that only the new list has.
    pub n_added: usize,
    /// The time was over before the shortest description was found: some lines may be said to differ
    /// that could have been matched. What is said to be equal is equal.
    pub is_rough: bool,
}

/// A part of both lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffBlock {
    /// Equal lines.
    Same {
        /// First of them in the old list.
        old: usize,
        /// First of them in the new list.
        new: usize,
        /// How many.
        len: usize,
    },
    /// Old lines in whose place new ones stand; one of the ranges may be empty.
    Changed {
        /// Old lines.
        old: Range<usize>,
        /// New lines.
        new: Range<usize>,
    },
}

/// Compares `old` with `new`. Lines are equal when every byte is, line ends included if the lines
/// have kept theirs.
pub fn line_diff(old: &[&str], new: &[&str]) -> LineDiff {
    line_diff_in(TIME, old, new)
}

/// The same; after `time` what is left is said to have changed altogether.
fn line_diff_in(time: Duration, old: &[&str], new: &[&str]) -> LineDiff {
    let mut ids = Ids::default();
    let (old_ids, new_ids) = (ids.of_all(old), ids.of_all(new));
    let started = Instant::now();
    let ops = compare(&old_ids, &new_ids, Some(time));
    let mut diff = LineDiff { is_rough: started.elapsed() >= time, ..LineDiff::default() };
    for op in ops {
        let (old, new) = (op.old_range(), op.new_range());
        if let DiffOp::Equal { len, .. } = op {
            diff.blocks.push(DiffBlock::Same { old: old.start, new: new.start, len });
        } else {
            diff.n_removed += old.len();
            diff.n_added += new.len();
            diff.blocks.push(DiffBlock::Changed { old, new });
        }
    }
    diff
}

/// Operations that make `new` of `old`, neighbouring deletions and insertions put together.
pub(super) fn compare(old: &[u32], new: &[u32], time: Option<Duration>) -> Vec<DiffOp> {
    let mut hook = Replace::new(Capture::new());
    let deadline = time.and_then(|time| Instant::now().checked_add(time));
    // It fails only when its hook does, and this one does not.
    let _ = myers::diff_deadline(&mut hook, old, 0..old.len(), new, 0..new.len(), deadline);
    hook.into_inner().into_ops()
}

/// Numbers for texts: equal ones have the same, so that comparing is quick.
#[derive(Default)]
pub(super) struct Ids<'a> {
    known: HashMap<&'a str, u32>,
}

impl<'a> Ids<'a> {
    /// The numbers of `texts`.
    pub(super) fn of_all(&mut self, texts: &[&'a str]) -> Vec<u32> {
        texts
            .iter()
            .map(|text| {
                let next = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
                *self.known.entry(text).or_insert(next)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_changed_line_lies_between_equal_ones() {
        let diff = line_diff(&["a", "b", "c"], &["a", "x", "y", "c"]);
        let expected = [
            DiffBlock::Same { old: 0, new: 0, len: 1 },
            DiffBlock::Changed { old: 1..2, new: 1..3 },
            DiffBlock::Same { old: 2, new: 3, len: 1 },
        ];
        assert_eq!(diff.blocks, expected);
        assert_eq!((diff.n_removed, diff.n_added), (1, 2));
        assert_eq!(line_diff(&[], &[]), LineDiff::default());
    }

    #[test]
    fn a_hundred_thousand_lines_are_compared_roughly_when_time_is_up() {
        let line = |idx: usize, salt: usize| format!("{} {}", idx * salt % 9_973, idx % 7);
        let old: Vec<String> = (0..100_000).map(|idx| line(idx, 31)).collect();
        let sparse: Vec<String> = (0..100_000)
            .map(|idx| if idx % 50 == 0 { format!("new {idx}") } else { line(idx, 31) })
            .collect();
        let other: Vec<String> = (0..100_000).map(|idx| line(idx, 57)).collect();
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        let sparse: Vec<&str> = sparse.iter().map(String::as_str).collect();
        let other: Vec<&str> = other.iter().map(String::as_str).collect();
        let diff = line_diff_in(Duration::MAX, &old, &sparse);
        assert_eq!((diff.n_removed, diff.n_added, diff.is_rough), (2_000, 2_000, false));
        let diff = line_diff_in(Duration::ZERO, &old, &other);
        assert!(diff.is_rough);
        assert!(diff.n_removed <= old.len() && diff.n_added <= other.len());
        assert!(!diff.blocks.is_empty());
    }

    proptest! {
        #[test]
        fn blocks_cover_both_lists_once(
            old in prop::collection::vec("[ab]{0,2}", 0..40),
            new in prop::collection::vec("[ab]{0,2}", 0..40),
        ) {
            let old: Vec<&str> = old.iter().map(String::as_str).collect();
            let new: Vec<&str> = new.iter().map(String::as_str).collect();
            let diff = line_diff(&old, &new);
            let (mut at_old, mut at_new) = (0, 0);
            for block in &diff.blocks {
                match block {
                    DiffBlock::Same { old: from, new: to, len } => {
                        prop_assert_eq!((*from, *to), (at_old, at_new));
                        prop_assert_eq!(&old[*from..from + len], &new[*to..to + len]);
                        (at_old, at_new) = (from + len, to + len);
                    }
                    DiffBlock::Changed { old, new } => {
                        prop_assert_eq!((old.start, new.start), (at_old, at_new));
                        (at_old, at_new) = (old.end, new.end);
                    }
                }
            }
            prop_assert_eq!((at_old, at_new), (old.len(), new.len()));
        }
    }
}
