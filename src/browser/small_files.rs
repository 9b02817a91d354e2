//! Bytes of small files that were fetched once: many files in one request of the browser, and from then on
//! for everything that an import does with them.
//!
//! Each request takes the browser about as long as a hundred kilobytes of a file, wherever they come from.
//! So readers read many files as one blob; the bytes lie in one buffer outside of the programs' memory, and
//! go on to other readers as one buffer with each job.

use super::Error;
use super::cached_file::{Bytes, CachedFile, FileBytes, Passed, join};
use super::file_source::source;
use crate::hosting::RemoteFile;
use crate::input::{ReadAt, SourceOrigin};
use futures_util::future::join_all;
use js_sys::{Array, Float64Array, Reflect, Uint8Array};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ops::RangeInclusive;
use std::rc::Rc;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// Files up to this size are fetched whole, of larger ones the first bytes, which say how they are wrapped.
const SMALL_BYTES: f64 = 1e6;
const HEAD_BYTES: f64 = 512.0;

/// Most bytes that are kept of what is opened at once, and most that a reader fetches for one job: so many for each GiB
/// that the browser says the device has, between these. One that says nothing has four.
const KEPT_BYTES_FOR_GIB: f64 = 48e6;
const KEPT_BYTES: RangeInclusive<f64> = 96e6..=384e6;
const GIB_UNKNOWN: f64 = 4.0;

/// Files that are fetched in one request, at the most, and their bytes.
const MAX_FILES: usize = 200;
const MAX_BYTES: f64 = 16e6;

/// What was not fetched has this many bytes.
const NONE: f64 = -1.0;

/// Files that are to be fetched in one request.
#[derive(Default)]
pub struct Batch {
    paths: Vec<String>,
    files: Vec<Blob>,
    /// How many bytes of each.
    wanted: Vec<f64>,
    /// The room for its bytes; `None`: it is taken already.
    room: Option<KeptRoom>,
    /// The room that is taken for it.
    taken: Cell<f64>,
}

/// How many bytes are kept, of how many there is room for.
#[derive(Clone)]
struct KeptRoom {
    max_bytes: f64,
    n_bytes: Rc<Cell<f64>>,
}

impl KeptRoom {
    fn of_device() -> Self {
        let max_bytes = (gib_of_device().unwrap_or(GIB_UNKNOWN) * KEPT_BYTES_FOR_GIB)
            .clamp(*KEPT_BYTES.start(), *KEPT_BYTES.end());
        Self { max_bytes, n_bytes: Rc::default() }
    }

    /// Takes room for `n_bytes`, where there is so much.
    fn take(&self, n_bytes: f64) -> bool {
        let n_all = self.n_bytes.get() + n_bytes;
        let has_room = n_all <= self.max_bytes;
        if has_room {
            self.n_bytes.set(n_all);
        }
        has_room
    }

    fn give_back(&self, n_bytes: f64) {
        self.n_bytes.set(self.n_bytes.get() - n_bytes);
    }
}

/// What is fetched of the files that are opened at once, or that a job is about.
pub struct Keep {
    /// Bytes that are wanted of a file that is not fetched whole.
    head: f64,
    room: KeptRoom,
    all: RefCell<Vec<Bytes>>,
}

impl Keep {
    /// For files that are opened: first bytes of large ones too. Small ones are all fetched; of those that are not read
    /// once more, or for which there is no room, the first bytes are kept.
    pub fn opening() -> Self {
        Self::new(HEAD_BYTES)
    }

    /// For files that a job is about.
    fn reading() -> Self {
        Self::new(NONE)
    }

    fn new(head: f64) -> Self {
        Self { head, room: KeptRoom::of_device(), all: RefCell::default() }
    }

    fn is_for_opening(&self) -> bool {
        self.head >= 0.0
    }

    /// `files` with their paths in batches, in their order.
    pub fn batches(&self, files: impl IntoIterator<Item = (String, Blob)>) -> Vec<Batch> {
        let mut batches: Vec<Batch> = Vec::new();
        let mut n_bytes = 0.0;
        for (path, file) in files {
            let wanted = self.wanted(&file);
            n_bytes += wanted.max(0.0);
            let last = batches.last_mut();
            match last.filter(|batch| batch.files.len() < MAX_FILES && n_bytes <= MAX_BYTES) {
                Some(batch) => batch.push(path, file, wanted),
                None => {
                    let room = self.is_for_opening().then(|| self.room.clone());
                    let mut batch = Batch { room, ..Batch::default() };
                    batch.push(path, file, wanted);
                    batches.push(batch);
                    n_bytes = wanted.max(0.0);
                }
            }
        }
        batches
    }

