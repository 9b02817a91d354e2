//! Large files read in stretches, side by side: the same as read in one go, down to the last bit.

mod checkpoints;
pub mod made;
mod row_groups;

use crate::any_order::FOLDERS;
use crate::hostile::Rng;
use crate::support::{bytes_of, fixture, fixture_files};
use crate::travels::assert_same_evaluation;
use evalglass::input::{self, Allowance, Dropped, InputFile, Limits, LocalFuture, Progress, Pulse};
use evalglass::model::Notes;
use evalglass::readers::{
    self, Answers, Bundle, BundleRead, Claimed, ContentKeys, Error, ErrorKind, Given, Helpers,
    Imported, InProcess, LookedAt, Marks, Producer, ReadService, Stretch, StretchRead, Wanted,
};
use futures_util::{StreamExt as _, stream};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Cuts every file or bundle, and reads the stretches in any order.
struct Cutting {
    /// The size of the stretches, by that of the whole; `None`: it is not cut.
    size: Box<dyn Fn(u64) -> Option<u64>>,
    /// The last one that was said.
    last_size: Cell<u64>,
    rng: RefCell<Rng>,
    n_read: Cell<usize>,
}

impl Cutting {
    fn new(size: impl Fn(u64) -> Option<u64> + 'static) -> Self {
        Self {
            size: Box::new(size),
            last_size: Cell::new(0),
            rng: RefCell::new(Rng::new(5)),
            n_read: Cell::new(0),
        }
    }

    /// Into so many stretches, if there are as many lines.
    fn into(n_stretches: u64) -> Self {
        Self::new(move |n_bytes| Some(n_bytes.div_ceil(n_stretches)))
    }

    /// Into stretches of up to `most` bytes, each file of other ones.
    fn anywhere(seed: u64, most: usize) -> Self {
        let rng = RefCell::new(Rng::new(seed));
        Self::new(move |_| Some(rng.borrow_mut().below(most) as u64 + 1))
    }
}

impl Helpers for Cutting {
    fn n_at_once(&self) -> usize {
        3
    }

    fn stretch_bytes(&self, n_bytes: u64) -> Option<u64> {
        let size = (self.size)(n_bytes);
        self.last_size.set(size.unwrap_or(n_bytes));
        size
    }

    fn line_bytes(&self, _n_left: u64) -> u64 {
        self.last_size.get()
    }

    fn stretches<'a>(
        &'a self,
        id: &'static str,
        stretches: Vec<Stretch>,
        pulse: &'a Pulse,
    ) -> Answers<'a> {
        self.n_read.set(self.n_read.get() + stretches.len());
        let all = async move {
            let reader = readers::reader(id).expect("it asked");
            let mut left: Vec<usize> = (0..stretches.len()).collect();
            let mut answers: Vec<_> =
                stretches.iter().map(|_| Ok(StretchRead::default())).collect();
            while !left.is_empty() {
                let at = left.swap_remove(self.rng.borrow_mut().below(left.len()));
                let Stretch { files, asked } = &stretches[at];
                answers[at] = reader.stretch(files, asked, pulse).await;
            }
            stream::iter(answers)
        };
        stream::once(all).flatten().boxed_local()
    }
}

/// Reads in this program, with a helper.
struct Helped<'h>(&'h dyn Helpers);

impl ReadService for Helped<'_> {
    fn open<'a>(
        &'a self,
        file: Dropped,
        allowance: &'a mut Allowance,
        notes: &'a Notes,
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<Dropped>, input::Error>> {
        Box::pin(async move { InProcess::default().open(file, allowance, notes, pulse).await })
    }

    fn content_keys<'a>(
        &'a self,
        files: &'a [(&'static str, Rc<Claimed>)],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<ContentKeys>, Error>> {
        Box::pin(async move { InProcess::default().content_keys(files, pulse).await })
    }

    fn again<'a>(
        &'a self,
        producer: &'static dyn Producer,
        bundle: &'a Bundle,
        wanted: &'a Wanted,
    ) -> LocalFuture<'a, Result<Given, Error>> {
        Box::pin(async move { InProcess::default().again(producer, bundle, wanted).await })
    }

    fn look<'a>(
        &'a self,
        files: &'a [InputFile],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<LookedAt>, Error>> {
        Box::pin(async move { InProcess::default().look(files, pulse).await })
    }

    fn read<'a>(
        &'a self,
        bundles: &'a [(&'static dyn Producer, Bundle)],
        before: &'a Marks,
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<BundleRead>, Error>> {
        Box::pin(async move {
            let mut all = Vec::new();
            for (producer, bundle) in bundles {
                let reader = readers::reader(producer.id()).unwrap();
                all.push(readers::read(reader, bundle, before, self.0, pulse).await?);
            }
            Ok(all)
        })
    }
}

