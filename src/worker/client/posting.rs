//! The worker started, and messages on their way to it: files go in such as are no long task of the page.

use super::READERS_SETTING;
use crate::browser::{PickedFile, Slice, n_cores, parameter, remembered, take_early_worker};
use crate::pool::Options;
use crate::worker::protocol::PATH_END;
use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::JsValue;
use web_sys::{Worker, WorkerOptions};

/// Files between two looks at the clock.
const AT_ONCE: usize = 16;

/// Posts the first of `files`, those that are left of request `id`, as many as a slice has time for; how
/// many. A message that cannot be posted is never answered; only a dead worker brings that about, and its
/// death is noticed.
pub(super) fn post_files(worker: &Worker, id: u64, files: &[PickedFile]) -> usize {
    let (mut paths, list, slice) = (String::new(), Array::new(), Slice::begin());
    for (nth, PickedFile { path, file }) in files.iter().enumerate() {
        if nth > 0 && nth % AT_ONCE == 0 && slice.is_over() {
            break;
        }
        if nth > 0 {
            paths.push(PATH_END);
        }
        paths.push_str(path);
        // The browser has to look at a file before it can be posted; this is where that takes its time.
        let _ = file.size();
        list.push(file);
    }
    let n_posted = list.length() as usize;
    let message = batch(id, &paths, &list, n_posted == files.len());
    // See above.
    let _ = message.and_then(|message| worker.post_message(&message));
    n_posted
}

/// `{ of, paths, files, isLast }`.
fn batch(id: u64, paths: &str, files: &Array, is_last: bool) -> Result<JsValue, JsValue> {
    let batch = Object::new();
    Reflect::set(&batch, &"of".into(), &(id as f64).into())?;
    Reflect::set(&batch, &"paths".into(), &paths.into())?;
    Reflect::set(&batch, &"files".into(), files)?;
    Reflect::set(&batch, &"isLast".into(), &is_last.into())?;
    Ok(batch.into())
}

/// Starts the worker, which hears by its name how many readers it may have; or takes over the one that the page has started
/// early under that name, with the messages that it has posted so far.
pub(super) fn start_worker(program: &str) -> Result<(Worker, Vec<JsValue>), JsValue> {
    let number = |text: Option<String>| text.and_then(|n| n.parse().ok());
    let wanted = number(parameter("readers")).or_else(|| number(remembered(READERS_SETTING)));
    let options = Options::new(n_cores(), wanted, parameter("trial"));
    let name = options.workspace();
    if let Some(early) = take_early_worker() {
        if early.name == name {
            return Ok((early.worker, early.messages));
        }
        early.worker.terminate();
    }
    let named = WorkerOptions::new();
    named.set_name(&name);
    Ok((Worker::new_with_options(program, &named)?, Vec::new()))
}

/// The message of what a script threw.
pub(super) fn thrown(value: &JsValue) -> String {
    let message = Reflect::get(value, &"message".into()).ok();
    message.and_then(|message| message.as_string()).unwrap_or_default()
}

/// `{ body, hasFiles }`.
pub(super) fn envelope(bytes: &[u8], has_files: bool) -> Result<JsValue, JsValue> {
    let envelope = Object::new();
    Reflect::set(&envelope, &"body".into(), &Uint8Array::from(bytes))?;
    Reflect::set(&envelope, &"hasFiles".into(), &has_files.into())?;
    Ok(envelope.into())
}
