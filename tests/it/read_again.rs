//! What is kept of small files while they are opened: the bytes of those that are read once more.

use crate::support::{bytes_of, core_of, fixture_files};
use evalglass::input::{Dropped, InputFile, MemorySource, Pulse, ReadAt};
use evalglass::model::SourceId;
use evalglass::readers::{Looked, READERS, Whose, look};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The first bytes of every file say how it is packed: so many at the most are read for that.
const FIRST_BYTES: u64 = 1_024;

/// Bytes read of each path.
type Counts = Rc<RefCell<BTreeMap<String, u64>>>;

struct Counted {
    path: String,
    bytes: Vec<u8>,
    counts: Counts,
}

impl ReadAt for Counted {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> std::io::Result<()> {
        *self.counts.borrow_mut().entry(self.path.clone()).or_default() += buf.len() as u64;
        MemorySource::new(self.bytes.as_slice()).read_at(offset, buf)
    }
}

fn counted(folder: &str) -> (Vec<Dropped>, Counts) {
    let counts = Counts::default();
    let files = fixture_files(folder).into_iter().map(|file| {
        let (path, counts) = (file.path.clone(), Rc::clone(&counts));
        let data = Rc::new(Counted { path: path.clone(), bytes: bytes_of(&file), counts });
        Dropped { path, data }
    });
    (files.collect(), counts)
}

/// The role of each file that its reader says is not read once more, and the bytes that looking at it read.
fn not_read_again(folder: &str) -> Vec<(String, &'static str, u64)> {
    let (files, counts) = counted(folder);
    let mut found = Vec::new();
    for Dropped { path, data } in files {
        let file = InputFile { id: SourceId(0), path, data };
        let looked = pollster::block_on(look(READERS, &file, &Pulse::silent()));
        if let Ok(Looked { whose: Whose::Reader(_, claim), is_read_again: false, .. }) = looked {
            let n_read = counts.borrow().get(&file.path).copied().unwrap_or_default();
            found.push((file.path, claim.role, n_read));
        }
    }
    found
}

#[test]
fn files_that_are_said_not_to_be_read_once_more_are_not() {
    let mut roles = BTreeSet::new();
    for folder in ["slop-code", "harbor", "swebench", "inspect-ai", "letta-evals"] {
        let wanted = not_read_again(folder);
        let (files, counts) = counted(folder);
        let lens: BTreeMap<String, u64> =
            files.iter().map(|file| (file.path.clone(), file.data.len())).collect();
        core_of(files);
        for (path, role, n_looked) in wanted {
            let n_more = counts.borrow()[&path] - n_looked;
            let n_bytes = lens[&path];
            assert!(n_more <= FIRST_BYTES, "{path}: {n_more} of {n_bytes} bytes");
            if n_bytes > FIRST_BYTES {
                roles.insert(role);
            }
        }
    }
    assert_eq!(roles, BTreeSet::from(["agent's event stream", "pytest output", "trajectory"]));
}
