//! Figures that a dataset holds of an evaluation, as they were computed when it was written: they stand for those of
//! its cases until somebody reads the cases.

use super::{GroupScore, KindCount, StoredComparisons, Totals};
use crate::model::{Kind, Num, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a dataset holds of an evaluation beside its cases (`docs/dataset.md`).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct StoredEvaluation {
    /// Its id in the dataset.
    pub id: String,
    /// By run, in the order of the evaluation's runs.
    pub runs: Vec<StoredRun>,
    /// By repeat, ascending.
    pub repeats: Vec<StoredRepeat>,
    /// Whether its repeats are judged by a gate.
    pub has_gate: bool,
    /// Verdict over everything.
    pub verdict: Option<StoredVerdict>,
    /// Every declared figure that was compared with a computed one.
    pub compared: StoredComparisons,
    /// Where its cases and checks lie.
    pub parts: Vec<StoredPart>,
}

/// Figures of a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct StoredRun {
    /// Its id in the dataset.
    pub id: String,
    /// Totals.
    pub totals: Totals,
    /// Passed and all cases by kind.
    pub by_kind: BTreeMap<Kind, KindCount>,
    /// Groups.
    pub groups: Vec<GroupScore>,
    /// Names of pass policies, and whether each holds; none where the producer has no policies.
    pub policies: Vec<(String, bool)>,
    /// Verdict.
    pub verdict: Option<StoredVerdict>,
    /// Why the verdict may not be the last word.
    pub so_far: Option<String>,
    /// Cases that the dataset has of it; 0 where its files declare counts alone.
    pub n_cases: u64,
}

/// Figures of a repeat, over all subjects.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct StoredRepeat {
    /// Repeat, 1-based.
    pub repeat: u32,
    /// Totals.
    pub totals: Totals,
    /// What its gate gave; `None`: there is no gate.
    pub gate: Option<StoredGate>,
    /// By subject.
    pub subjects: Vec<(String, Totals)>,
}

/// What the gate of a repeat gave.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct StoredGate {
    /// The value compared.
    pub value: Option<Num>,
    /// Whether it passes; `None`: it cannot be evaluated.
    pub is_passed: Option<bool>,
    /// What the files record.
    pub declared_passed: Option<bool>,
    /// Why, in words.
    pub reason: String,
}

/// A verdict with its rule and reason.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StoredVerdict {
    /// Verdict; `Scored` or `Unscored` where no rule gives one.
    pub outcome: Outcome,
    /// The rule in words; empty where there is none.
    pub rule: String,
    /// Why.
    pub reason: String,
    /// What the files record, where it differs or nothing can be judged.
    pub declared: Option<String>,
}

/// A file with cases or checks of an evaluation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPart {
    /// Whether it holds checks, else cases.
    pub has_checks: bool,
    /// Where it lies in the dataset.
    pub path: String,
    /// Rows.
    pub rows: u64,
    /// Bytes.
    pub bytes: u64,
}

impl StoredEvaluation {
    /// Bytes of its parts.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes).fold(0, u64::saturating_add)
    }

    /// Bytes that the cases of one run take, about: its share of the rows of cases.
    pub fn bytes_of_run(&self, run: usize) -> u64 {
        let of = |run: &StoredRun| u128::from(run.n_cases);
        let all: u128 = self.runs.iter().map(of).sum();
        let own = self.runs.get(run).map_or(0, of);
        let share = (u128::from(self.bytes()) * own).checked_div(all).unwrap_or(0);
        u64::try_from(share).unwrap_or(u64::MAX)
    }
}
