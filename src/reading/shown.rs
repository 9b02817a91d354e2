//! A case as it is sent to its page: plain data.

use super::piece::{Piece, Way};
use crate::report::{Num, Outcome};
use serde::{Deserialize, Serialize};

/// A case as its page shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum CaseShown {
    /// The case.
    Case(Box<CasePage>),
    /// What is said in place of a case that its run does not have.
    Lost(NoCase),
}

/// A case that is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoCase {
    /// What was asked for: `“id”`, `number 3`.
    pub what: String,
    /// Evaluation and run that are open.
    pub labels: [String; 2],
    /// The address of the cases of the run.
    pub cases: String,
}

/// A case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CasePage {
    /// Its key in its run.
    pub key: String,
    /// Its id.
    pub id: String,
    /// Evaluation and run, each with its address.
    pub crumbs: [(String, String); 2],
    /// How it came out.
    pub outcome: Outcome,
    /// Outcome and what decided it, in one line.
    pub verdict: String,
    /// The rule by which it passed or failed.
    pub rule: Option<String>,
    /// Its score, and the address of what it is made of.
    pub score: Option<(String, String)>,
    /// Why it has no score.
    pub score_reason: Option<String>,
    /// What it is: group, variant, kind.
    pub facts: Vec<FactShown>,
    /// What it took: attempts, time, tokens, cost.
    pub usage: Vec<FactShown>,
    /// The same case elsewhere.
    pub elsewhere: Vec<ElsewhereShown>,
    /// Its sections in the order of their links.
    pub sections: Vec<SectionShown>,
    /// What leads to the part that the address names.
    pub spot: Option<Way>,
}

/// Something with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactShown {
    /// The name.
    pub label: String,
    /// What it says.
    pub value: String,
    /// The same as it is written, where it is shown with fewer digits.
    pub written: Option<String>,
}

/// The same case in another run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElsewhereShown {
    /// Whether it is the run before.
    pub is_before: bool,
    /// The run, with its evaluation where that is another one.
    pub label: String,
    /// How it came out there.
    pub outcome: Outcome,
    /// Its score there.
    pub score: Option<Num>,
    /// Its address.
    pub address: String,
    /// The address of both, case against case.
    pub compared: String,
}

/// Where a section stands where there is room for two columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ColumnSide {
    /// In the wide one.
    Main,
    /// Beside it.
    Aside,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SectionShown {
    /// Its word in addresses.
    pub word: String,
    /// Its title.
    pub title: String,
    /// How many things are in it, where that is said.
    pub n: Option<u64>,
    /// Where it stands.
    pub side: ColumnSide,
    /// What is in it.
    pub body: Vec<Piece>,
}

impl SectionShown {
    /// Id of its heading.
    pub fn id(&self) -> String {
        format!("s-{}", self.word)
    }
}
