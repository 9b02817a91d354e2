//! An import by several readers: jobs cut, given out, put together in order; what a job does that brings
//! its reader down.

use super::help::For;
use super::job::{Job, KeysSaid, ReaderMessage};
use super::job_result::Done;
use super::look_ahead::LookedAhead;
use super::message::{MessageWriter, PoolMessage, follow, whole};
use crate::input::{
    self, Allowance, Dropped, ErrorKind, InputFile, LocalFuture, Pulse, ReadAt, SourceOrigin,
};
use crate::model::{NoteKind, Notes, Place};
use crate::readers::{
    self, Bundle, BundleRead, Claimed, ContentKeys, Error, Given, InProcess, LookedAt, Marks,
    Producer, ReadService, Wanted,
};
use futures_channel::mpsc::UnboundedReceiver;
use futures_util::future::join_all;
use futures_util::lock::Mutex;
use std::rc::Rc;

/// Files that are looked at or compared in one job, at the most.
const MAX_LOOKED_AT: usize = 200;

/// Jobs for each reader among which such files are spread, so that none waits for the last one.
const JOBS_EACH: usize = 4;

/// Readers that can be given jobs.
pub trait JobRunner {
    /// How many there are; 0: none can be started.
    fn n_readers(&self) -> usize;

    /// A source over `bytes` that can be passed on without a copy; `None` when there is no such thing.
    fn keep(&self, bytes: &[u8]) -> Option<Rc<dyn ReadAt>>;

    /// Gives a job out as soon as a reader is free.
    ///
    /// # Errors
    /// `None` when a source cannot be passed on.
    fn start(&self, job: &PoolMessage, urgency: Urgency) -> Option<Work>;

    /// What was found out of `file` when its bytes were fetched; it is given once.
    fn looked(&self, _file: &InputFile) -> Option<LookedAhead> {
        None
    }

    /// Tells the job that waits for it what is to be said of a stretch: a [`ReaderMessage`].
    fn give(&self, for_whom: For, said: PoolMessage);
}

/// Who waits for a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// An import.
    Import,
    /// Another job: what its reader says last goes straight there.
    Help(For),
    /// Somebody who has asked for something: where all readers are at work, one more is started for it.
    Asked,
}

/// A job that was given out.
pub struct Work {
    /// Its number.
    pub number: u32,
    /// What is heard of it; it ends when the job is cancelled.
    pub events: UnboundedReceiver<JobEvent>,
}

/// What is heard of a job.
pub enum JobEvent {
    /// What its reader says: a [`ReaderMessage`].
    Said(PoolMessage),
    /// What its reader said last was passed on to the job for which it was done.
    Passed,
    /// It brought its reader down; how.
    Died(String),
    /// There is nobody to do it.
    Nobody,
}

/// Reads in several reader programs side by side.
pub struct Pool {
    pub(super) runner: Rc<dyn JobRunner>,
    /// What this program has to do itself it does one after the other.
    pub(super) in_process: Mutex<InProcess>,
}

impl Pool {
    /// Has `runner` do the jobs; what it cannot do, `in_process` does, as far as it can.
    pub fn new(runner: Rc<dyn JobRunner>, in_process: InProcess) -> Self {
        Self { runner, in_process: Mutex::new(in_process) }
    }

    /// How many of `n` files go into one job.
    fn n_each(&self, n: usize) -> usize {
        let n_jobs = (self.runner.n_readers() * JOBS_EACH).max(1);
        n.div_ceil(n_jobs).clamp(1, MAX_LOOKED_AT)
    }

