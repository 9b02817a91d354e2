//! Files beside results that hold none: logs, prompts, settings. One note a kind, however many they are.

use super::Unclaimed;
use crate::input::Form;
use crate::model::{Note, NoteKind, Place};
use crate::order::Order as _;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How many names of files a note tells.
const NAMES_TOLD: usize = 5;

/// Such files, by the folder that was dropped and by what they are made of.
#[derive(Default)]
pub(super) struct Extras {
    kinds: BTreeMap<(String, &'static str), Vec<Rc<Unclaimed>>>,
}

impl Extras {
    /// Adds one.
    pub(super) fn add(&mut self, file: &Rc<Unclaimed>) {
        let path = &file.file.path;
        let root = path.split_once('/').map_or(path.as_str(), |(root, _)| root);
        let kind = match file.shape.form {
            Form::Empty => "empty",
            Form::Parquet => "Parquet",
            Form::Document | Form::Lines => "JSON",
            Form::Text => "text",
            Form::Binary => "binary",
            Form::Unseen => "packed",
        };
        self.kinds.entry((root.to_owned(), kind)).or_default().push(Rc::clone(file));
    }

    /// One note a kind; of a single file, why nobody claims it.
    pub(super) fn into_notes(self) -> impl Iterator<Item = Note> {
        self.kinds.into_iter().map(|((root, kind), files)| {
            let (file, detail) = match files.as_slice() {
                [only] => (only.file.path.clone(), only.detail.clone()),
                several => (root, words(kind, several)),
            };
            Note {
                file,
                kind: NoteKind::Skipped,
                detail,
                places: vec![Place::File],
                count: files.len() as u64,
            }
        })
    }
}

/// `103 text files beside the results hold no results: infer.log × 51, prompt.txt × 52`
fn words(kind: &str, files: &[Rc<Unclaimed>]) -> String {
    let mut by_name: BTreeMap<&str, u64> = BTreeMap::new();
    for one in files {
        *by_name.entry(one.file.name()).or_default() += 1;
    }
    let n_names = by_name.len();
    let mut names: Vec<(&str, u64)> = by_name.into_iter().collect();
    names.order_by_key(|(_, n)| Reverse(*n));
    let named = names.into_iter().take(NAMES_TOLD).map(|(name, n)| match n {
        1 => name.to_owned(),
        n => format!("{name} × {n}"),
    });
    let mut list: Vec<String> = named.collect();
    if n_names > NAMES_TOLD {
        list.push(format!("{} other names", n_names - NAMES_TOLD));
    }
    format!("{} {kind} files beside the results hold no results: {}", files.len(), list.join(", "))
}
