//! Handles of dropped files and folders, which give out their present content again and again.
//!
//! Some browsers have none, and `web_sys` knows them only as unstable, so what they can do is called by
//! name, here alone. Source: File System standard (`FileSystemHandle`), WICG File System Access
//! (`getAsFileSystemHandle`).

use super::Error;
use super::folder::{MAX_COUNTED, is_left_out_name};
use super::pick::{Picked, PickedFile};
use crate::input::is_opened_within;
use js_sys::{Array, AsyncIterator, Function, IteratorNext, Promise, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::DataTransferItem;

/// Handles of everything that was dropped at once; none where the browser gave out less than all.
#[derive(Clone, Default)]
pub struct Handles(Vec<JsValue>);

/// The handle of a dropped thing, to come. Must be asked for while the event is being handled.
pub(super) fn handle_of(item: &DataTransferItem) -> Option<Promise> {
    call(item, "getAsFileSystemHandle").ok()?.dyn_into().ok()
}

impl Handles {
    /// Waits for what [`handle_of`] gave.
    pub(super) async fn of(promises: Vec<Option<Promise>>) -> Self {
        let mut handles = Vec::new();
        for promise in promises {
            match promise.map(JsFuture::from) {
                Some(future) => match future.await {
                    Ok(handle) if handle.is_object() => handles.push(handle),
                    _ => return Self::default(),
                },
                None => return Self::default(),
            }
        }
        Self(handles)
    }

    /// Those that `list` holds.
    pub(super) fn of_list(list: &Array) -> Self {
        Self(list.iter().collect())
    }

    /// All of them.
    pub(super) fn list(&self) -> Array {
        self.0.iter().collect()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The files as they are now, under the paths that a drop gives them. Folders of unrelated data are
    /// left out and not counted.
    pub async fn files(&self) -> Picked {
        self.walk(false).await
    }

    /// What they give out, as if it had just been dropped.
    pub(super) async fn picked(self) -> Picked {
        let mut picked = self.walk(true).await;
        picked.sort();
        Picked { handles: self, ..picked }
    }

    /// As [`files`](Self::files); folders that are left out are counted when `counts`.
    async fn walk(&self, counts: bool) -> Picked {
        let mut picked = Picked::default();
        for root in &self.0 {
            let mut waiting = vec![(text(root, "name"), root.clone())];
            while let Some((path, handle)) = waiting.pop() {
                let found = match text(&handle, "kind").as_str() {
                    "directory" if is_left_out(&path) => {
                        let n_before = picked.files.len();
                        let found = streams(&path, handle.clone(), &mut picked).await;
                        if counts {
                            let n_opened = (picked.files.len() - n_before) as u64;
                            picked.prune(&path, count(handle).await, n_opened);
                        }
                        found
                    }
                    "directory" => {
                        children(&path, &handle).await.map(|found| waiting.extend(found))
                    }
                    _ => take(&path, &handle, &mut picked).await,
                };
                if let Err(err) = found {
                    picked.unreadable.push(format!("{path} ({err})"));
                }
            }
        }
        picked
    }
}

/// Takes the file at `path`.
async fn take(path: &str, handle: &JsValue, picked: &mut Picked) -> Result<(), Error> {
    let file = settled(handle, "getFile").await?.unchecked_into();
    picked.files.push(PickedFile { path: path.to_owned(), file });
    Ok(())
}

/// Takes what is opened of the left out folder at `root` all the same.
async fn streams(root: &str, folder: JsValue, picked: &mut Picked) -> Result<(), Error> {
    let name = root.rsplit('/').next().unwrap_or_default();
    let mut waiting = vec![(root.to_owned(), folder)];
    while let Some((path, handle)) = waiting.pop() {
        for (path, child) in children(&path, &handle).await? {
            let inner = path.strip_prefix(root).unwrap_or_default().trim_start_matches('/');
            let is_folder = text(&child, "kind") == "directory";
            if !is_opened_within(name, inner, is_folder) {
                continue;
            }
            if is_folder {
                waiting.push((path, child));
            } else {
                take(&path, &child, picked).await?;
            }
        }
    }
    Ok(())
}

/// What lies in a folder, with paths.
async fn children(path: &str, folder: &JsValue) -> Result<Vec<(String, JsValue)>, Error> {
    let each: AsyncIterator = call(folder, "values")?.unchecked_into();
    let mut found = Vec::new();
    loop {
        let next = JsFuture::from(each.next().map_err(thrown)?).await.map_err(thrown)?;
        let next: IteratorNext = next.unchecked_into();
        if next.done() {
            return Ok(found);
        }
        let child = next.value();
        found.push((format!("{path}/{}", text(&child, "name")), child));
    }
}

/// Whether the folder at `path` holds unrelated data; the one that was dropped never does.
fn is_left_out(path: &str) -> bool {
    path.rsplit_once('/').is_some_and(|(_, name)| is_left_out_name(name))
}

/// Number of files below `folder`, up to [`MAX_COUNTED`].
async fn count(folder: JsValue) -> u64 {
    let (mut n_files, mut waiting) = (0, vec![(String::new(), folder)]);
    while let Some((path, handle)) = waiting.pop() {
        if text(&handle, "kind") != "directory" {
            n_files += 1;
        } else if let Ok(found) = children(&path, &handle).await {
            waiting.extend(found);
        }
        if n_files >= MAX_COUNTED {
            break;
        }
    }
    n_files
}

/// What the promise comes to that `method` gives.
async fn settled(handle: &JsValue, method: &str) -> Result<JsValue, Error> {
    let promise: Promise = call(handle, method)?.unchecked_into();
    JsFuture::from(promise).await.map_err(thrown)
}

fn call(object: &JsValue, method: &str) -> Result<JsValue, Error> {
    let method = Reflect::get(object, &method.into()).map_err(thrown)?;
    let method: Function = method.dyn_into().map_err(thrown)?;
    method.call0(object).map_err(thrown)
}

pub(super) fn text(object: &JsValue, name: &str) -> String {
    Reflect::get(object, &name.into()).ok().and_then(|text| text.as_string()).unwrap_or_default()
}

fn thrown(value: JsValue) -> Error {
    Error::thrown("reading a file again", &value)
}
