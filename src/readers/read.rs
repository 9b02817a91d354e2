//! One bundle, read and checked.

use super::{Bundle, Context, Error, Marks, Reader, Reading};
use crate::input::Pulse;
use crate::model::{Evaluation, GateRule, Note, NoteKind, Notes, Place, integrity};

/// An evaluation, the notes about it, and those about its files alone.
pub(super) type Checked = (Evaluation, Vec<Note>, Vec<Note>);

/// Reads one bundle and checks what came of it.
pub(super) async fn read(
    reader: &dyn Reader,
    bundle: &Bundle,
    (before, after): (&Marks, &Marks),
    pulse: &Pulse,
) -> Result<Vec<Checked>, (Error, Vec<Note>)> {
    let notes = Notes::default();
    pulse.set_file(&bundle.path);
    let cx = Context { notes: &notes, pulse, before, after };
    let outcome = reader.read(bundle, &cx).await;
    let readings = match outcome {
        Ok(readings) => readings,
        Err(err) => return Err((err, notes.into_vec())),
    };
    let mut of_bundle = notes.into_vec();
    let checked = readings.into_iter().map(|Reading { evaluation, notes }| {
        let is_apart = notes.is_some();
        let own = Notes::default();
        own.extend(notes.unwrap_or_else(|| std::mem::take(&mut of_bundle)));
        check(&evaluation, &own);
        let beside = if is_apart { std::mem::take(&mut of_bundle) } else { Vec::new() };
        (evaluation, own.into_vec(), beside)
    });
    Ok(checked.collect())
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
