//! Splitting a source into JSON values without holding the source.

mod cuts;
mod elements;
mod lines;
mod values;
mod window;

pub use cuts::{cut_lines, line_end};
pub use elements::{each_element, each_element_with, each_member};
pub use lines::{LineStart, each_line, each_line_between, each_line_with, last_line_start};
pub use values::{each_record, each_value_with};

use super::error::Error;
use super::json::Cursor;
use super::open::Limits;
pub(super) use window::SplitWindow;

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
        Self { n_bytes: 8 << 20, max_record_bytes: Limits::default().max_record_bytes }
    }
}
