//! The bytes of a Parquet file, as the library asks for them.
//!
//! The library walks from page header to page header. Each is looked at before the library gets it: a
//! damaged one may declare sizes by which gigabytes would be allocated, and memory that runs out ends the
//! program. Pages and headers that lie close together are read at once, for a read of the browser costs a
//! tenth of a millisecond however short it is.

use super::{header, thrift};
use crate::input::{self, ErrorKind, InputFile, ReadAt};
use bytes::{Buf as _, Bytes};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use send_wrapper::SendWrapper;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::rc::{Rc, Weak};

/// Bytes that are read at once where a header stands.
const WINDOW: u64 = 64 << 10;

/// Windows that are kept: as many as columns are usually read side by side.
const N_WINDOWS: usize = 16;

/// A file that the library reads. It stays on its thread, whatever the library asks of its type.
#[derive(Clone)]
pub(super) struct ParquetSource {
    shared: SendWrapper<Rc<SharedBytes>>,
    /// Whether the library knows where each page lies, and asks for header and page as one.
    is_indexed: bool,
}

struct SharedBytes {
    /// Weak, since what was opened is kept longer than the file may be.
    data: Weak<dyn ReadAt>,
    len: u64,
    windows: RefCell<VecDeque<(u64, Bytes)>>,
    /// Where the last page began that was asked for.
    page_at: Cell<Option<u64>>,
    /// The size that the last page header declares, unpacked.
    page_len: Cell<Option<u64>>,
    /// Why the last read failed; the library only keeps its words.
    failure: RefCell<Option<input::Error>>,
}

impl ParquetSource {
    /// The bytes of `file`, for as long as something else holds them.
    pub(super) fn new(file: &InputFile) -> Self {
        let shared = SharedBytes {
            data: Rc::downgrade(&file.data),
            len: file.len(),
            windows: RefCell::default(),
            page_at: Cell::new(None),
            page_len: Cell::new(None),
            failure: RefCell::new(None),
        };
        Self { shared: SendWrapper::new(Rc::new(shared)), is_indexed: false }
    }

    /// The same, for a reader that knows where each page lies.
    pub(super) fn indexed(&self) -> Self {
        Self { is_indexed: true, ..self.clone() }
    }

    /// Whether these are the bytes of `file`.
    pub(super) fn is_of(&self, file: &InputFile) -> bool {
        std::ptr::addr_eq(self.shared.data.as_ptr(), Rc::as_ptr(&file.data))
    }

    /// Where the last page began that was asked for, from here on or since the last call.
    pub(super) fn take_page_at(&self) -> Option<u64> {
        self.shared.page_at.take()
    }

    /// The size of the last page that was asked for, unpacked, from here on or since the last call.
    pub(super) fn take_page_len(&self) -> Option<u64> {
        self.shared.page_len.take()
    }

    /// Why a read failed, if one did since the last call.
    pub(super) fn take_failure(&self) -> Option<input::Error> {
        self.shared.failure.take()
    }

    /// `len` bytes from `start` on; with `is_wide`, what follows is read too, and kept.
    fn part(&self, start: u64, len: u64, is_wide: bool) -> Result<Bytes> {
        let shared = &**self.shared;
        if let Some(part) = shared.kept(start, len) {
            return Ok(part);
        }
        let wide = if is_wide { len.max(WINDOW) } else { len };
        let bytes = shared.read(start, wide.min(shared.len.saturating_sub(start)).max(len))?;
        if is_wide {
            let mut windows = shared.windows.borrow_mut();
            windows.truncate(N_WINDOWS - 1);
            windows.push_front((start, bytes.clone()));
        }
        Ok(bytes.slice(..usize::try_from(len).unwrap_or(usize::MAX).min(bytes.len())))
    }

    /// What stands from `start` on, where a page header is to be: as much as is kept or read at once.
    fn head(&self, start: u64) -> Result<Bytes> {
        let len = WINDOW.min(self.shared.len.saturating_sub(start));
        if let Some((rest, is_all)) = self.shared.rest(start)
            && (is_all || rest.len() >= header::USUAL_LEN)
        {
            return Ok(rest);
        }
        self.part(start, len, true)
    }

