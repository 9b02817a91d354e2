//! The order in which the rows of a table stand when the user sorts them by a column.

use super::{Cell, Outcome, Row, Table};
use std::cmp::Ordering;

/// By which column, and which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableSorting {
    /// The column, from 0 on.
    pub column: usize,
    /// Whether the largest comes first.
    pub is_descending: bool,
}

impl TableSorting {
    /// What a click on the head of `column` makes of `now`: one way, the other way, the table's own order.
    /// `is_largest_first`: of numbers the largest are looked for.
    pub fn next(now: Option<Self>, column: usize, is_largest_first: bool) -> Option<Self> {
        match now.filter(|now| now.column == column) {
            None => Some(Self { column, is_descending: is_largest_first }),
            Some(first) if first.is_descending == is_largest_first => {
                Some(Self { column, is_descending: !is_largest_first })
            }
            Some(_) => None,
        }
    }

    /// The rows of `table` in this order, by place. Rows without a value come last whichever way, rows of
    /// one value keep their order, and what stands at the end of the table by its meaning (a sum, a rest)
    /// stays there.
    pub fn order(self, table: &Table) -> Vec<usize> {
        let n_rows = table.rows.len();
        let n_sorted = n_rows.saturating_sub(table.n_last);
        let cell = |row: &Row| row.cells.get(self.column).map_or(CellSortKey::Nothing, key);
        let mut keys: Vec<(usize, CellSortKey)> =
            table.rows.iter().take(n_sorted).map(cell).enumerate().collect();
        // Figures that are written out are numbers when all of the column are.
        let is_number =
            |key: &CellSortKey| !matches!(key, CellSortKey::Words(text) if number(text).is_none());
        if keys.iter().all(|(_, key)| is_number(key)) {
            for (_, key) in &mut keys {
                if let CellSortKey::Words(text) = key {
                    *key = number(text).map_or(CellSortKey::Nothing, CellSortKey::Number);
                }
            }
        }
        keys.sort_by(|(_, left), (_, right)| self.compare(left, right));
        keys.into_iter().map(|(at, _)| at).chain(n_sorted..n_rows).collect()
    }

    fn compare(self, left: &CellSortKey, right: &CellSortKey) -> Ordering {
        let way = |order: Ordering| if self.is_descending { order.reverse() } else { order };
        match (left, right) {
            (CellSortKey::Nothing, CellSortKey::Nothing) => Ordering::Equal,
            (CellSortKey::Nothing, _) => Ordering::Greater,
            (_, CellSortKey::Nothing) => Ordering::Less,
            (CellSortKey::Number(left), CellSortKey::Number(right)) => way(left.total_cmp(right)),
            (CellSortKey::Part(left), CellSortKey::Part(right)) => {
                way(left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)))
            }
            (CellSortKey::Words(left), CellSortKey::Words(right)) => {
                way(compare_words(left, right))
            }
            (left, right) => way(left.rank().cmp(&right.rank())),
        }
    }
}

/// What a cell is sorted by.
#[derive(Debug, Clone, PartialEq)]
enum CellSortKey {
    Number(f64),
    /// A share, and of how many.
    Part((f64, u64)),
    Words(String),
    Nothing,
}

