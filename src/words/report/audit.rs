//! Words: what the audit and the notes say.

pub use crate::words::terms::{
    COMPARISON, DIFFERENCE, EVALUATION, FIGURE, KIND, MESSAGE, NO_RESULTS, REASON,
};

use crate::format::count;
use std::fmt::Display;

// The page about the audit.

/// Title of the page.
pub const TITLE: &str = "Audit";
/// What the page is about.
pub const LEAD: &str = "Totals declared in the files, compared with totals computed from their cases. Every declared figure is compared, or listed below with the reason why it cannot be.";
/// The switch that leaves out what agrees.
pub const ONLY_DIFFERENCES: &str = "Only differences";
/// Column: what the file says.
pub const DECLARED: &str = "Declared";
/// Hint of that column.
pub const DECLARED_HINT: &str = "As stated in the file";
/// Column: what the cases give.
pub const COMPUTED: &str = "Computed";
/// Hint of that column.
pub const COMPUTED_HINT: &str = "As computed from the cases";
/// Hint of that column.
pub const DIFFERENCE_HINT: &str = "Computed − declared";
/// Column: what a figure is about.
pub const ABOUT: &str = "Run or evaluation";
/// Column: the file, here and in the notes.
pub const FILE: &str = "File";
/// Stands in place of the rows where the files declare nothing.
pub const NOTHING_DECLARED: &str = "The files declare no figures, so there is nothing to compare.";
/// Stands in place of the rows where everything agrees and only differences are shown.
pub const NO_DIFFERENCES: &str =
    "No differences. Turn off “Only differences” to see the figures that agree.";
/// Said of a figure that agrees.
pub const AGREES: &str = "= same";
/// Said of a difference that a known cause explains.
pub const EXPECTED: &str = "≠ expected";
/// Said of a difference as rounding makes it.
pub const MINOR: &str = "≈ rounding";
/// Said of any other difference.
pub const MAJOR: &str = "≠ differs";
/// A compared value that is true.
pub const YES: &str = "yes";
/// A compared value that is false.
pub const NO: &str = "no";
/// Tooltip of a compared value that is not there.
pub const MISSING: &str = "not stated or not a number";

// How many agree: the caption of the table.

/// Said where nothing can be compared.
pub const NONE_COMPARED: &str = "The files declare no figures that can be compared.";
/// Said where there is one figure, and it agrees.
pub const ONE_AGREES: &str = "The one figure agrees.";
/// Said where all agree.
pub fn all_agree(n: u64) -> String {
    format!("All {} figures agree.", count(n))
}
/// Said where some differ; `n_known` of them for a known reason.
pub fn some_differ(n: u64, n_all: u64, n_known: u64) -> String {
    let known = match n_known {
        0 => String::new(),
        n => format!(", {} of them for a known reason", count(n)),
    };
    format!("{} of {} figures differ{known}.", count(n), count(n_all))
}
/// Said after that, of rows for which the page has no room.
pub fn exported_only(n: u64) -> String {
    format!("{} are in the exported report only.", count(n))
}

// What a figure is about.

/// One of several runs of an evaluation.
pub fn run(repeat: u32) -> String {
    format!("run {repeat}")
}
/// A subject in one of several runs.
pub fn subject_in_run(subject: &str, repeat: u32) -> String {
    format!("{subject} · run {repeat}")
}
/// A subject over all runs.
pub fn subject_in_all(subject: &str) -> String {
    format!("{subject} · all runs")
}

// The table of what is not checked.

/// Caption of the table.
pub const UNCHECKED: &str = "Not checked";
/// Column: names of the figures.
pub const FIGURES: &str = "Figures";
/// Column: how many there are, here and in the notes.
pub const COUNT: &str = "Count";
/// Hint of that column.
pub const COUNT_HINT: &str =
    "Counts every occurrence: list items, lines and files of the same name";
/// Stands in place of the rows where there are none.
pub const ALL_COMPARED: &str = "Every declared figure was compared.";
/// Names of figures, and how many more there are.
pub fn names_and_more(names: &str, n_more: u64) -> String {
    format!("{names}, and {} more", count(n_more))
}

// Why a figure cannot be compared.

/// The lines that a summary is made of are missing.
pub const NO_SUMMARY_LINES: &str =
    "the files contain neither checkpoint_results.jsonl nor the checkpoints";
