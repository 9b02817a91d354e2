//! What the user sets about scoring, and how a case stands under it.

use crate::model::{Outcome, PassRule, Run, Strategy};

/// Rules that take the place of the producer's. The default changes nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rules {
    /// How cases with outcome `error` count.
    pub errors: Missing,
    /// How cases with outcome `skipped` count.
    pub skipped: Missing,
    /// How other cases without a score count.
    pub unscored: Missing,
    /// A case passes when its own score meets this.
    pub pass: Option<PassRule>,
    /// How several attempts become one score and verdict.
    pub strategy: Option<Strategy>,
}

/// How cases without a proper result count in means, rates, groups, policies and gates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Missing {
    /// As the producer counts them.
    #[default]
    AsDeclared,
    /// With a score of 0, and as not passed.
    Zero,
    /// Not at all.
    LeftOut,
}

impl Missing {
    /// All three.
    pub const ALL: [Self; 3] = [Self::AsDeclared, Self::Zero, Self::LeftOut];

    /// The word of settings and exports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AsDeclared => "as-declared",
            Self::Zero => "zero",
            Self::LeftOut => "left-out",
        }
    }
}

impl Rules {
    /// How case `idx` of `run` counts. Cases that were judged always count by their own score.
    pub fn standing(&self, run: &Run, idx: usize) -> Missing {
        if !self.changes_counting() {
            return Missing::AsDeclared;
        }
        match run.cases.outcome_of(idx) {
            Outcome::Error => self.errors,
            Outcome::Skipped => self.skipped,
            Outcome::Unscored if run.cases.score.get(idx).is_none() => self.unscored,
            Outcome::Unscored | Outcome::Scored | Outcome::Passed | Outcome::Failed => {
                Missing::AsDeclared
            }
        }
    }

    /// The same for every case of `run`, in order.
    pub fn standings(&self, run: &Run) -> Vec<Missing> {
        if !self.changes_counting() {
            return vec![Missing::AsDeclared; run.cases.len()];
        }
        let of = |outcome| match outcome {
            Outcome::Error => self.errors,
            Outcome::Skipped => self.skipped,
            Outcome::Unscored => self.unscored,
            Outcome::Scored | Outcome::Passed | Outcome::Failed => Missing::AsDeclared,
        };
        let of_word = |word: &str| of(Outcome::of_word(word));
        let mut all = run.cases.outcome.mapped(self.unscored, of_word);
        if self.unscored != Missing::AsDeclared {
            let (outcome, scores) = (run.cases.outcomes(), run.cases.score.cells());
            for (idx, standing) in all.iter_mut().enumerate() {
                if outcome(idx) == Outcome::Unscored && scores.get(idx).is_some() {
                    *standing = Missing::AsDeclared;
                }
            }
        }
        all
    }

    /// Whether some case may count otherwise than the producer counts it.
    pub fn changes_counting(&self) -> bool {
        [self.errors, self.skipped, self.unscored].iter().any(|rule| *rule != Missing::AsDeclared)
    }
}
