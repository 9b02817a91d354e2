//! What `quality_analysis/` and `diff.json` of the checkpoints say, as far as rows repeat it.
//!
//! Producer's definition: `metrics/models.py`, `execution/snapshot.py`. Damage and size cost nothing
//! but the comparison: these files give no result of their own.

use super::lookup::FolderDocuments;
use super::run_files::Document;
use crate::input::json::Cursor;
use crate::input::{Record, Tail, each_line};
use crate::model::{NoteKind, Place};
use crate::readers::{Claimed, Context, Error};
use std::collections::{HashMap, HashSet};

/// Largest file that is looked into.
const MAX_FILE: u64 = 64 << 20;

/// Files of all checkpoints, by folder.
#[derive(Debug, Default)]
pub(super) struct QualityFiles {
    /// `overall_quality.json`.
    pub(super) overalls: FolderDocuments,
    /// Sums over the functions of `symbols.jsonl`.
    symbols: HashMap<String, Symbols>,
    /// Names in `files.jsonl`.
    names: HashMap<String, HashSet<String>>,
    /// Added and removed lines of `diff.json`, by file.
    diffs: HashMap<String, Vec<(String, f64, f64)>>,
}

/// What there is about one checkpoint.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct CheckpointQuality<'a> {
    /// `overall_quality.json`.
    pub(super) overall: Option<&'a Document>,
    /// Sums over functions.
    pub(super) symbols: Option<&'a Symbols>,
    /// Added and removed lines of the files that were analysed.
    pub(super) changed: Option<(f64, f64)>,
    /// Whether `diff.json` names no file: nothing changed, or it lost what was in it.
    pub(super) is_diff_empty: bool,
}

/// Sums over the functions and methods of a checkpoint.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    n_functions: u32,
    lines: f64,
    /// Comparisons in them.
    pub(super) comparisons: f64,
    /// `try` blocks in them.
    pub(super) try_scaffold: f64,
}

impl Symbols {
    /// Mean lines of a function; 0 without one, as the original has it.
    pub(super) fn mean_lines(&self) -> f64 {
        if self.n_functions == 0 { 0.0 } else { self.lines / f64::from(self.n_functions) }
    }
}

