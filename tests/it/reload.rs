//! Files that have grown, or were written anew, read again: the same as opened afresh.

use crate::hostile::Rng;
use crate::support::{bytes_of, core_of, file, fixture_files, report_of, report_under};
use evalglass::input::{Dropped, MemorySource, Pulse, ReadAt};
use evalglass::report::{RuleWords, Target, Tree};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, ExportKind, Failure, Question, Task};
use std::cell::Cell;
use std::io;
use std::rc::Rc;

const DROP: u32 = 7;

fn opened(files: Vec<Dropped>) -> Core {
    let core = Core::default();
    open(&core, DROP, files);
    core
}

fn open(core: &Core, drop: u32, files: Vec<Dropped>) {
    pollster::block_on(core.open_drop(drop, files, Vec::new(), &Pulse::silent()))
        .expect("nothing cancels");
}

fn try_reload(core: &Core, drop: u32, files: Vec<Dropped>) -> Result<(Tree, String), Failure> {
    match pollster::block_on(core.reload(drop, files, &Pulse::silent()))? {
        Answer::Reloaded(tree, words) => Ok((tree, words)),
        other => panic!("{other:?} is no answer to a reload"),
    }
}

fn reload(core: &Core, files: Vec<Dropped>) -> (Tree, String) {
    try_reload(core, DROP, files).expect("the files can be read")
}

pub fn export(core: &Core) -> Vec<u8> {
    let Ok(Answer::Export(download)) =
        core.answer(Task::Export { kind: ExportKind::ReportJson, view: None })
    else {
        panic!("the report is exported");
    };
    download.bytes
}

pub fn tree(core: &Core) -> Tree {
    match core.answer(Question::Rules(RuleWords::new())) {
        Ok(Answer::Workspace(tree)) => tree,
        other => panic!("{other:?} is no tree"),
    }
}

/// `files`, of which the one called `name` holds `bytes`.
pub fn with(files: &[Dropped], name: &str, bytes: &[u8]) -> Vec<Dropped> {
    let own = |dropped: &Dropped| match dropped.path.ends_with(name) {
        true => file(&dropped.path, bytes),
        false => dropped.clone(),
    };
    files.iter().map(own).collect()
}

/// Checks that `core` holds what opening `files` gives.
fn is_as_fresh(core: &Core, files: Vec<Dropped>, what: &str) {
    is_that_of(&tree(core), &export(core), files, what);
}

/// Checks that `found` is the tree and `report` the report of what opening `files` gives.
pub fn is_that_of(found: &Tree, report: &[u8], files: Vec<Dropped>, what: &str) {
    let fresh = opened(files);
    assert_eq!(found, &tree(&fresh), "{what}");
    let (found, expected) = (report, export(&fresh));
    if found != expected.as_slice() {
        let at = found.iter().zip(&expected).position(|(left, right)| left != right);
        let at = at.unwrap_or(found.len().min(expected.len()));
        let part = |bytes: &[u8]| {
            let end = bytes.len().min(at + 200);
            String::from_utf8_lossy(&bytes[at.saturating_sub(200).min(end)..end]).into_owned()
        };
        panic!("{what}: byte {at}\n{}\n\nbut fresh\n{}", part(found), part(&expected));
    }
}

/// A folder whose `results.jsonl` holds `rows`.
pub fn folder(rows: &[u8]) -> Vec<Dropped> {
    let header = r#"{"type": "header", "suite": "tiny", "config": {"graders": {"quality": {}},
        "gate": {"kind": "simple", "metric_key": "quality", "op": "gte", "value": 0.5}}}"#;
    vec![file("tiny/header.json", header), file("tiny/results.jsonl", rows)]
}

pub fn row(id: &str, model: Option<&str>, score: f64, rationale: &str) -> String {
    let model = model.map_or("null".to_owned(), |model| format!("{model:?}"));
    format!(
        r#"{{"type":"result","result":{{"sample":{{"id":{id}}},"model_name":{model},"agent_id":"a","trajectory":[[{{}}]],"grade":{{"score":{score},"rationale":{rationale:?}}},"grades":{{"quality":{{"score":{score}}}}}}}}}"#
    )
}

/// Line ends of both kinds, a blank line, glued rows, a broken line, an id that comes again, a grader
/// that only one row has, another model, and no newline at the end.
pub fn tiny(models: [Option<&str>; 2]) -> String {
    let [first, second] = models;
    let odd =
        row("4", first, 0.5, "ok").replace("\"grades\":{", "\"grades\":{\"late\":{\"score\":1},");
    [
        format!("{}\n", row("1", first, 0.25, "é")),
        format!("{}\r\n\n", row("2", first, 1.0, "")),
        format!("{}{}\n", row("3", second, 0.75, "x"), row("\"3\"", first, 0.0, "y")),
        "{\"broken\n".to_owned(),
        format!("{odd}\n"),
        row("1", second, 0.125, "again"),
    ]
    .concat()
}

