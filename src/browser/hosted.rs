//! What comes with the page rather than from its user: what the address names, sample results, the worker's program.

use super::Error;
use super::copies::Copies;
use super::pick::{Picked, PickedFile};
use super::restart::{page, parts};
use crate::hosting::{FetchLimits, Headers, Host, HostAnswer, RemoteFile, Session, WebAddress};
use crate::input::Progress;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, AbortSignal, Blob, File, FilePropertyBag, ReadableStream,
    ReadableStreamDefaultReader, ReferrerPolicy, RequestCache, RequestInit, Response, Url,
    UrlSearchParams,
};

const WANTED: &str = "fetching results";

/// Ends a session of fetching.
#[derive(Clone)]
pub struct SessionStop(AbortController);

impl SessionStop {
    /// Ends it.
    pub fn stop(&self) {
        self.0.abort();
    }
}

/// The page's way to fetch.
pub struct Net {
    signal: Option<AbortSignal>,
    copies: Option<Copies>,
    on_progress: Box<dyn Fn(Progress)>,
}

/// The page's address, without what it asks for.
pub fn base() -> Option<WebAddress> {
    let here = here()?;
    let base = here.href.split('?').next().unwrap_or_default();
    resolve(base, base)
}

/// The page's address, without the view.
pub fn here() -> Option<WebAddress> {
    let href = web_sys::window()?.location().href().ok()?;
    resolve(&href, &href)
}

/// Reads an address, seen from another one.
pub fn resolve(text: &str, from: &str) -> Option<WebAddress> {
    let url = Url::new_with_base(text, from).ok()?;
    url.set_hash("");
    Some(WebAddress {
        href: url.href(),
        origin: url.origin(),
        protocol: url.protocol(),
        host: url.host(),
        pathname: url.pathname(),
        search: url.search(),
        has_login: !(url.username().is_empty() && url.password().is_empty()),
    })
}

/// What the address names with `?src=`.
pub fn asked_sources() -> Vec<String> {
    let search = web_sys::window().and_then(|window| window.location().search().ok());
    let params = UrlSearchParams::new_with_str(&search.unwrap_or_default());
    let all = params.map(|params| params.get_all("src")).unwrap_or_default();
    all.iter().filter_map(|one| one.as_string()).filter(|one| !one.is_empty()).collect()
}

/// A session of fetching, and what ends it; `None` where the page has no address.
pub fn fetching(
    on_progress: impl Fn(Progress) + 'static,
) -> Option<(Session<Net>, Option<SessionStop>)> {
    let base = base()?;
    let stop = AbortController::new().ok().map(SessionStop);
    let net = Net {
        signal: stop.as_ref().map(|SessionStop(controller)| controller.signal()),
        copies: Copies::of(base.folder()),
        on_progress: Box::new(on_progress),
    };
    let allows_others =
        super::document::root().is_some_and(|root| root.has_attribute("data-remote"));
    Some((Session::new(net, base, allows_others, FetchLimits::default()), stop))
}

/// What was found, as if it had been dropped; and the date of the oldest copy in it.
pub fn found_files(files: Vec<(String, File)>) -> Picked {
    let files = files.into_iter().map(|(path, file)| PickedFile { path, file }).collect();
    Picked { files, ..Picked::default() }
}

/// Content that is still to come, and what has come of it.
pub struct Coming {
    body: Option<ReadableStream>,
    reader: Option<ReadableStreamDefaultReader>,
    chunks: Array,
}

impl Host for Net {
    type Body = Coming;
    type File = File;

    fn resolve(&self, text: &str, from: &str) -> Option<WebAddress> {
        resolve(text, from)
    }

    async fn ask(&self, address: &str) -> Option<HostAnswer<Coming>> {
        let init = RequestInit::new();
        init.set_cache(RequestCache::NoCache);
        init.set_referrer_policy(ReferrerPolicy::NoReferrer);
        init.set_signal(self.signal.as_ref());
        let asked = web_sys::window()?.fetch_with_str_and_init(address, &init);
        let response: Response = JsFuture::from(asked).await.ok()?.dyn_into().ok()?;
        let header = |name: &str| response.headers().get(name).ok().flatten();
        let headers = Headers {
            content_type: header("content-type"),
            content_encoding: header("content-encoding"),
            content_length: header("content-length"),
            accept_ranges: header("accept-ranges"),
            etag: header("etag"),
            last_modified: header("last-modified"),
        };
        Some(HostAnswer {
            status: response.status(),
            status_text: response.status_text(),
            headers,
            body: Coming { body: response.body(), reader: None, chunks: Array::new() },
        })
    }

    async fn take(&self, coming: &mut Coming) -> Option<u64> {
        if coming.reader.is_none() {
            // No body is an empty one.
            let Some(body) = &coming.body else { return Some(0) };
            coming.reader = body.get_reader().dyn_into().ok();
        }
        let read = JsFuture::from(coming.reader.as_ref()?.read()).await.ok()?;
        if Reflect::get(&read, &"done".into()).ok()?.is_truthy() {
            return Some(0);
        }
        let chunk: Uint8Array = Reflect::get(&read, &"value".into()).ok()?.dyn_into().ok()?;
        coming.chunks.push(&chunk);
        Some(u64::from(chunk.length()))
    }

