//! Generations of letta-evals and what differs between them for every row.
//!
//! Source: github.com/letta-ai/letta-evals, `models.py` and `runner.py` of releases 0.1.0 – 0.26.0.

use crate::model::MeanOver;
use crate::readers::letta_evals::row::LettaRow;
use serde::{Deserialize, Serialize};

/// A generation of files, by the releases that wrote them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Generation {
    /// 0.1.0: one JSON document.
    Zero,
    /// 0.2.0 and development versions up to 0.3.0: one JSONL file.
    A,
    /// The shapes of the reporting guide, which no release wrote.
    Guide,
    /// 0.3.0 – 0.6.1: `header.json`, `results.jsonl`, `summary.json`.
    B,
    /// 0.7.0: gates with a kind; no counts of passed samples any more.
    C0,
    /// 0.8.0 – 0.10.0: cost and tokens.
    C1,
    /// 0.11.0 – 0.16.0: errors of their own, timing.
    C2,
    /// 0.17.0 – 0.20.0: `suite.json` and a file per model.
    D,
    /// 0.21.0 and later: rewards instead of gates.
    E,
}

impl Generation {
    /// The name that notes and exports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zero => "0",
            Self::A => "A",
            Self::Guide => "guide",
            Self::B => "B",
            Self::C0 => "C0",
            Self::C1 => "C1",
            Self::C2 => "C2",
            Self::D => "D",
            Self::E => "E",
        }
    }

    /// Which rows the means over attempted samples cover.
    pub fn mean_over(self) -> MeanOver {
        // The guide divides by the samples that completed.
        if self < Self::C2 && self != Self::Guide {
            MeanOver::Graded
        } else {
            MeanOver::AttemptedAndGraded
        }
    }

    /// Whether the release itself counts samples that pass.
    pub fn counts_passed(self) -> bool {
        self < Self::C0
    }

    /// Whether a row was attempted: the release's `success(row)`.
    pub fn is_attempted(self, row: &LettaRow<'_>) -> bool {
        match self {
            Self::Zero | Self::A | Self::B | Self::C0 => row.has_agent && row.has_trajectory,
            // The guide marks errors in the grade and leaves agent and trajectory out.
            Self::Guide => !row.is_error_in_grade(),
            Self::C1 => {
                let is_empty = row.grade.as_ref().is_some_and(|grade| grade.says_empty_submission);
                row.has_agent && row.has_trajectory && !is_empty
            }
            Self::C2 | Self::D | Self::E => row.error.is_none(),
        }
    }
}

/// What of a row tells the generation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traits {
    /// The row stands in a `result` member.
    pub is_wrapped: bool,
    /// It has `sample_id`.
    pub has_sample_id: bool,
    /// It has a member `error`, null or not.
    pub has_error_key: bool,
    /// It has a member `cost`, null or not.
    pub has_cost_key: bool,
    /// Its sample has `ideal`.
    pub has_ideal: bool,
    /// It has a member `reward`.
    pub has_reward: bool,
    /// It names the model by `model_handle` (0.22 and later).
    pub has_model_handle: bool,
}

/// What of the configuration tells the generation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ConfigTraits {
    /// There is a gate, and it has a `kind`.
    pub has_gate_kind: Option<bool>,
    /// The graders are one member `grader`.
    pub has_single_grader: bool,
    /// A summary states counts of passed samples.
    pub has_passed_counts: Option<bool>,
    /// A summary states `avg_score` (rather than over attempted and total).
    pub has_plain_avg: bool,
}

/// The generation of files with whole samples in their rows (0 – C2 and the guide).
pub fn of_wrapped(row: Traits, config: ConfigTraits) -> Generation {
    if row.has_ideal || config.has_single_grader {
        return Generation::Zero;
    }
    if row.has_error_key {
        return Generation::C2;
    }
    if row.has_cost_key {
        return Generation::C1;
    }
    let is_late = match (config.has_gate_kind, config.has_passed_counts) {
        (Some(has_kind), _) => has_kind,
        (None, Some(has_counts)) => !has_counts,
        (None, None) => false,
    };
    if is_late {
        Generation::C0
    } else if config.has_plain_avg {
        Generation::A
    } else {
        Generation::B
    }
}
