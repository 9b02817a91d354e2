//! The page when it is a sealed report: results lie in its own file, are opened at once, and may be all that it
//! opens. `docs/sealed.md` has the block's attributes.

use super::document::{element, root};
use super::folder::{dropped_before, is_file_drag};
use super::hosted::{part, text_of};
use super::location::{hash, replace_hash};
use super::pick::{Picked, PickedFile};
use super::restart::leave_text;
use super::seal::LEFT_OUT;
use crate::hosting::Signature;
use gloo_events::{EventListener, EventListenerOptions};
use js_sys::Array;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, DragEvent, Element, Event, File};

/// Id of the element with the results.
const BLOCK: &str = "sealed";

/// Name of the file that they are.
const NAME: &str = "evalglass-report.json";

/// Whether the page is a sealed report; `Some(true)`: one that opens further files.
pub fn sealed() -> Option<bool> {
    let block = element(BLOCK)?;
    Some(block.get_attribute("data-drop").as_deref() == Some("yes"))
}

/// Puts the view of a sealed report into the address, unless somebody asks for another one; one that is read-only
/// refuses files, and calls `refused`.
pub fn begin_sealed(refused: impl Fn() + Clone + 'static) {
    let (Some(is_open), Some(root)) = (sealed(), root()) else { return };
    // Fails only for names that are no attribute names.
    let _ = root.set_attribute("data-sealed", if is_open { "open" } else { "closed" });
    let view = element(BLOCK).and_then(|block| block.get_attribute("data-view"));
    if let Some(view) = view.filter(|view| hash().is_empty() && view.starts_with("#/")) {
        replace_hash(&view);
    }
    if is_open {
        return;
    }
    if dropped_before().is_some() {
        refused();
    }
    for name in ["dragenter", "dragover", "drop", "click"] {
        let refused = refused.clone();
        listen(name, move |event| {
            let is_refused = match event.dyn_ref::<DragEvent>() {
                Some(event) => is_file_drag(event),
                None => is_file_input(event),
            };
            if is_refused {
                event.prevent_default();
                event.stop_immediate_propagation();
                if matches!(name, "drop" | "click") {
                    refused();
                }
            }
        });
    }
}

/// Hears `name` before anybody else does.
fn listen(name: &'static str, heard: impl FnMut(&Event) + 'static) {
    let options =
        EventListenerOptions { phase: gloo_events::EventListenerPhase::Capture, passive: false };
    if let Some(window) = web_sys::window() {
        EventListener::new_with_options(&window, name, options, heard).forget();
    }
}

fn is_file_input(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.matches("input[type=file]").unwrap_or(false))
}

/// The results of a sealed report, as if they had been dropped, and what they say of their sealing; `None` when
/// they cannot be unpacked.
pub async fn sealed_results() -> Option<(Picked, Option<Signature>)> {
    let text = element(BLOCK)?.text_content()?;
    let report: Blob = part("unpackedBlob", &text.into()).await.ok()?.dyn_into().ok()?;
    let end = (report.size() - f64::from(Signature::MAX_BYTES)).max(0.0);
    let end = text_of(&report.slice_with_f64(end).ok()?).await?;
    let signature = Signature::of_end(&end);
    if let Some(signature) = &signature {
        // A report that is made of this one names it too.
        leave_text(LEFT_OUT, &signature.left_out());
    }
    let parts: JsValue = Array::of1(&report).into();
    let file = File::new_with_blob_sequence(&parts, NAME).ok()?;
    let files = vec![PickedFile { path: NAME.to_owned(), file }];
    Some((Picked { files, ..Picked::default() }, signature))
}
