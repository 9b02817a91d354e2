//! Words of the frame: bar, workspace, status.

use crate::words::terms;

use crate::format::{bytes, counted};

/// The name of the page.
pub const NAME: &str = "Evalglass";
/// Finds pages, runs, cases and actions.
pub const SEARCH: &str = "Search or jump";
/// The same where there is no room for it, with its key.
pub const SEARCH_HINT: &str = "Search or jump (Ctrl K)";
/// The keys that open the search.
pub const SEARCH_KEYS: &str = "Ctrl K";
/// Opens the settings.
pub const SETTINGS: &str = "Settings";
/// The same with its key.
pub const SETTINGS_HINT: &str = "Settings (,)";
/// Shows the keys.
pub const KEYS: &str = "Keyboard shortcuts";
/// The same with its key.
pub const KEYS_HINT: &str = "Keyboard shortcuts (?)";
/// Colours follow the system.
pub const THEME_SYSTEM: &str = "Colours: system";
/// Light colours.
pub const THEME_LIGHT: &str = "Colours: light";
/// Dark colours.
pub const THEME_DARK: &str = "Colours: dark";
/// The links to the pages.
pub const PAGES: &str = "Pages";
/// What is loaded, as a tree.
pub const WORKSPACE: &str = "Workspace";
/// All that is loaded.
pub const EVERYTHING: &str = "Everything";
/// Opens the ways to open something.
pub const OPEN: &str = "Open";
/// Opens files.
pub const OPEN_FILES: &str = "Open files";
/// Opens a folder.
pub const OPEN_FOLDER: &str = "Open folder";
/// Takes the selected evaluation out.
pub const REMOVE: &str = "Remove evaluation";
/// Takes everything out.
pub const REMOVE_ALL: &str = "Remove all";
/// Gives another name.
pub const RENAME: &str = "Rename";
/// Copies the address of what is shown.
pub const COPY_LINK: &str = "Copy link";
/// What the page promises.
pub const PROMISE: &str = "Nothing leaves this page";
/// What is said before the first file is read.
pub const READING: &str = "Reading files …";
/// Head of what stands in the place of a page whose cases are many and still in their dataset.
pub const UNREAD: &str = "These cases have not been read";
/// What can be done instead of reading them.
pub const UNREAD_FEWER: &str = "To load less, select one evaluation or run in the tree.";
/// What is said before anything was opened.
pub const NOTHING_YET: &str = "Nothing is loaded yet";
/// What is said when all that was opened failed.
pub const NOTHING_LOADED: &str = "Nothing could be loaded";

// Around every page.

/// Leads past the bar.
pub const SKIP: &str = "Skip to the content";
/// Closes a dialog.
pub const CLOSE: &str = "Close";
/// Closes a dialog, or ends what goes on.
pub const CANCEL: &str = "Cancel";
/// Leads back from how a score was made.
pub const BACK: &str = "← Back";
/// Why something is not shown: page and worker do not match.
pub const OTHER_ANSWER: &str = "The worker gave another answer.";

/// Title of the document on the page `page`.
pub fn title(page: &str) -> String {
    format!("{page} – {NAME}")
}

/// The same while the evaluation `name` is selected.
pub fn title_of(page: &str, name: &str) -> String {
    format!("{page}: {name} – {NAME}")
}

// In the place of what is not here yet, or cannot be shown.

/// While something comes; `what` is one of the names below.
pub fn reading(what: &str) -> String {
    format!("Reading {what} …")
}

/// Figures come.
pub const THE_FIGURES: &str = "the figures";
/// A case comes.
pub const THE_CASE: &str = "the case";
/// What an agent did comes.
pub const THE_AGENT: &str = "what the agent did";
/// Columns of a table come.
pub const THE_COLUMNS: &str = "the columns";
/// The rules come.
pub const THE_RULES: &str = "the rules";
/// A comparison comes.
pub const THE_COMPARISON: &str = "the comparison";
/// A pair of cases comes.
pub const THE_PAIR: &str = "the pair";
/// What the search has found comes.
pub const THE_LIST: &str = "the list";
/// Head of what stands in the place of something that failed.
pub const FAILED: &str = "This could not be shown.";
/// What can be done then.
pub const FAILED_HINT: &str = "Everything else still works. Opening the files again may help.";

// How far opening has come.

/// Name of the bar.
pub const PROGRESS: &str = "Reading files, in bytes";
/// Before it is known how much there is.
pub const LOOKING: &str = "Looking at the files …";

/// So many bytes are read of a number that is not known.
pub fn bytes_read(n_done: u64) -> String {
    format!("{} read", bytes(n_done))
}

