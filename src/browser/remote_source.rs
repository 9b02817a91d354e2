//! A file that stays on its server: read by ranges, synchronously, which only a worker may do.
//!
//! The page stands for it with a small file of the type [`RemoteFile::TYPE`], which says where it lies,
//! so that it travels and is kept as any other file.

use super::Error;
use crate::hosting::RemoteFile;
use crate::input::{ReadAt, SourceOrigin};
use js_sys::{Array, Uint8Array};
use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use web_sys::{Blob, BlobPropertyBag, XmlHttpRequest, XmlHttpRequestResponseType};

const WANTED: &str = "reading a part of a file from its server";

/// What is asked for at once, at the least.
const BLOCK: u64 = 256 << 10;

/// How many blocks are kept: the case that is looked at is read more than once.
const MAX_BLOCKS: usize = 8;

/// Ranges of a file on a server.
pub struct RemoteSource {
    /// What stands for it.
    file: Blob,
    place: RemoteFile,
    /// The last blocks that were read, by number.
    blocks: RefCell<Vec<(u64, Rc<[u8]>)>>,
}

impl RemoteSource {
    /// A source over what `place`, the content of `file`, which is of the type [`RemoteFile::TYPE`], says.
    ///
    /// # Errors
    /// When it says nothing of the kind.
    pub fn new(file: Blob, place: &[u8]) -> Result<Self, Error> {
        let mut place: RemoteFile = serde_json::from_slice(place)
            .map_err(|err| Error::because("opening a file on a server", err.to_string()))?;
        let known = place.text.take().map(String::into_bytes);
        // A text of another length is not what the server gives.
        let known = known.filter(|text| text.len() as u64 == place.size && place.size <= BLOCK);
        let blocks = known.into_iter().map(|text| (0, text.into())).collect();
        Ok(Self { file, place, blocks: RefCell::new(blocks) })
    }

    /// Block `number`, from memory or from the server.
    fn block(&self, number: u64) -> io::Result<Rc<[u8]>> {
        let known = self.blocks.borrow().iter().find(|(known, _)| *known == number).cloned();
        if let Some((_, block)) = known {
            return Ok(block);
        }
        let start = number * BLOCK;
        let block: Rc<[u8]> =
            self.fetch(start, self.place.size.min(start + BLOCK))?.to_vec().into();
        let mut blocks = self.blocks.borrow_mut();
        if blocks.len() == MAX_BLOCKS {
            blocks.remove(0);
        }
        blocks.push((number, Rc::clone(&block)));
        Ok(block)
    }

    /// The bytes from `start` to `end` as the server has them now.
    fn fetch(&self, start: u64, end: u64) -> io::Result<Uint8Array> {
        let failed = |reason: String| io::Error::other(Error::because(WANTED, reason));
        let thrown = |err: JsValue| io::Error::other(Error::thrown(WANTED, &err));
        let request = XmlHttpRequest::new().map_err(thrown)?;
        request.open_with_async("GET", &self.place.url, false).map_err(thrown)?;
        request.set_response_type(XmlHttpRequestResponseType::Arraybuffer);
        let last = end.saturating_sub(1);
        request.set_request_header("Range", &format!("bytes={start}-{last}")).map_err(thrown)?;
        if self.place.is_here {
            // A cache that joins old parts with new ones would hide that the file has changed. Other hosts
            // would have to allow this header.
            request.set_request_header("Cache-Control", "no-cache").map_err(thrown)?;
        }
        request.send().map_err(thrown)?;
        let header = |name: &str| request.get_response_header(name).ok().flatten();
        let status = request.status().map_err(thrown)?;
        let range = format!("bytes {start}-{last}/{}", self.place.size);
        let is_other = self
            .place
            .validator
            .as_ref()
            .is_some_and(|(name, value)| header(name).as_ref() != Some(value));
        let is_elsewhere =
            status == 206 && header("Content-Range").is_some_and(|found| found != range);
        match status {
            200 | 206 if is_other || is_elsewhere => {
                Err(failed("it has changed since it was opened; open it again".to_owned()))
            }
            206 => {
                let bytes = Uint8Array::new(&request.response().map_err(thrown)?);
                if u64::from(bytes.length()) == end - start {
                    Ok(bytes)
                } else {
                    Err(failed(format!("received {} of {} bytes", bytes.length(), end - start)))
                }
            }
            200 => Err(failed("the server no longer answers range requests".to_owned())),
            status => Err(failed(format!("it answers {status}"))),
        }
    }
}

impl ReadAt for RemoteSource {
    fn len(&self) -> u64 {
        self.place.size
    }

    fn beside(&self, path: &str, len: u64) -> Option<Rc<dyn ReadAt>> {
        let place = self.place.beside(path, len);
        let options = BlobPropertyBag::new();
        options.set_type(RemoteFile::TYPE);
        let parts = Array::of1(&serde_json::to_string(&place).ok()?.into());
        let file = Blob::new_with_str_sequence_and_options(&parts, &options).ok()?;
        Some(Rc::new(Self { file, place, blocks: RefCell::default() }))
    }

    fn origin(&self) -> SourceOrigin<'_> {
        SourceOrigin::Handle(&self.file)
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(buf.len() as u64).filter(|&end| end <= self.place.size);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        if end - offset >= BLOCK {
            self.fetch(offset, end)?.copy_to(buf);
            return Ok(());
        }
        let (mut at, mut rest) = (offset, buf);
        while !rest.is_empty() {
            let block = self.block(at / BLOCK)?;
            let part = usize::try_from(at % BLOCK).ok().and_then(|from| block.get(from..));
            let part = part.unwrap_or_default();
            let n_bytes = part.len().min(rest.len());
            let (now, later) = rest.split_at_mut(n_bytes);
            match part.get(..n_bytes) {
                Some(bytes) if n_bytes > 0 => now.copy_from_slice(bytes),
                _ => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
            rest = later;
            at += n_bytes as u64;
        }
        Ok(())
    }
}
