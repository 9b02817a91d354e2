//! Walking dropped folders.

use super::Error;
use super::handles::{Handles, handle_of};
use super::pick::{Picked, PickedFile};
use super::restart::take_dropped;
use crate::input::{is_opened_within, is_pruned_folder};
use futures_util::future::join_all;
use js_sys::{Array, Function, Promise, Reflect};
use std::cell::Cell;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DataTransfer, DragEvent, File, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry,
};

/// The most files that are counted in a folder that is left out.
pub(super) const MAX_COUNTED: u64 = 10_000;

/// Files and folders that the browser is asked about at the same time: each answer takes it a while.
const AT_ONCE: usize = 200;

thread_local! {
    static READS_WHOLE: Cell<bool> = const { Cell::new(false) };
}

/// From now on, folders of agents and snapshots are read whole, or left out again.
pub fn read_whole(is_on: bool) {
    READS_WHOLE.set(is_on);
}

/// Whether a folder of this name is left out; the user may have said otherwise of some.
pub(super) fn is_left_out_name(name: &str) -> bool {
    let is_included = READS_WHOLE.get() && matches!(name, "agent" | "snapshot");
    is_pruned_folder(name) && !is_included
}

/// What was dropped. Only [`walk`] can look into it.
#[derive(Default)]
pub struct Dragged {
    items: Vec<DroppedItem>,
    handles: Vec<Option<Promise>>,
    again: Handles,
}

impl Dragged {
    /// What was dropped once and has left `handles`.
    pub fn again(handles: Handles) -> Self {
        Self { again: handles, ..Self::default() }
    }
}

enum DroppedItem {
    Entry(FileSystemEntry),
    File(File),
}

/// Whether `event` carries files rather than text or links.
pub fn is_file_drag(event: &DragEvent) -> bool {
    event.data_transfer().is_some_and(|data| data.types().includes(&JsValue::from_str("Files"), 0))
}

/// The dropped things of `event`. Must be called while the event is being handled: afterwards the
/// browser has emptied it.
pub fn dragged_files(event: &DragEvent) -> Dragged {
    event.data_transfer().map(|data| dragged(&data)).unwrap_or_default()
}

fn dragged(data: &DataTransfer) -> Dragged {
    let list = data.items();
    let (mut items, mut handles) = (Vec::new(), Vec::new());
    for idx in 0..list.length() {
        let Some(item) = list.get(idx).filter(|item| item.kind() == "file") else { continue };
        handles.push(handle_of(&item));
        match item.webkit_get_as_entry() {
            Ok(Some(entry)) => items.push(DroppedItem::Entry(entry)),
            _ => items.extend(item.get_as_file().ok().flatten().map(DroppedItem::File)),
        }
    }
    Dragged { items, handles, again: Handles::default() }
}

/// What was dropped before this program ran; `None`: nothing.
pub fn dropped_before() -> Option<Dragged> {
    let dropped = take_dropped().filter(|dropped| dropped.length() > 0)?;
    let (mut items, mut handles) = (Vec::new(), Vec::new());
    for item in dropped.iter() {
        let get = |name: &str| Reflect::get(&item, &name.into()).ok().filter(JsValue::is_object);
        handles.push(get("handle").and_then(|handle| handle.dyn_into().ok()));
        let entry = get("entry").map(|entry| DroppedItem::Entry(entry.unchecked_into()));
        let file = || get("file").map(|file| DroppedItem::File(file.unchecked_into()));
        items.extend(entry.or_else(file));
    }
    Some(Dragged { items, handles, again: Handles::default() })
}

/// Every file below what was dropped; folders of unrelated data are left out and counted.
pub async fn walk(dragged: Dragged) -> Picked {
    if !dragged.again.is_empty() {
        return dragged.again.picked().await;
    }
    let mut picked = Picked::default();
    for item in dragged.items {
        match item {
            DroppedItem::File(file) => picked.files.push(PickedFile { path: file.name(), file }),
            DroppedItem::Entry(entry) => {
                picked.extend(descend(entry).await);
            }
        }
    }
    picked.handles = Handles::of(dragged.handles).await;
    // Chromium gives a page from disk entries that cannot be read, and handles that can.
    if !picked.unreadable.is_empty() && !picked.handles.is_empty() {
        let again = picked.handles.clone().picked().await;
        if again.unreadable.is_empty() {
            return again;
        }
    }
    picked
}

/// A file or folder that is yet to be looked into: its path, and whether it is what was dropped.
type WaitingEntry = (String, FileSystemEntry, bool);