#[test]
fn every_byte_at_which_a_file_can_be_cut_gives_the_same_once_it_is_whole() {
    for models in [[Some("m"), Some("m")], [None, None], [Some("m"), Some("n")], [None, Some("n")]]
    {
        let whole = tiny(models);
        assert_eq!(tree(&opened(folder(whole.as_bytes()))).n_cases, 6, "{models:?}");
        let fresh = export(&opened(folder(whole.as_bytes())));
        let first_line = whole.find('\n').unwrap();
        for cut in 0..=whole.len() {
            let core = opened(folder(&whole.as_bytes()[..cut]));
            let (_, words) = reload(&core, vec![file("tiny/results.jsonl", whole.as_bytes())]);
            assert!(export(&core) == fresh, "{models:?}, cut at {cut}");
            // Where only some rows name their model, it is not known which.
            if cut > first_line && cut < whole.len() && models != [None, Some("n")] {
                assert!(words.starts_with("1 file continued"), "{models:?}, cut at {cut}: {words}");
            }
        }
    }
}

#[test]
fn files_of_fixtures_may_grow_in_any_steps() {
    let mut rng = Rng::new(11);
    for (fixture, name) in [
        ("letta-evals/0.2.x_singlefile", "run.jsonl"),
        ("letta-evals/0.4.1_multirun", "run_3/results.jsonl"),
        ("letta-evals/0.5.0_single", "results.jsonl"),
        ("letta-evals/0.15.0_logical_multirun", "run_2/results.jsonl"),
        ("letta-evals/0.20.0_suite", "acme-unknown-beta.jsonl"),
        ("letta-evals/0.25.1_reward", "anthropic-claude-haiku-4-5.jsonl"),
        ("letta-evals/0.25.1_reward_11runs", "openai-gpt-4.1-mini/run_2.jsonl"),
        ("letta-evals/0.26.0_reward_multirun", "acme-unpriced-1/run_1.jsonl"),
        ("letta-evals/guide_shape", "run_1/results.jsonl"),
        ("slop-code/g2/v1.0", "checkpoint_results.jsonl"),
        ("rebel/basic", ".json"),
    ] {
        let files = fixture_files(fixture);
        let grown = files.iter().find(|file| file.path.ends_with(name)).expect("it is there");
        let whole = bytes_of(grown);
        for _ in 0..6 {
            let mut cuts: Vec<usize> = (0..3).map(|_| rng.below(whole.len())).collect();
            cuts.sort_unstable();
            let what = format!("{fixture} {name} {cuts:?}");
            let core = opened(with(&files, name, &whole[..cuts[0]]));
            for cut in &cuts[1..] {
                let part = vec![file(&grown.path, &whole[..*cut])];
                // What is cut in its first record may be no result yet: then nothing changes.
                if try_reload(&core, DROP, part).is_ok() {
                    is_as_fresh(&core, with(&files, name, &whole[..*cut]), &what);
                }
            }
            reload(&core, vec![grown.clone()]);
            is_as_fresh(&core, files.clone(), &what);
        }
    }
}

/// A file that counts the bytes that are read of it, and can be read until it is switched off.
struct Counted {
    inner: MemorySource,
    n_read: Rc<Cell<u64>>,
    is_gone: bool,
}

impl ReadAt for Counted {
    fn len(&self) -> u64 {
        self.inner.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        if self.is_gone {
            return Err(io::Error::other("it has changed since"));
        }
        self.n_read.set(self.n_read.get() + buf.len() as u64);
        self.inner.read_at(offset, buf)
    }
}

pub fn counted(path: &str, bytes: &[u8], is_gone: bool) -> (Dropped, Rc<Cell<u64>>) {
    let n_read = Rc::new(Cell::new(0));
    let inner = MemorySource::new(bytes);
    let data = Rc::new(Counted { inner, n_read: Rc::clone(&n_read), is_gone });
    (Dropped { path: path.to_owned(), data }, n_read)
}