/// So many bytes are read of `n_total`.
pub fn bytes_of(n_done: u64, n_total: u64) -> String {
    format!("{} of {}", bytes(n_done), bytes(n_total))
}

// The foot of the page.

/// What is loaded.
pub fn loaded(n_evaluations: u64, n_runs: u64, n_cases: u64) -> String {
    format!(
        "{}, {}, {} loaded",
        evaluations(n_evaluations),
        runs(n_runs),
        counted(n_cases, "case", "cases"),
    )
}

/// The same while more comes.
pub fn loading_more(n_evaluations: u64, n_runs: u64, n_cases: u64) -> String {
    format!("{}, reading more …", loaded(n_evaluations, n_runs, n_cases))
}

// The tree of the workspace.

/// Name of the tree.
pub const TREE: &str = "Evaluations and runs";
/// Said of a verdict about a part of what was planned.
pub const SO_FAR: &str = "so far";

/// Beside an evaluation whose score only a file states.
pub fn score_declared(score: &str) -> String {
    format!("{score} declared")
}

/// The same where there is no score.
pub fn declared_only(score: &str) -> String {
    format!("{score} declared only")
}

/// Below the line of everything.
pub fn evaluations(n: u64) -> String {
    counted(n, "evaluation", "evaluations")
}

/// Runs of an evaluation.
pub fn runs(n: u64) -> String {
    counted(n, "run", "runs")
}

/// Below an evaluation: what wrote it.
pub fn producer(name: &str, generation: &str) -> String {
    format!("{name} {generation}")
}

/// The same of one with several runs.
pub fn producer_runs(name: &str, generation: &str, n_runs: u64) -> String {
    format!("{name} {generation} · {}", runs(n_runs))
}

/// Tooltip of a run whose cases are not judged.
pub fn cases_unjudged(n_cases: u64) -> String {
    format!("{n_cases} cases; no rule says which pass")
}

/// Tooltip of a run.
pub fn cases_passed(n_passed: u64, n_cases: u64) -> String {
    format!("{n_passed} of {n_cases} cases passed")
}

// When the selected evaluation was read, and how it is read again.

/// When it was read.
pub fn read_at(time: &str) -> String {
    format!("read {time}")
}

/// Reads it again by itself.
pub const WATCH: &str = "Watch";
/// What that does.
pub const WATCH_HINT: &str = "Read the files again when they change";
/// Has its files picked again.
pub const RELOAD: &str = "Reload";
/// What that does.
pub const RELOAD_HINT: &str = "Pick the same files again to read what has changed";

// The menu of exports.

/// Opens it.
pub const EXPORT: &str = "Export";
/// Saves a sealed report.
pub const SEALED: &str = "Save as HTML …";
/// Exports a part.
pub const ONLY_VIEW: &str = "Only what is selected and filtered";

/// Exports cases that are selected in the table.
pub fn only_cases(n: u64) -> String {
    format!("Only the {}", counted(n, "selected case", "selected cases"))
}

/// Exports rows that are selected in the heat map.
pub fn only_rows(n: u64) -> String {
    format!("Only the {}", counted(n, "selected row", "selected rows"))
}

// The search for pages, runs, cases and actions.

/// Name of the dialog.
pub const PALETTE: &str = "Command palette";
/// Stands in its field when it is empty.
pub const PALETTE_EXAMPLE: &str = "Go to a page, run or case, or do something";
/// Name of its field.
pub const PALETTE_FIELD: &str = "Find a page, run, case or action";
/// Name of the list of what was found.
pub const PALETTE_FOUND: &str = "Found";
/// Nothing was found.
pub const PALETTE_NOTHING: &str = "Nothing found with this name.";

// A link that leads to something that is not open.

/// Name of what is said of it.
pub const LOST: &str = "Link";
/// Leads past it where something is open.
pub const LOST_PAST: &str = "Go to the overview instead";
/// Leads past it on the start page.
pub const LOST_FORGET: &str = "Forget the link";

// Giving another name.

/// The field.
pub const RENAME_FIELD: &str = terms::NAME;
/// What a name changes.
pub const RENAME_HINT: &str = "In this page and its exports. The files stay as they are.";

/// Shown while something is dragged over the page.
pub const DROP: &str = "Drop to open";
/// Brings back what was removed last.
pub const UNDO: &str = "Undo";
/// What a field offers while one types.
pub const COMPLETIONS: &str = "Completions";

// Cases that are still in their dataset.

/// How much there is to read.
pub fn unread_cases(n_runs: u64, n_bytes: u64) -> String {
    format!("The cases of {} are still in the dataset: about {}.", runs(n_runs), bytes(n_bytes))
}

/// The button that reads it.
pub fn read_cases(n_bytes: u64) -> String {
    format!("Read {}", bytes(n_bytes))
}
