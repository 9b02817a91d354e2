//! From opened files to evaluations: sniff, bundle, read, check.

use super::extras::Extras;
use super::lfs::{Pointers, lfs_bytes};
use super::{Bundle, Claim, Claimed, Context, Error, Marks, READERS, Reader, Reading};
use crate::input::{Form, InputFile, Pulse, Shape, shape};
use crate::model::{Evaluation, GateRule, Note, NoteKind, Notes, Place, integrity};
use std::rc::Rc;

/// An evaluation and the files it came from.
pub struct Import {
    /// The reader of its files.
    pub reader: &'static dyn Reader,
    /// Its files.
    pub bundle: Bundle,
    /// Which of the evaluations in them it is.
    pub part: Part,
    /// What was read.
    pub evaluation: Evaluation,
    /// What was noted while reading it.
    pub notes: Vec<Note>,
    /// What was noted about the files and no evaluation in them; the first one has it.
    pub notes_beside: Vec<Note>,
    /// How far its files were read.
    pub marks: Marks,
}

/// Which of the evaluations that a bundle holds one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Its number, from 0.
    pub nth: usize,
    /// How many there are.
    pub of: usize,
}

impl Default for Part {
    /// The only one.
    fn default() -> Self {
        Self { nth: 0, of: 1 }
    }
}

/// What a set of files gave.
#[derive(Default)]
pub struct Imported {
    /// Evaluations, in the order of readers and paths.
    pub imports: Vec<Import>,
    /// Every file that a reader claimed, with the reader's id.
    pub claims: Vec<(&'static str, Rc<Claimed>)>,
    /// Every file that no reader claims, those of earlier drops included.
    pub unclaimed: Vec<Rc<Unclaimed>>,
    /// Notes on files that could not be looked at.
    pub notes: Vec<Note>,
    /// What a later drop may mend: files nobody claims, bundles that failed. These are all such notes,
    /// those of earlier drops included, as they are now.
    pub open_notes: Vec<Note>,
}

/// A file that no reader claims.
pub struct Unclaimed {
    /// The file.
    pub file: InputFile,
    /// Its shape, without its head.
    pub(super) shape: Shape,
    /// Why nobody claims it.
    pub(super) detail: String,
    /// The bytes of the file that it stands for, when it is a pointer of Git LFS.
    lfs_bytes: Option<u64>,
}

/// Recognises `files` and bundles them together with the files of earlier drops, `claimed` or
/// `unclaimed` (a file dropped later may belong to an evaluation that is there, or tell whose an empty
/// file is), then reads every bundle that `is_known` does not know. Files that have grown since `marks`
/// were left are read on, where their reader can.
///
/// # Errors
/// Only when the work is cancelled.
pub async fn import(
    files: Vec<InputFile>,
    claimed: &[(&'static str, Rc<Claimed>)],
    unclaimed: &[Rc<Unclaimed>],
    is_known: &dyn Fn(&Bundle) -> bool,
    marks: &Marks,
    pulse: &Pulse,
) -> Result<Imported, Error> {
    let notes = Notes::default();
    pulse.set_total(files.iter().map(InputFile::len).sum());
    let mut claims = claimed.to_vec();
    let mut unclaimed = unclaimed.to_vec();
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
                let detail = unclaimed_text(&shape);
                let lfs_bytes = lfs_bytes(&shape.head);
                let shape = Shape { head: Vec::new(), ..shape };
                unclaimed.push(Rc::new(Unclaimed { file, shape, detail, lfs_bytes }));
            }
        }
    }
    // Files of any drop in any order give the same.
    claims.sort_by(|(_, left), (_, right)| left.file.path.cmp(&right.file.path));
    unclaimed.sort_by(|left, right| left.file.path.cmp(&right.file.path));
    let open_notes = Notes::default();
    let mut still_unclaimed = Vec::new();
    let mut extras = Extras::default();
    let mut pointers = Pointers::default();
    for one in unclaimed {
        let (file, shape) = (&one.file, &one.shape);
        // Nothing in an empty file says whose it is; a producer that has files beside it may know.
        let has_beside =
            |id: &str| claims.iter().any(|(own, c)| *own == id && c.file.folder() == file.folder());
        let of_neighbour = sniff_beside(file, shape, &claims).or_else(|| {
            (shape.form == Form::Empty)
                .then(|| sniff(file, shape, |reader| has_beside(reader.id())))
                .flatten()
        });
        if let Some((id, claim)) = of_neighbour {
            let claimed = Claimed { file: file.clone(), shape: shape.clone(), claim };
            claims.push((id, Rc::new(claimed)));
            continue;
        }
        if let Some(n_bytes) = one.lfs_bytes {
            pointers.add(&one, n_bytes);
            still_unclaimed.push(one);
            continue;
        }
        // Beside results, whole files of other kinds (logs, prompts) are nothing that was lost.
        let is_extra = shape.outline.cut.is_none()
            && !is_falsely_named(file, shape)
            && claims.iter().any(|(_, claimed)| is_beside(file, &claimed.file));
        if is_extra {
            extras.add(&one);
        } else {
            open_notes.add(&file.path, NoteKind::Unrecognised, Place::File, one.detail.as_str());
        }
        still_unclaimed.push(one);
    }
    open_notes.extend(extras.into_notes());
    pointers.note(&open_notes);
    claims.sort_by(|(_, left), (_, right)| left.file.path.cmp(&right.file.path));
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
            let after = Marks::default();
            match read(*reader, &bundle, (marks, &after), pulse).await {
                Ok(readings) => {
                    let of = readings.len();
                    let mut marks = Some(after);
                    for (nth, (evaluation, notes, notes_beside)) in readings.into_iter().enumerate()
                    {
                        imports.push(Import {
                            reader: *reader,
                            bundle: bundle.clone(),
                            part: Part { nth, of },
                            evaluation,
                            notes,
                            notes_beside,
                            marks: marks.take().unwrap_or_default(),
                        });
                    }
                }
                Err((err, _)) if err.is_cancelled() => return Err(err),
                Err((err, more)) => {
                    let place = err.at().map_or(Place::File, Place::Byte);
                    let file = err.file().unwrap_or(&bundle.path).to_owned();
                    let detail = err.to_string();
                    // A decision about an evaluation that does not come to be is of no use, and the
                    // reader may have named the failure where it met it.
                    let is_of_use = |note: &Note| {
                        note.kind != NoteKind::Assumed
                            && (note.file != file || note.detail != detail)
                    };
                    open_notes.extend(more.into_iter().filter(is_of_use));
                    open_notes.add(&file, NoteKind::Broken, place, detail);
                }
            }
        }
    }
    Ok(Imported {
        imports,
        claims,
        unclaimed: still_unclaimed,
        notes: notes.into_vec(),
        open_notes: open_notes.into_vec(),
    })
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

