//! The small tables of a dataset, row by row, and which columns are read of them.

use super::figures::{KINDS, POLICIES, TOTALS, VERDICT};
use super::small::SmallRows;
use super::{Bundle, Context, Error, role, wrong};
use crate::input::{InputFile, MemorySource};
use crate::model::{NoteKind, Place};
use crate::readers::parquet_file::ParquetFile;
use std::rc::Rc;

/// Columns of `evaluations.parquet`; the first six have to be there.
pub(super) const EVALUATIONS: &[&str] = &[
    "evaluation",
    "producer",
    "generation",
    "path",
    "label",
    "has_policies",
    "suite",
    "verdict",
    "rule",
    "reason",
    "declared_verdict",
    "gate",
    "n_notes",
    "n_lost",
    "config",
    "primary_metric",
    "empty_mean",
    "has_costs",
    "no_case_rule",
    "declared_policy",
];
/// Columns of `runs.parquet` beside those of totals, verdict, kinds and policies.
pub(super) const RUNS: &[&str] = &[
    "run",
    "evaluation",
    "label",
    "path",
    "repeat",
    "suite",
    "variant",
    "subject",
    "again",
    "ended",
    "started_at",
    "duration_secs",
    "is_infrastructure_failure",
    "so_far",
    "own_prompt_tokens",
    "own_completion_tokens",
    "own_cached_input_tokens",
    "own_cache_write_tokens",
    "own_reasoning_tokens",
    "own_cost_usd",
    "declared_passed",
    "declared_total",
    "score_better",
];
/// Columns of a gate, of repeats.
pub(super) const GATE: &[&str] =
    &["gate_value", "gate_passed", "gate_declared_passed", "gate_reason"];
/// Columns of `groups.parquet`; the first four have to be there.
pub(super) const GROUPS: &[&str] = &[
    "evaluation",
    "run",
    "name",
    "cases",
    "kind",
    "weight",
    "passed",
    "score",
    "ci95_low",
    "ci95_high",
    "n_scores",
    "n_undefined",
    "duration_secs",
];
/// Columns of `metrics.parquet`; the first four have to be there.
pub(super) const METRICS: &[&str] = &[
    "evaluation",
    "run",
    "name",
    "n",
    "label",
    "mean_attempted",
    "mean_total",
    "passed",
    "failed",
    "pass_rate",
    "ci95_low",
    "ci95_high",
];
/// Columns of `declared.parquet`; the first four have to be there.
pub(super) const DECLARED: &[&str] = &[
    "evaluation",
    "file",
    "field",
    "agrees",
    "run",
    "repeat",
    "subject",
    "declared",
    "declared_word",
    "computed",
    "computed_word",
    "difference",
    "severity",
    "why",
];
/// Columns of `parts.parquet`; all have to be there.
pub(super) const PARTS: &[&str] = &["evaluation", "table_name", "path", "rows", "bytes"];

/// Columns of `runs.parquet`; the first five have to be there.
pub(super) fn run_columns() -> Vec<&'static str> {
    let kinds = KINDS.iter().flat_map(|(_, passed, total)| [*passed, *total]);
    let policies = POLICIES.iter().map(|(_, column)| *column);
    [RUNS, TOTALS, VERDICT].concat().into_iter().chain(kinds).chain(policies).collect()
}

/// The small tables of a dataset.
pub(super) struct Tables<'a> {
    pub(super) bundle: &'a Bundle,
    pub(super) manifest: &'a InputFile,
    pub(super) cx: &'a Context<'a>,
}

impl<'a> Tables<'a> {
    /// The file of table `name`.
    pub(super) fn required(&self, name: &str) -> Result<&'a InputFile, Error> {
        let mut own = self.bundle.of_role(role::TABLE).map(|claimed| &claimed.file);
        own.find(|file| file.name().strip_suffix(".parquet") == Some(name)).ok_or_else(|| {
            let reason = format!("{name}.parquet is missing: report --index makes it anew");
            wrong(reason).in_file(&self.manifest.path)
        })
    }

    /// Hands each row of table `name` to `take`, with `columns`, of which the first `n_required` have to be there.
    pub(super) async fn each(
        &self,
        name: &str,
        columns: &[&'static str],
        n_required: usize,
        take: &mut dyn FnMut(&SmallRows),
    ) -> Result<(), Error> {
        const ROWS: u32 = 256;
        let file = in_memory(self.required(name)?)?;
        let mut rows = SmallRows::open(&file, n_required, columns.to_vec())?;
        let mut n_rows: u32 = 0;
        while rows.advance()? {
            take(&rows);
            n_rows = n_rows.wrapping_add(1);
            if n_rows.is_multiple_of(ROWS) {
                self.cx.pulse.breathe().await?;
            }
        }
        Ok(())
    }

    /// The same of a table that can be done without: what is wrong with it is noted.
    pub(super) async fn try_each(
        &self,
        name: &str,
        columns: &[&'static str],
        n_required: usize,
        take: &mut dyn FnMut(&SmallRows),
    ) -> Result<(), Error> {
        let outcome = self.each(name, columns, n_required, take).await;
        self.survive(name, outcome)
    }

    /// Notes what is wrong with a table that can be done without.
    pub(super) fn survive(&self, name: &str, outcome: Result<(), Error>) -> Result<(), Error> {
        match outcome {
            Err(err) if !err.is_cancelled() => {
                let file = err.file().unwrap_or(&self.manifest.path).to_owned();
                let detail = format!("{err}; what it says of {name} is not shown");
                self.cx.notes.add(&file, NoteKind::Broken, Place::File, detail);
                Ok(())
            }
            done => done,
        }
    }
}

/// That one of `names`, which have to be there, is not.
pub(super) fn missing_column<'a>(
    opened: &ParquetFile,
    file: &InputFile,
    mut names: impl Iterator<Item = &'a &'static str>,
) -> Result<(), Error> {
    match names.find(|name| opened.flat(name).is_none()) {
        Some(name) => Err(wrong(format!("column {name} is missing")).in_file(&file.path)),
        None => Ok(()),
    }
}

/// A table with its bytes, unless they are many: a table has up to a hundred columns, and asking the browser for each of them
/// takes longer than reading them.
pub(super) fn in_memory(file: &InputFile) -> Result<InputFile, Error> {
    const MAX_BYTES: u64 = 64 << 20;
    if file.len() > MAX_BYTES {
        return Ok(file.clone());
    }
    let bytes = file.bytes(0..file.len()).map_err(|err| Error::from(err).in_file(&file.path))?;
    Ok(InputFile { data: Rc::new(MemorySource::new(bytes)), ..file.clone() })
}
