//! Datasets, opened again: figures without a byte of the cases, cases by the parts that hold them, and what is said of
//! damage.

use crate::support::{core_of, exported, exported_text, fixture, report_of, report_under};
use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use evalglass::dataset::{WriteWish, write};
use evalglass::input::{Dropped, ReadAt, walk_disk};
use evalglass::report::{CaseQuery, EvaluationNode, Tree};
use evalglass::report::{Target, Topic};
use evalglass::worker::core::Core;
use evalglass::worker::protocol::{Answer, ExportKind, Failure, Question, Task};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// Folders of fixtures whose figures and cases go through a dataset.
const FOLDERS: [&str; 5] = [
    "slop-code/g2/v1.0",
    "letta-evals/0.15.0_logical_multirun",
    "letta-evals/0.26.0_reward_multirun",
    "rebel/edge",
    "junit",
];

/// A dataset of fixture folders, in a folder of its own.
fn dataset(name: &str, paths: &[&str]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("dataset-opened").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let dataset = folder.join("evals");
    let paths = paths.iter().map(|path| fixture(path)).collect();
    write(&WriteWish { dataset: dataset.clone(), paths, ..WriteWish::default() }).unwrap();
    dataset
}

/// What was read: path, first byte, bytes.
type Log = Rc<RefCell<Vec<(String, u64, u64)>>>;

/// A file that writes down what is read of it.
struct Counted {
    path: String,
    own: Rc<dyn ReadAt>,
    log: Log,
}

impl ReadAt for Counted {
    fn len(&self) -> u64 {
        self.own.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        self.log.borrow_mut().push((self.path.clone(), offset, buf.len() as u64));
        self.own.read_at(offset, buf)
    }
}

/// The manifest of a dataset on a server, from where its parts can be asked for.
struct Served {
    root: PathBuf,
    own: Counted,
}

impl ReadAt for Served {
    fn len(&self) -> u64 {
        self.own.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        self.own.read_at(offset, buf)
    }

    fn beside(&self, path: &str, len: u64) -> Option<Rc<dyn ReadAt>> {
        let bytes = fs::read(self.root.join(path)).unwrap_or_default();
        assert!(
            bytes.is_empty() || bytes.len() as u64 == len,
            "the table of parts knows the length"
        );
        let own: Rc<dyn ReadAt> = Rc::new(evalglass::input::MemorySource::new(bytes));
        Some(Rc::new(Counted { path: path.to_owned(), own, log: Rc::clone(&self.own.log) }))
    }
}

/// The files of the folder `dataset`, which write down what is read of them.
fn counted(dataset: &Path, log: &Log) -> Vec<Dropped> {
    let counted = |file: Dropped| {
        let own = Counted { path: file.path.clone(), own: file.data, log: Rc::clone(log) };
        Dropped { path: file.path, data: Rc::new(own) }
    };
    walk_disk(dataset).unwrap().files.into_iter().map(counted).collect()
}

/// What the address of its manifest gives: manifest and small tables.
fn served(dataset: &Path, log: &Log) -> Vec<Dropped> {
    let mut files = counted(dataset, log);
    files.retain(|file| file.path.matches('/').count() == 1);
    for file in &mut files {
        if file.path.ends_with("manifest.json") {
            let own = Counted {
                path: file.path.clone(),
                own: Rc::clone(&file.data),
                log: Log::default(),
            };
            let own = Counted { log: Rc::clone(log), ..own };
            file.data = Rc::new(Served { root: dataset.to_owned(), own });
        }
    }
    files
}

/// Bytes that were read of files whose path holds `word`.
fn n_bytes(log: &Log, word: &str) -> u64 {
    log.borrow().iter().filter(|(path, ..)| path.contains(word)).map(|(.., n)| n).sum()
}

/// What is open, as the page shows it.
fn tree(core: &Core) -> Tree {
    match core.answer(Question::Rules(Vec::new())) {
        Ok(Answer::Workspace(tree)) => tree,
        other => panic!("{other:?}"),
    }
}

/// What the tree says of each run.
fn lines(core: &Core) -> Vec<String> {
    let tree = tree(core);
    let nodes = tree.evaluations.iter().map(|node| {
        let words = (
            &node.key,
            &node.label,
            node.outcome,
            &node.score_words,
            node.is_so_far,
            &node.in_part,
        );
        format!("{words:?}")
    });
    let runs = tree.evaluations.iter().flat_map(|node| &node.runs).map(|run| {
        let words = (&run.label, &run.suite, &run.variant, &run.subject, run.repeat, run.outcome);
        let numbers = (&run.score_words, run.n_passed, run.n_cases, run.n_failures, &run.key);
        format!("{words:?} {numbers:?}")
    });
    let mut lines: Vec<String> = nodes.chain(runs).collect();
    lines.sort();
    lines
}

