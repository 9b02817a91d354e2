//! A Parquet file, read by the library into Arrow's arrays.
//!
//! ```text
//! footer ──> ParquetFile ──> batches ──┬─> column    cells of the columns that scores need
//!          source (header)   (pages)   ├─> rows      whole rows, one behind the other
//!                                      └─> record    texts
//! ```
//!
//! Decoding is the library's: all encodings and codecs but Brotli (`brotli`), both versions of pages, lists and structs
//! in each other. What is damaged is found here where that is cheap (`footer`, `header`, `pages`); over the rest the library
//! may panic, which `batches` makes an error of. Only the columns that are asked for are read, one row group
//! at a time. Format: parquet-format.

mod batches;
mod brotli;
mod column;
mod footer;
mod header;
mod pages;
mod record;
mod rows;
mod source;
#[cfg(test)]
mod tests;
mod thrift;

pub(super) use batches::{Batches, guarded};
pub(super) use column::{Lists, ParquetColumn};
pub(super) use record::of_row as record_of_row;
#[cfg(test)]
pub(crate) use tests::records;

use super::{Error, ErrorKind};
use crate::input::{InputFile, Pulse};
use arrow_schema::DataType;
use batches::ColumnBatch;
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::schema::types::SchemaDescriptor;
use serde_json::{Map, Value};
use source::ParquetSource;
use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::rc::Rc;

thread_local! {
    /// The file that was opened last. The same one is opened again for each question about it: what it is,
    /// its keys, its rows, a case of it.
    static LAST: RefCell<Option<ParquetFooter>> = const { RefCell::new(None) };
}

/// A Parquet file whose footer has been read.
pub(super) struct ParquetFile {
    opened: ParquetFooter,
    /// What keeps the bytes there.
    file: InputFile,
}

/// What is known of a file once its footer has been read.
#[derive(Clone)]
struct ParquetFooter {
    path: Rc<str>,
    source: ParquetSource,
    footer: ArrowReaderMetadata,
    /// The footer with the places of pages, once it was asked for; `None` when the file does not tell them.
    pages: Rc<OnceCell<Option<ArrowReaderMetadata>>>,
}

/// An error that says how the file is damaged.
pub(super) fn damaged(reason: &str) -> Error {
    Error::new(ErrorKind::Parquet(reason.to_owned()))
}

impl ParquetFile {
    /// Reads the footer.
    ///
    /// # Errors
    /// When it is damaged.
    pub(super) fn open(file: &InputFile) -> Result<Self, Error> {
        let is_of = |opened: &ParquetFooter| opened.source.is_of(file);
        let kept = LAST.with_borrow(|last| last.as_ref().filter(|last| is_of(last)).cloned());
        let path = Rc::from(file.path.as_str());
        let opened = match kept {
            Some(opened) => ParquetFooter { path, ..opened },
            None => {
                let footer = batches::guarded(|| footer::read(file));
                let footer = footer.map_err(|err| err.in_file(&file.path))?;
                let (source, pages) = (ParquetSource::new(file), Rc::default());
                let opened = ParquetFooter { path, source, footer, pages };
                LAST.set(Some(opened.clone()));
                opened
            }
        };
        Ok(Self { opened, file: file.clone() })
    }

    /// The value of `key` in the metadata of the file.
    pub(super) fn key(&self, key: &str) -> Option<&str> {
        let pairs = self.opened.footer.metadata().file_metadata().key_value_metadata()?;
        pairs.iter().find(|pair| pair.key == key)?.value.as_deref()
    }

    /// Number of leaf columns.
    pub(super) fn n_columns(&self) -> usize {
        self.schema().num_columns()
    }

    /// Number of rows, by the footer.
    pub(super) fn n_rows(&self) -> u64 {
        u64::try_from(self.opened.footer.metadata().file_metadata().num_rows()).unwrap_or(0)
    }

    /// Number of row groups.
    pub(super) fn n_row_groups(&self) -> usize {
        self.opened.footer.metadata().num_row_groups()
    }

    /// The row groups that may hold rows whose text in the flat column `column` is `text`, by the smallest and largest
    /// value that the footer states of each; all where it states none.
    ///
    /// # Errors
    /// When the footer cannot be read again.
    pub(super) fn groups_with(&self, column: &str, text: &str) -> Result<Vec<usize>, Error> {
        let Some(leaf) = self.flat(column) else { return Ok((0..self.n_row_groups()).collect()) };
        let bounds = batches::guarded(|| footer::bounds(&self.file, leaf))?;
        let may_hold = |group: &usize| {
            let Some(Some((low, high))) = bounds.get(*group) else { return true };
            low.as_slice() <= text.as_bytes() && text.as_bytes() <= high.as_slice()
        };
        Ok((0..self.n_row_groups()).filter(may_hold).collect())
    }

