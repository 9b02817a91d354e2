//! Bytes of a file: of one that the browser has, or of one that stays on its server.
//!
//! For the latter stands a small file of the type [`REMOTE`], whose JSON says where it lies (`src/hosting/remote.rs`).

use evalglass_sql::file_store::FileBytes;
use futures::channel::oneshot::{Receiver, channel};
use futures::future::{BoxFuture, FutureExt as _, ready};
use js_sys::{JSON, Reflect, Uint8Array};
use send_wrapper::SendWrapper;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, FileReaderSync, XmlHttpRequest, XmlHttpRequestResponseType};

/// Type of the files that stand for one on a server.
const REMOTE: &str = "application/vnd.evalglass.remote+json";

thread_local! {
    /// Bytes and requests that servers were asked for.
    static FETCHED: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
    /// Bytes that servers may still be asked for; `None`: that was not enough.
    static LEFT: Cell<Option<u64>> = const { Cell::new(Some(u64::MAX)) };
    /// Requests that are on their way.
    static ON_THE_WAY: Cell<u64> = const { Cell::new(0) };
    /// Called after each that has come back.
    static ARRIVED: RefCell<Option<Rc<dyn Fn()>>> = const { RefCell::new(None) };
}

/// Has `arrived` called whenever a server has answered, well or badly.
pub fn on_arrival(arrived: impl Fn() + 'static) {
    ARRIVED.set(Some(Rc::new(arrived)));
}

/// Requests that are on their way.
pub fn n_on_the_way() -> u64 {
    ON_THE_WAY.get()
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

/// A file of the page.
pub struct PageFile(SendWrapper<Source>);

enum Source {
    /// One that the browser has.
    Local(Blob),
    /// One on a server.
    Remote(Rc<Remote>),
}

struct Remote {
    url: String,
    n_bytes: u64,
    /// Whether its server is that of the page.
    is_here: bool,
    /// Header that changes with the content, and its value.
    validator: Option<(String, String)>,
}

impl PageFile {
    /// What `blob` is, or stands for.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of(blob: Blob) -> Result<Self, String> {
        if blob.type_() != REMOTE {
            return Ok(Self(SendWrapper::new(Source::Local(blob))));
        }
        let text = String::from_utf8(slice(&blob, 0..blob.size() as u64)?)
            .map_err(|err| err.to_string())?;
        let said = JSON::parse(&text).map_err(words)?;
        let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).unwrap_or_default();
        let validator = get(&said, "validator");
        let pair = (get(&validator, "0").as_string(), get(&validator, "1").as_string());
        Ok(Self(SendWrapper::new(Source::Remote(Rc::new(Remote {
            url: get(&said, "url").as_string().unwrap_or_default(),
            n_bytes: get(&said, "size").as_f64().unwrap_or_default() as u64,
            is_here: get(&said, "isHere").is_truthy(),
            validator: pair.0.zip(pair.1),
        })))))
    }

    /// Whether it stays on its server.
    pub fn is_remote(&self) -> bool {
        matches!(&*self.0, Source::Remote(_))
    }
}

impl FileBytes for PageFile {
    fn n_bytes(&self) -> u64 {
        match &*self.0 {
            Source::Local(blob) => blob.size() as u64,
            Source::Remote(remote) => remote.n_bytes,
        }
    }

    fn read(&self, range: Range<u64>) -> BoxFuture<'static, Result<Vec<u8>, String>> {
        match &*self.0 {
            Source::Local(blob) => ready(slice(blob, range)).boxed(),
            Source::Remote(remote) => match fetch(remote, range) {
                Ok(coming) => coming
                    .map(|come| come.unwrap_or_else(|_| Err("its request was given up".to_owned())))
                    .boxed(),
                Err(why) => ready(Err(why)).boxed(),
            },
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

/// Asks the server for `range`.
fn fetch(
    remote: &Rc<Remote>,
    range: Range<u64>,
) -> Result<Receiver<Result<Vec<u8>, String>>, String> {
    let left = LEFT.get().and_then(|left| left.checked_sub(range.end - range.start));
    LEFT.set(left);
    if left.is_none() {
        return Err("more bytes are needed than were allowed".to_owned());
    }
    let request = XmlHttpRequest::new().map_err(words)?;
    request.open_with_async("GET", &remote.url, true).map_err(words)?;
    request.set_response_type(XmlHttpRequestResponseType::Arraybuffer);
    let last = range.end.saturating_sub(1);
    request.set_request_header("Range", &format!("bytes={}-{last}", range.start)).map_err(words)?;
    if remote.is_here {
        // A cache that joins old parts with new ones would hide that the file has changed.
        request.set_request_header("Cache-Control", "no-cache").map_err(words)?;
    }
    let (tell, coming) = channel();
    let (own, remote) = (request.clone(), Rc::clone(remote));
    let ended = Closure::once_into_js(move || {
        ON_THE_WAY.set(ON_THE_WAY.get() - 1);
        // Who asked may have gone.
        let _ = tell.send(received(&own, &remote, &range));
        if let Some(arrived) = ARRIVED.with_borrow(Option::clone) {
            arrived();
        }
    });
    request.set_onloadend(Some(ended.unchecked_ref()));
    request.send().map_err(words)?;
    ON_THE_WAY.set(ON_THE_WAY.get() + 1);
    Ok(coming)
}

/// What has come of `request`, which has ended.
fn received(
    request: &XmlHttpRequest,
    remote: &Remote,
    range: &Range<u64>,
) -> Result<Vec<u8>, String> {
    let header = |name: &str| request.get_response_header(name).ok().flatten();
    let whole = format!("bytes {}-{}/{}", range.start, range.end.saturating_sub(1), remote.n_bytes);
    let validator = remote.validator.as_ref();
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
        0 => Err("its server could not be reached".to_owned()),
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