fn cases(core: &Core, target: Target) -> Result<Answer, Failure> {
    core.answer(Question::Cases {
        query: CaseQuery { target, ..CaseQuery::default() },
        is_framed: true,
    })
}

fn overview(core: &Core, target: Target) -> evalglass::report::Sections {
    core.sections(Topic::Overview(target)).unwrap()
}

#[test]
fn figures_come_without_a_byte_of_the_cases() {
    for folder in FOLDERS {
        let log = Log::default();
        let stored = core_of(counted(&dataset("figures", &[folder]), &log));
        let plain = core_of(crate::support::fixture_files(folder));
        assert_eq!(lines(&stored), lines(&plain), "{folder}");
        for target in [Target::All, Target::Evaluation(tree(&stored).evaluations[0].id)] {
            assert!(overview(&stored, target).empty.is_none(), "{folder}");
            for topic in [
                Topic::Trends { target, measure: evalglass::report::Measure::Score },
                Topic::Audit { is_whole: true },
            ] {
                stored.sections(topic).unwrap();
            }
        }
        assert_eq!(n_bytes(&log, "/cases/") + n_bytes(&log, "/checks/"), 0, "{folder}");
        assert!(n_bytes(&log, "runs.parquet") > 0);
    }
}

#[test]
fn which_way_scores_are_better_is_known_before_a_case_is_read() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("dataset-opened/direction");
    let _ = fs::remove_dir_all(&folder);
    for (name, is_less) in [("lower", true), ("plain", false)] {
        let own = folder.join("rates").join(name);
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join("wer.csv"), "id,wer\na,1.5\nb,1.25\n").unwrap();
        let mapping = format!(
            r#"{{"evalglass_mapping": 1, "columns": [{{"name": "id", "role": "id"}},
                {{"name": "wer", "role": "score", "less_is_better": {is_less}}}]}}"#
        );
        fs::write(own.join("columns.json"), mapping).unwrap();
    }
    let (dataset, paths) = (folder.join("evals"), vec![folder.join("rates")]);
    write(&WriteWish { dataset: dataset.clone(), paths, ..WriteWish::default() }).unwrap();
    let log = Log::default();
    let stored = core_of(counted(&dataset, &log));
    let plain = core_of(walk_disk(&folder.join("rates")).unwrap().files);
    let said = |core: &Core| -> Vec<bool> {
        let nodes = tree(core).evaluations;
        let of = |node: EvaluationNode| {
            let key = node.key;
            node.runs.into_iter().map(move |run| ((key.clone(), run.key), run.run))
        };
        let mut runs: Vec<_> = nodes.into_iter().flat_map(of).collect();
        runs.sort_by(|(one, _), (other, _)| one.cmp(other));
        let page = |target| format!("{:?}", overview(core, target));
        runs.iter().map(|(_, run)| page(Target::Run(*run)).contains("lower is better")).collect()
    };
    let found = said(&stored);
    assert_eq!(found, said(&plain));
    assert!(found.contains(&true) && found.contains(&false), "{found:?}");
    assert_eq!(n_bytes(&log, "/cases/") + n_bytes(&log, "/checks/"), 0);
}

#[test]
fn the_audit_is_the_one_of_the_files() {
    for folder in FOLDERS {
        let stored = core_of(walk_disk(&dataset("audit", &[folder])).unwrap().files);
        let plain = core_of(crate::support::fixture_files(folder));
        let row = |row: &evalglass::report::AuditRow| {
            let words =
                (&row.field, &row.declared, &row.computed, row.agrees, row.severity, &row.why);
            format!("{words:?}")
        };
        let rows = |core: &Core| -> Vec<String> { core.audit().rows.iter().map(row).collect() };
        let (stored, plain) = (rows(&stored), rows(&plain));
        assert_eq!(stored.len(), plain.len(), "{folder}");
        for (stored, plain) in stored.iter().zip(&plain) {
            // A table has `true` as a word, too.
            assert_eq!(stored.replace("Text(\"true\")", "Flag(true)"), *plain, "{folder}");
        }
    }
}

