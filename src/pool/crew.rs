//! An import by several readers: jobs cut, given out, put together in order; what a job does that brings
//! its reader down.

use super::help::{self, For, Help};
use super::job::{Job, Said, runs_of};
use super::message::{Message, Writer, to_bytes, whole};
use crate::input::{
    self, Allowance, Dropped, ErrorKind, InputFile, LocalFuture, Origin, PartSource, Pulse, ReadAt,
};
use crate::model::{Note, NoteKind, Notes, Place};
use crate::readers::{
    self, Alone, Bundle, BundleRead, Checked, Claimed, ContentKeys, Crew, Error, Given, LookedAt,
    Marks, Producer, Wanted,
};
use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt as _;
use futures_util::future::join_all;
use futures_util::lock::Mutex;
use futures_util::stream::FuturesUnordered;
use serde_bytes::ByteBuf;
use std::cell::Cell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

/// Files that are looked at in one job, at the most.
const MAX_LOOKED_AT: usize = 200;

/// Jobs for each reader among which files to be looked at are spread, so that none waits for the last one.
const JOBS_EACH: usize = 4;

/// Files of one bundle that may bring down their readers; past that nothing is made of it.
const MAX_DEADLY: usize = 4;

/// Readers that can be given jobs.
pub trait Hands {
    /// How many there are; 0: none can be started.
    fn n_readers(&self) -> usize;

    /// A source over `bytes` that can be passed on without a copy; `None` when there is no such thing.
    fn keep(&self, bytes: &[u8]) -> Option<Rc<dyn ReadAt>>;

    /// Gives a job out as soon as a reader is free.
    ///
    /// # Errors
    /// `None` when a source cannot be passed on.
    fn start(&self, job: &Message, urgency: Urgency) -> Option<Work>;

    /// Tells the job that waits for it what is to be said of a stretch: a [`Said`], as bytes.
    fn give(&self, for_whom: For, said: &[u8]);
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
    pub events: UnboundedReceiver<Event>,
}

/// What is heard of a job.
pub enum Event {
    /// What its reader says: a [`Said`].
    Said(Message),
    /// What its reader said last was passed on to the job for which it was done.
    Passed,
    /// It brought its reader down; how.
    Died(String),
    /// There is nobody to do it.
    Nobody,
}

/// What came of a job.
enum Done {
    /// Its reader's last word, and the message that it came with.
    Said(Said, Message),
    /// That went to who waits for it.
    Passed,
    /// It brought its reader down, maybe at this file.
    Died { reason: String, file: Option<String> },
    /// It was not done: nobody can.
    Not,
}

/// The crew of many.
pub struct Pool {
    hands: Rc<dyn Hands>,
    /// What this program has to do itself it does one after the other.
    alone: Mutex<Alone>,
}

impl Pool {
    /// Has `hands` do the work; what they cannot do, `alone` does, as far as it can.
    pub fn new(hands: Rc<dyn Hands>, alone: Alone) -> Self {
        Self { hands, alone: Mutex::new(alone) }
    }

