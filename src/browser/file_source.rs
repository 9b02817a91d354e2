//! A browser `File` as a source: read synchronously, which only a worker may do.

use super::file_stream::FileStream;
use super::{Error, RemoteSource};
use crate::hosting::RemoteFile;
use crate::input::{ByteStream, ReadAt, SourceOrigin};
use std::io;
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use web_sys::{Blob, FileReaderSync};

const WANTED: &str = "reading a file";

thread_local! {
    /// It reads one thing at a time, of whatever file.
    static READER: Result<FileReaderSync, JsValue> = FileReaderSync::new();
}

/// A source over `file`, or over the file on a server that it stands for.
///
/// # Errors
/// Outside of a worker, and when it stands for nothing.
pub fn source(file: Blob) -> Result<Rc<dyn ReadAt>, Error> {
    let is_remote = file.type_() == RemoteFile::TYPE;
    let local = FileSource::new(file.clone())?;
    if !is_remote {
        return Ok(Rc::new(local));
    }
    let place = local.slice(0, usize::try_from(local.len).unwrap_or_default());
    let place = place.map_err(|err| Error::thrown(WANTED, &err))?.to_vec();
    Ok(Rc::new(RemoteSource::new(file, &place)?))
}

/// A blob with `bytes`; the browser may keep them on disk.
pub fn blob_of(bytes: &[u8]) -> Option<Blob> {
    blob_with(&js_sys::Uint8Array::from(bytes))
}

/// The same of bytes outside of this program's memory.
pub(super) fn blob_with(bytes: &js_sys::Uint8Array) -> Option<Blob> {
    Blob::new_with_u8_array_sequence(&js_sys::Array::of1(bytes)).ok()
}

/// Slices of a file that the user has given.
#[derive(Clone)]
pub struct FileSource {
    file: Blob,
    reader: FileReaderSync,
    len: u64,
}

impl FileSource {
    /// A source over `file`.
    ///
    /// # Errors
    /// Outside of a worker.
    pub fn new(file: Blob) -> Result<Self, Error> {
        let reader = READER.with(|reader| reader.clone());
        let reader = reader.map_err(|err| Error::thrown(WANTED, &err))?;
        let len = file.size() as u64;
        Ok(Self { file, reader, len })
    }

    /// What the browser knows it by.
    pub(super) fn handle(&self) -> &Blob {
        &self.file
    }

    /// The bytes from `offset`, `len` of them.
    fn slice(&self, offset: u64, len: usize) -> Result<js_sys::Uint8Array, JsValue> {
        let (start, end) = (offset as f64, offset as f64 + len as f64);
        // A slice is a request of its own. More than there is asks for all: of a file that says that it is empty and is
        // gone, that alone tells why.
        let buffer = if offset == 0 && len as u64 >= self.len {
            self.reader.read_as_array_buffer(&self.file)?
        } else {
            self.reader.read_as_array_buffer(&self.file.slice_with_f64_and_f64(start, end)?)?
        };
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

    fn stream(&self, span: Range<u64>) -> Option<Box<dyn ByteStream>> {
        let blob = self.file.slice_with_f64_and_f64(span.start as f64, span.end as f64).ok()?;
        Some(Box::new(FileStream::new(&blob, span.end.saturating_sub(span.start))?))
    }

    fn origin(&self) -> SourceOrigin<'_> {
        SourceOrigin::Handle(&self.file)
    }
}
