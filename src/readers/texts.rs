//! Texts of a bundle's files, read in the order in which they stand there.

use super::{Bundle, Reader};
use crate::input::json::{Cursor, unescape};
use crate::model::{Locator, SourceId};
use std::cell::RefCell;

/// How much is read at once. A read of the browser costs a tenth of a millisecond however short it is.
const WINDOW_BYTES: u64 = 1 << 20;

/// Reads JSON strings by their place. Made for places that rise: what was read with one text is kept for
/// those that follow it.
pub struct TextReader<'a> {
    reader: &'a dyn Reader,
    bundle: &'a Bundle,
    window: RefCell<Option<TextWindow>>,
    rows: RefCell<Option<RowTexts>>,
}

/// Texts of rows that follow one another.
struct RowTexts {
    source: SourceId,
    start: u64,
    texts: Vec<Option<String>>,
}

impl RowTexts {
    /// The text of `row`, when it is here.
    fn text(&self, source: SourceId, row: u64) -> Option<&Option<String>> {
        let at = usize::try_from(row.checked_sub(self.start)?).ok()?;
        self.texts.get(at).filter(|_| self.source == source)
    }
}

/// A part of a file.
struct TextWindow {
    source: SourceId,
    start: u64,
    bytes: Vec<u8>,
}

impl TextWindow {
    /// The bytes from `offset` on, when all `len` of them are here.
    fn part(&self, source: SourceId, offset: u64, len: u64) -> Option<&[u8]> {
        let from = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        let to = from.checked_add(usize::try_from(len).ok()?)?;
        self.bytes.get(from..to).filter(|_| self.source == source)
    }
}

impl<'a> TextReader<'a> {
    /// Texts of the files of `bundle`, which `reader` has read.
    pub fn new(reader: &'a dyn Reader, bundle: &'a Bundle) -> Self {
        Self { reader, bundle, window: RefCell::new(None), rows: RefCell::new(None) }
    }

    /// The text of the JSON string that `locator` spans, or of the check in the row that it names;
    /// `None` when it cannot be read any more.
    pub(super) fn text_at(&self, locator: Locator) -> Option<String> {
        let (source, offset, len) = match locator {
            Locator::Span { source, offset, len } => (source, offset, len),
            Locator::Row { source, row } => return self.text_in_row(source, row),
        };
        if len > WINDOW_BYTES {
            return self.bundle.text_at(locator);
        }
        self.part(source, offset, len, |bytes| Some(Cursor::new(bytes).text().ok()??.into_owned()))
    }

    /// The start of that text, as far as `n_bytes` of the file tell it.
    pub fn text_head(&self, locator: Locator, n_bytes: u64) -> Option<String> {
        match locator {
            Locator::Span { source, offset, len } if len > n_bytes => {
                self.part(source, offset, n_bytes.min(WINDOW_BYTES), |bytes| {
                    Some(unescape(bytes.strip_prefix(b"\"")?).into_owned())
                })
            }
            _ => self.text_at(locator),
        }
    }

    /// The text of a check in a row; those of the rows behind it are kept.
    fn text_in_row(&self, source: SourceId, row: u64) -> Option<String> {
        let mut kept = self.rows.borrow_mut();
        if kept.as_ref().and_then(|rows| rows.text(source, row)).is_none() {
            let texts = self.reader.texts_from_row(self.bundle.file(source)?, row).ok()?;
            *kept = Some(RowTexts { source, start: row, texts });
        }
        kept.as_ref()?.text(source, row)?.clone()
    }

    /// What `read` makes of the `len` bytes from `offset` on, which are no more than a window.
    fn part<T>(
        &self,
        source: SourceId,
        offset: u64,
        len: u64,
        read: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Option<T> {
        let mut kept = self.window.borrow_mut();
        if kept.as_ref().and_then(|window| window.part(source, offset, len)).is_none() {
            let file = self.bundle.file(source)?;
            let end = offset.checked_add(WINDOW_BYTES)?.min(file.len());
            let bytes = file.bytes(offset..end).ok()?;
            *kept = Some(TextWindow { source, start: offset, bytes });
        }
        read(kept.as_ref()?.part(source, offset, len)?)
    }
}
