//! Tables between programs: Arrow's IPC stream, as bytes in a message.
//!
//! A stream of ours is a schema, the words of its dictionaries, and one batch. The library's own reader of streams knows
//! dictionaries that grow too, and with it come kernels for every type of Arrow, which every page would have to load.
//! Numbers that repeat (the case of a check, its attempt, the source of a case) travel as runs of equal cells.

use super::run::Run;
use super::runs_of_cells::{by_cells, by_runs};
use super::table::{CaseTable, CheckTable};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
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
        // Columns that were read from one stream share its bytes, so that each says to be as large as all of them.
        let own = |column: &ArrayRef| column.to_data().get_slice_memory_size().unwrap_or_default();
        self.0.columns().iter().map(own).sum()
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
    let schema = Schema::new(fields.collect::<Vec<_>>());
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
        let tables = [self.cases.to_batch()?, self.checks.to_batch()?];
        (self.cases, self.checks) = (CaseTable::default(), CheckTable::default());
        Ok(tables)
    }

    /// Puts its tables back; `None` when they are of other columns.
    pub fn put_tables(&mut self, [cases, checks]: [&RecordBatch; 2]) -> Option<()> {
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
        assert!(from_ipc_bytes(b"no batch".to_vec()).is_err());
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
