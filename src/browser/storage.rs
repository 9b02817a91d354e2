//! What is kept for the next visit: settings of the reader, never results.

/// What was remembered under `name`.
pub fn remembered(name: &str) -> Option<String> {
    storage()?.get_item(&key(name)).ok().flatten()
}

/// Keeps `value` under `name`. A full or forbidden storage forgets it with the page, and that is all.
pub fn remember(name: &str, value: &str) {
    if let Some(storage) = storage() {
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
