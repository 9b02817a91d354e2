//! Tables between programs: Arrow's IPC stream, as bytes in a message.
//!
//! A stream of ours is a schema, the words of its dictionaries, and one batch. The library's own reader of streams knows
//! dictionaries that grow too, and with it come kernels for every type of Arrow, which every page would have to load.
//! Numbers that repeat (the case of a check, its attempt, the source of a case) travel as runs of equal cells.
//! A large table travels in parts of a few columns each: one is taken while the next is written.

use super::run::Run;
use super::runs_of_cells::{by_cells, by_runs};
use super::table::{CaseTable, CheckTable};
use arrow_array::cast::AsArray as _;
use arrow_array::types::UInt32Type;
use arrow_array::{Array as _, ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::read_record_batch;
use arrow_ipc::writer::StreamWriter;
use arrow_ipc::{Message, root_as_message};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

/// What stands before the length of a message.
const CONTINUES: [u8; 4] = [0xff; 4];

/// In the metadata of a part of a table: its columns follow those of the part before.
const FOLLOWS: &str = "follows";

/// The column of a travelling table of cases that says where the checks of each case begin.
const CHECK_START: &str = "check_start";

/// A batch that is to be written.
pub struct OutgoingBatch(RecordBatch);

impl OutgoingBatch {
    /// `batch`, to be written.
    ///
    /// # Errors
    /// When its columns are no table, which no table of ours brings about.
    pub fn new(batch: &RecordBatch) -> Result<Self, ArrowError> {
        with_columns(batch, by_runs).map(Self)
    }

    /// Number of bytes that its cells take; a stream is somewhat longer.
    pub fn n_bytes(&self) -> usize {
        self.0.columns().iter().map(n_bytes_of).sum()
    }

    /// Writes it to `out`, each column in one piece.
    ///
    /// # Errors
    /// When `out` takes no more.
    pub fn write(&self, out: impl Write) -> Result<(), ArrowError> {
        let mut writer = StreamWriter::try_new(out, &self.0.schema())?;
        writer.write(&self.0)?;
        writer.finish()
    }
}

/// Bytes of the cells of `column`. Columns that were read from one stream share its bytes, so that each says to be as large as
/// all of them.
fn n_bytes_of(column: &ArrayRef) -> usize {
    column.to_data().get_slice_memory_size().unwrap_or_default()
}

/// `batch` in parts of at least `min_bytes` (the last one may be smaller), each of some of its columns, which [`TableParts`] puts
/// together. A column is let go once its part has been taken and dropped.
///
/// # Errors
/// When columns differ in length, which those of a batch do not.
pub fn parts_of(
    batch: RecordBatch,
    min_bytes: usize,
) -> impl Iterator<Item = Result<RecordBatch, ArrowError>> {
    let (schema, columns, n_rows) = batch.into_parts();
    let fields: Vec<_> = schema.fields().iter().cloned().collect();
    let mut left = fields.into_iter().zip(columns).peekable();
    let mut is_first = true;
    std::iter::from_fn(move || {
        if left.peek().is_none() && !is_first {
            return None;
        }
        let (mut fields, mut columns, mut n_bytes) = (Vec::new(), Vec::new(), 0);
        while let Some((field, column)) = left.next_if(|_| n_bytes < min_bytes.max(1)) {
            n_bytes += n_bytes_of(&column);
            fields.push(field);
            columns.push(column);
        }
        let mut metadata = HashMap::new();
        if !std::mem::take(&mut is_first) {
            metadata.insert(FOLLOWS.to_owned(), String::new());
        }
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
        let options = RecordBatchOptions::new().with_row_count(Some(n_rows));
        Some(RecordBatch::try_new_with_options(schema, columns, &options))
    })
}

/// Tables, put together from their parts.
#[derive(Default)]
pub struct TableParts {
    tables: Vec<RecordBatch>,
    has_lost: bool,
}

impl TableParts {
    /// Takes the next part; `None`: it could not be read.
    pub fn take(&mut self, part: Option<RecordBatch>) {
        let whole = part.and_then(|part| {
            if !part.schema_ref().metadata().contains_key(FOLLOWS) {
                return Some(part);
            }
            let before = self.tables.pop()?;
            let fields = [&before, &part].map(|part| part.schema_ref().fields().iter().cloned());
            let schema = Schema::new(fields.into_iter().flatten().collect::<Vec<_>>());
            let options = RecordBatchOptions::new().with_row_count(Some(before.num_rows()));
            let columns = [before.columns(), part.columns()].concat();
            RecordBatch::try_new_with_options(Arc::new(schema), columns, &options).ok()
        });
        self.has_lost |= whole.is_none();
        self.tables.extend(whole);
    }

    /// The tables; none where a part is missing: which columns they lack would not be known.
    pub fn finish(self) -> Vec<RecordBatch> {
        if self.has_lost { Vec::new() } else { self.tables }
    }
}

/// `batch` with what `change` makes of each column.
fn with_columns(
    batch: &RecordBatch,
    change: impl Fn(&ArrayRef) -> Option<ArrayRef>,
) -> Result<RecordBatch, ArrowError> {
    let changed = batch.columns().iter().map(&change);
    let changed: Vec<Option<ArrayRef>> = changed.collect();
    if changed.iter().all(Option::is_none) {
        return Ok(batch.clone());
    }
    let columns = changed.into_iter().zip(batch.columns());
    let columns: Vec<ArrayRef> =
        columns.map(|(new, old)| new.unwrap_or_else(|| Arc::clone(old))).collect();
    let schema = batch.schema();
    let fields = schema.fields().iter().zip(&columns);
    let fields = fields.map(|(field, column)| {
        Field::new(field.name(), column.data_type().clone(), field.is_nullable())
    });
    let metadata = schema.metadata().clone();
    let schema = Schema::new_with_metadata(fields.collect::<Vec<_>>(), metadata);
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::new(schema), columns, &options)
}

