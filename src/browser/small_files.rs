//! Bytes of small files that were fetched once: many files in one request of the browser, and from then on
//! for everything that an import does with them.
//!
//! Each request takes the browser about as long as a hundred kilobytes of a file, wherever they come from.
//! So readers read many files as one blob; the bytes lie in one buffer outside of the programs' memory, and
//! go on to other readers as one buffer with each job.

use super::Error;
use super::file_source::{FileSource, blob_of, blob_with, source};
use crate::hosting::RemoteFile;
use crate::input::{ByteStream, ReadAt, SourceOrigin};
use futures_util::future::join_all;
use js_sys::{Array, Float64Array, Uint8Array};
use std::cell::{Cell, RefCell};
use std::io;
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// Files up to this size are fetched whole, of larger ones the first bytes, which say how they are wrapped.
const SMALL_BYTES: f64 = 256e3;
const HEAD_BYTES: f64 = 512.0;

/// Most bytes that are kept of what is opened at once, and most that a reader fetches for one job: that
/// many at the most lie in each of them.
const MAX_KEPT_BYTES: f64 = 192e6;

/// Most bytes that go with one job.
const MAX_PASSED_BYTES: u32 = 64_000_000;

/// Files that are fetched in one request, at the most, and their bytes.
const MAX_FILES: usize = 200;
const MAX_BYTES: f64 = 16e6;

/// What was not fetched has this many bytes.
const NONE: f64 = -1.0;

/// Files that are to be fetched in one request, and how many bytes of each.
pub struct Batch {
    files: Vec<Blob>,
    wanted: Vec<f64>,
}

/// The bytes of a batch, until they are let go.
type Bytes = Rc<RefCell<Option<Uint8Array>>>;

/// What is fetched of the files that are opened at once, or that a job is about.
pub struct Keep {
    /// Bytes that are wanted of a file that is not fetched whole.
    head: f64,
    n_bytes: Cell<f64>,
    all: RefCell<Vec<Bytes>>,
}

impl Keep {
    /// For files that are opened: first bytes of large ones too.
    pub fn opening() -> Self {
        Self::new(HEAD_BYTES)
    }

    /// For files that a job is about.
    fn reading() -> Self {
        Self::new(NONE)
    }

    fn new(head: f64) -> Self {
        Self { head, n_bytes: Cell::new(0.0), all: RefCell::default() }
    }

    /// `files` in batches, in their order.
    pub fn batches(&self, files: Vec<Blob>) -> Vec<Batch> {
        let mut batches: Vec<Batch> = Vec::new();
        let mut n_bytes = 0.0;
        for file in files {
            let wanted = self.wanted(&file);
            n_bytes += wanted.max(0.0);
            match batches.last_mut() {
                Some(batch) if batch.files.len() < MAX_FILES && n_bytes <= MAX_BYTES => {
                    batch.files.push(file);
                    batch.wanted.push(wanted);
                }
                _ => {
                    batches.push(Batch { files: vec![file], wanted: vec![wanted] });
                    n_bytes = wanted.max(0.0);
                }
            }
        }
        batches
    }

    fn wanted(&self, file: &Blob) -> f64 {
        if file.type_() == RemoteFile::TYPE {
            return NONE;
        }
        let (size, n_bytes) = (file.size(), self.n_bytes.get());
        if size > SMALL_BYTES || n_bytes + size > MAX_KEPT_BYTES {
            return self.head.min(size);
        }
        self.n_bytes.set(n_bytes + size);
        size
    }

    /// Sources over the files of `batch`, of which `fetched` is here; `None`: nothing is, and what is wanted
    /// of them is read when it is.
    ///
    /// # Errors
    /// As [`source`].
    pub fn sources(
        &self,
        batch: Batch,
        fetched: Option<FetchedBatch>,
    ) -> Result<Vec<Rc<dyn ReadAt>>, Error> {
        let is_none = fetched.is_none();
        let FetchedBatch { bytes, lens } = fetched.unwrap_or_default();
        let bytes: Bytes = Rc::new(RefCell::new(Some(bytes)));
        self.all.borrow_mut().push(Rc::clone(&bytes));
        let mut at = 0;
        let lens = lens.into_iter().chain(std::iter::repeat(NONE));
        batch
            .files
            .into_iter()
            .zip(batch.wanted)
            .zip(lens)
            .map(|((file, wanted), len)| {
                if len < 0.0 && wanted == 0.0 && !is_none {
                    return Ok(Rc::new(FileSource::gone(file)?) as Rc<dyn ReadAt>);
                }
                if len < 0.0 {
                    return source(file);
                }
                let (start, len) = (at, len as u32);
                at += len;
                let file = FileSource::new(file)?;
                Ok(Rc::new(CachedFile { file, bytes: Rc::clone(&bytes), start, len })
                    as Rc<dyn ReadAt>)
            })
            .collect()
    }
}

