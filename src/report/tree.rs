//! The workspace as a list shows it: evaluations, their runs, the files.

use super::declared;
use super::flips::flip_counts;
use super::pages::audit::DeclaredAgreement;
use super::pages::columns::{ColumnsState, OfferedTable, columns_state, offered};
use super::{Note, Num, Outcome, RunRef, Target, caveats, run_state};
use crate::figures::Judgement;
use crate::figures::{AggregateFigures, Figures, RunFigures};
use crate::readers::Claimed;
use crate::scoring::{Counts, Totals};
use crate::workspace::{Entry, Workspace};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// All evaluations.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// In the order in which they were opened.
    pub evaluations: Vec<EvaluationNode>,
    /// Runs in all.
    pub n_runs: u64,
    /// Cases in all.
    pub n_cases: u64,
    /// Documents of runs: what agents did, changed, were told.
    pub n_documents: u64,
    /// Files that were opened.
    pub n_files: u64,
    /// Notes in all, except for files left out on purpose.
    pub n_notes: u64,
    /// Of these, about something lost.
    pub n_losses: u64,
    /// Declared figures that differ from the computed ones for no known cause.
    pub n_differences: u64,
    /// Rules that differ from the declared ones, and what they change.
    pub rules: ChangedRules,
    /// Tables that nobody claims, since no column looks like a result.
    pub tables: Vec<OfferedTable>,
}

impl Tree {
    /// Cases of `target`.
    pub fn n_cases_of(&self, target: Target) -> u64 {
        self.runs_of(target).map(|run| run.n_cases).sum()
    }

    /// Cases of `target` that failed or ended in an error.
    pub fn n_failures_of(&self, target: Target) -> u64 {
        self.runs_of(target).map(|run| run.n_failures).sum()
    }

    fn runs_of(&self, target: Target) -> impl Iterator<Item = &RunNode> {
        let runs = self.evaluations.iter().flat_map(|node| &node.runs);
        runs.filter(move |node| match target {
            Target::All => true,
            Target::Evaluation(id) => node.run.evaluation == id,
            Target::Run(run) => node.run == run,
        })
    }
}

/// Rules that differ from the declared ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedRules {
    /// One phrase each: `policy all-cases`, `errors count as 0`.
    pub changes: Vec<String>,
    /// Rules that were asked for and not understood, and why.
    pub complaints: Vec<String>,
    /// Evaluations, repeats and runs whose verdict changes.
    pub n_verdicts: u64,
    /// Groups that do.
    pub n_groups: u64,
    /// Cases that do.
    pub n_cases: u64,
}

/// One evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvaluationNode {
    /// Number in the session.
    pub id: u32,
    /// What it is called in addresses.
    pub key: String,
    /// Name.
    pub label: String,
    /// Producer.
    pub producer: String,
    /// Generation of the producer's format.
    pub generation: String,
    /// Folder or file.
    pub path: String,
    /// Verdict; `Scored` or `Unscored` when no rule gives one.
    pub outcome: Outcome,
    /// Whether the verdict is about a part of what was planned.
    pub is_so_far: bool,
    /// What it holds for, where that is a part only: `in 1 of 3 repeats`.
    pub in_part: Option<String>,
    /// Score. The page gets it in words.
    #[serde(skip)]
    pub score: Option<Num>,
    /// The score as it is shown; empty where no verdict and no score is known.
    pub score_words: String,
    /// Whether the score is what the files declare, since their cases are not there.
    pub is_declared: bool,
    /// Notes about it, except for files left out on purpose.
    pub n_notes: u64,
    /// Who says how its columns are read. `None`: it was read from no table.
    pub columns: Option<ColumnsState>,
    /// Its runs.
    pub runs: Vec<RunNode>,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunNode {
    /// Which.
    pub run: RunRef,
    /// What it is called in addresses, within its evaluation.
    pub key: String,
    /// Name within its evaluation.
    pub label: String,
    /// What was evaluated.
    pub suite: Option<String>,
    /// Which part.
    pub variant: Option<String>,
    /// Who.
    pub subject: Option<String>,
    /// Repetition, 1-based.
    pub repeat: u32,
    /// Verdict; `Scored` or `Unscored` when no rule gives one.
    pub outcome: Outcome,
    /// Whether the verdict is about a part of what was planned.
    pub is_so_far: bool,
    /// Score. The page gets it in words.
    #[serde(skip)]
    pub score: Option<Num>,
    /// The score as it is shown; what became of the run where it has none.
    pub score_words: String,
    /// Passed cases. `None`: no rule says what passes.
    pub n_passed: Option<u64>,
    /// Cases.
    pub n_cases: u64,
    /// Of these, failed or ended in an error.
    pub n_failures: u64,
}

