//! Words of the list of pairs.

/// Heads of the list, without those of the sides and of the difference.
pub const HEADS: [&str; 2] = ["Case", "Adds"];
/// Stands in the field when it is empty.
pub const FILTER_EXAMPLE: &str = "Filter: change:regressed delta<-0.2 side:B outcome:error";
/// Name of the field.
pub const FILTER_NAME: &str = "Filter the pairs";
/// The switch that leaves out pairs without a difference.
pub const ONLY_DIFFERENT: &str = "Only different";
/// Orders of the pairs.
pub const ORDERS: [&str; 4] =
    ["Largest loss first", "Largest gain first", "Largest difference first", "As in the files"];
/// No pair is left.
pub const NO_MATCH: &str = "No pair matches.";
