//! Tables between programs of the page: bytes that the browser passes on.

use crate::browser::BrowserBytes;
use crate::model::{OutgoingBatch, TableParts, from_ipc_bytes, parts_of};
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsCast as _;

/// Room for what the stream of a table says besides its cells.
const IPC_HEAD_BYTES: usize = 16 << 10;

/// From how many bytes on the streams that are there go ahead of the message.
pub(in crate::pool) const MIN_AHEAD_BYTES: u32 = 8 << 20;

/// The streams of `table`, one for each part of it.
pub(in crate::pool) fn streams(
    table: RecordBatch,
) -> impl Iterator<Item = Result<Uint8Array, ArrowError>> {
    parts_of(table, MIN_AHEAD_BYTES as usize).map(|part| {
        let outgoing = OutgoingBatch::new(&part?)?;
        let mut bytes = BrowserBytes::with_capacity(outgoing.n_bytes() + IPC_HEAD_BYTES);
        outgoing.write(&mut bytes)?;
        Ok(bytes.finish())
    })
}

/// Takes the tables, or parts of them, that came with a message.
pub(in crate::pool) fn take_tables(parts: &mut TableParts, streams: &Array) {
    for stream in streams.iter() {
        let stream: Uint8Array = stream.unchecked_into();
        parts.take(from_ipc_bytes(stream.to_vec()).ok());
    }
}
