//! What a worker is told by its name: how the page wants it.

use super::death::CrashTest;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// How the workspace is started, as the text that its worker is called by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How many readers it may start.
    pub n_readers: usize,
    /// What a test wants its readers to die of, as [`CrashTest::parse`] takes it.
    pub trial: Option<String>,
}

/// Readers that are started at the least, and at the most.
const READERS_STARTED: (usize, usize) = (2, 8);

impl Options {
    /// As many readers as there are cores, unless so many are `wanted`.
    pub fn new(n_cores: usize, wanted: Option<usize>, trial: Option<String>) -> Self {
        let (min, max) = READERS_STARTED;
        let n_readers = wanted.map_or_else(|| n_cores.clamp(min, max), |n| n.clamp(1, max));
        Self { n_readers, trial }
    }

    /// The name of the workspace's worker.
    pub fn workspace(&self) -> String {
        format!("workspace?readers={}{}", self.n_readers, self.trial_part())
    }

    /// The name of its readers' workers.
    pub fn reader(&self) -> String {
        format!("reader?{}", self.trial_part().trim_start_matches('&'))
    }

    fn trial_part(&self) -> String {
        let encoded = |trial| utf8_percent_encode(trial, NON_ALPHANUMERIC).to_string();
        self.trial.as_deref().map_or(String::new(), |trial| format!("&trial={}", encoded(trial)))
    }

    /// The options of the workspace called `name`.
    pub fn of(name: &str) -> Self {
        let wanted = value(name, "readers").and_then(|n| n.parse().ok());
        Self::new(1, wanted, value(name, "trial"))
    }

    /// What the reader called `name` is to die of.
    pub fn of_reader(name: &str) -> Option<CrashTest> {
        value(name, "trial").and_then(|trial| CrashTest::parse(&trial))
    }
}

/// The value of `key` behind the `?` of `name`.
fn value(name: &str, key: &str) -> Option<String> {
    let (_, pairs) = name.split_once('?')?;
    let mut pairs = pairs.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(own, _)| *own == key)?;
    percent_decode_str(value).decode_utf8().ok().map(String::from)
}

#[cfg(test)]
mod tests {
    use super::Options;
    use crate::pool::CrashTest;

    #[test]
    fn names_say_what_they_were_made_of() {
        for (n_cores, wanted, n_readers) in [
            (1, None, 2),
            (4, None, 4),
            (64, None, 8),
            (4, Some(1), 1),
            (1, Some(3), 3),
            (2, Some(0), 1),
        ] {
            let options = Options::new(n_cores, wanted, None);
            assert_eq!(options.n_readers, n_readers, "{n_cores} {wanted:?}");
            assert_eq!(Options::of(&options.workspace()), options);
            assert_eq!(Options::of_reader(&options.reader()), None);
        }
        let trial = "panic:a b&c=d.json";
        let options = Options::new(2, None, Some(trial.to_owned()));
        assert_eq!(Options::of(&options.workspace()), options);
        assert_eq!(Options::of_reader(&options.reader()), CrashTest::parse(trial));
        assert!(CrashTest::parse(trial).is_some());
    }
}
