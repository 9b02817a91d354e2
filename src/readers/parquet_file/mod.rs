//! A Parquet file, read column by column.
//!
//! ```text
//! footer ──> ParquetFile ──> pages (header, unpack) ──> leaf (runs: levels; values) ─┬─> column   many rows of a few columns
//!            (schema)                                                                └─> record   one row of all of them
//! ```
//!
//! The library reads the footer and its schema; pages are read here. The library's own column reader
//! takes what a damaged page says for granted and panics, which ends the worker: nothing catches a
//! panic in WebAssembly. It also brings the other half of every codec with it, the one that packs.
//! Read are the encodings that the producer writes: plain, dictionary, runs for levels and flags.
//! Format: parquet-format.

mod column;
mod header;
mod kind;
mod leaf;
mod pages;
mod record;
mod runs;
#[cfg(test)]
mod tests;
mod unpack;
mod values;

pub(super) use column::Column;
#[cfg(test)]
pub(crate) use tests::records;

use super::{Error, ErrorKind};
use crate::input::InputFile;
use leaf::Leaf;
use pages::Pages;
use parquet::file::metadata::{
    ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader,
    ParquetStatisticsPolicy,
};
use parquet::schema::types::SchemaDescriptor;
use serde_json::{Map, Value};

/// Deepest nesting of columns.
const MAX_DEPTH: usize = 64;

/// A Parquet file whose footer has been read.
pub(super) struct ParquetFile {
    file: InputFile,
    metadata: ParquetMetaData,
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
        let metadata = read_footer(file).map_err(|err| err.in_file(&file.path))?;
        Ok(Self { file: file.clone(), metadata })
    }

    /// The value of `key` in the metadata of the file.
    pub(super) fn key(&self, key: &str) -> Option<&str> {
        let pairs = self.metadata.file_metadata().key_value_metadata()?;
        pairs.iter().find(|pair| pair.key == key)?.value.as_deref()
    }

    /// Number of leaf columns.
    pub(super) fn n_columns(&self) -> usize {
        self.schema().num_columns()
    }

    /// Number of rows, by the footer.
    pub(super) fn n_rows(&self) -> u64 {
        u64::try_from(self.metadata.file_metadata().num_rows()).unwrap_or(0)
    }

    /// Number of row groups.
    pub(super) fn n_row_groups(&self) -> usize {
        self.metadata.num_row_groups()
    }

    /// Number of rows in row group `group`.
    pub(super) fn rows_of_group(&self, group: usize) -> u64 {
        let groups = self.metadata.row_groups();
        groups.get(group).map_or(0, |group| u64::try_from(group.num_rows()).unwrap_or(0))
    }

    /// Packed bytes of row group `group`.
    pub(super) fn bytes_of_group(&self, group: usize) -> u64 {
        let sizes = self.chunks(group).iter().map(ColumnChunkMetaData::compressed_size);
        sizes.filter_map(|size| u64::try_from(size).ok()).sum()
    }

    /// Values of the longest column of row group `group`, with those that are null.
    pub(super) fn values_of_group(&self, group: usize) -> u64 {
        let counts = self.chunks(group).iter().map(ColumnChunkMetaData::num_values);
        counts.filter_map(|count| u64::try_from(count).ok()).max().unwrap_or(0)
    }

    fn schema(&self) -> &SchemaDescriptor {
        self.metadata.file_metadata().schema_descr()
    }

    /// The first flat column named `name`.
    pub(super) fn flat(&self, name: &str) -> Option<usize> {
        self.schema().columns().iter().position(|column| {
            column.max_rep_level() == 0 && column.path().parts().iter().eq([name])
        })
    }

    /// The first column named `name` in the elements of the list `list`.
    pub(super) fn element(&self, list: &str, name: &str) -> Option<usize> {
        // `results.list.element.attribute`; older forms of a list have fewer parts.
        const MAX_PARTS: usize = 4;
        self.schema().columns().iter().position(|column| {
            let parts = column.path().parts();
            let ends = parts.first().zip(parts.last());
            let is_named = ends.is_some_and(|(first, last)| first == list && last == name);
            is_named && parts.len() <= MAX_PARTS && column.max_rep_level() == 1
        })
    }

    /// Starts reading leaf column `leaf` in row group `group`.
    ///
    /// # Errors
    /// When there is none, or it is packed by a codec that is not part of the page.
    pub(super) fn column(&self, group: usize, leaf: usize) -> Result<Column, Error> {
        self.leaf(group, leaf).map(Column::new)
    }

    /// Row `row` of the file, with every column.
    ///
    /// # Errors
    /// As [`ParquetFile::record`].
    pub(super) fn row(&self, row: u64) -> Result<Map<String, Value>, Error> {
        let (group, row) = self.place(row).ok_or_else(|| Error::new(ErrorKind::Gone))?;
        self.record(group, row)
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
        let Some(group) = part.checked_div(self.n_columns()) else { return Ok(false) };
        if group >= self.n_row_groups() {
            return Ok(false);
        }
        let n_before: u64 = (0..group).map(|group| self.rows_of_group(group)).sum();
        let leaf = part % self.n_columns();
        let found = self.texts(group, leaf, &mut |row, text| take(n_before + row, text));
        found.map(|()| true).map_err(|err| err.in_file(&self.file.path))
    }

    /// Row `row` of row group `group`, with every column.
    ///
    /// # Errors
    /// [`ErrorKind::Gone`] when there is no such row, or how the file is damaged.
    pub(super) fn record(&self, group: usize, row: u64) -> Result<Map<String, Value>, Error> {
        let n_before = usize::try_from(row).unwrap_or(usize::MAX);
        let mut leaves = Vec::with_capacity(self.n_columns());
        for idx in 0..self.n_columns() {
            let mut leaf = self.leaf(group, idx)?;
            if leaf.pass(n_before)? < n_before || leaf.read(1)? < 1 {
                return Err(Error::new(ErrorKind::Gone));
            }
            leaves.push(leaf);
        }
        record::assemble(self.schema().root_schema(), &leaves)
    }

    /// Calls `take` with every text of leaf column `leaf` in row group `group`, and its row there.
    ///
    /// # Errors
    /// How the file is damaged.
    pub(super) fn texts(
        &self,
        group: usize,
        leaf: usize,
        take: &mut dyn FnMut(u64, &str),
    ) -> Result<(), Error> {
        const ROWS: usize = 256;
        let mut leaf = self.leaf(group, leaf)?;
        let value_level = u32::from(leaf.column().max_def_level().unsigned_abs());
        let mut n_before = 0;
        loop {
            let n_read = leaf.read(ROWS)?;
            if n_read == 0 {
                return Ok(());
            }
            let entries = leaf.entries();
            let mut places = entries.values.places().iter();
            let n_entries = entries.definition.len().max(entries.values.places().len());
            let mut row: Option<u64> = None;
            for at in 0..n_entries {
                if entries.repetition.get(at).is_none_or(|level| *level == 0) {
                    row = Some(row.map_or(n_before, |row| row + 1));
                }
                if entries.definition.get(at).is_none_or(|level| *level == value_level)
                    && let (Some(place), Some(row)) = (places.next(), row)
                    && let Some(text) = entries.values.text(*place)
                {
                    take(row, text);
                }
            }
            n_before += n_read as u64;
        }
    }

    fn chunks(&self, group: usize) -> &[ColumnChunkMetaData] {
        self.metadata.row_groups().get(group).map_or(&[], |group| group.columns())
    }

    fn leaf(&self, group: usize, leaf: usize) -> Result<Leaf, Error> {
        let chunk = self.chunks(group).get(leaf);
        let chunk = chunk.ok_or_else(|| damaged("a column is missing"))?;
        Ok(Leaf::new(chunk.column_descr_ptr(), Pages::new(&self.file, chunk)?))
    }
}

