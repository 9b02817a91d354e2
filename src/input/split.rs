//! Splitting a source into JSON values without holding the source.

mod cuts;
mod elements;
mod lines;
mod values;

pub use cuts::{cut_lines, line_end};
pub use elements::{each_element, each_element_with};
pub use lines::{LineStart, each_line, each_line_between, each_line_with, last_line_start};
pub use values::{each_record, each_value_with};

use super::error::{Error, ErrorKind};
use super::json::Cursor;
use super::open::Limits;
use super::source::InputFile;

/// One JSON value of a source. See [`each_line`] for when it is known to be whole.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// Its bytes, no space around them.
    pub bytes: &'a [u8],
    /// Offset of the first one in the source.
    pub offset: u64,
    /// Line (1-based) of its first byte for JSONL, index (0-based) for array elements.
    pub number: u64,
}

impl Record<'_> {
    /// What `read` makes of it, with a cursor at its start; an error when `read` leaves something over.
    ///
    /// # Errors
    /// When the bytes are not JSON, or `read` fails.
    pub fn read<T>(
        &self,
        read: impl FnOnce(&mut Cursor<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut cursor = Cursor::new(self.bytes);
        let found = read(&mut cursor)?;
        cursor.end()?;
        Ok(found)
    }
}

/// What is left at the end of a file of lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tail {
    /// Offset, line and reason of a last line that is cut off.
    pub cut: Option<(u64, u64, Error)>,
}

/// How a source is read; only tests choose other sizes.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Slices {
    /// Bytes read at once.
    pub n_bytes: usize,
    /// Most bytes in one record.
    pub max_record_bytes: u64,
}

impl Default for Slices {
    fn default() -> Self {
        Self { n_bytes: 4 << 20, max_record_bytes: Limits::default().max_record_bytes }
    }
}

/// A part of a source in memory, moving forward. Its memory is reused.
struct Window<'a> {
    file: &'a InputFile,
    buf: Vec<u8>,
    n_filled: usize,
    /// Offset in the source of the first byte held.
    start: u64,
    end: u64,
}

impl<'a> Window<'a> {
    fn new(file: &'a InputFile, start: u64, end: u64, slices: &Slices) -> Self {
        let n_left = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
        let buf = vec![0; slices.n_bytes.min(n_left).max(1)];
        Self { file, buf, n_filled: 0, start, end }
    }

    fn bytes(&self) -> &[u8] {
        self.buf.get(..self.n_filled).unwrap_or_default()
    }

    /// Offset of the first byte that is not held yet.
    fn ahead(&self) -> u64 {
        self.start + self.n_filled as u64
    }

    fn is_full(&self) -> bool {
        self.n_filled == self.buf.len()
    }

    fn is_at_end(&self) -> bool {
        self.ahead() >= self.end
    }

    /// Lets go of the first `n_bytes`.
    fn drop_first(&mut self, n_bytes: usize) {
        let n_bytes = n_bytes.min(self.n_filled);
        self.buf.copy_within(n_bytes..self.n_filled, 0);
        self.n_filled -= n_bytes;
        self.start += n_bytes as u64;
    }

    /// Makes room for more, to at most `max` bytes; `false` when there are that many.
    fn grow(&mut self, max: u64) -> bool {
        let max = usize::try_from(max).unwrap_or(usize::MAX);
        if self.buf.len() >= max {
            return false;
        }
        let n_left = usize::try_from(self.end - self.start).unwrap_or(usize::MAX);
        let len = self.buf.len().saturating_mul(2).min(max).min(n_left.max(1));
        self.buf.resize(len, 0);
        true
    }

    /// Fills the free part from the source; gives the number of bytes read.
    fn fill(&mut self) -> Result<u64, Error> {
        let at = self.ahead();
        let n_left = usize::try_from(self.end.saturating_sub(at)).unwrap_or(usize::MAX);
        let n_bytes = n_left.min(self.buf.len() - self.n_filled);
        if n_bytes == 0 {
            return Ok(0);
        }
        let free = self.buf.get_mut(self.n_filled..self.n_filled + n_bytes).unwrap_or_default();
        self.file
            .data
            .read_at(at, free)
            .map_err(|err| Error::new(ErrorKind::Read(err.to_string()), at))?;
        self.n_filled += n_bytes;
        Ok(n_bytes as u64)
    }
}
