//! What stands at the end of a Parquet file: its schema, and where its columns lie.

use super::damaged;
use super::source::ParquetSource;
use super::thrift;
use crate::input::InputFile;
use crate::readers::{Error, ErrorKind};
use arrow_schema::{DataType, FieldRef, Fields, Schema};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::basic::Type;
use parquet::file::metadata::{
    ColumnChunkMetaData, PageIndexPolicy, ParquetMetaData, ParquetMetaDataOptions,
    ParquetMetaDataReader, ParquetStatisticsPolicy, RowGroupMetaData,
};
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnDescriptor;
use std::sync::Arc;

/// Deepest nesting of columns.
const MAX_DEPTH: usize = 64;

/// Longest value of a column whose values are all of one length.
const MAX_FIXED_LEN: i32 = 64 << 10;

/// Reads the footer: the metadata, its length, and `PAR1`.
///
/// # Errors
/// How it is damaged, or that its columns cannot be read.
pub(super) fn read(file: &InputFile) -> Result<ArrowReaderMetadata, Error> {
    let metadata = decoded(file, ParquetStatisticsPolicy::SkipAll)?;
    if !is_within(&metadata, file.len()) {
        return Err(damaged("a column lies outside the file"));
    }
    let columns = metadata.file_metadata().schema_descr().columns();
    if columns.iter().any(|column| column.path().parts().len() > MAX_DEPTH) {
        return Err(damaged("its columns are nested deeper than 64 levels"));
    }
    let is_too_long = |column: &ColumnDescriptor| {
        column.physical_type() == Type::FIXED_LEN_BYTE_ARRAY
            && !(0..=MAX_FIXED_LEN).contains(&column.type_length())
    };
    if columns.iter().any(|column| is_too_long(column)) {
        return Err(damaged("a column has values of more than 64 KiB each"));
    }
    with_schema(metadata)
}

/// The metadata of `file`, with the statistics of columns as far as `statistics` says.
fn decoded(
    file: &InputFile,
    statistics: ParquetStatisticsPolicy,
) -> Result<ParquetMetaData, Error> {
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
        .with_column_stats_policy(statistics)
        .with_size_stats_policy(skip);
    let bytes = file.bytes(start..end)?;
    thrift::check_lists(std::iter::once(&*bytes)).map_err(damaged)?;
    Ok(ParquetMetaDataReader::decode_metadata_with_options(&bytes, Some(&options))?)
}

/// A text that no value of a row group comes before, and one that none comes behind; `None`: the footer does not say.
pub(super) type Bounds = Option<(Vec<u8>, Vec<u8>)>;

/// By row group, the bounds of the texts in column `leaf`.
///
/// # Errors
/// As [`read`].
pub(super) fn bounds(file: &InputFile, leaf: usize) -> Result<Vec<Bounds>, Error> {
    let metadata = decoded(file, ParquetStatisticsPolicy::skip_except(&[leaf]))?;
    let of_group = |group: &RowGroupMetaData| {
        let found = group.columns().get(leaf)?.statistics()?;
        match found {
            // Older ones compare signed bytes.
            Statistics::ByteArray(texts) if !found.is_min_max_deprecated() => {
                Some((texts.min_opt()?.data().to_vec(), texts.max_opt()?.data().to_vec()))
            }
            _ => None,
        }
    };
    Ok(metadata.row_groups().iter().map(of_group).collect())
}

/// The metadata with the columns as Arrow has them. What a writer says of Arrow types of its own is left
/// aside: texts are texts however they were held in memory.
fn with_schema(metadata: ParquetMetaData) -> Result<ArrowReaderMetadata, Error> {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    ArrowReaderMetadata::try_new(Arc::new(metadata), options).map_err(|err| {
        let reason = format!("the columns of this Parquet file cannot be read: {err}");
        Error::new(ErrorKind::Format(reason))
    })
}

/// The metadata with the places of all pages, as far as the file tells them; `None` when it does not, or
/// they do not fit.
pub(super) fn with_pages(
    found: &ArrowReaderMetadata,
    source: &ParquetSource,
) -> Option<ArrowReaderMetadata> {
    let metadata = found.metadata().as_ref();
    let chunks = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let ranges: Vec<_> =
        chunks.map(ColumnChunkMetaData::offset_index_range).collect::<Option<_>>()?;
    source.check_lists(&ranges).ok()?;
    let mut reader = ParquetMetaDataReader::new_with_metadata(metadata.clone())
        .with_offset_index_policy(PageIndexPolicy::Required);
    reader.read_page_indexes(source).ok()?;
    let metadata = reader.finish().ok()?;
    if !are_pages_within(&metadata) {
        return None;
    }
    with_schema(metadata).ok()
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

/// Whether the pages of every column follow one another inside it, from its first row on.
fn are_pages_within(metadata: &ParquetMetaData) -> bool {
    let Some(index) = metadata.page_index() else { return false };
    metadata.row_groups().iter().enumerate().all(|(at, group)| {
        group.columns().iter().enumerate().all(|(column, chunk)| {
            let (start, len) = chunk.byte_range();
            let Some(pages) = index.offset_index(at, column) else { return false };
            let mut end = i64::try_from(start).unwrap_or(i64::MAX);
            let mut row = -1;
            let follow = pages.page_locations().iter().all(|page| {
                let is_behind = page.offset >= end
                    && page.compressed_page_size > 0
                    && page.first_row_index > row
                    && page.first_row_index < group.num_rows();
                end = page.offset.saturating_add(page.compressed_page_size.into());
                row = page.first_row_index;
                is_behind
            });
            let first = pages.page_locations().first().map_or(0, |page| page.first_row_index);
            let is_all = !pages.page_locations().is_empty() || group.num_rows() == 0;
            follow && is_all && first == 0 && u64::try_from(end).is_ok_and(|end| end <= start + len)
        })
    })
}

/// The columns of `schema`, of which the `leaves` that are texts come by their numbers among the different
/// ones: most files hold them so, and nobody has to look at each of them.
pub(super) fn by_number(schema: &Schema, leaves: &[usize]) -> Fields {
    let mut next = 0;
    schema.fields().iter().map(|field| field_by_number(field, leaves, &mut next)).collect()
}

/// The same of one column; `next` is the number of its first leaf, then of the one behind it.
fn field_by_number(field: &FieldRef, leaves: &[usize], next: &mut usize) -> FieldRef {
    let mut own = |field: &FieldRef| field_by_number(field, leaves, next);
    let data_type = match field.data_type() {
        DataType::List(item) => DataType::List(own(item)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(own).collect()),
        DataType::Map(entries, is_sorted) => DataType::Map(own(entries), *is_sorted),
        leaf => {
            let is_wanted = *leaf == DataType::Utf8 && leaves.contains(next);
            *next += 1;
            if !is_wanted {
                return Arc::clone(field);
            }
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
        }
    };
    Arc::new(field.as_ref().clone().with_data_type(data_type))
}
