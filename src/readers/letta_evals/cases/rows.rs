//! What a file of rows gives: runs, sums, how often samples come again, where its records lie.

use crate::model::{Place, Run};
use crate::readers::letta_evals::grouping::sums::Sums;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a file of rows gives.
pub struct LettaRows {
    /// Runs that stand in the file before the last one, with the sums of each.
    pub earlier: Vec<(Vec<Run>, Sums)>,
    /// How often samples come again in a run.
    pub again: Again,
    /// Runs, one per subject, in the order of first appearance; at least one row each.
    pub runs: Vec<Run>,
    /// What the file adds up to.
    pub sums: Sums,
    /// The summary that stands among the rows (0.2).
    pub summary: Option<Map<String, Value>>,
}

/// How often samples come again in a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    /// Rows of a sample that had one before.
    pub n_rows: u64,
    /// Rows from the first of them on.
    pub n_since: u64,
    /// Samples.
    pub n_samples: u64,
}

impl Again {
    /// Counts a row; `is_again`: its sample had one before.
    pub fn count(&mut self, is_again: bool) {
        self.n_rows += u64::from(is_again);
        self.n_since += u64::from(self.n_rows > 0);
    }
}

/// How the rows of a file are told apart into runs that were appended one after the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Appended {
    /// Number of the row (0-based) with which the last run begins, where that is known.
    pub last_from: Option<u64>,
}

/// How the places of records are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordPlaces {
    /// By line.
    Lines,
    /// By index in the list of this name; empty: the file is the list.
    Elements(&'static str),
}

impl RecordPlaces {
    /// The place of record `number`, which begins at `byte`.
    pub fn of(self, number: u64, byte: u64) -> Place {
        match self {
            Self::Lines => Place::Line { line: number, byte },
            Self::Elements(list) => Place::Field(format!("{list}[{number}], byte {byte}")),
        }
    }

    /// What stands for the id of record `number` that has none.
    pub fn id(self, number: u64) -> String {
        match self {
            Self::Lines => format!("line {number}"),
            Self::Elements(_) => format!("element {number}"),
        }
    }
}

/// The note about a sample that comes again.
pub const AGAIN: &str = "a sample has more than one row of the same model and run";

/// The note about a row whose sample the suite does not have.
pub fn no_sample(id: &str) -> String {
    format!("the suite has no sample {id:?}")
}
