//! Words of the pages of a report: tables, lists of sections.

use crate::format::{count, counted};

/// Name of the list of a page's sections.
pub const SECTIONS: &str = "On this page";
/// What a click on the head of a column does.
pub const SORT: &str = "Sort by this column";
/// Name of the links to other measures of the same page.
pub const MEASURE: &str = "Measure";
/// Behind a figure that only a file states.
pub const DECLARED: &str = "declared";
/// Before the interval below a headline number.
pub const INTERVAL: &str = "95 %: ";

/// Said of a figure that is not known, to who does not see the dash.
pub fn not_known(reason: &str) -> String {
    format!("not known: {reason}")
}

/// The button that shows the rest of a table.
pub fn show_all(n_rows: u64) -> String {
    format!("Show all {}", count(n_rows))
}

/// Saves a chart as a drawing.
pub const SAVE_SVG: &str = "Save as SVG";
/// Saves it as a picture.
pub const SAVE_PNG: &str = "Save as PNG";
/// In the place of a chart of nothing.
pub const NOTHING_TO_DRAW: &str = "There is nothing to draw.";

// Cells.

/// Tooltip of a figure that only a file states.
pub const DECLARED_HINT: &str = "Stated in a file; there are no cases to check it against.";
/// Tooltip of a cost that is incomplete.
pub const LOWER_BOUND: &str = "Some prices are not known: the true cost is higher.";
/// Tooltip of an interval.
pub const CONFIDENCE_INTERVAL: &str = "95 % confidence interval";
/// It is so.
pub const YES: &str = "yes";
/// It is not so.
pub const NO: &str = "no";

/// Tooltip of an interval that is cut off at the range of its value.
pub fn cut_interval(computed: &str) -> String {
    format!(
        "{CONFIDENCE_INTERVAL}. * Cut off at 0–1, the range of the value; as computed: {computed}."
    )
}

/// Unfolds a text.
pub fn show_lines(n: u64) -> String {
    format!("show {}", counted(n, "line", "lines"))
}
