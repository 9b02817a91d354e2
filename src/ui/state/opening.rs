//! Opening: from what was dropped, picked or fetched to what is loaded.

use super::Store;
use crate::browser::{self, Chosen, Dragged, Fetching, Picked};
use crate::format;
use crate::report::{EvaluationNode, Progress, Target, Tree};
use crate::worker::protocol::{Answer, Failure, Task};
use leptos::prelude::*;
use leptos::task::spawn_local;

impl Store {
    /// Opens what was dropped or picked, besides what is open.
    pub fn open(self, picked: Picked) {
        if let Some(first) = picked.unreadable.first() {
            let n_more = format::count(picked.unreadable.len() as u64);
            self.say(format!(
                "The browser gave out no content of {n_more} dropped things: {first}"
            ));
        }
        if picked.files.is_empty() && picked.pruned.is_empty() {
            if picked.unreadable.is_empty() {
                self.say("There was no file in what was dropped.");
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
    pub fn open_chosen(self, chosen: Chosen) {
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

    /// Opens the sample results.
    pub fn open_samples(self) {
        match browser::fetch_samples() {
            Some(fetching) => {
                self.open_fetched(fetching, |store, err| store.say(format!("{err}.")))
            }
            None => self.say("This copy of the page came without sample results."),
        }
    }

    /// Opens what the address names with `?src=`.
    pub(super) fn open_sources(self) {
        if let Some(fetching) = browser::fetch_sources(move |progress| self.progress.set(progress))
        {
            // Why it failed is said by the scripts of the page, which know it to the last address.
            self.open_fetched(fetching, |store, _err| store.is_missing.set(true));
        }
    }

    fn open_fetched(self, fetching: Fetching, on_error: fn(Self, browser::Error)) {
        self.n_opening.update(|n| *n += 1);
        spawn_local(async move {
            let fetched = fetching.picked().await;
            self.n_opening.update(|n| *n -= 1);
            match fetched {
                Ok(picked) if picked.files.is_empty() => {}
                Ok(picked) => self.open(picked),
                Err(err) => on_error(self, err),
            }
        });
    }

    /// Evaluations of `tree` that are not there yet.
    pub(super) fn new_in(self, tree: &Tree) -> Vec<u32> {
        let known = self.tree.with_untracked(|old| ids(&old.evaluations));
        ids(&tree.evaluations).into_iter().filter(|id| !known.contains(id)).collect()
    }

    fn opened(self, drop: u32, answer: Result<Answer, Failure>) {
        match answer {
            Ok(Answer::Workspace(tree)) => {
                let new = self.new_in(&tree);
                if tree.evaluations.is_empty() {
                    self.failure.set(Some(
                        "None of the files holds results that Evalglass reads.".to_owned(),
                    ));
                } else if new.is_empty() {
                    self.say(
                        "No results in these files. Notes says how each of them was recognised.",
                    );
                }
                let is_first = self.tree.with_untracked(|old| old.evaluations.is_empty());
                let is_asked = (is_first && self.is_linked.get_untracked())
                    || self.route.with_untracked(|route| route.missing.is_some());
                self.replace_tree(tree);
                self.came_of(drop, &new);
                if !new.is_empty() {
                    self.keep_recent(drop);
                }
                self.look_at(&new, is_asked);
            }
            Ok(_) | Err(Failure::Cancelled) => self.say("Stopped. Nothing was added."),
            Err(failure) if self.tree.with_untracked(|tree| tree.evaluations.is_empty()) => {
                self.failure.set(Some(failure.to_string()));
            }
            Err(failure) => self.say(format!("Not opened: {failure}")),
        }
        self.n_opening.update(|n| *n = n.saturating_sub(1));
    }

    /// Turns to what has been opened, unless an address asked for the view.
    fn look_at(self, new: &[u32], is_asked: bool) {
        if new.is_empty() {
            return;
        }
        self.is_linked.set(false);
        if is_asked {
            return;
        }
        let target = match new {
            [only] => Target::Evaluation(*only),
            _ => Target::All,
        };
        self.adjust(|route| {
            route.target = target;
            route.case = None;
        });
    }

    /// Stops opening.
    pub fn cancel(self) {
        browser::stop_fetching();
        if let Some(client) = self.client.get_value() {
            client.cancel();
        }
    }
}

fn ids(evaluations: &[EvaluationNode]) -> Vec<u32> {
    evaluations.iter().map(|node| node.id).collect()
}
