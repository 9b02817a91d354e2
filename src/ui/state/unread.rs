//! Cases that are fetched only when the user says so.

use crate::report::Target;
use crate::words::ui::shell as words;

/// Which they are, and how much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Of what.
    pub targets: Vec<Target>,
    /// How much there is to read: `The cases of 12 runs are still in the dataset: about 340 MB.`
    pub sentence: String,
    /// What the button says.
    pub button: String,
}

impl Unread {
    /// Those of `targets`: `n_runs` runs, about `n_bytes` bytes.
    pub fn new(targets: &[Target], n_runs: u64, n_bytes: u64) -> Self {
        Self {
            targets: targets.to_vec(),
            sentence: words::unread_cases(n_runs, n_bytes),
            button: words::read_cases(n_bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Unread;
    use crate::report::Target;

    #[test]
    fn it_says_how_much_there_is_to_read() {
        let unread = Unread::new(&[Target::All], 2_000, 340_000_000);
        assert_eq!(
            unread.sentence,
            "The cases of 2,000 runs are still in the dataset: about 340 MB."
        );
        assert_eq!(unread.button, "Read 340 MB");
    }
}
