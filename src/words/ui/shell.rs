//! Words of the frame: bar, workspace, status.

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
