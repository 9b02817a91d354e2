//! What changes by the rules in force, in short.

use crate::report::flips::{Flip, FlipCounts, FlipLevel};
use crate::report::{Link, Outcome};
use crate::words::report::rules::changes as words;
use serde::{Deserialize, Serialize};

/// Changes that are named.
const MAX_NAMED: usize = 8;

/// What changes by the rules in force, against the declared ones.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleChanges {
    /// Rules that were changed, one phrase each: `policy all-cases`.
    pub rules: Vec<String>,
    /// Evaluations, repeats and runs whose verdict changes.
    pub n_verdicts: u64,
    /// Groups that do.
    pub n_groups: u64,
    /// Cases that do.
    pub n_cases: u64,
    /// The first of them: verdicts, cases, groups.
    pub first: Vec<RuleChange>,
    /// What is said where nothing changes.
    pub nothing: String,
}

/// One thing that changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleChange {
    /// Its name.
    pub name: String,
    /// What it is, and in what: `case in maple`.
    pub what: String,
    /// By the declared rules.
    pub from: Outcome,
    /// By the rules in force.
    pub to: Outcome,
    /// What opens it.
    pub link: Option<Link>,
}

impl RuleChanges {
    /// How many things change, of all sorts.
    pub fn n_all(&self) -> u64 {
        self.n_verdicts + self.n_groups + self.n_cases
    }

    /// What is said of `upper` (verdicts and groups) and `cases`, of which there are `counts`.
    pub(in crate::report) fn of(
        rules: Vec<String>,
        counts: FlipCounts,
        upper: &[Flip],
        cases: &[Flip],
        nothing: String,
    ) -> Self {
        let is_group = |flip: &&Flip| flip.level == FlipLevel::Group;
        let verdicts = upper.iter().filter(|flip| !is_group(flip));
        let all = verdicts.chain(cases).chain(upper.iter().filter(is_group));
        Self {
            rules,
            n_verdicts: counts.verdicts,
            n_groups: counts.groups,
            n_cases: counts.cases,
            first: all.take(MAX_NAMED).map(RuleChange::of).collect(),
            nothing,
        }
    }
}

impl RuleChange {
    fn of(flip: &Flip) -> Self {
        let level = flip.level.as_str();
        // The only run of an evaluation often has its name.
        let is_whole = flip.level == FlipLevel::Evaluation || flip.name == flip.within;
        Self {
            name: flip.name.clone(),
            what: if is_whole {
                level.to_owned()
            } else {
                words::level_within(level, &flip.within)
            },
            from: flip.from,
            to: flip.to,
            link: flip.link.clone(),
        }
    }
}
