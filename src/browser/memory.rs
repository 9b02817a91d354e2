//! What this browser keeps of the page for the next visit, and how it forgets it: settings in `localStorage` (`storage`),
//! handles of what was opened in IndexedDB (`recent`), copies of fetched results in a cache (`copies`). With the
//! switch off nothing is kept but the switch. `docs/privacy.md` says the same.

use super::copies::{forget_results, held, keeps_page};
use super::recent::{forget_recent, gives_handles, recent_entries};
use super::storage::{SWITCH, forget, remembered, set_raw, settings, storage};

/// Whether anything may be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryState {
    /// It may.
    On,
    /// The reader wants nothing kept.
    Off,
    /// The browser forbids it.
    Forbidden,
}

/// All that is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    /// Whether anything may be kept.
    pub state: MemoryState,
    /// Entries of the list of recent files; `None` where the browser gives out nothing to be kept there.
    pub n_recent: Option<usize>,
    /// Names of settings.
    pub settings: Vec<String>,
    /// Copies of fetched files.
    pub n_copies: usize,
    /// Their bytes.
    pub copied_bytes: u64,
    /// Whether the page itself is kept.
    pub has_page: bool,
}

/// Whether anything may be kept.
pub fn memory_state() -> MemoryState {
    match storage() {
        None => MemoryState::Forbidden,
        Some(_) if remembered(SWITCH).as_deref() == Some("off") => MemoryState::Off,
        Some(_) => MemoryState::On,
    }
}

/// Looks up all that is kept.
pub async fn memory() -> Memory {
    let n_recent = if gives_handles() { Some(recent_entries().await.len()) } else { None };
    let (n_copies, copied_bytes) = held().await;
    let has_page = keeps_page().await;
    Memory {
        state: memory_state(),
        n_recent,
        settings: settings(),
        n_copies,
        copied_bytes: copied_bytes as u64,
        has_page,
    }
}

/// Forgets every setting; those in force stay so until the page is left.
pub fn forget_settings() {
    for name in settings() {
        forget(&name);
    }
}

/// Turns the switch. Off: what is kept is forgotten at once.
pub async fn set_memory(is_on: bool) {
    if is_on {
        return forget(SWITCH);
    }
    set_raw(SWITCH, "off");
    forget_settings();
    forget_recent(None).await;
    forget_results().await;
}
