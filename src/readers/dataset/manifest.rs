//! The manifest: which version, what was found wrong when it was written.

use super::{SCHEMA, VERSION, wrong};
use crate::input::InputFile;
use crate::readers::Error;
use serde::Deserialize;

/// Longest manifest that is read, in bytes: it has a line for each fault.
const MAX_BYTES: u64 = 64 << 20;

/// What is taken from a manifest.
#[derive(Debug, Deserialize)]
pub(super) struct DatasetManifest {
    /// Name and version of the schema.
    schema: String,
    /// Parts and records that were missing, damaged or foreign, each in a sentence.
    #[serde(default)]
    pub(super) faults: Vec<String>,
}

/// Reads `file`.
///
/// # Errors
/// When it is no manifest, or one of another version.
pub(super) fn read(file: &InputFile) -> Result<DatasetManifest, Error> {
    let refused = |err: Error| err.in_file(&file.path);
    if file.len() > MAX_BYTES {
        return Err(refused(wrong("the manifest is longer than 64 MiB")));
    }
    let manifest: DatasetManifest = serde_json::from_slice(&file.all_bytes()?)
        .map_err(|err| refused(wrong(format!("the manifest cannot be read: {err}"))))?;
    if manifest.schema.strip_prefix(SCHEMA) != Some(VERSION) {
        let reason = format!("this is {}; {SCHEMA}{VERSION} can be read", manifest.schema);
        return Err(refused(wrong(reason)));
    }
    Ok(manifest)
}