    /// Has a job done. `files` are those that it may want help with.
    async fn done(
        &self,
        job: &Message,
        files: &[InputFile],
        urgency: Urgency,
        pulse: &Pulse,
    ) -> Result<Done, Error> {
        // Cancelled while nobody was at work, nothing else would say so.
        pulse.breathe().await.map_err(|_cancelled| cancelled())?;
        let Some(mut work) = self.hands.start(job, urgency) else { return Ok(Done::Not) };
        let mut file = None;
        let mut helping: FuturesUnordered<LocalFuture<'_, Result<(), Error>>> =
            FuturesUnordered::new();
        loop {
            let next = poll_fn(|cx| {
                while let Poll::Ready(Some(helped)) = helping.poll_next_unpin(cx) {
                    if let Err(err) = helped {
                        return Poll::Ready(Err(err));
                    }
                }
                work.events.poll_next_unpin(cx).map(|event| event.ok_or_else(cancelled))
            });
            let said = match next.await? {
                Event::Said(message) => message,
                Event::Passed => return Ok(Done::Passed),
                Event::Died(reason) => return Ok(Done::Died { reason, file }),
                Event::Nobody => return Ok(Done::Not),
            };
            match said.read() {
                Ok(Said::Progress(n_bytes)) => pulse.count(n_bytes),
                Ok(Said::Unreadable(path, reason)) => pulse.found_unreadable(path, reason),
                Ok(Said::File(path)) => {
                    pulse.set_file(&path);
                    file = Some(path);
                }
                Ok(Said::Help(Help { number, file, reader, asked })) => {
                    let file = files.iter().find(|known| known.id == file);
                    let is_lost = Rc::new(Cell::new(false));
                    for (nth, asked) in (0..).zip(asked) {
                        let whom = For { job: work.number, help: number, nth };
                        let is_lost = Rc::clone(&is_lost);
                        let stretch = self.stretch(reader, file, asked, whom, is_lost, pulse);
                        helping.push(Box::pin(stretch));
                    }
                }
                Ok(last) => return Ok(Done::Said(last, said)),
                Err(err) => return Ok(Done::Died { reason: err.to_string(), file }),
            }
        }
    }

    /// Has a stretch read; the job for which it is gets what there is to say of it.
    async fn stretch(
        &self,
        id: &'static str,
        file: Option<&InputFile>,
        asked: ByteBuf,
        whom: For,
        is_lost: Rc<Cell<bool>>,
        pulse: &Pulse,
    ) -> Result<(), Error> {
        let answer = match file {
            Some(file) => self.stretch_of(id, file, asked, whom, &is_lost, pulse).await?,
            None => Some(Err(Error::new(readers::ErrorKind::Gone))),
        };
        if let Some(answer) = answer {
            let said = to_bytes(&Said::Stretch(answer));
            self.hands.give(whom, &said.unwrap_or_default());
        }
        Ok(())
    }

