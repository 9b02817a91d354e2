//! Files of a run directory beside the evaluations: rows, summary, costs, settings, policy.
//!
//! Producer's definition: `metrics/checkpoint`, `metrics/summary`, `agent_runner` (run_info,
//! inference results). Fixtures: the run directories of `g1` and `g2/*`.

use super::lookup::{CheckpointRows, FolderDocuments};
pub(super) use super::quality_files::CheckpointQuality;
use super::quality_files::QualityFiles;
use super::{after_skill, role};
use crate::input::json::Cursor;
use crate::input::yaml;
use crate::input::{InputFile, each_record};
use crate::model::{NoteKind, Place};
use crate::readers::{Bundle, Claimed, Context, Error};
use serde_json::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Largest settings or summary document that is read.
const MAX_DOCUMENT: u64 = 16 << 20;

/// A document and where it lies.
#[derive(Debug)]
pub(super) struct Document {
    /// Its file.
    pub(super) path: Rc<str>,
    /// What it holds.
    pub(super) value: Value,
}

impl Document {
    /// The folder it lies in, `""` at the top.
    pub(super) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

/// What the files say.
#[derive(Debug, Default)]
pub(super) struct RunFiles {
    /// Lines of `checkpoint_results.jsonl`.
    pub(super) rows: CheckpointRows,
    /// Path of that file.
    pub(super) rows_path: Option<Rc<str>>,
    /// `result.json`.
    pub(super) result: Option<Document>,
    /// `config.yaml`.
    pub(super) config: Option<Document>,
    /// `run_info.yaml` of each problem.
    pub(super) run_infos: FolderDocuments,
    /// `problem.yaml` of each problem.
    pub(super) problems: FolderDocuments,
    /// `checkpoint.yaml` of each checkpoint.
    pub(super) checkpoints: FolderDocuments,
    /// `inference_result.json` of each checkpoint.
    pub(super) inferences: FolderDocuments,
    /// `trajectory_stats_before.json` of each checkpoint.
    pub(super) trajectories_before: FolderDocuments,
    /// `trajectory_stats_after.json` of each evaluation after a skill.
    pub(super) trajectories_after: FolderDocuments,
    /// Folders of evaluations after a skill, whatever of them is there.
    pub(super) skill_folders: BTreeSet<String>,
    /// `config.yaml` beside evaluations: types and weights of groups.
    pub(super) groups: Vec<Document>,
    /// Code quality of each checkpoint.
    pub(super) quality: QualityFiles,
}

impl RunFiles {
    /// Name of the model.
    pub(super) fn model(&self) -> Option<&str> {
        let config = self.config.as_ref().map(|config| &config.value);
        let named = config.and_then(|config| config.pointer("/model/name")).and_then(Value::as_str);
        named
            .or_else(|| config?.get("model")?.as_str())
            .or_else(|| self.result.as_ref()?.value.get("model")?.as_str())
    }
}

/// The files of `bundle` that [`read`] reads.
pub(super) fn of(bundle: &Bundle) -> impl Iterator<Item = &InputFile> {
    bundle.files.iter().filter(|claimed| is_read(claimed)).map(|claimed| &claimed.file)
}

/// Whether a file is read for the evaluation: not with its checkpoint, nor only when somebody looks at it.
fn is_read(claimed: &Claimed) -> bool {
    let role = claimed.claim.role;
    let is_of_checkpoint = matches!(
        role,
        role::EVALUATION_G1 | role::EVALUATION_G2 | role::REPORTS | role::PYTEST | role::CTRF
    );
    !is_of_checkpoint && !is_for_details(role)
}

/// Whether a file of such a role is read only when somebody looks at it.
pub(super) fn is_for_details(role: &str) -> bool {
    matches!(role, role::QUALITY | role::PYTEST_OUTPUT | role::PROMPT | role::AGENT_STREAM)
}

/// Reads all of them. Damage costs the file that has it.
///
/// # Errors
/// When the work is cancelled.
pub(super) async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<RunFiles, Error> {
    let mut files = RunFiles::default();
    for claimed in &bundle.files {
        if after_skill::is_in(claimed.file.folder()) {
            files.skill_folders.insert(claimed.file.folder().to_owned());
        }
        if is_read(claimed) {
            cx.pulse.set_file(&claimed.file.path);
        }
        match claimed.claim.role {
            role::ROWS | role::COMBINED_ROWS => {
                rows(claimed, cx, &mut files).await?;
                continue;
            }
            role::RESULT => keep(&mut files.result, json(claimed, cx), claimed, cx),
            role::CONFIG => keep(&mut files.config, settings(claimed, cx), claimed, cx),
            role::RUN_INFO => files.run_infos.extend(settings(claimed, cx)),
            role::PROBLEM => files.problems.extend(settings(claimed, cx)),
            role::CHECKPOINT => files.checkpoints.extend(settings(claimed, cx)),
            role::TRAJECTORY if claimed.file.name().contains("before") => {
                files.trajectories_before.extend(json(claimed, cx));
            }
            role::TRAJECTORY => files.trajectories_after.extend(json(claimed, cx)),
            role::GROUPS => files.groups.extend(settings(claimed, cx)),
            role::INFERENCE => files.inferences.extend(json(claimed, cx)),
            role::OVERALL_QUALITY => files.quality.overalls.extend(json(claimed, cx)),
            role::FILE_QUALITY => {
                files.quality.add_names(claimed, cx).await?;
                continue;
            }
            role::SYMBOLS => {
                files.quality.add_symbols(claimed, cx).await?;
                continue;
            }
            role::DIFF => files.quality.add_diff(claimed, cx),
            role::EMPTY => note_empty(claimed, cx),
            role::QUALITY | role::PYTEST_OUTPUT => {}
            _ => continue,
        }
        cx.pulse.advance(claimed.file.len()).await?;
    }
    Ok(files)
}

/// Names an empty file that ought to hold results; others (a diff, a log) may well be empty.
fn note_empty(claimed: &Claimed, cx: &Context<'_>) {
    const RESULTS: [&str; 5] = [
        "evaluation.json",
        "reports.parquet",
        "report.json",
        "checkpoint_results.jsonl",
        "result.json",
    ];
    if RESULTS.contains(&claimed.file.name()) {
        let detail = "the file is empty";
        cx.notes.add(&claimed.file.path, NoteKind::Truncated, Place::File, detail);
    }
}

/// Keeps the first document of its kind.
fn keep(slot: &mut Option<Document>, found: Option<Document>, claimed: &Claimed, cx: &Context<'_>) {
    if slot.is_some() {
        let detail = format!("a second {} of the same run is left out", claimed.claim.role);
        cx.notes.add(&claimed.file.path, NoteKind::Duplicate, Place::File, detail);
    } else {
        *slot = found;
    }
}

fn bytes(claimed: &Claimed, cx: &Context<'_>) -> Option<Vec<u8>> {
    let file = &claimed.file;
    if file.len() > MAX_DOCUMENT {
        let detail = format!("{} bytes are more than the limit of {MAX_DOCUMENT}", file.len());
        cx.notes.add(&file.path, NoteKind::Limit, Place::File, detail);
        return None;
    }
    let read = file.all_bytes();
    read.map_err(|err| {
        cx.notes.add(&file.path, err.note_kind(), Place::Byte(err.at()), err.to_string());
    })
    .ok()
}

fn json(claimed: &Claimed, cx: &Context<'_>) -> Option<Document> {
    let bytes = bytes(claimed, cx)?;
    let mut cursor = Cursor::new(&bytes);
    let tree = cursor.tree().and_then(|tree| cursor.end().map(|()| tree));
    let document = |value| Document { path: claimed.file.path.as_str().into(), value };
    tree.map(document)
        .map_err(|err| {
            let place = Place::Byte(err.at());
            cx.notes.add(&claimed.file.path, err.note_kind(), place, err.to_string());
        })
        .ok()
}

fn settings(claimed: &Claimed, cx: &Context<'_>) -> Option<Document> {
    let bytes = bytes(claimed, cx)?;
    let path = claimed.file.path.as_str();
    yaml::parse(&String::from_utf8_lossy(&bytes))
        .map(|value| Document { path: path.into(), value })
        .map_err(|err| {
            let place = Place::Line { line: err.line, byte: err.byte };
            cx.notes.add(path, NoteKind::Broken, place, err.to_string());
        })
        .ok()
}

async fn rows(claimed: &Claimed, cx: &Context<'_>, files: &mut RunFiles) -> Result<(), Error> {
    let path = &claimed.file.path;
    let mut found = Vec::new();
    let broken = |offset: u64, number: u64, err: &crate::input::Error| {
        let place = Place::Line { line: number, byte: offset };
        cx.notes.add(path, err.note_kind(), place, err.to_string());
    };
    let mut take = |record: crate::input::Record<'_>| {
        match Cursor::new(record.bytes).tree() {
            Ok(Value::Object(row)) => found.push(row),
            Ok(_) => {
                let place = Place::Line { line: record.number, byte: record.offset };
                cx.notes.add(path, NoteKind::Broken, place, "a line is no object");
            }
            Err(err) => broken(record.offset, record.number, &err),
        }
        Ok(())
    };
    let tail = each_record(
        &claimed.file,
        &claimed.shape,
        cx.pulse,
        &mut take,
        &mut |offset, number, err| {
            broken(offset, number, err);
        },
    )
    .await;
    match tail {
        Ok(tail) => {
            if let Some((byte, line, _)) = tail.cut {
                let place = Place::Line { line, byte };
                cx.notes.add(path, NoteKind::Truncated, place, "the last line is cut off");
            }
        }
        Err(err) if err.is_cancelled() => return Err(err.into()),
        Err(err) => {
            cx.notes.add(path, err.note_kind(), Place::Byte(err.at()), err.to_string());
        }
    }
    if claimed.claim.role == role::COMBINED_ROWS || files.rows_path.is_some() {
        let detail = "rows of several runs together are left out: each run has its own";
        cx.notes.add(path, NoteKind::Skipped, Place::File, detail);
        return Ok(());
    }
    files.rows_path = Some(path.as_str().into());
    files.rows = found.into();
    Ok(())
}
