//! The checkpoints of a run directory, read one after the other; those of a large one side by side, maybe by other
//! programs.
//!
//! A checkpoint is read from its own files alone, so who reads it and when makes no difference.

use super::bundle::CheckpointFiles;
use super::checkpoint::{self, Built};
use super::stretches::{HelpRequest, ID};
use crate::input::{InputFile, Pulse, Shape};
use crate::model::{Note, Notes};
use crate::readers::{
    Answers, Claim, Claimed, Context, Error, ErrorKind, FetchedFiles, InProcess, Marks, Stretch,
    from_bytes, to_bytes,
};
use futures_util::{StreamExt as _, stream};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

/// How much of its files is fetched at once where nobody helps.
const FETCHED_BYTES: u64 = 16 << 20;

/// A checkpoint as others are asked for it.
#[derive(Serialize, Deserialize)]
pub(super) struct CheckpointRequest {
    folder: String,
    is_crowded: bool,
    is_after_skill: bool,
    /// What is known of its evaluation, its `reports.parquet` and its pytest report.
    files: [Option<(Shape, Claim)>; 3],
}

impl CheckpointRequest {
    fn of(unit: &CheckpointFiles) -> Self {
        let known = |file: &Option<Rc<Claimed>>| {
            file.as_ref().map(|claimed| (claimed.shape.clone(), claimed.claim.clone()))
        };
        Self {
            folder: unit.folder.clone(),
            is_crowded: unit.is_crowded,
            is_after_skill: unit.is_after_skill,
            files: [known(&unit.evaluation), known(&unit.reports), known(&unit.pytest)],
        }
    }

    /// The checkpoint; its files are the next ones of `files`.
    fn into_unit(self, files: &mut impl Iterator<Item = InputFile>) -> CheckpointFiles {
        let [evaluation, reports, pytest] = self.files.map(|known| {
            let (shape, claim) = known?;
            Some(Rc::new(Claimed { file: files.next()?, shape, claim }))
        });
        CheckpointFiles {
            folder: self.folder,
            evaluation,
            reports,
            pytest,
            is_crowded: self.is_crowded,
            is_after_skill: self.is_after_skill,
        }
    }
}

/// What came of a checkpoint.
#[derive(Serialize, Deserialize)]
struct CheckpointAnswer {
    outcome: Result<Built, Error>,
    notes: Vec<Note>,
}

/// Reads the checkpoints that [`CheckpointReading::begin`] asked for.
///
/// # Errors
/// When the work is cancelled.
pub(super) async fn answer(
    files: &[InputFile],
    requests: Vec<CheckpointRequest>,
    pulse: &Pulse,
) -> Result<Vec<u8>, Error> {
    pulse.set_phase("read checkpoints");
    let (before, alone) = (Marks::default(), InProcess::default());
    let mut files = files.iter().cloned();
    let mut answers = Vec::with_capacity(requests.len());
    for request in requests {
        let unit = request.into_unit(&mut files);
        let (notes, after) = (Notes::default(), before.next());
        let cx = Context { notes: &notes, pulse, before: &before, after: &after, helpers: &alone };
        let outcome = checkpoint::read(&unit, &cx).await;
        if let Err(err) = &outcome
            && err.is_cancelled()
        {
            return Err(err.clone());
        }
        answers.push(CheckpointAnswer { outcome, notes: notes.into_vec() });
    }
    pulse.set_phase("pack checkpoints");
    Ok(to_bytes(&answers)?)
}

/// Checkpoints that follow one another.
struct CheckpointPart {
    units: Range<usize>,
    /// Whether others read them.
    is_helped: bool,
}

/// The checkpoints of a bundle while they are read.
pub(super) struct CheckpointReading<'a> {
    cx: &'a Context<'a>,
    units: &'a [CheckpointFiles],
    parts: VecDeque<CheckpointPart>,
    answers: Answers<'a>,
    /// Of the part that is begun: what others have read, and what is still to be read here.
    ready: VecDeque<(usize, CheckpointAnswer)>,
    own: Range<usize>,
    fetched: FetchedFiles,
}

