//! Tables between programs: Arrow's IPC stream, as bytes in a message.

use super::run::Run;
use super::table::{CaseTable, CheckTable};
use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::{StreamDecoder, StreamReader};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use std::io::Cursor;

/// A batch as bytes.
///
/// # Errors
/// When it cannot be written, which no table of ours brings about.
pub fn to_ipc(batch: &RecordBatch) -> Result<Vec<u8>, ArrowError> {
    let mut bytes = Vec::with_capacity(batch.get_array_memory_size());
    append_ipc(&mut bytes, batch)?;
    Ok(bytes)
}

/// Puts `batch` behind `bytes`.
///
/// # Errors
/// When it cannot be written, which no table of ours brings about.
pub fn append_ipc(bytes: &mut Vec<u8>, batch: &RecordBatch) -> Result<(), ArrowError> {
    let mut writer = StreamWriter::try_new(bytes, &batch.schema())?;
    writer.write(batch)?;
    writer.finish()
}

/// The batch that `bytes` are, which it keeps as they are.
///
/// # Errors
/// When they are something else.
pub fn from_ipc_bytes(bytes: Vec<u8>) -> Result<RecordBatch, ArrowError> {
    let mut bytes = Buffer::from_vec(bytes);
    let mut decoder = StreamDecoder::new();
    let missing = || ArrowError::IpcError("the stream holds no batch".to_owned());
    // Dictionaries come before the batch that needs them.
    decoder.decode(&mut bytes)?.ok_or_else(missing)
}

fn from_ipc(bytes: &[u8]) -> Result<RecordBatch, ArrowError> {
    let mut batches = StreamReader::try_new(Cursor::new(bytes), None)?;
    let missing = || ArrowError::IpcError("the stream holds no batch".to_owned());
    batches.next().ok_or_else(missing)?
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
                let batch = from_ipc(&bytes).map_err(de::Error::custom)?;
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
}
