//! A job of a reader: what is asked of it, what it says on the way, what comes of it.

use super::ahead;
use super::help::{self, Help, HelpWait, StretchSaid};
use super::message::{
    BundleSaid, ClaimedSaid, FileSaid, MessageWriter, PoolMessage, SourceMessage,
};
use super::source_marks::MarksSaid;
use crate::input::{self, Allowance, Dropped, InputFile, LocalFuture, Pulse, ReadAt, Witness};
use crate::model::word::{self, Word};
use crate::model::{Note, Notes, Run};
use crate::readers::{
    Answers, BundleRead, Checked, Claimed, ContentKeys, Error, FetchedFiles, Given, Helpers,
    LookedAt, Misread, READERS, Reader, Stretch, Wanted, checked_list, look, read, read_again,
    reader,
};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::cell::Cell;
use std::io;
use std::rc::Rc;

/// What is asked of a reader.
#[derive(Debug, Serialize, Deserialize)]
pub enum Job {
    /// To unwrap a file.
    Open {
        /// Its path.
        path: String,
        /// Where it lies.
        place: SourceMessage,
        /// What it may expand to, and which names are taken.
        allowance: Allowance,
    },
    /// To look at files.
    Look(Vec<FileSaid>),
    /// To read what files say about what they belong to.
    Keys(Vec<KeysSaid>),
    /// To read a bundle.
    Read {
        /// Whose it is.
        #[serde(with = "word")]
        reader: Word,
        /// The bundle.
        bundle: BundleSaid,
        /// How many readers would help with large files.
        n_at_once: usize,
        /// How far its files were read before.
        before: MarksSaid,
    },
    /// To read again what is wanted of a bundle.
    Again {
        /// Whose it is.
        #[serde(with = "word")]
        reader: Word,
        /// The files in which it lies.
        bundle: BundleSaid,
        /// What is wanted.
        wanted: Wanted,
    },
    /// To read a stretch of a bundle.
    Stretch {
        /// Whose it is.
        #[serde(with = "word")]
        reader: Word,
        /// The files in which it lies.
        files: Vec<FileSaid>,
        /// What the reader that is at the file wants to know.
        asked: ByteBuf,
    },
}

/// A file whose keys are to be read.
#[derive(Debug, Serialize, Deserialize)]
pub struct KeysSaid {
    /// Whose it is.
    #[serde(with = "word")]
    pub reader: Word,
    /// The file.
    pub file: ClaimedSaid,
}

/// What a reader says. The last thing is what came of the job.
#[derive(Serialize, Deserialize)]
pub enum ReaderMessage {
    /// So many bytes more are done.
    Progress(u64),
    /// This file is begun.
    File(String),
    /// This file could not be read, and why.
    Unreadable(String, String),
    /// It wants help with a file of its bundle.
    Help(Help),
    /// What the file was unwrapped to, what is still allowed, what was noted.
    Opened {
        /// Paths of the files, and where they lie.
        files: Vec<(String, SourceMessage)>,
        /// What is left of the allowance.
        allowance: Allowance,
        /// What was noted.
        notes: Vec<Note>,
    },
    /// What looking at the files gave.
    Looked(Vec<LookedAt>),
    /// What the files say.
    Keys(Vec<ContentKeys>),
    /// The next evaluations of the bundle, which are complete: there is more than one message's worth of them.
    Ahead(#[serde(with = "checked_list")] Vec<Checked>),
    /// What came of the bundle.
    Read {
        /// Its evaluations, without those that went ahead; or why nothing could be made of it, with the notes.
        outcome: Result<Vec<Checked>, (Error, Vec<Note>)>,
        /// The runs, counted over all evaluations and those that went ahead, whose tables travel beside the message.
        apart: Vec<usize>,
        /// How far its files were read.
        marks: MarksSaid,
    },
    /// What was read again.
    Again(Result<Given, Error>),
    /// What it knows of the stretch; its tables travel beside the message.
    Stretch(Result<ByteBuf, Error>),
    /// The job was not understood.
    Misread(String),
}

/// The line from a reader to the workspace.
pub trait WorkspaceLine {
    /// Says something on the way.
    fn say(&self, said: &ReaderMessage);

    /// Says whether it waits for help, and can be given other work meanwhile.
    fn waits(&self, _is_waiting: bool) {}

    /// Fetches the bytes of the small ones among `sources`, where that is faster than reading each when it is wanted.
    fn fetch<'a>(&'a self, _sources: &'a [Rc<dyn ReadAt>]) -> LocalFuture<'a, FetchedFiles> {
        Box::pin(std::future::ready(FetchedFiles::default()))
    }

    /// Hears of every file that is begun; tests bring a reader down here.
    fn begins(&self, _path: &str) {}