async fn descend(root: FileSystemEntry) -> Picked {
    let mut picked = Picked::default();
    let mut waiting = vec![(root.name(), root, true)];
    while !waiting.is_empty() {
        let now = waiting.split_off(waiting.len().saturating_sub(AT_ONCE));
        for (found, below) in join_all(now.into_iter().map(visit)).await {
            picked.extend(found);
            waiting.extend(below);
        }
    }
    picked.sort();
    picked
}

/// What is there, and what lies in it.
async fn visit((path, entry, is_root): WaitingEntry) -> (Picked, Vec<WaitingEntry>) {
    let mut picked = Picked::default();
    let mut below = Vec::new();
    if !entry.is_directory() {
        match file(&entry).await {
            Ok(file) => picked.files.push(PickedFile { path, file }),
            Err(err) => picked.unreadable.push(format!("{path} ({err})")),
        }
    } else if !is_root && is_left_out_name(&entry.name()) {
        let n_opened = streams(&path, entry.clone(), &mut picked).await;
        let n_files = count(entry).await;
        picked.prune(&path, n_files, n_opened);
    } else {
        match children(&entry).await {
            Ok(children) => {
                let own =
                    |child: FileSystemEntry| (format!("{path}/{}", child.name()), child, false);
                below = children.into_iter().map(own).collect();
            }
            Err(err) => picked.unreadable.push(format!("{path} ({err})")),
        }
    }
    (picked, below)
}

/// Takes what is opened of a left out folder all the same; how many files that are.
async fn streams(root: &str, folder: FileSystemEntry, picked: &mut Picked) -> u64 {
    let (name, mut n_opened) = (folder.name(), 0);
    let mut waiting = vec![(String::new(), folder)];
    while let Some((inner, entry)) = waiting.pop() {
        if !entry.is_directory() {
            n_opened += 1;
            let path = format!("{root}/{inner}");
            match file(&entry).await {
                Ok(file) => picked.files.push(PickedFile { path, file }),
                Err(err) => picked.unreadable.push(format!("{path} ({err})")),
            }
        } else if let Ok(children) = children(&entry).await {
            waiting.extend(children.into_iter().filter_map(|child| {
                let inner = if inner.is_empty() {
                    child.name()
                } else {
                    format!("{inner}/{}", child.name())
                };
                is_opened_within(&name, &inner, child.is_directory()).then_some((inner, child))
            }));
        }
    }
    n_opened
}

/// Number of files below `folder`, up to [`MAX_COUNTED`].
async fn count(folder: FileSystemEntry) -> u64 {
    let (mut n_files, mut waiting) = (0, vec![folder]);
    while let Some(entry) = waiting.pop() {
        if !entry.is_directory() {
            n_files += 1;
        } else if let Ok(children) = children(&entry).await {
            waiting.extend(children);
        }
        if n_files >= MAX_COUNTED {
            break;
        }
    }
    n_files
}

async fn file(entry: &FileSystemEntry) -> Result<File, Error> {
    const WANTED: &str = "opening a dropped file";
    let entry: FileSystemFileEntry = entry.clone().unchecked_into();
    let file = settled(WANTED, |done, failed| {
        entry.file_with_callback_and_callback(done, failed);
    })
    .await?;
    file.dyn_into().map_err(|other| Error::thrown(WANTED, &other))
}

/// What lies in a folder. The browser gives it out a hundred at a time, until none is left.
async fn children(entry: &FileSystemEntry) -> Result<Vec<FileSystemEntry>, Error> {
    const WANTED: &str = "listing a dropped folder";
    let entry: FileSystemDirectoryEntry = entry.clone().unchecked_into();
    let reader = entry.create_reader();
    let mut children = Vec::new();
    loop {
        let batch = settled(WANTED, |done, failed| {
            // What it throws, it also tells `failed`.
            let _ = reader.read_entries_with_callback_and_callback(done, failed);
        })
        .await?;
        let batch: Array = batch.unchecked_into();
        if batch.length() == 0 {
            return Ok(children);
        }
        children.extend(batch.iter().map(JsValue::unchecked_into::<FileSystemEntry>));
    }
}

/// The outcome of a function of the old kind, which takes two callbacks.
async fn settled(
    wanted: &'static str,
    mut start: impl FnMut(&Function, &Function),
) -> Result<JsValue, Error> {
    let promise = Promise::new(&mut |done, failed| start(&done, &failed));
    JsFuture::from(promise).await.map_err(|err| Error::thrown(wanted, &err))
}
