//! Pictures of charts.

use super::Error;
use super::document::document;
use super::download::save;
use js_sys::Promise;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement, Url,
};

const WANTED: &str = "drawing a picture";

/// Pixels of the picture for one of the chart.
const SCALE: u32 = 2;

/// Downloads the SVG document `svg` as a PNG called `name`.
///
/// # Errors
/// When the browser cannot draw it, or gives out no memory for it.
pub async fn save_png(svg: &str, name: &str) -> Result<(), Error> {
    let blob = png(svg).await.map_err(|err| Error::thrown(WANTED, &err))?;
    save(name, &blob)
}

async fn png(svg: &str) -> Result<Blob, JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type("image/svg+xml");
    let parts = js_sys::Array::of1(&svg.into());
    let url = Url::create_object_url_with_blob(&Blob::new_with_str_sequence_and_options(
        &parts, &options,
    )?)?;
    let drawn = drawn(&url).await;
    Url::revoke_object_url(&url)?;
    let canvas = drawn?;
    let promise = Promise::new(&mut |done, _failed| {
        let give = Closure::once_into_js(move |blob: JsValue| done.call1(&JsValue::NULL, &blob));
        // What it throws comes as no blob.
        let _ = canvas.to_blob(give.unchecked_ref());
    });
    JsFuture::from(promise).await?.dyn_into()
}

/// The picture at `url`, on a canvas.
async fn drawn(url: &str) -> Result<HtmlCanvasElement, JsValue> {
    let image = HtmlImageElement::new()?;
    image.set_src(url);
    JsFuture::from(image.decode()).await?;
    let document = document().ok_or("there is no document")?;
    let canvas: HtmlCanvasElement = document.create_element("canvas")?.dyn_into()?;
    canvas.set_width(image.width() * SCALE);
    canvas.set_height(image.height() * SCALE);
    let context = canvas.get_context("2d")?.ok_or("there is no canvas")?;
    let context: CanvasRenderingContext2d = context.dyn_into()?;
    let (width, height) = (f64::from(canvas.width()), f64::from(canvas.height()));
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height)?;
    Ok(canvas)
}
