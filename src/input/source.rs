//! Sources: anything with a length and ranged reads.

use super::error::{Error, ErrorKind};
use super::packed::Packing;
use super::pulse::LocalFuture;
use crate::model::SourceId;
use std::any::Any;
use std::io;
use std::ops::Range;
use std::rc::Rc;

/// Ranged reads. In the page a slice of a `File`, natively memory or a file on disk.
pub trait ReadAt {
    /// Length in bytes.
    fn len(&self) -> u64;

    /// Whether there is nothing in it.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `buf` from `offset`.
    ///
    /// # Errors
    /// When the range does not exist (any more) or cannot be read.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()>;

    /// Begins to read the bytes of `span` from its first to its last, while something else is done; `None` where that
    /// saves nothing.
    fn stream(&self, _span: Range<u64>) -> Option<Box<dyn ByteStream>> {
        None
    }

    /// The file of `len` bytes at `path`, seen from the folder in which this one lies; `None`: nobody can be asked for it.
    fn beside(&self, _path: &str, _len: u64) -> Option<Rc<dyn ReadAt>> {
        None
    }

    /// Whether it is a file of an archive that is unpacked each time when it is read: nobody reads such a one only to
    /// see what it is.
    fn is_packed(&self) -> bool {
        false
    }

    /// Where its bytes come from, so that another program can be told.
    fn origin(&self) -> SourceOrigin<'_> {
        SourceOrigin::Own
    }
}

/// Bytes of a source that come one after the other.
pub trait ByteStream {
    /// Fills `buf` with the next ones; `false`: they do not come, and [`ReadAt::read_at`] says why.
    fn fill<'a>(&'a mut self, buf: &'a mut [u8]) -> LocalFuture<'a, bool>;
}

/// Where the bytes of a source come from.
pub enum SourceOrigin<'a> {
    /// From something that no other program can be given.
    Own,
    /// From memory.
    Memory(&'a [u8]),
    /// From what the browser can pass on.
    Handle(&'a dyn Any),
    /// They are a part of another source.
    Part(&'a Rc<dyn ReadAt>, Range<u64>),
    /// They are what a packed file of this archive holds.
    Packed(&'a Rc<dyn ReadAt>, Packing),
}

/// A file as it was dropped or picked, before anything is unwrapped.
#[derive(Clone)]
pub struct Dropped {
    /// Path relative to what was dropped, `/`-separated, starting with the dropped folder's name.
    pub path: String,
    /// Its bytes.
    pub data: Rc<dyn ReadAt>,
}

/// What walking a dropped folder gave.
#[derive(Clone, Default)]
pub struct FolderWalk {
    /// Files, in path order.
    pub files: Vec<Dropped>,
    /// Folders left out by [`is_pruned_folder`](super::is_pruned_folder), with the number of files in each.
    pub pruned: Vec<(String, u64)>,
}

/// An opened file: unwrapped, UTF-8 if text, with an identity.
#[derive(Clone)]
pub struct InputFile {
    /// Identity in the workspace.
    pub id: SourceId,
    /// Path relative to what was dropped; inside an archive, the archive's path is a folder.
    pub path: String,
    /// Unwrapped bytes.
    pub data: Rc<dyn ReadAt>,
}

impl InputFile {
    /// Length in bytes.
    pub fn len(&self) -> u64 {
        self.data.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The bytes of `range`.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] or [`ErrorKind::Damaged`] when they cannot be read, [`ErrorKind::TooLarge`] past the address space.
    pub fn bytes(&self, range: Range<u64>) -> Result<Vec<u8>, Error> {
        let len = range.end.saturating_sub(range.start);
        let n_bytes =
            usize::try_from(len).ok().filter(|&n_bytes| n_bytes < MAX_READ).ok_or_else(|| {
                Error::new(ErrorKind::TooLarge { found: len, limit: MAX_READ as u64 }, range.start)
            })?;
        if n_bytes == 0 {
            return Ok(Vec::new());
        }
        let mut bytes = vec![0; n_bytes];
        self.data
            .read_at(range.start, &mut bytes)
            .map_err(|err| Error::of_source(&err, range.start))?;
        Ok(bytes)
    }

    /// All bytes; for small files only.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub fn all_bytes(&self) -> Result<Vec<u8>, Error> {
        self.bytes(0..self.len())
    }

    /// Folder part of the path, `""` at the top.
    pub fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Last part of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit_once('/').map_or(self.path.as_str(), |(_, name)| name)
    }
}

/// The most that is read into memory at once.
const MAX_READ: usize = 1 << 30;

/// Bytes in memory.
pub struct MemorySource(Vec<u8>);

impl MemorySource {
    /// Takes the bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }
}

impl ReadAt for MemorySource {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).map_err(|_err| io::ErrorKind::UnexpectedEof)?;
        let part = start
            .checked_add(buf.len())
            .and_then(|end| self.0.get(start..end))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        buf.copy_from_slice(part);
        Ok(())
    }

    fn origin(&self) -> SourceOrigin<'_> {
        SourceOrigin::Memory(&self.0)
    }
}
