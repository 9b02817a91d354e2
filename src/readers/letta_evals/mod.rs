//! letta-evals 0.1 – 0.26 (github.com/letta-ai/letta-evals), every generation of its output.
//!
//! ```text
//! sniff ── grouping ──> early  (0.2 – 0.16, guide): header, rows, summary, aggregate ┐
//!                       late   (0.17 and later): suite, rows per model, summaries    ├─> finish
//!                       dump   (RunnerResult as one document)                        ┘
//!                       └── judging (generation, gate, rules), row, stretches/lines, cases, totals
//!                                large files of rows: stretches, read side by side ──> joined
//!                                files that have grown: on from their mark
//! ```
//!
//! Fixtures: `tests/fixtures/letta-evals/<version>_<what>/`.

mod case_page;
mod cases;
mod dump;
mod early;
mod finish;
mod grouping;
mod judging;
mod late;
mod row;
mod sniff;
mod stretches;
mod totals;

use super::{
    Bundle, Claim, Claimed, Context, Error, ErrorKind, Format, KeysOf, Producer, ReadEvaluation,
    Reader, StretchRead,
};
use crate::input::{InputFile, LocalFuture, Pulse, Shape};
use crate::model::{CaseDetail, Config, Run};
use sniff::role;
use std::rc::Rc;

/// Said of rows that have neither a summary nor the run's configuration beside them.
const ROWS_ALONE: &str = "no summary.json is among the files: totals are those of the rows";

/// Said of a run whose rows have no summary beside them.
const NO_SUMMARY: &str = "no summary could be read: the run was interrupted or is not finished, or its summary is missing or broken";

/// Said of a file that ends within a value.
const LAST_LINE: &str = "the last line is cut off";

/// Producer id.
const ID: &str = "letta-evals";

/// The reader of letta-evals' output folders.
pub struct LettaEvals;

impl Producer for LettaEvals {
    fn id(&self) -> &'static str {
        ID
    }

    fn sniff_empty(&self, file: &InputFile) -> Option<Claim> {
        sniff::empty(file)
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        grouping::bundle::bundle(files)
    }
}

impl Reader for LettaEvals {
    fn formats(&self) -> &'static [Format] {
        &[
            Format {
                files: "suite.json + MODEL.jsonl + summary.json",
                versions: "0.17 – 0.26",
                what: "samples, grades, rewards or gates, tokens, transcripts, per model and run",
            },
            Format {
                files: "header.json + results.jsonl + summary.json (+ aggregate_stats.json)",
                versions: "0.3 – 0.16, and as the guide describes them",
                what: "samples, grades, gates, transcripts, over one or several runs",
            },
            Format {
                files: "one .jsonl with header, results and summary",
                versions: "0.2",
                what: "samples, grades, gate, transcripts",
            },
            Format {
                files: "suite.yaml",
                versions: "0.2 – 0.26",
                what: "gate and graders of the results beside it; alone the suite that it describes",
            },
            Format {
                files: "a RunnerResult as JSON",
                versions: "0.1 – 0.26",
                what: "the same as one document",
            },
        ]
    }

    fn sniff(&self, file: &InputFile, shape: &Shape) -> Option<Claim> {
        sniff::sniff(file, shape)
    }

    fn read<'a>(
        &'a self,
        bundle: &'a Bundle,
        cx: &'a Context<'a>,
    ) -> LocalFuture<'a, Result<Vec<ReadEvaluation>, Error>> {
        Box::pin(async move {
            let has = |wanted: &[&str]| {
                bundle.files.iter().any(|claimed| wanted.contains(&claimed.claim.role))
            };
            let evaluation =
                if bundle.files.iter().all(|claimed| claimed.claim.role == role::SUITE_YAML) {
                    judging::suite_yaml::alone(bundle, cx)
                } else if has(&[role::DUMP, role::SUITE_DUMP]) {
                    dump::read(bundle, cx).await
                } else if has(&[
                    role::SUITE,
                    role::MODELS_SUMMARY,
                    role::MODEL_SUMMARY,
                    role::MODEL_ROWS,
                ]) {
                    late::read(bundle, cx).await
                } else {
                    early::read(bundle, cx).await
                };
            evaluation.map(ReadEvaluation::alone)
        })
    }

    fn stretch<'a>(
        &'a self,
        files: &'a [InputFile],
        asked: &'a [u8],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<StretchRead, Error>> {
        Box::pin(async move {
            let file = files.first().ok_or_else(|| Error::new(ErrorKind::Gone))?;
            stretches::stretch::answer(file, asked, pulse).await
        })
    }

    fn detail(&self, bundle: &Bundle, config: &Config, case: &Run) -> Result<CaseDetail, Error> {
        case_page::detail::detail(bundle, config, case)
    }
}
