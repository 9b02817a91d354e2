//! What outlives the program: when it stops, `scripts/page/boot.js` says why and starts it anew, and the
//! new program opens again what the old one had opened.

use super::event_loop::Slice;
use super::handles::Handles;
use super::pick::{AT_ONCE, Picked, PickedFile};
use js_sys::{Array, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::Worker;

/// Has every panic written to the console, and kept for the reader to see.
pub fn keep_panics() {
    console_error_panic_hook::set_once();
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        print(info);
        share("reason", &info.to_string().into());
    }));
}

/// Keeps what is being opened as number `drop`; in slices, and not before all of it is gathered.
pub async fn keep_opened(drop: u32, all: Vec<PickedFile>, left_out: Vec<(String, u64)>) {
    let Some(opened) = kept("opened") else { return };
    let (files, pruned, slice) = (Array::new(), Array::new(), Slice::begin());
    for (nth, PickedFile { path, file }) in all.into_iter().enumerate() {
        files.push(&Array::of2(&path.as_str().into(), &file));
        if nth % AT_ONCE == AT_ONCE - 1 {
            slice.breathe().await;
        }
    }
    for (folder, n_files) in left_out {
        pruned.push(&Array::of2(&folder.as_str().into(), &JsValue::from_f64(n_files as f64)));
    }
    opened.unchecked_into::<Array>().push(&Array::of3(&files, &pruned, &drop.into()));
}

/// Puts files of what was opened as number `drop` in the place of those with the same paths: older ones
/// cannot be read once they have changed.
pub fn keep_again(drop: u32, files: &[PickedFile]) {
    let Some(opened) = kept("opened") else { return };
    let opened: Array = opened.unchecked_into();
    let is_it =
        |one: &JsValue| one.unchecked_ref::<Array>().get(2).as_f64() == Some(f64::from(drop));
    let Some(one) = opened.iter().find(is_it) else { return };
    let known: Array = one.unchecked_into::<Array>().get(0).unchecked_into();
    for PickedFile { path, file } in files {
        let path = JsValue::from_str(path);
        let has_path = |pair: &JsValue| pair.unchecked_ref::<Array>().get(0) == path;
        match known.iter().find(has_path) {
            Some(pair) => pair.unchecked_into::<Array>().set(1, file.into()),
            None => {
                known.push(&Array::of2(&path, file));
            }
        }
    }
}

/// Forgets what was opened.
pub fn forget_opened() {
    share("opened", &Array::new());
}

/// What the program before this one had opened, in order; it is forgotten by asking.
pub fn opened_before() -> Vec<Picked> {
    let Some(opened) = kept("opened") else { return Vec::new() };
    let opened = opened.unchecked_into::<Array>();
    let drops = opened.iter().map(|drop| drop_of(&drop)).collect();
    opened.set_length(0);
    drops
}

/// The workspace's worker as `scripts/page/boot.js` has started it, before this program ran.
pub struct EarlyWorker {
    /// The worker.
    pub worker: Worker,
    /// What it is called.
    pub name: String,
    /// The messages that it has posted, in their order.
    pub messages: Vec<JsValue>,
}

/// That worker, for the first that asks. `None`: there is none any more, or it has failed.
pub fn take_early_worker() -> Option<EarlyWorker> {
    let early = kept("early")?;
    share("early", &JsValue::NULL);
    let get = |name: &str| Reflect::get(&early, &name.into()).ok();
    Some(EarlyWorker {
        worker: get("worker")?.dyn_into().ok()?,
        name: get("name")?.as_string()?,
        messages: get("messages")?.dyn_into::<Array>().ok()?.iter().collect(),
    })
}

/// What was dropped before this program ran, a list with `{ handle, entry, file }` of each thing; from now on drops are heard
/// by the program. `None` for the second that asks.
pub(super) fn take_dropped() -> Option<Array> {
    let dropped = kept("dropped")?.dyn_into().ok()?;
    share("dropped", &JsValue::NULL);
    Some(dropped)
}

/// Lets a restart end this worker.
pub fn keep_worker(worker: &Worker) {
    share("worker", worker);
}

/// What `[[[path, file], …], [[folder, n_files], …]]` says.
fn drop_of(drop: &JsValue) -> Picked {
    let pairs = |list: JsValue| -> Vec<(String, JsValue)> {
        let pair = |pair: JsValue| {
            let pair: Array = pair.unchecked_into();
            (pair.get(0).as_string().unwrap_or_default(), pair.get(1))
        };
        list.unchecked_into::<Array>().iter().map(pair).collect()
    };
    let drop: &Array = drop.unchecked_ref();
    let files = pairs(drop.get(0));
    let pruned = pairs(drop.get(1));
    Picked {
        files: files
            .into_iter()
            .map(|(path, file)| PickedFile { path, file: file.unchecked_into() })
            .collect(),
        pruned: pruned
            .into_iter()
            .map(|(folder, n)| (folder, n.as_f64().unwrap_or_default() as u64))
            .collect(),
        ..Picked::default()
    }
}

/// What `scripts/page/boot.js` and the program share.
pub(super) fn page() -> Option<JsValue> {
    let page = Reflect::get(&js_sys::global(), &"evalglass".into()).ok()?;
    page.is_object().then_some(page)
}

/// The parts that the page came with: `scripts/page/{beside,inside}.js`.
pub(super) fn parts() -> Option<JsValue> {
    kept("parts")
}

/// The text that a program before this one has left as `name`.
pub fn left_text(name: &str) -> Option<String> {
    Reflect::get(&page()?, &name.into()).ok()?.as_string()
}

/// Leaves a text for a program that is started after this one.
pub fn leave_text(name: &str, text: &str) {
    share(name, &text.into());
}

/// Lets tests open or list handles as `evalglass[name](handles)`: the browser gives out none for what they drop.
pub fn on_hook(name: &str, called: impl Fn(Handles) + 'static) {
    let hook = Closure::<dyn Fn(Array)>::new(move |list: Array| called(Handles::of_list(&list)));
    share(name, hook.as_ref());
    hook.forget();
}

/// What they and the program share as `name`.
pub(super) fn kept(name: &str) -> Option<JsValue> {
    Reflect::get(&page()?, &name.into()).ok().filter(JsValue::is_object)
}

/// Lets `scripts/page/boot.js` and its like see `value` as `name`.
pub(super) fn share(name: &str, value: &JsValue) {
    if let Some(page) = page() {
        // Fails for no plain object.
        let _ = Reflect::set(&page, &name.into(), value);
    }
}
