//! What one folder or report of a tool holds together.

use super::config::Config;
use super::declared::{Declared, Unchecked};
use super::ids::SourceId;
use super::run::Run;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// All that was read from one output folder, or one report file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Evaluation {
    /// Producer: the id of the reader of its files, `slop-code`, `letta-evals`, `rebel`; as a report
    /// names it where it comes out of one.
    pub producer: Cow<'static, str>,
    /// Generation of the producer's format, in the words of its reader (`G2d`, `C1`).
    pub generation: String,
    /// Folder or file, relative to what was dropped.
    pub path: String,
    /// What a list shows.
    pub label: String,
    /// What was evaluated, when one name covers it.
    pub suite: Option<String>,
    /// Rules and settings that the files carry.
    pub config: Config,
    /// Every figure the files state about their own totals, to be compared with the computed ones.
    pub declared: Vec<Declared>,
    /// Every figure the files state that can be compared with nothing, and why.
    pub unchecked: Vec<Unchecked>,
    /// The same declarations as the files write them, whole; secrets masked.
    pub declared_json: serde_json::Value,
    /// Recorded rows of figures, one per run, as the files write them (slop-code: the lines of
    /// `checkpoint_results.jsonl`; made from the other files where that one is missing).
    pub rows: Vec<serde_json::Map<String, serde_json::Value>>,
    /// Runs in display order.
    pub runs: Vec<Run>,
    /// Every source that was used.
    pub sources: Vec<SourceId>,
}
