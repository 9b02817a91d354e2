//! Rows of Arrow IPC: files (Feather 2) and streams.
//!
//! Both are messages one behind the other, a file with a magic before and a list of them behind. The messages
//! are walked, not the list, so that of a file that is cut the batches before the cut are read. Headers are read
//! when it is opened, a batch when its rows are asked for: the smallest part that can be read is one batch.

use super::flatten;
use super::sheet::{Sheet, SheetColumns, SheetRow, TakeSheetRow, WholeRow};
use crate::input::{InputFile, LocalFuture};
use crate::model::{Locator, NoteKind, Place, RawRecord};
use crate::readers::parquet_file::{guarded, record_of_row};
use crate::readers::{Context, Error, ErrorKind};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::{Message, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// How a file begins.
const MAGIC: &[u8] = b"ARROW1";
/// Where the first message of a file stands.
const AFTER_MAGIC: u64 = 8;
/// What stands before the length of a message, but in streams of releases before 0.15.
const CONTINUES: [u8; 4] = [0xff; 4];

/// The longest header of a message.
const MAX_HEADER: u64 = 64 << 20;
/// The most bytes of one batch, unpacked.
const MAX_BATCH: u64 = 1 << 30;
/// The most that a packed byte can become: a block of zstd that repeats one byte takes 4 bytes and gives 128 KB (RFC 8878). LZ4
/// gives less.
const MAX_EXPANSION: u64 = 32 << 10;

/// An Arrow file or stream as a table.
pub(super) struct ArrowRows {
    file: InputFile,
    is_stream: bool,
    schema: SchemaRef,
    blocks: Vec<RecordBatchMessage>,
    /// Where it ends before its end, and why.
    cut: Option<(u64, String)>,
    /// The batch that a row was read from last, by its place among the blocks.
    last: RefCell<Option<(usize, RecordBatch)>>,
}

/// A message with rows, or with the words of a dictionary.
struct RecordBatchMessage {
    header: Range<u64>,
    body: Range<u64>,
    /// Number of its first row and how many there are; `None`: a dictionary.
    rows: Option<Range<u64>>,
}

type DictionaryWords = HashMap<i64, ArrayRef>;

/// Whether a file that begins with `head` may be one.
pub(super) fn is_arrow(head: &[u8]) -> bool {
    let is_stream = head.starts_with(&CONTINUES) && head.get(4..8).is_some_and(|len| len != [0; 4]);
    head.starts_with(MAGIC) || is_stream
}

fn damaged(reason: &str) -> Error {
    Error::new(ErrorKind::Format(format!("the Arrow data is damaged: {reason}")))
}

fn of_arrow(err: &ArrowError) -> Error {
    damaged(&err.to_string())
}

impl ArrowRows {
    /// The table in `file`; `None` when it holds no schema.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn open(file: &InputFile) -> Result<Option<Self>, Error> {
        let head = file.bytes(0..file.len().min(AFTER_MAGIC))?;
        let is_stream = !head.starts_with(MAGIC);
        let mut at = if is_stream { 0 } else { behind_magic(file)? };
        let (mut schema, mut blocks, mut cut, mut n_rows) = (None, Vec::new(), None, 0_u64);
        loop {
            match next(file, at, n_rows) {
                Ok(Some(ArrowMessage::Schema(own, end))) => {
                    schema = schema.or(Some(own));
                    at = end;
                }
                Ok(Some(ArrowMessage::Block(block))) => {
                    at = block.body.end;
                    n_rows = block.rows.as_ref().map_or(n_rows, |rows| rows.end);
                    blocks.push(block);
                }
                Ok(None) => break,
                Err(reason) => {
                    cut = Some((at, reason));
                    break;
                }
            }
        }
        let last = RefCell::new(None);
        let found = schema.map(|schema| Self {
            file: file.clone(),
            is_stream,
            schema: Arc::new(schema),
            blocks,
            cut,
            last,
        });
        Ok(found)
    }

    /// Reads the batch that `block` is, or adds its words to `words`.
    fn batch(
        &self,
        block: &RecordBatchMessage,
        words: &mut DictionaryWords,
    ) -> Result<Option<RecordBatch>, Error> {
        let header = self.file.bytes(block.header.clone())?;
        let body = Buffer::from_vec(self.file.bytes(block.body.clone())?);
        guarded(|| {
            let message = root_as_message(&header).map_err(|err| damaged(&err.to_string()))?;
            let version = message.version();
            if let Some(batch) = message.header_as_dictionary_batch() {
                let own = batch.data().ok_or_else(|| damaged("a dictionary without data"))?;
                check(&own, &body)?;
                read_dictionary(&body, batch, &self.schema, words, &version)
                    .map_err(|err| of_arrow(&err))?;
                return Ok(None);
            }
            let Some(batch) = message.header_as_record_batch() else { return Ok(None) };
            check(&batch, &body)?;
            let schema = Arc::clone(&self.schema);
            read_record_batch(&body, batch, schema, words, None, &version)
                .map(Some)
                .map_err(|err| of_arrow(&err))
        })
    }

    async fn read(
        &self,
        cx: &Context<'_>,
        columns: &mut SheetColumns,
        take: &mut TakeSheetRow<'_>,
    ) -> Result<(), Error> {
        let mut words = DictionaryWords::new();
        let mut cells = Vec::new();
        for block in &self.blocks {
            cx.pulse.breathe().await?;
            let batch = match self.batch(block, &mut words) {
                Ok(Some(batch)) => batch,
                Ok(None) => continue,
                Err(err) => {
                    let place = Place::Byte(block.header.start);
                    cx.notes.add(&self.file.path, err.note_kind(), place, err.to_string());
                    continue;
                }
            };
            let first = block.rows.as_ref().map_or(0, |rows| rows.start);
            for (number, row) in (first..).zip(0..batch.num_rows()) {
                flatten::into_cells(record_of_row(&batch, row), columns, &mut cells);
                let at = Locator::Row { source: self.file.id, row: number };
                if !take(columns, SheetRow { number, at, cells: &cells }) {
                    return Ok(());
                }
            }
        }
        if let Some((at, reason)) = &self.cut {
            let detail = format!("{reason}: what stands behind is not read");
            cx.notes.add(&self.file.path, NoteKind::Truncated, Place::Byte(*at), detail);
        }
        Ok(())
    }
}

