//! Files as the page holds them: a handle and a path, never the bytes.

use super::event_loop::Slice;
use super::folder::is_left_out_name;
use super::handles::Handles;
use crate::input::left_out_folder_by;
use crate::order::Order as _;
use js_sys::Array;
use std::cmp::Ordering;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Event, File, HtmlInputElement};

/// A file, and where it lay in what was dropped.
#[derive(Clone)]
pub struct PickedFile {
    /// Path relative to what was dropped, beginning with its name.
    pub path: String,
    /// The browser's handle.
    pub file: File,
}

impl PickedFile {
    /// Size and time of change: another one has other content.
    pub fn stamp(&self) -> [f64; 2] {
        [self.file.size(), self.file.last_modified()]
    }
}

/// What was dropped or picked at once.
#[derive(Clone, Default)]
pub struct Picked {
    /// Files, in path order within each dropped thing.
    pub files: Vec<PickedFile>,
    /// Folders that were left out, with the number of files in each.
    pub pruned: Vec<(String, u64)>,
    /// What the browser would not give out.
    pub unreadable: Vec<String>,
    /// By which all of it can be read again, where there are such.
    pub handles: Handles,
}

impl Picked {
    /// Adds what else was dropped.
    pub(super) fn extend(&mut self, more: Self) {
        self.files.extend(more.files);
        self.pruned.extend(more.pruned);
        self.unreadable.extend(more.unreadable);
    }

    /// Sorts as a walk over the folder would meet them: name by name, not letter by letter, because
    /// `a-b/x` lies after `a/x`.
    pub(super) fn sort(&mut self) {
        // Nothing in a name comes before NUL.
        self.files.sort_by_cached_key(|file| file.path.replace('/', "\0"));
        self.pruned.order_by(|(a, _), (b, _)| walk_order(a, b));
        self.unreadable.order_by(Ord::cmp);
    }

    /// Counts `n_files` files, `n_opened` of which are opened all the same, to a folder that is left
    /// out. One that is opened as a whole leaves nothing out.
    pub(super) fn prune(&mut self, folder: &str, n_files: u64, n_opened: u64) {
        if n_opened > 0 && n_files <= n_opened {
            return;
        }
        let n_files = n_files - n_opened;
        let at = self.pruned.partition_point(|(known, _)| walk_order(known, folder).is_lt());
        match self.pruned.get_mut(at).filter(|(known, _)| known == folder) {
            Some((_, count)) => *count += n_files,
            None => self.pruned.insert(at, (folder.to_owned(), n_files)),
        }
    }
}

fn walk_order(a: &str, b: &str) -> Ordering {
    a.split('/').cmp(b.split('/'))
}

/// What was chosen in a file input.
pub struct PickedFiles {
    files: Array,
    is_folder: bool,
}

/// What was chosen in the file input that `event` comes from. The input is emptied, so that the same
/// choice can be made again.
pub fn chosen(event: &Event) -> PickedFiles {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let files = input.as_ref().and_then(HtmlInputElement::files);
    let files = files.map_or_else(Array::new, |files| Array::from(&files));
    let is_folder = input.as_ref().is_some_and(|input| input.has_attribute("webkitdirectory"));
    if let Some(input) = input {
        input.set_value("");
    }
    PickedFiles { files, is_folder }
}

impl PickedFiles {
    /// The files of it, gathered in slices: a folder may hold tens of thousands.
    pub async fn picked(self) -> Picked {
        let (mut picked, slice) = (Picked::default(), Slice::begin());
        for (nth, file) in self.files.iter().enumerate() {
            add(&mut picked, file.unchecked_into());
            if nth % AT_ONCE == AT_ONCE - 1 {
                slice.breathe().await;
            }
        }
        if self.is_folder {
            picked.sort();
        }
        picked
    }
}

/// Files between two looks at the clock.
pub(super) const AT_ONCE: usize = 64;

/// Takes `file`, or counts it to the folder that is left out.
fn add(picked: &mut Picked, file: File) {
    let path = js_sys::Reflect::get(&file, &JsValue::from_str("webkitRelativePath"))
        .ok()
        .and_then(|path| path.as_string())
        .filter(|path| !path.is_empty())
        .unwrap_or_else(|| file.name());
    match left_out_folder_by(&path, 1, is_left_out_name) {
        Some(folder) => picked.prune(folder, 1, 0),
        None => picked.files.push(PickedFile { path, file }),
    }
}
