//! What is said of what has just happened: opening, removing, saving, reading again, the worker.

use crate::format::{bytes, count};
use std::fmt::Display;

// Opening.

/// A drop has no file.
pub const NO_FILE: &str = "Nothing that was dropped is a file.";
/// Somebody has stopped it.
pub const STOPPED: &str = "Stopped. Nothing was added.";
/// Files were read, and nothing is loaded.
pub const NO_RESULTS: &str = "No results could be read from these files.";
/// Files without results were opened beside others.
pub const NOTHING_NEW: &str =
    "No results in these files. Notes says how each of them was recognised.";

/// So many dropped things could not be read; `first` is what is said of the first.
pub fn unreadable(n: u64, first: &str) -> String {
    format!("The browser could not read {} dropped items: {first}", count(n))
}

/// Nothing was opened beside what is there.
pub fn not_opened(reason: &str) -> String {
    format!("Not opened: {reason}")
}

// Removing and renaming.

/// Something was removed.
pub fn removed(name: &str) -> String {
    format!("{name} was removed.")
}

/// Nothing is selected that could be renamed.
pub const NOTHING_TO_RENAME: &str = "Select an evaluation or a run to rename it.";

// Saving.

/// A file was saved.
pub fn downloaded(name: &str) -> String {
    format!("{name} is in your downloads.")
}

/// The same with its size.
pub fn downloaded_bytes(name: &str, n_bytes: u64) -> String {
    downloaded(&format!("{name} ({})", bytes(n_bytes)))
}

/// An export failed.
pub fn not_exported(reason: impl Display) -> String {
    format!("Not exported: {reason}")
}

/// A picture was not saved.
pub fn not_saved(reason: impl Display) -> String {
    format!("Not saved: {reason}")
}

/// Something was copied.
pub const COPIED: &str = "Copied.";

// Reading again.

/// A file of a watched drop has gone.
pub fn gone(path: &str) -> String {
    format!("{path} is not there any more")
}

/// A drop could not be read again.
pub fn not_reloaded(what: &str) -> String {
    format!("Not reloaded, the earlier results stay: {what}")
}

// The worker.

/// The worker stopped and begins anew.
pub fn restarted(reason: impl Display) -> String {
    format!("The worker stopped ({reason}). It was restarted and is reopening your results.")
}

/// The worker stopped for good.
pub fn died(reason: impl Display) -> String {
    format!("The worker stopped: {reason}. Reload the page to try again.")
}

/// After it has begun anew.
pub const RESTORED: &str = "Everything that was open is open again.";
