//! What an archive lists, and which of it is opened; zips.

use super::error::{Error, ErrorKind};
use super::expand::Coding;
use super::left_out_folder;
use super::pulse::Pulse;
use super::source::ReadAt;
use super::window::{PartSource, SourceStream};
use crate::model::NoteKind;
use std::collections::BTreeMap;
use std::rc::Rc;
use zip::{CompressionMethod, ZipArchive};

/// One file of an archive, still packed.
pub(super) struct ArchiveEntry {
    /// Harmless path inside the archive.
    pub(super) path: String,
    /// Its packed bytes.
    pub(super) packed: Rc<dyn ReadAt>,
    /// How they are packed, and the checksum of what comes out; `None` when they are not.
    pub(super) packing: Option<(Coding, u32)>,
}

/// What an archive lists.
#[derive(Default)]
pub(super) struct Listing {
    /// Files to open, in the archive's order.
    pub(super) entries: Vec<ArchiveEntry>,
    /// Pruned folders, with the number of files in each.
    pub(super) pruned: BTreeMap<String, u64>,
    /// Files that cannot be opened, with the reason.
    pub(super) refused: Vec<(String, &'static str)>,
    /// Files past the limit.
    pub(super) n_too_many: u64,
    /// What else was found wrong.
    pub(super) flaws: Vec<Flaw>,
}

/// Something wrong with an archive that does not keep its files from being read.
pub(super) struct Flaw {
    /// The file inside the archive that it is about; `None`: the archive.
    pub(super) path: Option<String>,
    pub(super) kind: NoteKind,
    /// Byte of the archive where that was found.
    pub(super) at: u64,
    pub(super) detail: String,
}

impl Listing {
    /// Whether the archive has no file at all, left out ones included.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
            && self.pruned.is_empty()
            && self.refused.is_empty()
            && self.n_too_many == 0
    }

    /// Whether the file at `path` is to be opened; if not, and it is somebody's, it is counted.
    pub(super) fn wants(&mut self, path: &str, max_files: u64) -> bool {
        if path.is_empty() || path.ends_with('/') || is_apple_double(path) {
            return false;
        }
        if let Some(folder) = left_out_folder(path, 0) {
            *self.pruned.entry(folder.to_owned()).or_default() += 1;
            return false;
        }
        if self.entries.len() as u64 >= max_files {
            self.n_too_many += 1;
            return false;
        }
        true
    }
}

/// Lists the zip `data`, unpacking nothing.
///
/// # Errors
/// [`ErrorKind::Archive`] when there is no readable directory, or the work is cancelled.
pub(super) async fn list_zip(
    data: &Rc<dyn ReadAt>,
    max_files: u64,
    pulse: &Pulse,
) -> Result<Listing, Error> {
    let damaged = |err: zip::result::ZipError| {
        let text = err.to_string();
        let reason = if text.contains("EOCD") || text.contains("end of central directory") {
            "the list of files at its end is missing, so it is probably cut off"
        } else {
            "the list of files at its end cannot be read"
        };
        Error::new(ErrorKind::Archive { format: "zip", reason: reason.to_owned() }, 0)
    };
    let mut archive = ZipArchive::new(SourceStream::buffered(data)).map_err(damaged)?;
    let mut listing = Listing::default();
    for idx in 0..archive.len() {
        if idx % 1024 == 0 {
            pulse.breathe().await?;
        }
        // Reads the entry's local header: only for entries that are wanted.
        let Some(path) = archive.name_for_index(idx).and_then(Result::ok).map(|name| tame(&name))
        else {
            listing.refused.push((format!("entry {idx}"), "its name cannot be read"));
            continue;
        };
        if !listing.wants(&path, max_files) {
            continue;
        }
        let Ok(entry) = archive.by_index_raw(idx) else {
            listing.refused.push((path, "its header is damaged"));
            continue;
        };
        let coding = match entry.compression() {
            // Read in place, so nobody checks its checksum: that would mean reading all of it.
            CompressionMethod::Stored => Ok(None),
            CompressionMethod::Deflated => Ok(Some(Coding::Deflate)),
            ZSTD => Ok(Some(Coding::Zstd)),
            _ => Err("it is packed by a method that is not supported"),
        };
        let refusal = if entry.is_symlink() {
            Some("it is a symbolic link")
        } else if entry.encrypted() {
            Some("it is encrypted")
        } else {
            None
        };
        match (refusal, coding, entry.data_start()) {
            (None, Ok(coding), Some(start)) => {
                let span = start..start.saturating_add(entry.compressed_size());
                let packed = Rc::new(PartSource::new(Rc::clone(data), span));
                let packing = coding.map(|coding| (coding, entry.crc32()));
                listing.entries.push(ArchiveEntry { path, packed, packing });
            }
            (None, Ok(_), None) => listing.refused.push((path, "its header is damaged")),
            (Some(reason), _, _) | (None, Err(reason), _) => listing.refused.push((path, reason)),
        }
    }
    Ok(listing)
}

/// Method 93, which the library names only when it decodes it itself.
#[expect(deprecated, reason = "the only way to name a method that the library does not decode")]
const ZSTD: CompressionMethod = CompressionMethod::Unsupported(93);

/// A path that stays inside its archive, `/`-separated; a final `/` (a folder) is kept.
pub(super) fn tame(name: &str) -> String {
    let name = name.replace('\\', "/");
    let is_drive = |part: &str| part.len() == 2 && part.ends_with(':');
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/') {
        if !(part.is_empty() || part == "." || part == ".." || is_drive(part)) {
            parts.push(part);
        }
    }
    let mut path: String =
        parts.join("/").chars().filter(|character| !character.is_control()).collect();
    if name.ends_with('/') && !path.is_empty() {
        path.push('/');
    }
    path
}

/// Whether it is the shadow file that macOS puts beside each real one.
fn is_apple_double(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    path.starts_with("__MACOSX/") || name.starts_with("._")
}
