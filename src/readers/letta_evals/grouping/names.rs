//! Names that the writer gives to files and folders.

use std::cmp::Ordering;

/// The number in `run_N` or `run_N.jsonl`.
pub fn run_number(name: &str) -> Option<u32> {
    let digits = stem(name).strip_prefix("run_")?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// The number of the run that a folder is called after: its last part is `run_N`.
pub fn run_of_folder(folder: &str) -> Option<u32> {
    run_number(folder.rsplit('/').next().unwrap_or(folder))
}

/// A file name without `.jsonl`.
pub fn stem(name: &str) -> &str {
    name.strip_suffix(".jsonl").unwrap_or(name)
}

/// The file name of a model, as letta-evals from 0.17 on makes it. Not reversible: `a/b` and `a-b`
/// share one.
pub fn slug(model: &str) -> String {
    model.replace(['/', '\\', ':'], "-")
}

/// Order by text, where digits compare as numbers: `run_2` before `run_10`.
pub fn natural(left: &str, right: &str) -> Ordering {
    let (mut left_rest, mut right_rest) = (left, right);
    while !left_rest.is_empty() && !right_rest.is_empty() {
        let (left_part, left_after) = part(left_rest);
        let (right_part, right_after) = part(right_rest);
        let order = match (number(left_part), number(right_part)) {
            (Some(one), Some(other)) => one.cmp(&other),
            _ => left_part.cmp(right_part),
        };
        if order != Ordering::Equal {
            return order;
        }
        (left_rest, right_rest) = (left_after, right_after);
    }
    left_rest.len().cmp(&right_rest.len()).then_with(|| left.cmp(right))
}

/// The leading digits, or the leading other characters.
fn part(text: &str) -> (&str, &str) {
    let is_digit = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(text.len());
    text.split_at(end)
}

fn number(part: &str) -> Option<u128> {
    part.starts_with(|c: char| c.is_ascii_digit()).then(|| part.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_files_sort_by_number() {
        let mut names = ["m/run_10.jsonl", "m/run_2.jsonl", "a/run_1.jsonl", "m/run_1.jsonl"];
        names.sort_by(|left, right| natural(left, right));
        assert_eq!(names, ["a/run_1.jsonl", "m/run_1.jsonl", "m/run_2.jsonl", "m/run_10.jsonl"]);
        assert_eq!(run_number("run_12.jsonl"), Some(12));
        assert_eq!(run_number("run_x"), None);
        assert_eq!(run_number("run_"), None);
    }

    #[test]
    fn a_model_makes_a_file_name() {
        assert_eq!(slug("acme/unknown:beta"), "acme-unknown-beta");
    }
}
