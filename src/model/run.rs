//! A run: one subject on one part of a suite, once.

use super::better::Better;
use super::document::RunDocument;
use super::ids::SourceId;
use super::number;
use super::table::{CaseTable, CheckTable};
use super::words::{Kind, Outcome};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What makes a run itself and no other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RunKey {
    /// What was evaluated: problem, suite. `None` when no file says.
    pub suite: Option<String>,
    /// Which part of it: checkpoint.
    pub variant: Option<String>,
    /// Who was evaluated: model, agent.
    pub subject: Option<String>,
    /// Which repetition, 1-based.
    pub repeat: u32,
    /// Folder (or file) the run was read from, relative to what was dropped.
    pub path: String,
}

/// A named set of cases, as far as files describe it beyond its cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupInfo {
    /// Name.
    pub name: String,
    /// What it is for.
    pub kind: Option<Kind>,
    /// Wall-clock seconds.
    #[serde(with = "number::maybe")]
    pub duration_secs: Option<f64>,
    /// Weight in the weighted score that the files declare.
    #[serde(with = "number::maybe", default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// It came to its end, as far as is known.
    #[default]
    Complete,
    /// The subject ended in an error.
    Error,
    /// It was planned and did not run.
    NotRun,
}

/// What became of a run, as far as its files say more than its cases do.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunState {
    /// How it ended.
    pub ended: Ended,
    /// Text of its error, or why nothing was judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The variant that it evaluates again, after more was done to it (slop-code: the checkpoint
    /// before a skill worked on it).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again: Option<String>,
    /// Tools that the subject used, with the number of calls.
    #[serde(with = "number::named", skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<(String, f64)>,
    /// Passed and all cases by kind, as the files declare them of a run whose cases are not there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<(Kind, u64, u64)>,
}

/// Tokens and cost that are known of a run as a whole only, not by case (slop-code's agent).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunUsage {
    /// Tokens read by the model.
    #[serde(with = "number::maybe", skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<f64>,
    /// Tokens written by the model.
    #[serde(with = "number::maybe", skip_serializing_if = "Option::is_none")]
    pub completion_tokens: Option<f64>,
    /// Prompt tokens served from a cache.
    #[serde(with = "number::maybe", skip_serializing_if = "Option::is_none")]
    pub cached_input_tokens: Option<f64>,
    /// Prompt tokens written to a cache.
    #[serde(with = "number::maybe", skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<f64>,
    /// Completion tokens spent on reasoning.
    #[serde(with = "number::maybe", skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<f64>,
    /// Price in US dollars.
    #[serde(with = "number::maybe", skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Steps the agent took.
    #[serde(with = "number::maybe", skip_serializing_if = "Option::is_none")]
    pub n_steps: Option<f64>,
    /// Seconds the agent worked.
    #[serde(with = "number::maybe", skip_serializing_if = "Option::is_none")]
    pub agent_secs: Option<f64>,
}

/// One subject on one part of a suite, once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    /// Identity.
    pub key: RunKey,
    /// What a list shows.
    pub label: String,
    /// When it started, as the file writes it.
    pub started_at: Option<String>,
    /// Wall-clock seconds of the whole run.
    #[serde(with = "number::maybe")]
    pub duration_secs: Option<f64>,
    /// Tokens and cost of the run as a whole.
    pub usage: Option<RunUsage>,
    /// Whether the test runner itself failed; `None` where the producer does not say (slop-code
    /// says it from the pytest generation on).
    pub is_infrastructure_failure: Option<bool>,
    /// What became of it; `None`: the files say no more than its cases do.
    pub state: Option<RunState>,
    /// Which way the scores of its cases are better; `None`: the files do not say.
    pub score_better: Option<Better>,
    /// Groups in display order; empty ones included.
    pub groups: Vec<GroupInfo>,
    /// Cases.
    pub cases: CaseTable,
    /// Checks.
    pub checks: CheckTable,
    /// The sources it was read from.
    pub sources: Vec<SourceId>,
    /// Paths of the files that it was first read from, where it comes out of a report; else none.
    pub origins: Vec<String>,
    /// What the files hold beyond the cases, in the order in which it is shown.
    pub documents: Vec<RunDocument>,
    /// Cases by outcome, where they are still in the dataset and [`Run::cases`] has none; `None`: they are here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<Vec<(Outcome, u64)>>,
    pub(super) check_starts: Vec<u32>,
}

impl Run {
    /// Number of its cases, here or still in their dataset.
    pub fn n_cases(&self) -> u64 {
        match &self.unread {
            Some(counts) => counts.iter().map(|(_, n)| n).sum(),
            None => self.cases.len() as u64,
        }
    }

    /// How many of them came out so.
    pub fn n_with(&self, wanted: Outcome) -> u64 {
        match &self.unread {
            Some(counts) => counts.iter().filter(|(one, _)| *one == wanted).map(|(_, n)| n).sum(),
            None => self.cases.n_by_outcome().get(wanted.index()).copied().unwrap_or(0),
        }
    }

    /// Rows of [`Run::checks`] that belong to case `idx`.
    pub fn checks_of(&self, idx: usize) -> Range<usize> {
        let at =
            |idx: usize| self.check_starts.get(idx).map_or(self.checks.len(), |&at| at as usize);
        at(idx)..at(idx + 1)
    }

    /// How it ended.
    pub fn ended(&self) -> Ended {
        self.state.as_ref().map_or(Ended::Complete, |state| state.ended)
    }

    /// The variant that it evaluates again; `None`: it is no second evaluation.
    pub fn again(&self) -> Option<&str> {
        self.state.as_ref()?.again.as_deref()
    }

    /// Whether it has cases but no file says their groups, so that their kinds are unknown. (slop-code: a pytest report without
    /// an evaluation.json.)
    pub fn lacks_groups(&self) -> bool {
        !self.cases.is_empty()
            && self.groups.is_empty()
            && self.cases.group.array().is_none()
            && self.cases.kind.array().is_none()
    }

    /// Counts by kind that the files declare, where its cases are not among the files.
    pub fn declared_counts(&self) -> Option<&[(Kind, u64, u64)]> {
        let state = self.state.as_ref().filter(|_| self.cases.is_empty())?;
        (!state.counts.is_empty()).then_some(state.counts.as_slice())
    }
}