    /// What there is to say of a stretch; `None`: who read it has said it. One that brings down its reader
    /// is given to another, unless `is_lost`: a stretch of the same file has brought down two.
    async fn stretch_of(
        &self,
        id: &'static str,
        file: &InputFile,
        asked: ByteBuf,
        whom: For,
        is_lost: &Cell<bool>,
        pulse: &Pulse,
    ) -> Result<Option<Result<ByteBuf, Error>>, Error> {
        let mut writer = Writer::default();
        let said = writer.file(file);
        let job = writer.finish(&Job::Stretch { reader: id, file: said, asked: asked.clone() });
        let done = match &job {
            Ok(job) => match self.done(job, &[], Urgency::Help(whom), pulse).await? {
                // It may have been another stretch that the same reader was at.
                Done::Died { .. } if !is_lost.get() => {
                    self.done(job, &[], Urgency::Help(whom), pulse).await?
                }
                done => done,
            },
            Err(_) => Done::Not,
        };
        // The file will be read in one go: what is left of it need not bring down two readers each.
        is_lost.set(is_lost.get() || matches!(done, Done::Died { .. }));
        Ok(match done {
            Done::Passed => None,
            Done::Said(Said::Stretch(answer), _) => Some(answer),
            Done::Said(Said::Misread(reason), _) | Done::Died { reason, .. } => {
                Some(Err(Error::from(help::stopped(reason)).in_file(&file.path)))
            }
            Done::Said(..) | Done::Not => {
                let alone = self.alone.lock().await;
                Some(alone.stretch(id, file, &asked, pulse).await.map(ByteBuf::from))
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
            let mut writer = Writer::default();
            let said = files.iter().map(|file| writer.file(file)).collect();
            let done = match writer.finish(&Job::Look(said)) {
                Ok(job) => self.done(&job, files, Urgency::Import, pulse).await?,
                Err(_) => Done::Not,
            };
            match (done, files) {
                (Done::Said(Said::Looked(all), _), _) if all.len() == files.len() => Ok(all),
                (Done::Died { reason, .. } | Done::Said(Said::Misread(reason), _), [_]) => {
                    Ok(vec![Err(stopped("looking at", reason))])
                }
                (Done::Died { .. } | Done::Said(Said::Misread(_), _), _) => {
                    let alone =
                        files.iter().map(|file| self.look_at(std::slice::from_ref(file), pulse));
                    let all = join_all(alone).await.into_iter().collect::<Result<Vec<_>, _>>()?;
                    Ok(all.into_iter().flatten().collect())
                }
                (Done::Said(..) | Done::Passed | Done::Not, _) => {
                    self.alone.lock().await.look(files, pulse).await
                }
            }
        })
    }

    /// Reads a bundle in this program.
    async fn read_alone(
        &self,
        producer: &'static dyn Producer,
        bundle: &Bundle,
        before: &Marks,
        pulse: &Pulse,
    ) -> Result<BundleRead, Error> {
        let one = [(producer, bundle.clone())];
        let all = self.alone.lock().await.read(&one, before, pulse).await?;
        all.into_iter().next().ok_or_else(cancelled)
    }

    /// Reads a bundle, what has grown since `before` on from there. A file that brings its reader down is
    /// named and left out.
    async fn read_bundle(
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
            let mut writer = Writer::default();
            let n_at_once = self.hands.n_readers();
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
                Done::Said(Said::Read { mut outcome, apart, marks }, message) => {
                    let put = message.put_tables(runs_of(&mut outcome), &apart);
                    match put.and_then(|()| marks.into_marks(&message)) {
                        Ok(marks) => {
                            marks.know(paths(bundle));
                            return Ok(with_notes(outcome, deadly.into_vec(), marks));
                        }
                        Err(err) => (err.to_string(), None),
                    }
                }
                Done::Said(Said::Misread(reason), _) => (reason, None),
                Done::Died { reason, file } => (reason, file),
                Done::Said(..) | Done::Passed | Done::Not => {
                    return self.read_alone(producer, &rest, before, pulse).await;
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
            deadly.add(&gone.file.path, NoteKind::Broken, Place::File, detail);
            n_deadly += 1;
        }
    }
}

impl Crew for Pool {
    fn open<'a>(
        &'a self,
        file: Dropped,
        allowance: &'a mut Allowance,
        notes: &'a Notes,
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<Dropped>, input::Error>> {
        Box::pin(async move {
            pulse.set_file(&file.path);
            let mut writer = Writer::default();
            let (path, place) = (file.path.clone(), writer.place(&file.data));
            let own = allowance.of_file(&path);
            let job = writer.finish(&Job::Open { path, place, allowance: own });
            let done = match &job {
                Ok(job) => self.done(job, &[], Urgency::Import, pulse).await,
                Err(_) => Ok(Done::Not),
            };
            match done.map_err(|_cancelled| input::Error::from(input::Cancelled))? {
                Done::Said(Said::Opened { files, allowance: after, notes: more }, message) => {
                    allowance.used(after);
                    notes.extend(more);
                    let own = |(path, place): (String, _)| {
                        message.source(&place).ok().map(|data| Dropped { path, data })
                    };
                    Ok(files.into_iter().filter_map(own).collect())
                }
                Done::Said(Said::Misread(reason), _) | Done::Died { reason, .. } => {
                    let detail = stopped("unwrapping", reason).to_string();
                    notes.add(&file.path, NoteKind::Broken, Place::File, detail);
                    Ok(Vec::new())
                }
                Done::Said(..) | Done::Passed | Done::Not => {
                    self.alone.lock().await.open(file, allowance, notes, pulse).await
                }
            }
        })
    }

    fn n_at_once(&self) -> usize {
        self.hands.n_readers().max(1)
    }

