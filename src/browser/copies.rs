//! Copies of fetched results, kept by the browser so that a link opens when its server does not answer. They are
//! used for nothing else: whatever the server says is newer.

use super::memory::{MemoryState, memory_state};
use super::sequence::TurnQueue;
use futures_util::future::join_all;
use js_sys::{Array, Date};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, Cache, CacheStorage, File, Headers, Request, Response, ResponseInit};

/// Copies are kept under this name and the page's folder.
pub(super) const PREFIX: &str = "evalglass-results:";

const MAX_FILE_BYTES: f64 = 32e6;
const MAX_TOTAL_BYTES: f64 = 256e6;

thread_local! {
    /// Each reads what the one before has written.
    static TURNS: TurnQueue = TurnQueue::default();
}

/// The copies of one page.
#[derive(Clone)]
pub struct Copies {
    name: String,
}

/// Where caches are kept; `None` where there are none, as for pages from disk and hosts without https, and
/// where the browser forbids it.
pub(super) fn cache_store() -> Option<CacheStorage> {
    let window = web_sys::window()?;
    let caches = window.is_secure_context().then(|| window.caches().ok()).flatten()?;
    (!caches.is_undefined()).then_some(caches)
}

impl Copies {
    /// Those of the page in `folder`; `None` where the browser keeps none, or may keep none.
    pub(super) fn of(folder: &str) -> Option<Self> {
        cache_store().filter(|_| memory_state() == MemoryState::On)?;
        let path = super::hosted::resolve(folder, folder)?.pathname;
        Some(Self { name: format!("{PREFIX}{path}") })
    }

    /// Keeps `content`, sometime. A full disk keeps nothing, and that is all.
    pub(super) fn put(&self, address: &str, content: &File) {
        let (copies, address, content) = (self.clone(), address.to_owned(), content.clone());
        spawn_local(async move {
            let _turn = TURNS.with(Clone::clone).next().await;
            let _ = copies.write(&address, &content).await;
        });
    }

    async fn write(&self, address: &str, content: &File) -> Result<(), JsValue> {
        let cache = self.open().await?;
        // The switch may have been turned meanwhile.
        if content.size() > MAX_FILE_BYTES || memory_state() != MemoryState::On {
            return Ok(());
        }
        let headers = Headers::new()?;
        headers.set("content-length", &content.size().to_string())?;
        headers.set("date", &String::from(Date::new_0().to_utc_string()))?;
        let init = ResponseInit::new();
        init.set_headers(&headers);
        let copy = Response::new_with_opt_blob_and_init(Some(content), &init)?;
        JsFuture::from(cache.put_with_str(address, &copy)).await?;
        // In the order in which they were put.
        let held = join_all(requests(&cache).await?.into_iter().map(|request| async {
            let n_bytes = n_bytes(&cache, &request).await;
            (request, n_bytes)
        }))
        .await;
        let mut total: f64 = held.iter().map(|(_, n_bytes)| n_bytes).sum();
        for (request, n_bytes) in held {
            if total <= MAX_TOTAL_BYTES {
                break;
            }
            total -= n_bytes;
            JsFuture::from(cache.delete_with_request(&request)).await?;
        }
        Ok(())
    }

    /// The copy of `address`, and when it was made.
    pub(super) async fn get(&self, address: &str) -> Option<(Blob, String)> {
        let cache = self.open().await.ok()?;
        let found = JsFuture::from(cache.match_with_str(address)).await.ok()?;
        let copy: Response = found.dyn_into().ok()?;
        let date = copy.headers().get("date").ok().flatten()?;
        let date = Date::new(&date.into());
        let content = JsFuture::from(copy.blob().ok()?).await.ok()?;
        (!date.get_time().is_nan())
            .then(|| (content.unchecked_into(), String::from(date.to_iso_string())))
    }

    async fn open(&self) -> Result<Cache, JsValue> {
        open(&self.name).await
    }
}

async fn open(name: &str) -> Result<Cache, JsValue> {
    let store = cache_store().ok_or("no caches")?;
    Ok(JsFuture::from(store.open(name)).await?.unchecked_into())
}

async fn requests(cache: &Cache) -> Result<Vec<Request>, JsValue> {
    let requests: Array = JsFuture::from(cache.keys()).await?.unchecked_into();
    Ok(requests.iter().map(JsValue::unchecked_into).collect())
}

async fn n_bytes(cache: &Cache, request: &Request) -> f64 {
    let found = JsFuture::from(cache.match_with_request(request)).await;
    let copy: Option<Response> = found.ok().and_then(|copy| copy.dyn_into().ok());
    let length = copy.and_then(|copy| copy.headers().get("content-length").ok().flatten());
    length.and_then(|length| length.parse().ok()).unwrap_or_default()
}

/// Names of caches that begin with `prefix`.
async fn names(prefix: &str) -> Vec<String> {
    let Some(store) = cache_store() else { return Vec::new() };
    let names = JsFuture::from(store.keys()).await.map(JsValue::unchecked_into::<Array>);
    let names = names.unwrap_or_default();
    names
        .iter()
        .filter_map(|name| name.as_string())
        .filter(|name| name.starts_with(prefix))
        .collect()
}

/// How many copies are kept, and how many bytes they have.
pub(super) async fn held() -> (usize, f64) {
    let (mut n_files, mut total) = (0, 0.0);
    for name in names(PREFIX).await {
        let Ok(cache) = open(&name).await else { continue };
        for request in requests(&cache).await.unwrap_or_default() {
            n_files += 1;
            total += n_bytes(&cache, &request).await;
        }
    }
    (n_files, total)
}

/// Forgets every copy.
pub async fn forget_results() {
    let Some(store) = cache_store() else { return };
    for name in names(PREFIX).await {
        // What cannot be deleted stays listed.
        let _ = JsFuture::from(store.delete(&name)).await;
    }
}

/// Whether the page itself is kept for visits without a network (`scripts/page/sw.js`).
pub(super) async fn keeps_page() -> bool {
    !names("evalglass:").await.is_empty()
}
