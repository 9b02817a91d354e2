//! Inspect AI logs: `.json`, and `.eval` (a zip of `.json` members), from 0.3.20 (2024) to 0.3.285 (2026).
//!
//! Source: `inspect_ai.log._log.EvalLog`, `EvalSample`; `inspect_ai._eval.task.results`;
//! `inspect_ai.scorer._reducer`, `_metrics`. Fixtures: `inspect-ai/0.3.20`, `0.3.63`, `0.3.285`.
//!
//! A log is an evaluation of one task by one model; each epoch is a run, each sample a case. What the tool
//! makes of values (`C` is 1, `P` 0.5) and of epochs (its reducers) is done again here, so that its own
//! metrics can be audited. `version` is 2 in all releases: what differs is told by the members that are there
//! (see [`reduce::ReduceRules`]).

mod agents;
mod attachments;
mod bundle;
mod cases;
mod declared;
mod detail;
mod given;
mod head;
mod message_list;
mod metrics;
mod other_events;
mod packed;
mod read;
mod reduce;
mod results;
mod sample;
mod sample_parts;
mod sniff;
mod transcript;
mod value;

use super::{
    Bundle, Claim, Claimed, Context, Error, Format, KeysOf, Producer, ReadEvaluation, Reader,
};
use crate::input::{InputFile, LocalFuture, Shape};
use crate::model::{CaseDetail, Config, Run};
use std::rc::Rc;

/// The reader.
pub struct InspectAi;

impl Producer for InspectAi {
    fn id(&self) -> &'static str {
        "inspect-ai"
    }

    fn sniff_beside(&self, file: &InputFile, shape: &Shape) -> Option<Claim> {
        sniff::sniff_beside(file, shape)
    }

    /// The parts of a chunked sample.
    fn is_read_with(&self, other: &Claimed, own: &Claimed, _run: &Run) -> bool {
        let (part, whole) = (&other.claim.role, &own.claim.role);
        *part == sniff::CHUNK && *whole == sniff::CHUNKED && other.is_at_or_below(own)
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        bundle::bundle(files)
    }
}

impl Reader for InspectAi {
    fn formats(&self) -> &'static [Format] {
        &[
            Format {
                files: "*.eval (zip), also of a run that was killed",
                versions: "0.3.4x – 0.3.285",
                what: "samples, scores, events as transcript; metrics by the tool's formulas",
            },
            Format {
                files: "*.json log",
                versions: "0.3.20 – 0.3.285",
                what: "the same in one file",
            },
        ]
    }

    fn sniff(&self, _file: &InputFile, shape: &Shape) -> Option<Claim> {
        sniff::sniff(shape)
    }

    fn read<'a>(
        &'a self,
        bundle: &'a Bundle,
        cx: &'a Context<'a>,
    ) -> LocalFuture<'a, Result<Vec<ReadEvaluation>, Error>> {
        Box::pin(async { read::read(bundle, cx).await.map(ReadEvaluation::alone) })
    }

    fn detail(&self, bundle: &Bundle, _config: &Config, case: &Run) -> Result<CaseDetail, Error> {
        detail::read(bundle, case)
    }
}
