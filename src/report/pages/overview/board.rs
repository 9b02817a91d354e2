//! What the page of an overview shows around its verdict and its headline numbers. Exported pages do without:
//! what their tables say is the same.

use super::rates::rates;
use super::runs_strip::strip;
use super::trust::marks;
use crate::model::Run;
use crate::report::pages::cases::runs_of;
use crate::report::pages::failures::top_failures;
use crate::report::{Cell, Link, Num, Outcome, Target};
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};

/// The parts, each empty where there is nothing to say.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Board {
    /// What the target lies in, from everything on.
    pub crumbs: Vec<(String, Link)>,
    /// The cases by outcome. The first headline number is about the same cases.
    pub tally: Vec<TallyPart>,
    /// How far the numbers can be relied on, a few words each.
    pub marks: Vec<TrustMark>,
    /// Checkpoints, repeats or evaluations side by side.
    pub strip: Option<RunStrip>,
    /// What most failures have in common.
    pub failures: Option<TopFailures>,
    /// Shares that pass, by kind or by metric.
    pub rates: Option<Rates>,
}

/// Cases with one outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TallyPart {
    /// The outcome.
    pub outcome: Outcome,
    /// How many; never none.
    pub n: u64,
    /// What shows them.
    pub link: Link,
}

/// One thing that speaks for or against the numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrustMark {
    /// What it is: `Every file was read`.
    pub words: String,
    /// Whether it speaks against them.
    pub is_warning: bool,
    /// What says more.
    pub link: Option<Link>,
}

/// Runs side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunStrip {
    /// What they are: `Checkpoints`.
    pub title: String,
    /// What the cells say.
    pub note: String,
    /// Rows, each of one problem or model.
    pub rows: Vec<StripRow>,
    /// Cells of the longest row.
    pub n_columns: usize,
    /// What is left out here: `3 more problems in the table below`.
    pub more: Option<String>,
}

/// One row of a strip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StripRow {
    /// What its cells have in common; empty where there is only one row.
    pub name: String,
    /// How many pass: `2 of 4 pass`.
    pub note: String,
    /// The runs in order.
    pub cells: Vec<StripCell>,
    /// Sums over the row: cases, cost, time.
    pub sums: Vec<Cell>,
}

/// One run, or one evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StripCell {
    /// Its name within the row.
    pub name: String,
    /// What opens it.
    pub link: Link,
    /// Its verdict.
    pub outcome: Outcome,
    /// What that holds for, where it is a part only: `so far`, `in 1 of 3 repeats`.
    pub aside: Option<String>,
    /// Its score.
    pub score: Cell,
    /// Its score less that of the cell before.
    pub change: Option<Num>,
    /// Cases that pass, of all; nothing where no rule says.
    pub passed: Option<Cell>,
    /// Its cases by outcome, without links.
    pub tally: Vec<(Outcome, u64)>,
    /// What decides it, where that is not the whole: `core 7 / 8`, and whether it holds.
    pub core: Option<(String, bool)>,
    /// What it cost.
    pub cost: Option<Cell>,
}

/// Failures that are alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TopFailures {
    /// Cases that failed or ended in an error.
    pub n_cases: u64,
    /// The largest groups, largest first.
    pub groups: Vec<FailureGroup>,
    /// Groups that are not shown, and their cases.
    pub n_more: Option<(u64, u64)>,
    /// Failures whose messages were not looked at, since reading all of them takes too long.
    pub n_unread: u64,
}

/// Failures with similar messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailureGroup {
    /// The message of its cases; where they have several, what differs is masked.
    pub message: String,
    /// How many.
    pub n_cases: u64,
    /// `Error` where all of them ended in one.
    pub outcome: Outcome,
    /// Where: the run, or how many.
    pub place: String,
    /// What shows them, or the first.
    pub link: Link,
}

/// Shares that pass, with Wilson's interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// By what: `Pass rate by kind`.
    pub title: String,
    /// One for each.
    pub rows: Vec<RateRow>,
}

/// A share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RateRow {
    /// Of what.
    pub name: String,
    /// Cases that pass.
    pub passed: u64,
    /// Of how many.
    pub total: u64,
    /// The share, and the ends of its interval, 0–1.
    pub rate: Num,
    /// Lower end.
    pub low: Num,
    /// Upper end.
    pub high: Num,
    /// What shows its cases.
    pub link: Option<Link>,
}

/// The parts of the overview of `target`.
pub fn board(workspace: &Workspace, target: Target) -> Board {
    Board {
        crumbs: crumbs(workspace, target),
        tally: tally(workspace, target),
        marks: marks(workspace, target),
        strip: strip(workspace, target),
        failures: top_failures(workspace, target),
        rates: rates(workspace, target),
    }
}

fn crumbs(workspace: &Workspace, target: Target) -> Vec<(String, Link)> {
    let all = ("Everything".to_owned(), Link::Target(Target::All));
    match target {
        Target::All => Vec::new(),
        // Of a single evaluation "everything" is the same once more.
        Target::Evaluation(_) if workspace.entries.len() < 2 => Vec::new(),
        Target::Evaluation(_) => vec![all],
        Target::Run(run) => {
            let entry = workspace.entry(run.evaluation);
            let own = entry.map(|entry| {
                let target = Target::Evaluation(entry.id);
                (entry.evaluation.label.clone(), Link::Target(target))
            });
            let all = (workspace.entries.len() > 1).then_some(all);
            all.into_iter().chain(own).collect()
        }
    }
}

/// Outcomes in the order in which they are shown.
const OUTCOMES: [Outcome; 6] = [
    Outcome::Passed,
    Outcome::Failed,
    Outcome::Error,
    Outcome::Skipped,
    Outcome::Scored,
    Outcome::Unscored,
];

/// The cases of `target` by outcome. Those of several producers are judged by different rules and make no sum;
/// a checkpoint that was evaluated again counts once.
fn tally(workspace: &Workspace, target: Target) -> Vec<TallyPart> {
    if !is_one_producer(workspace, target) {
        return Vec::new();
    }
    let runs = runs_of(workspace, target).into_iter().flatten().map(|(_, run)| run);
    let is_run = matches!(target, Target::Run(_));
    let counted: Vec<&Run> = runs.filter(|run| is_run || run.again().is_none()).collect();
    let found = by_outcome(counted.into_iter());
    let part = |(outcome, n): (Outcome, u64)| TallyPart {
        outcome,
        n,
        link: Link::Filter(format!("outcome:{}", outcome.as_str())),
    };
    found.into_iter().map(part).collect()
}

/// Whether everything in `target` is of one producer.
pub(super) fn is_one_producer(workspace: &Workspace, target: Target) -> bool {
    let mut producers = workspace.entries_of(target).map(|entry| &entry.evaluation.producer);
    let first = producers.next();
    producers.all(|producer| Some(producer) == first)
}

/// Cases of `runs` by outcome, without those of which there is none.
pub(super) fn by_outcome<'a>(runs: impl Iterator<Item = &'a Run>) -> Vec<(Outcome, u64)> {
    let mut counts = OUTCOMES.map(|outcome| (outcome, 0));
    for run in runs {
        for (outcome, n) in &mut counts {
            *n += run.n_with(*outcome);
        }
    }
    counts.into_iter().filter(|(_, n)| *n > 0).collect()
}
