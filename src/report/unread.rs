//! What an overview says of cases that are still in their dataset.

use super::Target;
use crate::figures::Settings;
use crate::format::{bytes, count, counted};
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
        (1, 1) => "The figures come from the dataset".to_owned(),
        (n, all) if n == all => {
            format!("The figures of {} come from the dataset", counted(n, "run", "runs"))
        }
        (n, all) => {
            format!("The figures of {} of {} runs come from the dataset", count(n), count(all))
        }
    };
    let rules = if workspace.settings == Settings::default() {
        ""
    } else {
        " The rules in force are not applied to these figures."
    };
    Some(format!(
        "{whose}. The cases (about {}) are loaded when you open Cases, Failures, Statistics or a comparison; charts of single cases are drawn then.{rules}",
        bytes(n_bytes)
    ))
}