    /// Hears of every part of the work that is begun: who measures wants to know.
    fn phase(&self, _name: &'static str) {}
}

/// Does the job that `message` asks for. What it says last is what is returned; all else goes over
/// `line`. `waiting` gets the help that the job asks for.
pub async fn work(
    message: &PoolMessage,
    line: &Rc<dyn WorkspaceLine>,
    waiting: &Rc<HelpWait>,
) -> PoolMessage {
    let mut writer = MessageWriter::default();
    let job = message.read::<Job>();
    let fetches_itself = |job: &Job| match job {
        Job::Read { reader: id, .. } => reader(id).is_some_and(Reader::fetches_itself),
        _ => false,
    };
    let _fetched = match &job {
        Ok(job) if !fetches_itself(job) => line.fetch(&message.sources).await,
        _ => FetchedFiles::default(),
    };
    let outcome = match job {
        Ok(Job::Open { path, place, allowance }) => {
            open(path, &place, allowance, message, line, &mut writer).await
        }
        Ok(Job::Look(files)) => look_at(files, message, line).await,
        Ok(Job::Read { reader, bundle, n_at_once, before }) => {
            let asking = Asking { line: Rc::clone(line), waiting: Rc::clone(waiting), n_at_once };
            read_bundle(reader, bundle, before, &asking, message, &mut writer).await
        }
        Ok(Job::Keys(files)) => content_keys(files, message, line),
        Ok(Job::Again { reader, bundle, wanted }) => again(reader, bundle, &wanted, message, line),
        Ok(Job::Stretch { reader, files, asked }) => {
            read_stretch(reader, files, &asked, message, line, &mut writer).await
        }
        Err(err) => Err(err),
    };
    let said = outcome.unwrap_or_else(|err| ReaderMessage::Misread(err.to_string()));
    // What cannot be written is no word either: nothing is, which is not understood.
    writer.finish(&said).unwrap_or_default()
}

async fn open(
    path: String,
    place: &SourceMessage,
    mut allowance: Allowance,
    message: &PoolMessage,
    line: &Rc<dyn WorkspaceLine>,
    writer: &mut MessageWriter,
) -> Result<ReaderMessage, Misread> {
    let (notes, pulse) = (Notes::default(), pulse(line, false));
    let (own, telling) = (path.clone(), Rc::clone(line));
    let on_fault = move |err: &io::Error| {
        telling.say(&ReaderMessage::Unreadable(own.clone(), err.to_string()));
    };
    let data = Rc::new(Witness::new(message.source(place)?, Rc::new(on_fault)));
    let file = Dropped { path, data };
    let unwrapped = input::unwrap(file, &mut allowance, &notes, &pulse).await;
    pulse.say_rest();
    // Nobody cancels here: a reader that is to stop is ended.
    let files = unwrapped.unwrap_or_default().into_iter();
    let files = files.map(|file| (file.path, writer.place(&file.data))).collect();
    Ok(ReaderMessage::Opened { files, allowance, notes: notes.into_vec() })
}

async fn look_at(
    files: Vec<FileSaid>,
    message: &PoolMessage,
    line: &Rc<dyn WorkspaceLine>,
) -> Result<ReaderMessage, Misread> {
    let pulse = pulse(line, false);
    let mut all = Vec::new();
    for file in files {
        all.push(look(READERS, &witnessed(file.into_file(message)?, line), &pulse).await);
    }
    pulse.say_rest();
    Ok(ReaderMessage::Looked(all))
}

async fn read_bundle(
    id: Word,
    bundle: BundleSaid,
    before: MarksSaid,
    asking: &Asking,
    message: &PoolMessage,
    writer: &mut MessageWriter,
) -> Result<ReaderMessage, Misread> {
    let mut bundle = bundle.into_bundle(message)?;
    for claimed in &mut bundle.files {
        let Claimed { file, shape, claim } = Claimed::clone(claimed);
        *claimed = Rc::new(Claimed { file: witnessed(file, &asking.line), shape, claim });
    }
    let before = before.into_marks(message)?;
    let reader = reader(id).ok_or_else(|| Misread(format!("there is no reader {id:?}")))?;
    let pulse = pulse(&asking.line, true);
    let read = read(reader, &bundle, &before, asking, &pulse.pulse).await;
    pulse.say_rest();
    // Nobody cancels here: a reader that is to stop is ended.
    let BundleRead { mut outcome, marks } = read.unwrap_or_else(BundleRead::failed);
    let marks = writer.marks(&marks, marks.paths().iter().map(String::as_str));
    let apart = writer.apart(runs_of(&mut outcome));
    if let Ok(all) = &mut outcome {
        writer.compared(all);
        ahead::say_ahead(all, apart.first().copied(), asking.line.as_ref());
    }
    Ok(ReaderMessage::Read { outcome, apart, marks })
}

/// All runs of what came of a bundle.
fn runs_of(
    outcome: &mut Result<Vec<Checked>, (Error, Vec<Note>)>,
) -> impl Iterator<Item = &mut Run> {
    outcome.iter_mut().flatten().flat_map(|checked| checked.evaluation.runs.iter_mut())
}

fn content_keys(
    files: Vec<KeysSaid>,
    message: &PoolMessage,
    line: &Rc<dyn WorkspaceLine>,
) -> Result<ReaderMessage, Misread> {
    let keys = files.into_iter().map(|KeysSaid { reader: id, file }| {
        let claimed = file.into_claimed(message)?;
        let reader = reader(id).ok_or_else(|| Misread(format!("there is no reader {id:?}")))?;
        line.begins(&claimed.file.path);
        Ok(reader.content_keys(&claimed))
    });
    Ok(ReaderMessage::Keys(keys.collect::<Result<_, Misread>>()?))
}

fn again(
    id: Word,
    bundle: BundleSaid,
    wanted: &Wanted,
    message: &PoolMessage,
    line: &Rc<dyn WorkspaceLine>,
) -> Result<ReaderMessage, Misread> {
    let bundle = bundle.into_bundle(message)?;
    let reader = reader(id).ok_or_else(|| Misread(format!("there is no reader {id:?}")))?;
    for claimed in &bundle.files {
        line.begins(&format!("{} {}", wanted.doing(), claimed.file.path));
    }
    Ok(ReaderMessage::Again(read_again(reader, &bundle, wanted)))
}

async fn read_stretch(
    id: Word,
    files: Vec<FileSaid>,
    asked: &[u8],
    message: &PoolMessage,
    line: &Rc<dyn WorkspaceLine>,
    writer: &mut MessageWriter,
) -> Result<ReaderMessage, Misread> {
    let files = files.into_iter();
    let files = files.map(|file| Ok(witnessed(file.into_file(message)?, line)));
    let files = files.collect::<Result<Vec<InputFile>, Misread>>()?;
    let reader = reader(id).ok_or_else(|| Misread(format!("there is no reader {id:?}")))?;
    let pulse = pulse(line, false);
    let outcome = reader.stretch(&files, asked, &pulse).await;
    pulse.say_rest();
    let (outcome, tables) = help::apart(outcome);
    writer.beside(tables);
    Ok(ReaderMessage::Stretch(outcome))
}

/// `file`, which says over the line when it cannot be read.
fn witnessed(file: InputFile, line: &Rc<dyn WorkspaceLine>) -> InputFile {
    let line = Rc::clone(line);
    file.witnessed(move |path, err| {
        line.say(&ReaderMessage::Unreadable(path.to_owned(), err.to_string()));
    })
}

/// A pulse that says over a line how far it is.
struct Telling {
    pulse: Pulse,
    line: Rc<dyn WorkspaceLine>,
    n_said: Rc<Cell<u64>>,
}

impl std::ops::Deref for Telling {
    type Target = Pulse;

