//! Bytes of a file: of one that the browser has, or of one that stays on its server.
//!
//! For the latter stands a small file of the type [`REMOTE`], whose JSON says where it lies (`src/hosting/remote.rs`).

use js_sys::{JSON, Reflect, Uint8Array};
use std::cell::Cell;
use std::ops::Range;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, FileReaderSync, XmlHttpRequest, XmlHttpRequestResponseType};

/// Type of the files that stand for one on a server.
const REMOTE: &str = "application/vnd.evalglass.remote+json";

thread_local! {
    /// Bytes and requests that servers were asked for.
    static FETCHED: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
    /// Bytes that servers may still be asked for; `None`: that was not enough.
    static LEFT: Cell<Option<u64>> = const { Cell::new(Some(u64::MAX)) };
}

/// Lets `n` bytes be fetched from now on.
pub fn allow(n: u64) {
    LEFT.set(Some(n));
}

/// Whether more was wanted than was allowed.
pub fn is_spent() -> bool {
    LEFT.get().is_none()
}

/// Bytes and requests that servers were asked for so far.
pub fn fetched() -> (u64, u64) {
    FETCHED.get()
}

/// A file.
pub enum Source {
    /// One that the browser has.
    Local(Blob),
    /// One on a server.
    Remote {
        /// Its address.
        url: String,
        /// Its bytes.
        size: u64,
        /// Whether its server is that of the page.
        is_here: bool,
        /// Header that changes with the content, and its value.
        validator: Option<(String, String)>,
    },
}

impl Source {
    /// What `blob` is, or stands for.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of(blob: Blob) -> Result<Self, String> {
        if blob.type_() != REMOTE {
            return Ok(Self::Local(blob));
        }
        let text = String::from_utf8(slice(&blob, 0..blob.size() as u64)?)
            .map_err(|err| err.to_string())?;
        let said = JSON::parse(&text).map_err(words)?;
        let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).unwrap_or_default();
        let validator = get(&said, "validator");
        let pair = (get(&validator, "0").as_string(), get(&validator, "1").as_string());
        Ok(Self::Remote {
            url: get(&said, "url").as_string().unwrap_or_default(),
            size: get(&said, "size").as_f64().unwrap_or_default() as u64,
            is_here: get(&said, "isHere").is_truthy(),
            validator: pair.0.zip(pair.1),
        })
    }

    /// Its bytes in all.
    pub fn len(&self) -> u64 {
        match self {
            Self::Local(blob) => blob.size() as u64,
            Self::Remote { size, .. } => *size,
        }
    }

    /// The bytes of `range`.
    ///
    /// # Errors
    /// When they cannot be read: the file is gone, has changed, or its server answers no ranges.
    pub fn read(&self, range: Range<u64>) -> Result<Vec<u8>, String> {
        match self {
            Self::Local(blob) => slice(blob, range),
            Self::Remote { url, size, is_here, validator } => {
                fetch(url, *size, range, *is_here, validator.as_ref())
            }
        }
    }
}

fn slice(blob: &Blob, range: Range<u64>) -> Result<Vec<u8>, String> {
    let wanted = range.end - range.start;
    let part = blob.slice_with_f64_and_f64(range.start as f64, range.end as f64).map_err(words)?;
    let buffer = FileReaderSync::new().and_then(|reader| reader.read_as_array_buffer(&part));
    let bytes = Uint8Array::new(&buffer.map_err(words)?.into()).to_vec();
    if bytes.len() as u64 == wanted {
        Ok(bytes)
    } else {
        Err("the file has become shorter".to_owned())
    }
}

fn fetch(
    url: &str,
    size: u64,
    range: Range<u64>,
    is_here: bool,
    validator: Option<&(String, String)>,
) -> Result<Vec<u8>, String> {
    let left = LEFT.get().and_then(|left| left.checked_sub(range.end - range.start));
    LEFT.set(left);
    if left.is_none() {
        return Err("more bytes are needed than were allowed".to_owned());
    }
    let request = XmlHttpRequest::new().map_err(words)?;
    request.open_with_async("GET", url, false).map_err(words)?;
    request.set_response_type(XmlHttpRequestResponseType::Arraybuffer);
    let last = range.end.saturating_sub(1);
    request.set_request_header("Range", &format!("bytes={}-{last}", range.start)).map_err(words)?;
    if is_here {
        // A cache that joins old parts with new ones would hide that the file has changed.
        request.set_request_header("Cache-Control", "no-cache").map_err(words)?;
    }
    request.send().map_err(words)?;
    let header = |name: &str| request.get_response_header(name).ok().flatten();
    let whole = format!("bytes {}-{last}/{size}", range.start);
    let is_other = validator.is_some_and(|(name, value)| header(name).as_ref() != Some(value));
    let is_elsewhere = header("Content-Range").is_some_and(|found| found != whole);
    match request.status().map_err(words)? {
        200 | 206 if is_other || is_elsewhere => {
            Err("it has changed since it was opened; open it again".to_owned())
        }
        206 => {
            let bytes = Uint8Array::new(&request.response().map_err(words)?).to_vec();
            FETCHED.set((FETCHED.get().0 + bytes.len() as u64, FETCHED.get().1 + 1));
            let wanted = range.end - range.start;
            if bytes.len() as u64 == wanted {
                Ok(bytes)
            } else {
                Err(format!("received {} of {wanted} bytes", bytes.len()))
            }
        }
        200 => Err("the server no longer answers range requests".to_owned()),
        status => Err(format!("it answers {status}")),
    }
}

/// What was thrown, in words.
pub fn words(thrown: JsValue) -> String {
    let message = Reflect::get(&thrown, &"message".into()).ok().and_then(|text| text.as_string());
    message.or_else(|| thrown.as_string()).unwrap_or_else(|| {
        thrown
            .dyn_ref::<js_sys::Object>()
            .map_or_else(|| "unknown".to_owned(), |it| String::from(it.to_string()))
    })
}