    /// How many bytes of `file` are wanted.
    fn wanted(&self, file: &Blob) -> f64 {
        let size = file.size();
        if file.type_() == RemoteFile::TYPE {
            NONE
        } else if size > SMALL_BYTES {
            self.head
        } else if self.is_for_opening() || self.room.take(size) {
            size
        } else {
            NONE
        }
    }

    /// Sources over the files of `batch`, of which `fetched` is here; `None`: nothing is, and what is wanted
    /// of them is read when it is.
    ///
    /// # Errors
    /// As [`source`].
    pub fn sources(
        &self,
        batch: &Batch,
        fetched: Option<FetchedBatch>,
    ) -> Result<Vec<Rc<dyn ReadAt>>, Error> {
        let mut fetched = fetched.unwrap_or_default();
        let mut told = std::mem::take(&mut fetched.told).into_iter();
        let kept = self.keep(batch, fetched);
        let files = batch.files.iter().cloned().zip(kept);
        files
            .map(|(file, kept)| {
                let told = told.next().flatten();
                if matches!(kept, FileBytes::None) {
                    return source(file);
                }
                let cached = CachedFile::new(file, kept)?;
                cached.set_told(told);
                Ok(Rc::new(cached) as Rc<dyn ReadAt>)
            })
            .collect()
    }
}

impl Keep {
    /// Keeps what was fetched of `batch`: what there is of each of its files.
    fn keep(&self, batch: &Batch, fetched: FetchedBatch) -> Vec<FileBytes> {
        let FetchedBatch { bytes, lens, .. } = fetched;
        let bytes: Bytes = Rc::new(RefCell::new(Some(bytes)));
        self.all.borrow_mut().push(Rc::clone(&bytes));
        let mut start = 0;
        // Nothing is said of any where nothing was fetched.
        let lens = lens.into_iter().map(Some).chain(std::iter::repeat(None));
        let kept = batch.wanted.iter().zip(lens).map(|(wanted, len)| match len {
            Some(len) if len >= 0.0 => {
                let (first, len) = (start, len as u32);
                start += len;
                FileBytes::First { batch: Rc::clone(&bytes), start: first, len }
            }
            Some(_) if *wanted == 0.0 => FileBytes::Gone,
            _ => FileBytes::None,
        });
        kept.collect()
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
    /// What the reader that fetched them says of each file.
    pub told: Vec<Option<Box<dyn Any>>>,
}

impl Batch {
    fn push(&mut self, path: String, file: Blob, wanted: f64) {
        self.paths.push(path);
        self.files.push(file);
        self.wanted.push(wanted);
    }

    /// Bytes of all its files that are wanted.
    fn n_wanted(&self) -> f64 {
        self.wanted.iter().map(|wanted| wanted.max(0.0)).sum()
    }

    /// What a message to a reader has of it: paths, files, how many bytes are wanted of each, and whether there is room to
    /// keep them, which is taken.
    pub fn pack(&self) -> [JsValue; 4] {
        let paths: Array = self.paths.iter().map(JsValue::from).collect();
        let files: Array = self.files.iter().collect();
        let wanted = Float64Array::from(self.wanted.as_slice());
        let has_room = self.room.as_ref().is_none_or(|room| {
            let n_wanted = self.n_wanted();
            let has_room = room.take(n_wanted);
            self.taken.set(if has_room { n_wanted } else { 0.0 });
            has_room
        });
        [paths.into(), files.into(), wanted.into(), has_room.into()]
    }

    /// The batch that [`pack`](Self::pack) has put into a message, and whether there is room to keep its bytes.
    pub fn unpack([paths, files, wanted, has_room]: [JsValue; 4]) -> (Self, bool) {
        let paths = Array::from(&paths);
        let paths = paths.iter().map(|path| path.as_string().unwrap_or_default()).collect();
        let files = Array::from(&files).iter().map(JsValue::unchecked_into).collect();
        let wanted = wanted.unchecked_into::<Float64Array>().to_vec();
        (Self { paths, files, wanted, ..Self::default() }, has_room.is_truthy())
    }