/// There are none of a run.
pub fn no_results_of_run(repeat: u32) -> String {
    format!("no results of run {repeat} are among the files")
}
/// There are none of a subject in a run.
pub fn no_results_of_subject(subject: &str, repeat: u32) -> String {
    format!("no results of {subject} in run {repeat} are among the files")
}
/// There are none of a subject or a suite.
pub fn no_results_of(name: &str) -> String {
    format!("no results of {name} are among the files")
}
/// The file with the gate is missing.
pub const NO_GATE: &str = "the gate is not known: the configuration file is missing";
/// The gate cannot be read.
pub fn gate_not_understood(why: &str) -> String {
    format!("the gate is not understood: {why}")
}
/// The gate cannot be decided.
pub fn gate_not_evaluated(why: &impl Display) -> String {
    format!("the gate cannot be evaluated here: {why}")
}
/// The file with the reward's rule is missing.
pub const NO_REWARD_RULE: &str =
    "the reward's rule is not known: the configuration file is missing";
/// No file says the groups of the cases that a figure is of.
pub const NO_KINDS: &str = "no file here says which of its cases count, nor of which kind they are";
/// A metric has no score anywhere.
pub fn no_score_for(metric: &str) -> String {
    format!("no row in the files has a score for {metric:?}")
}
/// A pass policy of this name is not known.
pub fn unknown_policy(name: &str) -> String {
    format!("the pass policy {name:?} is not known")
}

// Why a figure differs: causes that explain it by themselves.

/// Rounding, or another order.
pub const SUMMED: &str = "summed in another order, or rounded";
/// Both values are infinite or no numbers.
pub const NOT_FINITE: &str = "neither is a finite number, so there is nothing to compare";
/// The writer rounded it.
pub fn rounded_to(decimals: usize) -> String {
    let plural = if decimals == 1 { "" } else { "s" };
    format!("the writer rounded it to {decimals} decimal{plural}")
}
/// A duration of 0.
pub const PLACEHOLDER: &str = "0 is the placeholder until the evaluation ends";
/// A duration that is longer than that of the groups.
pub fn wall_clock(secs: f64) -> String {
    format!("includes {secs:.3} s before, between and after the groups (wall-clock time)")
}
/// A duration that is shorter than that of the groups.
pub const PARALLEL_GROUPS: &str =
    "less than the sum of its groups: groups may have run in parallel";
/// A fraction where percents are usual.
pub const AS_FRACTION: &str = "written as a fraction; the producer's releases write percents here";
/// Percents where a fraction is usual.
pub const AS_PERCENT: &str = "written in percent; the producer's releases write a fraction here";
/// The other standard deviation.
pub const POPULATION_DEVIATION: &str =
    "the population standard deviation (divided by n); the producer's releases divide by n − 1";
/// Errors are among the failed.
pub const ERRORS_AS_FAILED: &str = "cases with an error are counted as failed";
/// Errors are among the attempted.
pub const ERRORS_TOO: &str = "cases with an error are counted too";
/// Attempts are counted in place of cases.
pub const EVERY_ATTEMPT: &str = "every attempt is counted, retries too";
/// Scores of 1 are counted in place of passed cases.
pub const FULL_SCORES: &str = "cases with score 1 are counted, as the guide does; a case whose wrong attributes have weight 0 has score 1 but does not pass";
/// The mean is over all cases.
pub const OF_ALL: &str = "the mean over all cases, those without a score as 0";
/// The mean is over attempted cases.
pub const OF_ATTEMPTED: &str = "the mean over attempted cases only";
/// The mean stands for the pass rate.
pub const MEAN_AS_RATE: &str = "the mean score, not the pass rate";
/// The mean is that of another metric than the one that is taken for the primary one.
pub fn of_other_metric(name: &str) -> String {
    format!(
        "the mean of the metric {name}: which metric counts depends on the configuration and on the order of the metrics in the files"
    )
}
/// The gate's value stands for the mean.
pub const OF_GATE: &str = "the gate's own value, which is not the mean";

// Why a figure differs: what is among the files, and what is not.

