//! Messages between workspace and readers: CBOR with names, and beside it the sources that it is
//! about. A source cannot be written as bytes: in the page it is a handle that the browser passes on,
//! natively it is the source itself.

use crate::input::{InputFile, PackedSource, Packing, PartSource, ReadAt, Shape, SourceOrigin};
use crate::model::{Run, SourceId};
use crate::readers::{
    Bundle, Checked, Claim, Claimed, Misread, checked_list, from_bytes, to_bytes,
};
use arrow_array::RecordBatch;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::rc::Rc;

/// Rows of a run from which on its tables travel beside the message.
const MIN_ROWS_APART: usize = 1_000;

/// A message.
#[derive(Clone, Default)]
pub struct PoolMessage {
    /// What is said.
    pub body: Vec<u8>,
    /// The sources that it is about, in the order of their numbers.
    pub sources: Vec<Rc<dyn ReadAt>>,
    /// Large tables of what is said, which are passed on as they are.
    pub tables: Vec<RecordBatch>,
}

/// A source as a message names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceMessage {
    number: u32,
    way: Vec<SourceStep>,
}

/// A step from a source to what lies in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum SourceStep {
    /// These bytes of it.
    Part(Range<u64>),
    /// This file of the archive that it is.
    Packed(Packing),
}

/// What `source` lies in, and the steps from there; none: it is the whole.
pub(super) fn whole(source: &Rc<dyn ReadAt>) -> (Rc<dyn ReadAt>, Vec<SourceStep>) {
    let (mut own, mut way) = (Rc::clone(source), Vec::<SourceStep>::new());
    loop {
        let (whole, step) = match own.origin() {
            SourceOrigin::Own | SourceOrigin::Memory(_) | SourceOrigin::Handle(_) => break,
            SourceOrigin::Packed(whole, packing) => (Rc::clone(whole), SourceStep::Packed(packing)),
            SourceOrigin::Part(whole, part) => (Rc::clone(whole), SourceStep::Part(part)),
        };
        let step = match (way.first(), step) {
            (Some(SourceStep::Part(inner)), SourceStep::Part(outer)) => {
                let both = outer.start + inner.start..outer.start + inner.end;
                way.remove(0);
                SourceStep::Part(both)
            }
            (_, step) => step,
        };
        way.insert(0, step);
        own = whole;
    }
    (own, way)
}

/// What `way` leads to from `own`.
pub(super) fn follow(own: &Rc<dyn ReadAt>, way: &[SourceStep]) -> Rc<dyn ReadAt> {
    way.iter().fold(Rc::clone(own), |own, step| match step {
        SourceStep::Part(span) => Rc::new(PartSource::new(own, span.clone())),
        SourceStep::Packed(packing) => Rc::new(PackedSource::new(own, *packing)),
    })
}

/// Writes a message.
#[derive(Default)]
pub struct MessageWriter {
    sources: Vec<Rc<dyn ReadAt>>,
    tables: Vec<RecordBatch>,
}

impl MessageWriter {
    /// Names `source`; parts of one source share it.
    pub fn place(&mut self, source: &Rc<dyn ReadAt>) -> SourceMessage {
        let (own, way) = whole(source);
        let is_it = |known: &Rc<dyn ReadAt>| Rc::ptr_eq(known, &own);
        // The last ones first: files of an archive follow one another.
        let known = self.sources.iter().rposition(is_it);
        let number = known.unwrap_or_else(|| {
            self.sources.push(own);
            self.sources.len() - 1
        });
        SourceMessage { number: u32::try_from(number).unwrap_or(u32::MAX), way }
    }

    /// A file.
    pub fn file(&mut self, file: &InputFile) -> FileSaid {
        FileSaid { id: file.id, path: file.path.clone(), place: self.place(&file.data) }
    }

    /// A file with its claim.
    pub fn claimed(&mut self, claimed: &Claimed) -> ClaimedSaid {
        let Claimed { file, shape, claim } = claimed;
        ClaimedSaid { file: self.file(file), shape: shape.clone(), claim: claim.clone() }
    }