    /// Where the flat columns `names` of row group `group` lie: from the first of them to the end of the last.
    pub(super) fn span_of(&self, group: usize, names: &[&str]) -> Range<u64> {
        let leaves = names.iter().filter_map(|name| self.flat(name));
        let chunks = self.opened.chunks(group);
        let spans = leaves.filter_map(|leaf| chunks.get(leaf)).map(ColumnChunkMetaData::byte_range);
        let ends = spans.map(|(start, len)| start..start.saturating_add(len));
        ends.reduce(|all, one| all.start.min(one.start)..all.end.max(one.end)).unwrap_or(0..0)
    }

    /// Number of rows in row group `group`.
    pub(super) fn rows_of_group(&self, group: usize) -> u64 {
        self.opened.rows_of_group(group)
    }

    /// Packed bytes of row group `group`.
    pub(super) fn bytes_of_group(&self, group: usize) -> u64 {
        let sizes = self.opened.chunks(group).iter().map(ColumnChunkMetaData::compressed_size);
        sizes.filter_map(|size| u64::try_from(size).ok()).sum()
    }

    /// Bytes of row group `group` once unpacked.
    fn unpacked_bytes_of_group(&self, group: usize) -> u64 {
        let sizes = self.opened.chunks(group).iter().map(ColumnChunkMetaData::uncompressed_size);
        sizes.filter_map(|size| u64::try_from(size).ok()).fold(0, u64::saturating_add)
    }

    /// Values of the column `leaf` in row group `group`, with those that are null.
    pub(super) fn values_of(&self, group: usize, leaf: usize) -> u64 {
        let chunk = self.opened.chunks(group).get(leaf);
        chunk.and_then(|chunk| u64::try_from(chunk.num_values()).ok()).unwrap_or(0)
    }

    /// Values of the longest column of row group `group`, with those that are null.
    pub(super) fn values_of_group(&self, group: usize) -> u64 {
        let counts = self.opened.chunks(group).iter().map(ColumnChunkMetaData::num_values);
        counts.filter_map(|count| u64::try_from(count).ok()).max().unwrap_or(0)
    }

    /// The first flat column named `name`.
    pub(super) fn flat(&self, name: &str) -> Option<usize> {
        self.schema().columns().iter().position(|column| {
            column.max_rep_level() == 0 && column.path().parts().iter().eq([name])
        })
    }

