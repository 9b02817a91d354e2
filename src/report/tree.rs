//! The workspace as a list shows it: evaluations, their runs, the files.

use super::workspace::Workspace;
use super::{Note, Num, Outcome, Settings};
use serde::{Deserialize, Serialize};

/// A run in the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RunRef {
    /// Evaluation; a number never used twice in a session.
    pub evaluation: u32,
    /// Run, 0-based within the evaluation.
    pub run: u32,
}

/// What a page is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
pub enum Target {
    /// Everything that is loaded.
    #[default]
    All,
    /// One evaluation.
    Evaluation(u32),
    /// One run.
    Run(RunRef),
}

/// All evaluations.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// In the order in which they were opened.
    pub evaluations: Vec<EvaluationNode>,
    /// Runs in all.
    pub n_runs: u64,
    /// Cases in all.
    pub n_cases: u64,
    /// Files that were opened.
    pub n_files: u64,
    /// Notes in all.
    pub n_notes: u64,
    /// Of these, about something lost.
    pub n_losses: u64,
    /// Declared figures that differ from the computed ones.
    pub n_differences: u64,
}

/// One evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvaluationNode {
    /// Number in the session.
    pub id: u32,
    /// Name.
    pub label: String,
    /// Producer.
    pub producer: String,
    /// Generation of the producer's format.
    pub generation: String,
    /// Folder or file.
    pub path: String,
    /// Verdict; `Unscored` when no rule gives one.
    pub outcome: Outcome,
    /// Score.
    pub score: Option<Num>,
    /// Notes about it.
    pub n_notes: u64,
    /// Its runs.
    pub runs: Vec<RunNode>,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunNode {
    /// Which.
    pub run: RunRef,
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
    /// Verdict; `Unscored` when no rule gives one.
    pub outcome: Outcome,
    /// Score.
    pub score: Option<Num>,
    /// Passed cases.
    pub n_passed: u64,
    /// Cases.
    pub n_cases: u64,
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
pub fn tree(workspace: &Workspace, settings: &Settings) -> Tree {
    let _ = (workspace, settings);
    Tree::default()
}

/// What each file was taken for, and every note.
pub fn files(workspace: &Workspace) -> FilesReport {
    let _ = workspace;
    FilesReport::default()
}
