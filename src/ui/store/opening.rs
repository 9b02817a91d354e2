//! Opening: from what was dropped, picked or fetched to what is loaded.

use super::Store;
use crate::browser::{self, Dragged, Picked, PickedFiles};
use crate::report::Progress;
use crate::ui::state::{self, OpenOutcome};
use crate::words::ui::status as words;
use crate::worker::protocol::{Answer, Failure, Task};
use leptos::prelude::*;
use leptos::task::spawn_local;

impl Store {
    /// Opens what was dropped or picked, besides what is open.
    pub fn open(self, picked: Picked) {
        let unreadable = state::unreadable(&picked.unreadable);
        let is_readable = unreadable.is_none();
        if let Some(said) = unreadable {
            self.say(said);
        }
        if picked.files.is_empty() && picked.pruned.is_empty() {
            if is_readable {
                self.say(words::NO_FILE);
            }
            return;
        }
        let Some(client) = self.client.get_value() else { return };
        let drop = self.add_drop(&picked);
        // Until now "Undo" could bring back what had been removed, even after a restart.
        if untrack(|| self.is_empty()) && self.n_opening.get_untracked() == 0 {
            browser::forget_opened();
        }
        let (files, pruned) = (picked.files.clone(), picked.pruned.clone());
        spawn_local(async move { browser::keep_opened(drop, files, pruned).await });
        self.failure.set(None);
        self.is_missing.set(false);
        self.progress.set(Progress::default());
        self.n_opening.update(|n| *n += 1);
        let request = Task::Open { drop, pruned: picked.pruned };
        client.change(request, picked.files, move |answer| self.opened(drop, answer));
    }

    /// Opens what was chosen in a file input.
    pub fn open_chosen(self, chosen: PickedFiles) {
        self.n_opening.update(|n| *n += 1);
        spawn_local(async move {
            let picked = chosen.picked().await;
            self.n_opening.update(|n| *n -= 1);
            self.open(picked);
        });
    }

    /// Opens what was dropped, once it has been walked.
    pub fn open_dragged(self, dragged: Dragged) {
        spawn_local(async move { self.open(browser::walk(dragged).await) });
    }

    fn opened(self, drop: u32, answer: Result<Answer, Failure>) {
        match answer {
            Ok(Answer::Workspace(tree)) => {
                let is_first = untrack(|| self.is_empty());
                let is_asked = (is_first && self.is_linked.get_untracked())
                    || self.route.with_untracked(|route| route.missing.is_some());
                let opened =
                    self.tree.with_untracked(|old| OpenOutcome::between(old, &tree, is_asked));
                self.replace_tree(tree);
                self.came_of(drop, &opened.new);
                if !opened.new.is_empty() {
                    self.is_linked.set(false);
                    self.keep_recent(drop);
                }
                self.show_opened(opened);
            }
            Ok(_) | Err(Failure::Cancelled) => self.say(words::STOPPED),
            Err(failure) => {
                let reason = failure.to_string();
                self.show_opened(self.tree.with_untracked(|old| OpenOutcome::failed(old, &reason)));
            }
        }
        self.n_opening.update(|n| *n = n.saturating_sub(1));
    }

    /// Says what an opening has come to, and turns to it.
    fn show_opened(self, opened: OpenOutcome) {
        if opened.failure.is_some() {
            self.failure.set(opened.failure);
        }
        if let Some(said) = opened.said {
            self.say(said);
        }
        if let Some(target) = opened.look_at {
            self.adjust(|route| {
                route.target = target;
                route.case = None;
            });
        }
    }

    /// Stops opening.
    pub fn cancel(self) {
        self.stop_fetching();
        if let Some(client) = self.client.get_value() {
            client.cancel();
        }
    }
}