    fn again<'a>(
        &'a self,
        producer: &'static dyn Producer,
        bundle: &'a Bundle,
        wanted: &'a Wanted,
    ) -> LocalFuture<'a, Result<Given, Error>> {
        Box::pin(async move {
            let mut writer = Writer::default();
            let said = writer.bundle(bundle);
            let (id, own) = (producer.id(), wanted.clone());
            let job = writer.finish(&Job::Again { reader: id, bundle: said, wanted: own });
            let pulse = Pulse::silent();
            let done = match &job {
                Ok(job) => self.done(job, &[], Urgency::Asked, &pulse).await?,
                Err(_) => Done::Not,
            };
            match done {
                Done::Said(Said::Again(given), _) => given,
                Done::Said(Said::Misread(reason), _) | Done::Died { reason, .. } => {
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
                    self.alone.lock().await.again(producer, bundle, wanted).await
                }
            }
        })
    }

    fn share(&self, files: &mut [InputFile]) {
        // What an archive was unwrapped to holds many files.
        let mut kept: Vec<(Rc<dyn ReadAt>, Rc<dyn ReadAt>)> = Vec::new();
        for file in files {
            let (own, span) = whole(&file.data);
            let known = kept.iter().rfind(|(before, _)| Rc::ptr_eq(before, &own));
            let now = match (known, own.origin()) {
                (Some((_, now)), _) => Rc::clone(now),
                (None, Origin::Memory(bytes)) => {
                    let Some(now) = self.hands.keep(bytes) else { continue };
                    kept.push((Rc::clone(&own), Rc::clone(&now)));
                    now
                }
                (None, _) => continue,
            };
            file.data = match span {
                Some(span) => Rc::new(PartSource::new(now, span)),
                None => now,
            };
        }
    }

    fn look<'a>(
        &'a self,
        files: &'a [InputFile],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<LookedAt>, Error>> {
        Box::pin(async move {
            let n_jobs = (self.hands.n_readers() * JOBS_EACH).max(1);
            let n_each = files.len().div_ceil(n_jobs).clamp(1, MAX_LOOKED_AT);
            let jobs = files.chunks(n_each).map(|files| self.look_at(files, pulse));
            let all = join_all(jobs).await.into_iter().collect::<Result<Vec<_>, _>>()?;
            Ok(all.into_iter().flatten().collect())
        })
    }

    fn content_keys<'a>(
        &'a self,
        files: &'a [(&'static str, Rc<Claimed>)],
        pulse: &'a Pulse,
    ) -> LocalFuture<'a, Result<Vec<ContentKeys>, Error>> {
        let read = move |one: &'a (&'static str, Rc<Claimed>)| async move {
            let mut writer = Writer::default();
            let file = writer.claimed(&one.1);
            let done = match writer.finish(&Job::Keys { reader: one.0, file }) {
                Ok(job) => self.done(&job, &[], Urgency::Import, pulse).await?,
                Err(_) => Done::Not,
            };
            match done {
                Done::Said(Said::Keys(keys), _) => Ok(keys),
                // It is named when it is read.
                Done::Died { .. } | Done::Said(Said::Misread(_), _) => Ok(ContentKeys::default()),
                Done::Said(..) | Done::Passed | Done::Not => {
                    let alone = self.alone.lock().await;
                    let keys = alone.content_keys(std::slice::from_ref(one), pulse).await?;
                    Ok(keys.into_iter().next().unwrap_or_default())
                }
            }
        };
        Box::pin(async move { join_all(files.iter().map(read)).await.into_iter().collect() })
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

/// The file of `bundle`, if it is only one; else its path.
fn path_of(bundle: &Bundle) -> String {
    match bundle.files.as_slice() {
        [only] => only.file.path.clone(),
        _ => bundle.path.clone(),
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

fn stopped(doing: &'static str, reason: String) -> input::Error {
    input::Error::new(ErrorKind::Stopped { doing, reason }, 0)
}

fn cancelled() -> Error {
    input::Error::from(input::Cancelled).into()
}
