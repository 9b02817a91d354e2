//! slop-code-bench: checkpoints of problems, judged case by case.
//!
//! Producer's definition: `src/slop_code/evaluation/report.py` (G1: 6b31994 – 086518d; G2: `results`
//! and `pytest_runner` from 2a9800e on), `src/slop_code/metrics/` for the run files. Fixtures:
//! `tests/fixtures/slop-code/g1` and `g2/{2a9800e,feeab5a,v1.0}`.
//!
//! ```text
//! sniff ──> bundle (roots, units, pairing) ──> read ─┬─ run_files   rows, result, config, policy (lookup: found by name)
//!                                                    ├─ runs        usage, state, what was never evaluated
//!                                                    ├─ declared   what all of them state
//!                                                    └─ checkpoint_stretches ── checkpoint, many side by side
//! checkpoint ─┬─ evaluation_g1 + reports (row_groups, gathered, paired)
//!             └─ evaluation_g2 + pytest_report
//! ```
//!
//! A run directory is one evaluation; each of its checkpoint folders is one run.

mod adopt;
mod after_skill;
mod agent_stream;
mod agent_turns;
mod agent_words;
mod bundle;
mod checkpoint;
mod checkpoint_g1;
mod checkpoint_g2;
mod checkpoint_stretches;
mod content_keys;
mod declared;
mod derived;
mod detail;
mod detail_row;
mod documents;
mod evaluation_g1;
mod evaluation_g2;
mod gathered;
mod groups;
mod lookup;
mod order;
mod paired;
mod pairing;
mod pytest_report;
mod quality_files;
mod read;
mod reports;
mod row_groups;
mod run_files;
mod runs;
mod snapshot_diff;
mod sniff;
mod stretches;
mod word_columns;

use super::{
    Bundle, Claim, Claimed, ContentKeys, Context, Error, Format, KeysOf, Producer, ReadEvaluation,
    Reader, StretchRead,
};
use crate::input::{InputFile, LocalFuture, Pulse, Shape};
use crate::model::{CaseDetail, Config, DocumentDetail, Run, SourceId};
use std::rc::Rc;

/// What a file of this producer is.
mod role {
    /// `evaluation.json` with group outcomes (G1).
    pub const EVALUATION_G1: &str = "evaluation (groups)";
    /// `evaluation.json` with pytest results (G2).
    pub const EVALUATION_G2: &str = "evaluation (pytest)";
    /// `reports.parquet`.
    pub const REPORTS: &str = "case reports";
    /// `report.json` of pytest-json-report.
    pub const PYTEST: &str = "pytest report";
    /// `report.json` in the CTRF form.
    pub const CTRF: &str = "CTRF report";
    /// `checkpoint_results.jsonl`.
    pub const ROWS: &str = "checkpoint rows";
    /// `combined_checkpoint_results.jsonl`, over several runs.
    pub const COMBINED_ROWS: &str = "checkpoint rows of several runs";
    /// `result.json`.
    pub const RESULT: &str = "run summary";
    /// `inference_result.json`.
    pub const INFERENCE: &str = "inference result";
    /// `run_info.yaml`.
    pub const RUN_INFO: &str = "problem run info";
    /// `config.yaml`.
    pub const CONFIG: &str = "run config";
    /// `config.yaml` beside an evaluation: types and weights of groups.
    pub const GROUPS: &str = "checkpoint config";
    /// `problem.yaml`.
    pub const PROBLEM: &str = "problem definition";
    /// `checkpoint.yaml`.
    pub const CHECKPOINT: &str = "checkpoint definition";
    /// `diff.json`.
    pub const DIFF: &str = "snapshot diff";
    /// `quality_analysis/overall_quality.json`.
    pub const OVERALL_QUALITY: &str = "code quality";
    /// `quality_analysis/files.jsonl`.
    pub const FILE_QUALITY: &str = "code quality by file";
    /// `quality_analysis/symbols.jsonl`.
    pub const SYMBOLS: &str = "code quality by symbol";
    /// `quality_analysis/ast_grep.jsonl`.
    pub const QUALITY: &str = "code quality by rule";
    /// `evaluation/stdout.txt` and `stderr.txt`.
    pub const PYTEST_OUTPUT: &str = "pytest output";
    /// `prompt.txt`.
    pub const PROMPT: &str = "prompt";
    /// `agent/stdout.jsonl`, `agent/workspace/projects/*/agent-*.jsonl`.
    pub const AGENT_STREAM: &str = "agent's event stream";
    /// A file without a byte of which nothing is known but its name.
    pub const EMPTY: &str = "empty file";
    /// `trajectory_stats_before.json`, `trajectory_stats_after.json`.
    pub const TRAJECTORY: &str = "agent's usage";
}

