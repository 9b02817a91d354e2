//! The pages of a column, as the library decodes them, looked at on their way.
//!
//! Repetition levels say where a row starts. When a page holds fewer of them than values, the library
//! passes over its rows without end: nobody could stop that but by ending the program.

use super::brotli;
use super::source::ParquetSource;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, RowGroups};
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;
use std::sync::Arc;

/// One row group of a file.
pub(super) struct RowGroup {
    source: Arc<ParquetSource>,
    metadata: Arc<ParquetMetaData>,
    at: usize,
}

impl RowGroup {
    /// Row group `at` of the file with the bytes `source`.
    pub(super) fn new(source: ParquetSource, footer: &ArrowReaderMetadata, at: usize) -> Self {
        Self { source: Arc::new(source), metadata: Arc::clone(footer.metadata()), at }
    }

    fn own(&self) -> Result<&RowGroupMetaData> {
        let group = self.metadata.row_groups().get(self.at);
        group.ok_or_else(|| ParquetError::General("a row group is missing".to_owned()))
    }
}

impl RowGroups for RowGroup {
    fn num_rows(&self) -> usize {
        self.own().map_or(0, |group| usize::try_from(group.num_rows()).unwrap_or(0))
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>> {
        let chunk = self.own()?.columns().get(column);
        let chunk = chunk.ok_or_else(|| ParquetError::General("a column is missing".to_owned()))?;
        let pages = self.metadata.page_index();
        let pages = pages.and_then(|pages| pages.page_locations(self.at, column).cloned());
        let source = Arc::clone(&self.source);
        let plain = brotli::as_plain(chunk)?;
        let brotli = plain.as_ref().map(|_| PackedPages::of((*source).clone()));
        let chunk = plain.as_ref().unwrap_or(chunk);
        let reader = SerializedPageReader::new(source, chunk, self.num_rows(), pages)?;
        let max_level = chunk.column_descr().max_rep_level();
        Ok(Box::new(RemainingColumn(Some(ColumnPageReader { reader, max_level, brotli }))))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(self.own().into_iter())
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

/// The only column that is left to be read.
struct RemainingColumn(Option<ColumnPageReader>);

impl Iterator for RemainingColumn {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.take().map(|pages| Ok(Box::new(pages) as Box<dyn PageReader>))
    }
}

impl PageIterator for RemainingColumn {}

/// Reads the pages of a column.
struct ColumnPageReader {
    reader: SerializedPageReader<ParquetSource>,
    /// The highest repetition level; 0 when the column is below no list.
    max_level: i16,
    /// `None`: the library unpacks the pages.
    brotli: Option<PackedPages>,
}

/// What is known of pages that are unpacked here: the library tells no sizes.
struct PackedPages {
    source: ParquetSource,
    /// The size of the page that comes next, unpacked, where its header was read ahead.
    next_len: Option<u64>,
}

impl PackedPages {
    fn of(source: ParquetSource) -> Self {
        Self { source, next_len: None }
    }

    /// Does `done`, and keeps the size that a page header declares, if one is read meanwhile.
    fn watch<T>(&mut self, done: impl FnOnce() -> T) -> T {
        // Pages of other columns come between.
        self.source.take_page_len();
        let done = done();
        self.next_len = self.source.take_page_len().or(self.next_len);
        done
    }
}

impl ColumnPageReader {
    /// Has the library do something that may read the header of the next page.
    fn watched<T>(
        &mut self,
        work: impl FnOnce(&mut SerializedPageReader<ParquetSource>) -> T,
    ) -> T {
        let Self { reader, brotli, .. } = self;
        match brotli {
            Some(packed) => packed.watch(|| work(reader)),
            None => work(reader),
        }
    }

    /// The next page, unpacked.
    fn unpacked_page(&mut self) -> Result<Option<Page>> {
        let Some(page) = self.watched(SerializedPageReader::get_next_page)? else {
            return Ok(None);
        };
        let Some(packed) = &mut self.brotli else { return Ok(Some(page)) };
        let missing = || ParquetError::General("brotli: a page has no size".to_owned());
        let len = packed.next_len.take().ok_or_else(missing)?;
        brotli::unpacked(page, len).map(Some)
    }
}

impl Iterator for ColumnPageReader {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for ColumnPageReader {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.unpacked_page()?;
        if let Some(page) = &page
            && self.max_level > 0
            && !has_all_levels(page, self.max_level)
        {
            return Err(ParquetError::General("a page has fewer levels than values".to_owned()));
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.watched(SerializedPageReader::peek_next_page)
    }

    fn skip_next_page(&mut self) -> Result<()> {
        let skipped = self.watched(SerializedPageReader::skip_next_page);
        if let Some(packed) = &mut self.brotli {
            packed.next_len = None;
        }
        skipped
    }

    fn supports_deferred_dictionary(&self) -> bool {
        // A dictionary that was skipped could not be unpacked later: its size is forgotten.
        self.brotli.is_none() && self.reader.supports_deferred_dictionary()
    }

    fn take_deferred_dictionary(&mut self) -> Result<Option<Page>> {
        self.reader.take_deferred_dictionary()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.watched(SerializedPageReader::at_record_boundary)
    }
}

/// Whether `page` holds a repetition level for each of its values.
fn has_all_levels(page: &Page, max_level: i16) -> bool {
    let n_bits = usize::try_from(u16::BITS - max_level.unsigned_abs().leading_zeros());
    let n_bits = n_bits.unwrap_or(0);
    let n_values = page.num_values() as usize;
    let n_levels = match page {
        Page::DictionaryPage { .. } => return true,
        Page::DataPageV2 { buf, rep_levels_byte_len, .. } => {
            let levels = buf.get(..*rep_levels_byte_len as usize);
            n_levels(levels.unwrap_or_default(), n_bits)
        }
        Page::DataPage { buf, rep_level_encoding: Encoding::RLE, .. } => {
            let levels = buf.split_first_chunk().and_then(|(len, rest)| {
                rest.get(..usize::try_from(u32::from_le_bytes(*len)).ok()?)
            });
            n_levels(levels.unwrap_or_default(), n_bits)
        }
        // Packed one behind the other, as of old.
        Page::DataPage { buf, .. } => buf.len().saturating_mul(8) / n_bits,
    };
    n_levels >= n_values
}

/// How many levels of `n_bits` the runs in `bytes` hold: of one level, or of eight packed ones. Format:
/// `Encodings.md` of parquet-format.
fn n_levels(bytes: &[u8], n_bits: usize) -> usize {
    let (mut rest, mut n_levels) = (bytes, 0_usize);
    while let Some((head, behind)) = varint(rest) {
        if head == 0 {
            // Some writers fill pages up with zeros.
            break;
        }
        let n = usize::try_from(head >> 1).unwrap_or(usize::MAX);
        let (n, n_bytes) = if head & 1 == 0 {
            (n, n_bits.div_ceil(8))
        } else {
            // The last group may be cut short.
            let n_bytes = n.saturating_mul(n_bits).min(behind.len());
            (n_bytes.saturating_mul(8) / n_bits, n_bytes)
        };
        let Some(next) = behind.get(n_bytes..) else { break };
        n_levels = n_levels.saturating_add(n);
        rest = next;
    }
    n_levels
}

/// A number in groups of seven bits, the lowest first, and what stands behind it.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    const MAX_LEN: usize = 9;
    let mut value = 0;
    for (at, byte) in bytes.iter().enumerate().take(MAX_LEN) {
        value |= u64::from(byte & 0x7f) << (7 * at);
        if *byte < 0x80 {
            return Some((value, bytes.get(at + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::n_levels;

    #[test]
    fn levels_are_counted_by_their_runs() {
        // 100 times the level 1; two groups of eight; filling.
        assert_eq!(n_levels(&[200, 1, 1, 5, 0xff, 0, 0, 9, 9], 1), 116);
        assert_eq!(n_levels(&[200, 1, 1], 1), 100);
        assert_eq!(n_levels(&[200, 1], 1), 0);
        // A group of eight levels of two bits, of which a byte is missing.
        assert_eq!(n_levels(&[3, 0xff, 0xff], 2), 8);
        assert_eq!(n_levels(&[3, 0xff], 2), 4);
        assert_eq!(n_levels(&[], 1), 0);
        assert_eq!(n_levels(&[0xff; 40], 3), 0);
    }
}