impl Sheet for ArrowRows {
    fn form(&self) -> String {
        (if self.is_stream { "Arrow stream" } else { "Arrow file" }).to_owned()
    }

    fn may_have_decimal_commas(&self) -> bool {
        false
    }

    fn each_row<'a>(
        &'a self,
        cx: &'a Context<'a>,
        columns: &'a mut SheetColumns,
        take: &'a mut TakeSheetRow<'a>,
    ) -> LocalFuture<'a, Result<(), Error>> {
        Box::pin(self.read(cx, columns, take))
    }

    fn row(&self, at: Locator) -> Result<WholeRow, Error> {
        let gone = || Error::new(ErrorKind::Gone);
        let Locator::Row { row, .. } = at else { return Err(gone()) };
        let holds = |block: &RecordBatchMessage| {
            block.rows.as_ref().is_some_and(|rows| rows.contains(&row))
        };
        let place = self.blocks.iter().position(holds).ok_or_else(gone)?;
        let is_kept = self.last.borrow().as_ref().is_some_and(|(kept, _)| *kept == place);
        if !is_kept {
            let mut words = DictionaryWords::new();
            let before = self.blocks.iter().take(place).filter(|block| block.rows.is_none());
            for block in before {
                // What is broken in it was noted when the table was read.
                let _ = self.batch(block, &mut words);
            }
            let block = self.blocks.get(place).ok_or_else(gone)?;
            let batch = self.batch(block, &mut words)?.ok_or_else(gone)?;
            self.last.replace(Some((place, batch)));
        }
        let last = self.last.borrow();
        let (_, batch) = last.as_ref().ok_or_else(gone)?;
        let first = self.blocks.get(place).and_then(|block| block.rows.as_ref());
        let nth = usize::try_from(row - first.map_or(0, |rows| rows.start));
        let nth = nth.ok().filter(|nth| *nth < batch.num_rows()).ok_or_else(gone)?;
        let record = record_of_row(batch, nth);
        let raw = RawRecord {
            file: self.file.path.clone(),
            at: format!("row {row}"),
            json: Value::Object(record.clone()).to_string(),
            left_out: None,
        };
        Ok((flatten::leaves(record), raw))
    }
}

/// Where the first message of a file stands: some writers fill up to 64 bytes with zeros.
fn behind_magic(file: &InputFile) -> Result<u64, Error> {
    const MOST: u64 = 256;
    let head = file.bytes(AFTER_MAGIC.min(file.len())..file.len().min(MOST))?;
    let n_zeros = head.chunks(8).take_while(|chunk| chunk.iter().all(|byte| *byte == 0)).count();
    Ok(AFTER_MAGIC + 8 * n_zeros as u64)
}