impl<'a> CheckpointReading<'a> {
    /// Has others begin with `units`, where there is so much of them that it is worth it. One whose own file is cut is
    /// read here.
    ///
    /// # Errors
    /// When the words for them cannot be written, which no type of ours brings about.
    pub(super) fn begin(cx: &'a Context<'a>, units: &'a [CheckpointFiles]) -> Result<Self, Error> {
        let is_cut = |unit: &CheckpointFiles| {
            let reports = unit.reports.as_ref();
            reports.is_some_and(|file| cx.helpers.stretch_bytes(file.file.len()).is_some())
        };
        let in_all = units.iter().map(n_bytes).sum();
        let stretch_bytes = cx.helpers.stretch_bytes(in_all).filter(|most| *most < in_all);
        let mut parts: VecDeque<CheckpointPart> = VecDeque::new();
        let mut n_bytes_of_last = 0;
        for (at, unit) in units.iter().enumerate() {
            let is_helped = stretch_bytes.is_some() && !is_cut(unit);
            n_bytes_of_last += n_bytes(unit);
            let most = stretch_bytes.unwrap_or(FETCHED_BYTES);
            match parts.back_mut() {
                Some(last) if last.is_helped == is_helped && n_bytes_of_last <= most => {
                    last.units.end = at + 1;
                }
                _ => {
                    parts.push_back(CheckpointPart { units: at..at + 1, is_helped });
                    n_bytes_of_last = n_bytes(unit);
                }
            }
        }
        let stretch = |part: &CheckpointPart| {
            let units = units.get(part.units.clone()).unwrap_or_default();
            let files = units.iter().flat_map(CheckpointFiles::files);
            let asked = units.iter().map(CheckpointRequest::of).collect();
            let asked = to_bytes(&HelpRequest::Checkpoints(asked))?;
            Ok(Stretch { files: files.map(|claimed| claimed.file.clone()).collect(), asked })
        };
        let helped = parts.iter().filter(|part| part.is_helped);
        let stretches: Vec<Stretch> = helped.map(stretch).collect::<Result<_, Error>>()?;
        let answers = if stretches.is_empty() {
            stream::empty().boxed_local()
        } else {
            cx.helpers.stretches(ID, stretches, cx.pulse)
        };
        let (ready, fetched) = (VecDeque::new(), FetchedFiles::default());
        Ok(Self { cx, units, parts, answers, ready, own: 0..0, fetched })
    }

    /// The files that are read here first.
    pub(super) fn first_files(&self) -> impl Iterator<Item = &'a InputFile> {
        let first = self.parts.front().filter(|part| !part.is_helped);
        self.files(first.map_or(0..0, |part| part.units.clone()))
    }

    fn files(&self, units: Range<usize>) -> impl Iterator<Item = &'a InputFile> + use<'a> {
        let units = self.units.get(units).unwrap_or_default().iter();
        units.flat_map(CheckpointFiles::files).map(|claimed| &claimed.file)
    }

    /// The next checkpoint, and what came of it.
    ///
    /// # Errors
    /// When the work is cancelled.
    pub(super) async fn next(
        &mut self,
    ) -> Result<Option<(&'a CheckpointFiles, Result<Built, Error>)>, Error> {
        loop {
            if let Some((at, CheckpointAnswer { outcome, notes })) = self.ready.pop_front() {
                notes.into_iter().for_each(|note| self.cx.notes.add_counted(note));
                let Some(unit) = self.units.get(at) else { continue };
                return Ok(Some((unit, outcome)));
            }
            if let Some(unit) = self.own.next().and_then(|at| self.units.get(at)) {
                return match checkpoint::read(unit, self.cx).await {
                    Err(err) if err.is_cancelled() => Err(err),
                    outcome => Ok(Some((unit, outcome))),
                };
            }
            let Some(CheckpointPart { units, is_helped }) = self.parts.pop_front() else {
                return Ok(None);
            };
            if is_helped && self.take_answer(units.clone()).await? {
                self.cx.pulse.breathe().await?;
                continue;
            }
            let files: Vec<InputFile> = self.files(units.clone()).cloned().collect();
            self.fetched = self.cx.helpers.fetch(&files).await;
            self.own = units;
        }
    }

    /// Waits for what others have read of `units`. `false`: who was to help has not come to an end.
    async fn take_answer(&mut self, units: Range<usize>) -> Result<bool, Error> {
        self.cx.pulse.set_phase("wait for checkpoints");
        let answer = match self.answers.next().await {
            Some(Err(err)) if err.is_cancelled() => return Err(err),
            answer => answer.unwrap_or_else(|| Err(Error::new(ErrorKind::Gone))),
        };
        self.cx.pulse.set_phase("join checkpoints");
        let Ok(answers) = answer.and_then(|read| Ok(from_bytes::<Vec<_>>(&read.said)?)) else {
            return Ok(false);
        };
        let is_whole = answers.len() == units.len();
        self.ready.extend(units.zip(answers).filter(|_| is_whole));
        Ok(is_whole)
    }
}

fn n_bytes(unit: &CheckpointFiles) -> u64 {
    unit.files().map(|claimed| claimed.file.len()).sum()
}
