//! Keeps the page for visits without a network (`scripts/page/sw.js`), and hears when a newer version has been kept.

use gloo_events::EventListener;
use js_sys::Reflect;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    RegistrationOptions, ServiceWorker, ServiceWorkerContainer, ServiceWorkerRegistration,
    ServiceWorkerState, ServiceWorkerUpdateViaCache,
};

const SCRIPT: &str = "./sw.js";

/// Said to a version that waits.
const TAKE_OVER: &str = "take over";

thread_local! {
    /// The newer version that waits.
    static WAITING: RefCell<Option<ServiceWorker>> = const { RefCell::new(None) };
    static IS_ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Registers the service worker, and calls `offer` when a newer version waits; nothing happens where the browser has
/// none for this page.
pub async fn keep_offline(offer: impl Fn() + 'static) {
    let Some(container) = container() else { return };
    // Other windows stay as they are: their version is kept as long as they are open.
    EventListener::new(&container, "controllerchange", |_event| {
        if IS_ASKED.get() {
            reload();
        }
    })
    .forget();
    // Forbidden or out of reach: the page works, with a network.
    let _ = register(container, Rc::new(offer)).await;
}

async fn register(container: ServiceWorkerContainer, offer: Rc<dyn Fn()>) -> Result<(), JsValue> {
    let options = RegistrationOptions::new();
    options.set_update_via_cache(ServiceWorkerUpdateViaCache::None);
    let registering = container.register_with_options(SCRIPT, &options);
    let registration: ServiceWorkerRegistration = JsFuture::from(registering).await?.dyn_into()?;
    let waits = move |worker: ServiceWorker| {
        // Without a controller this is the first visit, and the version that was kept is the one that is seen.
        if container.controller().is_some() {
            WAITING.set(Some(worker));
            offer();
        }
    };
    if let Some(worker) = registration.waiting() {
        waits(worker);
    }
    let waits = Rc::new(waits);
    EventListener::new(&registration.clone(), "updatefound", move |_event| {
        let Some(worker) = registration.installing() else { return };
        let waits = Rc::clone(&waits);
        EventListener::new(&worker.clone(), "statechange", move |_event| {
            if worker.state() == ServiceWorkerState::Installed {
                waits(worker.clone());
            }
        })
        .forget();
    })
    .forget();
    Ok(())
}

/// Has the version that waits take over, and loads the page anew.
pub fn take_over() {
    IS_ASKED.set(true);
    let waiting = WAITING.with_borrow(Clone::clone);
    if let Some(worker) = waiting {
        // Fails for no text.
        let _ = worker.post_message(&TAKE_OVER.into());
    }
}

fn reload() {
    if let Some(window) = web_sys::window() {
        // Refused in no page that was loaded.
        let _ = window.location().reload();
    }
}

/// Pages in a sandbox may not even ask.
fn container() -> Option<ServiceWorkerContainer> {
    let window = web_sys::window().filter(|window| window.is_secure_context())?;
    Reflect::get(&window.navigator(), &"serviceWorker".into()).ok()?.dyn_into().ok()
}
