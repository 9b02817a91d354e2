//! A browser `File` as a source: read synchronously, which only a worker may do.

use super::{Error, RemoteSource};
use crate::input::{Ahead, Fetching, MemorySource, Origin, ReadAt};
use std::io;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, FileReaderSync};

const WANTED: &str = "reading a file";

/// A source over `file`, or over the file on a server that it stands for.
///
/// # Errors
/// Outside of a worker, and when it stands for nothing.
pub fn source(file: Blob) -> Result<Rc<dyn ReadAt>, Error> {
    let is_remote = file.type_() == RemoteSource::TYPE;
    let local = FileSource::new(file.clone())?;
    if !is_remote {
        return Ok(Rc::new(local));
    }
    let place = local.slice(0, usize::try_from(local.len).unwrap_or_default());
    let place = place.map_err(|err| Error::thrown(WANTED, &err))?.to_vec();
    Ok(Rc::new(RemoteSource::new(file, &place)?))
}

/// Files up to this size are fetched whole, many at the same time, before they are read: each slice of a
/// file takes the browser as long as a hundred kilobytes of it.
const SMALL_BYTES: f64 = 256e3;

/// Bytes that are fetched so for one job.
const MAX_FETCHED_BYTES: f64 = 48e6;

/// Sources over `files`, the small ones fetched.
///
/// # Errors
/// As [`source`].
pub async fn sources(files: Vec<Blob>) -> Result<Vec<Rc<dyn ReadAt>>, Error> {
    let mut n_left = MAX_FETCHED_BYTES;
    let fetching: Vec<Option<JsFuture>> = files
        .iter()
        .map(|file| {
            let is_wanted =
                file.size() <= SMALL_BYTES.min(n_left) && file.type_() != RemoteSource::TYPE;
            n_left -= if is_wanted { file.size() } else { 0.0 };
            is_wanted.then(|| JsFuture::from(file.array_buffer()))
        })
        .collect();
    let mut sources: Vec<Rc<dyn ReadAt>> = Vec::with_capacity(files.len());
    for (file, fetching) in files.into_iter().zip(fetching) {
        sources.push(match join(fetching).await {
            Some(Ok(buffer)) => {
                Rc::new(MemorySource::new(js_sys::Uint8Array::new(&buffer).to_vec()))
            }
            // What cannot be read says why when it is.
            _ => source(file)?,
        });
    }
    Ok(sources)
}

/// First bytes of a file by which it is known how it is wrapped.
const HEAD_BYTES: f64 = 512.0;

/// Most files whose first bytes are fetched at the same time.
pub const HEADS_AT_ONCE: usize = 500;

/// Sources over `files`, that are about to be unwrapped: their first bytes fetched, all at the same time.
///
/// # Errors
/// As [`source`].
pub async fn with_heads(files: &[Blob]) -> Result<Vec<Rc<dyn ReadAt>>, Error> {
    let heads = files.iter().map(|file| {
        let head = file.slice_with_f64_and_f64(0.0, HEAD_BYTES.min(file.size())).ok();
        head.map(|head| JsFuture::from(head.array_buffer()))
    });
    let heads: Vec<Option<JsFuture>> = heads.collect();
    let mut sources: Vec<Rc<dyn ReadAt>> = Vec::with_capacity(files.len());
    for (file, head) in files.iter().zip(heads) {
        if file.type_() == RemoteSource::TYPE {
            sources.push(source(file.clone())?);
            continue;
        }
        let mut local = FileSource::new(file.clone())?;
        // What cannot be read says why when it is.
        if let Some(Ok(buffer)) = join(head).await {
            local.head = js_sys::Uint8Array::new(&buffer).to_vec();
        }
        sources.push(Rc::new(local));
    }
    Ok(sources)
}

async fn join(fetching: Option<JsFuture>) -> Option<Result<JsValue, JsValue>> {
    match fetching {
        Some(fetching) => Some(fetching.await),
        None => None,
    }
}

/// What stands for `source` in a message to another worker; `None` when nothing can.
pub fn blob(source: &dyn ReadAt) -> Option<Blob> {
    match source.origin() {
        Origin::Handle(handle) => handle.downcast_ref::<Blob>().cloned(),
        Origin::Memory(bytes) => blob_of(bytes),
        Origin::Own | Origin::Part(..) => None,
    }
}

/// A blob with `bytes`; the browser may keep them on disk.
pub fn blob_of(bytes: &[u8]) -> Option<Blob> {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    Blob::new_with_u8_array_sequence(&parts).ok()
}

/// Slices of a file that the user has given.
pub struct FileSource {
    file: Blob,
    /// Its first bytes, as far as they were fetched.
    head: Vec<u8>,
    reader: FileReaderSync,
    len: u64,
}

impl FileSource {
    /// A source over `file`.
    ///
    /// # Errors
    /// Outside of a worker.
    pub fn new(file: Blob) -> Result<Self, Error> {
        let reader = FileReaderSync::new().map_err(|err| Error::thrown(WANTED, &err))?;
        let len = file.size() as u64;
        Ok(Self { file, head: Vec::new(), reader, len })
    }

    /// The bytes from `offset`, `len` of them.
    fn slice(&self, offset: u64, len: usize) -> Result<js_sys::Uint8Array, JsValue> {
        let (start, end) = (offset as f64, offset as f64 + len as f64);
        let blob = self.file.slice_with_f64_and_f64(start, end)?;
        let buffer = self.reader.read_as_array_buffer(&blob)?;
        Ok(js_sys::Uint8Array::new(&buffer))
    }
}

impl ReadAt for FileSource {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        if buf.is_empty() {
            return Ok(());
        }
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        if let Some(bytes) = self.head.get(start..start.saturating_add(buf.len())) {
            buf.copy_from_slice(bytes);
            return Ok(());
        }
        // A file that has changed on disk since it was picked is refused by the browser.
        let bytes = self
            .slice(offset, buf.len())
            .map_err(|err| io::Error::other(Error::thrown(WANTED, &err)))?;
        if bytes.length() as usize != buf.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.copy_to(buf);
        Ok(())
    }

    fn fetch(&self, offset: u64, len: usize) -> Option<Fetching> {
        let (start, end) = (offset as f64, offset as f64 + len as f64);
        let blob = self.file.slice_with_f64_and_f64(start, end).ok()?;
        let coming = JsFuture::from(blob.array_buffer());
        Some(Box::pin(async move {
            let bytes = js_sys::Uint8Array::new(&coming.await.ok()?);
            let is_whole = bytes.length() as usize == len;
            is_whole.then(|| Box::new(FetchedBytes(bytes)) as Box<dyn Ahead>)
        }))
    }

    fn origin(&self) -> Origin<'_> {
        Origin::Handle(&self.file)
    }
}

/// Bytes outside of this program's memory.
struct FetchedBytes(js_sys::Uint8Array);

impl Ahead for FetchedBytes {
    fn copy_to(&self, from: usize, buf: &mut [u8]) {
        let (start, end) = (from as u32, (from + buf.len()) as u32);
        self.0.subarray(start, end).copy_to(buf);
    }
}
