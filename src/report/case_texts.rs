//! The texts of cases for the table and its copy. They lie in the files, so rows do not wait for them: they
//! are asked for separately.

use super::pages::cases::{CaseOrder, CaseQuery, CaseRef, SortKey};
use crate::model::CaseTexts;
use crate::order::Order as _;
use crate::workspace::Workspace;

/// Cases whose records take more bytes are not read for some words of them.
const MAX_RECORD_BYTES: u64 = 4_000_000;

impl SortKey {
    /// What a column of texts says of a case; `None`: nothing, or it is no such column.
    pub fn text(self, texts: &CaseTexts) -> Option<&str> {
        match self {
            Self::Input => texts.input.as_deref(),
            Self::Answer => texts.answer.as_deref(),
            Self::Expected => texts.expected.as_deref(),
            _ => None,
        }
    }
}

/// The texts of the cases in rows `offset..` of the answer to `query`; `None` of a case: it cannot be read, or is too
/// large to be read for this. `None` when the target is not there.
pub fn case_texts(workspace: &Workspace, query: &CaseQuery) -> Option<Vec<Option<CaseTexts>>> {
    let order = CaseOrder::of(workspace, query)?;
    let cases = order.rows(query)?.filter_map(|at| order.case(at));
    let mut cases: Vec<(usize, CaseRef)> = cases.enumerate().collect();
    let mut texts = vec![None; cases.len()];
    // Cases that follow each other in a run are read in one go.
    cases.order_by_key(|(_, CaseRef { run, case_idx })| (run.evaluation, run.run, *case_idx));
    for (at, case) in cases {
        if let Some(place) = texts.get_mut(at) {
            *place = of_case(workspace, case);
        }
    }
    Some(texts)
}

fn of_case(workspace: &Workspace, CaseRef { run, case_idx }: CaseRef) -> Option<CaseTexts> {
    let (_, table) = workspace.run(run)?;
    let is_read =
        table.has_texts() && table.cases.record_bytes(case_idx as usize) <= MAX_RECORD_BYTES;
    is_read.then(|| workspace.case_texts(run, case_idx)).flatten()
}