/// A batch as bytes.
///
/// # Errors
/// When it cannot be written, which no table of ours brings about.
pub fn to_ipc(batch: &RecordBatch) -> Result<Vec<u8>, ArrowError> {
    let outgoing = OutgoingBatch::new(batch)?;
    let mut bytes = Vec::with_capacity(outgoing.n_bytes());
    outgoing.write(&mut bytes)?;
    Ok(bytes)
}

/// Puts `batch` behind `bytes`.
///
/// # Errors
/// When it cannot be written, which no table of ours brings about.
pub fn append_ipc(bytes: &mut Vec<u8>, batch: &RecordBatch) -> Result<(), ArrowError> {
    OutgoingBatch::new(batch)?.write(bytes)
}

/// The batch that `bytes` are, which it keeps as they are.
///
/// # Errors
/// When they are something else.
pub fn from_ipc_bytes(bytes: Vec<u8>) -> Result<RecordBatch, ArrowError> {
    batch_of(&Buffer::from_vec(bytes))
}

/// The batch of the stream `bytes`.
fn batch_of(bytes: &Buffer) -> Result<RecordBatch, ArrowError> {
    let (mut schema, mut words) = (None, HashMap::new());
    // Dictionaries of ours hold words.
    let of_words = Arc::new(Schema::new(vec![Field::new("", DataType::Utf8, true)]));
    let mut at = 0;
    loop {
        let (message, body) = message_at(bytes, &mut at)?;
        let version = message.version();
        if let Some(found) = message.header_as_schema() {
            schema = Some(Arc::new(try_fb_to_schema(found)?));
        } else if let Some(dictionary) = message.header_as_dictionary_batch() {
            let data = dictionary.data().filter(|_| !dictionary.isDelta());
            let data = data.ok_or_else(|| wrong("a dictionary is not whole"))?;
            let of_words = Arc::clone(&of_words);
            let own = read_record_batch(&body, data, of_words, &words, None, &version)?;
            words.insert(dictionary.id(), Arc::clone(own.column(0)));
        } else {
            let batch = message.header_as_record_batch();
            let (batch, schema) = batch.zip(schema).ok_or_else(|| wrong("it holds no batch"))?;
            let batch = read_record_batch(&body, batch, schema, &words, None, &version)?;
            return with_columns(&batch, by_cells);
        }
    }
}

