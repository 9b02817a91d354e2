//! Pictures of charts, which `scripts/page/boot.js` makes.

use super::restart::page;
use js_sys::{Function, Reflect};
use wasm_bindgen::JsCast as _;

/// Downloads the SVG document `svg` as a PNG called `name`.
pub fn save_png(svg: &str, name: &str) {
    let Some(page) = page() else { return };
    let save = Reflect::get(&page, &"savePng".into()).ok();
    if let Some(save) = save.and_then(|save| save.dyn_into::<Function>().ok()) {
        // What goes wrong there is a rejected promise, which the console shows.
        let _ = save.call2(&page, &svg.into(), &name.into());
    }
}
