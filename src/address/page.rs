//! The pages, with their names and words.

use crate::report::{Target, Topic};

/// A page of the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Page {
    /// Verdict, headline numbers, tables.
    #[default]
    Overview,
    /// The table of cases, or one case of it.
    Cases,
    /// Policies, gates, weights, strategies, and what they change.
    Rules,
    /// Failures by what they have in common.
    Failures,
    /// Two sides or more, compared.
    Compare,
    /// Repeats, intervals, usage, timing.
    Statistics,
    /// Runs over time, checkpoints and repeats in order.
    Trends,
    /// Declared against computed.
    Audit,
    /// Files and notes.
    Notes,
    /// What the agents of runs did.
    Agent,
    /// How the columns of a table are read.
    Columns,
    /// Queries over everything that is open.
    Sql,
}

impl Page {
    /// All pages, in the order of the navigation.
    pub const ALL: [Self; 12] = [
        Self::Overview,
        Self::Cases,
        Self::Failures,
        Self::Compare,
        Self::Rules,
        Self::Statistics,
        Self::Trends,
        Self::Audit,
        Self::Notes,
        Self::Agent,
        Self::Columns,
        Self::Sql,
    ];

    /// Its name in the navigation.
    pub fn title(self) -> &'static str {
        match self {
            Self::Overview => "Overview",
            Self::Cases => "Cases",
            Self::Rules => "Policies & gates",
            Self::Failures => "Failures",
            Self::Compare => "Compare",
            Self::Statistics => "Statistics",
            Self::Trends => "Trends",
            Self::Audit => "Audit",
            Self::Notes => "Notes",
            Self::Agent => "Agent",
            Self::Columns => "Columns",
            Self::Sql => "SQL",
        }
    }

    /// The page that shows `topic`, and what it is about there.
    pub fn of_topic(topic: &Topic) -> (Self, Target) {
        match topic {
            Topic::Overview(target) => (Self::Overview, *target),
            Topic::Statistics(target) => (Self::Statistics, *target),
            Topic::Trends { target, .. } => (Self::Trends, *target),
            Topic::Failures(target) => (Self::Failures, *target),
            Topic::Audit { .. } => (Self::Audit, Target::All),
            Topic::Notes | Topic::NotesAlone => (Self::Notes, Target::All),
            Topic::How(how) => (Self::Overview, how.target()),
        }
    }

    /// The key that turns to it.
    pub fn key(self) -> &'static str {
        match self {
            Self::Overview => "1",
            Self::Cases => "2",
            Self::Failures => "3",
            Self::Compare => "c",
            Self::Rules => "4",
            Self::Statistics => "5",
            Self::Trends => "6",
            Self::Audit => "7",
            Self::Notes => "8",
            Self::Agent => "9",
            Self::Columns => "0",
            Self::Sql => "q",
        }
    }

    /// Its word in addresses.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Overview => "overview",
            Self::Cases => "cases",
            Self::Rules => "rules",
            Self::Failures => "failures",
            Self::Compare => "compare",
            Self::Statistics => "statistics",
            Self::Trends => "trends",
            Self::Audit => "audit",
            Self::Notes => "notes",
            Self::Agent => "agent",
            Self::Columns => "columns",
            Self::Sql => "sql",
        }
    }
}
