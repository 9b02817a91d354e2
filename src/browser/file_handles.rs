//! Files as the browser passes them on from one program to another, without copying what it has.

use super::Error;
use super::file_source::blob_of;
use crate::hosting::RemoteFile;
use crate::input::{ReadAt, SourceOrigin};
use js_sys::Array;
use std::rc::Rc;
use web_sys::Blob;

const WANTED: &str = "passing a file on";

/// What is in a file.
pub enum FileContent<'a> {
    /// These bytes.
    Bytes(&'a [u8]),
    /// What a source gives.
    Source(&'a Rc<dyn ReadAt>),
}

/// A handle for each of `files`. One on a server stays there: its handle says where it lies.
///
/// # Errors
/// When one cannot be read, or the browser takes no more.
pub fn file_handles<'a>(files: impl Iterator<Item = FileContent<'a>>) -> Result<Array, Error> {
    let handles = Array::new();
    for file in files {
        let handle: Blob = match file {
            FileContent::Bytes(bytes) => kept(bytes)?,
            FileContent::Source(source) => handle(source)?,
        };
        handles.push(&handle);
    }
    Ok(handles)
}

fn handle(source: &Rc<dyn ReadAt>) -> Result<Blob, Error> {
    let is_blob = |origin: &SourceOrigin<'_>| match origin {
        SourceOrigin::Handle(handle) => handle.downcast_ref::<Blob>().cloned(),
        _ => None,
    };
    let origin = source.origin();
    if let Some(blob) = is_blob(&origin) {
        return Ok(blob);
    }
    if let SourceOrigin::Part(of, range) = &origin
        && let Some(blob) = is_blob(&of.origin()).filter(|blob| blob.type_() != RemoteFile::TYPE)
    {
        let part = blob.slice_with_f64_and_f64(range.start as f64, range.end as f64);
        return part.map_err(|err| Error::thrown(WANTED, &err));
    }
    // A packed one, which nobody but this program can unpack.
    let len = usize::try_from(source.len());
    let len = len.map_err(|err| Error::because(WANTED, err.to_string()))?;
    let mut bytes = vec![0; len];
    source.read_at(0, &mut bytes).map_err(|err| Error::because(WANTED, err.to_string()))?;
    kept(&bytes)
}

fn kept(bytes: &[u8]) -> Result<Blob, Error> {
    blob_of(bytes).ok_or_else(|| Error::because(WANTED, "the browser keeps no more".to_owned()))
}
