//! An answer as bars: one for each row, as long as its first number.

use super::{SqlCell, SqlColumn};

/// Rows that are drawn at the most: more are no chart but a table.
const MAX_BARS: usize = 50;

/// Bars.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SqlBars {
    /// The column that names them; empty: rows are numbered.
    pub label: String,
    /// The column that they show.
    pub value: String,
    /// The bars, in the order of the rows.
    pub bars: Vec<SqlBar>,
    /// Rows that are not drawn.
    pub n_more: u64,
}

/// A bar.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SqlBar {
    /// What it is called.
    pub name: String,
    /// Its value; not finite where there is none.
    pub value: f64,
    /// Where it begins and how long it is, in percent of the width.
    pub span: (f64, f64),
}

/// The first rows of an answer as bars; `None`: no column holds numbers, or no value is one. `cells` are those of the
/// first rows, one row after the other; `n_rows` is the number of all.
pub fn bars(columns: &[SqlColumn], cells: &[SqlCell], n_rows: u64) -> Option<SqlBars> {
    let label = columns.iter().position(|column| !column.is_number);
    // What stands first is a name, even where it is a number.
    let is_value = |(at, column): &(usize, &SqlColumn)| {
        column.is_number && (label.is_some() || *at > 0 || columns.len() == 1)
    };
    let (at, value) = columns.iter().enumerate().find(is_value)?;
    let label = label.or((at > 0).then_some(0));
    let rows: Vec<&[SqlCell]> = cells.chunks_exact(columns.len()).take(MAX_BARS).collect();
    let number = |row: &[SqlCell]| match row.get(at) {
        Some(SqlCell::Number(number)) => *number,
        _ => f64::NAN,
    };
    let numbers: Vec<f64> = rows.iter().map(|row| number(row)).collect();
    let finite = || numbers.iter().copied().filter(|number| number.is_finite());
    finite().next()?;
    let (low, high) = (finite().fold(0.0, f64::min), finite().fold(0.0, f64::max));
    let share = |number: f64| if high > low { (number - low) / (high - low) * 100.0 } else { 0.0 };
    let bar = |(nth, (row, value)): (usize, (&&[SqlCell], &f64))| {
        let (from, to) = (share(value.min(0.0)), share(value.max(0.0)));
        let name = label.and_then(|label| row.get(label)).map(words);
        SqlBar {
            name: name.unwrap_or_else(|| (nth + 1).to_string()),
            value: *value,
            span: if value.is_finite() { (from, to - from) } else { (share(0.0), 0.0) },
        }
    };
    Some(SqlBars {
        label: label
            .and_then(|at| columns.get(at))
            .map(|column| column.name.clone())
            .unwrap_or_default(),
        value: value.name.clone(),
        n_more: n_rows.saturating_sub(rows.len() as u64),
        bars: rows.iter().zip(&numbers).enumerate().map(bar).collect(),
    })
}

fn words(cell: &SqlCell) -> String {
    match cell {
        SqlCell::Null => "–".to_owned(),
        SqlCell::Number(number) => number.to_string(),
        SqlCell::Flag(is) => is.to_string(),
        SqlCell::Text(text) => text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, is_number: bool) -> SqlColumn {
        SqlColumn { name: name.to_owned(), is_number }
    }

    #[test]
    fn bars_begin_at_nought_on_either_side() {
        let columns = [column("model", false), column("change", true), column("n", true)];
        let row = |name: &str, value: f64| {
            [SqlCell::Text(name.to_owned()), SqlCell::Number(value), SqlCell::Number(7.0)]
        };
        let mut cells = row("a", -1.0).to_vec();
        cells.extend(row("b", 3.0));
        cells.extend([SqlCell::Null, SqlCell::Null, SqlCell::Null]);
        let found = bars(&columns, &cells, 60).unwrap();
        assert_eq!(
            (found.label.as_str(), found.value.as_str(), found.n_more),
            ("model", "change", 57)
        );
        let spans: Vec<(f64, f64)> = found.bars.iter().map(|bar| bar.span).collect();
        assert_eq!(spans, [(0.0, 25.0), (25.0, 75.0), (25.0, 0.0)]);
        assert_eq!(found.bars[2].name, "–");
        assert!(found.bars[2].value.is_nan());
    }

    #[test]
    fn numbers_alone_are_named_by_the_first_column() {
        let cells = [SqlCell::Number(2024.0), SqlCell::Number(0.5)];
        let found = bars(&[column("year", true), column("rate", true)], &cells, 1).unwrap();
        assert_eq!((found.bars[0].name.as_str(), found.value.as_str()), ("2024", "rate"));
        assert_eq!(bars(&[column("n", true)], &cells[..1], 1).unwrap().bars[0].name, "1");
        assert_eq!(bars(&[column("id", false)], &[SqlCell::Null], 1), None);
        assert_eq!(bars(&[column("n", true)], &[SqlCell::Null], 1), None);
        assert_eq!(bars(&[column("n", true)], &[], 0), None);
    }
}