/// A message that was found.
enum ArrowMessage {
    /// The schema, and where the next message begins.
    Schema(arrow_schema::Schema, u64),
    Block(RecordBatchMessage),
}

/// The message at `at`, whose first row is number `n_rows`; `None`: there is none any more.
fn next(file: &InputFile, at: u64, n_rows: u64) -> Result<Option<ArrowMessage>, String> {
    let said = |err: crate::input::Error| err.reason().to_string();
    let read = |range: Range<u64>| {
        if range.end > file.len() {
            return Err("the file ends in the middle of a message".to_owned());
        }
        file.bytes(range).map_err(said)
    };
    if at >= file.len() {
        return Ok(None);
    }
    let mut start = at + 4;
    let mut len = read(at..start)?;
    if len == CONTINUES {
        len = read(start..start + 4)?;
        start += 4;
    }
    let n_header = len.try_into().map(i32::from_le_bytes).unwrap_or(-1);
    let Ok(n_header) = u64::try_from(n_header) else {
        return Err("the length of a message is negative".to_owned());
    };
    if n_header == 0 {
        return Ok(None);
    }
    if n_header > MAX_HEADER {
        return Err("a message has an absurd length".to_owned());
    }
    let header = start..start + n_header;
    let bytes = read(header.clone())?;
    let message = root_as_message(&bytes)
        .map_err(|_err| "what stands here is no message of Arrow".to_owned())?;
    let n_body = u64::try_from(message.bodyLength())
        .map_err(|_err| "the length of a body is negative".to_owned())?;
    let end = header.end.checked_add(n_body).filter(|end| *end <= file.len());
    let body = header.end..end.ok_or("the file ends in the middle of a batch")?;
    found(&message, header, body, n_rows).map(Some)
}

fn found(
    message: &Message<'_>,
    header: Range<u64>,
    body: Range<u64>,
    n_rows: u64,
) -> Result<ArrowMessage, String> {
    if let Some(schema) = message.header_as_schema() {
        let schema = guarded(|| try_fb_to_schema(schema).map_err(|err| of_arrow(&err)));
        return schema
            .map(|own| ArrowMessage::Schema(own, body.end))
            .map_err(|err| err.to_string());
    }
    let rows = match message.header_as_record_batch() {
        Some(batch) => {
            let n = u64::try_from(batch.length()).ok();
            let end = n.and_then(|n| n_rows.checked_add(n));
            Some(n_rows..end.ok_or("a batch has an absurd number of rows")?)
        }
        None => None,
    };
    Ok(ArrowMessage::Block(RecordBatchMessage { header, body, rows }))
}

/// Looks at what the library takes on trust: places of buffers, sizes when unpacked, number of rows.
fn check(batch: &arrow_ipc::RecordBatch<'_>, body: &Buffer) -> Result<(), Error> {
    let is_packed = batch.compression().is_some();
    let mut n_bytes = 0_u64;
    for buffer in batch.buffers().into_iter().flatten() {
        let bounds =
            usize::try_from(buffer.offset()).ok().zip(usize::try_from(buffer.length()).ok());
        let part = bounds
            .and_then(|(offset, len)| body.as_slice().get(offset..offset.checked_add(len)?))
            .ok_or_else(|| damaged("a column lies outside of its batch"))?;
        let own = match part.first_chunk::<8>().filter(|_| is_packed) {
            Some(size) => u64::try_from(i64::from_le_bytes(*size)).unwrap_or(part.len() as u64),
            None => part.len() as u64,
        };
        if own > MAX_EXPANSION.saturating_mul(part.len() as u64) {
            return Err(damaged("a column is said to be longer than its packed bytes can become"));
        }
        n_bytes = n_bytes.saturating_add(own);
    }
    if n_bytes > MAX_BATCH {
        return Err(damaged("a batch of more than a gibibyte"));
    }
    // A row has a bit at least, but in columns of nothing.
    let most = n_bytes.saturating_mul(8).saturating_add(1024);
    let lengths = batch.nodes().into_iter().flatten().map(|node| node.length());
    let is_absurd = lengths
        .chain([batch.length()])
        .any(|len| u64::try_from(len).map_or(true, |len| len > most));
    if is_absurd { Err(damaged("more rows than its bytes can hold")) } else { Ok(()) }
}
