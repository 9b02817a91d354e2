//! Words: what Compare says of figures.

pub use crate::words::terms::{BY_ID, BY_INPUT, BY_KEY};

use crate::format::{count, counted};

// Sides.

/// A side without runs.
pub const NOTHING: &str = "nothing";
/// A side of several runs: the first, and how many more there are.
pub fn and_more(first: &str, n_more: u64) -> String {
    format!("{first} and {} more", count(n_more))
}
/// Remark: several subjects are on a side.
pub fn holds_subjects(n: u64) -> String {
    let subjects = counted(n, "subject", "subjects");
    format!("Holds {subjects}: their results count as trials of the same cases.")
}
/// Remark: the subject of a side has other repeats.
pub fn one_of_repeats(n: u64) -> String {
    format!("One of {}: the others are not compared.", counted(n, "repeat", "repeats"))
}
/// A subject with all its runs, where sides are chosen.
pub fn subject_with_runs(subject: &str, n_runs: u64) -> String {
    format!("{subject}, {}", counted(n_runs, "run", "runs"))
}

// What was paired.

/// Said where nothing was paired.
pub fn none_paired(how: &str, n_baseline: u64, n_candidate: u64) -> String {
    let (baseline, candidate) = (cases(n_baseline), cases(n_candidate));
    format!("No pairs {how}: {baseline} in the baseline, {candidate} in the candidate.")
}
/// How many pairs there are.
pub fn paired(n: u64, how: &str) -> String {
    format!("{} {how}.", pairs(n))
}
/// Cases without a pair.
pub fn only_in_baseline(n: u64) -> String {
    format!("{} only in the baseline.", cases(n))
}
/// Cases without a pair.
pub fn only_in_candidate(n: u64) -> String {
    format!("{} only in the candidate.", cases(n))
}
/// Pairs of which something else was asked or expected.
pub fn changed_inputs(n: u64, n_known: u64, are_left_out: bool) -> String {
    let what = if are_left_out { "; they are left out" } else { "; they count" };
    let (changed, of) = (count(n), count(n_known));
    format!("{changed} of {of} pairs have another input or expected answer{what}.")
}
/// Cases whose id stands more than once.
pub fn repeated_ids(n: u64) -> String {
    format!("{} with a repeated id, paired by order.", cases(n))
}
/// Pairs that no measure counts.
pub fn not_counted(n: u64) -> String {
    let pairs = counted(n, "pair is", "pairs are");
    format!("{pairs} not counted: no result on a side, or left out by a rule.")
}

// The verdict.

/// Title: the candidate is better.
pub fn is_better(candidate: char, baseline: char) -> String {
    format!("{candidate} is better than {baseline}")
}
/// Title: the candidate is worse.
pub fn is_worse(candidate: char, baseline: char) -> String {
    format!("{candidate} is worse than {baseline}")
}
/// Title: both are the same.
pub fn is_same(margin: &str) -> String {
    format!("No difference beyond ±{margin}")
}
/// Title: none of these.
pub const CANNOT_TELL: &str = "Cannot tell";

// Why it is so.

/// There are no pairs.
pub const NO_PAIRS: &str = "No pairs: the sides have no case in common.";
/// No pair has a value on both sides.
pub fn no_values(n: u64) -> String {
    let pairs = counted(n, "pair,", "pairs, all");
    format!("{pairs} without a score or an outcome on both sides.")
}
/// Lower is better in some runs only.
pub const MIXED: &str = "In some runs lower is better and in others more, so the mean over all of them cannot show which side is better. Compare runs of one metric.";
/// There is no interval.
pub fn may_be_chance(n: u64, difference: &str) -> String {
    let pairs = pairs(n);
    format!(
        "{pairs} with a difference of {difference}: without a confidence interval, it may be chance."
    )
}
/// Every pair is the same on both sides.
pub fn all_the_same(n: u64) -> String {
    format!("{}, {} the same value on both sides", pairs(n), each_has(n))
}
/// Every pair differs by this.
pub fn all_differ_by(n: u64, difference: &str) -> String {
    format!("{}, {} a difference of {difference}", pairs(n), each_has(n))
}
/// After one of these two, `found`: what similar cases would give; `direction` begins with a semicolon, or is empty.
pub fn likely_between(found: &str, [low, high]: [&str; 2], direction: &str) -> String {
    format!(
        "{found}. For similar cases, the difference is likely between {low} and {high} (95 %{direction})."
    )
}
/// The deciding measure, in the next sentence.
pub const PASS_RATE: &str = "pass rate";
/// The deciding measure, in the next sentence.
pub const SCORE: &str = "score";
/// How many pairs changed, in the next sentence.
pub fn changes(n_fixed: u64, n_regressed: u64) -> String {
    format!("{} fixed, {} regressed", count(n_fixed), count(n_regressed))
}
/// The difference, its interval and `changes`; `direction` begins with a semicolon, or is empty.
pub fn difference_in(
    measure: &str,
    difference: &str,
    [low, high]: [&str; 2],
    direction: &str,
    n_pairs: u64,
    changes: &str,
) -> String {
    let pairs = pairs(n_pairs);
    format!(
        "{difference} in the {measure} (95 %: {low} to {high}{direction}) over {pairs}: {changes}"
    )
}
/// Said after that of a small difference.
pub fn within_margin(margin: &str) -> String {
    format!("It is smaller than the margin of {margin}.")
}
/// Said after that where it may be chance: what so many pairs show, and how many it would take.
pub fn power(n: u64, least: &str, n_needed: Option<u64>) -> String {
    let needed = n_needed.map_or_else(String::new, |n| {
        format!("; detecting this one would take about {}", pairs(n))
    });
    format!("With {}, differences under {least} cannot be told from chance{needed}.", pairs(n))
}
/// A number of points of a hundred.
pub fn points(number: &str) -> String {
    format!("{number} {}", if number == "1" { "point" } else { "points" })
}

fn each_has(n: u64) -> &'static str {
    if n == 1 { "which has" } else { "each with" }
}

// Where the difference comes from.

/// A part of a suite, where its tool does not call it a checkpoint.
pub const VARIANT_PART: &str = "variant";

/// Every part went up, the whole down; `part` is the word of what it is split by.
pub fn reversed_down(part: &str) -> String {
    format!(
        "Every {part} went up, but the mean over all cases went down: the share of each {part} differs between the sides."
    )
}
/// Every part went down, the whole up.
pub fn reversed_up(part: &str) -> String {
    format!(
        "Every {part} went down, but the mean over all cases went up: the share of each {part} differs between the sides."
    )
}

// Numbers of cases and pairs, also beside what a filter of pairs may say.

/// So many cases.
pub fn cases(n: u64) -> String {
    counted(n, "case", "cases")
}
/// So many pairs.
pub fn pairs(n: u64) -> String {
    counted(n, "pair", "pairs")
}
