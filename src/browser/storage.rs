//! What is kept for the next visit: settings of the user, never results. `docs/privacy.md` lists it.
//!
//! Not by `gloo-storage`: that keeps JSON, and ends the program where the browser forbids storage.

/// The setting that is `off` when nothing else may be kept.
pub(super) const SWITCH: &str = "memory";

const PREFIX: &str = "evalglass-";

/// What was remembered under `name`.
pub fn remembered(name: &str) -> Option<String> {
    storage()?.get_item(&key(name)).ok().flatten()
}

/// Keeps `value` under `name`, unless the user wants nothing kept. A full or forbidden storage forgets
/// it with the page, and that is all.
pub fn remember(name: &str, value: &str) {
    let is_news = remembered(name).unwrap_or_default() != value;
    if is_news && remembered(SWITCH).as_deref() != Some("off") {
        set_raw(name, value);
    }
}

/// Keeps `value` under `name`, whatever the user wants.
pub(super) fn set_raw(name: &str, value: &str) {
    if let Some(storage) = storage() {
        // See above.
        let _ = storage.set_item(&key(name), value);
    }
}

/// Forgets what was kept under `name`.
pub(super) fn forget(name: &str) {
    if let Some(storage) = storage() {
        // What is not there is forgotten.
        let _ = storage.remove_item(&key(name));
    }
}

/// Names of all that is kept, except for the switch.
pub(super) fn settings() -> Vec<String> {
    let Some(storage) = storage() else { return Vec::new() };
    let keys =
        (0..storage.length().unwrap_or_default()).filter_map(|nth| storage.key(nth).ok().flatten());
    let mut names: Vec<String> =
        keys.filter_map(|key| key.strip_prefix(PREFIX).map(str::to_owned)).collect();
    names.retain(|name| name != SWITCH);
    names.sort();
    names
}

fn key(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// The storage; `None` where the browser forbids it, as for some pages opened from disk.
pub(super) fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}
