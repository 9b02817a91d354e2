//! What was opened before, as handles that can be opened again.

use super::database::{factory, read, write};
use super::handles::{Handles, text};
use super::memory::{MemoryState, memory_state};
use super::sequence::TurnQueue;
use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Entries of the list, at the most.
const MAX_ENTRIES: usize = 10;

/// Files or folders of one drop, at the most: the browser may have to ask for each of them.
const MAX_HANDLES: usize = 20;

thread_local! {
    static TURNS: TurnQueue = TurnQueue::default();
}

/// How something came out when it was opened; empty where nothing is known.
#[derive(Debug, Clone, Default)]
pub struct KeptVerdict {
    /// The word of its outcome.
    pub outcome: String,
    /// What else there is to say: its score.
    pub words: String,
}

/// What was opened once.
#[derive(Clone)]
pub struct RecentOpening {
    /// Name of the first of it.
    pub name: String,
    /// Whether that is a folder.
    pub is_folder: bool,
    /// When it was opened, in milliseconds.
    pub opened: f64,
    /// How it came out then.
    pub verdict: KeptVerdict,
    /// What opens it again.
    pub handles: Handles,
}

/// Whether the browser gives out handles that can be kept.
pub fn gives_handles() -> bool {
    let global = js_sys::global();
    let gives = || -> Option<bool> {
        let item = Reflect::get(&global, &"DataTransferItem".into()).ok()?;
        let prototype = Reflect::get(&item, &"prototype".into()).ok()?;
        Reflect::has(&prototype, &"getAsFileSystemHandle".into()).ok()
    };
    web_sys::window().is_some_and(|window| window.is_secure_context())
        && factory().is_some()
        && gives().unwrap_or(false)
}

/// What was opened, newest first.
pub async fn recent_entries() -> Vec<RecentOpening> {
    if !gives_handles() || memory_state() != MemoryState::On {
        return Vec::new();
    }
    let _turn = TURNS.with(Clone::clone).next().await;
    entries().await.iter().map(|entry| recent(&entry)).collect()
}

async fn entries() -> Array {
    read().await.ok().flatten().unwrap_or_default()
}

/// One entry, as this page has written it.
fn recent(entry: &JsValue) -> RecentOpening {
    let opened = Reflect::get(entry, &"opened".into()).ok().and_then(|time| time.as_f64());
    RecentOpening {
        name: text(entry, "name"),
        is_folder: text(entry, "kind") == "directory",
        opened: opened.unwrap_or_default(),
        verdict: KeptVerdict { outcome: text(entry, "outcome"), words: text(entry, "words") },
        handles: Handles::of_list(&handles(entry)),
    }
}

fn handles(entry: &JsValue) -> Array {
    let list = Reflect::get(entry, &"handles".into()).ok();
    list.and_then(|list| list.dyn_into().ok()).unwrap_or_default()
}

/// Keeps what was opened by `handles` and how it came out, as the newest, then calls `kept`; what the browser does not keep is not
/// listed, and that is all.
pub fn keep_recent(handles: &Handles, verdict: KeptVerdict, kept: impl FnOnce() + 'static) {
    let list = handles.list();
    let n_handles = list.length() as usize;
    if n_handles == 0 || n_handles > MAX_HANDLES || !gives_handles() {
        return;
    }
    spawn_local(async move {
        let turn = TURNS.with(Clone::clone).next().await;
        if memory_state() == MemoryState::On {
            // See above.
            let _ = put_first(&list, &verdict).await;
        }
        drop(turn);
        kept();
    });
}

async fn put_first(list: &Array, verdict: &KeptVerdict) -> Result<(), JsValue> {
    let (first, entry) = (list.get(0), Object::new());
    for name in ["name", "kind"] {
        Reflect::set(&entry, &name.into(), &text(&first, name).into())?;
    }
    Reflect::set(&entry, &"outcome".into(), &verdict.outcome.as_str().into())?;
    Reflect::set(&entry, &"words".into(), &verdict.words.as_str().into())?;
    Reflect::set(&entry, &"opened".into(), &js_sys::Date::now().into())?;
    Reflect::set(&entry, &"handles".into(), list)?;
    let kept = without(entries().await, list).await;
    kept.unshift(&entry);
    write(&kept.slice(0, MAX_ENTRIES as u32)).await
}