/// The tests that a report of pytest names, whichever reader claims it.
pub(super) fn node_keys(claimed: &Claimed) -> ContentKeys {
    content_keys::of(claimed)
}

/// The reader.
pub struct SlopCode;

impl Producer for SlopCode {
    fn id(&self) -> &'static str {
        stretches::ID
    }

    fn sniff_empty(&self, file: &InputFile) -> Option<Claim> {
        Some(sniff::empty(file))
    }

    fn sniff_beside(&self, file: &InputFile, shape: &Shape) -> Option<Claim> {
        sniff::sniff_beside(file, shape)
    }

    fn adopted(
        &self,
        own: &[Rc<Claimed>],
        others: &[Rc<Claimed>],
        keys: &KeysOf<'_>,
    ) -> Vec<(SourceId, Claim)> {
        adopt::adopted(own, others, keys)
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, keys: &KeysOf<'_>) -> Vec<Bundle> {
        bundle::bundle(files, keys)
    }
}

impl Reader for SlopCode {
    fn formats(&self) -> &'static [Format] {
        &[
            Format {
                files: "evaluation.json + reports.parquet",
                versions: "6b31994 – 086518d",
                what: "cases with weighted attributes, by group; either file alone works",
            },
            Format {
                files: "evaluation.json + evaluation/report.json",
                versions: "2a9800e – v1.0",
                what: "pytest results by checkpoint and kind; durations and failures from the pytest-json-report or CTRF file",
            },
            Format {
                files: "checkpoint_results.jsonl, result.json, inference_result.json, run_info.yaml, config.yaml",
                versions: "6b31994 – v1.0",
                what: "rows, summary, cost, tokens, order and pass policy of a run directory",
            },
            Format {
                files: "agent/stdout.jsonl, agent/workspace/projects/*/agent-*.jsonl, diff.json, prompt.txt, trajectory_stats_*.json, quality_analysis/*.jsonl",
                versions: "6b31994 – v1.0",
                what: "what the agent of a checkpoint said, did, changed and was told",
            },
        ]
    }

    fn sniff(&self, file: &InputFile, shape: &Shape) -> Option<Claim> {
        sniff::sniff(file, shape)
    }

    fn content_keys(&self, claimed: &Claimed) -> ContentKeys {
        content_keys::of(claimed)
    }

    fn is_told_by_content(&self, claim: &Claim) -> bool {
        claim.role == role::EVALUATION_G2
    }

    fn is_read_at_opening(&self, _file: &InputFile, claim: &Claim) -> bool {
        !run_files::is_for_details(claim.role)
    }

    fn read<'a>(
        &'a self,
        bundle: &'a Bundle,
        cx: &'a Context<'a>,
    ) -> LocalFuture<'a, Result<Vec<ReadEvaluation>, Error>> {
        Box::pin(async { read::read(bundle, cx).await.map(ReadEvaluation::alone) })
    }

    fn fetches_itself(&self) -> bool {
        true
    }

    fn stretch<'a>(
        &'a self,
        files: &'a [InputFile],
        asked: &'a [u8],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<StretchRead, Error>> {
        Box::pin(stretches::answer(files, asked, pulse))
    }

    fn detail(&self, bundle: &Bundle, _config: &Config, case: &Run) -> Result<CaseDetail, Error> {
        detail::detail(bundle, case)
    }

    fn document(&self, bundle: &Bundle, run: &Run) -> Result<DocumentDetail, Error> {
        documents::read(bundle, run)
    }

    fn row_texts(
        &self,
        file: &InputFile,
        part: usize,
        take: &mut dyn FnMut(u64, &str),
    ) -> Result<bool, Error> {
        detail_row::texts(file, part, take)
    }
}
