//! Words: what Cases, Columns, the page of a case and that of an agent say.

pub use crate::words::terms::{
    ATTEMPTS, CASE, COST, EXPECTED, GROUP, INPUT, KIND, MESSAGE, METRIC, MODEL, OUTCOME, REPEAT,
    RUN, SCORE, SUITE, TIME, TOKENS, VARIANT,
};

use crate::format::{count, counted};

// Columns of the table of cases.

/// The order of the files.
pub const FILE_ORDER: &str = "File order";
/// Checks that failed.
pub const FAILED_CHECKS: &str = "Failed checks";
/// Tags.
pub const TAGS: &str = "Tags";
/// How much a case differs from run to run.
pub const INSTABILITY: &str = "Instability";
/// What was answered.
pub const ANSWER: &str = "Answer";

// Cases side by side, and rows that are copied.

/// Column of an attempt.
pub fn attempt(nth: usize) -> String {
    format!("Attempt {nth}")
}
/// First columns of copied rows of cases side by side.
pub const HEAT_COLUMNS: [&str; 4] = [CASE, GROUP, INSTABILITY, "Mean score"];
/// Said when rows were copied.
pub fn copied(n: u64) -> String {
    format!("Copied {}.", counted(n, "row", "rows"))
}
/// Said when only the first rows were.
pub fn copied_first(n: u64, n_wanted: u64) -> String {
    format!("Copied the first {} of {}.", counted(n, "row", "rows"), count(n_wanted))
}
/// Said after that when columns of texts were left out.
pub fn without_texts(columns: &str, most: u64) -> String {
    format!("Without {columns}: texts are copied for up to {} rows.", count(most))
}

// The page of a case.

/// After the outcome of a case that has a score only.
pub const NO_PASS_RULE: &str = "no rule says which score passes";
/// Why there is no score: an error.
pub const NO_SCORE_OF_ERROR: &str = "the case ended in an error before it was scored";
/// Why there is no score: the files have none.
pub const NO_SCORE_GIVEN: &str = "the files give no score for this case";
/// Why there is no score: no check was verified.
pub const NOTHING_VERIFIED: &str = "nothing was verified, so the score (0 / 0) is undefined";
/// Why there is no score: no verified check weighs anything.
pub const NO_WEIGHT: &str = "everything verified has weight 0, so the score (0 / 0) is undefined";

// Ways from the overview to what the agent did.

/// To the end of a run that ended in an error.
pub const LAST_STEP: &str = "The agent’s last step and the error";
/// The same, of one of several runs.
pub fn last_step_of(run: &str) -> String {
    format!("{run}: the agent’s last step and the error")
}
/// To all of it.
pub const AGENT: &str = "What the agent did";

// Columns: the table.

/// A table of a file that holds several.
pub fn table_of(path: &str, table: &str) -> String {
    format!("{path}, table {table}")
}
/// How long the table is.
pub fn rows(n: u64) -> String {
    counted(n, "row", "rows")
}
/// How wide the table is.
pub fn columns(n: u64) -> String {
    counted(n, "column", "columns")
}

// Columns: what becomes of a column beside the others.

/// Several columns make the id, the group or the model.
pub fn joined(names: &str) -> String {
    format!("joined: {names}")
}
/// A score beside scores of models.
pub const SCORE_NOT_USED: &str = "not used, because other columns each hold one model's scores";
/// A second score.
pub fn second_score(first: &str) -> String {
    format!("{first} is the score; this column is read as a further metric")
}
/// A second verdict.
pub fn second_verdict(first: &str) -> String {
    format!("{first} is the verdict; this column is read as a further metric")
}
/// A second column of a role that one alone has.
pub fn role_taken(first: &str) -> String {
    format!("{first} already has this role; this column is shown as a fact")
}
/// A second text.
pub fn shown_with(first: &str) -> String {
    format!("shown together with {first}")
}
/// A second cost, or further tokens.
pub fn added_to(first: &str) -> String {
    format!("added to {first}")
}

// Columns: what there is to say of all of them.

/// No column is the id.
pub const NO_ID: &str = "No id column: cases are named by their row numbers.";
/// No column is a result.
pub const NO_RESULT: &str =
    "No column holds a score, verdict, metric or error, so no case has a result.";
/// A metric stands for the score.
pub fn metric_as_score(metric: &str) -> String {
    format!("No score column: the first metric, {metric}, is used as the score.")
}

// Columns: what follows from how the table is read.

/// How many cases in which runs.
pub fn cases_in_runs(n_cases: u64, n_runs: u64, runs: &str) -> String {
    format!("{} in {}: {runs}.", counted(n_cases, "case", "cases"), counted(n_runs, "run", "runs"))
}
/// How many have a score, and its mean. `direction` says that lower is better.
pub fn scores(n: u64, mean: &str, n_without: u64, direction: Option<&str>) -> String {
    let without = match n_without {
        0 => String::new(),
        n => format!("; {} none", cases_have(n)),
    };
    let direction = direction.map_or_else(String::new, |direction| format!("; {direction}"));
    format!("{} a score, mean {mean}{without}{direction}.", cases_have(n))
}
/// None has one.
pub const NO_SCORES: &str = "No case has a score.";
/// How many ended in an error, in the list of outcomes.
pub fn errors(n: u64) -> String {
    counted(n, "error", "errors")
}
/// How many groups, and which.
pub fn groups(n: u64, names: &str) -> String {
    format!("{}: {names}.", counted(n, "group", "groups"))
}
/// How many metrics, and which.
pub fn metrics(n: u64, names: &str) -> String {
    format!("{}: {names}.", counted(n, "metric", "metrics"))
}
/// How many have a duration, and its mean.
pub fn durations(n: u64, mean: &str) -> String {
    format!("{} a duration, mean {mean}.", cases_have(n))
}
/// What all of it cost.
pub fn cost_in_all(cost: &str) -> String {
    format!("Cost in all: {cost}.")
}
/// How many tokens all of it took.
pub fn tokens_in_all(tokens: &str) -> String {
    format!("Tokens in all: {tokens}.")
}
/// Names, and how many more there are.
pub fn and_more(names: &str, n_more: u64) -> String {
    format!("{names} and {} more", count(n_more))
}

fn cases_have(n: u64) -> String {
    if n == 1 { "1 case has".to_owned() } else { format!("{} cases have", count(n)) }
}
