//! A browser `File` as a source: read synchronously, which only a worker may do.

use super::{Error, RemoteSource};
use crate::input::{Origin, ReadAt};
use std::io;
use std::rc::Rc;
use wasm_bindgen::JsValue;
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

/// What stands for `source` in a message to another worker; `None` when nothing can.
pub fn blob(source: &dyn ReadAt) -> Option<Blob> {
    match source.origin() {
        Origin::Handle(handle) => handle.downcast_ref::<Blob>().cloned(),
        Origin::Memory(bytes) => {
            let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
            Blob::new_with_u8_array_sequence(&parts).ok()
        }
        Origin::Own | Origin::Part(..) => None,
    }
}

/// Slices of a file that the user has given.
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
        let reader = FileReaderSync::new().map_err(|err| Error::thrown(WANTED, &err))?;
        let len = file.size() as u64;
        Ok(Self { file, reader, len })
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

    fn origin(&self) -> Origin<'_> {
        Origin::Handle(&self.file)
    }
}