    fn deref(&self) -> &Pulse {
        &self.pulse
    }
}

/// `says_files`: whether the workspace is to know which file is being read, should that be the end of
/// the reader.
fn pulse(line: &Rc<dyn WorkspaceLine>, says_files: bool) -> Telling {
    let n_said = Rc::new(Cell::new(0));
    let (breathing, counted) = (Rc::clone(line), Rc::clone(&n_said));
    let (naming, measured) = (Rc::clone(line), Rc::clone(line));
    let pulse = Pulse::new(move |progress: input::Progress| {
        let n_bytes = progress.n_done.saturating_sub(counted.replace(progress.n_done));
        if n_bytes > 0 {
            breathing.say(&ReaderMessage::Progress(n_bytes));
        }
        Box::pin(std::future::ready(true))
    })
    .on_file(move |path| {
        if says_files {
            naming.say(&ReaderMessage::File(path.to_owned()));
        }
        naming.begins(path);
    })
    .on_phase(move |name| measured.phase(name));
    Telling { pulse, line: Rc::clone(line), n_said }
}

impl Telling {
    /// Says what was done since it was said last.
    fn say_rest(&self) {
        let n_done = self.pulse.n_done();
        let n_bytes = n_done.saturating_sub(self.n_said.replace(n_done));
        if n_bytes > 0 {
            self.line.say(&ReaderMessage::Progress(n_bytes));
        }
    }
}

/// Help over the line.
struct Asking {
    line: Rc<dyn WorkspaceLine>,
    waiting: Rc<HelpWait>,
    n_at_once: usize,
}

impl Helpers for Asking {
    fn n_at_once(&self) -> usize {
        self.n_at_once
    }

    fn stretches<'a>(
        &'a self,
        id: &'static str,
        stretches: Vec<Stretch>,
        // What the helpers do counts in the workspace.
        _pulse: &'a Pulse,
    ) -> Answers<'a> {
        let said = |Stretch { files, asked }: Stretch| StretchSaid {
            files: files.iter().map(|file| file.id).collect(),
            asked: ByteBuf::from(asked),
        };
        let stretches: Vec<StretchSaid> = stretches.into_iter().map(said).collect();
        let n = u32::try_from(stretches.len()).unwrap_or(u32::MAX);
        self.waiting.ask(&self.line, n, |number| Help { number, reader: id, stretches })
    }

    fn fetch<'a>(&'a self, files: &'a [InputFile]) -> LocalFuture<'a, FetchedFiles> {
        Box::pin(async {
            let sources: Vec<Rc<dyn ReadAt>> =
                files.iter().map(|file| Rc::clone(&file.data)).collect();
            self.line.fetch(&sources).await
        })
    }
}
