//! Words of what a comparison has found: figures, verdicts, pairs, ranks.

pub use crate::words::terms::{
    BY_ID, BY_INPUT, BY_KEY, CHECKPOINT, DIFFERENCE, OUTCOME, PASS_RATE, SCORE,
};

use crate::format::{count, counted};

// A side.

/// How much it holds.
pub fn cases(n: u64) -> String {
    counted(n, "case", "cases")
}

/// The same where cases were tried several times.
pub fn cases_and_trials(n_cases: u64, n_trials: u64) -> String {
    format!("{}, {}", cases(n_cases), counted(n_trials, "trial", "trials"))
}

// What was paired.

/// How many pairs there are.
pub fn paired(n: u64, how: &str) -> String {
    format!("{} {how}", pairs(n))
}

/// Cases without a pair.
pub fn only_in(n: u64, letter: char) -> String {
    format!("{} only in {letter}", count(n))
}

/// Pairs of which something else was asked.
pub fn other_input(n: u64) -> String {
    format!("{} with another input", count(n))
}

/// The same where they are left out.
pub fn other_input_left_out(n: u64) -> String {
    format!("{}, left out", other_input(n))
}

/// Ids that stand more than once.
pub fn repeated_ids(n: u64) -> String {
    counted(n, "repeated id", "repeated ids")
}

/// Pairs of which a side has no result.
pub fn without_result(n: u64) -> String {
    format!("{} without a result on a side", pairs(n))
}

/// Pairs that no measure counts.
pub fn not_counted(n: u64) -> String {
    format!("{} not counted", pairs(n))
}

fn pairs(n: u64) -> String {
    counted(n, "pair", "pairs")
}

// Lists of pairs.

/// All of them.
pub const ALL: &str = "All";
/// Those that came out otherwise.
pub const CHANGED: &str = "Changed";
/// Those that passed.
pub const REGRESSED: &str = "Regressed";
/// Those that pass now.
pub const FIXED: &str = "Fixed";

/// How many pairs are listed.
pub fn listed(n: u64, n_all: u64) -> String {
    format!("{} of {}", count(n), count(n_all))
}

/// Head of the column of differences by a measure.
pub fn difference_of(measure: &str, candidate: char) -> String {
    format!("{measure}, {candidate} − A")
}

// Measures and their units.

/// What a case costs.
pub const COST: &str = "Cost per case";
/// How long a case takes.
pub const TIME: &str = "Time per case";
/// Tokens that a case has read.
pub const TOKENS_READ: &str = "Tokens read";
/// Tokens that it has written.
pub const TOKENS_WRITTEN: &str = "Tokens written";
/// Unit of a scale: of shares.
pub const POINTS: &str = "points";
/// Unit of a scale: of what is spent.
pub const PERCENT_OF_A: &str = "% of A";

/// A difference of just one point.
pub fn one_point(n: &str) -> String {
    format!("{n} point")
}

/// A difference in points.
pub fn points(n: &str) -> String {
    format!("{n} {POINTS}")
}

/// The ends of an interval.
pub fn range(low: &str, high: &str) -> String {
    format!("{low} to {high}")
}

// Why a measure has no interval.

/// There is one pair.
pub const SINGLE_PAIR: &str = "a single pair: no interval";
/// There are too few.
pub const TOO_FEW_PAIRS: &str = "too few pairs for an interval";
/// All differ alike.
pub const ALL_DIFFER_ALIKE: &str = "all pairs differ by the same amount: no interval";
/// None differs.
pub const NONE_DIFFERS: &str = "no pair differs: no interval";

// What a difference says.

/// It is smaller than the margin; also in the line of a comparison.
pub const SAME: &str = "no difference that matters";
/// It may be nothing; also in the line of a comparison.
pub const CANNOT_TELL: &str = "cannot tell yet";

/// A side has more, where it is not known which way is better.
pub fn has_more(letter: char) -> String {
    format!("{letter} has more")
}

/// A side has less, as above.
pub fn has_less(letter: char) -> String {
    format!("{letter} has less")
}

/// A side takes more of what is spent.
pub fn takes_more(letter: char) -> String {
    format!("{letter} takes more")
}

/// A side takes less of it.
pub fn takes_less(letter: char) -> String {
    format!("{letter} takes less")
}

/// A side is better.
pub fn is_better(letter: char) -> String {
    format!("{letter} is better")
}

/// A side is worse.
pub fn is_worse(letter: char) -> String {
    format!("{letter} is worse")
}

/// What a difference says until all candidates are asked at once.
pub fn undone(says: &str) -> String {
    format!("{says} before Holm's correction, not after it")
}

// The verdict.

/// Its title where it does not hold for all candidates at once.
pub fn undone_title(title: &str, n_sides: usize) -> String {
    format!("{title}, but not after Holm's correction over {n_sides} sides")
}

/// Why, with the p for all candidates at once.
pub fn why_corrected(why: &str, n_candidates: u64, p: &str) -> String {
    let sides = counted(n_candidates, "side", "sides");
    format!("{why} Corrected for {sides} compared with A: p = {p} (Holm).")
}

/// A candidate loses no more than the margin.
pub fn guard_held(letter: char, margin: &str) -> String {
    format!("Guard held: {letter} loses no more than {margin}.")
}

