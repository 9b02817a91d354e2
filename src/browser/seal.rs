//! The page as one file, of which sealed reports are made. It is some megabytes of text, which stay where the
//! browser has them.

use super::Error;
use super::download::save;
use super::hosted::part;
use super::restart::left_text;
use js_sys::{Array, JsString, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, BlobPropertyBag};

const WANTED: &str = "saving as HTML";

/// What the sealed report lacks that this page is: left under this name.
pub(super) const LEFT_OUT: &str = "sealedWithout";

/// The page as one file.
pub struct PageFile(JsString);

impl PageFile {
    /// The file; empty where the host does not have it.
    ///
    /// # Errors
    /// When fetching it stopped.
    pub async fn fetch() -> Result<Self, Error> {
        let file = part("file", &JsValue::UNDEFINED).await;
        let file = file.map_err(|err| Error::thrown(WANTED, &err))?;
        Ok(Self(file.unchecked_into()))
    }

    /// Whether `text` stands in it.
    pub fn holds(&self, text: &str) -> bool {
        self.0.includes(text, 0)
    }

    /// The file without what begins with `start` and ends with `end`.
    pub fn without(self, start: &str, end: &str) -> Self {
        let begin = self.0.index_of(start, 0);
        let finish = if begin < 0 { -1 } else { self.0.index_of(end, begin) };
        if finish < 0 {
            return self;
        }
        let (begin, finish) = (begin as u32, finish as u32 + JsString::from(end).length());
        Self(self.0.slice(0, begin).concat(&self.0.slice(finish, self.0.length())))
    }

    /// How many bytes it has.
    pub fn n_bytes(&self) -> u64 {
        Blob::new_with_str_sequence(&Array::of1(&self.0)).map_or(0, |blob| blob.size() as u64)
    }

    /// Downloads it as `name`, with `block` in it before `next`.
    ///
    /// # Errors
    /// When the browser gives out no memory or address for it.
    pub fn save_with(&self, next: &str, block: &[u8], name: &str) -> Result<(), Error> {
        let at = self.0.index_of(next, 0).max(0) as u32;
        let (head, rest) = (self.0.slice(0, at), self.0.slice(at, self.0.length()));
        let options = BlobPropertyBag::new();
        options.set_type("text/html");
        let parts = Array::of3(&head, &Uint8Array::from(block), &rest);
        let blob = Blob::new_with_blob_sequence_and_options(&parts, &options);
        save(name, &blob.map_err(|err| Error::thrown(WANTED, &err))?)
    }
}

/// What the sealed report lacks that this page is; empty when it is none.
pub fn sealed_without() -> String {
    left_text(LEFT_OUT).unwrap_or_default()
}
