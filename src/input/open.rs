//! From dropped things to files: unwrapping, decoding, pruning.

use super::archive::{Listing, list_zip};
use super::error::{Error, ErrorKind};
use super::expand::{Budget, Coding, DecodeFault, Expanded, expand, utf8_from_utf16};
use super::pulse::Pulse;
use super::source::{Dropped, InputFile, MemorySource, ReadAt};
use super::stays_packed;
use super::tarball::{BLOCK_BYTES, is_tar, list_tar};
use super::window::PartSource;
use crate::model::{NoteKind, Notes, Place, SourceId};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::rc::Rc;

/// How many wrappings one file may have, archives in archives included.
const MAX_LAYERS: u32 = 4;

/// Limits that hostile or broken input runs into.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Most bytes that all wrapped files of one drop may expand to together.
    pub max_expanded_bytes: u64,
    /// Most times its own size that one wrapped file may expand to (small ones excepted).
    pub max_expansion_ratio: u64,
    /// Logs in archives with samples of more bytes than that, unpacked, stay packed until they are read.
    pub packed_from_bytes: u64,
    /// Most files in one archive.
    pub max_archive_files: u64,
    /// Most bytes in one line or one array element.
    pub max_record_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_expanded_bytes: 1 << 30,
            max_expansion_ratio: 1_000,
            packed_from_bytes: 16 << 20,
            max_archive_files: 20_000,
            max_record_bytes: 256 << 20,
        }
    }
}

/// Folders that hold unrelated data and are never looked into.
pub fn is_pruned_folder(name: &str) -> bool {
    matches!(
        name,
        "snapshot" | "agent" | ".git" | "node_modules" | "__pycache__" | ".venv" | "venv"
    )
}

/// Opens what was dropped: unwraps gzip, zstd, zip and tar (also in one another), decodes UTF-16, takes off a byte order mark, gives every file its identity (`next_id` counts on).
///
/// A file that cannot be opened costs only itself and leaves a note; of damaged data what can be
/// decoded stays.
///
/// # Errors
/// Only when the work is cancelled.
pub async fn open(
    dropped: Vec<Dropped>,
    next_id: &mut u32,
    limits: &Limits,
    notes: &Notes,
    pulse: &Pulse,
) -> Result<Vec<InputFile>, Error> {
    let mut allowance = Allowance::new(limits, &dropped);
    let mut files = Vec::new();
    for file in dropped {
        let unwrapped = unwrap(file, &mut allowance, notes, pulse).await?;
        files.extend(unwrapped.into_iter().map(|file| file.numbered(next_id)));
    }
    Ok(files)
}

impl Dropped {
    /// The opened file that it is.
    pub fn numbered(self, next_id: &mut u32) -> InputFile {
        let id = SourceId(*next_id);
        *next_id += 1;
        InputFile { id, path: self.path, data: self.data }
    }
}

/// What the files of one drop may still expand to, and the names that are taken.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Allowance {
    budget: Budget,
    max_archive_files: u64,
    /// Paths that dropped files have.
    taken: HashSet<String>,
}

impl Allowance {
    /// That of `dropped`, nothing of which has been unwrapped yet.
    pub fn new(limits: &Limits, dropped: &[Dropped]) -> Self {
        Self {
            budget: Budget::new(limits),
            max_archive_files: limits.max_archive_files,
            taken: dropped.iter().map(|file| file.path.clone()).collect(),
        }
    }

    /// The same, with the names only that a file called `path` could be given.
    pub fn of_file(&self, path: &str) -> Self {
        let bare = std::iter::successors(Some(path), |outer| without_suffix(outer));
        let taken = bare.filter(|bare| self.taken.contains(*bare)).map(str::to_owned).collect();
        Self { taken, ..self.clone_without_names() }
    }

    fn clone_without_names(&self) -> Self {
        let Self { budget, max_archive_files, .. } = *self;
        Self { budget, max_archive_files, taken: HashSet::new() }
    }

    /// Takes over what is left after a file has been unwrapped with [`of_file`](Self::of_file).
    pub fn used(&mut self, after: Self) {
        self.budget = after.budget;
        self.taken.extend(after.taken);
    }
}

/// Whether `file` has to be decoded: compressed, an archive, or UTF-16.
pub fn is_wrapped(file: &Dropped) -> bool {
    if file.data.is_packed() {
        return false;
    }
    let mut head = [0; BLOCK_BYTES];
    let head = read_head(&file.data, &mut head);
    head.is_ok_and(|head| !matches!(wrapping(head), Wrapping::Bare | Wrapping::Utf8Mark))
}

/// A file that is not [wrapped](is_wrapped), without the byte order mark that it may have; `None`: it
/// cannot be read, which is noted.
pub fn bare(file: Dropped, notes: &Notes) -> Option<Dropped> {
    if file.data.is_packed() {
        return Some(file);
    }
    let mut head = [0; BLOCK_BYTES];
    match read_head(&file.data, &mut head) {
        Ok(head) if matches!(wrapping(head), Wrapping::Utf8Mark) => Some(unmarked(file)),
        Ok(_) => Some(file),
        Err(err) => {
            notes.add(&file.path, err.note_kind(), Place::File, err.to_string());
            None
        }
    }
}

