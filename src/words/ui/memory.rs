//! What is kept on this device: recent files, and the list of everything in the settings.

use crate::format;

/// Heading of the list of recent files.
pub const RECENT: &str = "Recent";
/// What the list is for, while it is empty.
pub const RECENT_HINT: &str = "What you drop or pick here is listed for your next visit, with its verdict. The files are not copied.";
/// Button that picks files which can be listed.
pub const PICK_FILES: &str = "Pick files";
/// Button that picks a folder which can be listed.
pub const PICK_FOLDER: &str = "Pick a folder";
/// Button that empties the list.
pub const FORGET_ALL: &str = "Forget all";
/// Button that opens an entry.
pub const OPEN: &str = "Open";
/// Button that removes an entry, or something that is kept.
pub const REMOVE: &str = "Remove";
/// Heading of what is kept.
pub const ON_DEVICE: &str = "On this device";
/// The switch.
pub const SWITCH: &str = "Remember recent files and settings on this device";
/// Names of what is kept: recent files, settings, copies, the page.
pub const KEPT: [&str; 4] = ["Recent files", "Settings", "Fetched files", "The page itself"];
/// Nothing of it is kept.
pub const NONE: &str = "none";
/// The page is kept.
pub const PAGE_KEPT: &str = "kept, for visits without a network";
/// The page is not kept.
pub const PAGE_NOT_KEPT: &str = "not kept";
/// Why nothing is kept: the browser.
pub const FORBIDDEN: &str = "This browser gives the page no storage (as in some private windows, or for pages from disk), so nothing is kept.";
/// Why nothing is kept: the switch.
pub const OFF: &str = "Only this choice is kept.";
/// What is kept.
pub const ON: &str = "Of your own files only a reference, the verdict and the score are kept, nothing else that is in them.";

/// Names of settings, in words.
const SETTINGS: [(&str, &str); 9] = [
    ("theme", "colours"),
    ("look", "numbers and density"),
    ("case-columns", "columns of the cases"),
    ("columns", "what columns of tables are"),
    ("sql-history", "SQL queries"),
    ("case-widths", "widths of the columns"),
    ("case-facets", "whether facets are shown"),
    ("case-preview", "whether a case is shown beside the table"),
    ("readers", "number of readers"),
];

/// Settings in words.
pub fn settings(names: &[String]) -> String {
    let words = |name: &String| {
        let known = SETTINGS.iter().find(|(known, _)| known == name);
        known.map_or(name.clone(), |(_, words)| (*words).to_owned())
    };
    match names {
        [] => NONE.to_owned(),
        _ => names.iter().map(words).collect::<Vec<_>>().join(", "),
    }
}

/// Entries of the list of recent files, in words.
pub fn references(n_entries: usize) -> String {
    match n_entries {
        0 => NONE.to_owned(),
        n => format::counted(n as u64, "reference", "references"),
    }
}

/// Copies in words, with their size.
pub fn copies(n_copies: usize, n_bytes: u64) -> String {
    match n_copies {
        0 => NONE.to_owned(),
        n => format!("{}, {}", format::counted(n as u64, "copy", "copies"), format::bytes(n_bytes)),
    }
}

/// Title of an entry whose first thing is called `name`, of `n_handles` things.
pub fn title(name: &str, n_handles: usize) -> String {
    match n_handles {
        0 | 1 => name.to_owned(),
        n => format!("{name} and {} more", n - 1),
    }
}

/// What kind of thing an entry is.
pub fn kind(is_folder: bool, n_handles: usize) -> &'static str {
    match (n_handles, is_folder) {
        (0 | 1, true) => "Folder",
        (0 | 1, false) => "File",
        _ => "Several",
    }
}

/// Why an entry was not opened.
pub fn not_opened(why: &str) -> String {
    format!("{why} It stays in the list.")
}

/// How several evaluations came out that were opened together.
pub fn passed_of(n_passed: u64, n_judged: u64) -> String {
    let judged = format::counted(n_judged, "evaluation", "evaluations");
    format!("{} of {judged} passed", format::count(n_passed))
}

/// Name of the button that removes what is kept of this `kind`.
pub fn remove_kept(kind: &str) -> String {
    format!("{REMOVE} {}", kind.to_lowercase())
}

/// Name of the button that opens an entry.
pub fn open_again(title: &str) -> String {
    format!("Open {title} again")
}

/// Name of the button that removes an entry.
pub fn remove_from_list(title: &str) -> String {
    format!("Remove {title} from the list")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_counted() {
        assert_eq!((references(0).as_str(), references(1).as_str()), (NONE, "1 reference"));
        assert_eq!(copies(0, 0), NONE);
        assert!(copies(2, 1_500_000).starts_with("2 copies, 1.5"), "{}", copies(2, 1_500_000));
        let names = ["look", "theme", "other"].map(str::to_owned);
        assert_eq!(settings(&names), "numbers and density, colours, other");
        assert_eq!(settings(&[]), NONE);
    }

    #[test]
    fn entries_are_called_by_their_first_thing() {
        assert_eq!((title("a", 1), title("a", 3)), ("a".to_owned(), "a and 2 more".to_owned()));
        assert_eq!([kind(true, 1), kind(false, 1), kind(true, 2)], ["Folder", "File", "Several"]);
    }
}
