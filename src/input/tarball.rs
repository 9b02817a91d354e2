//! What a tar holds: where each file lies in it.
//!
//! Headers are read one after the other and files are skipped, so that a tar costs as many small reads
//! as it has files; of a tar on disk nothing is copied. Read are the forms that tools write: the old one,
//! ustar, GNU (long names) and pax (paths and sizes). A damaged header costs its own file: the next sound
//! header is looked for.
//!
//! Sources: POSIX.1-2017, `pax`; GNU tar's manual, "Basic Tar Format".

use super::archive::{ArchiveEntry, Flaw, Listing, tame};
use super::error::{Error, ErrorKind};
use super::pulse::Pulse;
use super::source::ReadAt;
use super::window::{PartSource, SourceStream};
use crate::model::NoteKind;
use std::collections::HashMap;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::rc::Rc;
use tar::{EntryType, Header};

/// Headers lie at, and files fill, whole blocks.
pub(super) const BLOCK_BYTES: usize = 512;

/// How much is read at once: the headers of small files that lie close together come in one read.
const STEP_BYTES: usize = 32 << 10;

/// Most bytes of a record that holds a long name or pax members.
const MAX_RECORD_BYTES: u64 = 1 << 20;

/// Whether `head`, the first bytes of a file, begins a tar: by the magic word, or, in the oldest form,
/// which has none, by the checksum.
pub(super) fn is_tar(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar")
        || (head.first().is_some_and(|&first| first != 0)
            && head.as_array::<BLOCK_BYTES>().is_some_and(is_sound))
}

/// Whether the checksum of a header fits. Some old tools add up signed bytes.
fn is_sound(block: &[u8; BLOCK_BYTES]) -> bool {
    let Ok(declared) = Header::from_byte_slice(block).cksum() else { return false };
    let is_of_checksum = |at: usize| (148..156).contains(&at);
    let bytes =
        || block.iter().enumerate().map(|(at, byte)| if is_of_checksum(at) { b' ' } else { *byte });
    let unsigned: u32 = bytes().map(u32::from).sum();
    let signed: i32 = bytes().map(|byte| i32::from(byte.cast_signed())).sum();
    declared == unsigned || i64::from(declared) == i64::from(signed)
}

/// Lists the tar `data`, reading no file of it.
///
/// # Errors
/// When `data` cannot be read, when its first header is damaged and no other one is found, or when the
/// work is cancelled.
pub(super) async fn list_tar(
    data: &Rc<dyn ReadAt>,
    max_files: u64,
    pulse: &Pulse,
) -> Result<Listing, Error> {
    let mut walk = TarWalk {
        data,
        stream: SourceStream::with_steps(data, STEP_BYTES),
        at: 0,
        max_files,
        next: Next::default(),
        damaged: None,
        place_of: HashMap::new(),
        listing: Listing::default(),
    };
    let mut n_steps = 0_u32;
    while walk.step()? {
        n_steps += 1;
        if n_steps.is_multiple_of(1024) {
            pulse.breathe().await?;
        }
    }
    Ok(walk.listing)
}

/// What records before a file say about it.
#[derive(Default)]
struct Next {
    path: Option<String>,
    size: Option<u64>,
    refusal: Option<&'static str>,
}

/// The way through a tar.
struct TarWalk<'a> {
    data: &'a Rc<dyn ReadAt>,
    stream: BufReader<SourceStream>,
    /// Where the next header is.
    at: u64,
    max_files: u64,
    next: Next,
    /// Where a damaged header is, while the next sound one is looked for.
    damaged: Option<u64>,
    /// Where in the listing the file of a path stands.
    place_of: HashMap<String, usize>,
    listing: Listing,
}

