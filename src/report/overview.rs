//! The first page about a run, an evaluation or everything.

use super::workspace::Workspace;
use super::{Cell, Outcome, Settings, Table, Target};
use serde::{Deserialize, Serialize};

/// Verdict, headline numbers, tables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    /// What it is about.
    pub target: Target,
    /// Its name.
    pub title: String,
    /// Producer, generation, path, start: short words in reading order.
    pub facts: Vec<String>,
    /// The verdict; `None` when no rule applies.
    pub verdict: Option<VerdictView>,
    /// Numbers to be seen first, most important first.
    pub headlines: Vec<Headline>,
    /// Tables in reading order.
    pub tables: Vec<Table>,
    /// Declared figures about it that agree with the computed ones.
    pub n_agreeing: u64,
    /// Declared figures about it that differ.
    pub n_differing: u64,
    /// Why there is nothing to show, when there is nothing.
    pub empty: Option<String>,
}

/// A verdict with its rule and reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VerdictView {
    /// Verdict.
    pub outcome: Outcome,
    /// The rule in words: `policy core-cases`, `gate accuracy avg_score ≥ 0.75`.
    pub rule: String,
    /// Why.
    pub reason: String,
    /// What the file recorded, when it recorded something else.
    pub declared: Option<String>,
}

/// One number to be seen first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Headline {
    /// What it is.
    pub label: String,
    /// The number.
    pub value: Cell,
    /// Its interval or a second number: `95 % 0.41 – 0.78`.
    pub note: Option<Cell>,
    /// Definition, for a tooltip.
    pub hint: Option<String>,
}

/// The overview of `target`; `None` when it is not (or no longer) there.
pub fn overview(workspace: &Workspace, target: Target, settings: &Settings) -> Option<Overview> {
    let _ = (workspace, target, settings);
    None
}
