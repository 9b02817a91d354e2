//! What things are called in addresses: words that mean the same in another session.

use super::case_keys::CaseKeys;
use super::{Entry, RunRef, Target, Workspace};
use crate::model::{Run, RunKey};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;

/// What one of several things is called: by its key, or by its place among them, as older addresses do.
///
/// As text a place is `~17`. In a key every `~` of the files is doubled, and a single one stands only
/// before the number that tells things of the same name apart (`id~2`), so no key looks like a place.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Name {
    /// Its key.
    Key(String),
    /// Its place, 0-based.
    Place(u64),
}

impl Name {
    /// Reads a name.
    pub fn parse(text: &str) -> Self {
        let place = text.strip_prefix('~').filter(|n| n.bytes().all(|b| b.is_ascii_digit()));
        match place.and_then(|place| place.parse().ok()) {
            Some(place) => Self::Place(place),
            None => Self::Key(text.to_owned()),
        }
    }
}

impl Default for Name {
    fn default() -> Self {
        Self::Key(String::new())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => f.write_str(key),
            Self::Place(place) => write!(f, "~{place}"),
        }
    }
}

/// A score that can be taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum How {
    /// The score of an evaluation.
    Evaluation(u32),
    /// The score of a run.
    Run(RunRef),
    /// The score of a group.
    Group {
        /// Its run.
        run: RunRef,
        /// Its number in the run, 0-based.
        group: u32,
    },
    /// The score of a case.
    Case {
        /// Its run.
        run: RunRef,
        /// Its row in the run.
        case_idx: u64,
    },
}

/// A score that can be taken apart, as an address names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HowName {
    /// The score of an evaluation.
    Evaluation(u32),
    /// The score of a run.
    Run(RunRef),
    /// The score of a group.
    Group {
        /// Its run.
        run: RunRef,
        /// Which.
        group: Name,
    },
    /// The score of a case.
    Case {
        /// Its run.
        run: RunRef,
        /// Which.
        case: Name,
    },
}

impl HowName {
    /// The evaluation or run that it lies in.
    pub fn target(&self) -> Target {
        match self {
            Self::Evaluation(id) => Target::Evaluation(*id),
            Self::Run(run) | Self::Group { run, .. } | Self::Case { run, .. } => Target::Run(*run),
        }
    }
}

impl From<How> for HowName {
    fn from(how: How) -> Self {
        match how {
            How::Evaluation(id) => Self::Evaluation(id),
            How::Run(run) => Self::Run(run),
            How::Group { run, group } => Self::Group { run, group: Name::Place(group.into()) },
            How::Case { run, case_idx } => Self::Case { run, case: Name::Place(case_idx) },
        }
    }
}

impl Entry {
    /// Key of run `run_idx` in addresses: what it is of, not which one it is, so that it stays the same
    /// when others join.
    pub fn run_name(&self, run_idx: usize) -> Option<&str> {
        self.run_names.get_or_init(|| run_keys(self)).get(run_idx).map(String::as_str)
    }
}

impl Workspace {
    /// The key of a case in addresses.
    pub fn case_name(&self, run: RunRef, case_idx: u64) -> Option<String> {
        let (table, keys) = self.case_keys(run)?;
        keys.key(table, usize::try_from(case_idx).ok()?)
    }

    /// The row of the case that is called `name` in its run.
    pub fn case_idx(&self, run: RunRef, name: &Name) -> Option<u64> {
        let (table, keys) = self.case_keys(run)?;
        keys.row(table, name).map(|idx| idx as u64)
    }

    /// The key of a group in addresses.
    pub fn group_name(&self, run: RunRef, group: u32) -> Option<String> {
        let (_, run) = self.run(run)?;
        run.groups.get(group as usize).map(|group| plain(&group.name))
    }

    /// The score that is called `name`.
    pub fn how(&self, name: &HowName) -> Option<How> {
        Some(match name {
            HowName::Evaluation(id) => How::Evaluation(*id),
            HowName::Run(run) => How::Run(*run),
            HowName::Group { run, group } => {
                let (_, table) = self.run(*run)?;
                let group = match group {
                    Name::Place(place) => u32::try_from(*place).ok()?,
                    Name::Key(key) => {
                        let mut groups = table.groups.iter();
                        let at = groups.position(|group| plain(&group.name) == *key)?;
                        u32::try_from(at).ok()?
                    }
                };
                How::Group { run: *run, group }
            }
            HowName::Case { run, case } => {
                How::Case { run: *run, case_idx: self.case_idx(*run, case)? }
            }
        })
    }

    fn case_keys(&self, run: RunRef) -> Option<(&Run, &CaseKeys)> {
        let (entry, table) = self.run(run)?;
        let keys = entry.case_keys.get(run.run as usize)?;
        Some((table, keys.get_or_init(|| CaseKeys::new(table))))
    }
}

/// `text` as a part of a key.
pub(super) fn plain(text: &str) -> String {
    text.replace('~', "~~")
}

/// Keys of the runs of an evaluation: suite, variant, subject, and the repeat from the second on, with
/// `/` between them; `~2` after the second of the same words.
fn run_keys(entry: &Entry) -> Vec<String> {
    let mut n_seen: HashMap<String, u32> = HashMap::new();
    let runs = entry.evaluation.runs.iter();
    runs.map(|run| {
        let words = run_words(&run.key);
        let nth = n_seen.entry(words.clone()).or_default();
        *nth += 1;
        if *nth == 1 { words } else { format!("{words}~{nth}") }
    })
    .collect()
}

fn run_words(key: &RunKey) -> String {
    let RunKey { suite, variant, subject, repeat, path: _ } = key;
    let mut words: Vec<String> =
        [suite, variant, subject].into_iter().flatten().map(|word| plain(word)).collect();
    if *repeat > 1 || words.is_empty() {
        words.push(repeat.to_string());
    }
    // An empty key before a number would look like a place.
    Some(words.join("/")).filter(|words| !words.is_empty()).unwrap_or_else(|| "-".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_by_place_and_by_key_are_never_mistaken_for_each_other() {
        for name in [Name::Place(0), Name::Place(u64::MAX), Name::Key("a/b~2".to_owned())] {
            assert_eq!(Name::parse(&name.to_string()), name);
        }
        for key in ["", "~", "17", "~x", "~~17", "~-1", "~99999999999999999999"] {
            assert_eq!(Name::parse(key), Name::Key(key.to_owned()), "{key}");
        }
        assert_eq!(plain("~2"), "~~2");
    }

    #[test]
    fn a_run_is_called_by_what_makes_it_itself() {
        let key = |words: [&str; 3], repeat| {
            let [suite, variant, subject] =
                words.map(|word| Some(word.to_owned()).filter(|word| !word.is_empty()));
            RunKey { suite, variant, subject, repeat, path: "p".to_owned() }
        };
        let tide = key(["tide", "checkpoint_1", "openai/gpt"], 1);
        assert_eq!(run_words(&tide), "tide/checkpoint_1/openai/gpt");
        assert_eq!(run_words(&key(["tide", "", "a~b"], 2)), "tide/a~~b/2");
        assert_eq!(run_words(&key(["", "", ""], 1)), "1");
        let empty = RunKey { suite: Some(String::new()), ..key(["", "", ""], 1) };
        assert_eq!(run_words(&empty), "-");
    }
}
