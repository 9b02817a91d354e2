//! What this device keeps for the next visit: the list of recent files, and all of it in the settings.

use super::Store;
use crate::browser::{self, Dragged, Handles, KeptVerdict, Memory, RecentOpening};
use crate::report::Outcome;
use crate::words::ui::memory as words;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// An entry of the list of recent files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentItem {
    /// Its title.
    pub title: String,
    /// What kind of thing it is.
    pub kind: &'static str,
    /// How it came out then, where that is known.
    pub outcome: Option<Outcome>,
    /// What else is said of that: its score.
    pub verdict: String,
    /// When it was opened: in words, and as a machine reads it.
    pub opened: (String, String),
    /// Why it was not opened; empty when nothing is wrong.
    pub why: String,
}

/// What is shown of what is kept. Copies are the same.
#[derive(Clone, Copy)]
pub struct StorageState {
    /// The list of recent files; `None` where nothing is listed.
    pub recent: RwSignal<Option<Vec<RecentItem>>>,
    /// All that is kept, once somebody has asked.
    pub memory: RwSignal<Option<Memory>>,
    handles: StoredValue<Vec<Handles>, LocalStorage>,
    n_asked: StoredValue<u64>,
}

impl Default for StorageState {
    fn default() -> Self {
        Self {
            recent: RwSignal::new(None),
            memory: RwSignal::new(None),
            handles: StoredValue::new_local(Vec::new()),
            n_asked: StoredValue::new(0),
        }
    }
}

impl Store {
    /// Looks up what can be opened again.
    pub fn show_recent(self) {
        spawn_local(self.recent_shown());
    }

    async fn recent_shown(self) {
        let kept = self.kept;
        let number = kept.n_asked.get_value() + 1;
        kept.n_asked.set_value(number);
        let entries = browser::recent_entries().await;
        if kept.n_asked.get_value() != number {
            return;
        }
        let is_on = browser::gives_handles() && browser::memory_state() == browser::MemoryState::On;
        let items = entries.iter().map(item).collect();
        kept.handles.set_value(entries.into_iter().map(|entry| entry.handles).collect());
        kept.recent.set(is_on.then_some(items));
    }

    /// Keeps what was opened by `handles` and how it came out, as the newest.
    pub(super) fn list_recent(
        self,
        handles: &Handles,
        (outcome, words): (Option<Outcome>, String),
    ) {
        let outcome = outcome.map(|outcome| outcome.as_str().to_owned()).unwrap_or_default();
        let verdict = KeptVerdict { outcome, words };
        browser::keep_recent(handles, verdict, move || self.show_recent());
    }

    /// Opens entry `at` again. Must be called by a click: the browser may ask its reader.
    pub fn open_recent(self, at: usize) {
        let Some(handles) = self.handles_of(at) else { return };
        self.say_why(at, String::new());
        spawn_local(async move {
            match browser::refusal(&handles).await {
                Some(why) => self.say_why(at, words::not_opened(&why)),
                None => self.open_dragged(Dragged::again(handles)),
            }
        });
    }

    /// Removes entry `at` from the list, or all of it; `then` is called when the list is shown without.
    pub fn forget_recent(self, at: Option<usize>, then: impl FnOnce() + 'static) {
        let gone = at.map(|at| self.handles_of(at));
        // An entry that is not there any more is not all of them.
        if matches!(gone, Some(None)) {
            return;
        }
        spawn_local(async move {
            browser::forget_recent(gone.flatten().as_ref()).await;
            self.recent_shown().await;
            browser::frame(then);
        });
    }

    /// Has somebody pick what can be opened again. Must be called by a click.
    pub fn pick(self, is_folder: bool) {
        spawn_local(async move {
            let handles = browser::pick(is_folder).await;
            if !handles.is_empty() {
                self.open_dragged(Dragged::again(handles));
            }
        });
    }

    /// Looks up all that is kept.
    pub fn show_memory(self) {
        spawn_local(self.memory_shown());
    }

    async fn memory_shown(self) {
        let memory = browser::memory().await;
        self.kept.memory.set(Some(memory));
    }

    /// Forgets something by `forget`, and shows what is left; then calls `then`.
    pub fn forget_kept(
        self,
        forget: impl Future<Output = ()> + 'static,
        then: impl FnOnce() + 'static,
    ) {
        spawn_local(async move {
            forget.await;
            self.recent_shown().await;
            self.memory_shown().await;
            browser::frame(then);
        });
    }

    fn handles_of(self, at: usize) -> Option<Handles> {
        self.kept.handles.with_value(|all| all.get(at).cloned())
    }

    fn say_why(self, at: usize, why: String) {
        self.kept.recent.update(|items| {
            if let Some(item) = items.as_mut().and_then(|items| items.get_mut(at)) {
                item.why = why;
            }
        });
    }
}

fn item(entry: &RecentOpening) -> RecentItem {
    let n_handles = entry.handles.len();
    RecentItem {
        title: words::title(&entry.name, n_handles),
        kind: words::kind(entry.is_folder, n_handles),
        outcome: Outcome::ALL.iter().copied().find(|known| known.as_str() == entry.verdict.outcome),
        verdict: entry.verdict.words.clone(),
        opened: browser::moment(entry.opened),
        why: String::new(),
    }
}