/// A candidate loses more.
pub fn guard_broken(letter: char, margin: &str) -> String {
    format!("Guard broken: {letter} loses more than {margin}.")
}

/// That is not known.
pub fn guard_undecided(letter: char, margin: &str) -> String {
    format!("Guard undecided: {letter} may lose more than {margin}.")
}

/// More is to come.
pub const PENDING: &str =
    "Other measures, and p adjusted for all of them, are still being computed.";

/// A measure besides the deciding one that says something.
pub fn finding(measure: &str, by: &str, says: &str) -> String {
    format!("{measure}: {by}, {says}.")
}

/// What becomes of the overall score.
pub fn own_score(by: &str, from: f64, to: f64) -> String {
    format!("The overall score by the rules in force changes by {by} (from {from:.3} to {to:.3}).")
}

/// The same with an interval.
pub fn own_score_interval(by: &str, from: f64, to: f64, interval: &str) -> String {
    format!(
        "The overall score by the rules in force changes by {by} (from {from:.3} to {to:.3}; 95 % {interval}, by the bootstrap over cases)."
    )
}

// The line about what changed since the evaluation before.

/// The later one is better.
pub const BETTER: &str = "better";
/// It is worse.
pub const WORSE: &str = "worse";

/// A difference with its interval.
pub fn with_interval(difference: &str, interval: &str) -> String {
    format!("{difference}, 95 % {interval}")
}

/// The whole line; `names` and `counts`: the evaluation before and the later one, pairs that regressed and were fixed.
pub fn line(names: [&str; 2], counts: [u64; 2], difference: &str, says: &str) -> String {
    let [one, two] = names;
    let [regressed, fixed] = counts.map(count);
    format!("{two} against {one}: {regressed} regressed, {fixed} fixed; {difference}: {says}")
}

// Every figure.

/// Heads of the table.
pub const FIGURE_COLUMNS: [&str; 16] = [
    "Measure",
    "Pairs",
    "A",
    "B",
    "Difference",
    "95 %",
    "interval method",
    "95 %, bootstrap",
    "Standard error",
    "clustered standard error",
    "p",
    "test",
    "p, Holm",
    "mid-p",
    "Detectable difference",
    "Pairs needed",
];

/// A standard error that allows for clusters.
pub fn clusters(error: &str, n: u64) -> String {
    format!("{error} ({} clusters)", count(n))
}

// What a setting that differs is about.

/// The model.
pub const ABOUT_MODEL: &str = "model";
/// What the model was told.
pub const ABOUT_PROMPT: &str = "prompt";
/// A number or a switch.
pub const ABOUT_PARAMETER: &str = "parameter";
/// The rules.
pub const ABOUT_GATE: &str = "what passes";
/// The version of a program.
pub const ABOUT_VERSION: &str = "version";
/// Anything else.
pub const ABOUT_OTHER: &str = "other";

/// Cases without what they are parted by.
pub fn no_part(by: &str) -> String {
    format!("no {by}")
}

// Sides in order.

/// What they are ordered by.
pub const BY_PASS_RATE: &str = "pass rate";
/// As above.
pub const BY_SCORE: &str = "score";
/// Heads of the table of every two.
pub const MATRIX_COLUMNS: [&str; 5] = ["Sides", "Difference", "95 %", "p", "p, Holm"];

/// What stands above them.
pub fn ranked(by: &str, n_cases: u64) -> String {
    format!("By {by} over {} that all sides have.", cases(n_cases))
}

/// The same with the better direction.
pub fn ranked_way(by: &str, n_cases: u64, direction: &str) -> String {
    format!("By {by} over {} that all sides have; {direction}.", cases(n_cases))
}

// A pair.

/// Head of its table.
pub const FACT: &str = "What";
/// What both are worth.
pub const VALUE: &str = "Value";
/// What decided both.
pub const DECIDED_BY: &str = "Decided by";
/// A check that is right.
pub const RIGHT: &str = "right";
/// One that is wrong.
pub const WRONG: &str = "wrong";
/// Title of what both gave, where it has no name.
pub const OUTPUT: &str = "Output";
/// Title of what both said last.
pub const LAST_ANSWER: &str = "Last answer";

// Steps of both.

/// How many there are: alike, changed, only in A, only in the candidate.
pub fn steps([alike, changed, left, right]: [u64; 4]) -> String {
    format!(
        "{} steps alike, {} changed, {} only in A, {} only in the candidate",
        count(alike),
        count(changed),
        count(left),
        count(right),
    )
}

/// The first that differs: A alone has it.
pub fn diverges_in_a(step: usize) -> String {
    diverges(step, "only A has it")
}

/// The first that differs: the candidate alone has it.
pub fn diverges_in_candidate(step: usize) -> String {
    diverges(step, "only the candidate has it")
}

/// The first that differs: both have it.
pub fn diverges_in_both(step: usize) -> String {
    diverges(step, "both have it, with different content")
}

fn diverges(step: usize, what: &str) -> String {
    format!("First divergence, step {step}: {what}.")
}

/// One that is folded away.
pub fn step_alike(step: usize) -> String {
    format!("Step {step} is alike")
}

/// Several of them.
pub fn steps_alike(first: usize, last: usize) -> String {
    format!("Steps {first} to {last} are alike")
}
