//! Bytes that lie with the browser, written as they come: what is passed on is not copied in a program's own heap first.

use js_sys::Uint8Array;
use std::io;

/// Bytes of the browser, to which more can be added.
pub struct BrowserBytes {
    /// There may be room behind them.
    bytes: Uint8Array,
    len: usize,
}

impl BrowserBytes {
    /// No bytes, and room for `n_bytes`.
    pub fn with_capacity(n_bytes: usize) -> Self {
        Self { bytes: of_len(n_bytes), len: 0 }
    }

    /// What was written, in a buffer that nothing else looks at.
    pub fn finish(self) -> Uint8Array {
        self.bytes.subarray(0, index(self.len))
    }

    /// Makes room for as many more.
    fn reserve(&mut self, n_more: usize) {
        let (wanted, room) = (self.len + n_more, self.bytes.length() as usize);
        if wanted > room {
            let larger = of_len(wanted.max(room * 2));
            larger.set(&self.bytes, 0);
            self.bytes = larger;
        }
    }
}

impl io::Write for BrowserBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.reserve(bytes.len());
        let end = self.len + bytes.len();
        self.bytes.subarray(index(self.len), index(end)).copy_from(bytes);
        self.len = end;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn of_len(n_bytes: usize) -> Uint8Array {
    Uint8Array::new_with_length(index(n_bytes))
}

/// A program's heap has no more bytes than this counts.
fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
