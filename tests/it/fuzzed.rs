//! What fuzzing has found and kept (`make fuzz`): every input of every corpus again, within limits of memory and time.

use crate::targets::{TARGETS, check, named};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Bytes of all corpora together.
const MAX_BYTES: u64 = 1 << 20;

/// One input takes milliseconds: what takes longer than that never ends.
const ENDLESS: Duration = Duration::from_secs(120);

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus")
}

/// The files of a folder, in the order of their names.
fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|err| panic!("{}: {err}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_corpus_replays_within_its_limits() {
    for target in &TARGETS {
        let inputs = files_of(&corpora().join(target.name));
        assert!(!inputs.is_empty(), "{} has no corpus", target.name);
        let (says, heard) = channel();
        let worker = thread::spawn(move || {
            // What is made once for all inputs is no input's.
            (target.run)(b"");
            for path in inputs {
                let input = fs::read(&path).unwrap();
                says.send(path).unwrap();
                check(target, &input);
            }
        });
        let mut last = PathBuf::from(target.name);
        loop {
            match heard.recv_timeout(ENDLESS) {
                Ok(path) => last = path,
                Err(RecvTimeoutError::Timeout) => panic!("no end of {}", last.display()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        assert!(worker.join().is_ok(), "{} fails over {}", target.name, last.display());
    }
}

#[test]
fn corpora_are_those_of_the_targets_and_small() {
    let folders = files_of(&corpora());
    for folder in &folders {
        let name = folder.file_name().unwrap().to_str().unwrap();
        assert!(named(name).is_some(), "{name} is no target");
    }
    assert_eq!(folders.len(), TARGETS.len(), "every target has a corpus");
    let bytes = |path: PathBuf| fs::metadata(path).unwrap().len();
    let total: u64 = folders.iter().flat_map(|folder| files_of(folder)).map(bytes).sum();
    assert!(total <= MAX_BYTES, "{total} bytes: make them smaller (scripts/fuzz.mjs --minimise)");
}

#[test]
fn a_target_that_holds_too_much_memory_fails() {
    let hold = |n_bytes: usize| {
        let run = move || std::hint::black_box(vec![1_u8; n_bytes]).len();
        crate::targets::peak_bytes(|| assert_eq!(run(), n_bytes))
    };
    let peak = hold(10 << 20);
    assert!((10 << 20..11 << 20).contains(&peak), "{peak} bytes were counted");
}
