//! Names that the writer gives to files and folders.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_files_have_a_number() {
        assert_eq!(run_number("run_12.jsonl"), Some(12));
        assert_eq!(run_number("run_x"), None);
        assert_eq!(run_number("run_"), None);
    }

    #[test]
    fn a_model_makes_a_file_name() {
        assert_eq!(slug("acme/unknown:beta"), "acme-unknown-beta");
    }
}
