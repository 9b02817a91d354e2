//! What is read again: files that have grown, by readers that get the marks of those before them, and
//! stretches whose reader has died.

use super::{Conduct, opened_counting};
use crate::hostile::Rng;
use crate::reload::{counted, export, folder, is_that_of, row, tiny, tree, with};
use crate::stretches::made;
use crate::support::{bytes_of, core_of, file, fixture_files, report_of};
use evalglass::input::{Dropped, Pulse};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, ExportKind, Failure, Task};
use futures_executor::LocalPool;
use std::cell::RefCell;
use std::rc::Rc;

/// A workspace whose files are read again.
struct Watched {
    core: Core,
    pool: LocalPool,
    conduct: Conduct,
}

impl Watched {
    fn new(files: Vec<Dropped>) -> Self {
        let conduct = Conduct::default();
        let (core, failure, pool) = opened_counting(files, conduct.clone(), &Rc::default());
        assert_eq!(failure, None);
        Self { core, pool, conduct }
    }

    /// The report of what is open.
    fn export(&mut self) -> Vec<u8> {
        let request = Task::Export { kind: ExportKind::ReportJson, view: None };
        match self.pool.run_until(self.core.answer_soon(request)) {
            Ok(Answer::Export(download)) => download.bytes,
            other => panic!("{other:?}"),
        }
    }

    /// Reads `files` again; what the page says of it.
    fn reload(&mut self, files: Vec<Dropped>) -> Result<String, Failure> {
        let n_before = self.conduct.n_reads.get();
        let answer = self.pool.run_until(self.core.reload(0, files, &Pulse::silent()))?;
        assert!(self.conduct.n_reads.get() > n_before, "this program has read by itself");
        match answer {
            Answer::Reloaded(_, words) => Ok(words),
            other => panic!("{other:?} is no answer to a reload"),
        }
    }
}

/// Has file `name` of `files` grow from one of `cuts` to the next; gives how often it was read on.
fn grown(files: &[Dropped], name: &str, cuts: &[usize]) -> usize {
    let own = files.iter().find(|file| file.path.ends_with(name)).expect("it is there");
    let whole = bytes_of(own);
    let mut watched = Watched::new(with(files, name, &whole[..cuts[0]]));
    let mut n_continued = 0;
    for cut in cuts[1..].iter().copied().chain([whole.len()]) {
        let now = vec![file(&own.path, &whole[..cut])];
        // What is cut in its first record may be no result yet: then nothing changes.
        let Ok(words) = watched.reload(now) else { continue };
        n_continued += usize::from(words.contains(" continued "));
        let what = format!("{name} {cuts:?} at {cut}: {words}");
        is_that_of(
            &tree(&watched.core),
            &watched.export(),
            with(files, name, &whole[..cut]),
            &what,
        );
        assert_eq!(watched.core.losses(), core_of(with(files, name, &whole[..cut])).losses());
    }
    n_continued
}

#[test]
fn a_file_that_grows_is_read_on_by_readers() {
    let mut rng = Rng::new(12);
    let mut n_continued = 0;
    for (fixture, name) in [
        ("letta-evals/0.2.x_singlefile", "run.jsonl"),
        ("letta-evals/0.4.1_multirun", "run_3/results.jsonl"),
        ("letta-evals/0.15.0_logical_multirun", "run_2/results.jsonl"),
        ("letta-evals/0.20.0_suite", "acme-unknown-beta.jsonl"),
        ("letta-evals/0.26.0_reward_multirun", "acme-unpriced-1/run_1.jsonl"),
        ("letta-evals/guide_shape", "run_1/results.jsonl"),
        ("slop-code/g2/v1.0", "checkpoint_results.jsonl"),
        ("rebel/basic", ".json"),
    ] {
        let files = fixture_files(fixture);
        let n_bytes = files.iter().find(|file| file.path.ends_with(name)).unwrap().data.len();
        let mut cuts: Vec<usize> =
            (0..4).map(|_| rng.below(usize::try_from(n_bytes).unwrap())).collect();
        cuts.sort_unstable();
        n_continued += grown(&files, name, &cuts);
    }
    assert!(n_continued > 9, "{n_continued} of the files of fixtures");
    n_continued = 0;
    for seed in 0..12 {
        let files = made::files(seed);
        let own = files.iter().find(|file| file.path.ends_with(".jsonl")).unwrap();
        let n_bytes = usize::try_from(own.data.len()).unwrap();
        let mut cuts: Vec<usize> = (0..4).map(|_| rng.below(n_bytes)).collect();
        cuts.sort_unstable();
        n_continued += grown(&files, ".jsonl", &cuts);
    }
    assert!(n_continued > 18, "{n_continued} of those that were made");
}