    /// Every column that lies at or below one of `paths`, whose parts are joined by dots: `doc.id`, `metric`.
    pub(super) fn below(&self, paths: &[&str]) -> Vec<usize> {
        let is_below = |name: &str| {
            paths.iter().any(|path| {
                name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        };
        let columns = self.schema().columns().iter().enumerate();
        columns.filter(|(_, column)| is_below(&column.path().string())).map(|(at, _)| at).collect()
    }

    /// Hands each row of row group `group` to `take` with its number in the file, `leaves` of it alone.
    ///
    /// # Errors
    /// When a column is packed in a way that nobody reads, or is damaged, or the work is cancelled.
    pub(super) async fn each_row(
        &self,
        group: usize,
        leaves: &[usize],
        pulse: &Pulse,
        take: &mut dyn FnMut(u64, Map<String, Value>),
    ) -> Result<(), Error> {
        const ROWS: usize = 256;
        let mut number = self.first_row_of_group(group);
        let mut batches = self.batches(group, 0, leaves.iter().copied(), ROWS)?;
        while let Some(batch) = batches.next()? {
            for row in 0..batch.num_rows() {
                take(number, record::of_row(&batch, row));
                number += 1;
            }
            pulse.breathe().await?;
        }
        Ok(())
    }

    /// The column named `name` in the structs of the list `list`.
    pub(super) fn element(&self, list: &str, name: &str) -> Option<usize> {
        let DataType::List(item) =
            self.opened.footer.schema().field_with_name(list).ok()?.data_type()
        else {
            return None;
        };
        let DataType::Struct(fields) = item.data_type() else { return None };
        fields.find(name)?;
        // `results.list.element.attribute`; older forms of a list have fewer parts.
        self.schema().columns().iter().position(|column| {
            let parts = column.path().parts();
            let ends = parts.first().zip(parts.last());
            let is_named = ends.is_some_and(|(first, last)| first == list && last == name);
            is_named && column.max_rep_level() == 1
        })
    }

    /// The columns `leaves` of row group `group` from row `start` of it on, `n_rows` rows at a time.
    ///
    /// # Errors
    /// When a column is packed in a way that nobody reads, or is damaged.
    pub(super) fn batches(
        &self,
        group: usize,
        start: u64,
        leaves: impl IntoIterator<Item = usize>,
        n_rows: usize,
    ) -> Result<Batches, Error> {
        Batches::open(self.part(group, leaves), start, n_rows)
    }

    /// The same from the first row on, the texts of the columns `words` by their numbers among the
    /// different ones.
    ///
    /// # Errors
    /// As [`ParquetFile::batches`].
    pub(super) fn batches_with_words(
        &self,
        group: usize,
        leaves: &[usize],
        words: &[usize],
        n_rows: usize,
    ) -> Result<Batches, Error> {
        let part = self.part(group, leaves.iter().copied());
        Batches::open(ColumnBatch { words: words.to_vec(), ..part }, 0, n_rows)
    }

    fn part(&self, group: usize, leaves: impl IntoIterator<Item = usize>) -> ColumnBatch {
        ColumnBatch {
            file: self.opened.clone(),
            group,
            leaves: leaves.into_iter().collect(),
            words: Vec::new(),
        }
    }

    /// Row `row` of the file, with every column.
    ///
    /// # Errors
    /// [`ErrorKind::Gone`] when there is no such row, or how the file is damaged.
    pub(super) fn row(&self, row: u64) -> Result<Map<String, Value>, Error> {
        rows::read(self, row).map_err(|err| err.in_file(&self.file.path))
    }

    /// Row group of row `row` of the file, and its number there.
    pub(super) fn place(&self, row: u64) -> Option<(usize, u64)> {
        let mut row = row;
        for group in 0..self.n_row_groups() {
            let n_rows = self.rows_of_group(group);
            if row < n_rows {
                return Some((group, row));
            }
            row -= n_rows;
        }
        None
    }

    /// Number in the file of the first row of row group `group`.
    pub(super) fn first_row_of_group(&self, group: usize) -> u64 {
        (0..group).map(|group| self.rows_of_group(group)).fold(0, u64::saturating_add)
    }

    /// Calls `take` with every text of part `part` of the file, and its row: a part is one column of
    /// one row group. `false` when there is no such part.
    ///
    /// # Errors
    /// When the file is damaged.
    pub(super) fn part_texts(
        &self,
        part: usize,
        take: &mut dyn FnMut(u64, &str),
    ) -> Result<bool, Error> {
        const ROWS: usize = 256;
        let Some(group) = part.checked_div(self.n_columns()) else { return Ok(false) };
        if group >= self.n_row_groups() {
            return Ok(false);
        }
        let mut first = self.first_row_of_group(group);
        let mut batches = self.batches(group, 0, [part % self.n_columns()], ROWS)?;
        while let Some(batch) = batches.next()? {
            record::each_text(&batch, first, take);
            first += batch.num_rows() as u64;
        }
        Ok(true)
    }

    fn schema(&self) -> &SchemaDescriptor {
        self.opened.footer.parquet_schema()
    }
}

impl ParquetFooter {
    /// The footer, with the places of pages if the file tells them.
    fn with_pages(&self) -> &ArrowReaderMetadata {
        let pages = self.pages.get_or_init(|| {
            batches::guarded(|| Ok(footer::with_pages(&self.footer, &self.source))).ok().flatten()
        });
        pages.as_ref().unwrap_or(&self.footer)
    }

    fn rows_of_group(&self, group: usize) -> u64 {
        let groups = self.footer.metadata().row_groups();
        groups.get(group).map_or(0, |group| u64::try_from(group.num_rows()).unwrap_or(0))
    }

    fn chunks(&self, group: usize) -> &[ColumnChunkMetaData] {
        let groups = self.footer.metadata().row_groups();
        groups.get(group).map_or(&[], |group| group.columns())
    }

    fn column_name(&self, leaf: usize) -> String {
        let columns = self.footer.parquet_schema().columns();
        columns.get(leaf).map(|column| column.path().string()).unwrap_or_default()
    }
}
