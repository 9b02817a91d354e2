//! Words of the charts of every value of runs that repeat one another.

/// Lead of the chart; `more` is what is said after it, with a space before.
pub fn lead(more: &str) -> String {
    format!(
        "Each mark is one run. Line: mean. Band: its 95 % t interval (three or more runs).{more}"
    )
}

/// End of the lead, when there are more rows or marks than are drawn.
pub fn at_most(rows: usize, marks: usize) -> String {
    format!(" At most {rows} rows of {marks} marks are drawn; the table has all.")
}
