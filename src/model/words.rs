//! The closed vocabularies: kind, outcome, verdict, strategy.

use serde::{Deserialize, Serialize};

/// Declares an enum of words with their spelling in files and exports.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$doc])* $variant),+ }

        impl $name {
            /// Every word, in display order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Their spelling, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($text),+];

            /// Its place in [`Self::ALL`].
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The word as files and exports spell it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The word that `text` spells exactly.
            pub fn from_text(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// What a group of cases is for (slop-code's `GroupType`).
    Kind {
        /// The behaviour that a checkpoint is about.
        Core = "Core",
        /// Further behaviour.
        Functionality = "Functionality",
        /// Cases of earlier checkpoints.
        Regression = "Regression",
        /// Cases that expect an error.
        Error = "Error",
    }
}

words! {
    /// How a case came out.
    Outcome {
        /// It met its rule.
        Passed = "passed",
        /// It was judged and did not meet its rule.
        Failed = "failed",
        /// It could not be judged.
        Error = "error",
        /// It was not run.
        Skipped = "skipped",
        /// It has a score, and no rule says what passes.
        Scored = "scored",
        /// It was judged, but without a score.
        Unscored = "unscored",
    }
}

words! {
    /// What was said of one check.
    Verdict {
        /// Met.
        Passed = "passed",
        /// Not met.
        Failed = "failed",
        /// Could not be judged.
        Error = "error",
    }
}

words! {
    /// How the attempts of a case become one score and verdict (REBEL).
    Strategy {
        /// The worst attempt decides.
        Min = "min",
        /// The best attempt decides.
        Max = "max",
        /// Mean score, majority verdict.
        Mean = "mean",
        /// Median score, majority verdict.
        Median = "median",
    }
}

impl Outcome {
    /// That of a word; `Unscored` where it is none of ours.
    pub fn of_word(word: &str) -> Self {
        Self::from_text(word).unwrap_or(Self::Unscored)
    }

    /// Passed or failed.
    pub fn of(is_passed: bool) -> Self {
        if is_passed { Self::Passed } else { Self::Failed }
    }

    /// Whether a case that came out so counts as attempted, where its reader does not say.
    pub fn is_attempted(self) -> bool {
        !matches!(self, Self::Error | Self::Skipped)
    }

    /// Of a case that was judged, but that no rule passes or fails.
    pub fn without_rule(score: Option<f64>) -> Self {
        if score.is_some() { Self::Scored } else { Self::Unscored }
    }

    /// The same outcome in the words of today: reports written before [`Outcome::Scored`] came say
    /// "unscored" of cases that have a score and no verdict.
    pub fn with_score(self, score: Option<f64>, passed: Option<bool>) -> Self {
        match self {
            Self::Unscored if passed.is_none() => Self::without_rule(score),
            other => other,
        }
    }
}
