//! One reader per producer: recognise by content, bundle what belongs together, read into the model.
//!
//! ```text
//! InputFile + Shape ── sniff ──> Claim ── bundle ──> Bundle ── read ──> Evaluation(s)
//! ```
//!
//! Adding a format: a folder here, a line in the registry below, a fixture folder, a test line, a row in `docs/formats.md`.

mod answer_hash;
mod arrange;
mod asked_hash;
mod bundle;
mod chat;
pub(crate) mod checked_list;
mod content_keys;
mod ctrf;
mod dataset;
mod deepeval;
mod error;
mod evalglass;
mod every_eval_ever;
mod file_times;
mod formula;
mod harbor;
mod helm;
mod import;
mod inspect_ai;
mod junit;
mod letta_evals;
mod lfs;
mod lighteval;
mod lm_eval;
mod openai_evals;
mod packed;
mod parquet_file;
mod promptfoo;
mod pytest_json_report;
mod pytest_words;
mod read;
mod read_service;
mod rebel;
mod recognise;
mod record_value;
mod records;
mod reread;
mod resume;
mod side_files;
mod slop_code;
#[allow(dead_code, reason = "readers of further tools use all of it")]
mod stated_figures;
mod swebench;
mod table;
mod test_case;
mod text_search;
mod texts;
mod unchecked_claims;
mod xml;

use crate::input::{InputFile, LocalFuture, Pulse, Shape};
use crate::model::{CaseDetail, Config, DocumentDetail, Evaluation, Note, Notes, Run, SourceId};
use crate::scoring::StoredEvaluation;
pub use bundle::{Bundle, Claim, Claimed};
pub use content_keys::{ContentKeys, KeysOf};
pub use ctrf::NO_DURATION as CTRF_NO_DURATION;
pub use dataset::{is_part as is_part_of_dataset, part_beside, part_path, writing_of};
pub use error::{Error, ErrorKind};
pub use evalglass::JsonReportReader;
pub use every_eval_ever::MISSING as EVERY_EVAL_EVER_MISSING;
pub use import::{BundlePart, Import, Imported, OpenContext, Unclaimed, import, import_beside};
pub use packed::{Misread, from_bytes, to_bytes};
#[cfg(test)]
pub(crate) use parquet_file::records as parquet_records;
pub use read::{Checked, read};
pub use read_service::{
    Answers, BundleRead, FetchedFiles, Helpers, InProcess, LookedAt, ReadService, Stretch,
    StretchRead,
};
pub use recognise::{Looked, Whose, look, unclaimed_text};
pub use reread::{Given, RunRead, TextPlace, Wanted, read_again};
pub use resume::{Marks, ReadMark};
use std::rc::Rc;
pub use table::{TableLook, TableSheet};
pub use texts::TextReader;

/// Makes the lists of the registry: who sorts files, which every program knows; who reads them, which only
/// the reader program holds; and what the start page says of them.
macro_rules! registry {
    ($(($producer:expr, $name:literal, $what:literal, $files:literal)),+ $(,)?) => {
        /// Every producer, in alphabetical order.
        pub static PRODUCERS: &[&dyn Producer] = &[$(&$producer),+];

        /// Every reader, in the same order.
        pub static READERS: &[&dyn Reader] = &[$(&$producer),+];

        /// Every producer in words, in the same order.
        pub static KNOWN_TOOLS: &[KnownTool] =
            &[$(KnownTool { name: $name, what: $what, files: $files }),+];
    };
}