/// What each file was taken for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FilesReport {
    /// Files that a reader claimed.
    pub files: Vec<FileLine>,
    /// Notes of every file, losses first.
    pub notes: Vec<Note>,
}

/// One claimed file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileLine {
    /// Path relative to what was dropped.
    pub path: String,
    /// Bytes (unwrapped).
    pub n_bytes: u64,
    /// Reader.
    pub reader: String,
    /// What it was taken for.
    pub role: String,
    /// Why.
    pub why: String,
}

/// The list of everything loaded.
pub fn tree(workspace: &Workspace) -> Tree {
    let evaluations: Vec<EvaluationNode> = workspace.entries.iter().map(evaluation_node).collect();
    let notes = workspace.all_notes();
    let flips = flip_counts(workspace);
    Tree {
        rules: ChangedRules {
            changes: workspace.settings.changes(),
            complaints: workspace.complaints.clone(),
            n_verdicts: flips.verdicts,
            n_groups: flips.groups,
            n_cases: flips.cases,
        },
        n_runs: evaluations.iter().map(|node| node.runs.len() as u64).sum(),
        n_cases: evaluations.iter().flat_map(|node| &node.runs).map(|run| run.n_cases).sum(),
        n_documents: runs_of(workspace).map(|run| run.documents.len() as u64).sum(),
        n_files: workspace.n_files,
        n_notes: n_notes(notes.iter().copied()),
        n_losses: notes.iter().filter(|note| note.kind.is_loss()).map(|note| note.count).sum(),
        n_differences: DeclaredAgreement::of(workspace.entries.iter()).n_differing,
        evaluations,
        tables: offered(workspace),
    }
}

fn runs_of(workspace: &Workspace) -> impl Iterator<Item = &crate::model::Run> {
    workspace.entries.iter().flat_map(|entry| &entry.evaluation.runs)
}

fn evaluation_node(entry: &Entry) -> EvaluationNode {
    let evaluation = &entry.evaluation;
    EvaluationNode {
        id: entry.id,
        key: entry.key.clone(),
        label: evaluation.label.clone(),
        producer: evaluation.producer.to_string(),
        generation: evaluation.generation.clone(),
        path: evaluation.path.clone(),
        outcome: outcome_of(entry.figures.verdict.as_ref(), evaluation_score(entry)),
        is_so_far: caveats::of_evaluation(entry).is_some(),
        in_part: caveats::in_part_words(entry),
        score: evaluation_score(entry).or_else(|| declared::score_of(entry)),
        score_words: String::new(),
        is_declared: entry.is_declared_only(),
        n_notes: n_notes(entry.notes.iter()),
        columns: evaluation.config.mapping.as_ref().map(|own| columns_state(entry, own)),
        runs: (0..evaluation.runs.len()).filter_map(|idx| run_node(entry, idx)).collect(),
    }
}

/// Notes that matter, each as often as it holds.
fn n_notes<'a>(notes: impl Iterator<Item = &'a Note>) -> u64 {
    notes.filter(|note| note.kind.matters()).map(|note| note.count).sum()
}