#[test]
fn a_reader_goes_on_wherever_the_file_was_cut() {
    for models in [[Some("m"), Some("m")], [None, None], [Some("m"), Some("n")], [None, Some("n")]]
    {
        let whole = tiny(models);
        let files = folder(whole.as_bytes());
        let fresh = export(&core_of(files.clone()));
        let first_line = whole.find('\n').unwrap();
        // A number that meets all parts of lines; every byte is tried without messages.
        for cut in (first_line + 1..whole.len()).step_by(11) {
            let part = || vec![file("tiny/results.jsonl", &whole.as_bytes()[..cut])];
            let mut watched = Watched::new(with(&files, "results.jsonl", &whole.as_bytes()[..cut]));
            // The first reading leaves no mark.
            let words = watched.reload(part()).unwrap();
            assert_eq!(words, "1 file read from the start: as many cases as before.");
            let words = watched.reload(vec![files[1].clone()]).unwrap();
            assert!(watched.export() == fresh, "{models:?}, cut at {cut}");
            // Where only some rows name their model, it is not known which.
            if models != [None, Some("n")] {
                assert!(words.starts_with("1 file continued"), "{models:?}, cut at {cut}: {words}");
            }
        }
    }
}

/// A folder of many rows, and its rows once there are more.
fn steps() -> Vec<String> {
    let rows: Vec<String> = (0..2_000)
        .map(|n| row(&n.to_string(), Some("m"), f64::from(n % 5) / 4.0, &"long ".repeat(200)))
        .collect();
    [1_990, 1_993, 1_996, 2_000].map(|n_rows| rows[..n_rows].join("\n")).into()
}

#[test]
fn rows_that_were_read_are_not_read_again_by_another_reader() {
    let steps = steps();
    let mut watched = Watched::new(folder(steps[0].as_bytes()));
    for (nth, step) in steps.iter().enumerate().skip(1) {
        let (grown, n_read) = counted("tiny/results.jsonl", step.as_bytes(), false);
        let words = watched.reload(vec![grown]).unwrap();
        let is_first = nth == 1;
        assert_eq!(words.starts_with("1 file continued"), !is_first, "{nth}: {words}");
        assert_eq!(n_read.get() > 600_000, is_first, "{nth}: {} bytes were read", n_read.get());
        is_that_of(
            &tree(&watched.core),
            &watched.export(),
            folder(step.as_bytes()),
            "some rows more",
        );
    }
}

#[test]
fn a_file_that_was_not_read_again_keeps_its_mark_beside_one_that_was() {
    let files = fixture_files("letta-evals/0.4.1_multirun");
    let rows: Vec<&Dropped> =
        files.iter().filter(|file| file.path.ends_with("results.jsonl")).collect();
    let mut watched = Watched::new(files.clone());
    for (nth, grown) in [rows[0], rows[0], rows[1], rows[0]].into_iter().enumerate() {
        let mut bytes = bytes_of(grown);
        bytes.extend(vec![b'\n'; nth + 1]);
        let words = watched.reload(vec![file(&grown.path, &*bytes)]).unwrap();
        let n_on = words.split_once(" continued").map_or(0, |(n, _)| {
            n.trim_end_matches(" files").trim_end_matches(" file").parse().unwrap()
        });
        assert_eq!(n_on, [0, rows.len(), rows.len(), rows.len()][nth], "{nth}: {words}");
    }
    is_that_of(&tree(&watched.core), &watched.export(), files, "blank lines more");
}

#[test]
fn a_file_that_was_written_anew_is_read_from_its_start_by_a_reader() {
    let whole = tiny([Some("m"), Some("m")]);
    let mut watched = Watched::new(folder(whole.as_bytes()));
    let shorter = whole.as_bytes()[..whole.find('\n').unwrap() + 1].to_vec();
    let other = whole.replace("0.25", "0.75") + "\n" + &row("9", Some("m"), 1.0, "new");
    let longer = format!("{other}\n{}", row("10", Some("m"), 1.0, "newer"));
    for (step, start) in [
        (whole.as_bytes(), "1 file read from the start: as many"),
        (shorter.as_slice(), "1 file read from the start: 5 cases fewer"),
        (other.as_bytes(), "1 file read from the start: 6 cases more"),
        (longer.as_bytes(), "1 file continued after the last read line: 1 case more"),
    ] {
        let words = watched.reload(vec![file("tiny/results.jsonl", step)]).unwrap();
        assert!(words.starts_with(start), "{words}");
        is_that_of(&tree(&watched.core), &watched.export(), folder(step), &words);
    }
}