/// The first reader with files beside or above `file` that knows it by its name.
fn sniff_beside(
    file: &InputFile,
    shape: &Shape,
    claims: &[(&'static str, Rc<Claimed>)],
) -> Option<(&'static str, Claim)> {
    let folder = file.folder();
    let above = folder.rsplit_once('/').map(|(above, _)| above);
    READERS.iter().find_map(|reader| {
        let claim = reader.sniff_beside(file, shape)?;
        let is_near = |(id, claimed): &(&'static str, Rc<Claimed>)| {
            let own = claimed.file.folder();
            *id == reader.id() && (own == folder || Some(own) == above)
        };
        claims.iter().any(is_near).then(|| (reader.id(), claim))
    })
}

/// Whether the name promises data that is not there: an error page saved as `results.json`.
fn is_falsely_named(file: &InputFile, shape: &Shape) -> bool {
    let promises = [".json", ".jsonl", ".parquet"].iter().any(|end| file.name().ends_with(end));
    promises && matches!(shape.form, Form::Text | Form::Binary)
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

/// An evaluation, the notes about it, and those about its files alone.
type Checked = (Evaluation, Vec<Note>, Vec<Note>);

/// Reads one bundle and checks what came of it.
async fn read(
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
        .map_or(String::new(), |err| format!("; {} at byte {}", err.reason(), err.at()));
    format!("{what}{cut}; it starts with {text:?}")
}