/// The message at `at` of a stream with its body; `at` goes on behind it.
fn message_at<'a>(bytes: &'a Buffer, at: &mut usize) -> Result<(Message<'a>, Buffer), ArrowError> {
    let ends = || wrong("it ends within a message");
    let rest = bytes.as_slice().get(*at..).ok_or_else(ends)?;
    let (start, rest) = rest.split_first_chunk().ok_or_else(ends)?;
    let (len, rest) = rest.split_first_chunk().ok_or_else(ends)?;
    let len = usize::try_from(i32::from_le_bytes(*len)).ok().filter(|_| *start == CONTINUES);
    let header = len.and_then(|len| rest.get(..len)).ok_or_else(ends)?;
    let message = root_as_message(header).map_err(|err| wrong(&err.to_string()))?;
    let body = bytes.len() - rest.len() + header.len();
    let n_body = usize::try_from(message.bodyLength()).ok();
    let n_body = n_body.filter(|n| *n <= bytes.len() - body).ok_or_else(ends)?;
    *at = body + n_body;
    Ok((message, bytes.slice_with_length(body, n_body)))
}

fn wrong(reason: &str) -> ArrowError {
    ArrowError::IpcError(format!("this is no table of ours: {reason}"))
}

/// A table travels as one batch; one without rows, of which a dataset has two for each run, as nothing.
macro_rules! travels {
    ($table:ident) => {
        impl Serialize for $table {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if self.is_empty() {
                    return serializer.serialize_bytes(&[]);
                }
                let bytes = self.to_batch().and_then(|batch| to_ipc(&batch));
                serializer.serialize_bytes(&bytes.map_err(ser::Error::custom)?)
            }
        }

        impl<'de> Deserialize<'de> for $table {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let bytes: std::borrow::Cow<'de, serde_bytes::Bytes> =
                    serde_bytes::Deserialize::deserialize(deserializer)?;
                if bytes.is_empty() {
                    return Ok(Self::default());
                }
                let batch = batch_of(&Buffer::from_slice_ref(&**bytes));
                let batch = batch.map_err(de::Error::custom)?;
                let misfit = || de::Error::custom("a column is of another type than its name");
                Self::from_batch(&batch).ok_or_else(misfit)
            }
        }
    };
}

travels!(CaseTable);
travels!(CheckTable);

impl Run {
    /// Takes its two tables out, to be passed on beside it. It has no case until they are
    /// [put back](Self::put_tables).
    ///
    /// # Errors
    /// When they are no tables, which a builder does not bring about.
    pub fn take_tables(&mut self) -> Result<[RecordBatch; 2], ArrowError> {
        let (schema, mut columns, n_rows) = self.cases.to_batch()?.into_parts();
        let start = Arc::new(Field::new(CHECK_START, DataType::UInt32, false));
        let fields = schema.fields().iter().cloned().chain([start]).collect::<Vec<_>>();
        columns.push(Arc::new(UInt32Array::from(self.check_starts.clone())));
        let options = RecordBatchOptions::new().with_row_count(Some(n_rows));
        let schema = Arc::new(Schema::new(fields));
        let cases = RecordBatch::try_new_with_options(schema, columns, &options)?;
        let tables = [cases, self.checks.to_batch()?];
        (self.cases, self.checks) = (CaseTable::default(), CheckTable::default());
        self.check_starts.clear();
        Ok(tables)
    }

    /// Puts its tables back; `None` when they are of other columns.
    pub fn put_tables(&mut self, [cases, checks]: [&RecordBatch; 2]) -> Option<()> {
        let starts = cases.column_by_name(CHECK_START)?.as_primitive_opt::<UInt32Type>()?;
        self.check_starts = starts.values().to_vec();
        self.cases = CaseTable::from_batch(cases)?;
        self.checks = CheckTable::from_batch(checks)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CaseRow, CheckRow, RunBuilder, RunKey};

