//! Files on disk, for the native programs and tests.

use super::source::{Dropped, FolderWalk, ReadAt};
use super::{is_opened_within, is_pruned_folder};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::rc::{Rc, Weak};
use std::time::SystemTime;

/// Files that are open at the same time, at the most. Readers go from file to file: more would save next
/// to nothing, and systems allow a program as few as 256.
const MAX_OPEN: usize = 32;

/// A file that is open, or not now.
type MaybeOpen = RefCell<Option<File>>;

thread_local! {
    /// Files that are open, in the order in which they were opened.
    static OPEN: RefCell<VecDeque<Weak<MaybeOpen>>> = const { RefCell::new(VecDeque::new()) };
}

/// A file on disk, opened when it is read. After others have been opened it is closed, and opened again
/// when it is read again: a folder may hold more files than a program may have open.
pub struct DiskSource {
    path: PathBuf,
    found: DiskStamp,
    file: Rc<MaybeOpen>,
}

impl DiskSource {
    /// A source over the file at `path`, with the length that it has now.
    ///
    /// # Errors
    /// When there is no such file.
    pub fn new(path: &Path) -> io::Result<Self> {
        let found = DiskStamp::of(&fs::metadata(path)?);
        Ok(Self { path: path.to_owned(), found, file: Rc::default() })
    }

    /// The file, opened; refused when it is not what was found.
    fn open(&self) -> io::Result<File> {
        let file = File::open(&self.path)?;
        let is_same = self.found.may_become(&DiskStamp::of(&file.metadata()?));
        is_same
            .then_some(file)
            .ok_or_else(|| io::Error::other("the file has changed since it was found"))
    }
}

impl ReadAt for DiskSource {
    fn len(&self) -> u64 {
        self.found.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        if self.file.borrow().is_none() {
            let file = self.open()?;
            make_room(&self.file);
            self.file.replace(Some(file));
        }
        let mut file = self.file.borrow_mut();
        let file = file.as_mut().ok_or(io::ErrorKind::NotFound)?;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buf)
    }
}

/// Closes the files that were opened first, so that one more may be open.
fn make_room(next: &Rc<MaybeOpen>) {
    OPEN.with_borrow_mut(|open| {
        while open.len() >= MAX_OPEN {
            if let Some(oldest) = open.pop_front().and_then(|oldest| oldest.upgrade()) {
                oldest.take();
            }
        }
        open.push_back(Rc::downgrade(next));
    });
}

/// By what a file is known again.
#[derive(Debug, Clone, PartialEq, Eq)]
struct DiskStamp {
    len: u64,
    changed: Option<SystemTime>,
    /// What tells it from others, where the system gives out such numbers.
    own: Option<(u64, u64)>,
    made: Option<SystemTime>,
}

impl DiskStamp {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let own = {
            use std::os::unix::fs::MetadataExt as _;
            Some((metadata.dev(), metadata.ino()))
        };
        #[cfg(not(unix))]
        let own = None;
        Self {
            len: metadata.len(),
            changed: metadata.modified().ok(),
            own,
            made: metadata.created().ok(),
        }
    }

    /// Whether a file like `now` can be read in the place of this one: nothing has changed, or the same
    /// file has grown, as results do while they are being written. Its first bytes are those that were
    /// found then.
    fn may_become(&self, now: &Self) -> bool {
        let has_grown = (&self.own, &self.made) == (&now.own, &now.made) && now.len > self.len;
        self == now || has_grown
    }
}

/// Every file below `path` (or the file itself), as the page would get it: paths start with the
/// name of what was given, unrelated folders are pruned and counted.
///
/// # Errors
/// When a folder cannot be listed, or a file in it is not there any more.
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
        walk.files.push(Dropped { path: name, data: Rc::new(DiskSource::new(path)?) });
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
            walk.files.push(Dropped { path, data: Rc::new(DiskSource::new(&entry.path())?) });
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
            walk.files.push(Dropped { path, data: Rc::new(DiskSource::new(&entry.path())?) });
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A new folder with `n_files` files, each holding its number.
    fn folder(name: &str, n_files: usize) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("evalglass-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for nth in 0..n_files {
            fs::write(folder.join(format!("{nth:03}.txt")), format!("number {nth:03}")).unwrap();
        }
        folder
    }

    fn text(source: &dyn ReadAt) -> io::Result<String> {
        let mut bytes = vec![0; source.len() as usize];
        source.read_at(0, &mut bytes)?;
        Ok(String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn few_of_many_files_are_open_and_each_is_read_as_often_as_wanted() {
        let folder = folder("many", 3 * MAX_OPEN);
        let files = walk_disk(&folder).unwrap().files;
        let n_open = || OPEN.with_borrow(VecDeque::len);
        assert_eq!((files.len(), n_open()), (3 * MAX_OPEN, 0), "none is open before it is read");
        for _again in 0..2 {
            for (nth, file) in files.iter().enumerate() {
                assert_eq!(text(&*file.data).unwrap(), format!("number {nth:03}"));
                assert!(n_open() <= MAX_OPEN);
            }
        }
        let n_held = OPEN.with_borrow(|open| {
            let held = open.iter().filter_map(Weak::upgrade);
            held.filter(|file| file.borrow().is_some()).count()
        });
        assert_eq!(n_held, MAX_OPEN);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn another_file_is_never_read_in_the_place_of_the_one_that_was_found() {
        let folder = folder("changed", 5);
        let path = |nth: usize| folder.join(format!("{nth:03}.txt"));
        let sources: Vec<_> = (0..5).map(|nth| DiskSource::new(&path(nth)).unwrap()).collect();
        fs::remove_file(path(0)).unwrap();
        fs::write(path(1), "short").unwrap();
        // Another file of the same length in its place.
        fs::write(folder.join("new"), "NUMBER 002").unwrap();
        fs::rename(folder.join("new"), path(2)).unwrap();
        fs::write(path(3), "number 003 and what was written since").unwrap();
        let read: Vec<_> = sources.iter().map(|source| text(source)).collect();
        let reason = |nth: usize| read[nth].as_ref().unwrap_err().to_string();
        assert!(reason(0).contains("No such file") || reason(0).contains("cannot find"));
        for nth in [1, 2] {
            assert_eq!(reason(nth), "the file has changed since it was found");
        }
        assert_eq!(read[3].as_deref().ok(), Some("number 003"));
        assert_eq!(read[4].as_deref().ok(), Some("number 004"));
        fs::remove_dir_all(folder).unwrap();
    }
}