/// Forgets one entry, or all.
pub async fn forget_recent(gone: Option<&Handles>) {
    let _turn = TURNS.with(Clone::clone).next().await;
    let rest = match gone {
        Some(gone) => without(entries().await, &gone.list()).await,
        None => Array::new(),
    };
    // What cannot be forgotten stays listed.
    let _ = write(&rest).await;
}

/// The entries that do not lead to `gone`.
async fn without(entries: Array, gone: &Array) -> Array {
    let rest = Array::new();
    for entry in entries.iter() {
        if !is_same(&handles(&entry), gone).await {
            rest.push(&entry);
        }
    }
    rest
}

/// Whether both lead to the same files and folders, in whatever order.
async fn is_same(handles: &Array, others: &Array) -> bool {
    if handles.length() != others.length() {
        return false;
    }
    for handle in handles.iter() {
        let mut is_found = false;
        for other in others.iter() {
            is_found |= is_same_entry(&handle, &other).await.unwrap_or(false);
        }
        if !is_found {
            return false;
        }
    }
    true
}

async fn is_same_entry(handle: &JsValue, other: &JsValue) -> Result<bool, JsValue> {
    let same: Function = Reflect::get(handle, &"isSameEntry".into())?.dyn_into()?;
    let promise: Promise = same.call1(handle, other)?.dyn_into()?;
    Ok(JsFuture::from(promise).await?.is_truthy())
}

/// Why `handles` cannot be read; `None` when they can. Must begin within a click: the browser may ask its reader.
pub async fn refusal(handles: &Handles) -> Option<String> {
    let list = handles.list();
    let asked: Vec<_> = list.iter().map(|handle| permission(&handle)).collect();
    for (handle, asked) in list.iter().zip(asked) {
        let answer = match asked {
            Ok(promise) => JsFuture::from(promise).await.ok().and_then(|word| word.as_string()),
            Err(_) => None,
        };
        if answer.as_deref() != Some("granted") {
            let name = text(&handle, "name");
            return Some(format!("Not opened: the browser was not allowed to read {name}."));
        }
    }
    for handle in list.iter() {
        if let Err(err) = readable(&handle).await {
            let name = text(&handle, "name");
            return Some(match text(&err, "name").as_str() {
                "NotFoundError" => format!("Not opened: {name} was deleted, moved or renamed."),
                _ => format!("Not opened: {name} cannot be read ({}).", text(&err, "message")),
            });
        }
    }
    None
}

fn permission(handle: &JsValue) -> Result<Promise, JsValue> {
    let options = Object::new();
    Reflect::set(&options, &"mode".into(), &"read".into())?;
    let ask: Function = Reflect::get(handle, &"requestPermission".into())?.dyn_into()?;
    ask.call1(handle, &options)?.dyn_into()
}

async fn readable(handle: &JsValue) -> Result<(), JsValue> {
    let promise: Promise = if text(handle, "kind") == "file" {
        method(handle, "getFile")?.unchecked_into()
    } else {
        method(&method(handle, "values")?, "next")?.unchecked_into()
    };
    JsFuture::from(promise).await.map(drop)
}

fn method(object: &JsValue, name: &str) -> Result<JsValue, JsValue> {
    Reflect::get(object, &name.into())?.dyn_into::<Function>()?.call0(object)
}

/// Whether the browser has pickers that give out handles; the inputs "Open files" and "Open folder" give none.
pub fn has_pickers() -> bool {
    Reflect::has(&js_sys::global(), &"showOpenFilePicker".into()).unwrap_or(false)
}

/// Has somebody pick a folder or files; none when the picker was closed. Must begin within a click.
pub async fn pick(is_folder: bool) -> Handles {
    let asked = || -> Result<Promise, JsValue> {
        let options = Object::new();
        Reflect::set(&options, &"multiple".into(), &(!is_folder).into())?;
        let name = if is_folder { "showDirectoryPicker" } else { "showOpenFilePicker" };
        let global = js_sys::global();
        let show: Function = Reflect::get(&global, &name.into())?.dyn_into()?;
        show.call1(&global, &options)?.dyn_into()
    };
    // Closing the picker is a refusal.
    let picked = match asked() {
        Ok(promise) => JsFuture::from(promise).await.ok(),
        Err(_) => None,
    };
    match picked {
        Some(one) if is_folder => Handles::of_list(&Array::of1(&one)),
        Some(list) => Handles::of_list(list.unchecked_ref()),
        None => Handles::default(),
    }
}
