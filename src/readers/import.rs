//! From opened files to evaluations: look, arrange, read.

use super::arrange::{ArrangedFiles, arrange};
use super::content_keys::KnownKeys;
use super::recognise::{Looked, Whose};
use super::{Bundle, BundleRead, Checked, Claimed, Error, Marks, Producer, ReadService, TableLook};
use crate::input::{InputFile, Pulse, Shape};
use crate::model::{Evaluation, Note, NoteKind, Notes, Place};
use crate::scoring::StoredEvaluation;
use std::rc::Rc;

/// An evaluation and the files it came from.
pub struct Import {
    /// Whose files they are.
    pub producer: &'static dyn Producer,
    /// Its files.
    pub bundle: Bundle,
    /// Which of the evaluations in them it is.
    pub part: BundlePart,
    /// What was read.
    pub evaluation: Evaluation,
    /// What was noted while reading it.
    pub notes: Vec<Note>,
    /// What was noted about the files and no evaluation in them; the first one has it.
    pub notes_beside: Vec<Note>,
    /// Figures of it whose cases have not been read.
    pub stored: Option<Box<StoredEvaluation>>,
    /// How far its files were read.
    pub marks: Marks,
}

/// Which of the evaluations that a bundle holds one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BundlePart {
    /// Its number, from 0.
    pub nth: usize,
    /// How many there are.
    pub of: usize,
}

impl Default for BundlePart {
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
    pub(super) lfs_bytes: Option<u64>,
    /// The tables that it is, by its first rows; `None`: it is none.
    pub table: Option<TableLook>,
}

/// What is open beside files that are opened.
pub struct OpenContext<'a> {
    /// Files of earlier drops with their readers.
    pub claimed: &'a [(&'static str, Rc<Claimed>)],
    /// Files of earlier drops that no reader claims.
    pub unclaimed: &'a [Rc<Unclaimed>],
    /// Whether an evaluation was made of just these files.
    pub is_known: &'a dyn Fn(&Bundle) -> bool,
    /// Mapping files that are wanted, now that these files are known that no reader claims: tables among them.
    pub mappings: &'a dyn Fn(&[Rc<Unclaimed>]) -> Vec<InputFile>,
}

