//! Datasets behind an address: the manifest names the small tables, which are fetched; parts stay on their server.

use serde_json::Value;

/// What the schema of a dataset begins with.
const SCHEMA: &str = "evalglass-dataset/";

/// The longest manifest that travels with the file that stands for it. One has a thousand bytes.
pub(super) const MAX_MANIFEST_BYTES: usize = 64 << 10;

/// Why a dataset is not opened where the server gives out no parts of files.
pub(super) const NO_RANGES: &str = "This is a dataset, and the server does not support range requests, so every case that you open would fetch whole files. \
     Host it where range requests are answered (Accept-Ranges: bytes), or download the folder and drop it here.";

/// The files of the small tables that a manifest names, seen from it; `None`: it is no manifest of a dataset.
pub(super) fn tables_of(manifest: &Value) -> Option<Vec<String>> {
    let is_dataset = manifest.get("schema")?.as_str()?.starts_with(SCHEMA);
    let tables = manifest.get("tables").filter(|_| is_dataset)?.as_array()?;
    let is_name = |file: &&str| !file.is_empty() && !file.contains(['/', '\\', ':', '?', '#']);
    let file = |table: &Value| table.get("file")?.as_str().filter(is_name).map(str::to_owned);
    Some(tables.iter().filter_map(file).collect())
}