    async fn cancel(&self, coming: Coming) {
        let cancelled = match (&coming.reader, &coming.body) {
            (Some(reader), _) => reader.cancel(),
            (None, Some(body)) => body.cancel(),
            (None, None) => return,
        };
        // What is gone already need not be cancelled.
        let _ = JsFuture::from(cancelled).await;
    }

    fn file(&self, coming: Coming, name: &str, last_modified: Option<&str>) -> Option<File> {
        let options = FilePropertyBag::new();
        let millis = last_modified.map(js_sys::Date::parse).filter(|millis| millis.is_finite());
        options.set_last_modified(millis.unwrap_or_default());
        let file = File::new_with_u8_array_sequence_and_options(&coming.chunks, name, &options);
        file.ok()
    }

    fn remote(&self, place: &RemoteFile, name: &str) -> Option<File> {
        let options = FilePropertyBag::new();
        options.set_type(RemoteFile::TYPE);
        let text = serde_json::to_string(place).ok()?;
        let parts = Array::of1(&text.into());
        File::new_with_str_sequence_and_options(&parts, name, &options).ok()
    }

    fn is_remote(&self, file: &File) -> bool {
        file.type_() == RemoteFile::TYPE
    }

    fn size(&self, file: &File) -> u64 {
        file.size() as u64
    }

    async fn text(&self, file: &File) -> String {
        text_of(file).await.unwrap_or_default()
    }

    async fn copy(&self, address: &str, name: &str) -> Option<(File, String)> {
        let (content, date) = self.copies.as_ref()?.get(address).await?;
        let file = File::new_with_blob_sequence(&Array::of1(&content), name).ok()?;
        Some((file, date))
    }

    fn keep(&self, address: &str, file: &File) {
        if let Some(copies) = &self.copies {
            copies.put(address, file);
        }
    }

    fn is_stopped(&self) -> bool {
        self.signal.as_ref().is_some_and(AbortSignal::aborted)
    }

    fn tell(&self, n_done: u64, n_total: u64, name: &str) {
        (self.on_progress)(Progress { n_done, n_total, file: name.to_owned() });
    }
}

/// The text in `blob`.
pub(super) async fn text_of(blob: &Blob) -> Option<String> {
    JsFuture::from(blob.text()).await.ok()?.as_string()
}

/// The sample results, as if they had been dropped.
///
/// # Errors
/// When they cannot be fetched, or the page came without them.
pub async fn samples() -> Result<Picked, Error> {
    let thrown = |err: JsValue| Error::thrown(WANTED, &err);
    let samples = part("samples", &JsValue::UNDEFINED).await.map_err(thrown)?;
    let mut files = Vec::new();
    for pair in Object::entries(samples.unchecked_ref()).iter() {
        let pair: Array = pair.unchecked_into();
        let path = pair.get(0).as_string().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        let content = pair.get(1);
        let file = match Reflect::get(&content, &"base64".into()) {
            Ok(packed) if content.is_object() => {
                let bytes = BASE64_STANDARD.decode(packed.as_string().unwrap_or_default());
                let bytes = bytes.map_err(|err| Error::because(WANTED, err.to_string()))?;
                let bytes = Array::of1(&Uint8Array::from(bytes.as_slice()));
                File::new_with_u8_array_sequence(&bytes, name)
            }
            _ => File::new_with_str_sequence(&Array::of1(&content), name),
        };
        files.push(PickedFile { path: path.clone(), file: file.map_err(thrown)? });
    }
    Ok(Picked { files, ..Picked::default() })
}

/// What the part `name` of the page comes to (`scripts/page/`).
pub(super) async fn part(name: &str, argument: &JsValue) -> Result<JsValue, JsValue> {
    let parts = parts().ok_or("the page came without its parts")?;
    let give: Function = Reflect::get(&parts, &name.into())?.dyn_into()?;
    let promise: Promise = give.call1(&parts, argument)?.dyn_into()?;
    JsFuture::from(promise).await
}

/// Whether the page is one file, which can fetch nothing.
pub fn is_single() -> bool {
    let is_single = parts().and_then(|parts| Reflect::get(&parts, &"isSingle".into()).ok());
    is_single.is_some_and(|is_single| is_single.is_truthy())
}

/// Address of the part `name` of the page; `None` where the page comes without it.
pub(super) fn part_address(name: &str) -> Option<String> {
    Reflect::get(&parts()?, &name.into()).ok()?.as_string()
}

/// Address of the worker's program; `None` when the page was not started by `scripts/page/boot.js`.
pub fn worker_program() -> Option<String> {
    Reflect::get(&page()?, &"workerProgram".into()).ok()?.as_string()
}