    /// Reads the structures at `ranges` at once, as the library will do, and checks the lists in them.
    ///
    /// # Errors
    /// When they cannot be read, or a list claims more elements than bytes.
    pub(super) fn check_lists(&self, ranges: &[Range<u64>]) -> Result<()> {
        let start = ranges.iter().map(|range| range.start).min().unwrap_or_default();
        let end = ranges.iter().map(|range| range.end).max().unwrap_or_default();
        let bytes = self.part(start, end.saturating_sub(start), true)?;
        let at = |at: u64| usize::try_from(at - start).unwrap_or(usize::MAX);
        let parts = ranges
            .iter()
            .map(|range| bytes.get(at(range.start)..at(range.end)).unwrap_or_default());
        thrift::check_lists(parts).map_err(|reason| ParquetError::General(reason.to_owned()))
    }

    fn check_header(&self, start: u64, bytes: &[u8]) -> Result<()> {
        self.shared.page_at.set(Some(start));
        self.shared.page_len.set(header::unpacked_len(bytes));
        header::check(bytes).map_err(|reason| ParquetError::General(reason.to_owned()))
    }
}

impl SharedBytes {
    fn read(&self, start: u64, len: u64) -> Result<Bytes> {
        let read = || {
            let data = self.data.upgrade();
            let data = data.ok_or_else(|| {
                input::Error::new(ErrorKind::Read("it is no longer open".to_owned()), start)
            })?;
            if start.checked_add(len).is_none_or(|end| end > self.len) {
                let reason = "a part of it lies behind its end".to_owned();
                return Err(input::Error::new(ErrorKind::Damaged(reason), start));
            }
            let mut bytes = vec![0; usize::try_from(len).unwrap_or(usize::MAX)];
            data.read_at(start, &mut bytes).map_err(|err| input::Error::of_source(&err, start))?;
            Ok(Bytes::from(bytes))
        };
        read().map_err(|err| {
            let text = err.to_string();
            *self.failure.borrow_mut() = Some(err);
            ParquetError::General(text)
        })
    }

    /// The part, when one window holds all of it.
    fn kept(&self, start: u64, len: u64) -> Option<Bytes> {
        let len = usize::try_from(len).ok()?;
        let (rest, _) = self.rest(start)?;
        (rest.len() >= len).then(|| rest.slice(..len))
    }

    /// What a window holds from `start` on, and whether that is all to the end of the file.
    fn rest(&self, start: u64) -> Option<(Bytes, bool)> {
        self.windows.borrow().iter().find_map(|(from, bytes)| {
            let at = usize::try_from(start.checked_sub(*from)?).ok()?;
            let rest = (at < bytes.len()).then(|| bytes.slice(at..))?;
            Some((rest, from.checked_add(bytes.len() as u64)? >= self.len))
        })
    }
}

impl Length for ParquetSource {
    fn len(&self) -> u64 {
        self.shared.len
    }
}

impl ChunkReader for ParquetSource {
    type T = FollowingBytes;

    fn get_read(&self, start: u64) -> Result<FollowingBytes> {
        // Nothing is read yet: the library asks for this even when it has read the header before.
        Ok(FollowingBytes { source: self.clone(), bytes: Bytes::new(), at: start, is_begun: false })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let bytes = self.part(start, length as u64, false)?;
        if self.is_indexed {
            self.check_header(start, &bytes)?;
        }
        Ok(bytes)
    }
}

/// The bytes from some place on, where a page header stands.
pub(super) struct FollowingBytes {
    source: ParquetSource,
    bytes: Bytes,
    /// Where `bytes` end in the file.
    at: u64,
    is_begun: bool,
}

impl FollowingBytes {
    fn more(&mut self) -> Result<()> {
        let source = &self.source;
        if self.is_begun {
            let len = WINDOW.min(source.shared.len.saturating_sub(self.at));
            self.bytes = source.part(self.at, len, false)?;
        } else {
            self.bytes = source.head(self.at)?;
            source.check_header(self.at, &self.bytes)?;
            self.is_begun = true;
        }
        self.at = self.at.saturating_add(self.bytes.len() as u64);
        Ok(())
    }
}

impl io::Read for FollowingBytes {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if !self.bytes.has_remaining() {
            self.more().map_err(io::Error::other)?;
        }
        let n_bytes = buf.len().min(self.bytes.remaining());
        if let Some(buf) = buf.get_mut(..n_bytes) {
            self.bytes.copy_to_slice(buf);
        }
        Ok(n_bytes)
    }
}
