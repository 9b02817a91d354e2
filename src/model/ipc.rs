//! Tables between programs: Arrow's IPC stream, as bytes in a message.

use super::table::{CaseTable, CheckTable};
use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use std::io::Cursor;

fn to_ipc(batch: &RecordBatch) -> Result<Vec<u8>, ArrowError> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema())?;
    writer.write(batch)?;
    writer.into_inner()
}

fn from_ipc(bytes: &[u8]) -> Result<RecordBatch, ArrowError> {
    let mut batches = StreamReader::try_new(Cursor::new(bytes), None)?;
    let missing = || ArrowError::IpcError("the stream holds no batch".to_owned());
    batches.next().ok_or_else(missing)?
}

/// A table travels as one batch.
macro_rules! travels {
    ($table:ident) => {
        impl Serialize for $table {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let bytes = self.to_batch().and_then(|batch| to_ipc(&batch));
                serializer.serialize_bytes(&bytes.map_err(ser::Error::custom)?)
            }
        }

        impl<'de> Deserialize<'de> for $table {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let bytes: std::borrow::Cow<'de, serde_bytes::Bytes> =
                    serde_bytes::Deserialize::deserialize(deserializer)?;
                let batch = from_ipc(&bytes).map_err(de::Error::custom)?;
                let misfit = || de::Error::custom("a column is of another type than its name");
                Self::from_batch(&batch).ok_or_else(misfit)
            }
        }
    };
}

travels!(CaseTable);
travels!(CheckTable);
