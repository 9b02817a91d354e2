//! Words of the pages of a report: tables, lists of sections.

/// Name of the list of a page's sections.
pub const SECTIONS: &str = "On this page";
/// What a click on the head of a column does.
pub const SORT: &str = "Sort by this column";
