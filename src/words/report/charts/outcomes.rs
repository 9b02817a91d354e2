//! Words of the charts of outcomes by group and by kind.

pub use crate::words::terms::{GROUP, KIND};

/// Title of the chart by group.
pub const BY_GROUP: &str = "Outcomes by group";
/// Name of the cases that name no group.
pub const NO_GROUP: &str = "no group";

/// End of the lead, when there are more groups than are drawn.
pub fn largest_groups(drawn: usize, all: usize) -> String {
    format!(" The {drawn} largest of {all} groups; the table has all.")
}

/// Title of the chart by kind.
pub const BY_KIND: &str = "Outcomes by kind";
/// Name of the cases that say no kind.
pub const NO_KIND: &str = "no kind";

/// End of the lead, when there are more kinds than are drawn.
pub fn largest_kinds(drawn: usize, all: usize) -> String {
    format!(" The {drawn} largest of {all} kinds; the table has all.")
}
