//! Checkpoints of a run directory read side by side.

use super::{Cutting, Failing, assert_same, import, is_the_same_in_stretches};
use crate::any_order::FOLDERS;
use crate::hostile::Rng;
use crate::support::{bytes_of, file, fixture_files};
use evalglass::input::Dropped;
use evalglass::readers::{InProcess, Marks};
use std::cell::Cell;

fn folders() -> impl Iterator<Item = &'static &'static str> {
    FOLDERS.iter().filter(|folder| folder.starts_with("slop-code/"))
}

fn longest(files: &[Dropped]) -> u64 {
    files.iter().map(|file| file.data.len()).max().unwrap_or(0)
}

/// Cuts no file, and run directories into stretches of up to `most` bytes.
fn by_checkpoints(files: &[Dropped], most: u64) -> Cutting {
    let longest = longest(files);
    Cutting::new(move |n_bytes| (n_bytes > longest).then_some(most))
}

/// Checks that `files` give the same however their checkpoints are given out; gives the number of stretches.
#[track_caller]
fn is_the_same_by_checkpoints(files: &[Dropped], what: &str) -> usize {
    let whole = import(files, &Marks::default(), &InProcess::default());
    let mut n_read = 0;
    for most in [1, longest(files), longest(files) * 3] {
        let cutting = by_checkpoints(files, most);
        let cut = import(files, &Marks::default(), &cutting);
        assert_same(&whole, &cut, &format!("{what}, stretches of {most}"));
        n_read += cutting.n_read.get();
    }
    n_read
}

#[test]
fn every_run_directory_is_the_same_by_its_checkpoints() {
    let mut n_cut = 0;
    for folder in folders() {
        let files = fixture_files(folder);
        n_cut += usize::from(is_the_same_by_checkpoints(&files, folder) > 3);
        is_the_same_in_stretches(&files, folder);
    }
    assert!(n_cut >= 4, "only {n_cut} folders were cut");
}

#[test]
fn damaged_checkpoints_give_the_same_notes_by_checkpoints() {
    let mut n_notes = 0;
    for seed in 0..12 {
        let mut rng = Rng::new(seed + 1);
        for folder in folders() {
            let mut files = fixture_files(folder);
            let is_own = |file: &Dropped| {
                ["evaluation.json", "report.json", "reports.parquet"]
                    .iter()
                    .any(|name| file.path.ends_with(name))
            };
            for own in files.iter_mut().filter(|file| is_own(file)) {
                let mut bytes = bytes_of(own);
                if bytes.is_empty() || rng.below(3) == 0 {
                    continue;
                }
                match rng.below(3) {
                    0 => bytes.truncate(rng.below(bytes.len())),
                    1 => {
                        let at = rng.below(bytes.len());
                        bytes[at] ^= 1 << rng.below(8);
                    }
                    _ => bytes.clear(),
                }
                *own = file(&own.path, bytes);
            }
            is_the_same_by_checkpoints(&files, &format!("{folder}, seed {seed}"));
            let (imported, _) = import(&files, &Marks::default(), &InProcess::default());
            n_notes += imported.imports.iter().map(|one| one.notes.len()).sum::<usize>();
        }
    }
    assert!(n_notes > 300, "only {n_notes} notes");
}

#[test]
fn without_those_who_were_to_help_checkpoints_are_read_one_after_the_other() {
    for folder in folders() {
        let files = fixture_files(folder);
        let (whole, _) = import(&files, &Marks::default(), &InProcess::default());
        let failing = Failing(Cell::new(0));
        let (found, _) = import(&files, &Marks::default(), &failing);
        assert_same(&(whole, 0), &(found, 0), folder);
    }
}