/// What `files` give, and how many bytes counted as read.
fn import(files: &[Dropped], before: &Marks, helpers: &dyn Helpers) -> (Imported, u64) {
    let n_done = Rc::new(Cell::new(0));
    let last = Rc::clone(&n_done);
    let pulse = Pulse::new(move |progress: Progress| {
        last.set(progress.n_done);
        Box::pin(std::future::ready(true))
    });
    let (mut next_id, notes) = (0, Notes::default());
    let imported = pollster::block_on(async {
        let (limits, silent) = (Limits::default(), Pulse::silent());
        let opened = input::open(files.to_vec(), &mut next_id, &limits, &notes, &silent);
        let opened = opened.await.expect("nothing cancels");
        let imported =
            readers::import(opened, &[], &[], &|_| false, before, &Helped(helpers), &pulse).await;
        pulse.breathe().await.expect("nothing cancels");
        imported.expect("nothing cancels")
    });
    (imported, n_done.get())
}

#[track_caller]
fn assert_same(one: &(Imported, u64), other: &(Imported, u64), what: &str) {
    assert_eq!(one.1, other.1, "{what}: progress");
    let notes = |imported: &Imported| {
        let own = imported.imports.iter().map(|import| (&import.notes, &import.notes_beside));
        format!("{:#?} {:#?} {:#?}", imported.notes, imported.open_notes, own.collect::<Vec<_>>())
    };
    assert_eq!(notes(&one.0), notes(&other.0), "{what}");
    assert_eq!(one.0.imports.len(), other.0.imports.len(), "{what}");
    for (left, right) in one.0.imports.iter().zip(&other.0.imports) {
        assert_same_evaluation(&left.evaluation, &right.evaluation, what);
    }
}

/// Checks that `files` give the same however they are cut; gives the number of stretches that were read.
#[track_caller]
fn is_the_same_in_stretches(files: &[Dropped], what: &str) -> usize {
    let whole = import(files, &Marks::default(), &InProcess::default());
    let longest = files.iter().map(|file| file.data.len()).max().unwrap_or(0);
    let mut services: Vec<Cutting> = [1, 2, 3, 7].map(Cutting::into).into();
    services.push(Cutting::new(|_| Some(1)));
    let most = usize::try_from(longest).unwrap();
    services.extend((1..4).map(|seed| Cutting::anywhere(seed, most)));
    let mut n_read = 0;
    for (number, service) in services.iter().enumerate() {
        let cut = import(files, &Marks::default(), service);
        assert_same(&whole, &cut, &format!("{what}, cut {number}"));
        n_read += service.n_read.get();
    }
    n_read
}

fn letta_folders() -> Vec<String> {
    let own = FOLDERS.iter().filter(|folder| folder.starts_with("letta-evals/"));
    let mut folders: Vec<String> = own.map(|folder| (*folder).to_owned()).collect();
    folders.push("letta-evals/0.5.0_single".to_owned());
    folders.push("letta-evals/0.9.0_weighted".to_owned());
    for entry in std::fs::read_dir(fixture("guides")).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            folders.push(format!("guides/{}", entry.file_name().to_string_lossy()));
        }
    }
    folders.sort();
    folders
}

#[test]
fn stretches_of_lines_are_large_first_and_small_at_the_end() {
    const MB: u64 = 1 << 20;
    for n_at_once in [2, 8] {
        let mut helpers = InProcess::default();
        helpers.n_at_once = n_at_once;
        let (mut left, mut sizes) = (1_100 * MB, Vec::new());
        while left > 0 {
            let size = helpers.line_bytes(left).min(left);
            sizes.push(size);
            left -= size;
        }
        assert!(sizes.windows(2).all(|pair| pair[1] <= pair[0]), "{sizes:?}");
        assert!(sizes.iter().all(|size| *size <= 64 * MB), "{sizes:?}");
        // Nobody waits longer than for one of these.
        assert!(sizes[sizes.len() - n_at_once..].iter().all(|size| *size <= 4 * MB), "{sizes:?}");
        assert!(sizes.len() < 66, "{}", sizes.len());
    }
}

#[test]
fn every_fixture_is_the_same_in_stretches() {
    let mut n_cut = 0;
    for folder in letta_folders() {
        let n_read = is_the_same_in_stretches(&fixture_files(&folder), &folder);
        n_cut += usize::from(n_read > 20);
    }
    assert!(n_cut >= 15, "only {n_cut} fixtures were cut");
}

