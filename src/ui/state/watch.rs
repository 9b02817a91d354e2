//! Drops whose files are read again: by themselves when they have changed, or picked anew.

use super::Store;
use crate::browser::{self, Chosen, Handles, Picked, PickedFile};
use crate::worker::protocol::{Answer, Task};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::collections::{BTreeMap, HashSet};

/// How often watched files are looked at, in milliseconds.
const EVERY_MS: i32 = 2_000;

/// What the side bar shows of a drop.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Freshness {
    /// Its number.
    pub drop: u32,
    /// Evaluations that came out of it.
    evaluations: Vec<u32>,
    /// Whether a folder was dropped or picked.
    pub is_folder: bool,
    /// Whether the browser gives out its files again.
    pub can_watch: bool,
    /// Whether it is read again when it changes.
    pub is_watched: bool,
    /// Time of day when it was last read.
    pub read_at: String,
}

/// What is kept of a drop besides.
pub(super) struct Origin {
    handles: Handles,
    /// By path, size and time of change of each file as it was read; of what is watched alone.
    files: BTreeMap<String, [f64; 2]>,
    is_busy: bool,
    /// What was said of it last, so that it is not said every two seconds.
    complaint: String,
}

impl Store {
    /// Keeps what is being opened; its number.
    pub(super) fn add_drop(self, picked: &Picked) -> u32 {
        let drop = self.fresh.with_untracked(Vec::len) as u32;
        let origin = Origin {
            handles: picked.handles.clone(),
            files: BTreeMap::new(),
            is_busy: false,
            complaint: String::new(),
        };
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
        self.fresh.with(|all| all.iter().rev().find(|one| one.evaluations.contains(&id)).cloned())
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
        let watched: Vec<u32> = self.fresh.with_untracked(|all| {
            let is_loaded = |id: &u32| untrack(|| self.name_of(*id)).is_some();
            let watched = all.iter().filter(|one| one.is_watched);
            watched
                .filter(|one| one.evaluations.iter().any(is_loaded))
                .map(|one| one.drop)
                .collect()
        });
        for drop in watched {
            let handles = self.with_origin(drop, |origin| {
                let handles = (!origin.is_busy).then(|| origin.handles.clone());
                origin.is_busy = true;
                handles
            });
            if let Some(handles) = handles.flatten() {
                spawn_local(async move { self.compare(drop, handles.files().await) });
            }
        }
    }

    /// Reads again what is not as it was.
    fn compare(self, drop: u32, picked: Picked) {
        let Picked { mut files, mut unreadable, .. } = picked;
        self.with_origin(drop, |origin| {
            let there: HashSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
            let mut gone = origin.files.keys().filter(|path| !there.contains(path.as_str()));
            unreadable.extend(gone.next().map(|path| format!("{path} is not there any more")));
            files.retain(|file| origin.files.get(&file.path) != Some(&file.stamp()));
            origin.is_busy = !files.is_empty();
        });
        if let Some(first) = unreadable.into_iter().next() {
            self.complain(drop, first);
        }
        if !files.is_empty() {
            self.read_again(drop, files, false);
        }
    }

    /// Reads the files of a drop again that somebody has picked once more.
    pub fn reload(self, drop: u32, chosen: Chosen) {
        spawn_local(async move {
            let picked = chosen.picked().await;
            if !picked.files.is_empty() {
                self.with_origin(drop, |origin| origin.complaint.clear());
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
                    let new = self.new_in(&tree);
                    self.replace_tree(tree);
                    self.came_of(drop, &new);
                    self.with_origin(drop, |origin| origin.complaint.clear());
                    if is_asked {
                        self.say(words);
                    }
                }
                Ok(_) => {}
                Err(failure) => self.complain(drop, failure.to_string()),
            }
            self.with_origin(drop, |origin| origin.is_busy = false);
            count(-1);
        });
    }

    /// Has a drop listed for the next visit.
    pub(super) fn keep_recent(self, drop: u32) {
        self.with_origin(drop, |origin| browser::keep_recent(&origin.handles));
    }

    /// Keeps how `files` were when they were read.
    fn took(self, drop: u32, files: &[PickedFile]) {
        self.with_origin(drop, |origin| {
            // The stamp of a file from an input is a question to the browser, and nobody compares it.
            if !origin.handles.is_empty() {
                let stamps = files.iter().map(|file| (file.path.clone(), file.stamp()));
                origin.files.extend(stamps);
            }
        });
    }

    /// Says once what is wrong with a drop.
    fn complain(self, drop: u32, what: String) {
        let is_new = self.with_origin(drop, |origin| {
            let is_new = origin.complaint != what;
            origin.complaint.clone_from(&what);
            is_new
        });
        if is_new == Some(true) {
            self.say(format!("Not read again, what was read stays: {what}"));
        }
    }

    fn with_origin<T>(self, drop: u32, change: impl FnOnce(&mut Origin) -> T) -> Option<T> {
        self.origins.try_update_value(|origins| origins.get_mut(drop as usize).map(change))?
    }
}
