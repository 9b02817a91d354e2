//! An import by several readers: the same report as one reader's, and a job that brings its reader down
//! costs its file alone. The readers of these tests work in this program, over the messages of the page.

mod again;
mod ahead;
mod nobody;
mod run_directory;

use crate::any_order::FOLDERS;
use crate::slop_code::partners::loose;
use crate::support::{bytes_of, core_of, file, fixture_files, report_of};
use evalglass::input::{Dropped, InputFile, MemorySource, Pulse, ReadAt};
use evalglass::pool::{
    For, HelpWait, Job, JobEvent, JobRunner, LookedAhead, MessageWriter, Pool, PoolMessage,
    ReaderMessage, Urgency, Work, WorkspaceLine, look_ahead, work,
};
use evalglass::readers::InProcess;
use evalglass::report::{CaseQuery, Name, RunRef, Target, Topic};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{
    Answer, Download, EXPORTS, Export, ExportKind, Failure, Question, Request, Task,
};
use futures_channel::mpsc::{UnboundedSender, unbounded};
use futures_executor::{LocalPool, LocalSpawner};
use futures_util::task::LocalSpawnExt as _;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io::Write as _;
use std::rc::Rc;

/// What readers of a test do.
#[derive(Clone, Default)]
struct Conduct {
    /// They die of files whose path ends so.
    deadly: Vec<String>,
    /// Not when they look at them: only when their bundle is read.
    looks_on: bool,
    /// There are none.
    is_nobody: bool,
    /// The user cancels when so many jobs have been given out.
    cancelled_after: Option<u32>,
    /// They die of stretches.
    dies_of_stretches: bool,
    /// They die of what is read again.
    dies_of_asked: bool,
    /// They die of loose files that are compared.
    dies_of_keys: bool,
    /// Counts these files.
    n_keys: Rc<Cell<u32>>,
    /// Counts what they are given to be read again.
    n_asked: Rc<Cell<u32>>,
    /// Counts the stretches that they are given.
    n_stretches: Rc<Cell<u32>>,
    /// One of them dies of each of the stretches of these numbers.
    dying_stretches: Rc<RefCell<Vec<u32>>>,
    /// All of them die of the stretch of this number.
    deadly_stretch: Option<u32>,
    /// Counts the bundles that they are given.
    n_reads: Rc<Cell<u32>>,
    /// They die of so many bundles that they are given next.
    n_dying_reads: Rc<Cell<u32>>,
    /// They have looked at files before they are asked.
    looks_ahead: bool,
    /// Counts the files that they are asked to look at.
    n_looked: Rc<Cell<u32>>,
    /// Counts the messages in which evaluations go ahead of the rest of their bundle.
    n_ahead: Rc<Cell<u32>>,
}

impl Conduct {
    /// Whether the stretch that is read `for_whom` is one of those.
    fn dies_of(&self, for_whom: For) -> bool {
        let mut dying = self.dying_stretches.borrow_mut();
        let n_before = dying.len();
        dying.retain(|nth| *nth != for_whom.nth);
        dying.len() < n_before || self.deadly_stretch == Some(for_whom.nth)
    }

    /// Whether the bundle that is given now is one of those.
    fn dies_of_read(&self) -> bool {
        let n_left = self.n_dying_reads.get();
        self.n_dying_reads.set(n_left.saturating_sub(1));
        n_left > 0
    }
}

struct Readers {
    spawner: LocalSpawner,
    conduct: Conduct,
    n_jobs: Cell<u32>,
    /// What each job waits for.
    waiting: Rc<RefCell<HashMap<u32, Rc<HelpWait>>>>,
    /// How often bytes in memory were put where all can read them.
    n_kept: Rc<Cell<u32>>,
}

/// Stands for what a browser can pass on.
struct Kept(Vec<u8>);

impl ReadAt for Kept {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> std::io::Result<()> {
        MemorySource::new(self.0.as_slice()).read_at(offset, buf)
    }
}

impl JobRunner for Readers {
    fn n_readers(&self) -> usize {
        3
    }

    fn keep(&self, bytes: &[u8]) -> Option<Rc<dyn ReadAt>> {
        self.n_kept.set(self.n_kept.get() + 1);
        Some(Rc::new(Kept(bytes.to_vec())))
    }

    fn give(&self, for_whom: For, said: PoolMessage) {
        give(&self.waiting, for_whom, said);
    }

