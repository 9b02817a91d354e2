//! What the host offers, and what could not be fetched.

/// Heading of a gallery without a title.
pub const GALLERY: &str = "Results on this host";
/// Heading over addresses that cannot be opened.
pub const REFUSED: &str = "These results cannot be opened";
/// Heading when somebody has stopped it.
pub const STOPPED: &str = "Fetching was stopped";
/// What fetching from another host tells that host.
pub const ELSEWHERE: &str =
    "The other host sees your IP address and the file you request, nothing else.";
/// Heading over a sealed report that cannot be unpacked.
pub const DAMAGED: &str = "This sealed report cannot be opened";
/// The same, as a sentence.
pub const DAMAGED_WHY: &str =
    "The results in this file cannot be unpacked: it is cut off or damaged. Ask for a new copy.";
/// Said when files are opened in a read-only report.
pub const READ_ONLY: &str = "This sealed report is read-only: it opens no further files.";
/// Said when a newer version of the page waits.
pub const NEW_VERSION: &str =
    "A new version of Evalglass is ready. After reloading, open your files again.";
/// Button that takes the newer version.
pub const RELOAD: &str = "Reload";
/// Name of the button that closes a notice.
pub const DISMISS: &str = "Dismiss";

/// Said of more refusals than are listed.
pub fn more(n_more: usize) -> String {
    format!("And {n_more} more.")
}

/// Said when copies are shown because the server does not answer; `date` is the oldest one's, as a machine reads it.
pub fn copy_of(date: &str) -> String {
    let date: String = date.chars().take(16).collect();
    format!(
        "The server does not answer. Showing the copy that this browser stored on {} UTC.",
        date.replacen('T', " ", 1)
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_copy_has_its_date() {
        let said = super::copy_of("2026-01-02T03:04:05.000Z");
        assert!(said.contains("stored on 2026-01-02 03:04 UTC"), "{said}");
    }
}
