//! Order of problems and checkpoints.

use super::run_files::RunFiles;
use serde_json::Value;

/// Rank of a problem: by its first row, else by the config's list.
pub(super) fn problem_rank(files: &RunFiles, problem: &str) -> usize {
    let in_config = || {
        let listed = files.config.as_ref()?.value.get("problems")?.as_array()?;
        listed.iter().position(|name| name.as_str() == Some(problem))
    };
    files.rows.first(problem).or_else(in_config).unwrap_or(usize::MAX)
}

/// Number of a checkpoint within its problem: `idx` of its row, else its definition's `order`.
pub(super) fn checkpoint_number(
    files: &RunFiles,
    problem: &str,
    checkpoint: &str,
    folder: &str,
) -> Option<f64> {
    let in_row = || files.rows.row(problem, checkpoint)?.get("idx")?.as_f64();
    in_row().or_else(|| Some(defined(files, checkpoint, folder)?.0))
}

/// Number of a checkpoint in the definition of its problem, and whether that is the last one
/// (`None`: only its own definition is there, which does not say).
pub(super) fn defined(
    files: &RunFiles,
    checkpoint: &str,
    folder: &str,
) -> Option<(f64, Option<bool>)> {
    let in_problem = || {
        let parent = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
        let definition = &files.problems.in_folder(parent)?.value;
        let all = definition.get("checkpoints")?.as_object()?;
        let order = |checkpoint: &Value| checkpoint.get("order").and_then(Value::as_f64);
        let own = order(all.get(checkpoint)?)?;
        Some((own, Some(all.values().filter_map(order).all(|other| other <= own))))
    };
    let in_own = || files.checkpoints.in_folder(folder)?.value.get("order")?.as_f64();
    in_problem().or_else(|| Some((in_own()?, None)))
}
