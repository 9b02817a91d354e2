//! A line diff as rows: one column or two, whole or with the unchanged parts folded.

use super::lines::{DiffBlock, LineDiff};
use super::pairs::pairs;
use std::ops::Range;

/// Unchanged lines that stay around a change.
const CONTEXT: usize = 3;

/// Fewer unchanged lines than this are not worth folding.
const MIN_FOLDED: usize = 4;

/// How old and new stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arrangement {
    /// One column: removed lines above those that took their place.
    Unified,
    /// Two columns: the old line beside the new one.
    SideBySide,
}

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// On both sides.
    Same,
    /// Only the old line, or in one column the old one of a changed pair.
    Removed,
    /// Only the new line, or in one column the new one of a changed pair.
    Added,
    /// In two columns: a changed pair.
    Changed,
}

/// One row. Lines are 0-based; in one column a changed line knows its partner, so that words can be
/// compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffRow {
    /// What it is.
    pub kind: RowKind,
    /// The old line, or the partner of an added one.
    pub old: Option<usize>,
    /// The new line, or the partner of a removed one.
    pub new: Option<usize>,
}

/// A part of the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoldedRow {
    /// Row by its number.
    Row(usize),
    /// Unchanged rows that are folded away.
    Fold(Range<usize>),
}

/// The rows of `diff`, which compares `old` with `new`.
pub fn rows(diff: &LineDiff, old: &[&str], new: &[&str], arrangement: Arrangement) -> Vec<DiffRow> {
    let mut rows = Vec::with_capacity(old.len().max(new.len()));
    for block in &diff.blocks {
        match block {
            DiffBlock::Same { old, new, len } => rows.extend((0..*len).map(|idx| DiffRow {
                kind: RowKind::Same,
                old: Some(old + idx),
                new: Some(new + idx),
            })),
            DiffBlock::Changed { old: removed, new: added } => {
                let pairs = pairs(old, new, removed.clone(), added.clone());
                match arrangement {
                    Arrangement::Unified => one_column(&mut rows, removed, added, &pairs),
                    Arrangement::SideBySide => two_columns(&mut rows, removed, added, &pairs),
                }
            }
        }
    }
    rows
}

fn one_column(
    rows: &mut Vec<DiffRow>,
    removed: &Range<usize>,
    added: &Range<usize>,
    pairs: &[(usize, usize)],
) {
    let mut partners = pairs.iter().peekable();
    for old in removed.clone() {
        let partner = partners.next_if(|(left, _)| *left == old).map(|(_, right)| *right);
        rows.push(DiffRow { kind: RowKind::Removed, old: Some(old), new: partner });
    }
    let mut partners = pairs.iter().peekable();
    for new in added.clone() {
        let partner = partners.next_if(|(_, right)| *right == new).map(|(left, _)| *left);
        rows.push(DiffRow { kind: RowKind::Added, old: partner, new: Some(new) });
    }
}

fn two_columns(
    rows: &mut Vec<DiffRow>,
    removed: &Range<usize>,
    added: &Range<usize>,
    pairs: &[(usize, usize)],
) {
    let (mut left, mut right) = (removed.start, added.start);
    let ends = (removed.end, added.end);
    let pairs = pairs.iter().map(|&(old, new)| (old, new, true));
    for (old, new, is_pair) in pairs.chain([(ends.0, ends.1, false)]) {
        rows.extend((left..old).map(|old| DiffRow {
            kind: RowKind::Removed,
            old: Some(old),
            new: None,
        }));
        rows.extend((right..new).map(|new| DiffRow {
            kind: RowKind::Added,
            old: None,
            new: Some(new),
        }));
        if is_pair {
            rows.push(DiffRow { kind: RowKind::Changed, old: Some(old), new: Some(new) });
        }
        (left, right) = (old + 1, new + 1);
    }
}

