//! Hands a file to the user.

use super::Error;
use super::clock::later;
use super::document::document;
use wasm_bindgen::JsCast as _;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

const WANTED: &str = "writing a download";

/// How long the browser may take to begin with the download, in milliseconds.
const KEPT_MS: u32 = 60_000;

/// Downloads `bytes` as a file called `name`.
///
/// # Errors
/// When the browser gives out no memory or address for it.
pub fn download(name: &str, mime: &str, bytes: &[u8]) -> Result<(), Error> {
    let thrown = |err| Error::thrown(WANTED, &err);
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let options = BlobPropertyBag::new();
    options.set_type(mime);
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &options).map_err(thrown)?;
    save(name, &blob)
}

/// Downloads `blob` as a file called `name`.
///
/// # Errors
/// When the browser gives out no address for it.
pub(super) fn save(name: &str, blob: &Blob) -> Result<(), Error> {
    let thrown = |err| Error::thrown(WANTED, &err);
    let url = Url::create_object_url_with_blob(blob).map_err(thrown)?;
    let document = document().ok_or_else(|| Error::because(WANTED, "there is no document"))?;
    let anchor = document.create_element("a").map_err(thrown)?;
    if let Some(anchor) = anchor.dyn_ref::<HtmlAnchorElement>() {
        anchor.set_href(&url);
        anchor.set_download(name);
        anchor.click();
    }
    later(KEPT_MS, move || {
        // Only an address that was never given out fails.
        let _ = Url::revoke_object_url(&url);
    });
    Ok(())
}