    fn looked(&self, file: &InputFile) -> Option<LookedAhead> {
        let asked = vec![Some((file.path.clone(), Rc::clone(&file.data)))];
        let (sender, deadly, n_ahead) = (RefCell::default(), Vec::new(), Rc::default());
        let line: Rc<dyn WorkspaceLine> = Rc::new(Own { sender, deadly, n_ahead });
        let looked = self.conduct.looks_ahead.then(|| look_ahead(asked, &line));
        looked.and_then(|looked| pollster::block_on(looked).pop()?)
    }

    fn start(&self, job: &PoolMessage, urgency: Urgency) -> Option<Work> {
        let (sender, events) = unbounded();
        let number = self.n_jobs.replace(self.n_jobs.get() + 1);
        let waiting = Rc::new(HelpWait::default());
        self.waiting.borrow_mut().insert(number, Rc::clone(&waiting));
        if self.conduct.is_nobody {
            sender.unbounded_send(JobEvent::Nobody).unwrap();
        } else if self.conduct.cancelled_after.is_none_or(|most| number < most) {
            let is_look = matches!(job.read(), Ok(Job::Look(_)));
            if let Ok(Job::Look(files)) = job.read() {
                self.conduct.n_looked.update(|n| n + u32::try_from(files.len()).unwrap());
            }
            let is_stretch = matches!(job.read(), Ok(Job::Stretch { .. }));
            self.conduct.n_stretches.update(|n| n + u32::from(is_stretch));
            let is_asked = matches!(job.read(), Ok(Job::Again { .. }));
            self.conduct.n_asked.update(|n| n + u32::from(is_asked));
            let is_keys = matches!(job.read(), Ok(Job::Keys { .. }));
            self.conduct.n_keys.update(|n| n + u32::from(is_keys));
            let is_read = matches!(job.read(), Ok(Job::Read { .. }));
            self.conduct.n_reads.update(|n| n + u32::from(is_read));
            let dies_of_stretch = |whom| self.conduct.dies_of(whom);
            let dies = (is_stretch && self.conduct.dies_of_stretches)
                || matches!(urgency, Urgency::Help(whom) if dies_of_stretch(whom))
                || (is_read && self.conduct.dies_of_read())
                || (is_keys && self.conduct.dies_of_keys)
                || (is_asked && self.conduct.dies_of_asked);
            if dies {
                sender.unbounded_send(JobEvent::Died("a test asked for it".to_owned())).unwrap();
                return Some(Work { number, events });
            }
            let spares = self.conduct.looks_on && is_look;
            let deadly = if spares { Vec::new() } else { self.conduct.deadly.clone() };
            let job = job.clone();
            let n_ahead = Rc::clone(&self.conduct.n_ahead);
            let own = Rc::new(Own { sender: RefCell::new(Some(sender)), deadly, n_ahead });
            let line: Rc<dyn WorkspaceLine> = Rc::<Own>::clone(&own);
            let all = Rc::clone(&self.waiting);
            let doing = async move {
                let said = work(&job, &line, &waiting).await;
                match urgency {
                    Urgency::Help(whom) if own.sender.borrow().is_some() => {
                        give(&all, whom, said);
                        own.event(JobEvent::Passed);
                    }
                    _ => own.event(JobEvent::Said(said)),
                }
            };
            self.spawner.spawn_local(doing).unwrap();
        }
        Some(Work { number, events })
    }
}

fn give(waiting: &RefCell<HashMap<u32, Rc<HelpWait>>>, whom: For, said: PoolMessage) {
    waiting.borrow()[&whom.job].take(whom.help, whom.nth, said);
}

struct Own {
    sender: RefCell<Option<UnboundedSender<JobEvent>>>,
    deadly: Vec<String>,
    n_ahead: Rc<Cell<u32>>,
}

impl Own {
    fn event(&self, event: JobEvent) {
        if let Some(sender) = &*self.sender.borrow() {
            // Nobody listens to what was cancelled.
            let _ = sender.unbounded_send(event);
        }
    }
}

impl WorkspaceLine for Own {
    fn say(&self, said: &ReaderMessage) {
        self.n_ahead.update(|n| n + u32::from(matches!(said, ReaderMessage::Ahead(_))));
        self.event(JobEvent::Said(MessageWriter::default().finish(said).unwrap()));
    }