impl TarWalk<'_> {
    /// Goes past one header and what belongs to it; `false` at the end.
    fn step(&mut self) -> Result<bool, Error> {
        if self.at.saturating_add(BLOCK_BYTES as u64) > self.data.len() {
            return self.end();
        }
        let block = self.block()?;
        if let Some(damaged) = self.damaged {
            if !(is_tar(&block) && is_sound(&block)) {
                self.at += BLOCK_BYTES as u64;
                return Ok(true);
            }
            self.damaged = None;
            self.name_damage(damaged, &format!("it goes on with the one at byte {}", self.at));
        }
        if block.iter().all(|byte| *byte == 0) {
            return Ok(false);
        }
        let header = Header::from_byte_slice(&block);
        let size = header.entry_size().ok().filter(|_| is_sound(&block));
        let damaged = self.at;
        self.at += BLOCK_BYTES as u64;
        let Some(mut size) = size else {
            self.next = Next::default();
            self.damaged = Some(damaged);
            return Ok(true);
        };
        match header.entry_type() {
            EntryType::GNULongName => {
                let text = self.record(size, "its name is longer than 1 MiB")?;
                self.next.path = text.map(|text| {
                    String::from_utf8_lossy(
                        text.split(|byte| *byte == 0).next().unwrap_or_default(),
                    )
                    .into_owned()
                });
            }
            EntryType::XHeader => {
                let members = self.record(size, "its extended header is longer than 1 MiB")?;
                if members.is_some_and(|members| read_pax(&members, &mut self.next).is_none()) {
                    self.next.refusal = Some("its extended header is damaged");
                }
            }
            // A link's own name, what holds for all files, the name of the volume.
            EntryType::GNULongLink | EntryType::XGlobalHeader => {}
            kind if kind.as_byte() == b'V' => {}
            kind => {
                let next = std::mem::take(&mut self.next);
                size = match kind {
                    EntryType::Link | EntryType::Symlink => 0,
                    _ => next.size.unwrap_or(size),
                };
                if header.as_gnu().is_some_and(|gnu| kind.is_gnu_sparse() && gnu.is_extended()) {
                    self.skip_sparse_map()?;
                }
                let written = || String::from_utf8_lossy(&header.path_bytes()).into_owned();
                let path = tame(&next.path.unwrap_or_else(written));
                self.member(path, kind, size, next.refusal);
            }
        }
        let end = self.at.saturating_add(size);
        if end > self.data.len() {
            if !self.listing.flaws.iter().any(|flaw| flaw.kind == NoteKind::Truncated) {
                let detail = "the tar ends inside a file that is left out";
                self.flaw(None, NoteKind::Truncated, detail.to_owned());
            }
            return Ok(false);
        }
        self.at = end.next_multiple_of(BLOCK_BYTES as u64);
        Ok(true)
    }

    /// Names what is missing where no further header fits in.
    fn end(&mut self) -> Result<bool, Error> {
        match self.damaged {
            Some(damaged) if self.listing.is_empty() => {
                let reason = "the checksum of its first header does not match".to_owned();
                return Err(Error::new(ErrorKind::Archive { format: "tar", reason }, damaged));
            }
            Some(damaged) => self.name_damage(damaged, "nothing after it can be read"),
            None => {
                let detail = if self.at < self.data.len() {
                    "the tar ends inside the header of a file"
                } else {
                    "the tar has no end mark: files may be missing at its end"
                };
                self.flaw(None, NoteKind::Truncated, detail.to_owned());
            }
        }
        Ok(false)
    }

    fn name_damage(&mut self, at: u64, rest: &str) {
        let detail = format!("the checksum of a header in the tar does not match, {rest}");
        self.listing.flaws.push(Flaw { path: None, kind: NoteKind::Broken, at, detail });
    }

    /// Lists the file whose `size` bytes begin here.
    fn member(&mut self, path: String, kind: EntryType, size: u64, refusal: Option<&'static str>) {
        if kind.is_dir() || kind.as_byte() == b'D' || !self.listing.wants(&path, self.max_files) {
            return;
        }
        let refusal = refusal.or(match kind {
            EntryType::Regular | EntryType::Continuous => None,
            EntryType::Symlink => Some("it is a symbolic link"),
            EntryType::Link => Some("it is a hard link to another file of the tar"),
            EntryType::GNUSparse => {
                Some("it is a sparse file, of which a tar holds only the parts")
            }
            EntryType::Char | EntryType::Block | EntryType::Fifo => Some("it is a device"),
            _ => Some("its type is not known"),
        });
        if let Some(refusal) = refusal {
            self.listing.refused.push((path, refusal));
            return;
        }
        let n_there = self.data.len().saturating_sub(self.at);
        if n_there < size {
            let detail = format!("the tar ends inside it, {n_there} of {size} bytes are there");
            self.flaw(Some(&path), NoteKind::Truncated, detail);
        }
        let span = self.at..self.at.saturating_add(size);
        let packed = Rc::new(PartSource::new(Rc::clone(self.data), span));
        let entry = ArchiveEntry { path: path.clone(), packed, packing: None };
        let earlier = self.place_of.get(&path).and_then(|at| self.listing.entries.get_mut(*at));
        if let Some(earlier) = earlier {
            *earlier = entry;
            let detail =
                "it stands in the tar more than once: the last one counts, as in unpacking";
            self.flaw(Some(&path), NoteKind::Duplicate, detail.to_owned());
        } else {
            self.place_of.insert(path, self.listing.entries.len());
            self.listing.entries.push(entry);
        }
    }

    /// The `size` bytes of a record that is about the next file; `None`, and that file will be
    /// refused, when they are too many or cut off.
    fn record(&mut self, size: u64, refusal: &'static str) -> Result<Option<Vec<u8>>, Error> {
        if size > MAX_RECORD_BYTES {
            self.next.refusal = Some(refusal);
            return Ok(None);
        }
        if self.at.saturating_add(size) > self.data.len() {
            self.flaw(
                None,
                NoteKind::Truncated,
                "the tar ends inside the name of a file".to_owned(),
            );
            return Ok(None);
        }
        let mut bytes = vec![0; usize::try_from(size).unwrap_or(0)];
        self.read(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// The map of a sparse file goes on in blocks of its own, each of which says whether one follows.
    fn skip_sparse_map(&mut self) -> Result<(), Error> {
        let mut goes_on = true;
        while goes_on && self.at.saturating_add(BLOCK_BYTES as u64) <= self.data.len() {
            goes_on = self.block()?.get(504) == Some(&1);
            self.at += BLOCK_BYTES as u64;
        }
        Ok(())
    }

    fn block(&mut self) -> Result<[u8; BLOCK_BYTES], Error> {
        let mut block = [0; BLOCK_BYTES];
        self.read(&mut block)?;
        Ok(block)
    }

    /// Fills `bytes` from where the walk is.
    fn read(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        let unreadable = |err: std::io::Error| Error::of_source(&err, self.at);
        let here = self.stream.stream_position().map_err(unreadable)?;
        // A step within what is buffered reads nothing.
        match i64::try_from(i128::from(self.at) - i128::from(here)) {
            Ok(step) => self.stream.seek_relative(step).map_err(unreadable)?,
            Err(_far) => {
                self.stream.seek(SeekFrom::Start(self.at)).map_err(unreadable)?;
            }
        }
        self.stream.read_exact(bytes).map_err(unreadable)
    }

    fn flaw(&mut self, path: Option<&str>, kind: NoteKind, detail: String) {
        let at = self.at.min(self.data.len());
        self.listing.flaws.push(Flaw { path: path.map(str::to_owned), kind, at, detail });
    }
}

/// Reads the members of a pax header, `length key=value` and a line feed each; values may hold line
/// feeds. `None` when they are damaged.
fn read_pax(mut members: &[u8], next: &mut Next) -> Option<()> {
    while !members.is_empty() {
        let space = members.iter().position(|byte| *byte == b' ')?;
        let length: usize = std::str::from_utf8(members.get(..space)?).ok()?.parse().ok()?;
        let member = members.get(space + 1..length)?.strip_suffix(b"\n")?;
        members = members.get(length..)?;
        let equals = member.iter().position(|byte| *byte == b'=')?;
        let (key, value) = (member.get(..equals)?, member.get(equals + 1..)?);
        match key {
            b"path" => next.path = Some(String::from_utf8_lossy(value).into_owned()),
            b"size" => next.size = Some(std::str::from_utf8(value).ok()?.parse().ok()?),
            _ if key.starts_with(b"GNU.sparse.") => {
                next.refusal = Some("it is a sparse file, of which a tar holds only the parts");
                if key == b"GNU.sparse.name" {
                    next.path = Some(String::from_utf8_lossy(value).into_owned());
                }
            }
            _ => {}
        }
    }
    Some(())
}
