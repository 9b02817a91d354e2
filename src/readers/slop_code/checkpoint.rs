//! One checkpoint folder becomes one run: cases, checks, groups, and what the files declare.
//!
//! What both generations share is here; `checkpoint_g1` and `checkpoint_g2` read the cases.

use super::bundle::CheckpointFiles;
use super::declared::FigureSheet;
use super::{after_skill, checkpoint_g1, checkpoint_g2, role};
use crate::model::word::{self, Word};
use crate::model::{Kind, NoteKind, Place, Run, RunBuilder, RunKey};
use crate::readers::{Claimed, Context, Error};
use serde::{Deserialize, Serialize};

/// A checkpoint as read.
#[derive(Serialize, Deserialize)]
pub(super) struct Built {
    /// Its run.
    pub(super) run: Run,
    /// What its files state; scopes are filled in when the run has its number.
    pub(super) sheet: FigureSheet,
    /// Generation.
    #[serde(with = "word")]
    pub(super) generation: Word,
    /// Version of the problem.
    pub(super) version: Option<f64>,
    /// Folder of the evaluation.
    pub(super) folder: String,
    /// Name of the checkpoint, also of one that is evaluated again.
    pub(super) checkpoint: String,
    /// Folder of the checkpoint.
    pub(super) home: String,
    /// Whether an evaluation or a report was read.
    pub(super) is_evaluated: bool,
    /// Whether its evaluation was read whole: its run has all groups then.
    pub(super) has_all_groups: bool,
}

impl Built {
    pub(super) fn new(
        mut run: Run,
        sheet: FigureSheet,
        generation: &'static str,
        version: Option<f64>,
        unit: &CheckpointFiles,
    ) -> Self {
        let checkpoint = run.key.variant.clone().unwrap_or_default();
        let home = unit.home();
        if unit.is_after_skill {
            after_skill::name(&mut run, &checkpoint);
        }
        Self {
            run,
            sheet,
            generation,
            version,
            folder: unit.folder.clone(),
            checkpoint,
            home: home.to_owned(),
            is_evaluated: true,
            has_all_groups: unit.evaluation.is_some(),
        }
    }

    /// Whether it is a checkpoint evaluated again after a skill.
    pub(super) fn is_again(&self) -> bool {
        self.is_evaluated && self.folder != self.home
    }
}

/// Reads one checkpoint. Its run is of no subject yet: its own files do not say.
///
/// # Errors
/// When the work is cancelled, or nothing of it can be read.
pub(super) async fn read(unit: &CheckpointFiles, cx: &Context<'_>) -> Result<Built, Error> {
    match &unit.evaluation {
        Some(file) if file.claim.role == role::EVALUATION_G2 => {
            checkpoint_g2::read(unit, Some(file), cx).await
        }
        None if unit.reports.is_none() => checkpoint_g2::read(unit, None, cx).await,
        evaluation => checkpoint_g1::read(unit, evaluation.as_deref(), cx).await,
    }
}

/// Bytes of an evaluation file; a note, and nothing, when it cannot be read.
pub(super) fn evaluation_bytes(claimed: &Claimed, cx: &Context<'_>) -> Vec<u8> {
    cx.pulse.set_file(&claimed.file.path);
    claimed.file.all_bytes().unwrap_or_else(|err| {
        let place = Place::Byte(err.at());
        cx.notes.add(&claimed.file.path, err.note_kind(), place, err.to_string());
        Vec::new()
    })
}

pub(super) fn note_cut(claimed: &Claimed, cut: Option<&crate::input::Error>, cx: &Context<'_>) {
    if let Some(err) = cut {
        let detail = format!("{}; what comes before is used", err.reason());
        cx.notes.add(&claimed.file.path, NoteKind::Truncated, Place::Byte(err.at()), detail);
    }
}

/// Names the bytes at which something is of another type than it should be, and is left out.
pub(super) fn note_strangers(claimed: &Claimed, at: &[usize], what: &str, cx: &Context<'_>) {
    for byte in at {
        cx.notes.add(&claimed.file.path, NoteKind::Broken, Place::Byte(*byte as u64), what);
    }
}

/// Key of a run; names that no file gives are taken from the folders.
pub(super) fn key(
    unit: &CheckpointFiles,
    problem: Option<String>,
    checkpoint: Option<String>,
    cx: &Context<'_>,
) -> RunKey {
    let mut parts = unit.home().rsplit('/').filter(|part| !part.is_empty());
    let (last, before) = (parts.next(), parts.next());
    if problem.is_none() || checkpoint.is_none() {
        let detail = "problem and checkpoint are named after the folders: no file says";
        cx.notes.add(unit.path(), NoteKind::Assumed, Place::File, detail);
    }
    RunKey {
        suite: problem.or_else(|| before.map(str::to_owned)),
        variant: checkpoint.or_else(|| last.map(str::to_owned)),
        subject: None,
        repeat: 1,
        path: unit.path().to_owned(),
    }
}

pub(super) fn builder(key: RunKey, unit: &CheckpointFiles) -> RunBuilder {
    let named = [key.suite.as_deref(), key.variant.as_deref()];
    let label = named.into_iter().flatten().collect::<Vec<_>>().join(" / ");
    let mut builder = RunBuilder::new(key, label);
    for claimed in unit.files() {
        builder.source(claimed.file.id);
    }
    builder
}

pub(super) fn kind(word: Option<&str>, path: &str, cx: &Context<'_>) -> Option<Kind> {
    let word = word?;
    let kind = Kind::from_text(word);
    if kind.is_none() {
        let detail = format!("the group type {word:?} is unknown");
        cx.notes.add(path, NoteKind::Unknown, Place::File, detail);
    }
    kind
}