/// The rows with long unchanged parts folded; together the parts are all rows in order.
pub fn folded(rows: &[DiffRow]) -> Vec<FoldedRow> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let rest = rows.get(at..).unwrap_or_default();
        let n_same = rest.iter().take_while(|row| row.kind == RowKind::Same).count();
        if n_same == 0 {
            out.push(FoldedRow::Row(at));
            at += 1;
            continue;
        }
        let end = at + n_same;
        let from = if at == 0 { 0 } else { (at + CONTEXT).min(end) };
        let to = if end == rows.len() { end } else { end.saturating_sub(CONTEXT).max(from) };
        if to - from >= MIN_FOLDED {
            out.extend((at..from).map(FoldedRow::Row));
            out.push(FoldedRow::Fold(from..to));
            out.extend((to..end).map(FoldedRow::Row));
        } else {
            out.extend((at..end).map(FoldedRow::Row));
        }
        at = end;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::diff::lines::line_diff;
    use proptest::prelude::*;

    fn lines(text: &[String]) -> Vec<&str> {
        text.iter().map(String::as_str).collect()
    }

    #[test]
    fn two_columns_put_a_changed_line_beside_the_old_one() {
        let (old, new) = (["a", "x = 1", "b", "gone"], ["a", "x = 2", "b"]);
        let rows = rows(&line_diff(&old, &new), &old, &new, Arrangement::SideBySide);
        let kinds: Vec<RowKind> = rows.iter().map(|row| row.kind).collect();
        assert_eq!(kinds, [RowKind::Same, RowKind::Changed, RowKind::Same, RowKind::Removed]);
    }

    #[test]
    fn unchanged_lines_far_from_changes_are_folded() {
        let same = |n: usize| {
            (0..n).map(|idx| DiffRow { kind: RowKind::Same, old: Some(idx), new: Some(idx) })
        };
        let change = [DiffRow { kind: RowKind::Added, old: None, new: Some(0) }];
        let rows: Vec<DiffRow> = same(20).chain(change).chain(same(9)).chain(change).collect();
        let folds: Vec<FoldedRow> =
            folded(&rows).into_iter().filter(|row| matches!(row, FoldedRow::Fold(_))).collect();
        assert_eq!(folds, [FoldedRow::Fold(0..17)], "nine lines are three, three and three");
    }

    proptest! {
        #[test]
        fn both_arrangements_hold_both_texts_once(
            old in prop::collection::vec("[ab]{0,3}", 0..30),
            new in prop::collection::vec("[ab]{0,3}", 0..30),
        ) {
            let (old, new) = (lines(&old), lines(&new));
            let diff = line_diff(&old, &new);
            let one = rows(&diff, &old, &new, Arrangement::Unified);
            let two = rows(&diff, &old, &new, Arrangement::SideBySide);
            let shown = |rows: &[DiffRow], pick: fn(&DiffRow) -> Option<usize>| -> Vec<usize> {
                rows.iter().filter_map(pick).collect()
            };
            let all = |n: usize| (0..n).collect::<Vec<_>>();
            let is_old = |row: &DiffRow| row.old.filter(|_| row.kind != RowKind::Added);
            let is_new = |row: &DiffRow| row.new.filter(|_| row.kind != RowKind::Removed);
            for rows in [&one, &two] {
                prop_assert_eq!(shown(rows, is_old), all(old.len()));
                prop_assert_eq!(shown(rows, is_new), all(new.len()));
            }
            // The same pairs either way.
            let pairs = |rows: &[DiffRow], kind: RowKind| -> Vec<(usize, usize)> {
                let rows = rows.iter().filter(|row| row.kind == kind);
                rows.filter_map(|row| Some((row.old?, row.new?))).collect()
            };
            prop_assert_eq!(pairs(&one, RowKind::Removed), pairs(&two, RowKind::Changed));
            prop_assert_eq!(pairs(&one, RowKind::Added), pairs(&two, RowKind::Changed));
            prop_assert_eq!(pairs(&one, RowKind::Same), pairs(&two, RowKind::Same));
            for rows in [&one, &two] {
                let unfolded: Vec<usize> = folded(rows)
                    .into_iter()
                    .flat_map(|row| match row {
                        FoldedRow::Row(at) => at..at + 1,
                        FoldedRow::Fold(range) => range,
                    })
                    .collect();
                prop_assert_eq!(unfolded, all(rows.len()));
            }
        }
    }
}
