//! A bundle, read by a reader: what becomes of files that end it, and of marks.

use super::job::{Job, ReaderMessage};
use super::job_result::Done;
use super::message::MessageWriter;
use super::reader_pool::{Pool, Urgency, cancelled, stopped};
use crate::input::{InputFile, Pulse};
use crate::model::{Note, NoteKind, Notes, Place};
use crate::readers::{Bundle, BundleRead, Checked, Error, Marks, Producer, ReadService as _};

/// Files of one bundle that may end their readers; past that the bundle is given up.
const MAX_DEADLY: usize = 4;

impl Pool {
    /// Reads a bundle in this program.
    async fn read_in_process(
        &self,
        producer: &'static dyn Producer,
        bundle: &Bundle,
        before: &Marks,
        pulse: &Pulse,
    ) -> Result<BundleRead, Error> {
        let one = [(producer, bundle.clone())];
        let all = self.in_process.lock().await.read(&one, before, pulse).await?;
        all.into_iter().next().ok_or_else(cancelled)
    }

    /// Reads a bundle, what has grown since `before` on from there. A file that brings its reader down is
    /// named and left out.
    pub(super) async fn read_bundle(
        &self,
        producer: &'static dyn Producer,
        bundle: &Bundle,
        before: &Marks,
        pulse: &Pulse,
    ) -> Result<BundleRead, Error> {
        let mut rest = bundle.clone();
        let (deadly, mut n_deadly) = (Notes::default(), 0);
        // Most files are never read again: marks are left from the second reading on.
        let mut is_again = paths(bundle).any(|path| before.knows(path));
        let none = Marks::unwanted();
        loop {
            let mut writer = MessageWriter::default();
            let n_at_once = self.runner.n_readers();
            let said = writer.bundle(&rest);
            let marks = writer.marks(if is_again { before } else { &none }, paths(&rest));
            let id = producer.id();
            let job = Job::Read { reader: id, bundle: said, n_at_once, before: marks };
            let job = writer.finish(&job);
            let files: Vec<InputFile> =
                rest.files.iter().map(|claimed| claimed.file.clone()).collect();
            let done = match &job {
                Ok(job) => self.done(job, &files, Urgency::Import, pulse).await?,
                Err(_) => Done::Not,
            };
            let (reason, file) = match done {
                Done::Said(ReaderMessage::Read { mut outcome, apart, marks }, message) => {
                    let all = outcome.as_deref_mut().unwrap_or_default();
                    let put = message.put_all_tables(all, &apart);
                    match put.and_then(|()| marks.into_marks(&message)) {
                        Ok(marks) => {
                            marks.know(paths(bundle));
                            return Ok(with_notes(outcome, deadly.into_vec(), marks));
                        }
                        Err(err) => (err.to_string(), None),
                    }
                }
                Done::Said(ReaderMessage::Misread(reason), _) => (reason, None),
                Done::Died { reason, file } => (reason, file),
                Done::Said(..) | Done::Passed | Done::Not => {
                    return self.read_in_process(producer, &rest, before, pulse).await;
                }
            };
            if is_again {
                // It may have been the marks: as if the files were read for the first time.
                is_again = false;
                continue;
            }
            let at =
                rest.files.iter().position(|claimed| Some(&claimed.file.path) == file.as_ref());
            let at = at.filter(|_| rest.files.len() > 1 && n_deadly < MAX_DEADLY);
            let Some(at) = at else {
                let err = Error::from(stopped("reading", reason));
                let err = err.in_file(file.as_deref().unwrap_or(&bundle.path));
                let outcome = Err((err, deadly.into_vec()));
                return Ok(BundleRead { outcome, marks: Marks::default() });
            };
            let gone = rest.files.remove(at);
            let detail = format!("{}; it is left out", stopped("reading", reason));
            deadly.add(&gone.file.path, NoteKind::NotRead, Place::File, detail);
            n_deadly += 1;
        }
    }
}

/// The paths of the files of `bundle`.
fn paths(bundle: &Bundle) -> impl Iterator<Item = &str> {
    bundle.files.iter().map(|claimed| claimed.file.path.as_str())
}

/// What came of a bundle, and what is said of files that were left out.
fn with_notes(
    outcome: Result<Vec<Checked>, (Error, Vec<Note>)>,
    deadly: Vec<Note>,
    marks: Marks,
) -> BundleRead {
    let mut outcome = outcome;
    match &mut outcome {
        Ok(all) => {
            if let Some(first) = all.first_mut() {
                first.notes.splice(0..0, deadly);
            }
        }
        Err((_, notes)) => {
            notes.splice(0..0, deadly);
        }
    }
    BundleRead { outcome, marks }
}