registry![
    (ctrf::Ctrf, "CTRF", "the common report of test runners", "ctrf-report.json"),
    (
        dataset::Dataset,
        "Datasets",
        "evaluations as Parquet tables: figures at once, cases on demand",
        "the folder of a dataset, or the address of its manifest.json"
    ),
    (
        deepeval::DeepEval,
        "DeepEval",
        "test cases and conversations judged by metrics",
        ".latest_run_full.json, test_run_*.json"
    ),
    (
        evalglass::Evalglass,
        "Evalglass",
        "its own reports, opened again",
        "evalglass-report.json, evalglass-cases.parquet"
    ),
    (
        every_eval_ever::EveryEvalEver,
        "Every Eval Ever",
        "results of any tool in the common schema",
        "UUID.json and UUID_samples.jsonl"
    ),
    (
        harbor::Harbor,
        "Harbor and Terminal-Bench",
        "trials of agents with rewards and trajectories (ATIF)",
        "the folder of a job, trajectory.json, results.json"
    ),
    (
        helm::Helm,
        "HELM",
        "instances of a scenario, with every metric",
        "run_spec.json, scenario_state.json, per_instance_stats.json, stats.json: the folder of a run"
    ),
    (
        inspect_ai::InspectAi,
        "Inspect AI",
        "logs with samples, scorers, epochs and the model's and tools' events",
        "*.eval, or a log as .json"
    ),
    (
        junit::Junit,
        "JUnit XML",
        "tests of pytest, vitest, jest, Surefire and alike",
        "junit.xml, TEST-*.xml"
    ),
    (
        letta_evals::LettaEvals,
        "letta-evals",
        "agent evaluations with gates, several models, repeated runs",
        "header.json, summary.json, results.jsonl, or a whole output folder"
    ),
    (
        lighteval::Lighteval,
        "lighteval",
        "answers to each document of a task, with every metric",
        "results_*.json and details_*.parquet, or a whole output folder"
    ),
    (
        lm_eval::LmEval,
        "lm-evaluation-harness (lm-eval)",
        "answers to each document under each filter, with every metric",
        "results_*.json and samples_*.jsonl, or a whole output folder"
    ),
    (
        openai_evals::OpenAiEvals,
        "OpenAI evals",
        "record logs of samples, matches and model calls",
        "RUN_ID_MODEL_EVAL.jsonl"
    ),
    (
        promptfoo::Promptfoo,
        "promptfoo",
        "prompts and providers judged by assertions",
        "results.json, .jsonl, .yaml, .xml, .csv"
    ),
    (
        pytest_json_report::PytestJsonReport,
        "pytest-json-report",
        "tests of pytest with their phases and outputs",
        ".report.json"
    ),
    (rebel::Rebel, "REBEL", "attempts judged by metrics", "test_results_*.json"),
    (
        slop_code::SlopCode,
        "slop-code",
        "checkpoint runs of a coding benchmark",
        "evaluation.json, reports.parquet, report.json, result.json, or a whole output folder"
    ),
    (
        swebench::SweBench,
        "SWE-bench",
        "instances of a coding benchmark, with tests, patches and logs",
        "MODEL.RUN.json, predictions.jsonl, or a folder with logs/run_evaluation"
    ),
    (
        table::TableReader,
        "Any table",
        "rows of cases: the columns are guessed, shown, and can be chosen",
        ".csv, .tsv, .json, .jsonl, .parquet, .arrow, .sqlite"
    ),
];

/// A tool whose results are read, as the start page names it.
#[derive(Debug, Clone, Copy)]
pub struct KnownTool {
    /// Its name as its makers write it.
    pub name: &'static str,
    /// What its results are.
    pub what: &'static str,
    /// Which files.
    pub files: &'static str,
}

/// The producer called `id`.
pub fn producer(id: &str) -> Option<&'static dyn Producer> {
    PRODUCERS.iter().copied().find(|producer| producer.id() == id)
}

/// The reader called `id`.
pub fn reader(id: &str) -> Option<&'static dyn Reader> {
    READERS.iter().copied().find(|reader| reader.id() == id)
}

/// Knows a producer's files by what was said of them, without reading their records.
pub trait Producer: Sync {
    /// Producer id: also the fixture folder, the row in `docs/formats.md`, and `Evaluation::producer`.
    fn id(&self) -> &'static str;

    /// What a file without a byte is that lies in a folder with files of this producer.
    fn sniff_empty(&self, _file: &InputFile) -> Option<Claim> {
        None
    }

    /// What a file is that nobody recognises by its content and that lies beside, or right below, files
    /// of this producer: a prompt, an output. Only then may its name decide.
    fn sniff_beside(&self, _file: &InputFile, _shape: &Shape) -> Option<Claim> {
        None
    }

    /// Which of `others`, files that other producers recognise by their content, are part of what `own` are:
    /// each with what it is here. Asked with the files that this producer recognises by itself.
    fn adopted(
        &self,
        _own: &[Rc<Claimed>],
        _others: &[Rc<Claimed>],
        _keys: &KeysOf<'_>,
    ) -> Vec<(SourceId, Claim)> {
        Vec::new()
    }

    /// Whether files in folders beside one with files of this producer count as beside them, too: each of its
    /// cases has a folder of its own.
    fn reaches_siblings(&self) -> bool {
        false
    }

    /// Whether `other` is wanted, too, where cases of `run` are read that lie in `own`, another file of its bundle. The page
    /// hands over no file that is not.
    fn is_read_with(&self, _other: &Claimed, _own: &Claimed, _run: &Run) -> bool {
        false
    }

    /// Whether its bundles come in an order that says something (their time); others stand in that of their paths.
    fn orders_bundles(&self) -> bool {
        false
    }

    /// Puts files that make one evaluation together: by folder first, for loose files by what `keys` gives
    /// of them. Every claimed file goes into exactly one bundle.
    fn bundle(&self, files: Vec<Rc<Claimed>>, keys: &KeysOf<'_>) -> Vec<Bundle>;
}

/// Turns the files of one producer into [`Evaluation`]s.
pub trait Reader: Producer {
    /// What it reads, for `docs/formats.md`.
    fn formats(&self) -> &'static [Format];

    /// Whether `file`, which is not empty, is this producer's, judged by content alone (the name may only
    /// break ties).
    fn sniff(&self, file: &InputFile, shape: &Shape) -> Option<Claim>;

