//! One bundle, read and checked.

use super::{Bundle, BundleRead, Context, Error, Helpers, Marks, ReadEvaluation, Reader};
use crate::input::Pulse;
use crate::model::{Evaluation, GateRule, Note, NoteKind, Notes, Place, direct, integrity};
use crate::scoring::StoredEvaluation;
use serde::{Deserialize, Serialize};

/// An evaluation that was read and checked.
#[derive(Serialize, Deserialize)]
pub struct Checked {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The notes about it.
    pub notes: Vec<Note>,
    /// The notes about its files alone; the first evaluation of a bundle has them.
    pub notes_beside: Vec<Note>,
    /// Figures of it whose cases have not been read.
    #[serde(with = "direct")]
    pub stored: Option<Box<StoredEvaluation>>,
}

/// Reads one bundle and checks what came of it; what has grown since `before` on from there.
///
/// # Errors
/// Only when the work is cancelled.
pub async fn read(
    reader: &dyn Reader,
    bundle: &Bundle,
    before: &Marks,
    helpers: &dyn Helpers,
    pulse: &Pulse,
) -> Result<BundleRead, Error> {
    let (notes, after) = (Notes::default(), before.next());
    pulse.set_file(&bundle.path);
    let cx = Context { notes: &notes, pulse, before, after: &after, helpers };
    let outcome = match reader.read(bundle, &cx).await {
        Ok(readings) => Ok(checked(readings, notes.into_vec())),
        Err(err) if err.is_cancelled() => return Err(err),
        Err(err) => Err((err, notes.into_vec())),
    };
    Ok(BundleRead { outcome, marks: after })
}

fn checked(readings: Vec<ReadEvaluation>, mut of_bundle: Vec<Note>) -> Vec<Checked> {
    let readings = readings.into_iter();
    let checked = readings.map(|ReadEvaluation { evaluation, notes, stored }| {
        let is_apart = notes.is_some();
        let own = Notes::default();
        own.extend(notes.unwrap_or_else(|| std::mem::take(&mut of_bundle)));
        check(&evaluation, &own);
        let notes_beside = if is_apart { std::mem::take(&mut of_bundle) } else { Vec::new() };
        Checked { evaluation, notes: own.into_vec(), notes_beside, stored }
    });
    checked.collect()
}

/// Notes what is wrong with `evaluation`, unless it is noted already: a report carries its notes.
fn check(evaluation: &Evaluation, notes: &Notes) {
    let known = notes.to_vec();
    let add = |file: &str, kind: NoteKind, place: Place, detail: &str| {
        let is_it = |note: &Note| note.kind == kind && note.file == file && note.detail == detail;
        if !known.iter().any(is_it) {
            notes.add(file, kind, place, detail);
        }
    };
    if let Some(GateRule::Unknown(reason)) = evaluation.config.gate.as_ref().map(|gate| &gate.rule)
    {
        let place = Place::Field("config.gate".to_owned());
        add(&evaluation.path, NoteKind::Unknown, place, reason);
    }
    for run in &evaluation.runs {
        for fault in integrity::check(run) {
            if fault.is_repeated_id && notes.has(NoteKind::Duplicate) {
                continue;
            }
            let place =
                fault.case_idx.map_or(Place::File, |idx| Place::Field(format!("case {}", idx + 1)));
            add(&run.key.path, NoteKind::Integrity, place, &fault.detail);
        }
    }
}