/// What they were fetched for is done.
impl Drop for Keep {
    fn drop(&mut self) {
        for bytes in self.all.borrow().iter() {
            bytes.take();
        }
    }
}

/// What was fetched of a batch: the bytes one after the other, and how many there are of each file.
#[derive(Default)]
pub struct FetchedBatch {
    /// The bytes.
    pub bytes: Uint8Array,
    /// How many of each file, [`NONE`] of one that could not be read.
    pub lens: Vec<f64>,
}

impl Batch {
    /// What a message to a reader has of it: the files, and how many bytes are wanted of each.
    pub fn pack(&self) -> (Array, Float64Array) {
        (self.files.iter().collect(), Float64Array::from(self.wanted.as_slice()))
    }

    /// The batch that [`pack`](Self::pack) has put into a message.
    pub fn unpack(files: &Array, wanted: &Float64Array) -> Self {
        let files = files.iter().map(JsValue::unchecked_into).collect();
        Self { files, wanted: wanted.to_vec() }
    }

    /// Fetches it. Should all of it together not be readable, each file is read on its own: what is wrong
    /// with one is no other's affair.
    pub async fn fetch(&self) -> FetchedBatch {
        let empty = self.parts(|_file, wanted| wanted == 0.0);
        let empty: Vec<(usize, JsFuture)> = empty.into_iter().map(begin).collect();
        let parts = self.parts(|_file, wanted| wanted > 0.0);
        let joined = match self.joined(&parts).await {
            Some(bytes) => FetchedBatch { bytes, lens: self.wanted.clone() },
            None => self.one_by_one(parts).await,
        };
        let mut lens = joined.lens;
        for (nth, fetching) in empty {
            // An empty file that is gone is not an empty file.
            if fetching.await.is_err()
                && let Some(len) = lens.get_mut(nth)
            {
                *len = NONE;
            }
        }
        FetchedBatch { lens, ..joined }
    }

    /// The number of each file that `is_meant`, and what of it is wanted.
    fn parts(&self, is_meant: impl Fn(&Blob, f64) -> bool) -> Vec<(usize, Blob)> {
        let all = self.files.iter().zip(&self.wanted).enumerate();
        all.filter(|(_, (file, wanted))| is_meant(file, **wanted))
            .filter_map(|(nth, (file, wanted))| {
                // A slice is a request of its own.
                let part = if *wanted >= file.size() {
                    Some(file.clone())
                } else {
                    file.slice_with_f64_and_f64(0.0, *wanted).ok()
                };
                Some((nth, part?))
            })
            .collect()
    }

    async fn joined(&self, parts: &[(usize, Blob)]) -> Option<Uint8Array> {
        if parts.is_empty() {
            return Some(Uint8Array::default());
        }
        let list: Array = parts.iter().map(|(_, part)| part).collect();
        let joined = Blob::new_with_blob_sequence(&list).ok()?;
        let bytes = Uint8Array::new(&JsFuture::from(joined.array_buffer()).await.ok()?);
        let n_wanted: f64 = self.wanted.iter().map(|wanted| wanted.max(0.0)).sum();
        (f64::from(bytes.length()) == n_wanted).then_some(bytes)
    }

    async fn one_by_one(&self, parts: Vec<(usize, Blob)>) -> FetchedBatch {
        let mut lens: Vec<f64> =
            self.wanted.iter().map(|wanted| if *wanted > 0.0 { NONE } else { *wanted }).collect();
        let parts: Vec<(usize, JsFuture)> = parts.into_iter().map(begin).collect();
        let mut read = Vec::new();
        for (nth, fetching) in parts {
            let Ok(buffer) = fetching.await else { continue };
            let bytes = Uint8Array::new(&buffer);
            let wanted = self.wanted.get(nth).copied().unwrap_or_default();
            if let Some(len) = lens.get_mut(nth)
                && f64::from(bytes.length()) == wanted
            {
                *len = wanted;
                read.push(bytes);
            }
        }
        FetchedBatch { bytes: join(&read), lens }
    }
}

fn begin((nth, part): (usize, Blob)) -> (usize, JsFuture) {
    (nth, JsFuture::from(part.array_buffer()))
}

/// One buffer with all of `parts`.
fn join(parts: &[Uint8Array]) -> Uint8Array {
    let all = Uint8Array::new_with_length(parts.iter().map(Uint8Array::length).sum());
    let mut at = 0;
    for part in parts {
        all.set(part, at);
        at += part.length();
    }
    all
}

/// A file whose first bytes, or all, are kept.
#[derive(Clone)]
pub struct CachedFile {
    file: FileSource,
    bytes: Bytes,
    start: u32,
    len: u32,
}

impl CachedFile {
    /// Bytes `from..to` of the file, where they are kept.
    fn part(&self, from: u32, to: u32) -> Option<Uint8Array> {
        let bytes = self.bytes.borrow();
        let bytes = bytes.as_ref().filter(|_| from <= to && to <= self.len)?;
        Some(bytes.subarray(self.start + from, self.start + to))
    }

