//! Order of problems and checkpoints.

use super::run_files::RunFiles;
use serde_json::Value;
use std::cmp::Ordering;

/// Compares names so that `checkpoint_10` comes after `checkpoint_2`.
pub(super) fn natural(left: &str, right: &str) -> Ordering {
    let (mut left_rest, mut right_rest) = (left, right);
    loop {
        let (left_part, right_part) = (next_part(left_rest), next_part(right_rest));
        if left_part.is_empty() || right_part.is_empty() {
            return left_rest.len().cmp(&right_rest.len()).then_with(|| left.cmp(right));
        }
        let is_number = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
        let order = if is_number(left_part) && is_number(right_part) {
            let digits = |part| str::trim_start_matches(part, '0');
            let (left, right) = (digits(left_part), digits(right_part));
            left.len().cmp(&right.len()).then_with(|| left.cmp(right))
        } else {
            left_part.cmp(right_part)
        };
        if order != Ordering::Equal {
            return order;
        }
        left_rest = left_rest.get(left_part.len()..).unwrap_or_default();
        right_rest = right_rest.get(right_part.len()..).unwrap_or_default();
    }
}

/// The digits, or what is not digits, that `text` starts with.
fn next_part(text: &str) -> &str {
    let is_digit = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(text.len());
    text.get(..end).unwrap_or(text)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names = ["checkpoint_10", "checkpoint_2", "a", "checkpoint_02", "checkpoint"];
        names.sort_by(|left, right| natural(left, right));
        assert_eq!(names, ["a", "checkpoint", "checkpoint_02", "checkpoint_2", "checkpoint_10"]);
    }
}
