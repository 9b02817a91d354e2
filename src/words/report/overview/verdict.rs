//! Words: the head of Overview, its verdict and scores, and the questions that its parts answer.

use crate::words::terms;
pub use crate::words::terms::{MEAN_ATTEMPTED, REWARD, REWARD_HINT, SCORE};

use crate::format::{count, counted};

// The banner.

/// Said of a verdict that holds for a part of the repeats, which `part` names.
pub fn passed_in_part(part: &str) -> String {
    format!("passed {part}")
}
/// Ends what is said of declared figures when `n` more differ for a known reason.
pub fn more_explained(n: u64) -> String {
    format!("; {} for a known reason", counted(n, "more differs", "more differ"))
}
/// Said when every declared figure differs for a known reason.
pub fn all_explained(n: u64) -> String {
    let figures = counted(n, "declared figure differs", "declared figures differ");
    format!("≠ {figures} from the computed, for a known reason")
}
/// Said when one declared figure agrees; `explained` ends it.
pub fn one_agrees(explained: &str) -> String {
    format!("= 1 declared figure agrees with the computed one{explained}")
}
/// Said when all declared figures agree.
pub fn all_agree(n: u64) -> String {
    format!("= All {} declared figures agree with the computed ones", count(n))
}
/// Said when `n` declared figures agree and the others have a known reason; `explained` ends it.
pub fn others_agree(n: u64, explained: &str) -> String {
    format!("= {} declared figures agree with the computed ones{explained}", count(n))
}
/// Said when one declared figure differs; `explained` ends it.
pub fn one_differs(explained: &str) -> String {
    format!("≠ 1 declared figure differs from the computed one{explained}")
}
/// Said when `n` declared figures differ; `explained` ends it.
pub fn some_differ(n: u64, explained: &str) -> String {
    format!("≠ {} declared figures differ from the computed ones{explained}", count(n))
}

// Title and how much there is.

/// Title of the page about all evaluations.
pub const EVERYTHING: &str = "Everything";
/// How many evaluations there are.
pub fn evaluations(n: u64) -> String {
    counted(n, "evaluation", "evaluations")
}
/// How many runs there are.
pub fn runs(n: u64) -> String {
    counted(n, "run", "runs")
}
/// How many cases there are.
pub fn cases(n: u64) -> String {
    counted(n, "case", "cases")
}
/// How many problems there are.
pub fn problems(n: u64) -> String {
    counted(n, "problem", "problems")
}
/// How many checkpoints there are.
pub fn checkpoints(n: u64) -> String {
    counted(n, "checkpoint", "checkpoints")
}
/// How many models there are.
pub fn models(n: u64) -> String {
    counted(n, "model", "models")
}
/// How many repeats there are.
pub fn repeats(n: u64) -> String {
    counted(n, "repeat", "repeats")
}

// Instead of a page that has nothing to show.

/// Said when there is no evaluation.
pub const NOTHING_LOADED: &str = "Nothing is loaded.";
/// Said of an evaluation without a run that describes what it would ask.
pub const SUITE_WITHOUT_RUNS: &str = "The files describe a suite but contain no runs of it.";
/// Said of an evaluation without a run.
pub const NO_RUN: &str = "The files hold no run.";
/// Said of a run that only has counts declared in a row.
pub const ONLY_COUNTS: &str =
    "The cases of this run are not among the files: its counts are the ones declared in its row.";
/// Said of a run without a case.
pub const NO_CASE_IN_RUN: &str = "This run holds no case.";

// Verdicts and scores.

/// Label of the evaluations that pass.
pub const EVALUATIONS_PASSED: &str = "Evaluations passed";
/// Of which evaluations these are a share.
pub const EVALUATIONS_PASSED_HINT: &str = "Of those with a verdict";
/// What the score of an evaluation with checkpoints is.
pub const SCORE_OF_CHECKPOINTS_HINT: &str =
    "Mean of the checkpoints' scores, each the weighted mean of its groups";
/// What the score of any other evaluation is.
pub const SCORE_OF_EVALUATION_HINT: &str =
    "Mean over attempted cases, and over repeats where there are several";
/// What the score of a checkpoint is.
pub const SCORE_OF_GROUPS_HINT: &str = "Weighted mean of the group scores";
/// Why a score or a mean is missing.
pub const NO_SCORED_CASE: &str = "no case has a score";
/// Label of the mean under the rules of the user.
pub const MEAN_BY_RULES: &str = "Mean by your rules";
/// What the mean under the rules of the user is.
pub const MEAN_BY_RULES_HINT: &str =
    "Errors, skipped and unscored cases counted as the rules in force say";
/// What the mean of the cases without error is.
pub const MEAN_ATTEMPTED_HINT: &str = "Mean score over attempted cases, with its 95 % t interval";
/// Label of the mean of all cases.
pub const MEAN_ALL: &str = terms::MEAN_TOTAL;
/// What the mean of all cases is.
pub const MEAN_ALL_HINT: &str = terms::MEAN_TOTAL_HINT;
/// The same where lower scores are better.
pub const MEAN_ALL_LOWER_HINT: &str = "Mean over all cases; a missing score counts as 0, which makes the mean look too good because lower is better";

// Questions.

/// The page's questions, in the order in which they are asked.
pub const QUESTIONS: [&str; 4] = [
    "Did it pass, and why?",
    "Where does it fail?",
    "Is it slow or costly?",
    "Can I trust these numbers?",
];