    /// All of its bytes.
    fn whole(&self) -> Option<Uint8Array> {
        let is_whole = u64::from(self.len) == self.file.len();
        is_whole.then(|| self.part(0, self.len))?
    }
}

impl ReadAt for CachedFile {
    fn len(&self) -> u64 {
        self.file.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        let end = offset.saturating_add(buf.len() as u64);
        let part = u32::try_from(offset).ok().zip(u32::try_from(end).ok());
        match part.and_then(|(from, to)| self.part(from, to)) {
            Some(part) => part.copy_to(buf),
            None => self.file.read_at(offset, buf)?,
        }
        Ok(())
    }

    // What is kept need not be asked for again.
    fn stream(&self, span: Range<u64>) -> Option<Box<dyn ByteStream>> {
        if self.whole().is_some() { None } else { self.file.stream(span) }
    }

    fn origin(&self) -> SourceOrigin<'_> {
        SourceOrigin::Handle(self)
    }
}

/// Bytes that came with a job, outside of this program's memory.
struct Passed(Uint8Array);

impl ReadAt for Passed {
    fn len(&self) -> u64 {
        u64::from(self.0.length())
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(buf.len() as u64).filter(|end| *end <= self.len());
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        self.0.subarray(offset as u32, end as u32).copy_to(buf);
        Ok(())
    }

    fn origin(&self) -> SourceOrigin<'_> {
        SourceOrigin::Handle(self)
    }
}

/// What stands for a source in a message to another worker.
pub enum Passing {
    /// A handle.
    Handle(Blob),
    /// Its bytes, if they are still kept when the message is written.
    Kept(CachedFile),
}

/// What stands for `source`; `None` when nothing can.
pub fn passing(source: &dyn ReadAt) -> Option<Passing> {
    if let SourceOrigin::Handle(handle) = source.origin()
        && let Some(kept) = handle.downcast_ref::<CachedFile>()
    {
        return Some(Passing::Kept(kept.clone()));
    }
    blob(source).map(Passing::Handle)
}

/// A handle of `source`; `None` when there can be none.
pub fn blob(source: &dyn ReadAt) -> Option<Blob> {
    match source.origin() {
        SourceOrigin::Handle(handle) => {
            let kept =
                || handle.downcast_ref::<CachedFile>().map(|kept| kept.file.handle().clone());
            let passed = || handle.downcast_ref::<Passed>().and_then(|passed| blob_with(&passed.0));
            handle.downcast_ref::<Blob>().cloned().or_else(kept).or_else(passed)
        }
        SourceOrigin::Memory(bytes) => blob_of(bytes),
        SourceOrigin::Own | SourceOrigin::Part(..) | SourceOrigin::Packed(..) => None,
    }
}

/// What a message has of `sources`: of each its handle, or the number of its bytes, and these bytes one after
/// the other.
pub fn pack(sources: &[Passing]) -> (Array, Uint8Array) {
    let (items, mut parts) = (Array::new(), Vec::new());
    let mut n_left = MAX_PASSED_BYTES;
    for source in sources {
        let kept = match source {
            Passing::Handle(_) => None,
            Passing::Kept(kept) => kept.whole().filter(|bytes| bytes.length() <= n_left),
        };
        items.push(&match (source, kept) {
            (_, Some(bytes)) => {
                n_left -= bytes.length();
                let n_bytes = JsValue::from(bytes.length());
                parts.push(bytes);
                n_bytes
            }
            (Passing::Handle(handle), None) => handle.into(),
            (Passing::Kept(kept), None) => kept.file.handle().into(),
        });
    }
    (items, join(&parts))
}

/// The sources that [`pack`] has put into a message, the small files among them fetched: as long as what is
/// returned with them is kept.
///
/// # Errors
/// As [`source`].
pub async fn unpack(
    items: &Array,
    bytes: &Uint8Array,
) -> Result<(Vec<Rc<dyn ReadAt>>, Keep), Error> {
    let keep = Keep::reading();
    let is_handle = |item: &JsValue| item.as_f64().is_none();
    let handles = items.iter().filter(is_handle).map(JsValue::unchecked_into).collect();
    let fetch = |batch: Batch| async move {
        let fetched = batch.fetch().await;
        (batch, fetched)
    };
    let mut fetched = Vec::new();
    for (batch, bytes) in join_all(keep.batches(handles).into_iter().map(fetch)).await {
        fetched.extend(keep.sources(batch, Some(bytes))?);
    }
    let (mut handles, mut at) = (fetched.into_iter(), 0);
    let of = |item: JsValue| match item.as_f64() {
        Some(n_bytes) => {
            let start = at;
            at += n_bytes as u32;
            Some(Rc::new(Passed(bytes.subarray(start, at))) as Rc<dyn ReadAt>)
        }
        None => handles.next(),
    };
    Ok((items.iter().filter_map(of).collect(), keep))
}
