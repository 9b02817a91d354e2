//! Drops whose files are read again: by themselves when they have changed, or picked anew.

use super::Store;
use crate::browser::{self, Handles, Picked, PickedFile, PickedFiles};
use crate::ui::state::{self, ComparedFiles, DropOrigin, FileStamp, Freshness};
use crate::worker::protocol::{Answer, Task};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// How often watched files are looked at, in milliseconds.
const EVERY_MS: u32 = 2_000;

impl Store {
    /// Keeps what is being opened; its number.
    pub(super) fn add_drop(self, picked: &Picked) -> u32 {
        let drop = self.fresh.with_untracked(Vec::len) as u32;
        let origin = DropOrigin::new(picked.handles.clone());
        self.origins.update_value(|origins| origins.push(origin));
        self.took(drop, &picked.files);
        let first = picked.files.first();
        let fresh = Freshness {
            drop,
            is_folder: first.is_some_and(|file| file.path.contains('/')),
            can_watch: !picked.handles.is_empty(),
            ..Freshness::default()
        };
        self.fresh.update(|all| all.push(fresh));
        drop
    }

    /// Keeps that evaluations came out of a drop, and when.
    pub(super) fn came_of(self, drop: u32, evaluations: &[u32]) {
        self.fresh.update(|all| {
            if let Some(fresh) = all.get_mut(drop as usize) {
                fresh.evaluations.extend(evaluations);
                fresh.read_at = browser::clock();
            }
        });
    }

    /// Evaluations that came out of a drop.
    pub(super) fn evaluations_of(self, drop: usize) -> Vec<u32> {
        self.fresh.with_untracked(|all| {
            all.get(drop).map(|one| one.evaluations.clone()).unwrap_or_default()
        })
    }

    /// The drop that the selected evaluation, or the only one, came out of.
    pub fn freshness(self) -> Option<Freshness> {
        let only = || {
            self.tree.with(|tree| match tree.evaluations.as_slice() {
                [only] => Some(only.id),
                _ => None,
            })
        };
        let id = self.selected().or_else(only)?;
        self.fresh.with(|all| state::drop_of(all, id).cloned())
    }

    /// Begins or ends to read the selected evaluation again when it changes.
    pub fn switch_watch(self) {
        let Some(drop) = untrack(|| self.freshness()).map(|fresh| fresh.drop) else { return };
        self.fresh.update(|all| {
            if let Some(fresh) = all.get_mut(drop as usize) {
                fresh.is_watched = !fresh.is_watched;
            }
        });
        self.look_at_watched();
    }

    /// Looks at watched files from now on.
    pub(super) fn keep_watch(self) {
        browser::every(EVERY_MS, move || self.look_at_watched());
    }

    fn look_at_watched(self) {
        let is_loaded = |id| untrack(|| self.name_of(id)).is_some();
        for drop in self.fresh.with_untracked(|all| state::watched(all, is_loaded)) {
            if let Some(handles) = self.with_origin(drop, DropOrigin::begin).flatten() {
                spawn_local(async move { self.compare(drop, handles.files().await) });
            }
        }
    }

    /// Reads again what is not as it was.
    fn compare(self, drop: u32, picked: Picked) {
        let Picked { files, unreadable, .. } = picked;
        let stamps: Vec<(String, FileStamp)> =
            files.iter().map(|file| (file.path.clone(), file.stamp())).collect();
        let compared = self.with_origin(drop, |origin| origin.compare(&stamps, &unreadable));
        let Some(ComparedFiles { changed, complaint }) = compared else { return };
        if let Some(what) = complaint {
            self.complain(drop, &what);
        }
        if !changed.is_empty() {
            let files = changed.into_iter().filter_map(|nth| files.get(nth).cloned()).collect();
            self.read_again(drop, files, false);
        }
    }

    /// Reads the files of a drop again that somebody has picked once more.
    pub fn reload(self, drop: u32, chosen: PickedFiles) {
        spawn_local(async move {
            let picked = chosen.picked().await;
            if !picked.files.is_empty() {
                self.with_origin(drop, DropOrigin::is_well);
                self.read_again(drop, picked.files, true);
            }
        });
    }

    fn read_again(self, drop: u32, files: Vec<PickedFile>, is_asked: bool) {
        let Some(client) = self.client.get_value() else { return };
        // Even when it fails: what cannot be read is tried again when it has changed again.
        self.took(drop, &files);
        browser::keep_again(drop, &files);
        let count = move |by: i32| {
            if is_asked {
                self.n_opening.update(|n| *n = n.saturating_add_signed(by));
            }
        };
        count(1);
        client.change(Task::Reload { drop }, files, move |answer| {
            match answer {
                Ok(Answer::Reloaded(tree, words)) => {
                    let new = self.tree.with_untracked(|old| state::new_in(old, &tree));
                    self.replace_tree(tree);
                    self.came_of(drop, &new);
                    self.with_origin(drop, DropOrigin::is_well);
                    if is_asked {
                        self.say(words);
                    }
                }
                Ok(_) => {}
                Err(failure) => self.complain(drop, &failure.to_string()),
            }
            self.with_origin(drop, DropOrigin::ended);
            count(-1);
        });
    }

    /// Has a drop listed for the next visit.
    pub(super) fn keep_recent(self, drop: u32) {
        let ids = self.evaluations_of(drop as usize);
        let verdict = self.tree.with_untracked(|tree| state::verdict_kept(tree, &ids));
        self.with_origin(drop, |origin| self.list_recent(&origin.handles, verdict));
    }

    /// Keeps how `files` were when they were read.
    fn took(self, drop: u32, files: &[PickedFile]) {
        self.with_origin(drop, |origin| {
            // The stamp of a file from an input is a question to the browser, and nobody compares it.
            if !origin.handles.is_empty() {
                let stamps = files.iter().map(|file| (file.path.clone(), file.stamp()));
                origin.took(stamps);
            }
        });
    }

    /// Says once what is wrong with a drop.
    fn complain(self, drop: u32, what: &str) {
        if self.with_origin(drop, |origin| origin.complains(what)) == Some(true) {
            self.say(state::not_read_again(what));
        }
    }

    fn with_origin<T>(
        self,
        drop: u32,
        change: impl FnOnce(&mut DropOrigin<Handles>) -> T,
    ) -> Option<T> {
        self.origins.try_update_value(|origins| origins.get_mut(drop as usize).map(change))?
    }
}
