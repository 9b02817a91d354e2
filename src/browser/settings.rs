//! What the reader has chosen, kept for the next visit.

/// The setting `name` as it was kept last.
pub fn setting(name: &str) -> Option<String> {
    storage()?.get_item(&key(name)).ok().flatten()
}

/// Keeps a setting. A full or forbidden storage forgets it with the page, and that is all.
pub fn keep_setting(name: &str, value: &str) {
    if let Some(storage) = storage() {
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