impl QualityFiles {
    /// What there is about the checkpoint in `folder`.
    pub(super) fn of(&self, folder: &str) -> CheckpointQuality<'_> {
        let below = if folder.is_empty() {
            "quality_analysis".to_owned()
        } else {
            format!("{folder}/quality_analysis")
        };
        let overall = self.overalls.in_folder(&below);
        let changed = self.names.get(&below).zip(self.diffs.get(folder)).map(|(names, diff)| {
            let known = diff.iter().filter(|(name, ..)| names.contains(name));
            known.fold((0.0, 0.0), |sum, (_, added, removed)| (sum.0 + added, sum.1 + removed))
        });
        let is_diff_empty = self.diffs.get(folder).is_some_and(Vec::is_empty);
        CheckpointQuality { overall, symbols: self.symbols.get(&below), changed, is_diff_empty }
    }

    /// Takes in `symbols.jsonl`.
    ///
    /// # Errors
    /// When the work is cancelled.
    pub(super) async fn add_symbols(
        &mut self,
        claimed: &Claimed,
        cx: &Context<'_>,
    ) -> Result<(), Error> {
        let mut sums = Symbols::default();
        let is_whole = lines(claimed, cx, &mut |bytes| {
            let (mut is_function, mut found) = (false, [0.0; 3]);
            Cursor::new(bytes).each_field(|key, cursor| {
                match key {
                    "type" => {
                        let word = cursor.text()?;
                        is_function = matches!(word.as_deref(), Some("function" | "method"));
                    }
                    "lines" => found[0] = cursor.number()?.unwrap_or(0.0),
                    "comparisons" => found[1] = cursor.number()?.unwrap_or(0.0),
                    "exception_scaffold" => found[2] = cursor.number()?.unwrap_or(0.0),
                    _ => {
                        cursor.skip()?;
                    }
                }
                Ok(())
            })?;
            if is_function {
                sums.n_functions += 1;
                sums.lines += found[0];
                sums.comparisons += found[1];
                sums.try_scaffold += found[2];
            }
            Ok(())
        })
        .await?;
        // Sums over some of the lines would differ from the declared ones.
        if is_whole {
            self.symbols.insert(claimed.file.folder().to_owned(), sums);
        }
        Ok(())
    }

    /// Takes in `files.jsonl`.
    ///
    /// # Errors
    /// When the work is cancelled.
    pub(super) async fn add_names(
        &mut self,
        claimed: &Claimed,
        cx: &Context<'_>,
    ) -> Result<(), Error> {
        let mut names = HashSet::new();
        let is_whole = lines(claimed, cx, &mut |bytes| {
            Cursor::new(bytes).each_field(|key, cursor| {
                if key != "file_path" {
                    cursor.skip()?;
                } else if let Some(name) = cursor.text()? {
                    names.insert(name.into_owned());
                }
                Ok(())
            })?;
            Ok(())
        })
        .await?;
        if is_whole {
            self.names.insert(claimed.file.folder().to_owned(), names);
        }
        Ok(())
    }

    /// Takes in `diff.json`; one without a byte changes nothing.
    pub(super) fn add_diff(&mut self, claimed: &Claimed, cx: &Context<'_>) {
        if claimed.file.len() > MAX_FILE {
            return;
        }
        let lost = |err: &crate::input::Error| {
            let place = Place::Byte(err.at());
            cx.notes.add(&claimed.file.path, err.note_kind(), place, err.to_string());
        };
        let bytes = match claimed.file.all_bytes() {
            Ok(bytes) => bytes,
            Err(err) => return lost(&err),
        };
        let mut diff = Vec::new();
        let read = Cursor::new(&bytes).each_field(|key, cursor| {
            if key != "file_diffs" {
                cursor.skip()?;
                return Ok(());
            }
            cursor.each_field(|name, cursor| {
                let (mut added, mut removed) = (0.0, 0.0);
                cursor.each_field(|key, cursor| {
                    match key {
                        "lines_added" => added = cursor.number()?.unwrap_or(0.0),
                        "lines_removed" => removed = cursor.number()?.unwrap_or(0.0),
                        _ => {
                            cursor.skip()?;
                        }
                    }
                    Ok(())
                })?;
                diff.push((name.to_owned(), added, removed));
                Ok(())
            })?;
            Ok(())
        });
        match read {
            Err(err) if !bytes.is_empty() => lost(&err),
            _ => {
                self.diffs.insert(claimed.file.folder().to_owned(), diff);
            }
        }
    }
}

/// Hands over every line, and names those that cannot be read; whether all could.
async fn lines(
    claimed: &Claimed,
    cx: &Context<'_>,
    take: &mut dyn FnMut(&[u8]) -> Result<(), crate::input::Error>,
) -> Result<bool, Error> {
    let path = &claimed.file.path;
    let mut is_whole = true;
    let mut broken = |byte: u64, line: u64, err: &crate::input::Error| {
        is_whole = false;
        cx.notes.add(path, err.note_kind(), Place::Line { line, byte }, err.to_string());
    };
    let mut record = |record: Record<'_>| take(record.bytes);
    let read = each_line(&claimed.file, cx.pulse, &mut record, &mut broken).await;
    match read {
        Ok(Tail { cut: None }) => Ok(is_whole),
        Ok(Tail { cut: Some((byte, line, _)) }) => {
            let place = Place::Line { line, byte };
            cx.notes.add(path, NoteKind::Truncated, place, "the last line is cut off");
            Ok(false)
        }
        Err(err) if err.is_cancelled() => Err(err.into()),
        Err(err) => {
            cx.notes.add(path, err.note_kind(), Place::Byte(err.at()), err.to_string());
            Ok(false)
        }
    }
}
