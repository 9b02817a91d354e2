//! A file's bytes from first to last, which the browser reads while something else is done. It copies them into memory that is
//! used again: new memory for each slice takes as long as reading it.

use crate::input::{ByteStream, LocalFuture};
use js_sys::{ArrayBuffer, Reflect, Uint8Array};
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ReadableStreamByobReader};

/// The most that is asked for at once.
const ASKED_BYTES: u32 = 1 << 20;

/// A file that is being read.
pub(super) struct FileStream {
    reader: ReadableStreamByobReader,
    /// How many have not come yet.
    n_left: u64,
    /// What has come and was not taken yet.
    here: Uint8Array,
    /// What comes next, once it is asked for.
    coming: Option<JsFuture>,
}

impl FileStream {
    /// The `n_bytes` of `blob`; `None` where the browser cannot read so.
    pub(super) fn new(blob: &Blob, n_bytes: u64) -> Option<Self> {
        let reader = ReadableStreamByobReader::new(&blob.stream()).ok()?;
        let (here, coming) = (Uint8Array::new_with_length(0), None);
        let mut stream = Self { reader, n_left: n_bytes, here, coming };
        stream.ask(None);
        Some(stream)
    }

    /// Asks for what comes next, in `memory` or in some that is new.
    fn ask(&mut self, memory: Option<ArrayBuffer>) {
        let len = u32::try_from(self.n_left).unwrap_or(u32::MAX).min(ASKED_BYTES);
        if len == 0 {
            return;
        }
        let memory = memory.filter(|memory| memory.byte_length() >= len);
        let memory = memory.unwrap_or_else(|| ArrayBuffer::new(len));
        let free = Uint8Array::new_with_byte_offset_and_length(&memory, 0, len);
        self.coming = Some(self.reader.read_with_array_buffer_view(&free).into());
    }

    /// Waits for the next bytes, all of those before being taken; `false`: none come.
    async fn next(&mut self) -> bool {
        let Some(coming) = self.coming.take() else { return false };
        let read = coming.await.and_then(|read| Reflect::get(&read, &"value".into()));
        let Some(bytes) = read.ok().and_then(|bytes| bytes.dyn_into::<Uint8Array>().ok()) else {
            return false;
        };
        let n_bytes = u64::from(bytes.length());
        self.n_left = self.n_left.saturating_sub(n_bytes);
        let taken = std::mem::replace(&mut self.here, bytes);
        self.ask(Some(taken.buffer()));
        n_bytes > 0
    }
}

impl ByteStream for FileStream {
    fn fill<'a>(&'a mut self, buf: &'a mut [u8]) -> LocalFuture<'a, bool> {
        Box::pin(async move {
            let mut free = buf;
            while !free.is_empty() {
                let n_here = self.here.length();
                if n_here == 0 {
                    if !self.next().await {
                        return false;
                    }
                    continue;
                }
                let n_taken = n_here.min(u32::try_from(free.len()).unwrap_or(u32::MAX));
                let (now, later) = free.split_at_mut(n_taken as usize);
                self.here.subarray(0, n_taken).copy_to(now);
                self.here = self.here.subarray(n_taken, n_here);
                free = later;
            }
            true
        })
    }
}

impl Drop for FileStream {
    fn drop(&mut self) {
        // The browser need not read the rest. Nobody waits for its answer.
        drop(JsFuture::from(self.reader.cancel()));
    }
}
