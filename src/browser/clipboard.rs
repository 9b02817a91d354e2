//! The clipboard.

use super::Error;
use wasm_bindgen_futures::JsFuture;

const WANTED: &str = "copying to the clipboard";

/// Puts `text` on the clipboard.
///
/// # Errors
/// When the page may not write there: no secure origin, or the reader said no.
pub async fn copy(text: &str) -> Result<(), Error> {
    let window = web_sys::window().ok_or_else(|| Error::because(WANTED, "there is no window"))?;
    let clipboard = window.navigator().clipboard();
    if clipboard.is_undefined() {
        return Err(Error::because(WANTED, "the browser allows it on secure pages only"));
    }
    JsFuture::from(clipboard.write_text(text))
        .await
        .map(|_done| ())
        .map_err(|err| Error::thrown(WANTED, &err))
}