    /// Gives back the room that was taken for it and that `n_kept` bytes do not need.
    pub fn settle(&self, n_kept: u32) {
        let n_over = (self.taken.take() - f64::from(n_kept)).max(0.0);
        if let Some(room) = &self.room {
            room.give_back(n_over);
        }
    }

    /// Of what was `fetched` what is to be kept: all of those files for which `is_kept`, the first bytes of others.
    pub fn kept(&self, fetched: FetchedBatch, is_kept: impl Fn(usize) -> bool) -> FetchedBatch {
        let kept = fetched.lens.iter().enumerate();
        let kept = kept.map(|(nth, len)| if is_kept(nth) { *len } else { len.min(HEAD_BYTES) });
        let kept: Vec<f64> = kept.collect();
        if kept == fetched.lens {
            return fetched;
        }
        let mut start = 0;
        let parts = fetched.lens.iter().zip(&kept).map(|(len, kept)| {
            let first = start;
            start += len.max(0.0) as u32;
            fetched.bytes.subarray(first, first + kept.max(0.0) as u32)
        });
        let parts: Vec<Uint8Array> = parts.collect();
        FetchedBatch { bytes: join(&parts), lens: kept, told: fetched.told }
    }

    /// Those of its files that were `fetched` whole, with their paths.
    pub fn whole(&self, fetched: &FetchedBatch) -> Vec<Option<(String, Rc<dyn ReadAt>)>> {
        let mut start = 0;
        let files = self.paths.iter().zip(&self.files).zip(&fetched.lens);
        let whole = files.map(|((path, file), len)| {
            let first = start;
            start += len.max(0.0) as u32;
            let bytes = (*len == file.size()).then(|| fetched.bytes.subarray(first, start))?;
            Some((path.clone(), Rc::new(Passed(bytes)) as Rc<dyn ReadAt>))
        });
        whole.collect()
    }

    /// Fetches it. Should all of it together not be readable, each file is read on its own: what is wrong
    /// with one is no other's affair.
    pub async fn fetch(&self) -> FetchedBatch {
        let empty = self.parts(|_file, wanted| wanted == 0.0);
        let empty: Vec<(usize, JsFuture)> = empty.into_iter().map(begin).collect();
        let parts = self.parts(|_file, wanted| wanted > 0.0);
        let joined = match self.joined(&parts).await {
            Some(bytes) => FetchedBatch { bytes, lens: self.wanted.clone(), told: Vec::new() },
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
        (f64::from(bytes.length()) == self.n_wanted()).then_some(bytes)
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
        FetchedBatch { bytes: join(&read), lens, told: Vec::new() }
    }
}

/// The memory of the device in GiB, roughly, where the browser tells.
fn gib_of_device() -> Option<f64> {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).ok()?;
    Reflect::get(&navigator, &"deviceMemory".into()).ok()?.as_f64()
}

fn begin((nth, part): (usize, Blob)) -> (usize, JsFuture) {
    (nth, JsFuture::from(part.array_buffer()))
}

/// Fetches the small ones among `sources`, unless they are here: they are read without asking the browser as long as what
/// is returned is kept.
pub async fn fetch_small(sources: &[Rc<dyn ReadAt>]) -> Keep {
    let keep = Keep::reading();
    let cached = |source: &Rc<dyn ReadAt>| match source.origin() {
        SourceOrigin::Handle(handle) => handle.downcast_ref::<CachedFile>().cloned(),
        _ => None,
    };
    let files = sources.iter().filter_map(cached).filter(|file| file.whole().is_none());
    let files: Vec<CachedFile> = files.collect();
    let handles = files.iter().map(|file| (String::new(), file.handle().clone()));
    let batches = keep.batches(handles);
    let fetch = |batch: Batch| async move {
        let fetched = batch.fetch().await;
        (batch, fetched)
    };
    let mut files = files.into_iter();
    for (batch, fetched) in join_all(batches.into_iter().map(fetch)).await {
        for (here, file) in keep.keep(&batch, fetched).into_iter().zip(files.by_ref()) {
            file.set_here(here);
        }
    }
    keep
}
