//! Words: what Statistics says of repeated runs and of cases tried several times.

pub use crate::words::terms::{CASES, MEAN_ATTEMPTED, MEAN_TOTAL, REPEATS, REWARD};

use crate::format::{count, counted};

// Repeats: every figure over the runs of a group.

/// What the columns of the section are.
pub fn lead(n_resamples: u64, seed: u64) -> String {
    format!(
        "Each run gives one value. Std: sample standard deviation (n − 1). Normal interval: mean ± 1.96·s/√n, as in the letta-evals guide; too narrow for few runs. Student's t corrects for few runs. Bootstrap interval ({} resamples, seed {seed}): assumes no normal distribution, too narrow for few runs.",
        count(n_resamples)
    )
}
/// Said before that of a group whose runs lie in several folders; `why` is one of the two below.
pub fn joined(group: &str, n_folders: u64, folders: &str, why: &str) -> String {
    format!("{group}: {}: {folders}, {why}.", counted(n_folders, "folder", "folders"))
}
/// Folders of a group, where not all are named.
pub fn and_more_folders(folders: &str, n_more: usize) -> String {
    format!("{folders} and {n_more} more")
}
/// Why runs of several folders count as repeats: files name the same subject.
pub const SAME_SUBJECT: &str = "counted as repeats of the same subject";
/// Why they do where no file names one.
pub const SUBJECT_NOT_NAMED: &str =
    "counted as repeats of the same subject, since no file names who was evaluated";
/// Said of further groups whose runs lie in several folders.
pub fn more_joined(n: u64) -> String {
    format!("{} more in the same way.", count(n))
}
/// Chart: the score of each run.
pub const SCORES: &str = "Score of every repeat";
/// Chart: the pass rate of each run.
pub const PASS_RATES: &str = "Pass rate of every repeat";

// Names of the figures of a run.

/// The share of cases that pass.
pub const PASS_RATE: &str = "Pass rate of cases";
/// The mean of a metric.
pub fn metric(name: &str) -> String {
    format!("Metric {name}")
}
/// The agent's time, as a plain number.
pub const AGENT_SECONDS: &str = "Agent time, s";
/// The tests' time, as a plain number.
pub const TEST_SECONDS: &str = "Test time, s";
/// The mean duration of a case, as a plain number.
pub const MEAN_SECONDS: &str = "Mean seconds";

// The table of figures.

/// Caption of the table.
pub const SPREAD: &str = "Spread over runs";
/// Hint of the column of runs.
pub const RUNS_HINT: &str = "Runs with this figure";
/// Hint of the column of runs that pass.
pub const RUNS_PASSED_HINT: &str = "Runs that pass by the rule in force";
/// Column: the interval as letta-evals makes it.
pub const NORMAL_INTERVAL: &str = "95 % normal";
/// Hint of that column.
pub const NORMAL_INTERVAL_HINT: &str = "Mean ± 1.96·s/√n, as in the letta-evals guide";
/// Column: Student's interval.
pub const T_INTERVAL: &str = "95 % t";
/// Column: the interval by resampling.
pub const BOOTSTRAP_INTERVAL: &str = "95 % bootstrap";
/// Hint of that column.
pub const BOOTSTRAP_INTERVAL_HINT: &str = "Percentile bootstrap interval of the mean";
/// Why a figure of runs is not there.
pub const TOO_FEW_RUNS: &str = "too few runs";
/// Why no run is counted as passed.
pub const NO_RULE: &str = "no rule gives a verdict";

// Chances to pass in k trials.

