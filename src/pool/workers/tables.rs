//! Tables between programs of the page: bytes that the browser passes on.

use crate::browser::BrowserBytes;
use crate::model::{OutgoingBatch, from_ipc_bytes};
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};

/// Room for what the stream of a table says besides its cells.
const IPC_HEAD_BYTES: usize = 16 << 10;

/// The stream of `table`.
///
/// # Errors
/// When it is no table, which none of ours is.
pub(in crate::pool) fn ipc(table: &RecordBatch) -> Result<Uint8Array, ArrowError> {
    let outgoing = OutgoingBatch::new(table)?;
    let mut bytes = BrowserBytes::with_capacity(outgoing.n_bytes() + IPC_HEAD_BYTES);
    outgoing.write(&mut bytes)?;
    Ok(bytes.finish())
}

/// The tables that came with a message. One that cannot be read is missed where it is put back.
pub(in crate::pool) fn tables_of(streams: &JsValue) -> Vec<RecordBatch> {
    let of_stream = |stream: JsValue| {
        let stream: Uint8Array = stream.unchecked_into();
        from_ipc_bytes(stream.to_vec()).ok()
    };
    Array::from(streams).iter().filter_map(of_stream).collect()
}