#[test]
fn rows_that_were_read_are_not_read_again() {
    let rows: Vec<String> = (0..4_000)
        .map(|n| row(&n.to_string(), Some("m"), f64::from(n % 5) / 4.0, &"long ".repeat(200)))
        .collect();
    let (all, first) = (rows.join("\n"), rows[..3_999].join("\n"));
    let core = opened(folder(first.as_bytes()));
    let (grown, n_read) = counted("tiny/results.jsonl", all.as_bytes(), false);
    let (tree, words) = reload(&core, vec![grown]);
    assert_eq!(tree.n_cases, 4_000);
    assert_eq!(words, "1 file continued after the last read line: 1 case more.");
    assert!(n_read.get() < 600_000, "{} of {} bytes were read", n_read.get(), all.len());
    is_as_fresh(&core, folder(all.as_bytes()), "one row more");
    let (_, words) = reload(&core, folder(all.as_bytes()));
    assert_eq!(words, "2 files read from the start: as many cases as before.");
    let (_, words) = reload(&core, folder((all + "\n\n").as_bytes()));
    let said =
        "1 file continued after the last read line, 1 from the start: as many cases as before.";
    assert_eq!(words, said);
}

#[test]
fn a_file_that_shrank_or_begins_otherwise_is_read_from_its_start() {
    let whole = tiny([Some("m"), Some("m")]);
    let core = opened(folder(whole.as_bytes()));
    let shorter = &whole.as_bytes()[..whole.find("\n").unwrap() + 1];
    let (tree, words) = reload(&core, vec![file("tiny/results.jsonl", shorter)]);
    assert_eq!((tree.n_cases, words.as_str()), (1, "1 file read from the start: 5 cases fewer."));
    is_as_fresh(&core, folder(shorter), "shorter");
    let other = whole.replace("0.25", "0.75") + "\n" + &row("9", Some("m"), 1.0, "new");
    let (tree, words) = reload(&core, vec![file("tiny/results.jsonl", other.as_bytes())]);
    assert_eq!((tree.n_cases, words.as_str()), (7, "1 file read from the start: 6 cases more."));
    is_as_fresh(&core, folder(other.as_bytes()), "another beginning");
}

#[test]
fn rows_are_judged_anew_when_the_configuration_is_another() {
    let whole = tiny([Some("m"), Some("m")]);
    let mut files = folder(whole.as_bytes());
    let core = opened(files.clone());
    let header = String::from_utf8(bytes_of(&files[0])).unwrap().replace("0.5", "0.2");
    files[0] = file("tiny/header.json", header);
    let before = report_of(&core)["runs"][0]["counts"]["passed"].clone();
    let (_, words) = reload(&core, files.clone());
    assert_eq!(words, "2 files read from the start: as many cases as before.");
    assert_ne!(report_of(&core)["runs"][0]["counts"]["passed"], before);
    is_as_fresh(&core, files, "another gate");
}

#[test]
fn a_line_that_was_cut_loses_its_note_once_it_is_whole() {
    let whole = tiny([Some("m"), Some("m")]);
    let core = opened(folder(&whole.as_bytes()[..whole.len() - 3]));
    assert!(core.losses().iter().any(|line| line.ends_with("the last line is cut off")));
    reload(&core, folder(whole.as_bytes()));
    assert!(!core.losses().iter().any(|line| line.ends_with("the last line is cut off")));
}

#[test]
fn what_cannot_be_read_leaves_everything_as_it_was() {
    let whole = tiny([Some("m"), Some("m")]);
    let core = opened(folder(whole.as_bytes()));
    let before = (export(&core), tree(&core));
    let longer = whole.clone() + "\n" + &whole;
    let (gone, _) = counted("tiny/results.jsonl", longer.as_bytes(), true);
    let failure = try_reload(&core, DROP, vec![gone]).unwrap_err();
    assert_eq!(failure.to_string(), "it has changed since (tiny/results.jsonl)");
    let empty = vec![file("tiny/header.json", "{}"), file("tiny/results.jsonl", "no rows")];
    let failure = try_reload(&core, DROP, empty).unwrap_err();
    assert!(matches!(failure, Failure::File { path: Some(_), .. }), "{failure}");
    let failure = try_reload(&core, DROP, vec![file("other/a.json", "{}")]).unwrap_err();
    assert!(failure.to_string().starts_with("none of these files"), "{failure}");
    assert_eq!((export(&core), tree(&core)), before);
}

