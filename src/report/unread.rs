//! What an overview says of cases that are still in their dataset.

use super::Target;
use crate::figures::Settings;
use crate::format::bytes;
use crate::words::report::shared as words;
use crate::workspace::Workspace;

/// Whose figures stand in `target`, and what comes with the cases; `None`: all cases are here.
pub(super) fn words(workspace: &Workspace, target: Target) -> Option<String> {
    let (mut n_runs, mut n_unread) = (0_u64, 0_u64);
    for entry in workspace.entries_of(target) {
        for idx in 0..entry.evaluation.runs.len() {
            if matches!(target, Target::Run(run) if run.run as usize != idx) {
                continue;
            }
            n_runs += 1;
            n_unread += u64::from(entry.is_unread(idx));
        }
    }
    if n_unread == 0 {
        return None;
    }
    let n_bytes = workspace.unread(&[target]).iter().map(|run| run.n_bytes).sum();
    let whose = match (n_unread, n_runs) {
        (1, 1) => words::FIGURES_STORED.to_owned(),
        (n, all) if n == all => words::figures_stored_of_all(n),
        (n, all) => words::figures_stored_of_some(n, all),
    };
    let rules =
        if workspace.settings == Settings::default() { "" } else { words::RULES_NOT_APPLIED };
    Some(words::cases_not_loaded(&whose, &bytes(n_bytes), rules))
}