/// `file` behind its byte order mark.
fn unmarked(file: Dropped) -> Dropped {
    let span = 3..file.data.len();
    Dropped { path: file.path, data: Rc::new(PartSource::new(file.data, span)) }
}

/// Unwraps one file, see [`open`].
///
/// # Errors
/// Only when the work is cancelled.
pub async fn unwrap(
    file: Dropped,
    allowance: &mut Allowance,
    notes: &Notes,
    pulse: &Pulse,
) -> Result<Vec<Dropped>, Error> {
    pulse.set_file(&file.path);
    let mut opening = Opening { allowance, notes, pulse, files: Vec::new() };
    opening.open(file.path, file.data).await?;
    Ok(opening.files)
}

fn read_head<'h>(
    data: &Rc<dyn ReadAt>,
    head: &'h mut [u8; BLOCK_BYTES],
) -> Result<&'h [u8], Error> {
    let n_head = data.len().min(BLOCK_BYTES as u64) as usize;
    let head = head.get_mut(..n_head).unwrap_or_default();
    data.read_at(0, head).map_err(|err| Error::of_source(&err, 0))?;
    Ok(head)
}

/// What the first bytes say about how a file is wrapped.
enum Wrapping {
    Coded(Coding),
    Zip,
    Tar,
    Utf8Mark,
    Utf16 { is_big_endian: bool },
    Bare,
}

fn wrapping(head: &[u8]) -> Wrapping {
    match head {
        [0x1f, 0x8b, 8, ..] => Wrapping::Coded(Coding::Gzip),
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            Wrapping::Coded(Coding::Zstd)
        }
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Wrapping::Zip,
        [0xef, 0xbb, 0xbf, ..] => Wrapping::Utf8Mark,
        // UTF-32 begins like UTF-16 and goes on with zeros.
        [0xff, 0xfe, 0, 0, ..] => Wrapping::Bare,
        [0xff, 0xfe, ..] => Wrapping::Utf16 { is_big_endian: false },
        [0xfe, 0xff, ..] => Wrapping::Utf16 { is_big_endian: true },
        _ if is_tar(head) => Wrapping::Tar,
        _ => Wrapping::Bare,
    }
}

/// A file on its way.
struct Wrapped {
    path: String,
    data: Rc<dyn ReadAt>,
    /// How a zip says that it is packed, and the checksum of what comes out.
    packing: Option<(Coding, u32)>,
    /// How often it was unwrapped already.
    n_layers: u32,
}

struct Opening<'a> {
    allowance: &'a mut Allowance,
    notes: &'a Notes,
    pulse: &'a Pulse,
    files: Vec<Dropped>,
}