/// Reads what stands at the end of the file: the metadata, its length, and `PAR1`.
fn read_footer(file: &InputFile) -> Result<ParquetMetaData, Error> {
    const TAIL: u64 = 8;
    let cut_off =
        || damaged("its footer is missing or does not fit, so the file is probably cut off");
    let end = file.len().checked_sub(TAIL).ok_or_else(cut_off)?;
    let tail = file.bytes(end..file.len())?;
    let (len, magic) = tail.split_first_chunk().ok_or_else(cut_off)?;
    if magic == b"PARE" {
        return Err(damaged("it is encrypted"));
    }
    let start = end.checked_sub(u64::from(u32::from_le_bytes(*len))).ok_or_else(cut_off)?;
    if magic != b"PAR1" {
        return Err(cut_off());
    }
    let skip = ParquetStatisticsPolicy::SkipAll;
    let options = ParquetMetaDataOptions::new()
        .with_encoding_stats_policy(skip.clone())
        .with_column_stats_policy(skip.clone())
        .with_size_stats_policy(skip);
    let bytes = file.bytes(start..end)?;
    let metadata = ParquetMetaDataReader::decode_metadata_with_options(&bytes, Some(&options))?;
    if !is_within(&metadata, file.len()) {
        return Err(damaged("a column lies outside the file"));
    }
    let columns = metadata.file_metadata().schema_descr().columns();
    if columns.iter().any(|column| column.path().parts().len() > MAX_DEPTH) {
        return Err(damaged("its columns are nested deeper than 64 levels"));
    }
    Ok(metadata)
}

/// Whether every column lies inside the file, and no count is negative.
fn is_within(metadata: &ParquetMetaData, len: u64) -> bool {
    let is_chunk_within = |column: &ColumnChunkMetaData| {
        let data = column.data_page_offset();
        let start = column.dictionary_page_offset().unwrap_or(data);
        let end = start.checked_add(column.compressed_size());
        let is_forward = start >= 0 && data >= 0 && column.compressed_size() >= 0;
        let counts = [column.num_values(), column.uncompressed_size()];
        is_forward
            && counts.iter().all(|&count| count >= 0)
            && end.and_then(|end| u64::try_from(end).ok()).is_some_and(|end| end <= len)
    };
    metadata
        .row_groups()
        .iter()
        .all(|group| group.num_rows() >= 0 && group.columns().iter().all(is_chunk_within))
}
