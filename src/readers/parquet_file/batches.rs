//! Rows of one row group, decoded by the library some at a time.

use super::pages::RowGroup;
use super::source::ParquetSource;
use super::{ParquetFooter, damaged, footer};
use crate::readers::{Error, ErrorKind};
use arrow_array::RecordBatch;
use arrow_schema::Fields;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, RowGroups as _, RowSelection, RowSelector,
};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::basic::Compression;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Some columns of one row group.
pub(super) struct ColumnBatch {
    /// The file.
    pub(super) file: ParquetFooter,
    /// The row group.
    pub(super) group: usize,
    /// Its columns, by number.
    pub(super) leaves: Vec<usize>,
    /// Those of them whose texts are to come by their numbers, if they are texts.
    pub(super) words: Vec<usize>,
}

/// Decodes a part, from some row on.
pub(in crate::readers) struct Batches {
    part: ColumnBatch,
    source: ParquetSource,
    /// `None` once it has failed.
    reader: Option<ParquetRecordBatchReader>,
    /// Rows to come, by the footer.
    n_left: u64,
    /// Whether more have come.
    is_over: bool,
    /// Whether damage is to be found when there is some.
    has_place: bool,
}

impl Batches {
    /// The rows of `part` from row `start` on, `n_rows` at a time.
    ///
    /// # Errors
    /// When a column is packed in a way that nobody reads, or how it is damaged, and where.
    pub(super) fn open(part: ColumnBatch, start: u64, n_rows: usize) -> Result<Self, Error> {
        let footer = part.file.footer.clone();
        Self::open_with(part, &footer, start, n_rows, true)
    }

    /// The same by a `footer` that may know where the pages lie; errors do not say where the damage is
    /// unless it `has_place`.
    ///
    /// # Errors
    /// As [`Batches::open`].
    pub(super) fn open_with(
        part: ColumnBatch,
        footer: &ArrowReaderMetadata,
        start: u64,
        n_rows: usize,
        has_place: bool,
    ) -> Result<Self, Error> {
        let file = &part.file;
        let chunks = file.chunks(part.group);
        let is_lzo = |leaf: &usize| {
            chunks.get(*leaf).is_some_and(|chunk| chunk.compression() == Compression::LZO)
        };
        if part.leaves.iter().any(is_lzo) {
            return Err(Error::new(ErrorKind::Packing).in_file(&file.path));
        }
        let is_indexed = footer.metadata().page_index().is_some();
        let source = if is_indexed { file.source.indexed() } else { file.source.clone() };
        let n_left = file.rows_of_group(part.group).saturating_sub(start);
        let leaves = part.leaves.clone();
        let group = RowGroup::new(source.clone(), footer, part.group);
        let selection = (start > 0).then(|| {
            let n_rows = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
            RowSelection::from(vec![
                RowSelector::skip(n_rows(start)),
                RowSelector::select(n_rows(n_left)),
            ])
        });
        let mut batches = Self { part, source, reader: None, n_left, is_over: false, has_place };
        let hint = (!batches.part.words.is_empty())
            .then(|| footer::by_number(footer.schema(), &batches.part.words));
        match guarded(|| reader(&group, leaves, n_rows, selection, hint.as_ref())) {
            Ok(reader) => batches.reader = Some(reader),
            Err(err) => return Err(batches.why(err)),
        }
        Ok(batches)
    }

    /// The next rows; `None` at the end of the row group.
    ///
    /// # Errors
    /// How the row group is damaged, and where. What comes after the damage is lost.
    pub(in crate::readers) fn next(&mut self) -> Result<Option<RecordBatch>, Error> {
        if self.is_over {
            let reason = "a column holds more rows than its row group says";
            return Err(damaged(reason).in_file(&self.part.file.path));
        }
        let Some(mut reader) = self.reader.take() else { return Ok(None) };
        match guarded(|| reader.next().transpose().map_err(|err| said(&err.to_string()))) {
            Ok(Some(batch)) => {
                let n_rows = usize::try_from(self.n_left).unwrap_or(usize::MAX);
                let n_rows = n_rows.min(batch.num_rows());
                self.is_over = n_rows < batch.num_rows();
                self.n_left -= n_rows as u64;
                self.reader = Some(reader);
                if n_rows == 0 { self.next() } else { Ok(Some(batch.slice(0, n_rows))) }
            }
            Ok(None) if self.n_left == 0 => Ok(None),
            Ok(None) => {
                let reason = "a column holds fewer rows than its row group says";
                Err(damaged(reason).in_file(&self.part.file.path))
            }
            Err(err) => Err(self.why(err)),
        }
    }

    /// What is wrong, when decoding has ended with `err`.
    fn why(&self, err: Error) -> Error {
        let err = match self.source.take_failure() {
            Some(failure) => Error::from(failure),
            None if self.has_place => self.part.place_of(err),
            None => err,
        };
        err.in_file(&self.part.file.path)
    }
}

impl ColumnBatch {
    /// The same error with the column and the page that cannot be read, found by reading each column alone.
    pub(super) fn place_of(&self, err: Error) -> Error {
        if !matches!(err.kind(), ErrorKind::Parquet(_)) {
            return err;
        }
        let found = self.leaves.iter().find_map(|leaf| {
            let source = &self.file.source;
            source.take_page_at();
            let reason = guarded(|| self.try_column(*leaf)).err()?.to_string();
            if source.take_failure().is_some() {
                return None;
            }
            let reason = reason.strip_prefix("damaged Parquet data: ").unwrap_or(&reason);
            let column = self.file.column_name(*leaf);
            let at = match source.take_page_at() {
                Some(at) => format!(", page at byte {at}"),
                None => String::new(),
            };
            Some(damaged(&format!("column {column}{at}: {reason}")))
        });
        found.unwrap_or(err).in_file(&self.file.path)
    }

    fn try_column(&self, leaf: usize) -> Result<(), Error> {
        const ROWS: usize = 1024;
        let group = RowGroup::new(self.file.source.clone(), &self.file.footer, self.group);
        for batch in reader(&group, vec![leaf], ROWS, None, None)? {
            batch.map_err(|err| said(&err.to_string()))?;
        }
        Ok(())
    }
}

/// The library's reader of the columns `leaves` of `group`; `hint`: the types that all columns of the file
/// should have.
fn reader(
    group: &RowGroup,
    leaves: Vec<usize>,
    n_rows: usize,
    selection: Option<RowSelection>,
    hint: Option<&Fields>,
) -> Result<ParquetRecordBatchReader, Error> {
    let schema = group.metadata().file_metadata().schema_descr();
    let mask = ProjectionMask::leaves(schema, leaves);
    let levels = parquet_to_arrow_field_levels(schema, mask, hint)?;
    let n_rows = n_rows.clamp(1, group.num_rows().max(1));
    Ok(ParquetRecordBatchReader::try_new_with_row_groups(&levels, group, n_rows, selection)?)
}

/// What the library says of damage.
fn said(words: &str) -> Error {
    Error::from(parquet::errors::ParquetError::General(words.to_owned()))
}

/// What `work`, which runs the library, gives. The library panics over some kinds of damage: natively that
/// is an error like any other, in the page it ends the reader that runs it.
pub(in crate::readers) fn guarded<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let words = words_of(&*panic);
        Err(damaged(&format!("its bytes made the library give up ({words:?})")))
    })
}

fn words_of(panic: &(dyn Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(words), _) => words,
        (_, Some(words)) => words,
        _ => "without a word",
    }
}
