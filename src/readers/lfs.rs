//! Pointers of Git LFS: a clone without it has them in the place of large files.

use super::Unclaimed;
use crate::model::{NoteKind, Notes, Place};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The bytes of the file that a pointer of Git LFS stands for: its `size`. Format:
/// <https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md>.
pub(super) fn lfs_bytes(head: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(head).ok()?;
    let rest = text.strip_prefix("version https://git-lfs.github.com/spec/v1")?;
    rest.lines().find(|line| line.starts_with("oid "))?;
    rest.lines().find_map(|line| line.strip_prefix("size ")?.trim().parse().ok())
}

/// Files of which only a pointer is there, by name.
#[derive(Default)]
pub(super) struct Pointers {
    by_name: BTreeMap<String, Vec<(Rc<Unclaimed>, u64)>>,
}

impl Pointers {
    /// Adds one that stands for a file of `n_bytes`.
    pub(super) fn add(&mut self, file: &Rc<Unclaimed>, n_bytes: u64) {
        let name = file.file.name().to_owned();
        self.by_name.entry(name).or_default().push((Rc::clone(file), n_bytes));
    }

    /// Notes them, once for each name.
    pub(super) fn note(&self, notes: &Notes) {
        for (name, files) in &self.by_name {
            let Some((first, _)) = files.first() else { continue };
            let n_bytes: u64 = files.iter().map(|(_, n_bytes)| n_bytes).sum();
            let detail = match files.len() {
                1 => format!("Git LFS pointer, {n_bytes} bytes: run `git lfs pull`"),
                n => format!(
                    "Git LFS pointers of {n} files called {name}, {n_bytes} bytes: run `git lfs pull`"
                ),
            };
            for (one, _) in files {
                let place = match files.len() {
                    1 => Place::File,
                    _ => Place::Field(one.file.path.clone()),
                };
                notes.add(&first.file.path, NoteKind::MissingPartner, place, detail.as_str());
            }
        }
    }
}
