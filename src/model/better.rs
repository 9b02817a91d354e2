//! Which way a metric is better.

use serde::{Deserialize, Serialize};

/// Which way a metric is better, where a file says so. Never guessed by a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Higher is better: accuracy.
    More,
    /// Lower is better: perplexity.
    Less,
}

impl Better {
    /// The word of files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::More => "more",
            Self::Less => "less",
        }
    }

    /// What files call `word`.
    pub fn from_text(word: &str) -> Option<Self> {
        [Self::More, Self::Less].into_iter().find(|better| better.as_str() == word)
    }

    /// What a file says with a flag that is true where higher is better.
    pub fn if_higher(is_higher: bool) -> Self {
        if is_higher { Self::More } else { Self::Less }
    }

    /// What all of `stated` say that say anything; `None`: none does, or they contradict each other.
    pub fn agreed(stated: impl IntoIterator<Item = Option<Self>>) -> Option<Self> {
        let mut known = stated.into_iter().flatten();
        let first = known.next()?;
        known.all(|other| other == first).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_does_not_contradict() {
        let (more, less) = (Some(Better::More), Some(Better::Less));
        assert_eq!(Better::agreed([None, less, None, less]), less);
        assert_eq!(Better::agreed([less, more]), None);
        assert_eq!(Better::agreed([None, None]), None);
    }
}
