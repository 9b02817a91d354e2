//! One job, from giving it out to what came of it; the stretches that it asks others to read.

use super::help::{self, For, Help, StretchSaid};
use super::job::{Job, ReaderMessage};
use super::message::{MessageWriter, PoolMessage};
use super::reader_pool::{JobEvent, Pool, Urgency, cancelled};
use crate::input::{InputFile, LocalFuture, Pulse};
use crate::model::SourceId;
use crate::readers::{self, Error, Stretch, StretchRead};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use serde_bytes::ByteBuf;
use std::cell::Cell;
use std::collections::HashMap;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

/// What came of a job.
pub(super) enum Done {
    /// Its reader's last word, and the message that it came with.
    Said(ReaderMessage, PoolMessage),
    /// That went to who waits for it.
    Passed,
    /// It brought its reader down, maybe at this file.
    Died { reason: String, file: Option<String> },
    /// It was not done: nobody can.
    Not,
}

impl Pool {
    /// Has a job done. `files` are those that it may want help with.
    pub(super) async fn done(
        &self,
        job: &PoolMessage,
        files: &[InputFile],
        urgency: Urgency,
        pulse: &Pulse,
    ) -> Result<Done, Error> {
        // Cancelled while nobody was at work, nothing else would say so.
        pulse.breathe().await.map_err(|_cancelled| cancelled())?;
        let Some(mut work) = self.runner.start(job, urgency) else { return Ok(Done::Not) };
        let mut file = None;
        let mut ahead = Vec::new();
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
                JobEvent::Said(message) => message,
                JobEvent::Passed => return Ok(Done::Passed),
                JobEvent::Died(reason) => return Ok(Done::Died { reason, file }),
                JobEvent::Nobody => return Ok(Done::Not),
            };
            match said.read() {
                Ok(ReaderMessage::Progress(n_bytes)) => pulse.count(n_bytes),
                Ok(ReaderMessage::Unreadable(path, reason)) => pulse.found_unreadable(path, reason),
                Ok(ReaderMessage::File(path)) => {
                    pulse.set_file(&path);
                    file = Some(path);
                }
                Ok(ReaderMessage::Ahead(some)) => ahead.extend(some),
                Ok(ReaderMessage::Help(Help { number, reader, stretches })) => {
                    let known: HashMap<SourceId, &InputFile> =
                        files.iter().map(|file| (file.id, file)).collect();
                    let is_lost = Rc::new(Cell::new(false));
                    for (nth, StretchSaid { files, asked }) in (0..).zip(stretches) {
                        let whom = For { job: work.number, help: number, nth };
                        let files = files.iter().map(|id| known.get(id).copied().cloned());
                        let stretch = files
                            .collect::<Option<Vec<_>>>()
                            .map(|files| Stretch { files, asked: asked.into_vec() });
                        let is_lost = Rc::clone(&is_lost);
                        helping.push(Box::pin(self.stretch(reader, stretch, whom, is_lost, pulse)));
                    }
                }
                Ok(mut last) => {
                    if let ReaderMessage::Read { outcome: Ok(all), .. } = &mut last {
                        all.splice(0..0, ahead);
                    }
                    return Ok(Done::Said(last, said));
                }
                Err(err) => return Ok(Done::Died { reason: err.to_string(), file }),
            }
        }
    }

    /// Has a stretch read; the job for which it is gets what there is to say of it. `None`: its files are not known.
    async fn stretch(
        &self,
        id: &'static str,
        stretch: Option<Stretch>,
        whom: For,
        is_lost: Rc<Cell<bool>>,
        pulse: &Pulse,
    ) -> Result<(), Error> {
        let answer = match stretch {
            Some(stretch) => self.stretch_of(id, stretch, whom, &is_lost, pulse).await?,
            None => Some(Err(Error::new(readers::ErrorKind::Gone))),
        };
        if let Some(answer) = answer {
            self.runner.give(whom, help::message_of(answer));
        }
        Ok(())
    }

    /// What there is to say of a stretch; `None`: who read it has said it. One that brings down its reader
    /// is given to another, unless `is_lost`: a stretch of the same help has brought down two.
    async fn stretch_of(
        &self,
        id: &'static str,
        Stretch { files, asked }: Stretch,
        whom: For,
        is_lost: &Cell<bool>,
        pulse: &Pulse,
    ) -> Result<Option<Result<StretchRead, Error>>, Error> {
        let mut writer = MessageWriter::default();
        let said = files.iter().map(|file| writer.file(file)).collect();
        let asked = ByteBuf::from(asked);
        let job = writer.finish(&Job::Stretch { reader: id, files: said, asked: asked.clone() });
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
        // The job that asked will read it: other stretches need not bring down two readers each.
        is_lost.set(is_lost.get() || matches!(done, Done::Died { .. }));
        Ok(match done {
            Done::Passed => None,
            Done::Said(ReaderMessage::Stretch(answer), PoolMessage { tables, .. }) => {
                Some(answer.map(|said| StretchRead { said: said.into_vec(), tables }))
            }
            Done::Said(ReaderMessage::Misread(reason), _) | Done::Died { reason, .. } => {
                Some(Err(help::stopped(reason).into()))
            }
            Done::Said(..) | Done::Not => {
                let in_process = self.in_process.lock().await;
                Some(in_process.stretch(id, &files, &asked, pulse).await)
            }
        })
    }
}