impl CellSortKey {
    fn rank(&self) -> u8 {
        match self {
            Self::Number(_) => 0,
            Self::Part(_) => 1,
            Self::Words(_) => 2,
            Self::Nothing => 3,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts and bytes stay far below 2^53")]
fn key(cell: &Cell) -> CellSortKey {
    let known =
        |value: f64| if value.is_nan() { CellSortKey::Nothing } else { CellSortKey::Number(value) };
    match cell {
        Cell::Count(n) | Cell::Bytes(n) => CellSortKey::Number(*n as f64),
        Cell::Number(value) | Cell::Rate(value) | Cell::Bar(value) | Cell::Secs(value) => {
            known(value.0)
        }
        Cell::Usd { amount, .. } => known(amount.0),
        Cell::Interval { low, .. }
        | Cell::UnitInterval { low, .. }
        | Cell::SecsInterval { low, .. } => known(low.0),
        Cell::Share { whole: 0, .. } | Cell::Missing(_) => CellSortKey::Nothing,
        Cell::Share { part, whole } => CellSortKey::Part((*part as f64 / *whole as f64, *part)),
        Cell::Flag(is_so) => CellSortKey::Number(f64::from(u8::from(*is_so))),
        Cell::Outcome(outcome) => CellSortKey::Number(f64::from(place_of(*outcome))),
        Cell::Text(text) | Cell::Folded(text) | Cell::Tag { text, .. } => match text.trim() {
            "" => CellSortKey::Nothing,
            text => CellSortKey::Words(text.to_owned()),
        },
        Cell::Declared(inner) | Cell::Linked(inner, _) => key(inner),
    }
}

/// The worst first.
fn place_of(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Error => 0,
        Outcome::Failed => 1,
        Outcome::Skipped => 2,
        Outcome::Unscored => 3,
        Outcome::Scored => 4,
        Outcome::Passed => 5,
    }
}

fn number(text: &str) -> Option<f64> {
    text.replace('−', "-").parse().ok().filter(|value: &f64| !value.is_nan())
}

/// Words in the order of their letters, numbers within them by value: `run 2` before `run 10`.
fn compare_words(left: &str, right: &str) -> Ordering {
    let (mut left_rest, mut right_rest) = (left, right);
    loop {
        let (a, b) = match (left_rest.chars().next(), right_rest.chars().next()) {
            (Some(a), Some(b)) => (a, b),
            (a, b) => return a.is_some().cmp(&b.is_some()).then_with(|| left.cmp(right)),
        };
        if a.is_ascii_digit() && b.is_ascii_digit() {
            let (a, after_a) = digits(left_rest);
            let (b, after_b) = digits(right_rest);
            let order = a.len().cmp(&b.len()).then_with(|| a.cmp(b));
            if order != Ordering::Equal {
                return order;
            }
            (left_rest, right_rest) = (after_a, after_b);
            continue;
        }
        let order = a.to_lowercase().cmp(b.to_lowercase());
        if order != Ordering::Equal {
            return order;
        }
        left_rest = left_rest.get(a.len_utf8()..).unwrap_or_default();
        right_rest = right_rest.get(b.len_utf8()..).unwrap_or_default();
    }
}

/// The number at the start of `text`, without zeros before it, and the rest.
fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    (number.trim_start_matches('0'), rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Num;
    use crate::report::table::Column;

    fn table(cells: Vec<Cell>) -> Table {
        let mut table = Table::new("x", "x", vec![Column::words("x")]);
        cells.into_iter().for_each(|cell| table.row(vec![cell]));
        table
    }

    fn order(cells: Vec<Cell>, is_descending: bool) -> Vec<usize> {
        TableSorting { column: 0, is_descending }.order(&table(cells))
    }

    fn text(words: &str) -> Cell {
        Cell::Text(words.to_owned())
    }

    #[test]
    fn numbers_are_sorted_by_value_and_what_is_not_known_comes_last_either_way() {
        let cells = || {
            vec![
                Cell::Number(Num(10.0)),
                Cell::Missing("none".to_owned()),
                Cell::Declared(Box::new(Cell::Number(Num(9.0)))),
                Cell::Number(Num(f64::NAN)),
                Cell::Number(Num(-1.0)),
            ]
        };
        assert_eq!(order(cells(), false), [4, 2, 0, 1, 3]);
        assert_eq!(order(cells(), true), [0, 2, 4, 1, 3]);
    }

    #[test]
    fn figures_written_out_are_numbers_where_all_are() {
        let found = order(vec![text("10"), text("9.5"), text(""), text("−0.3")], false);
        assert_eq!(found, [3, 1, 0, 2]);
        assert_eq!(order(vec![text("run 10"), text("Run 9"), text("run 1")], false), [2, 1, 0]);
    }

    #[test]
    fn shares_are_sorted_by_share_then_by_count() {
        let share = |part, whole| Cell::Share { part, whole };
        let cells = vec![share(1, 2), share(5, 10), share(0, 0), share(9, 10)];
        assert_eq!(order(cells, true), [3, 1, 0, 2]);
    }

    #[test]
    fn equal_rows_keep_their_order_and_sums_stay_last() {
        let mut table = table(vec![text("b"), text("a"), text("a"), text("All")]);
        table.n_last = 1;
        assert_eq!(TableSorting { column: 0, is_descending: true }.order(&table), [0, 1, 2, 3]);
        assert_eq!(TableSorting { column: 0, is_descending: false }.order(&table), [1, 2, 0, 3]);
        assert_eq!(TableSorting { column: 7, is_descending: false }.order(&table), [0, 1, 2, 3]);
    }

    #[test]
    fn the_third_click_restores_the_order() {
        let first = TableSorting::next(None, 2, true);
        assert_eq!(first, Some(TableSorting { column: 2, is_descending: true }));
        let second = TableSorting::next(first, 2, true);
        assert_eq!(second, Some(TableSorting { column: 2, is_descending: false }));
        assert_eq!(TableSorting::next(second, 2, true), None);
        let other = TableSorting::next(second, 0, false);
        assert_eq!(other, Some(TableSorting { column: 0, is_descending: false }));
    }

    #[test]
    fn every_order_is_a_permutation() {
        let words = ["a1", "a01", "A1", "", "é", "1", "a", "10", "x10y", "x9y"];
        let cells: Vec<Cell> = words.iter().map(|words| text(words)).collect();
        for is_descending in [false, true] {
            let mut found = order(cells.clone(), is_descending);
            found.sort_unstable();
            assert_eq!(found, (0..words.len()).collect::<Vec<_>>());
        }
    }
}
