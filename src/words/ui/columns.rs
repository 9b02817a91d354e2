//! Words about the columns of tables.

use crate::report::{ColumnRole, ColumnsState, LOWER_IS_BETTER, Role, TimeUnit};

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

/// What is said of the columns of an evaluation, and the link to their page.
pub fn state(state: &ColumnsState) -> [String; 2] {
    match state {
        ColumnsState::Guessed => GUESSED.map(str::to_owned),
        ColumnsState::Draft => DRAFT.map(str::to_owned),
        ColumnsState::Chosen => CHOSEN.map(str::to_owned),
        ColumnsState::File(path) => [format!("Columns as in {path}."), CHANGE.to_owned()],
    }
}

/// What the page says first: how sure it is.
pub fn lead(state: &ColumnsState) -> String {
    match state {
        ColumnsState::Guessed => "How each column is read was guessed from its name and its cells. Check it, change what is wrong, and confirm it.".to_owned(),
        ColumnsState::Draft => "Your choice applies for now. Confirm it to always read files with these columns this way.".to_owned(),
        ColumnsState::Chosen => "These columns are read as you chose.".to_owned(),
        ColumnsState::File(path) => format!("These columns are read as {path} says."),
    }
}

/// That other open tables are read alike.
pub fn alike(names: &[String]) -> String {
    format!(
        "These open tables have the same columns and are read the same way: {}.",
        names.join(", ")
    )
}

/// What a role is called in a menu.
pub fn role(role: Role) -> &'static str {
    match role {
        Role::Fact => "fact, only shown",
        Role::Id => "id of the case",
        Role::Group => "group",
        Role::Model => "model (a run each)",
        Role::Repeat => "repeat (a run each)",
        Role::Score => "score",
        Role::Passed => "passed or not",
        Role::Metric => "further metric",
        Role::ModelScore => "one model’s scores",
        Role::Input => "input",
        Role::Expected => "expected answer",
        Role::Output => "given answer",
        Role::Error => "error",
        Role::Duration => "duration",
        Role::Cost => "cost in US dollars",
        Role::Tokens => "tokens",
    }
}

/// What a column is read as, where that cannot be changed.
pub fn read_as(column: &ColumnRole) -> String {
    let name = role(column.role);
    if column.less_is_better { format!("{name}, {LOWER_IS_BETTER}") } else { name.to_owned() }
}

/// What a unit is called in a menu.
pub fn unit(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Seconds => "seconds",
        TimeUnit::Milliseconds => "milliseconds",
        TimeUnit::Minutes => "minutes",
    }
}

/// What it is called in a menu whether less of a column's scores is better.
pub fn way(less_is_better: bool) -> &'static str {
    if less_is_better { LOWER_IS_BETTER } else { "higher is better" }
}

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
