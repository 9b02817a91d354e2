//! Words about the columns of tables.

use crate::words::terms;

/// What is said of evaluations whose columns are guessed, and the link to their page.
pub const GUESSED: [&str; 2] = ["Columns guessed.", "Check columns"];
/// The same of those that were chosen and not confirmed.
pub const DRAFT: [&str; 2] = ["Columns chosen, but not confirmed.", "Check columns"];
/// The same of those that were chosen.
pub const CHOSEN: [&str; 2] = ["Columns as you chose them.", "Change"];
/// The link beside columns that a mapping file says.
pub const CHANGE: &str = "Change";

/// Label of the role of a column.
pub const ROLE: &str = "Read as";
/// Label of the unit of a duration.
pub const UNIT: &str = "Unit";
/// Label of the better way of a column's scores.
pub const WAY: &str = "Better";
/// Heading of what follows.
pub const FOLLOWS: &str = "What follows";
/// While tables are read.
pub const READING: &str = "Reading …";
/// The columns.
pub const COLUMNS: &str = "Columns and first rows";
/// A table without rows.
pub const NO_ROWS: &str = "The first rows are not here: the table itself is not open.";
/// Why nothing can be chosen.
pub const NOT_OPEN: &str = "This is a saved report. To change how the columns are read, open the table that it was made from.";
/// Said of a cell without text.
pub const EMPTY: &str = "–";
/// A column whose name is empty.
pub const NAMELESS: &str = "(no name)";

/// The button that confirms.
pub const USE: &str = "Use these columns";
/// The button that forgets the choice.
pub const GUESS: &str = "Guess again";
/// The button that saves a mapping file.
pub const SAVE: &str = "Save as file";
/// The button that copies a link.
pub const LINK: &str = "Copy link with columns";
/// What the buttons do, in short.
pub const TOOLS: &str = "Use and keep";
/// Name of the cells of a column.
pub const CELLS: &str = "First cells";
/// Name of the links to other tables.
pub const OTHERS: &str = "Other tables";
/// What the buttons are for.
pub const HINT: &str = "Your choice is stored in this browser (column names and roles, no data) and applies to all files with the same columns. To use it elsewhere, put the saved mapping file beside the data or pass it with report --mapping. A copied link contains the choice.";

/// Said when the choice is confirmed.
pub const CONFIRMED: &str = "From now on, files with these columns are read this way.";
/// The same where the browser keeps nothing.
pub const CONFIRMED_NOT_KEPT: &str = "Applied for this visit only, because this browser stores nothing. Save a file or copy the link to use the choice again.";
/// Said when the choice is forgotten.
pub const FORGOTTEN: &str = "Your choice for these columns is forgotten.";
/// Said when a link was copied.
pub const LINK_COPIED: &str = "Copied. The link needs a file with the same columns.";

/// Heading of tables that are offered.
pub const OFFERED: &str = "Tables without a result";
/// What they are.
pub const OFFERED_LEAD: &str =
    "In these tables no column looks like a result. Say which one is, and they are read as cases.";
/// The button that opens one.
pub const OFFER: &str = "Choose columns";

/// What is said of several tables whose columns nobody has confirmed.
pub fn several(n: usize) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("Columns of {n} table{plural} guessed.")
}

/// Why a choice came to nothing.
pub fn not_read(reason: &str) -> String {
    format!("These columns could not be applied: {reason}.")
}

/// What is said of the columns of an evaluation that the mapping file `path` describes.
pub fn as_in_file(path: &str) -> String {
    format!("Columns as in {path}.")
}

/// What the page says first of columns that are guessed.
pub const LEAD_GUESSED: &str = "How each column is read was guessed from its name and its cells. Check it, change what is wrong, and confirm it.";
/// The same of those that were chosen and not confirmed.
pub const LEAD_DRAFT: &str =
    "Your choice applies for now. Confirm it to always read files with these columns this way.";
/// The same of those that were chosen.
pub const LEAD_CHOSEN: &str = "These columns are read as you chose.";

/// The same of those that the mapping file `path` describes.
pub fn lead_file(path: &str) -> String {
    format!("These columns are read as {path} says.")
}

/// The heading of the page: its name, and the evaluation's.
pub fn title(page: &str, evaluation: &str) -> String {
    format!("{page}: {evaluation}")
}

/// That other open tables are read alike.
pub fn alike(names: &[String]) -> String {
    format!(
        "These open tables have the same columns and are read the same way: {}.",
        names.join(", ")
    )
}

// Roles, as they are called in a menu.

/// Only shown with the case.
pub const ROLE_FACT: &str = "fact, only shown";
/// Tells cases apart.
pub const ROLE_ID: &str = "id of the case";
/// What cases belong to.
pub const ROLE_GROUP: &str = "group";
/// The model that was asked.
pub const ROLE_MODEL: &str = "model (a run each)";
/// The number of the repeat.
pub const ROLE_REPEAT: &str = "repeat (a run each)";
/// The score that counts.
pub const ROLE_SCORE: &str = "score";
/// Whether the case passed.
pub const ROLE_PASSED: &str = "passed or not";
/// A score beside the one that counts.
pub const ROLE_METRIC: &str = "further metric";
/// Scores of one model of several.
pub const ROLE_MODEL_SCORE: &str = "one model’s scores";
/// What was asked.
pub const ROLE_INPUT: &str = "input";
/// What was to come.
pub const ROLE_EXPECTED: &str = "expected answer";
/// What came.
pub const ROLE_OUTPUT: &str = "given answer";
/// What went wrong.
pub const ROLE_ERROR: &str = "error";
/// How long it took.
pub const ROLE_DURATION: &str = "duration";
/// What it cost.
pub const ROLE_COST: &str = "cost in US dollars";
/// What it took of the model.
pub const ROLE_TOKENS: &str = "tokens";

/// What a column is read as whose scores are better when lower, where that cannot be changed.
pub fn read_as_lower(role: &str) -> String {
    format!("{role}, {LOWER}")
}

/// Units of a duration in a menu: seconds, milliseconds, minutes.
pub const UNITS: [&str; 3] = ["seconds", "milliseconds", "minutes"];
/// In a menu: the better scores are the higher ones.
pub const HIGHER: &str = "higher is better";
/// In a menu: the better scores are the lower ones.
pub const LOWER: &str = terms::LOWER_IS_BETTER;

/// Label of the better way of the column `name`.
pub fn way_of(name: &str) -> String {
    format!("{WAY}, column {}", shown(name))
}

/// Label of the role of the column `name`, for those who hear it alone.
pub fn role_of(name: &str) -> String {
    format!("{ROLE}, column {}", shown(name))
}

/// Label of the unit of the column `name`.
pub fn unit_of(name: &str) -> String {
    format!("{UNIT}, column {}", shown(name))
}

/// The name of a column.
pub fn shown(name: &str) -> String {
    if name.trim().is_empty() { NAMELESS.to_owned() } else { name.to_owned() }
}

/// Why a column has its role.
pub fn why(why: &str) -> String {
    if why.is_empty() { "Chosen.".to_owned() } else { format!("Guessed: {why}.") }
}

/// Name of the button that opens the table `path`.
pub fn offer(path: &str) -> String {
    format!("{OFFER} of {path}")
}
