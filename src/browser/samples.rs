//! The sample results that lie beside the page: the only thing that is ever fetched.

use super::Error;
use super::pick::{Picked, PickedFile};
use js_sys::{Array, JSON};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File, Response};

const WANTED: &str = "fetching the sample results";
const FOLDER: &str = "./samples/";

/// The files that `samples/manifest.json` lists.
///
/// # Errors
/// When one of them is not there: the host serves the page without its samples.
pub async fn samples() -> Result<Picked, Error> {
    let thrown = |err: JsValue| Error::thrown(WANTED, &err);
    let manifest = response(fetch("manifest.json")?).await?;
    let text = JsFuture::from(manifest.text().map_err(thrown)?).await.map_err(thrown)?;
    let paths = JSON::parse(&text.as_string().unwrap_or_default()).map_err(thrown)?;
    let paths: Vec<String> =
        Array::from(&paths).iter().filter_map(|path| path.as_string()).collect();
    let fetches = paths.iter().map(|path| fetch(path)).collect::<Result<Vec<_>, _>>()?;
    let mut picked = Picked::default();
    for (path, fetch) in paths.into_iter().zip(fetches) {
        let response = response(fetch).await?;
        let blob = JsFuture::from(response.blob().map_err(thrown)?).await.map_err(thrown)?;
        let parts = Array::of1(&blob.unchecked_into::<Blob>());
        let name = path.rsplit('/').next().unwrap_or_default();
        let file = File::new_with_blob_sequence(&parts, name).map_err(thrown)?;
        picked.files.push(PickedFile { path, file });
    }
    Ok(picked)
}

fn fetch(path: &str) -> Result<JsFuture, Error> {
    let window = web_sys::window().ok_or_else(|| Error::because(WANTED, "there is no window"))?;
    Ok(JsFuture::from(window.fetch_with_str(&format!("{FOLDER}{path}"))))
}

async fn response(fetch: JsFuture) -> Result<Response, Error> {
    let response = fetch.await.map_err(|err| Error::thrown(WANTED, &err))?;
    let response: Response = response.unchecked_into();
    if response.ok() {
        Ok(response)
    } else {
        Err(Error::because(WANTED, format!("{} {}", response.status(), response.url())))
    }
}
