//! A file whose bytes may be here already, and how it goes on to other workers: its bytes beside the message, or its handle.

use super::Error;
use super::file_source::{FileSource, blob_of, blob_with, source};
use crate::hosting::RemoteFile;
use crate::input::{ByteStream, ReadAt, SourceOrigin};
use js_sys::{Array, Uint8Array};
use std::any::Any;
use std::cell::RefCell;
use std::io;
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::Blob;

/// Most bytes that go with one job.
const MAX_PASSED_BYTES: u32 = 64_000_000;

/// The bytes of a batch, until they are let go.
pub(super) type Bytes = Rc<RefCell<Option<Uint8Array>>>;

/// What is here of a file.
#[derive(Clone)]
pub(super) enum FileBytes {
    /// Nothing.
    None,
    /// Its first `len` bytes, in those of its batch.
    First { batch: Bytes, start: u32, len: u32 },
    /// It says that it is empty, and is gone.
    Gone,
}

/// A file whose first bytes, or all, may be kept.
#[derive(Clone)]
pub struct CachedFile {
    file: FileSource,
    here: Rc<RefCell<FileBytes>>,
    told: Rc<RefCell<Option<Box<dyn Any>>>>,
}

impl CachedFile {
    pub(super) fn new(file: Blob, here: FileBytes) -> Result<Self, Error> {
        let (file, here) = (FileSource::new(file)?, Rc::new(RefCell::new(here)));
        Ok(Self { file, here, told: Rc::default() })
    }

    /// The file.
    pub(super) fn handle(&self) -> &Blob {
        self.file.handle()
    }

    /// What is here of it from now on.
    pub(super) fn set_here(&self, here: FileBytes) {
        self.here.replace(here);
    }

    /// What the reader that fetched it says of it.
    pub(super) fn set_told(&self, told: Option<Box<dyn Any>>) {
        self.told.replace(told);
    }

    /// What the reader that fetched it has said of it; it is given once.
    pub fn take_told(&self) -> Option<Box<dyn Any>> {
        self.told.take()
    }

    /// Bytes `from..to` of the file, where they are kept.
    fn part(&self, from: u32, to: u32) -> Option<Uint8Array> {
        let here = self.here.borrow();
        let FileBytes::First { batch, start, len } = &*here else { return None };
        let bytes = batch.borrow();
        let bytes = bytes.as_ref().filter(|_| from <= to && to <= *len)?;
        Some(bytes.subarray(start + from, start + to))
    }

    /// All of its bytes.
    pub(super) fn whole(&self) -> Option<Uint8Array> {
        self.part(0, u32::try_from(self.file.len()).ok()?)
    }
}

impl ReadAt for CachedFile {
    fn len(&self) -> u64 {
        // Reading one that is gone says why.
        let is_gone = matches!(&*self.here.borrow(), FileBytes::Gone);
        self.file.len() + u64::from(is_gone)
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
pub(super) struct Passed(pub(super) Uint8Array);

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

/// The sources that [`pack`] has put into a message.
///
/// # Errors
/// As [`source`].
pub fn unpack(items: &Array, bytes: &Uint8Array) -> Result<Vec<Rc<dyn ReadAt>>, Error> {
    let mut at = 0;
    let of = |item: JsValue| -> Result<Rc<dyn ReadAt>, Error> {
        if let Some(n_bytes) = item.as_f64() {
            let start = at;
            at += n_bytes as u32;
            return Ok(Rc::new(Passed(bytes.subarray(start, at))));
        }
        let file: Blob = item.unchecked_into();
        if file.type_() == RemoteFile::TYPE {
            return source(file);
        }
        Ok(Rc::new(CachedFile::new(file, FileBytes::None)?))
    };
    items.iter().map(of).collect()
}

/// One buffer with all of `parts`.
pub(super) fn join(parts: &[Uint8Array]) -> Uint8Array {
    let all = Uint8Array::new_with_length(parts.iter().map(Uint8Array::length).sum());
    let mut at = 0;
    for part in parts {
        all.set(part, at);
        at += part.length();
    }
    all
}