    #[test]
    fn tables_that_travel_beside_a_run_come_back_as_they_were() {
        let mut builder = RunBuilder::new(RunKey::default(), "a");
        for (at, id) in ["x", "", "ü", "x"].iter().enumerate() {
            let score = (at != 1).then_some(at as f64 / 3.0);
            builder.case(CaseRow {
                id: Some(id),
                outcome: Some("failed"),
                score,
                ..CaseRow::default()
            });
            builder.check(CheckRow { name: Some("a check"), weight: score, ..CheckRow::default() });
        }
        let whole = builder.finish();
        let mut run = whole.clone();
        let tables = run.take_tables().unwrap();
        assert_eq!((run.cases.len(), run.checks.len()), (0, 0));
        let travelled =
            tables.each_ref().map(|table| from_ipc_bytes(to_ipc(table).unwrap()).unwrap());
        run.put_tables([&travelled[0], &travelled[1]]).unwrap();
        assert_eq!(run.cases.to_batch().unwrap(), whole.cases.to_batch().unwrap());
        assert_eq!(run.checks.to_batch().unwrap(), whole.checks.to_batch().unwrap());
        let starts = |run: &Run| (0..6).map(|idx| run.checks_of(idx)).collect::<Vec<_>>();
        assert_eq!(starts(&run), starts(&whole));
        assert!(from_ipc_bytes(b"no batch".to_vec()).is_err());
    }

    #[test]
    fn tables_come_back_from_parts_of_any_size() {
        let mut builder = RunBuilder::new(RunKey::default(), "a");
        for at in 0..40 {
            let id = at.to_string();
            builder.case(CaseRow { id: Some(&id), score: Some(0.5), ..CaseRow::default() });
            builder.check(CheckRow { name: Some("a check"), ..CheckRow::default() });
        }
        let [cases, checks] = builder.finish().take_tables().unwrap();
        let options = RecordBatchOptions::new().with_row_count(Some(3));
        let bare = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), vec![], &options);
        let tables = [cases, bare.unwrap(), checks];
        for (min_bytes, n_parts) in [(0, 6), (1, 6), (200, 5), (1_000_000, 3)] {
            let parts = tables.iter().flat_map(|table| parts_of(table.clone(), min_bytes));
            let parts: Vec<RecordBatch> = parts.collect::<Result<_, _>>().unwrap();
            assert_eq!(parts.len(), n_parts, "{min_bytes}");
            let mut found = TableParts::default();
            for part in &parts {
                found.take(from_ipc_bytes(to_ipc(part).unwrap()).ok());
            }
            assert_eq!(found.finish(), tables, "{min_bytes}");
            for lost in 0..parts.len() {
                let mut found = TableParts::default();
                let part = |(nth, part): (usize, &RecordBatch)| (nth != lost).then(|| part.clone());
                parts.iter().enumerate().for_each(|part_at| found.take(part(part_at)));
                assert!(found.finish().is_empty(), "{min_bytes} {lost}");
            }
        }
    }

    #[test]
    fn a_stream_that_ends_too_early_or_is_another_is_refused() {
        let mut builder = RunBuilder::new(RunKey::default(), "a");
        builder.case(CaseRow { id: Some("x"), outcome: Some("passed"), ..CaseRow::default() });
        let bytes = to_ipc(&builder.finish().cases.to_batch().unwrap()).unwrap();
        // The last eight bytes say that the stream ends.
        for len in 0..bytes.len() - 8 {
            assert!(from_ipc_bytes(bytes[..len].to_vec()).is_err(), "{len}");
        }
        assert!(from_ipc_bytes(bytes[..bytes.len() - 8].to_vec()).is_ok());
        let mut other = bytes;
        other[0] = 0;
        assert!(from_ipc_bytes(other).is_err());
    }
}
