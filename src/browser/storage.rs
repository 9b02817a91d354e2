//! What is kept for the next visit: settings of the reader, never results. `docs/privacy.md` lists it.

/// The setting that is `off` when nothing else may be kept; `scripts/page/memory.js` writes it.
const SWITCH: &str = "memory";

/// What was remembered under `name`.
pub fn remembered(name: &str) -> Option<String> {
    storage()?.get_item(&key(name)).ok().flatten()
}

/// Keeps `value` under `name`, unless the reader wants nothing kept. A full or forbidden storage forgets
/// it with the page, and that is all.
pub fn remember(name: &str, value: &str) {
    let is_news = remembered(name).unwrap_or_default() != value;
    if is_news
        && remembered(SWITCH).as_deref() != Some("off")
        && let Some(storage) = storage()
    {
        // See above.
        let _ = storage.set_item(&key(name), value);
    }
}

fn key(name: &str) -> String {
    format!("evalglass-{name}")
}

/// The storage; `None` where the browser forbids it, as for some pages opened from disk.
fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}