    /// Reads the keys of files in one job. Should that bring its reader down, each of them gets a job of its own.
    fn keys_of<'a>(
        &'a self,
        files: &'a [(&'static str, Rc<Claimed>)],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<ContentKeys>, Error>> {
        Box::pin(async move {
            let mut writer = MessageWriter::default();
            let said = files
                .iter()
                .map(|(reader, claimed)| KeysSaid { reader, file: writer.claimed(claimed) });
            let said = said.collect();
            let done = match writer.finish(&Job::Keys(said)) {
                Ok(job) => self.done(&job, &[], Urgency::Import, pulse).await?,
                Err(_) => Done::Not,
            };
            match (done, files) {
                (Done::Said(ReaderMessage::Keys(all), _), _) if all.len() == files.len() => Ok(all),
                // It is named when it is read.
                (Done::Died { .. } | Done::Said(ReaderMessage::Misread(_), _), [_]) => {
                    Ok(vec![ContentKeys::default()])
                }
                (Done::Died { .. } | Done::Said(ReaderMessage::Misread(_), _), _) => {
                    let each =
                        files.iter().map(|file| self.keys_of(std::slice::from_ref(file), pulse));
                    joined(each).await
                }
                (Done::Said(..) | Done::Passed | Done::Not, _) => {
                    self.in_process.lock().await.content_keys(files, pulse).await
                }
            }
        })
    }

    /// Looks at files in one job. Should that bring its reader down, each of them gets a job of its own.
    fn look_at<'a>(
        &'a self,
        files: &'a [InputFile],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<LookedAt>, Error>> {
        Box::pin(async move {
            let mut writer = MessageWriter::default();
            let said = files.iter().map(|file| writer.file(file)).collect();
            let done = match writer.finish(&Job::Look(said)) {
                Ok(job) => self.done(&job, files, Urgency::Import, pulse).await?,
                Err(_) => Done::Not,
            };
            match (done, files) {
                (Done::Said(ReaderMessage::Looked(all), _), _) if all.len() == files.len() => {
                    Ok(all)
                }
                (
                    Done::Died { reason, .. } | Done::Said(ReaderMessage::Misread(reason), _),
                    [_],
                ) => Ok(vec![Err(stopped("looking at", reason))]),
                (Done::Died { .. } | Done::Said(ReaderMessage::Misread(_), _), _) => {
                    let each =
                        files.iter().map(|file| self.look_at(std::slice::from_ref(file), pulse));
                    joined(each).await
                }
                (Done::Said(..) | Done::Passed | Done::Not, _) => {
                    self.in_process.lock().await.look(files, pulse).await
                }
            }
        })
    }
}

impl ReadService for Pool {
    fn open<'a>(
        &'a self,
        file: Dropped,
        allowance: &'a mut Allowance,
        notes: &'a Notes,
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<Dropped>, input::Error>> {
        Box::pin(async move {
            pulse.set_file(&file.path);
            let mut writer = MessageWriter::default();
            let (path, place) = (file.path.clone(), writer.place(&file.data));
            let own = allowance.of_file(&path);
            let job = writer.finish(&Job::Open { path, place, allowance: own });
            let done = match &job {
                Ok(job) => self.done(job, &[], Urgency::Import, pulse).await,
                Err(_) => Ok(Done::Not),
            };
            match done.map_err(|_cancelled| input::Error::from(input::Cancelled))? {
                Done::Said(
                    ReaderMessage::Opened { files, allowance: after, notes: more },
                    message,
                ) => {
                    allowance.used(after);
                    notes.extend(more);
                    let own = |(path, place): (String, _)| {
                        message.source(&place).ok().map(|data| Dropped { path, data })
                    };
                    Ok(files.into_iter().filter_map(own).collect())
                }
                Done::Said(ReaderMessage::Misread(reason), _) | Done::Died { reason, .. } => {
                    let detail = stopped("unwrapping", reason).to_string();
                    notes.add(&file.path, NoteKind::NotRead, Place::File, detail);
                    Ok(Vec::new())
                }
                Done::Said(..) | Done::Passed | Done::Not => {
                    self.in_process.lock().await.open(file, allowance, notes, pulse).await
                }
            }
        })
    }

    fn n_at_once(&self) -> usize {
        self.runner.n_readers().max(1)
    }