#[test]
fn number_place_and_rules_stay() {
    let [one, other] = ["one", "two"].map(|name| {
        let mut files = folder(tiny([Some("m"), Some("m")]).as_bytes());
        for file in &mut files {
            file.path = file.path.replace("tiny", name);
        }
        files
    });
    let core = Core::default();
    open(&core, 1, one);
    open(&core, 2, other);
    let rules = [("pass", ">= 0.9")];
    report_under(&core, &rules);
    let longer = tiny([Some("m"), Some("m")]) + "\n" + &row("9", Some("m"), 0.95, "new");
    let (tree, _) =
        try_reload(&core, 1, vec![file("one/results.jsonl", longer.as_bytes())]).unwrap();
    let nodes: Vec<(u32, &str, u64)> = tree
        .evaluations
        .iter()
        .map(|node| (node.id, node.path.as_str(), node.runs[0].n_cases))
        .collect();
    assert_eq!(nodes, [(0, "one", 7), (1, "two", 6)]);
    assert_eq!((tree.rules.changes.len(), tree.evaluations[0].runs[0].n_passed), (1, Some(2)));
    let mut grown = folder(longer.as_bytes());
    grown.iter_mut().for_each(|file| file.path = file.path.replace("tiny", "one"));
    let fresh = report_under(&core_of(grown), &rules);
    assert_eq!(report_of(&core)["runs"][0], fresh["runs"][0]);
}

#[test]
fn names_given_by_the_reader_stay() {
    let files = fixture_files("letta-evals/0.26.0_reward_multirun");
    let is_late = |file: &Dropped| file.path.contains("acme-unpriced-1/");
    let (late, early): (Vec<_>, Vec<_>) = files.into_iter().partition(is_late);
    let core = opened(early);
    let run = tree(&core).evaluations[0].runs[1].run;
    for (target, label) in
        [(Target::Evaluation(0), "mine"), (Target::Run(run), "first"), (Target::Run(run), "second")]
    {
        core.answer(Question::Rename { target, label: label.to_owned() }).unwrap();
    }
    let (found, _) = reload(&core, late);
    let node = &found.evaluations[0];
    let runs: Vec<&str> = node.runs.iter().map(|run| run.label.as_str()).collect();
    let first = "openai/gpt-4.1-mini · run 1";
    let others = ["acme/unpriced-1 · run 1", "acme/unpriced-1 · run 2"];
    assert_eq!((node.label.as_str(), runs.len()), ("mine", 4));
    for name in [first, "second", others[0], others[1]] {
        assert!(runs.contains(&name), "{name}: {runs:?}");
    }
}

#[test]
fn two_drops_of_the_same_name_are_told_apart() {
    let whole = tiny([Some("m"), Some("m")]);
    let core = Core::default();
    open(&core, 1, folder(whole.as_bytes()));
    open(&core, 2, folder(whole.as_bytes()));
    let longer = whole + "\n" + &row("9", Some("m"), 0.95, "new");
    let (tree, _) = try_reload(&core, 2, folder(longer.as_bytes())).unwrap();
    let nodes: Vec<(u32, &str, u64)> = tree
        .evaluations
        .iter()
        .map(|node| (node.id, node.path.as_str(), node.runs[0].n_cases))
        .collect();
    assert_eq!(nodes, [(0, "tiny", 6), (1, "tiny (2)", 7)]);
}

#[test]
fn new_files_join_and_removed_evaluations_do_not_come_back() {
    let files = fixture_files("letta-evals/0.26.0_reward_multirun");
    let is_late = |file: &Dropped| file.path.contains("acme-unpriced-1/");
    let (late, early): (Vec<_>, Vec<_>) = files.iter().cloned().partition(is_late);
    let core = opened(early);
    let id = tree(&core).evaluations[0].id;
    let (found, _) = reload(&core, late);
    assert_eq!(found.evaluations[0].id, id);
    assert_eq!(found.n_files, files.len() as u64);
    is_as_fresh(&core, files.clone(), "a second model");
    core.answer(Question::Remove(id)).unwrap();
    let failure = try_reload(&core, DROP, files.clone()).unwrap_err();
    assert!(failure.to_string().starts_with("none of these files"), "{failure}");
    core.answer(Question::Restore).unwrap();
    reload(&core, files.clone());
    assert_eq!(tree(&core).evaluations.len(), 1);
    core.answer(Question::Clear).unwrap();
    open(&core, DROP, files);
    assert_eq!(tree(&core).evaluations.len(), 1);
}

#[test]
fn an_archive_is_read_again_as_a_whole() {
    use std::io::Write as _;
    let packed = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let whole = tiny([Some("m"), Some("m")]);
    let files = |bytes: &[u8]| {
        let mut files = folder(b"");
        files[1] = file("tiny/results.jsonl.gz", packed(bytes));
        files
    };
    let core = opened(files(&whole.as_bytes()[..400]));
    let (_, words) = reload(&core, files(whole.as_bytes()));
    assert!(
        words.starts_with("1 file continued after the last read line, 1 from the start"),
        "{words}"
    );
    is_as_fresh(&core, files(whole.as_bytes()), "gzip");
}
