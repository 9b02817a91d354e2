//! Sources: anything with a length and ranged reads.

use super::error::{Error, ErrorKind};
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

    /// Begins to fetch `len` bytes from `offset`, which will be wanted soon; `None` where that saves nothing.
    fn fetch(&self, _offset: u64, _len: usize) -> Option<Fetching> {
        None
    }

    /// Where its bytes come from, so that another program can be told.
    fn origin(&self) -> Origin<'_> {
        Origin::Own
    }
}

/// Bytes that are being fetched; `None`: that failed, and reading them says why.
pub type Fetching = LocalFuture<'static, Option<Box<dyn Ahead>>>;

/// Bytes that were fetched before they were wanted.
pub trait Ahead {
    /// Copies those from number `from` on into `buf`.
    fn copy_to(&self, from: usize, buf: &mut [u8]);
}

/// Where the bytes of a source come from.
pub enum Origin<'a> {
    /// From something that no other program can be given.
    Own,
    /// From memory.
    Memory(&'a [u8]),
    /// From what the browser can pass on.
    Handle(&'a dyn Any),
    /// They are a part of another source.
    Part(&'a Rc<dyn ReadAt>, Range<u64>),
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
    /// [`ErrorKind::Read`] when they cannot be read, [`ErrorKind::TooLarge`] past the address space.
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
            .map_err(|err| Error::new(ErrorKind::Read(err.to_string()), range.start))?;
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

    fn origin(&self) -> Origin<'_> {
        Origin::Memory(&self.0)
    }
}

#[cfg(not(target_arch = "wasm32"))]
pub use disk::{DiskSource, walk_disk, walk_disk_with};

/// Files on disk, for the native programs and tests.
#[cfg(not(target_arch = "wasm32"))]
mod disk {
    use super::{Dropped, FolderWalk, ReadAt};
    use crate::input::{is_opened_within, is_pruned_folder};
    use std::cell::RefCell;
    use std::fs::{self, File};
    use std::io::{self, Read as _, Seek as _, SeekFrom};
    use std::path::Path;
    use std::rc::Rc;

    /// A file on disk.
    pub struct DiskSource {
        file: RefCell<File>,
        len: u64,
    }

    impl DiskSource {
        /// Opens it.
        ///
        /// # Errors
        /// When it cannot be opened.
        pub fn open(path: &Path) -> io::Result<Self> {
            let file = File::open(path)?;
            let len = file.metadata()?.len();
            Ok(Self { file: RefCell::new(file), len })
        }
    }

    impl ReadAt for DiskSource {
        fn len(&self) -> u64 {
            self.len
        }

        fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
            let mut file = self.file.borrow_mut();
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(buf)
        }
    }

    /// Every file below `path` (or the file itself), as the page would get it: paths start with the
    /// name of what was given, unrelated folders are pruned and counted.
    ///
    /// # Errors
    /// When a folder or file cannot be opened.
    pub fn walk_disk(path: &Path) -> io::Result<FolderWalk> {
        walk_disk_with(path, &[])
    }

    /// The same; folders with a name of `included` are not pruned.
    ///
    /// # Errors
    /// As [`walk_disk`].
    pub fn walk_disk_with(path: &Path, included: &[String]) -> io::Result<FolderWalk> {
        let name = path
            .canonicalize()?
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let mut walk = FolderWalk::default();
        if path.is_dir() {
            descend(path, &name, included, &mut walk)?;
        } else {
            walk.files.push(Dropped { path: name, data: Rc::new(DiskSource::open(path)?) });
        }
        Ok(walk)
    }

    fn descend(
        folder: &Path,
        shown: &str,
        included: &[String],
        walk: &mut FolderWalk,
    ) -> io::Result<()> {
        let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{shown}/{name}");
            if !entry.file_type()?.is_dir() {
                walk.files.push(Dropped { path, data: Rc::new(DiskSource::open(&entry.path())?) });
            } else if is_pruned_folder(&name) && !included.contains(&name) {
                let n_before = walk.files.len();
                streams(&entry.path(), &path, &name, "", walk)?;
                let n_opened = (walk.files.len() - n_before) as u64;
                let n_left_out = count_files(&entry.path()).saturating_sub(n_opened);
                if n_left_out > 0 || n_opened == 0 {
                    walk.pruned.push((path, n_left_out));
                }
            } else {
                descend(&entry.path(), &path, included, walk)?;
            }
        }
        Ok(())
    }

    /// What is opened of the left out folder `name` all the same; `inner` is the way into it.
    fn streams(
        folder: &Path,
        shown: &str,
        name: &str,
        inner: &str,
        walk: &mut FolderWalk,
    ) -> io::Result<()> {
        let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let own = entry.file_name().to_string_lossy().into_owned();
            let inner = if inner.is_empty() { own.clone() } else { format!("{inner}/{own}") };
            let (path, is_folder) = (format!("{shown}/{own}"), entry.file_type()?.is_dir());
            if !is_opened_within(name, &inner, is_folder) {
                continue;
            }
            if is_folder {
                streams(&entry.path(), &path, name, &inner, walk)?;
            } else {
                walk.files.push(Dropped { path, data: Rc::new(DiskSource::open(&entry.path())?) });
            }
        }
        Ok(())
    }

    fn count_files(folder: &Path) -> u64 {
        let Ok(entries) = fs::read_dir(folder) else { return 0 };
        entries
            .flatten()
            .map(|entry| match entry.file_type() {
                Ok(kind) if kind.is_dir() => count_files(&entry.path()),
                _ => 1,
            })
            .sum()
    }
}
