//! The folder of a dataset: parts are written beside and moved into place, so that it opens at any moment.
//!
//! ```text
//! .writing/N/   what a writer is at; its file `lock` is locked as long as the writer lives
//! .ready/ID/    all of an evaluation, ready to be moved into place
//! cases/ checks/ records/ID.json
//! ```
//!
//! One rename, from `.writing` to `.ready`, decides. The next program moves what lies in `.ready` into place.

use super::place::{below, encoded};
use super::record::DatasetRecord;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

const WRITING: &str = ".writing";
const READY: &str = ".ready";
const RECORDS: &str = "records";
const RECORD: &str = "record.json";
const LOCK: &str = "lock";

/// The folder of a dataset.
pub(super) struct DatasetStore {
    /// Where it lies.
    pub root: PathBuf,
}

/// What holds others off from placing, until it is dropped.
pub(super) struct StoreLock {
    _lock: File,
}

/// A folder that a writer writes into.
pub(super) struct Desk {
    folder: PathBuf,
    /// Locked as long as the writer is at it.
    _lock: File,
}

impl Desk {
    /// Where the file `name` is written.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl DatasetStore {
    /// The dataset in the folder `root`, which is made where it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn open(root: &Path) -> io::Result<Self> {
        fs::create_dir_all(root)?;
        Ok(Self { root: root.canonicalize()? })
    }

    /// Waits until nobody else places anything.
    ///
    /// # Errors
    /// When the file system has no locks.
    pub(super) fn turn(&self) -> io::Result<StoreLock> {
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.root.join(".lock"))?;
        lock.lock()?;
        Ok(StoreLock { _lock: lock })
    }

    /// A folder to write into.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn desk(&self) -> io::Result<Desk> {
        let _turn = self.turn()?;
        let all = self.root.join(WRITING);
        fs::create_dir_all(&all)?;
        let mut nth: u64 = std::process::id().into();
        loop {
            let folder = all.join(nth.to_string());
            match fs::create_dir(&folder) {
                Ok(()) => {
                    let lock = File::create(folder.join(LOCK))?;
                    lock.lock()?;
                    return Ok(Desk { folder, _lock: lock });
                }
                Err(err) if err.kind() == io::ErrorKind::AlreadyExists => nth += 1,
                Err(err) => return Err(err),
            }
        }
    }

    /// Has everything on `desk`, whose record is `record`, take the place of what the dataset holds of the
    /// evaluation. Returns the record that it had.
    ///
    /// # Errors
    /// When something cannot be written or moved.
    pub(super) fn commit(
        &self,
        desk: Desk,
        record: &DatasetRecord,
    ) -> io::Result<Option<DatasetRecord>> {
        let mut file = File::create(desk.path(RECORD))?;
        file.write_all(&record.to_bytes()?)?;
        file.sync_all()?;
        let turn = self.turn()?;
        self.place_ready(&turn)?;
        let before = DatasetRecord::read(&self.record_path(&record.evaluation)).ok();
        let ready = self.root.join(READY);
        fs::create_dir_all(&ready)?;
        fs::remove_file(desk.path(LOCK))?;
        fs::rename(&desk.folder, ready.join(encoded(&record.evaluation)))?;
        self.place_ready(&turn)?;
        Ok(before)
    }

    /// Moves what is ready into place, and clears away what dead writers left.
    ///
    /// # Errors
    /// When something cannot be moved.
    pub(super) fn mend(&self, turn: &StoreLock) -> io::Result<()> {
        self.place_ready(turn)?;
        for folder in entries(&self.root.join(WRITING))? {
            let is_alive = match File::open(folder.join(LOCK)) {
                Ok(lock) => matches!(lock.try_lock(), Err(TryLockError::WouldBlock)),
                Err(_) => false,
            };
            if !is_alive {
                fs::remove_dir_all(&folder)?;
            }
        }
        Ok(())
    }

    /// The files of all records, in the order of their names.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub(super) fn record_paths(&self) -> io::Result<Vec<PathBuf>> {
        let mut paths = entries(&self.root.join(RECORDS))?;
        paths.retain(|path| path.extension().is_some_and(|ext| ext == "json"));
        Ok(paths)
    }

    /// Writes the file `name` of the dataset in one go.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn put(&self, _turn: &StoreLock, name: &str, bytes: &[u8]) -> io::Result<()> {
        let beside = self.root.join(format!(".{name}.new"));
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(beside, self.root.join(name))
    }

    fn record_path(&self, evaluation: &str) -> PathBuf {
        self.root.join(RECORDS).join(format!("{}.json", encoded(evaluation)))
    }

    /// Moves every evaluation that is ready into place. Each step can be done again.
    fn place_ready(&self, _turn: &StoreLock) -> io::Result<()> {
        for folder in entries(&self.root.join(READY))? {
            let staged = folder.join(RECORD);
            if staged.exists() {
                self.place(&folder, &DatasetRecord::read(&staged)?)?;
            }
            fs::remove_dir_all(&folder)?;
        }
        Ok(())
    }

    fn place(&self, folder: &Path, record: &DatasetRecord) -> io::Result<()> {
        for part in &record.parts {
            let (from, to) = (folder.join(&part.staged), below(&self.root, &part.path));
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent)?;
            }
            if from.exists() {
                fs::rename(from, to)?;
            }
        }
        let path = self.record_path(&record.evaluation);
        let before = DatasetRecord::read(&path).map(|before| before.parts).unwrap_or_default();
        let is_own = |old: &str| record.parts.iter().any(|part| part.path == old);
        for old in before.iter().filter(|old| !is_own(&old.path)) {
            match fs::remove_file(below(&self.root, &old.path)) {
                Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(err),
                _ => {}
            }
        }
        fs::create_dir_all(self.root.join(RECORDS))?;
        fs::rename(folder.join(RECORD), path)
    }
}

/// What lies in `folder`, in the order of names; nothing where there is no such folder.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = match fs::read_dir(folder) {
        Ok(entries) => entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<Vec<PathBuf>>>()?,
        Err(err) if err.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(err) => return Err(err),
    };
    found.sort();
    Ok(found)
}
