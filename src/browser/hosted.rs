//! What comes with the page rather than from its reader: results that the address names, sample
//! results, the worker's program.
//!
//! `scripts/page/fetch.js` fetches, and `scripts/page/boot.js` hands it over as functions of the object
//! `evalglass`: a host, a saved file and a page from another origin each have their own way.

use super::Error;
use super::pick::Picked;
use super::restart::{drop_of, page};
use crate::input::Progress;
use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;

const WANTED: &str = "fetching results";

/// What is being fetched.
pub struct Fetching(Promise);

impl Fetching {
    /// Waits for it. There is no file when what was fetched was a gallery, which the page shows.
    ///
    /// # Errors
    /// When it could not be fetched. Of what the address names, the page then says so by itself.
    pub async fn picked(self) -> Result<Picked, Error> {
        let fetched = JsFuture::from(self.0).await.map_err(|err| Error::thrown(WANTED, &err))?;
        Ok(drop_of(&fetched))
    }
}

/// Begins to fetch what the address names with `?src=`, the first time it is asked. `None` when it
/// names nothing, or that is already here.
pub fn fetch_sources(on_progress: impl Fn(Progress) + 'static) -> Option<Fetching> {
    let on_progress =
        Closure::<dyn FnMut(f64, f64, String)>::new(move |n_done: f64, n_total: f64, file| {
            on_progress(Progress { n_done: n_done as u64, n_total: n_total as u64, file });
        });
    let fetching = fetching("sources", on_progress.as_ref());
    on_progress.forget();
    fetching
}

/// Begins to fetch the sample results. `None` where the page came without them.
pub fn fetch_samples() -> Option<Fetching> {
    fetching("samples", &JsValue::UNDEFINED)
}

/// Stops what is being fetched.
pub fn stop_fetching() {
    // Nothing to stop is nothing wrong.
    let _ = call("stop", &JsValue::UNDEFINED);
}

/// Address of the worker's program; `None` when the page was not started by `scripts/page/boot.js`.
pub fn worker_program() -> Option<String> {
    member("workerProgram")?.as_string()
}

fn fetching(name: &str, argument: &JsValue) -> Option<Fetching> {
    call(name, argument)?.dyn_into().ok().map(Fetching)
}

/// Calls a function of the scripts of the page; `None` when there is none, or it failed.
pub(super) fn call(name: &str, argument: &JsValue) -> Option<JsValue> {
    member(name)?.dyn_into::<Function>().ok()?.call1(&page()?, argument).ok()
}

fn member(name: &str) -> Option<JsValue> {
    Reflect::get(&page()?, &name.into()).ok()
}