/// What the section computes, with the methods of its intervals.
pub fn chances_lead(methods: &str) -> String {
    format!(
        "For a case with n trials and c passes: pass@k = 1 − C(n−c, k) / C(n, k), pass^k = C(c, k) / C(n, k); averaged over cases. Errors count as not passed. Intervals: {methods}."
    )
}
/// Method of an interval: resampling.
pub fn bootstrap_over_cases(n_resamples: u64, seed: u64) -> String {
    let n_resamples = count(n_resamples);
    format!("percentile bootstrap over cases, {n_resamples} resamples, seed {seed}")
}
/// Method of an interval: Student's.
pub const T_OVER_CASES: &str = "Student's t over cases";
/// Caption of the table.
pub const CHANCES_TABLE: &str = "pass@k and pass^k";
/// Column: how many trials are drawn.
pub const K: &str = "k";
/// Hint of that column.
pub const K_HINT: &str = "Number of trials drawn";
/// Title of the section; column: chance that one of them passes.
pub const ANY: &str = "pass@k";
/// Hint of that column.
pub const ANY_HINT: &str = "At least one of k trials passes; unbiased estimate";
/// Column: chance that all of them pass.
pub const ALL: &str = "pass^k";
/// Hint of that column.
pub const ALL_HINT: &str = "All of k trials pass; unbiased estimate";
/// Hint of a column of intervals.
pub const INTERVAL_HINT: &str = "Over cases";
/// Hint of that column.
pub const CASES_HINT: &str = "Cases with at least k trials";

// How steady cases are.

/// Title of the section.
pub const STEADINESS: &str = "Consistency by case";
/// What the section is about.
pub const STEADINESS_LEAD: &str =
    "How often repeated trials of the same case agree. Variances: one-way random-effects analysis.";
/// Caption of the table of groups.
pub const STEADINESS_TABLE: &str = "Consistency";
/// Column: how many trials.
pub const TRIALS: &str = "Trials";
/// Hint of that column.
pub const TRIALS_HINT: &str = "Skipped trials left out";
/// Column: cases of which each trial passes.
pub const ALWAYS: &str = "Always pass";
/// Column: cases of which some trials pass.
pub const SOMETIMES: &str = "Sometimes";
/// Column: cases of which no trial passes.
pub const NEVER: &str = "Never";
/// Hint of these three columns.
pub const OF_REPEATED: &str = "Of cases with two or more trials";
/// Column: cases whose trials answer the same.
pub const SAME_ANSWER: &str = "Same answer";
/// Hint of that column.
pub const SAME_ANSWER_HINT: &str = "Cases with byte-identical answers in all trials";
/// Column: share of the most common answer.
pub const AGREEMENT: &str = "Agreement";
/// Hint of that column, of several cases.
pub const MEAN_AGREEMENT_HINT: &str = "Mean share of the most common answer";
/// Column: deviation from case to case.
pub const STD_BETWEEN: &str = "Std between";
/// Hint of that column.
pub const STD_BETWEEN_HINT: &str = "Square root of the variance between cases";
/// Column: deviation from trial to trial.
pub const STD_WITHIN: &str = "Std within";
/// Hint of that column.
pub const STD_WITHIN_HINT: &str = "Square root of the variance within a case";
/// Column: the intraclass correlation.
pub const ICC: &str = "ICC";
/// Hint of that column.
pub const ICC_HINT: &str = "Share of the variance that lies between cases";
/// Why cases are not sorted by how often they pass.
pub const NO_VERDICTS: &str = "no case has two trials with a verdict";
/// Why a figure of scores is not there.
pub const TOO_FEW_SCORES: &str = "too few scores";
/// Why answers are not compared.
pub const NO_ANSWERS: &str = "no answers recorded";
/// Said below the table where an estimate is negative.
pub const NEGATIVE_VARIANCE: &str = "A negative estimate of the variance between cases is shown as 0; it arises when trials vary more than cases do.";

// The least steady cases.

/// Caption of the table.
pub const CASE_TABLE: &str = "Least consistent cases";
/// Hint of the column of trials that pass.
pub const TRIALS_PASSED_HINT: &str = "Trials that pass, of all";
/// Hint of the column of errors.
pub const TRIAL_ERRORS_HINT: &str = "Trials that could not be judged";
/// Column: the mean score.
pub const MEAN_SCORE: &str = "Mean score";
/// Hint of the column of agreement, of one case.
pub const AGREEMENT_HINT: &str = "Share of the most common answer";
/// Why the answers of a case are not compared.
pub const NO_TWO_ANSWERS: &str = "no two answers";
/// Said below the table where it is cut.
pub fn first_cases(n_shown: usize, n: u64) -> String {
    format!("The first {n_shown} of {}.", count(n))
}
