//! Words: how far the numbers of a page can be relied on.

use crate::format::{count, counted};

// The table.

/// Heading of the table.
pub const QUALITY: &str = "Data quality";
/// Columns of the table.
pub const QUALITY_COLUMNS: [&str; 3] = ["Question", "Answer", "What it means"];
/// The answer when all is well.
pub const YES: &str = "yes";
/// The answer when nothing was repeated.
pub const NO: &str = "no";

// Declared totals, in the table.

/// Asks whether declared and computed totals agree.
pub const DECLARED: &str = "Do the declared totals match the cases?";
/// The answer when the files hold no case.
pub const ONLY_TOTALS: &str = "only totals are among the files";
/// What this means when no total can be compared.
pub const NOTHING_TO_CHECK: &str = "Every number here is what a file declares; the cases behind it are not among the files, so nothing can be checked.";
/// What this means when the totals agree with the recorded lines.
pub fn lines_match(n: u64) -> String {
    format!(
        "{} match the recorded lines; the cases behind those lines are not among the files.",
        counted(n, "declared total", "declared totals")
    )
}
/// What this means when some totals differ from the recorded lines.
pub fn lines_differ(n_differing: u64, n_all: u64) -> String {
    format!(
        "{} of {} do not match the recorded lines (the audit lists them); the cases behind those lines are not among the files.",
        count(n_differing),
        counted(n_all, "declared total", "declared totals")
    )
}
/// The answer when nothing is declared.
pub const NO_TOTALS: &str = "the files declare no totals";
/// What this means.
pub const NO_TOTALS_MEANING: &str =
    "Every number here is computed from the cases; the files declare nothing to compare it with.";
/// The answer when all figures agree.
pub fn all_figures(n: u64) -> String {
    format!("all {} figures", count(n))
}
/// What this means.
pub const ALL_FIGURES_MEANING: &str =
    "All declared figures were recomputed from the cases and agree.";
/// The answer when some figures differ, all for a known reason.
pub fn explained_of(n_explained: u64, n_all: u64) -> String {
    format!("{} of {} differ for a known reason", count(n_explained), count(n_all))
}
/// What this means.
pub const EXPLAINED_MEANING: &str = "The audit names the reason of each; all others agree.";
/// The answer when some figures differ.
pub fn differing_of(n_differing: u64, n_all: u64) -> String {
    format!("{} of {} differ", count(n_differing), count(n_all))
}
/// What this means.
pub const DIFFERING_MEANING: &str =
    "The audit lists each difference beside what is known about it.";

// What was not read, in the table.

/// Asks whether anything was lost.
pub const ALL_READ: &str = "Was everything read?";
/// What it means that nothing was lost.
pub const NOTHING_LOST: &str = "No file, line or record was lost.";
/// The same of one evaluation, while something was lost in files that belong to none.
pub fn lost_beside_meaning(n: u64) -> String {
    let items = counted(n, "item", "items");
    let was = if n == 1 { "was" } else { "were" };
    format!(
        "Nothing of its own files was lost, but {items} in files that belong to no evaluation {was} not read. Notes lists each with the reason."
    )
}
/// The answer when something was lost.
pub fn items_lost(n: u64) -> String {
    counted(n, "item not read", "items not read")
}
/// What this means.
pub const ITEMS_LOST_MEANING: &str =
    "What was not read is not counted. Notes lists each item with file, place and reason.";

/// The same where files in the folder of the evaluation or run could not be read.
pub const FOLDER_LOST_MEANING: &str = "What was not read is not counted. Some of it is in files of its folder whose contents could not be recognised: they may be a part of it. Notes lists each item with file, place and reason.";

// The number of cases, in the table.

/// Asks whether small differences can be told.
pub const ENOUGH_CASES: &str = "Are there enough cases?";
/// The answer, however many there are.
pub fn case_number(n: u64) -> String {
    format!("{} cases", count(n))
}
/// What the number of cases means for the interval of a pass rate, half of which is `half` points.
pub fn widest_interval(half: f64) -> String {
    format!(
        "With this many cases, the 95 % interval of a pass rate is at most ± {half:.1} points (Wilson); smaller differences may be chance."
    )
}

// Cases without a result, in the table.