#[test]
fn cases_and_checks_are_those_of_the_files() {
    for folder in FOLDERS {
        let stored = core_of(walk_disk(&dataset("cases", &[folder])).unwrap().files);
        let plain = core_of(crate::support::fixture_files(folder));
        let before = lines(&stored);
        let rows = |core: &Core| -> Vec<String> {
            let text = exported_text(core, ExportKind::CasesCsv);
            let mut rows: Vec<String> = text.lines().map(str::to_owned).collect();
            rows.sort();
            rows
        };
        assert_eq!(rows(&stored), rows(&plain), "{folder}");
        let checks = |core: &Core| -> Vec<String> {
            let mut report = report_of(core);
            let mut all = Vec::new();
            for run in report["runs"].as_array_mut().unwrap() {
                let id = run["id"].to_string();
                for case in run["cases"].as_array_mut().unwrap() {
                    for check in case["checks"].as_array_mut().unwrap() {
                        // It stays in the files.
                        check.as_object_mut().unwrap().remove("reason");
                    }
                    all.push(format!("{id} {} {}", case["id"], case["checks"]));
                }
            }
            all.sort();
            all
        };
        assert_eq!(checks(&stored), checks(&plain), "{folder}");
        assert_eq!(lines(&stored), before, "reading the cases changes no figure");
        let counts = |core: &Core| -> Vec<String> {
            let report = report_of(core);
            let runs = report["runs"].as_array().unwrap().iter();
            let words = runs.map(|run| format!("{} {} {}", run["id"], run["counts"], run["score"]));
            let mut all: Vec<String> = words.collect();
            all.sort();
            all
        };
        assert_eq!(counts(&stored), counts(&plain), "{folder}");
    }
}

#[test]
fn a_run_costs_its_own_parts_alone() {
    let dataset = dataset("own-parts", &["letta-evals/0.26.0_reward_multirun", "rebel/edge"]);
    let log = Log::default();
    let core = core_of(served(&dataset, &log));
    let tree = tree(&core);
    let node = tree.evaluations.iter().find(|node| node.producer == "letta-evals").unwrap();
    assert_eq!(n_bytes(&log, "cases/"), 0);
    assert!(cases(&core, Target::Run(node.runs[0].run)).is_ok());
    assert!(n_bytes(&log, "cases/producer=letta-evals") > 0, "its part was read");
    assert_eq!(n_bytes(&log, "cases/producer=rebel"), 0, "and no other");
    let case = core.answer(Question::Case {
        run: node.runs[0].run,
        case: evalglass::report::Name::Place(0),
        spot: String::new(),
    });
    assert!(matches!(case, Ok(Answer::Case(_))), "{case:?}");
    assert!(overview(&core, Target::All).lead.unwrap().contains("come from the dataset"));
}

#[test]
fn figures_travel_from_reader_to_workspace() {
    use evalglass::scoring::{StoredEvaluation, StoredRepeat, StoredRun};
    let stored = StoredEvaluation {
        runs: vec![StoredRun::default()],
        repeats: vec![StoredRepeat::default()],
        ..StoredEvaluation::default()
    };
    let bytes = evalglass::readers::to_bytes(&stored).unwrap();
    let read: StoredEvaluation = evalglass::readers::from_bytes(&bytes).unwrap();
    assert_eq!(read.runs[0].totals, stored.runs[0].totals);
    assert_eq!(read.repeats[0].totals, stored.repeats[0].totals);
}

/// Writes the part `path` anew with row groups of `n_rows` rows, each changed by `change`.
fn rewritten(path: &Path, n_rows: usize, change: impl Fn(RecordBatch) -> RecordBatch) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let keys = reader.metadata().file_metadata().key_value_metadata().cloned();
    let own: Option<Vec<KeyValue>> = keys
        .map(|keys| keys.into_iter().filter(|pair| pair.key.starts_with("evalglass")).collect());
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(n_rows))
        .set_key_value_metadata(own)
        .build();
    let schema = reader.schema().clone();
    let batches: Vec<RecordBatch> =
        reader.build().unwrap().map(Result::unwrap).map(change).collect();
    let mut writer =
        ArrowWriter::try_new(File::create(path).unwrap(), schema, Some(properties)).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.close().unwrap();
}

/// The part of `table` of an evaluation whose folder holds `word`.
fn part(dataset: &Path, table: &str, word: &str) -> PathBuf {
    let files = walk_disk(&dataset.join(table)).unwrap().files;
    let file = files.into_iter().find(|file| file.path.contains(word)).expect("the part is there");
    dataset.join(file.path)
}

