//! The pages of one column of a row group, in order.

use super::damaged;
use super::header::{self, Fault, Header, PageKind};
use super::unpack::Codec;
use crate::input::InputFile;
use crate::readers::Error;
use bytes::Bytes;
use parquet::file::metadata::ColumnChunkMetaData;

/// Read at once, where a page is not longer.
const READ_AHEAD: u64 = 256 << 10;

/// Where a header is looked for first.
const HEADER_READ: u64 = 4 << 10;

/// A page, unpacked.
pub(super) struct Page {
    /// What its header says.
    pub(super) header: Header,
    /// Levels and values.
    pub(super) bytes: Bytes,
}

/// Reads the pages of a column.
pub(super) struct Pages {
    file: InputFile,
    codec: Option<Codec>,
    /// Where the next header is.
    at: u64,
    end: u64,
    is_first: bool,
    /// Values that pages are still to hold.
    n_left: u64,
    /// What has been read of the file, from `ahead_at` on.
    ahead: Bytes,
    ahead_at: u64,
}

impl Pages {
    /// The pages of `column`, which lies inside the file.
    ///
    /// # Errors
    /// When they are packed by a codec that is not part of the page.
    pub(super) fn new(file: &InputFile, column: &ColumnChunkMetaData) -> Result<Self, Error> {
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let at = u64::try_from(start).unwrap_or(u64::MAX);
        Ok(Self {
            file: file.clone(),
            codec: Codec::of(column.compression())?,
            at,
            end: at.saturating_add(u64::try_from(column.compressed_size()).unwrap_or(0)),
            is_first: true,
            n_left: u64::try_from(column.num_values()).unwrap_or(0),
            ahead: Bytes::new(),
            ahead_at: at,
        })
    }

    /// The next page; `None` after the last one.
    ///
    /// # Errors
    /// When it is damaged, or the pages hold more or fewer values than the column says.
    pub(super) fn next(&mut self) -> Result<Option<Page>, Error> {
        let miscounted = "the pages of a column do not hold as many values as it says";
        if self.at >= self.end {
            return if self.n_left == 0 { Ok(None) } else { Err(damaged(miscounted)) };
        }
        let header = self.header()?;
        let packed = self.read(header.packed_len as u64)?;
        self.at = self.at.saturating_add(header.packed_len as u64);
        self.is_first = false;
        if header.kind != PageKind::Dictionary {
            let left = self.n_left.checked_sub(header.n_values as u64);
            self.n_left = left.ok_or_else(|| damaged(miscounted))?;
        }
        Ok(Some(Page { bytes: self.unpack(&packed, &header)?, header }))
    }

    fn header(&mut self) -> Result<Header, Error> {
        let n_left = self.end.saturating_sub(self.at);
        let mut look = HEADER_READ;
        loop {
            let bytes = self.read(look.min(n_left))?;
            match header::read(&bytes, n_left, self.is_first) {
                Ok((header, len)) => {
                    self.at = self.at.saturating_add(len as u64);
                    return Ok(header);
                }
                Err(Fault::Short) if look < n_left => look = look.saturating_mul(4),
                Err(Fault::Short) => return Err(damaged("a page header cannot be read")),
                Err(Fault::Damaged(reason)) => return Err(damaged(reason)),
            }
        }
    }

    /// The next `len` bytes, which are read without going on.
    fn read(&mut self, len: u64) -> Result<Bytes, Error> {
        let held = |ahead: &Bytes, ahead_at: u64, at: u64| {
            let start = usize::try_from(at.checked_sub(ahead_at)?).ok()?;
            let end = start.checked_add(usize::try_from(len).ok()?)?;
            (end <= ahead.len()).then(|| ahead.slice(start..end))
        };
        if let Some(bytes) = held(&self.ahead, self.ahead_at, self.at) {
            return Ok(bytes);
        }
        let end = self.at.saturating_add(len.max(READ_AHEAD)).min(self.end);
        self.ahead = Bytes::from(self.file.bytes(self.at..end)?);
        self.ahead_at = self.at;
        held(&self.ahead, self.ahead_at, self.at)
            .ok_or_else(|| damaged("a page goes past its column"))
    }

    fn unpack(&mut self, packed: &Bytes, header: &Header) -> Result<Bytes, Error> {
        let Some(codec) = &mut self.codec else { return Ok(packed.clone()) };
        match header.kind {
            PageKind::V2 { is_packed: false, .. } => Ok(packed.clone()),
            PageKind::V2 { def_len, rep_len, .. } => {
                let split = packed.split_at_checked(def_len.saturating_add(rep_len));
                let (levels, values) =
                    split.ok_or_else(|| damaged("the levels of a page go past it"))?;
                let values = codec.unpack(values, header.len.saturating_sub(levels.len()))?;
                Ok([levels, &values].concat().into())
            }
            _ => codec.unpack(packed, header.len).map(Bytes::from),
        }
    }
}