/// Asks whether any case is in no score.
pub const ALL_JUDGED: &str = "Was every case judged?";
/// The answer when the files hold no case.
pub const NO_CASE_IN_FILES: &str = "no case is among the files";
/// A part of the answer: cases with an error.
pub fn errors(n: u64) -> String {
    counted(n, "error", "errors")
}
/// A part of the answer: skipped cases.
pub fn skipped(n: u64) -> String {
    format!("{} skipped", count(n))
}
/// A part of the answer: cases without a score.
pub fn without_score(n: u64) -> String {
    format!("{} without a score", count(n))
}
/// What it means that all cases were judged.
pub const ALL_JUDGED_MEANING: &str = "No case ended in an error, was skipped or has no score.";
/// What it means that some were not.
pub const NOT_JUDGED_MEANING: &str =
    "Policies & gates shows the results with these cases counted as 0 or left out.";

// Repeats, in the table.

/// Asks whether chance was measured.
pub const REPEATED: &str = "Was it repeated?";
/// The answer when a file declares how often.
pub fn times_declared(n: u64) -> String {
    format!("{} times, as declared", count(n))
}
/// What this means.
pub const TIMES_DECLARED_MEANING: &str = "Statistics shows the spread over runs, as declared.";
/// The answer when no file says how often.
pub const TIMES_UNKNOWN: &str = "the files do not say";
/// The answer when there are repeats.
pub fn times(n: u64) -> String {
    format!("{} times", count(n))
}
/// What this means.
pub const TIMES_MEANING: &str =
    "Statistics shows the spread over repeats, and which cases do not always agree.";
/// What this means when the repeats are folders.
pub fn folders_repeat(n: u64) -> String {
    format!(
        "{} folders hold the same part of the same suite for the same subject: Statistics treats them as repeats.",
        count(n)
    )
}
/// The answer when cases were attempted several times.
pub fn attempts(n: u64) -> String {
    format!("up to {} attempts a case", count(n))
}
/// What this means.
pub const ATTEMPTS_MEANING: &str = "Statistics shows how consistent the attempts are.";
/// What it means that nothing was repeated.
pub const ONE_RUN_MEANING: &str = "Only one run, so the variation between runs is unknown. Confidence intervals cover only the sampling of cases.";

// Marks below the headline numbers.

/// Mark of files that declare nothing.
pub const MARK_NO_TOTALS: &str = "The files declare no totals";
/// Mark of the only declared figure, which agrees.
pub const MARK_ONE_AGREES: &str = "The declared figure agrees";
/// Mark of declared figures that all agree.
pub fn mark_all_agree(n: u64) -> String {
    format!("All {} agree", counted(n, "declared figure", "declared figures"))
}
/// Mark of declared figures of which some differ, all for a known reason.
pub fn mark_explained(n: u64, n_all: u64) -> String {
    let figures = counted(n_all, "declared figure", "declared figures");
    format!("{} of {figures} differ, for a known reason", count(n))
}
/// Mark of declared figures of which some differ.
pub fn mark_differing(n: u64, n_all: u64) -> String {
    let figures = counted(n_all, "declared figure", "declared figures");
    format!("{} of {figures} differ", count(n))
}
/// Mark of files that were all read.
pub const MARK_ALL_READ: &str = "Every file was read";
/// Mark of an evaluation whose files were all read, while something was lost in files that belong to none.
pub fn mark_lost_beside(n: u64) -> String {
    let was = if n == 1 { "was" } else { "were" };
    format!("Its own files were all read, {} of others {was} not", counted(n, "item", "items"))
}
/// Mark of an evaluation or run in whose folder something was not read: in its own files or in others.
pub fn mark_lost_in_folder(n: u64) -> String {
    format!("{} in its folder", counted(n, "item not read", "items not read"))
}
/// Mark of files of which something was lost.
pub fn mark_lost(n: u64) -> String {
    format!("{} in the files", counted(n, "item not read", "items not read"))
}
/// Mark of cases that were all judged.
pub fn mark_all_judged(n: u64) -> String {
    format!("{} judged", counted(n, "case", "cases"))
}
/// Mark of cases of which some were not judged.
pub fn mark_judged(n: u64, n_all: u64) -> String {
    format!("{} of {} cases judged", count(n), count(n_all))
}
/// Mark of runs whose cases are not here, only how many there were, as a file declares.
pub fn mark_counted(n_counted: u64, n_all: u64) -> String {
    format!("{} of {} cases known by declared counts alone", count(n_counted), count(n_all))
}
/// Mark of repeats.
pub fn mark_repeated(n: u64) -> String {
    format!("Repeated {} times", count(n))
}
/// Mark of cases that were attempted several times.
pub fn mark_attempts(n: u64) -> String {
    format!("Up to {} attempts a case", count(n))
}
/// Mark of what was not repeated.
pub const MARK_NOT_REPEATED: &str = "Not repeated: variation unknown";