#[test]
fn row_groups_of_other_runs_are_not_read() {
    let folder = "letta-evals/0.26.0_reward_multirun";
    let dataset = dataset("pruned", &[folder]);
    for table in ["cases", "checks"] {
        rewritten(&part(&dataset, table, "letta"), 2, |batch| batch);
    }
    let log = Log::default();
    let core = core_of(counted(&dataset, &log));
    let all = tree(&core);
    let runs = &all.evaluations[0].runs;
    assert!(runs.len() > 1);
    assert!(cases(&core, Target::Run(runs[0].run)).is_ok());
    let one = n_bytes(&log, "/cases/");
    assert!(cases(&core, Target::All).is_ok());
    let every = n_bytes(&log, "/cases/");
    let n = runs.len() as u64;
    assert!(one * n < every * 2, "{one} of {every} bytes for one of {n} runs");
    let plain = core_of(crate::support::fixture_files(folder));
    let rows = |core: &Core| exported_text(core, ExportKind::CasesCsv);
    assert_eq!(rows(&core), rows(&plain), "cases of several row groups are all there");
}

#[test]
fn a_damaged_part_is_named_and_the_rest_is_shown() {
    let dataset = dataset("damaged", &["letta-evals/0.26.0_reward_multirun", "rebel/edge"]);
    let path = part(&dataset, "cases", "letta");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
    let core = core_of(walk_disk(&dataset).unwrap().files);
    let all = tree(&core);
    let of = |producer: &str| {
        let node = all.evaluations.iter().find(|node| node.producer == producer).unwrap();
        Target::Evaluation(node.id)
    };
    assert!(overview(&core, of("letta-evals")).empty.is_none(), "its figures are there");
    let refused = cases(&core, of("letta-evals"));
    assert!(
        matches!(&refused, Err(Failure::File { reason, .. }) if reason.contains("cut off")),
        "{refused:?}"
    );
    assert!(cases(&core, of("rebel")).is_ok());
    let notes = core.files().notes;
    assert!(
        notes.iter().any(|note| note.file.contains("/cases/") && note.detail.contains("cut off")),
        "{notes:?}"
    );
    assert!(cases(&core, Target::All).is_ok(), "what can be read is shown");
}

/// A file that cannot be read as long as its server is down.
struct Failing {
    own: Rc<dyn ReadAt>,
    is_down: Rc<Cell<bool>>,
}

impl ReadAt for Failing {
    fn len(&self) -> u64 {
        self.own.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        if self.is_down.get() {
            Err(io::Error::other("it answers 503"))
        } else {
            self.own.read_at(offset, buf)
        }
    }
}

#[test]
fn what_could_not_be_read_is_read_when_the_user_asks_again() {
    let is_down = Rc::new(Cell::new(true));
    let mut files = walk_disk(&dataset("again", &["rebel/edge"])).unwrap().files;
    for file in files.iter_mut().filter(|file| file.path.contains("/cases/")) {
        let own = Rc::clone(&file.data);
        file.data = Rc::new(Failing { own, is_down: Rc::clone(&is_down) });
    }
    let core = core_of(files);
    let refused = cases(&core, Target::All);
    assert!(
        matches!(&refused, Err(Failure::File { reason, .. }) if reason.contains("503")),
        "{refused:?}"
    );
    is_down.set(false);
    assert!(cases(&core, Target::All).is_err(), "no question asks a server again and again");
    assert!(core.answer(Task::ReadCases(vec![Target::All])).is_ok());
    assert!(cases(&core, Target::All).is_ok());
}

#[test]
fn without_its_checks_an_evaluation_shows_its_cases() {
    let folder = "letta-evals/0.26.0_reward_multirun";
    let dataset = dataset("no-checks", &[folder]);
    fs::remove_file(part(&dataset, "checks", "letta")).unwrap();
    let core = core_of(walk_disk(&dataset).unwrap().files);
    assert!(cases(&core, Target::All).is_ok());
    assert!(!exported(&core, ExportKind::CasesCsv).is_empty());
    let notes = core.files().notes;
    assert!(notes.iter().any(|note| note.detail.contains("its checks are not shown")), "{notes:?}");
}

#[test]
fn a_missing_table_is_named() {
    let dataset = dataset("no-groups", &["slop-code/g2/v1.0"]);
    fs::remove_file(dataset.join("groups.parquet")).unwrap();
    let core = core_of(walk_disk(&dataset).unwrap().files);
    assert!(core.has_evaluations());
    assert!(core.losses().iter().any(|loss| loss.contains("groups.parquet is missing")));
    fs::remove_file(dataset.join("runs.parquet")).unwrap();
    let core = core_of(walk_disk(&dataset).unwrap().files);
    assert!(!core.has_evaluations());
    assert!(core.losses().iter().any(|loss| loss.contains("runs.parquet is missing")));
}

