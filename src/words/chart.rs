//! Words that charts draw themselves: marks, scales, and why there is nothing to draw.

/// Title of an axis with a logarithmic scale.
pub fn log_scale(label: &str) -> String {
    format!("{label} (log scale)")
}
/// A cell of a heat map without a value.
pub const NOT_KNOWN: &str = "not known";
/// When a span began.
pub fn began(moment: &str) -> String {
    format!("began {moment}")
}
/// How long it took.
pub fn took(duration: &str) -> String {
    format!("took {duration}")
}
/// A part of a stack: its number of things, and its share of all.
pub fn part_of(things: &str, share: &str, all: &str) -> String {
    format!("{things}, {share} of {all}")
}
/// The interval of a mark.
pub fn interval(low: &str, high: &str) -> String {
    format!("95 %: {low} – {high}")
}
/// Instead of a drawing of equal values.
pub fn all_equal(n: usize, value: &str) -> String {
    match n {
        2 => format!("Both values are equal: {value}."),
        _ => format!("All {n} values are equal: {value}."),
    }
}
/// Instead of a drawing in which one value leaves the others on one line.
pub fn one_far_away(value: &str, next: &str) -> String {
    format!(
        "One value, {value}, is more than 1,000 times as large as all others (up to {next}). The table has all of them."
    )
}
/// The months of a time scale.
pub const MONTH_NAMES: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
