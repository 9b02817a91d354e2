//! What the rules in force change, as far as an export is about it.

use super::report_json::num;
use super::selection::ExportSelection;
use crate::report::{Flip, Link, Target, flips};
use crate::workspace::Workspace;
use serde_json::{Value, json};
use std::collections::HashSet;

/// The flips within `selection`: of its runs and of the chosen cases; those of the whole evaluation
/// only where the export is about no single run.
pub(super) fn chosen<'a>(
    workspace: &'a Workspace,
    selection: &'a ExportSelection,
) -> impl Iterator<Item = Flip> + use<'a> {
    let rows: Option<HashSet<(u32, u32, usize)>> = selection.is_picked.then(|| {
        let by_run = selection.rows_by_run().into_iter();
        by_run
            .flat_map(|((id, run), rows)| rows.into_iter().map(move |row| (id, run, row)))
            .collect()
    });
    flips(workspace).filter(move |flip| match &flip.link {
        Some(Link::Target(Target::Evaluation(id))) => match selection.target {
            Target::All => true,
            Target::Evaluation(own) => own == *id,
            Target::Run(_) => false,
        },
        Some(Link::Target(Target::Run(run))) => selection.has_run(*run),
        Some(Link::Case { run, case_idx }) => {
            let place = usize::try_from(*case_idx).map(|row| (run.evaluation, run.run, row));
            let is_chosen =
                rows.as_ref().is_none_or(|rows| place.is_ok_and(|at| rows.contains(&at)));
            selection.has_run(*run) && is_chosen
        }
        _ => matches!(selection.target, Target::All),
    })
}

/// One flip as a member of the report.
pub(super) fn flip_value(flip: &Flip) -> Value {
    json!({
        "level": flip.level.as_str(),
        "within": flip.within,
        "name": flip.name,
        "from": flip.from.as_str(),
        "to": flip.to.as_str(),
        "score_from": num(flip.from_score.map(|score| score.0)),
        "score_to": num(flip.to_score.map(|score| score.0)),
        "why": flip.why,
    })
}