#[test]
fn files_with_everything_odd_are_the_same_in_stretches() {
    for seed in 0..60 {
        let files = made::files(seed);
        let n_read = is_the_same_in_stretches(&files, &format!("seed {seed}"));
        assert!(n_read > 20, "seed {seed}: {n_read} stretches were read");
    }
}

#[test]
fn the_made_files_hold_everything_odd() {
    let mut details: Vec<String> = Vec::new();
    for seed in 0..60 {
        let (imported, _) = import(&made::files(seed), &Marks::default(), &InProcess::default());
        let notes = imported.imports.into_iter().flat_map(|import| import.notes);
        details.extend(notes.map(|note| note.detail));
    }
    for part in [
        "a sample has more than one row of the same model and run",
        "a row has no id",
        "the suite has no sample \"line ",
        "the line ends inside a value",
        "the last line is cut off",
        "the line is no result row",
        "is of another type than expected",
        "the field \"mystery\" is not known",
        "the field \"odd ",
        "a score lies outside 0–1",
        "appended one after the other",
        "the rows have a grader \"late grader\"",
    ] {
        assert!(
            details.iter().any(|detail| detail.contains(part)),
            "none of the notes says: {part}"
        );
    }
}

#[test]
fn a_file_that_was_read_in_stretches_is_read_on_from_its_end() {
    let mut n_continued = 0;
    for seed in 0..30 {
        let whole = made::files(seed);
        let mut rng = Rng::new(seed + 100);
        let grown = whole.iter().position(|file| file.path.ends_with(".jsonl")).unwrap();
        let bytes = bytes_of(&whole[grown]);
        for _ in 0..4 {
            let cut = rng.below(bytes.len());
            let mut part = whole.clone();
            part[grown] = crate::support::file(&whole[grown].path, &bytes[..cut]);
            let marks_of = |helpers: &dyn Helpers| {
                let (imported, _) = import(&part, &Marks::default(), helpers);
                Marks::of(imported.imports.iter().map(|import| &import.marks))
            };
            let fresh = import(&whole, &Marks::default(), &InProcess::default());
            let in_one_go = import(&whole, &marks_of(&InProcess::default()), &InProcess::default());
            let cutting = Cutting::anywhere(seed, 400);
            let in_stretches = import(&whole, &marks_of(&cutting), &cutting);
            let what = format!("seed {seed}, cut at {cut}");
            assert_same(&fresh, &in_stretches, &what);
            let continued = |(imported, _): &(Imported, u64)| -> u64 {
                imported.imports.iter().map(|import| import.marks.n_continued()).sum()
            };
            assert_eq!(continued(&in_one_go), continued(&in_stretches), "{what}");
            n_continued += continued(&in_stretches);
        }
    }
    assert!(n_continued > 60, "{n_continued} files were read on");
}

/// Nobody who helps comes to an end.
struct Failing(Cell<usize>);

impl Helpers for Failing {
    fn n_at_once(&self) -> usize {
        3
    }

    fn stretch_bytes(&self, _n_bytes: u64) -> Option<u64> {
        Some(100)
    }

    fn line_bytes(&self, _n_left: u64) -> u64 {
        100
    }

    fn stretches<'a>(
        &'a self,
        _id: &'static str,
        _stretches: Vec<Stretch>,
        _pulse: &'a Pulse,
    ) -> Answers<'a> {
        self.0.set(self.0.get() + 1);
        stream::iter([Err(Error::new(ErrorKind::Gone))]).boxed_local()
    }
}

#[test]
fn without_those_who_were_to_help_a_file_is_read_in_one_go() {
    for seed in 0..20 {
        let files = made::files(seed);
        let (whole, _) = import(&files, &Marks::default(), &InProcess::default());
        let failing = Failing(Cell::new(0));
        let (found, _) = import(&files, &Marks::default(), &failing);
        assert_eq!(failing.0.get(), 1, "seed {seed}");
        assert_same(&(whole, 0), &(found, 0), &format!("seed {seed}"));
    }
}

#[test]
fn small_files_and_lone_readers_are_left_whole() {
    let mut four = InProcess::default();
    four.n_at_once = 4;
    assert_eq!(InProcess::default().stretch_bytes(1 << 40), None);
    assert_eq!(four.stretch_bytes((16 << 20) - 1), None);
    assert_eq!(four.stretch_bytes(16 << 20), Some(4 << 20));
    assert_eq!(four.stretch_bytes(96 << 20), Some(6 << 20));
    assert_eq!(four.stretch_bytes(1 << 40), Some(16 << 20));
}
