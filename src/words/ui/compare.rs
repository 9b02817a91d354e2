//! Words of the page that compares.

use crate::words::terms;
pub use crate::words::terms::{CHECKPOINTS, VERDICT};

use crate::format::counted;

/// The page.
pub const TITLE: &str = "Compare";
/// What the side bar calls the way to a comparison with the evaluation before.
pub const PREVIOUS: &str = "Compare with previous";
/// What the side bar calls the way to a comparison that somebody puts together.
pub const WITH: &str = "Compare with …";
/// The sides.
pub const SIDES: &str = "Sides";
/// What the first side is.
pub const BASELINE: &str = "baseline";
/// Adds a side.
pub const ADD: &str = "Add a side …";
/// Chooses the second side.
pub const ADD_SECOND: &str = "Choose what to compare it with …";
/// Exchanges the first two sides.
pub const SWAP: &str = "Swap A and B";
/// Makes a side the baseline.
pub const MAKE_BASELINE: &str = "Make it the baseline";
/// Moves a side forward.
pub const EARLIER: &str = "Move forward";
/// Moves a side back.
pub const LATER: &str = "Move back";
/// Takes a side away.
pub const REMOVE: &str = "Remove";
/// What stands where only one side is chosen.
pub const ONE_SIDE: &str =
    "One side is chosen. Choose another one above: an evaluation, one of its models, or a run.";
/// What stands where there is nothing to compare.
pub const NO_SIDES: &str = "No comparison could be chosen automatically. Choose two sides above, or open a second evaluation.";
/// The settings of a comparison.
pub const SETTINGS: &str = "Pairing and margin";
/// How cases are paired.
pub const PAIR_BY: &str = "Pair cases by";
/// Ways of pairing: as fits, by key, by id.
pub const PAIR_WAYS: [&str; 3] = ["automatic", "suite, group and id", "id alone"];
/// The same, where files say what cases were asked.
pub const PAIR_BY_INPUT: &str = "text of the input";
/// The pattern that is taken out of ids.
pub const STRIP: &str = "Remove from ids";
/// An example of one.
pub const STRIP_EXAMPLE: &str = "^v2/";
/// The margin.
pub const MARGIN: &str = "Margin (0.02 is 2 points)";
/// The switch that leaves changed inputs out.
pub const SAME_INPUT: &str = "Only pairs with the same input";
/// What was paired.
pub const AUDIT: &str = "Pairing";
/// Copies the comparison as Markdown.
pub const COPY: &str = "Copy for a pull request";
/// Said when it was copied.
pub const COPIED: &str = "Copied as Markdown.";
/// Saves the pairs.
pub const SAVE_PAIRS: &str = "Pairs (CSV)";
/// Saves the comparison as a page.
pub const SAVE_HTML: &str = "Page (HTML)";
/// The measures.
pub const MEASURES: &str = "Differences";
/// What their marks mean.
pub const MEASURES_NOTE: &str =
    "95 % confidence intervals; hollow dot: the interval contains 0; grey band: the margin";
/// Head of a table: how many pairs.
pub const HEAD_PAIRS: &str = "Pairs";
/// Head of a table: the value of the baseline.
pub const HEAD_A: &str = "A";
/// Head of a table: the value of the other side.
pub const HEAD_B: &str = "B";
/// Head of a table: the value of a candidate.
pub const HEAD_CANDIDATE: &str = "Candidate";
/// Head of a table: the difference.
pub const HEAD_DIFFERENCE: &str = "Difference, 95 %";
/// Head of a table: p.
pub const HEAD_P: &str = "p";
/// Head of a table: what the difference says.
pub const HEAD_SAYS: &str = "Says";
/// Head of a table: what a part adds.
pub const HEAD_ADDS: &str = "Adds";
/// Heads of the table of measures.
pub const MEASURE_HEADS: [&str; 8] =
    ["Measure", HEAD_PAIRS, HEAD_A, HEAD_B, "", HEAD_DIFFERENCE, HEAD_P, HEAD_SAYS];
/// What the p of a row is.
pub const P_HINT: &str = "Two-sided p of no difference, adjusted for all rows of the table (Holm)";
/// Heads of the table of parts.
pub const PART_HEADS: [&str; 6] = ["Part", HEAD_PAIRS, "", HEAD_DIFFERENCE, HEAD_P, HEAD_ADDS];
/// What a part adds.
pub const ADDS_HINT: &str = "Share of all pairs × difference: these add up to the whole difference";
/// Heads of the table of candidates.
pub const CANDIDATE_HEADS: [&str; 8] =
    ["Side", HEAD_PAIRS, HEAD_A, HEAD_CANDIDATE, "", HEAD_DIFFERENCE, HEAD_P, HEAD_SAYS];