/// So many recorded cases have no row.
pub fn without_row(n: usize) -> String {
    let cases = plainly(n, "recorded case");
    format!("{cases} without a row: the file may be an excerpt, or the rows are stored elsewhere")
}
/// Some of the runs that a figure is of are not here.
pub fn includes_absent(part: &str) -> String {
    format!("it includes {part}, of which no results are among the files")
}
/// Name of the file with the lines that summaries are made of.
pub const LINES_FILE: &str = "checkpoint_results.jsonl";
/// Lines of figures were made here.
pub const DERIVED_ROWS: &str = "it follows from checkpoint_results.jsonl, which is not among the files: it was computed from the checkpoints instead";
/// A likely cause that a note names.
pub fn likely(cause: &str) -> String {
    format!("likely: {cause}")
}
/// More rows are here than the file declares.
pub fn more_than_declared(stated: f64, held: f64) -> String {
    format!(
        "the file declares {stated}, {held} are here: the totals may be older than the rows, \
         or of another run"
    )
}
/// Fewer cases are here than the kinds of a file declare.
pub fn fewer_of_kinds(passed: f64, stated: f64, held: f64) -> String {
    let cases = if held == 1.0 { "case" } else { "cases" };
    format!(
        "the file declares {passed} of {stated} passed, its groups hold {held} {cases}: \
         it may be an excerpt, or the other rows are stored elsewhere"
    )
}
/// Fewer cases are here than the file declares.
pub fn fewer_cases(stated: f64, held: f64) -> String {
    format!(
        "the file declares {stated} cases, {held} {}: it may be an excerpt, or the other rows are stored elsewhere",
        are_here(held)
    )
}
/// Fewer runs are here than the file declares.
pub fn fewer_runs(stated: f64, held: f64) -> String {
    format!(
        "the file declares {stated} runs, {held} {}: the others were not opened, or are \
         kept elsewhere",
        are_here(held)
    )
}
/// Fewer checkpoints are here than the file declares.
pub fn fewer_checkpoints(stated: f64, held: f64) -> String {
    format!(
        "the file declares {stated} checkpoints, {held} {}: the other lines were not \
         opened, or are kept elsewhere",
        are_here(held)
    )
}
/// The figure of a part, which the next two name.
pub fn figure_of(field: &str, whole: &str) -> String {
    format!("{field} of {whole}")
}
/// A part differs for a known reason.
pub fn from_known_part(part: &str) -> String {
    format!("it is computed from {part}, which differs for a known reason")
}
/// A part differs.
pub fn from_differing_part(part: &str) -> String {
    format!("likely: it is computed from {part}, which also differs")
}
/// The file has a field that is not known.
pub fn newer_writer(field: &str) -> String {
    format!(
        "likely: a newer version of the producer wrote it and counts differently: \
         {field:?} is not known"
    )
}
/// An id stands more than once.
pub fn repeated_id(id: &str) -> String {
    format!(
        "the id {id:?} occurs more than once: a line may be duplicated, or the rows of several \
         runs may be in one file"
    )
}
/// A recorded case has no row.
pub const NO_ROW: &str =
    "no row for this case: the file may be an excerpt, or the row is stored elsewhere";
/// A row has no recorded case.
pub const NO_RECORD: &str =
    "this case has a row but no recorded result: the record may be older than the row";
/// A list of ids lacks one.
pub fn not_in_list(id: &str) -> String {
    format!("{id:?} is not in the list, though its row has an error")
}
/// A list of ids has one too many.
pub fn only_in_list(id: &str) -> String {
    format!("{id:?} is in the list, though no such row has an error")
}

// Why a figure differs: no known cause.

/// Said before one of the following.
pub fn unexplained(edited: &str) -> String {
    format!("no known cause explains it: {edited}")
}
/// A value that stands elsewhere too.
pub fn value_edited(elsewhere: &str) -> String {
    format!(
        "this value, or the one it is compared with ({elsewhere}), may have been edited after writing"
    )
}
/// The recorded result of a case.
pub const RESULT_EDITED: &str =
    "the recorded result, or the data it is computed from, may have been edited after writing";
/// A figure that stands against all others of its file.
pub fn others_agree(n: usize) -> String {
    let others = plainly(n, "other figure");
    let agree = if n == 1 { "agrees" } else { "agree" };
    format!("{others} of the same file {agree}; this one may have been edited after writing")
}
/// Any other figure.
pub const ROWS_EDITED: &str = "the rows or the figure may have been edited after writing";

fn are_here(n: f64) -> &'static str {
    if n == 1.0 { "is here" } else { "are here" }
}

fn plainly(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

// The page of notes.

/// Title of the page.
pub const NOTES: &str = "Notes";
/// What the page is about.
pub const NOTES_LEAD: &str =
    "What could not be read, what was assumed, and how each file was recognised.";
/// Caption of the table of notes.
pub const WARNINGS: &str = "Warnings";
/// Column: where in the file.
pub const LOCATION: &str = "Location";
/// Column: every note of the row.
pub const ALL_OF_THEM: &str = "All of them";
/// Stands in place of the rows where there are no notes.
pub const NO_WARNINGS: &str = "No warnings: everything in the files was used.";
/// The first file of several notes.
pub fn file_and_more(file: &str, n_more: u64) -> String {
    format!("{file} and {} more", count(n_more))
}
/// Caption of the table of files.
pub const FILES: &str = "Files";
/// Column: what a file was taken for.
pub const RECOGNISED_AS: &str = "Recognised as";
/// Column: what it was recognised by.
pub const RECOGNISED_BY: &str = "Recognised by";
/// Column: bytes.
pub const SIZE: &str = "Size";
/// Hint of that column.
pub const SIZE_HINT: &str = "After unpacking";
/// Stands in place of the rows where there are no files.
pub const NO_FILES: &str = "No files were recognised.";