impl Opening<'_> {
    async fn open(&mut self, path: String, data: Rc<dyn ReadAt>) -> Result<(), Error> {
        // A stack, the next file on top: an archive's files come in its place.
        let mut waiting = vec![Wrapped { path, data, packing: None, n_layers: 0 }];
        while let Some(wrapped) = waiting.pop() {
            let path = wrapped.path.clone();
            let n_waiting = waiting.len();
            match self.step(wrapped, &mut waiting).await {
                Err(err) if err.is_cancelled() => return Err(err),
                Err(err) => {
                    self.notes.add(&path, err.note_kind(), Place::File, err.to_string());
                }
                Ok(()) => waiting.get_mut(n_waiting..).unwrap_or_default().reverse(),
            }
        }
        Ok(())
    }

    /// Takes one layer off, or keeps the file.
    async fn step(&mut self, file: Wrapped, waiting: &mut Vec<Wrapped>) -> Result<(), Error> {
        if let Some((coding, crc32)) = file.packing {
            let data = self.decode(&file.path, &file.data, coding, Some(crc32)).await?;
            waiting.push(Wrapped { data, packing: None, ..file });
            return Ok(());
        }
        if file.data.is_packed() {
            self.files.push(Dropped { path: file.path, data: file.data });
            return Ok(());
        }
        let mut head = [0; BLOCK_BYTES];
        let head = read_head(&file.data, &mut head)?;
        let wrapping = wrapping(head);
        if matches!(wrapping, Wrapping::Coded(_) | Wrapping::Zip | Wrapping::Tar)
            && file.n_layers >= MAX_LAYERS
        {
            let detail = format!("it is wrapped more than {MAX_LAYERS} times");
            self.notes.add(&file.path, NoteKind::Limit, Place::File, detail);
            return Ok(());
        }
        let n_layers = file.n_layers + 1;
        match wrapping {
            Wrapping::Bare => self.files.push(Dropped { path: file.path, data: file.data }),
            Wrapping::Utf8Mark => {
                self.files.push(unmarked(Dropped { path: file.path, data: file.data }));
            }
            Wrapping::Utf16 { is_big_endian } => {
                let text = utf8_from_utf16(
                    &file.data,
                    is_big_endian,
                    &mut self.allowance.budget,
                    self.pulse,
                )
                .await?;
                let data = Rc::new(MemorySource::new(text));
                self.files.push(Dropped { path: file.path, data });
            }
            Wrapping::Coded(coding) => {
                let data = self.decode(&file.path, &file.data, coding, None).await?;
                let path = self.bare_path(file.path);
                waiting.push(Wrapped { path, data, packing: None, n_layers });
            }
            Wrapping::Zip => {
                let (budget, max_files) = (self.allowance.budget, self.allowance.max_archive_files);
                let from_bytes = budget.unpacked_up_to();
                let max_len = |n_packed| budget.for_packed(n_packed);
                let listing = match stays_packed::list(&file.data, from_bytes, max_files, max_len) {
                    Some(listing) => listing,
                    None => list_zip(&file.data, max_files, self.pulse).await?,
                };
                waiting.extend(self.listed(&file.path, "zip", listing, n_layers));
            }
            Wrapping::Tar => {
                let listing = list_tar(&file.data, self.allowance.max_archive_files, self.pulse);
                waiting.extend(self.listed(&file.path, "tar", listing.await?, n_layers));
            }
        }
        Ok(())
    }

    /// Decodes `data`; what comes before damage stays, and the damage is named.
    async fn decode(
        &mut self,
        path: &str,
        data: &Rc<dyn ReadAt>,
        coding: Coding,
        crc32: Option<u32>,
    ) -> Result<Rc<dyn ReadAt>, Error> {
        let Expanded { bytes, fault } =
            expand(data, coding, &mut self.allowance.budget, self.pulse).await?;
        let n_bytes = bytes.len();
        if let Some(DecodeFault { is_cut_off, reason }) = fault {
            let format = coding.as_str();
            if n_bytes == 0 {
                return Err(Error::new(ErrorKind::Archive { format, reason }, 0));
            }
            let kind = if is_cut_off { NoteKind::Truncated } else { NoteKind::Broken };
            let detail = format!("damaged {format} data, what comes before is used: {reason}");
            self.notes.add(path, kind, Place::Byte(n_bytes as u64), detail);
        } else if crc32.is_some_and(|declared| declared != checksum(&bytes)) {
            let detail = "the checksum in the zip does not match";
            self.notes.add(path, NoteKind::Broken, Place::File, detail);
        }
        Ok(Rc::new(MemorySource::new(bytes)))
    }

    /// The files of the archive at `path`, still packed; what is left out or wrong is noted.
    fn listed(
        &self,
        path: &str,
        format: &str,
        listing: Listing,
        n_layers: u32,
    ) -> impl Iterator<Item = Wrapped> {
        if listing.is_empty() && listing.flaws.is_empty() {
            let detail = format!("the {format} holds no files");
            self.notes.add(path, NoteKind::Unrecognised, Place::File, detail);
        }
        for (folder, n_files) in listing.pruned {
            let name = folder.rsplit('/').next().unwrap_or_default();
            let detail = format!("left out {} in `{name}`", count_of_files(n_files));
            self.notes.add(&format!("{path}/{folder}"), NoteKind::Skipped, Place::File, detail);
        }
        for (inner, reason) in listing.refused {
            self.notes.add(&format!("{path}/{inner}"), NoteKind::Broken, Place::File, reason);
        }
        for flaw in listing.flaws {
            match flaw.path {
                Some(inner) => {
                    let inner = format!("{path}/{inner}");
                    self.notes.add(&inner, flaw.kind, Place::File, flaw.detail);
                }
                None => self.notes.add(path, flaw.kind, Place::Byte(flaw.at), flaw.detail),
            }
        }
        if listing.n_too_many > 0 {
            let n_files = count_of_files(listing.n_too_many);
            let max_files = self.allowance.max_archive_files;
            let detail = format!("left out {n_files} past the limit of {max_files} in one archive");
            self.notes.add(path, NoteKind::Limit, Place::File, detail);
        }
        let folder = path.to_owned();
        listing.entries.into_iter().map(move |entry| Wrapped {
            path: format!("{folder}/{}", entry.path),
            data: entry.packed,
            packing: entry.packing,
            n_layers,
        })
    }

    /// `path` without the suffix of its wrapping, unless another file has that name.
    fn bare_path(&mut self, path: String) -> String {
        match without_suffix(&path) {
            Some(bare) if self.allowance.taken.insert(bare.to_owned()) => bare.to_owned(),
            _ => path,
        }
    }
}

/// `path` without the suffix of a wrapping.
fn without_suffix(path: &str) -> Option<&str> {
    [".gz", ".gzip", ".zst", ".zstd"].iter().find_map(|suffix| {
        let at = path.len().checked_sub(suffix.len())?;
        let is_there = path.get(at..)?.eq_ignore_ascii_case(suffix);
        path.get(..at).filter(|bare| is_there && !bare.is_empty() && !bare.ends_with('/'))
    })
}

fn count_of_files(n_files: u64) -> String {
    format!("{n_files} file{}", if n_files == 1 { "" } else { "s" })
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}