#[test]
fn another_version_and_parts_alone_are_refused_with_the_reason() {
    let dataset = dataset("version", &["rebel/edge"]);
    let manifest = dataset.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("evalglass-dataset/1", "evalglass-dataset/2")).unwrap();
    let core = core_of(walk_disk(&dataset).unwrap().files);
    assert!(core.losses().iter().any(|loss| loss.contains("evalglass-dataset/1 can be read")));
    fs::remove_file(&manifest).unwrap();
    let core = core_of(walk_disk(&dataset).unwrap().files);
    assert!(!core.has_evaluations());
    assert!(core.losses().iter().any(|loss| loss.contains("without its manifest.json")));
}

#[test]
fn many_bytes_are_read_only_when_the_user_says_so() {
    let dataset = dataset("large", &["rebel/edge"]);
    rewritten(&dataset.join("parts.parquet"), 1000, |batch| {
        let bytes: ArrayRef = Arc::new(Int64Array::from(vec![300_000_000; batch.num_rows()]));
        let schema = batch.schema();
        let columns = schema.fields().iter().zip(batch.columns());
        let columns = columns.map(|(field, column)| {
            Arc::clone(if field.name() == "bytes" { &bytes } else { column })
        });
        RecordBatch::try_new(Arc::clone(&schema), columns.collect()).unwrap()
    });
    let core = core_of(walk_disk(&dataset).unwrap().files);
    let asked = cases(&core, Target::All);
    assert!(
        matches!(asked, Err(Failure::Unread { n_runs: 1.., n_bytes: 200_000_001.., .. })),
        "{asked:?}"
    );
    let exported = core.answer(Task::Export { kind: ExportKind::CasesCsv, view: None });
    assert!(matches!(exported, Err(Failure::Unread { .. })));
    assert!(matches!(core.answer(Task::ReadCases(vec![Target::All])), Ok(Answer::Workspace(_))));
    assert!(cases(&core, Target::All).is_ok());
}

#[test]
fn rules_reach_cases_that_are_here() {
    let folder = "letta-evals/0.26.0_reward_multirun";
    let core = core_of(walk_disk(&dataset("rules", &[folder])).unwrap().files);
    let rule = || vec![("pass".to_owned(), ">= 2".to_owned())];
    let passed = |core: &Core, words: Vec<(String, String)>| -> u64 {
        match core.answer(Question::Rules(words)) {
            Ok(Answer::Workspace(tree)) => tree
                .evaluations
                .iter()
                .flat_map(|node| &node.runs)
                .filter_map(|run| run.n_passed)
                .sum(),
            other => panic!("{other:?}"),
        }
    };
    let before = passed(&core, Vec::new());
    assert_eq!(passed(&core, rule()), before, "the figures of the dataset stay");
    let lead = overview(&core, Target::All).lead.unwrap();
    assert!(lead.contains("The rules in force are not applied to these figures"), "{lead}");
    assert!(cases(&core, Target::All).is_ok());
    assert_eq!(passed(&core, rule()), 0, "no score is that large");
    assert_eq!(passed(&core, Vec::new()), before);
}

#[test]
fn by_another_pass_rule_the_figures_are_those_of_the_files() {
    for folder in FOLDERS {
        let stored = core_of(walk_disk(&dataset("pass-rule", &[folder])).unwrap().files);
        assert!(cases(&stored, Target::All).is_ok());
        let plain = core_of(crate::support::fixture_files(folder));
        let figures = |core: &Core| -> Vec<String> {
            let report = report_under(core, &[("pass", ">= 0.5")]);
            let runs = report["runs"].as_array().unwrap().iter();
            let of_run = runs.map(|run| {
                format!("{} {} {} {}", run["id"], run["counts"], run["score"], run["metrics"])
            });
            let evaluations = report["evaluations"].as_array().unwrap().iter();
            let of_evaluation = evaluations.map(|own| {
                let repeats = own["repeats"].as_array().into_iter().flatten();
                let metrics: Vec<String> = repeats.map(|one| one["metrics"].to_string()).collect();
                format!("{metrics:?} {}", own["aggregate"])
            });
            let mut all: Vec<String> = of_run.chain(of_evaluation).collect();
            all.sort();
            all
        };
        assert_eq!(figures(&stored), figures(&plain), "{folder}");
    }
}