/// Every figure of every measure.
pub const FIGURES: &str = "Every figure";
/// Outcomes on both sides.
pub const MATRIX: &str = "Outcomes";
/// What its rows and columns are.
pub const MATRIX_NOTE: &str = "rows: A, columns: B; each number lists its pairs";
/// Sums of rows and columns.
pub const SUMS: [&str; 2] = ["all A", "all B"];
/// What the pairs of a cell are.
pub const KINDS: [&str; 3] = ["same", "regressed", "fixed"];
/// Where the difference comes from.
pub const PARTS: &str = "Where it comes from";
/// What the sides were made of.
pub const CONFIGURATION: &str = "Configuration";
/// Said where nothing differs.
pub const SAME_CONFIGURATION: &str = "The files record no difference in configuration.";
/// Heads of that table.
pub const CONFIGURATION_HEADS: [&str; 4] = ["Setting", "About", "A", "B"];
/// The pairs.
pub const PAIRS: &str = "Pairs";
/// The choice of an order.
pub const ORDER: &str = "Order";
/// Shows further pairs.
pub const MORE: &str = "Show more";
/// Shows all pairs.
pub const ALL_PAIRS: &str = "Show all pairs";
/// Said where no pair is listed.
pub const NO_PAIRS: &str = "No such pairs.";
/// The sides in order.
pub const RANKING: &str = "Ranking";
/// Heads of the ranking.
pub const RANK_HEADS: [&str; 5] = [
    "Side",
    "Value, 95 %",
    "Chance to be first",
    "Chances by rank",
    "Same letter: cannot be told apart",
];
/// Every two sides.
pub const EVERY_TWO: &str = "Pairwise differences";
/// Candidates against the baseline.
pub const CANDIDATES: &str = "Each side against A";
/// What a candidate's link does.
pub const CANDIDATES_NOTE: &str = "a name shows that side below";
/// Leads from the overview.
pub const OPEN: &str = "Compare";
/// Leads from a pair back to the list.
pub const BACK: &str = terms::COMPARISON;
/// The pair before.
pub const PAIR_BEFORE: &str = "Previous";
/// The pair after.
pub const PAIR_AFTER: &str = "Next";
/// Pages of the cases of a pair.
pub const CASE_PAGES: [&str; 2] = ["Case on A", "Case on the candidate"];
/// Facts of both cases.
pub const FACTS: &str = "Both sides";
/// What both gave.
pub const TEXTS: &str = "Output";
/// What its signs mean.
pub const TEXTS_NOTE: &str = "− only in A, + only in the candidate";
/// What both did.
pub const STEPS: &str = "Transcripts";
/// Where a side has no such step.
pub const NO_STEP: &str = "no such step";
/// What came back from a tool.
pub const RETURNED: &str = "returned";
/// The lists of pairs that one looks at first.
pub const LISTS: &str = "What changed";

/// Name of a button beside a side: what it does, and to which side.
pub fn of_side(action: &str, letter: &str, label: &str) -> String {
    format!("{action}: {letter} {label}")
}

/// Heading of the measures of a candidate.
pub fn measures_of(letter: &str) -> String {
    format!("{MEASURES}, {letter} − A")
}

/// Name of a cell of the outcomes: how many pairs and what kind of change (as the cell shows them), and how they came out.
pub fn matrix_cell(n: &str, kind: &str, from: &str, to: &str) -> String {
    let gap = if kind.is_empty() { "" } else { " " };
    format!("{n}{gap}{kind}: {from} on A, {to} on B")
}

/// Heading of where the difference comes from; `by` is what the cases are parted by.
pub fn parts_by(by: &str) -> String {
    format!("{PARTS}: by {by}")
}

/// What the parts add up to.
pub fn parts_sum(sum: &str) -> String {
    format!("the parts add up to {sum}")
}

/// The same where small parts are not shown.
pub fn parts_sum_more(sum: &str, n_more: u64) -> String {
    let others = counted(n_more, "other", "others");
    format!("{}; {others} with smaller parts not shown", parts_sum(sum))
}

/// Beside the heading of the configuration.
pub fn settings_differ(n: u64) -> String {
    counted(n, "setting differs", "settings differ")
}

/// Beside the heading of the checkpoints: what their columns are.
pub const CHECKPOINTS_NOTE: &str = "A → B";

// A pair.

/// Leads to the first step that differs.
pub const TO_DIVERGENCE: &str = "First divergence";

/// Lines of a text that are folded away.
pub fn lines_alike(n: u64) -> String {
    counted(n, "line alike", "lines alike")
}

/// Rows that are not shown.
pub fn further_rows(n: u64) -> String {
    counted(n, "further row", "further rows")
}