#[test]
fn a_reader_that_dies_of_a_file_that_has_grown_changes_nothing_of_what_is_said_of_it() {
    let steps = steps();
    let grown = |nth: usize| vec![file("tiny/results.jsonl", steps[nth].as_bytes())];
    let mut watched = Watched::new(folder(steps[0].as_bytes()));
    watched.reload(grown(1)).unwrap();
    // Two readers die: nothing has changed, and the mark is still there.
    watched.conduct.n_dying_reads.set(2);
    let before = watched.export();
    let failure = watched.reload(grown(2)).unwrap_err();
    assert!(matches!(failure, Failure::File { path: Some(_), .. }), "{failure}");
    assert!(watched.export() == before);
    // One does: the next one reads the whole file.
    watched.conduct.n_dying_reads.set(1);
    let words = watched.reload(grown(2)).unwrap();
    assert_eq!(words, "1 file read from the start: 3 cases more.");
    is_that_of(
        &tree(&watched.core),
        &watched.export(),
        folder(steps[2].as_bytes()),
        "a reader died",
    );
    let words = watched.reload(grown(3)).unwrap();
    assert_eq!(words, "1 file read from the start: 4 cases more.");
    let words = watched.reload(vec![file("tiny/results.jsonl", steps[3].clone() + "\n")]).unwrap();
    assert_eq!(words, "1 file continued after the last read line: as many cases as before.");
    is_that_of(
        &tree(&watched.core),
        &watched.export(),
        folder((steps[3].clone() + "\n").as_bytes()),
        "none died",
    );
}

/// Rows of more bytes than are read in one go.
fn many_rows() -> String {
    let long = "long ".repeat(4_000);
    (0..1_000)
        .map(|n| row(&n.to_string(), Some("m"), f64::from(n % 7) / 7.0, &long) + "\n")
        .collect()
}

#[test]
fn a_file_that_is_read_in_stretches_leaves_a_mark_too() {
    let rows = many_rows();
    let mut watched = Watched::new(folder(rows.as_bytes()));
    let mut grown = rows;
    let mut n_stretches = watched.conduct.n_stretches.get();
    assert!(n_stretches > 3);
    for (nth, is_cut) in [true, false, false].into_iter().enumerate() {
        grown += &(row(&(2_000 + nth).to_string(), Some("m"), 0.5, "new") + "\n");
        let (own, n_read) = counted("tiny/results.jsonl", grown.as_bytes(), false);
        let words = watched.reload(vec![own]).unwrap();
        let n_now = watched.conduct.n_stretches.get();
        assert_eq!(n_now > n_stretches, is_cut, "{nth}: {words}");
        assert_eq!(n_read.get() > 8_000_000, is_cut, "{nth}: {words}");
        n_stretches = n_now;
        is_that_of(&tree(&watched.core), &watched.export(), folder(grown.as_bytes()), &words);
    }
}

#[test]
fn a_stretch_whose_reader_died_is_read_by_another() {
    let rows = many_rows();
    let expected = report_of(&core_of(folder(rows.as_bytes())));
    let open = |conduct: &Conduct| {
        let (own, n_read) = counted("tiny/results.jsonl", rows.as_bytes(), false);
        let mut files = folder(b"");
        files[1] = own;
        let (core, failure, _) = opened_counting(files, conduct.clone(), &Rc::default());
        assert_eq!(failure, None);
        assert!(expected == report_of(&core));
        (conduct.n_stretches.get(), n_read.get())
    };
    let (n_stretches, n_bytes) = open(&Conduct::default());
    let n_whole = rows.len() as u64;
    for dying in [vec![1], vec![0, 2, 3]] {
        let n_dying = u32::try_from(dying.len()).unwrap();
        let conduct =
            Conduct { dying_stretches: Rc::new(RefCell::new(dying)), ..Conduct::default() };
        let (n_now, n_read) = open(&conduct);
        assert_eq!(n_now, n_stretches + n_dying, "each that died once more, and no other");
        assert_eq!(n_read, n_bytes, "and the file is not read in one go");
    }
    // One that brings down two readers: then all of it is read in one go.
    let conduct = Conduct { deadly_stretch: Some(1), ..Conduct::default() };
    let (n_now, n_read) = open(&conduct);
    assert_eq!(n_now, n_stretches + 1);
    assert!(n_read > n_bytes + n_whole / 2, "{n_read} bytes of {n_whole}");
}