    fn again<'a>(
        &'a self,
        producer: &'static dyn Producer,
        bundle: &'a Bundle,
        wanted: &'a Wanted,
    ) -> LocalFuture<'a, Result<Given, Error>> {
        Box::pin(async move {
            let mut writer = MessageWriter::default();
            let said = writer.bundle(bundle);
            let (id, own) = (producer.id(), wanted.clone());
            let job = writer.finish(&Job::Again { reader: id, bundle: said, wanted: own });
            let pulse = Pulse::silent();
            let done = match &job {
                Ok(job) => self.done(job, &[], Urgency::Asked, &pulse).await?,
                Err(_) => Done::Not,
            };
            match done {
                Done::Said(ReaderMessage::Again(given), _) => given,
                Done::Said(ReaderMessage::Misread(reason), _) | Done::Died { reason, .. } => {
                    let singly = wanted.singly();
                    if singly.is_empty() {
                        let err = Error::from(stopped(wanted.doing(), reason));
                        return wanted.failed(err.in_file(&path_of(bundle)));
                    }
                    let all = singly.iter().map(|one| self.again(producer, bundle, one));
                    let all = join_all(all).await.into_iter().collect::<Result<Vec<_>, _>>()?;
                    Given::joined(all).ok_or_else(|| Error::new(readers::ErrorKind::Gone))
                }
                Done::Said(..) | Done::Passed | Done::Not => {
                    self.in_process.lock().await.again(producer, bundle, wanted).await
                }
            }
        })
    }

    fn share(&self, files: &mut [InputFile]) {
        // What an archive was unwrapped to holds many files.
        let mut kept: Vec<(Rc<dyn ReadAt>, Rc<dyn ReadAt>)> = Vec::new();
        for file in files {
            let (own, way) = whole(&file.data);
            let known = kept.iter().rfind(|(before, _)| Rc::ptr_eq(before, &own));
            let now = match (known, own.origin()) {
                (Some((_, now)), _) => Rc::clone(now),
                (None, SourceOrigin::Memory(bytes)) => {
                    let Some(now) = self.runner.keep(bytes) else { continue };
                    kept.push((Rc::clone(&own), Rc::clone(&now)));
                    now
                }
                (None, _) => continue,
            };
            file.data = follow(&now, &way);
        }
    }

    fn look<'a>(
        &'a self,
        files: &'a [InputFile],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<LookedAt>, Error>> {
        Box::pin(async move {
            let known = files.iter().map(|file| {
                let known = self.runner.looked(file).filter(|known| known.path == file.path)?;
                pulse.count(known.n_done);
                Some(known.looked)
            });
            let known: Vec<Option<LookedAt>> = known.collect();
            let rest = files.iter().zip(&known).filter(|(_, known)| known.is_none());
            let rest: Vec<InputFile> = rest.map(|(file, _)| file.clone()).collect();
            let jobs = rest.chunks(self.n_each(rest.len()));
            let jobs = jobs.map(|files| self.look_at(files, pulse));
            let mut rest = joined(jobs).await?.into_iter();
            Ok(known.into_iter().filter_map(|known| known.or_else(|| rest.next())).collect())
        })
    }

    fn content_keys<'a>(
        &'a self,
        files: &'a [(&'static str, Rc<Claimed>)],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<ContentKeys>, Error>> {
        Box::pin(async move {
            let jobs = files.chunks(self.n_each(files.len()));
            let jobs = jobs.map(|files| self.keys_of(files, pulse));
            joined(jobs).await
        })
    }

    fn read<'a>(
        &'a self,
        bundles: &'a [(&'static dyn Producer, Bundle)],
        before: &'a Marks,
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<BundleRead>, Error>> {
        let read = move |(producer, bundle): &'a (&'static dyn Producer, Bundle)| async move {
            self.read_bundle(*producer, bundle, before, pulse).await
        };
        Box::pin(async move { join_all(bundles.iter().map(read)).await.into_iter().collect() })
    }
}

/// What all of `jobs` give, in their order.
async fn joined<T>(
    jobs: impl IntoIterator<Item = LocalFuture<'_, Result<Vec<T>, Error>>>,
) -> Result<Vec<T>, Error> {
    let all = join_all(jobs).await.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(all.into_iter().flatten().collect())
}

/// The file of `bundle`, if it is only one; else its path.
fn path_of(bundle: &Bundle) -> String {
    match bundle.files.as_slice() {
        [only] => only.file.path.clone(),
        _ => bundle.path.clone(),
    }
}

pub(super) fn stopped(doing: &'static str, reason: String) -> input::Error {
    input::Error::new(ErrorKind::Stopped { doing, reason }, 0)
}

pub(super) fn cancelled() -> Error {
    input::Error::from(input::Cancelled).into()
}