    /// The tables that `file` is, which no reader claims; only the reader of tables knows any.
    fn as_table<'a>(
        &'a self,
        _file: &'a InputFile,
        _shape: &'a Shape,
    ) -> LocalFuture<'a, Option<TableLook>> {
        Box::pin(std::future::ready(None))
    }

    /// The text of a record that is neither JSON nor XML, for search.
    fn span_text(&self, _claimed: &Claimed, _bytes: &[u8]) -> Option<String> {
        None
    }

    /// What a loose file says about what it belongs to; empty where its place alone tells.
    fn content_keys(&self, _claimed: &Claimed) -> ContentKeys {
        ContentKeys::default()
    }

    /// Whether that is asked of most files of such a claim, also of those in folders.
    fn is_told_by_content(&self, _claim: &Claim) -> bool {
        false
    }

    /// Whether opening reads the bytes of `file`, which is claimed so, once more. Those of others are read when somebody
    /// looks at them.
    fn is_read_at_opening(&self, _file: &InputFile, _claim: &Claim) -> bool {
        true
    }

    /// Reads a bundle: one evaluation, or all that a report holds, in its order. What has to be
    /// dropped goes to the notes; `Err` only when nothing at all can be made of it.
    fn read<'a>(
        &'a self,
        bundle: &'a Bundle,
        cx: &'a Context<'a>,
    ) -> LocalFuture<'a, Result<Vec<ReadEvaluation>, Error>>;

    /// Whether [`read`](Self::read) has its files fetched itself, by [`Helpers::fetch`]: those of a bundle that others
    /// read need not come here.
    fn fetches_itself(&self) -> bool {
        false
    }

    /// Reads a stretch of a bundle for a [`read`](Self::read) that is under way, maybe in another
    /// program: `asked` is what that wrote, and the answer is what it reads.
    fn stretch<'a>(
        &'a self,
        _files: &'a [InputFile],
        _asked: &'a [u8],
        _pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<StretchRead, Error>> {
        Box::pin(std::future::ready(Err(Error::new(ErrorKind::Gone))))
    }

    /// Reads the whole record of a case again. `case` is its run with this case alone, `config` that of its
    /// evaluation.
    ///
    /// # Errors
    /// When the file is gone or no longer holds it.
    fn detail(&self, bundle: &Bundle, config: &Config, case: &Run) -> Result<CaseDetail, Error>;

    /// Reads the cases of the run whose id in its dataset is `id`; `run` is the run without them, `bundle` the
    /// parts of its evaluation.
    ///
    /// # Errors
    /// When a part is gone or damaged, or the reader knows no datasets.
    fn cases_of_run(&self, _bundle: &Bundle, _id: &str, _run: &Run) -> Result<RunRead, Error> {
        Err(Error::new(ErrorKind::Gone))
    }

    /// Reads a document again. `run` is its run with this document alone.
    ///
    /// # Errors
    /// When there is no document, or its file is gone or damaged.
    fn document(&self, _bundle: &Bundle, _run: &Run) -> Result<DocumentDetail, Error> {
        Err(Error::new(ErrorKind::Gone))
    }

    /// Calls `take` with the texts of part `part` of a file whose cases lie in rows
    /// ([`Locator::Row`](crate::model::Locator::Row)), each with its row; `false` when the file has no such part.
    ///
    /// # Errors
    /// When the file is damaged or gone.
    fn row_texts(
        &self,
        _file: &InputFile,
        _part: usize,
        _take: &mut dyn FnMut(u64, &str),
    ) -> Result<bool, Error> {
        Ok(false)
    }

    /// The reasons of the checks in row `row` of a file and in some that follow it.
    ///
    /// # Errors
    /// When the file is damaged or gone, or no reasons lie in rows.
    fn texts_from_row(&self, _file: &InputFile, _row: u64) -> Result<Vec<Option<String>>, Error> {
        Err(Error::new(ErrorKind::Gone))
    }
}

/// An evaluation that was read.
pub struct ReadEvaluation {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// What is noted about it, where its bundle may hold others: then [`Context::notes`] are those
    /// about the bundle alone. `None`: they are its own.
    pub notes: Option<Vec<Note>>,
    /// Figures of it whose cases have not been read; `None`: it is here with its cases.
    pub stored: Option<Box<StoredEvaluation>>,
}

impl ReadEvaluation {
    /// The only evaluation of its bundle.
    pub fn alone(evaluation: Evaluation) -> Vec<Self> {
        vec![Self { evaluation, notes: None, stored: None }]
    }
}

/// A kind of file that a reader reads.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// File as people know it: `evaluation.json + reports.parquet`.
    pub files: &'static str,
    /// Generations and releases: `6b31994 – 086518d`.
    pub versions: &'static str,
    /// What it gives.
    pub what: &'static str,
}

/// What a reader gets besides its files.
pub struct Context<'a> {
    /// Where losses and decisions go.
    pub notes: &'a Notes,
    /// Progress and breathing.
    pub pulse: &'a Pulse,
    /// What earlier readings left of files with the same paths.
    pub before: &'a Marks,
    /// What this one leaves.
    pub after: &'a Marks,
    /// Who reads stretches of large files.
    pub helpers: &'a dyn Helpers,
}