fn run_node(entry: &Entry, idx: usize) -> Option<RunNode> {
    let run = entry.evaluation.runs.get(idx)?;
    let figures = entry.figures.runs.get(idx)?;
    Some(RunNode {
        run: RunRef { evaluation: entry.id, run: u32::try_from(idx).ok()? },
        key: entry.run_name(idx).unwrap_or_default().to_owned(),
        label: run.label.clone(),
        suite: run.key.suite.clone(),
        variant: run.key.variant.clone(),
        subject: run.key.subject.clone(),
        repeat: run.key.repeat,
        outcome: outcome_of(figures.verdict.as_ref(), run_score(figures)),
        is_so_far: caveats::of_run(entry, idx).is_some(),
        score: run_score(figures),
        score_words: run_state::word_of(run, outcome_of(figures.verdict.as_ref(), None))
            .unwrap_or_default()
            .to_owned(),
        // Only cases that are there: a declared count lists none.
        n_passed: figures.totals.counts.passed.filter(|_| run.n_cases() > 0),
        n_cases: run.n_cases(),
        n_failures: n_failures(run, &figures.totals.counts),
    })
}

/// Cases that failed or ended in an error, by the rules in force.
fn n_failures(run: &crate::model::Run, counts: &Counts) -> u64 {
    // Only cases that are there: a declared count lists none.
    if run.n_cases() == 0 { 0 } else { counts.failed.unwrap_or(0) + counts.error }
}

fn outcome_of(verdict: Option<&Judgement>, score: Option<Num>) -> Outcome {
    let without = || Outcome::without_rule(score.map(|score| score.0));
    verdict.map_or_else(without, |verdict| verdict.outcome)
}

/// The score that stands for a run: weighted mean of groups where there are groups, else the reward,
/// else the mean over attempted cases.
pub(crate) fn run_score(figures: &RunFigures) -> Option<Num> {
    score_of_totals(&figures.totals)
}

/// The same of several runs together.
pub(super) fn score_of_totals(totals: &Totals) -> Option<Num> {
    let score = &totals.score;
    if score.mean_of_groups.is_some() {
        // Groups have scores, so theirs is the score: undefined when all weights are 0.
        return score.weighted;
    }
    match &score.under_rules {
        Some(under_rules) => under_rules.mean,
        None => totals.reward.or(score.mean_attempted),
    }
}

/// The score that stands for an evaluation: the mean over repeats, or over checkpoints.
pub(super) fn evaluation_score(entry: &Entry) -> Option<Num> {
    score_of(entry, &entry.figures)
}

/// The same by `figures`, which are those in force or those by the declared rules.
pub(super) fn score_of(entry: &Entry, figures: &Figures) -> Option<Num> {
    if entry.evaluation.config.has_policies {
        let runs = entry.evaluation.runs.iter().zip(&figures.runs);
        let first = runs.filter(|(run, _)| run.again().is_none());
        let scores = first.filter_map(|(_, run)| run_score(run)).map(|score| score.0);
        return crate::stats::mean(scores).map(Num);
    }
    match (&figures.aggregate, figures.repeats.first()) {
        (Some(AggregateFigures { spread, .. }), _) => {
            spread.under_rules.as_ref().or(spread.reward.as_ref()).unwrap_or(&spread.score).mean
        }
        (None, Some(only)) => score_of_totals(&only.totals),
        (None, None) => None,
    }
}

/// What each file was taken for, and every note.
pub fn files(workspace: &Workspace) -> FilesReport {
    let line = |(reader, claimed): &(&str, Rc<Claimed>)| FileLine {
        path: claimed.file.path.clone(),
        n_bytes: claimed.file.len(),
        reader: (*reader).to_owned(),
        role: claimed.claim.role.to_owned(),
        why: claimed.claim.why.to_owned(),
    };
    FilesReport {
        files: workspace.claims.iter().map(line).collect(),
        notes: workspace.all_notes().into_iter().cloned().collect(),
    }
}
