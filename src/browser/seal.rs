//! Sealed reports: `scripts/page/seal.js` reads the dialog and puts results into the page's own file.

use super::Error;
use super::restart::page;
use js_sys::{Array, Function, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;

const WANTED: &str = "saving as HTML";

/// What the fields of the dialog say, as JSON.
///
/// # Errors
/// When the host does not have the file that a sealed report is made of.
pub async fn seal_form() -> Result<String, Error> {
    let form = call("sealForm", &Array::new());
    let form = form.map(|form| JsFuture::from(form.unchecked_into::<Promise>()));
    let form = match form {
        Ok(form) => form.await,
        Err(err) => Err(err),
    };
    let form = form.map_err(|err| Error::thrown(WANTED, &err))?;
    Ok(form.as_string().unwrap_or_default())
}

/// Downloads the page's file with `block` in it, as `name`.
///
/// # Errors
/// When the browser gives out no memory or address for it.
pub fn save_sealed(block: &[u8], name: &str) -> Result<(), Error> {
    let arguments = Array::of2(&Uint8Array::from(block), &name.into());
    call("saveSealed", &arguments).map(drop).map_err(|err| Error::thrown(WANTED, &err))
}

fn call(name: &str, arguments: &Array) -> Result<JsValue, JsValue> {
    let page = page().unwrap_or_default();
    Reflect::get(&page, &name.into())?.dyn_into::<Function>()?.apply(&page, arguments)
}
