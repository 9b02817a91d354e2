//! Looking through the files of cases for a text: which parts there are to be searched, each by itself.

use super::filter::FilterScope;
use super::{RunRef, Target};
use crate::model::{Locator, Run};
use crate::readers::{Bundle, Producer, Wanted};
use crate::workspace::Workspace;
use std::ops::Range;

/// Bytes of records that are searched in one go, about.
const PART_BYTES: u64 = 4 << 20;

/// Cases that are searched in one go, at the most.
const PART_CASES: usize = 5_000;

/// Some cases of a run that are searched in one go.
pub struct SearchBatch {
    /// The run.
    pub run: RunRef,
    /// The cases, by row.
    pub cases: Range<usize>,
    /// Number of cases of the run.
    pub n_cases: usize,
    /// Bytes of the records.
    pub n_bytes: u64,
    /// Whose files they lie in.
    pub producer: &'static dyn Producer,
    /// The files.
    pub bundle: Bundle,
    /// What is to be looked for, and where.
    pub wanted: Wanted,
}

/// The parts of the runs of `target` that have not been searched for `needle`, run by run; `None` when the
/// target is not there.
pub fn search_parts(
    workspace: &Workspace,
    target: Target,
    needle: &str,
) -> Option<Vec<SearchBatch>> {
    let scope = FilterScope::new(workspace, target)?;
    let unsearched = scope.parts.iter().filter(|part| scope.found(needle, part.at).is_none());
    let parts = unsearched.flat_map(|part| {
        let n_cases = part.run.cases.len();
        pieces(part.run).into_iter().filter_map(move |(cases, n_bytes)| {
            let (producer, bundle) = workspace.entry(part.at.evaluation)?.origin();
            let places = cases.clone().map(|idx| places_of(part.run, idx)).collect();
            let wanted = Wanted::Matches { needle: needle.to_owned(), cases: places };
            let bundle = wanted.files_of(None, bundle);
            Some(SearchBatch { run: part.at, cases, n_cases, n_bytes, producer, bundle, wanted })
        })
    });
    Some(parts.collect())
}

/// Number of cases of `target` in whose files `needle` was found.
pub fn n_found(workspace: &Workspace, target: Target, needle: &str) -> u64 {
    let Some(scope) = FilterScope::new(workspace, target) else { return 0 };
    let found = scope.parts.iter().filter_map(|part| scope.found(needle, part.at));
    found.map(|found| found.iter().filter(|is_in| **is_in).count() as u64).sum()
}

/// Where the record of a case lies, and where its partner.
fn places_of(run: &Run, idx: usize) -> [Option<Locator>; 2] {
    [run.cases.locator_of(idx), run.cases.partner_of(idx)]
}

/// The cases of `run` in parts, each with its bytes. Those that lie in rows stay together: each search reads
/// all rows of the file. A run without cases is one part, so that it is known to be searched.
fn pieces(run: &Run) -> Vec<(Range<usize>, u64)> {
    let mut pieces = Vec::new();
    let (mut start, mut n_bytes, mut has_rows) = (0, 0, false);
    for idx in 0..run.cases.len() {
        let is_full = n_bytes >= PART_BYTES || idx - start >= PART_CASES;
        if is_full && !has_rows {
            pieces.push((start..idx, n_bytes));
            (start, n_bytes) = (idx, 0);
        }
        for place in places_of(run, idx).into_iter().flatten() {
            match place {
                Locator::Span { len, .. } => n_bytes += len,
                Locator::Row { .. } => has_rows = true,
            }
        }
    }
    pieces.push((start..run.cases.len(), n_bytes));
    pieces
}
