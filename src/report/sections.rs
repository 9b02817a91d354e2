//! Pages that are made of tables alone.

use super::workspace::Workspace;
use super::{RunRef, Table, Target, failures, how, statistics};
use serde::{Deserialize, Serialize};

/// What such a page is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Topic {
    /// Repeats, intervals, consistency, usage, timing.
    Statistics(Target),
    /// Failures by kind, group, metric, category, and by the shape of their message.
    Failures(Target),
    /// How a score was made.
    How(How),
}

/// A score that can be taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
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

impl How {
    /// The evaluation or run that it lies in.
    pub fn target(self) -> Target {
        match self {
            Self::Evaluation(id) => Target::Evaluation(id),
            Self::Run(run) | Self::Group { run, .. } | Self::Case { run, .. } => Target::Run(run),
        }
    }
}

/// A page of tables.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Sections {
    /// What it shows.
    pub title: String,
    /// Of what: names in reading order.
    pub facts: Vec<String>,
    /// Parts in reading order.
    pub sections: Vec<Section>,
    /// Why there is nothing to show, when there is nothing.
    pub empty: Option<String>,
}

/// A part of a page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// What it shows.
    pub title: String,
    /// What it means, which definition, what is left out.
    pub lead: Option<String>,
    /// Tables in reading order.
    pub tables: Vec<Table>,
}

/// The page about `topic`; `None` when it is not (or no longer) there.
pub fn sections(workspace: &Workspace, topic: Topic) -> Option<Sections> {
    match topic {
        Topic::Statistics(target) => statistics::statistics(workspace, target),
        Topic::Failures(target) => failures::failures(workspace, target),
        Topic::How(how) => how::how(workspace, how),
    }
}