    fn begins(&self, path: &str) {
        if self.deadly.iter().any(|end| path.ends_with(end.as_str()))
            && let Some(sender) = self.sender.take()
        {
            let _ = sender.unbounded_send(JobEvent::Died("a test asked for it".to_owned()));
        }
    }
}

fn opened(files: Vec<Dropped>, conduct: Conduct) -> (Core, Option<Failure>, LocalPool) {
    opened_counting(files, conduct, &Rc::default())
}

/// The report of what readers have read, and of what they read again for it.
fn report_by(pool: &mut LocalPool, core: &Core) -> serde_json::Value {
    let request = Task::Export { kind: ExportKind::ReportJson, view: None };
    match pool.run_until(core.answer_soon(request)) {
        Ok(Answer::Export(Download { bytes, .. })) => serde_json::from_slice(&bytes).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn opened_counting(
    files: Vec<Dropped>,
    conduct: Conduct,
    n_kept: &Rc<Cell<u32>>,
) -> (Core, Option<Failure>, LocalPool) {
    let mut pool = LocalPool::new();
    let n_kept = Rc::clone(n_kept);
    let n_jobs = Cell::default();
    let waiting = Rc::default();
    let readers = Readers { spawner: pool.spawner(), conduct, n_jobs, waiting, n_kept };
    let core = Core::new(Box::new(Pool::new(Rc::new(readers), InProcess::default())));
    let outcome = pool.run_until(core.open(files, Vec::new(), &Pulse::silent()));
    (core, outcome.err(), pool)
}

#[test]
fn many_readers_give_the_report_of_one() {
    for folder in FOLDERS {
        let expected = report_of(&core_of(fixture_files(folder)));
        for is_nobody in [false, true] {
            let conduct = Conduct { is_nobody, ..Conduct::default() };
            let (core, failure, mut pool) = opened(fixture_files(folder), conduct);
            assert_eq!(failure, None, "{folder}");
            let found = report_by(&mut pool, &core);
            assert!(expected == found, "{folder}, nobody: {is_nobody}");
            assert_eq!(core.files(), core_of(fixture_files(folder)).files(), "{folder}");
        }
    }
}

#[test]
fn what_was_looked_at_ahead_gives_the_same_and_is_not_looked_at_again() {
    for folder in FOLDERS {
        let files = || {
            let marked = |mut of: Dropped| {
                if of.path.ends_with(".jsonl") {
                    of = file(&of.path, [b"\xef\xbb\xbf".as_slice(), &bytes_of(&of)].concat());
                }
                of
            };
            fixture_files(folder).into_iter().map(marked).collect::<Vec<_>>()
        };
        let n_marked = files().iter().filter(|file| file.path.ends_with(".jsonl")).count();
        let conduct = Conduct { looks_ahead: true, ..Conduct::default() };
        let (core, failure, mut pool) = opened(files(), conduct.clone());
        assert_eq!(failure, None, "{folder}");
        assert!(report_by(&mut pool, &core) == report_of(&core_of(files())), "{folder}");
        // Behind a mark there are other bytes than those that were fetched.
        assert!(conduct.n_looked.get() as usize <= n_marked, "{folder}");
    }
}

#[test]
fn a_large_file_is_read_in_stretches_by_all() {
    let long = "long ".repeat(4_000);
    let row = |id: u32| {
        let score = f64::from(id % 7) / 7.0;
        format!(
            "{{\"sample_id\": {id}, \"model_handle\": \"m\", \"agent_id\": \"a\", \"trajectory\": \
             [[\"{long}\"]], \"grades\": {{\"quality\": {{\"score\": {score}}}}}}}\n"
        )
    };
    let rows: String = (0..1_000).map(|number| row(number % 990)).collect();
    assert!(rows.len() > 16 << 20);
    let samples: Vec<String> =
        (0..995).map(|id| format!("{{\"id\": {id}, \"input\": \"q\"}}")).collect();
    let suite = format!(
        "{{\"suite\": \"s\", \"config\": {{\"name\": \"s\", \"graders\": {{\"quality\": {{\"kind\": \
         \"tool\"}}}}}}, \"samples\": [{}]}}",
        samples.join(", ")
    );
    let alone = vec![file("large/m.jsonl", rows.clone())];
    // With a suite the rows are begun before its samples are read, and the second file with the first.
    let models = vec![
        file("large/suite.json", suite),
        file("large/m.jsonl", rows.clone()),
        file("large/n.jsonl", rows.replace("\"m\"", "\"n\"")),
    ];
    for files in [alone, models] {
        let expected = report_of(&core_of(files.clone()));
        assert_eq!(expected["runs"][0]["counts"]["total"], 1_000);
        for dies_of_stretches in [false, true] {
            let conduct = Conduct { dies_of_stretches, ..Conduct::default() };
            let (core, failure, mut pool) = opened(files.clone(), conduct.clone());
            assert_eq!(failure, None);
            assert!(expected == report_by(&mut pool, &core), "died: {dies_of_stretches}");
            let n_stretches = conduct.n_stretches.get() as usize;
            assert!(n_stretches > 3 * files.len().div_ceil(2), "{n_stretches} stretches");
        }
    }
}

fn letta(score: f64) -> String {
    format!(
        "{{\"result\": {{\"sample\": {{\"id\": 1, \"input\": \"a\"}}, \"grade\": {{\"score\": {score}}}, \
         \"model_name\": \"m\"}}, \"type\": \"result\"}}\n"
    )
}

#[test]
fn a_file_that_brings_its_reader_down_when_it_is_looked_at_costs_itself_alone() {
    let names = ["a/results.jsonl", "b/results.jsonl", "c/results.jsonl"];
    let files: Vec<Dropped> = names.iter().map(|name| file(name, letta(0.5))).collect();
    let deadly = vec!["b/results.jsonl".to_owned()];
    let (core, failure, mut pool) = opened(files, Conduct { deadly, ..Conduct::default() });
    assert_eq!(failure, None);
    let report = report_by(&mut pool, &core);
    assert_eq!(report["evaluations"].as_array().unwrap().len(), 2, "{report:#}");
    let own = "b/results.jsonl: the reader stopped while looking at this file: a test asked for it";
    let losses = core.losses();
    assert_eq!(losses.iter().filter(|line| line.starts_with('b')).collect::<Vec<_>>(), [own]);
}

#[test]
fn a_file_that_brings_its_reader_down_when_its_bundle_is_read_is_named_and_left_out() {
    let folder = "letta-evals/0.26.0_reward_multirun";
    let files = fixture_files(folder);
    let rows: Vec<&Dropped> = files.iter().filter(|file| file.path.ends_with(".jsonl")).collect();
    assert!(rows.len() > 1);
    let deadly = rows[0].path.clone();
    let conduct = Conduct { deadly: vec![deadly.clone()], looks_on: true, ..Conduct::default() };
    let (core, failure, mut pool) = opened(files.clone(), conduct);
    assert_eq!(failure, None);
    let losses = core.losses();
    let own = format!(
        "{deadly}: the reader stopped while reading this file: a test asked for it; it is left out"
    );
    assert!(losses.contains(&own), "{losses:#?}");
    let report = report_by(&mut pool, &core);
    assert_eq!(report["evaluations"].as_array().unwrap().len(), 1);
    let n_runs = |report: &serde_json::Value| report["runs"].as_array().unwrap().len();
    assert!(n_runs(&report) < n_runs(&report_of(&core_of(files))));
}

/// What is asked when the first cases of the first runs are looked at.
fn looks() -> Vec<Question> {
    let runs = (0..2).flat_map(|evaluation| (0..3).map(move |run| RunRef { evaluation, run }));
    let case = |run, at| Question::Case { run, case: Name::Place(at), spot: String::new() };
    let document = |run: RunRef| Question::Part(format!("{}.{}.d0:whole", run.evaluation, run.run));
    runs.flat_map(|run| [case(run, 0), case(run, 2), document(run)]).collect()
}

#[test]
fn a_case_that_is_looked_at_is_read_by_a_reader() {
    for folder in FOLDERS {
        let alone = core_of(fixture_files(folder));
        let conduct = Conduct::default();
        let (core, _, mut pool) =
            opened_counting(fixture_files(folder), conduct.clone(), &Rc::default());
        let mut case = None;
        for request in looks() {
            let asked = format!("{folder}: {request:?}");
            let n_before = conduct.n_asked.get();
            let found = pool.run_until(core.answer_soon(request.clone()));
            assert!(found == alone.answer(request.clone()), "{asked}");
            // The first evaluation may have no case: a collection that failed.
            case = case.or((conduct.n_asked.get() > n_before).then_some(request));
        }
        let case = case.unwrap_or_else(|| panic!("{folder} has a case"));
        let n_before = conduct.n_asked.get();
        for n_times in 1..3 {
            let _ = pool.run_until(core.answer_soon(case.clone()));
            assert_eq!(conduct.n_asked.get(), n_before + n_times, "{folder}: again");
        }
    }
}

#[test]
fn what_readers_read_for_exports_pages_and_searches_is_what_one_program_reads() {
    for folder in FOLDERS {
        let alone = core_of(fixture_files(folder));
        let conduct = Conduct::default();
        let (core, _, mut pool) = opened(fixture_files(folder), conduct.clone());
        let export = |own: &Export| Request::from(Task::Export { kind: own.kind, view: None });
        let exports = EXPORTS.iter().map(export);
        let failures = Topic::Failures(Target::All);
        let page = Request::from(Question::Sections { topic: failures, whole: Vec::new() });
        let target = Target::All;
        let search =
            |needle: &str| Request::from(Task::Search { target, needle: needle.to_owned() });
        let texts = CaseQuery { offset: 1, limit: 100, ..CaseQuery::default() };
        let texts = Request::from(Question::CaseTexts(texts));
        let searches = [search("a"), search("no such text"), search("1")];
        for request in exports.chain([page, texts]).chain(searches) {
            let asked = format!("{folder}: {request:?}");
            let found = pool.run_until(core.answer_soon(request.clone()));
            assert!(found.is_ok(), "{asked}: {found:?}");
            assert!(found == alone.answer(request), "{asked}");
        }
        assert!(conduct.n_asked.get() > 0, "{folder}");
    }
}

#[test]
fn loose_files_are_put_together_by_what_readers_read_of_them() {
    let g1 = loose("slop-code/g1", &["evaluation.json", "reports.parquet"]);
    let g2 = loose("slop-code/g2/v1.0", &["evaluation.json", "report.json"]);
    // Of files beyond 1 MiB nobody asks what they belong to while they are looked at.
    let padded = g2.iter().map(|one| {
        let mut bytes = bytes_of(one);
        bytes.resize(bytes.len() + (1 << 20), b' ');
        file(&one.path, bytes)
    });
    for files in [g1, padded.collect()] {
        let conduct = Conduct::default();
        let (core, failure, mut pool) = opened(files.clone(), conduct.clone());
        assert_eq!(failure, None);
        assert!(conduct.n_keys.get() > 2, "they are compared");
        let alone = core_of(files.clone());
        assert_eq!(core.files(), alone.files());
        assert!(report_by(&mut pool, &core) == report_of(&alone));
        // What nobody can compare stands alone.
        let conduct = Conduct { dies_of_keys: true, ..Conduct::default() };
        let (core, failure, mut pool) = opened(files, conduct);
        assert_eq!(failure, None);
        let n_runs = |report: serde_json::Value| report["runs"].as_array().unwrap().len();
        assert!(n_runs(report_by(&mut pool, &core)) > n_runs(report_of(&alone)));
    }
    for files in [g2, fixture_files("slop-code/g2/v1.0")] {
        let conduct = Conduct::default();
        let (core, failure, mut pool) = opened(files.clone(), conduct.clone());
        assert_eq!((failure, conduct.n_keys.get()), (None, 0), "no file is read for it again");
        assert!(report_by(&mut pool, &core) == report_of(&core_of(files)));
    }
}

#[test]
fn texts_that_bring_their_reader_down_keep_an_export_from_being_written() {
    let conduct = Conduct { dies_of_asked: true, ..Conduct::default() };
    let (core, _, mut pool) = opened(fixture_files("rebel/basic"), conduct);
    let export = Task::Export { kind: ExportKind::ReportJson, view: None };
    let found = pool.run_until(core.answer_soon(export));
    let Err(Failure::File { path: Some(path), reason }) = found else { panic!("{found:?}") };
    assert!(path.ends_with(".json"), "{path}");
    assert!(reason.contains("stopped while reading texts of this file"), "{reason}");
}

#[test]
fn a_case_that_brings_its_reader_down_costs_itself_alone() {
    let conduct = Conduct { dies_of_asked: true, ..Conduct::default() };
    let files = fixture_files("rebel/basic");
    let (core, failure, mut pool) = opened_counting(files, conduct, &Rc::default());
    assert_eq!(failure, None);
    let run = RunRef { evaluation: 0, run: 0 };
    let case = Question::Case { run, case: Name::Place(0), spot: String::new() };
    let found = pool.run_until(core.answer_soon(case));
    let Err(Failure::File { path: Some(path), reason }) = found else { panic!("{found:?}") };
    assert!(path.starts_with("rebel/basic/") || path.starts_with("basic/"), "{path}");
    assert!(reason.contains("stopped while reading a case of"), "{reason}");
    // Asked for together, they are then read one by one.
    let texts = Question::CaseTexts(CaseQuery { limit: 3, ..CaseQuery::default() });
    let found = pool.run_until(core.answer_soon(texts));
    assert_eq!(found, Ok(Answer::CaseTexts(vec![None; 3])));
    assert!(core.has_evaluations());
}

#[test]
fn a_cancel_leaves_nothing_behind() {
    for most in [0, 1, 2, 4] {
        let conduct = Conduct { cancelled_after: Some(most), ..Conduct::default() };
        let (core, failure, _) = opened(fixture_files("slop-code/g2/v1.0"), conduct);
        assert_eq!(failure, Some(Failure::Cancelled), "{most}");
        assert!(!core.has_evaluations(), "{most}");
    }
}

#[test]
fn a_panic_in_this_program_costs_the_file_that_is_being_read() {
    let names = ["a/results.jsonl", "b/results.jsonl", "c/results.jsonl"];
    // When it is looked at, and when it is read; the first time its head is looked at.
    for (nth, doing) in [(1, "looking at"), (2, "reading")] {
        let files: Vec<Dropped> = names.iter().map(|name| file(name, letta(0.5))).collect();
        let n_met = Cell::new(0);
        let pulse = Pulse::silent().on_file(move |path| {
            let is_it = path == "b/results.jsonl";
            assert!(!(is_it && n_met.replace(n_met.get() + 1) == nth), "a test asked for it");
        });
        let core = Core::default();
        pollster::block_on(core.open(files, Vec::new(), &pulse)).unwrap();
        assert_eq!(report_of(&core)["evaluations"].as_array().unwrap().len(), 2);
        let own = format!(
            "b/results.jsonl: the reader stopped while {doing} this file: a fault in the program: a test asked for it"
        );
        assert!(core.losses().contains(&own), "{:#?}", core.losses());
    }
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn what_was_unwrapped_is_passed_on_once_and_read_alike() {
    let files = fixture_files("letta-evals/0.4.1_multirun");
    let mut tar = tar::Builder::new(Vec::new());
    for file in &files {
        let bytes = bytes_of(file);
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_cksum();
        tar.append_data(&mut header, &file.path, bytes.as_slice()).unwrap();
    }
    let tar = gzipped(&tar.into_inner().unwrap());
    let apart = files.iter().map(|one| file(&format!("{}.gz", one.path), gzipped(&bytes_of(one))));
    let apart: Vec<Dropped> = apart.collect();
    // Beside a file that has its name already.
    let mut both = apart.clone();
    both.extend(files.into_iter().filter(|file| file.path.ends_with("run_1/results.jsonl")));
    let n_apart = apart.len();
    for (files, n_wanted) in [(vec![file("all.tar.gz", tar)], 1), (apart, n_apart), (both, n_apart)]
    {
        let n_kept = Rc::default();
        let (core, failure, mut pool) = opened_counting(files.clone(), Conduct::default(), &n_kept);
        assert_eq!(failure, None);
        assert_eq!(n_kept.get() as usize, n_wanted);
        assert!(report_by(&mut pool, &core) == report_of(&core_of(files)));
        assert!(core.has_evaluations());
    }
}

#[test]
fn a_file_that_brings_its_reader_down_when_it_is_unwrapped_costs_itself_alone() {
    let names = ["a/results.jsonl.gz", "b/results.jsonl.gz"];
    let files: Vec<Dropped> =
        names.iter().map(|name| file(name, gzipped(letta(0.5).as_bytes()))).collect();
    let deadly = vec!["a/results.jsonl.gz".to_owned()];
    let (core, failure, mut pool) = opened(files, Conduct { deadly, ..Conduct::default() });
    assert_eq!(failure, None);
    assert_eq!(report_by(&mut pool, &core)["evaluations"].as_array().unwrap().len(), 1);
    let own =
        "a/results.jsonl.gz: the reader stopped while unwrapping this file: a test asked for it";
    assert!(core.losses().contains(&own.to_owned()), "{:#?}", core.losses());
}