/// As [`import_beside`], without mapping files but those among the files.
///
/// # Errors
/// Only when the work is cancelled.
pub async fn import(
    files: Vec<InputFile>,
    claimed: &[(&'static str, Rc<Claimed>)],
    unclaimed: &[Rc<Unclaimed>],
    is_known: &dyn Fn(&Bundle) -> bool,
    marks: &Marks,
    service: &dyn ReadService,
    pulse: &Pulse,
) -> Result<Imported, Error> {
    let beside = OpenContext { claimed, unclaimed, is_known, mappings: &|_unclaimed| Vec::new() };
    import_beside(files, &beside, marks, service, pulse).await
}

/// Recognises `files` and bundles them together with the files of earlier drops, which are `beside`
/// (a file dropped later may belong to an evaluation that is there, or tell whose an empty
/// file is), then reads every bundle that is not known. Files that have grown since `marks`
/// were left are read on, where their reader can.
///
/// # Errors
/// Only when the work is cancelled.
pub async fn import_beside(
    files: Vec<InputFile>,
    beside: &OpenContext<'_>,
    marks: &Marks,
    service: &dyn ReadService,
    pulse: &Pulse,
) -> Result<Imported, Error> {
    let notes = Notes::default();
    pulse.set_total(files.iter().map(InputFile::len).sum());
    let mut claims = beside.claimed.to_vec();
    let mut unclaimed = beside.unclaimed.to_vec();
    pulse.set_phase("look at files");
    let mut keys = KnownKeys::default();
    let mut found = Found { claims: &mut claims, unclaimed: &mut unclaimed, keys: &mut keys };
    look_at(files, &mut found, &notes, service, pulse).await?;
    let more = (beside.mappings)(found.unclaimed);
    if !more.is_empty() {
        look_at(more, &mut found, &notes, service, pulse).await?;
    }
    pulse.set_phase("arrange");
    let arranged = loop {
        let of = |claimed: &Claimed| keys.of(claimed);
        let arranged = arrange(claims.clone(), unclaimed.clone(), &of);
        let missing = keys.take_missing();
        if missing.is_empty() {
            break arranged;
        }
        let is_missing = |(_, claimed): &&(_, Rc<Claimed>)| missing.contains(&claimed.file.id);
        let files: Vec<_> = arranged.claims.iter().filter(is_missing).cloned().collect();
        for ((_, claimed), own) in files.iter().zip(service.content_keys(&files, pulse).await?) {
            keys.keep(claimed.file.id, own);
        }
    };
    let ArrangedFiles { claims, unclaimed, open_notes, mut bundles } = arranged;
    bundles.retain(|(_, bundle)| !(beside.is_known)(bundle));
    pulse.set_phase("read");
    let all = service.read(&bundles, marks, pulse).await?;
    let mut imports = Vec::new();
    for ((producer, bundle), BundleRead { outcome, marks }) in bundles.into_iter().zip(all) {
        match outcome {
            Ok(all) => {
                let (of, mut marks) = (all.len(), Some(marks));
                for (nth, Checked { evaluation, notes, notes_beside, stored }) in
                    all.into_iter().enumerate()
                {
                    imports.push(Import {
                        producer,
                        bundle: bundle.clone(),
                        part: BundlePart { nth, of },
                        evaluation,
                        notes,
                        notes_beside,
                        stored,
                        marks: marks.take().unwrap_or_default(),
                    });
                }
            }
            Err((err, more)) => note_failure(&open_notes, &bundle, &err, more),
        }
    }
    Ok(Imported {
        imports,
        claims,
        unclaimed,
        notes: notes.into_vec(),
        open_notes: open_notes.into_vec(),
    })
}

/// What is known of files that were looked at.
struct Found<'a> {
    /// Those that a reader claims, with its id.
    claims: &'a mut Vec<(&'static str, Rc<Claimed>)>,
    /// The others.
    unclaimed: &'a mut Vec<Rc<Unclaimed>>,
    /// What some say about what they belong to.
    keys: &'a mut KnownKeys,
}

/// Looks at `files`, and sorts them.
async fn look_at(
    files: Vec<InputFile>,
    found: &mut Found<'_>,
    notes: &Notes,
    service: &dyn ReadService,
    pulse: &Pulse,
) -> Result<(), Error> {
    let looked = service.look(&files, pulse).await?;
    for (file, looked) in files.into_iter().zip(looked) {
        match looked {
            Ok(Looked { shape, whose: Whose::Reader(id, claim), keys, .. }) => {
                if let Some(keys) = keys {
                    found.keys.keep(file.id, keys);
                }
                found.claims.push((id, Rc::new(Claimed { file, shape, claim })));
            }
            Ok(Looked { shape, whose: Whose::Nobody { detail, lfs_bytes, table }, .. }) => {
                found.unclaimed.push(Rc::new(Unclaimed { file, shape, detail, lfs_bytes, table }));
            }
            Err(err) => {
                let err = Error::from(err);
                notes.add(&file.path, err.note_kind(), place(&err), err.to_string());
            }
        }
    }
    Ok(())
}

/// Notes why nothing came of `bundle`; `more` was noted on the way.
fn note_failure(notes: &Notes, bundle: &Bundle, err: &Error, more: Vec<Note>) {
    let file = err.file().unwrap_or(&bundle.path);
    let detail = err.to_string();
    // A decision about an evaluation that does not come to be is of no use, and the reader may have
    // named the failure where it met it.
    let is_of_use = |note: &Note| {
        note.kind != NoteKind::Assumed && (note.file != file || note.detail != detail)
    };
    notes.extend(more.into_iter().filter(is_of_use));
    notes.add(file, err.note_kind(), place(err), detail);
}

fn place(err: &Error) -> Place {
    err.at().map_or(Place::File, Place::Byte)
}
