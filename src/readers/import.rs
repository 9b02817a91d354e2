//! From opened files to evaluations: sniff, bundle, read, check.

use super::{Bundle, Claim, Claimed, Context, Error, READERS, Reader};
use crate::input::{Form, InputFile, Pulse, Shape, shape};
use crate::model::{Evaluation, Note, NoteKind, Notes, Place, integrity};
use std::rc::Rc;

/// An evaluation and the files it came from.
pub struct Import {
    /// Its files.
    pub bundle: Bundle,
    /// What was read.
    pub evaluation: Evaluation,
    /// What was noted while reading it.
    pub notes: Vec<Note>,
}

/// What a set of files gave.
#[derive(Default)]
pub struct Imported {
    /// Evaluations, in the order of readers and paths.
    pub imports: Vec<Import>,
    /// Every file that a reader claimed, with the reader's id.
    pub claims: Vec<(&'static str, Rc<Claimed>)>,
    /// Notes that belong to no evaluation: files nobody claims, bundles that failed.
    pub notes: Vec<Note>,
}

/// Recognises `files` and bundles them together with the files that are `claimed` already (a file
/// dropped later may belong to an evaluation that is there), then reads every bundle that `is_known`
/// does not know.
///
/// # Errors
/// Only when the work is cancelled.
pub async fn import(
    files: Vec<InputFile>,
    claimed: &[(&'static str, Rc<Claimed>)],
    is_known: &dyn Fn(&Bundle) -> bool,
    pulse: &Pulse,
) -> Result<Imported, Error> {
    let notes = Notes::default();
    pulse.set_total(files.iter().map(InputFile::len).sum());
    let mut claims = claimed.to_vec();
    let mut unclaimed = Vec::new();
    for file in files {
        pulse.set_file(&file.path);
        let shape = match shape(&file, pulse).await {
            Ok(shape) => shape,
            Err(err) if err.is_cancelled() => return Err(err.into()),
            Err(err) => {
                notes.add(&file.path, NoteKind::Broken, Place::Byte(err.at()), err.to_string());
                continue;
            }
        };
        match sniff(&file, &shape, |_| shape.form != Form::Empty) {
            Some((id, claim)) => claims.push((id, Rc::new(Claimed { file, shape, claim }))),
            None => {
                pulse.advance(file.len()).await?;
                unclaimed.push((file, shape));
            }
        }
    }
    for (file, shape) in unclaimed {
        // Nothing in an empty file says whose it is; a producer that has files beside it may know.
        let has_beside =
            |id: &str| claims.iter().any(|(own, c)| *own == id && c.file.folder() == file.folder());
        let of_neighbour = (shape.form == Form::Empty)
            .then(|| sniff(&file, &shape, |reader| has_beside(reader.id())))
            .flatten();
        if let Some((id, claim)) = of_neighbour {
            claims.push((id, Rc::new(Claimed { file, shape, claim })));
            continue;
        }
        // Beside results, whole files of other kinds (logs, prompts) are nothing that was lost.
        let is_extra = shape.outline.cut.is_none()
            && claims.iter().any(|(_, claimed)| is_beside(&file, &claimed.file));
        let kind = if is_extra { NoteKind::Skipped } else { NoteKind::Unrecognised };
        notes.add(&file.path, kind, Place::File, unclaimed_text(&shape));
    }
    let mut imports = Vec::new();
    for reader in READERS {
        let own = claims
            .iter()
            .filter(|(id, _)| *id == reader.id())
            .map(|(_, claimed)| Rc::clone(claimed))
            .collect();
        for bundle in reader.bundle(own) {
            if is_known(&bundle) {
                continue;
            }
            match read(*reader, &bundle, pulse).await {
                Ok((evaluation, notes)) => imports.push(Import { bundle, evaluation, notes }),
                Err((err, _)) if err.is_cancelled() => return Err(err),
                Err((err, more)) => {
                    let place = err.at().map_or(Place::File, Place::Byte);
                    let file = err.file().unwrap_or(&bundle.path).to_owned();
                    notes.add(&file, NoteKind::Broken, place, err.to_string());
                    notes.extend(more);
                }
            }
        }
    }
    Ok(Imported { imports, claims, notes: notes.into_vec() })
}

/// The first reader among those asked that claims `file`.
fn sniff(
    file: &InputFile,
    shape: &Shape,
    is_asked: impl Fn(&dyn Reader) -> bool,
) -> Option<(&'static str, Claim)> {
    READERS
        .iter()
        .filter(|reader| is_asked(**reader))
        .find_map(|reader| reader.sniff(file, shape).map(|claim| (reader.id(), claim)))
}

/// Whether one of two files lies in, or below, the folder of the other. Loose files lie in none.
fn is_beside(left: &InputFile, right: &InputFile) -> bool {
    let (left, right) = (left.folder(), right.folder());
    let is_in = |inner: &str, outer: &str| {
        !outer.is_empty()
            && inner
                .strip_prefix(outer)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    is_in(left, right) || is_in(right, left)
}

/// Reads one bundle and checks what came of it.
async fn read(
    reader: &dyn Reader,
    bundle: &Bundle,
    pulse: &Pulse,
) -> Result<(Evaluation, Vec<Note>), (Error, Vec<Note>)> {
    let notes = Notes::default();
    pulse.set_file(&bundle.path);
    let cx = Context { notes: &notes, pulse };
    let outcome = reader.read(bundle, &cx).await;
    match outcome {
        Ok(evaluation) => {
            for run in &evaluation.runs {
                for fault in integrity::check(run) {
                    let place = fault
                        .case_idx
                        .map_or(Place::File, |idx| Place::Field(format!("case {}", idx + 1)));
                    notes.add(&run.key.path, NoteKind::Integrity, place, fault.detail);
                }
            }
            Ok((evaluation, notes.into_vec()))
        }
        Err(err) => Err((err, notes.into_vec())),
    }
}

/// Why a file that nobody claims was not claimed: what it is made of, and its first bytes.
pub fn unclaimed_text(shape: &Shape) -> String {
    const SHOWN: usize = 32;
    let head = shape.head.get(..SHOWN).unwrap_or(&shape.head);
    let text = String::from_utf8_lossy(head);
    let what = match shape.form {
        Form::Empty => return "the file is empty".to_owned(),
        Form::Parquet => "a Parquet file without the columns of a known format",
        Form::Document => "JSON without the keys of a known format",
        Form::Lines => "lines of JSON without the keys of a known format",
        Form::Text => "text that is no known format",
        Form::Binary => "binary data that is no known format",
    };
    let cut = shape
        .outline
        .cut
        .as_ref()
        .map_or(String::new(), |err| format!("; {err} at byte {}", err.at()));
    format!("{what}{cut}; it starts with {text:?}")
}