    /// Takes the tables out of `runs` whose run has many rows; gives the numbers of those runs.
    pub fn apart<'a>(&mut self, runs: impl Iterator<Item = &'a mut Run>) -> Vec<usize> {
        let mut apart = Vec::new();
        for (number, run) in runs.enumerate() {
            if run.cases.len() + run.checks.len() < MIN_ROWS_APART {
                continue;
            }
            if let Ok(tables) = run.take_tables() {
                self.tables.extend(tables);
                apart.push(number);
            }
        }
        apart
    }

    /// Takes along the table of the compared figures of `all`, if they have some.
    pub fn compared(&mut self, all: &[Checked]) {
        self.tables.extend_from_slice(checked_list::compared(all));
    }

    /// Takes `tables` along.
    pub fn beside(&mut self, tables: Vec<RecordBatch>) {
        self.tables.extend(tables);
    }

    /// A bundle.
    pub fn bundle(&mut self, bundle: &Bundle) -> BundleSaid {
        let files = bundle.files.iter().map(|claimed| self.claimed(claimed)).collect();
        BundleSaid { path: bundle.path.clone(), files }
    }

    /// The message that says `body`.
    ///
    /// # Errors
    /// When it cannot be written, which no type of ours brings about.
    pub fn finish<T: Serialize>(self, body: &T) -> Result<PoolMessage, Misread> {
        Ok(PoolMessage { body: to_bytes(body)?, sources: self.sources, tables: self.tables })
    }
}

impl PoolMessage {
    /// What it says.
    ///
    /// # Errors
    /// When it says something else.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Misread> {
        from_bytes(&self.body)
    }

    /// Puts the tables that travelled beside what is said back into `runs`, those whose numbers are
    /// `apart`; gives the tables that are left.
    ///
    /// # Errors
    /// When they came with another message.
    fn put_tables<'a>(
        &self,
        runs: impl Iterator<Item = &'a mut Run>,
        apart: &[usize],
    ) -> Result<&[RecordBatch], Misread> {
        let missing = || Misread("a table is missing".to_owned());
        let (own, rest) = self.tables.split_at_checked(apart.len() * 2).ok_or_else(missing)?;
        let (pairs, _) = own.as_chunks::<2>();
        let mut pairs = apart.iter().zip(pairs).peekable();
        for (number, run) in runs.enumerate() {
            let Some((_, tables)) = pairs.next_if(|(own, _)| **own == number) else { continue };
            let put = run.put_tables(tables.each_ref());
            put.ok_or_else(|| Misread("a table has other columns".to_owned()))?;
        }
        Ok(rest)
    }

    /// The same for all runs of `all`, numbered one after the other, and for the table of their compared figures.
    ///
    /// # Errors
    /// When a table came with another message.
    pub fn put_all_tables(&self, all: &mut [Checked], apart: &[usize]) -> Result<(), Misread> {
        let runs = all.iter_mut().flat_map(|checked| checked.evaluation.runs.iter_mut());
        let compared = self.put_tables(runs, apart)?;
        checked_list::put_compared(all, compared)
    }

    /// The source that `place` names.
    ///
    /// # Errors
    /// When it came with another message.
    pub fn source(&self, place: &SourceMessage) -> Result<Rc<dyn ReadAt>, Misread> {
        let own = usize::try_from(place.number).ok().and_then(|number| self.sources.get(number));
        let own = own.ok_or_else(|| Misread("a source is missing".to_owned()))?;
        Ok(follow(own, &place.way))
    }
}

/// A file as a message has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FileSaid {
    id: SourceId,
    path: String,
    place: SourceMessage,
}

impl FileSaid {
    /// The file.
    ///
    /// # Errors
    /// When its source came with another message.
    pub fn into_file(self, message: &PoolMessage) -> Result<InputFile, Misread> {
        Ok(InputFile { id: self.id, path: self.path, data: message.source(&self.place)? })
    }
}

/// A claimed file as a message has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClaimedSaid {
    file: FileSaid,
    shape: Shape,
    claim: Claim,
}

impl ClaimedSaid {
    /// The file.
    ///
    /// # Errors
    /// When its source came with another message.
    pub fn into_claimed(self, message: &PoolMessage) -> Result<Claimed, Misread> {
        let file = self.file.into_file(message)?;
        Ok(Claimed { file, shape: self.shape, claim: self.claim })
    }
}

/// A bundle as a message has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BundleSaid {
    path: String,
    files: Vec<ClaimedSaid>,
}

impl BundleSaid {
    /// The bundle.
    ///
    /// # Errors
    /// When a source came with another message.
    pub fn into_bundle(self, message: &PoolMessage) -> Result<Bundle, Misread> {
        let files = self.files.into_iter();
        let files = files.map(|claimed| claimed.into_claimed(message).map(Rc::new));
        Ok(Bundle { path: self.path, files: files.collect::<Result<_, _>>()? })
    }
}
