//! A window that moves over a source, filled while what it held before is being read.

use super::Slices;
use crate::input::error::Error;
use crate::input::pulse::Pulse;
use crate::input::source::{ByteStream, InputFile};
use std::cell::RefCell;

/// The least that is taken at once of what comes as a stream: few enough bytes that they are still in the processor's
/// cache when they are looked at.
const STREAMED_BYTES: usize = 2 << 20;

/// How many are kept for the next windows: two stretches are read at the same time.
const MAX_SPARE: usize = 2;

thread_local! {
    /// Memory of windows of the usual size, for the next ones: to make it and to fill it with zeros takes a while.
    static SPARE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// A part of a source in memory, moving forward. Its memory is reused.
pub(in crate::input) struct SplitWindow<'a> {
    file: &'a InputFile,
    buf: Vec<u8>,
    pub(super) n_filled: usize,
    /// Offset in the source of the first byte held.
    pub(super) start: u64,
    end: u64,
    read_ahead: ReadAhead,
}

/// Whether bytes come before they are wanted.
enum ReadAhead {
    /// Nobody has asked for them.
    Untried,
    /// They do, one after the other.
    Streamed(Box<dyn ByteStream>),
    /// They do not.
    Impossible,
}

impl<'a> SplitWindow<'a> {
    pub(in crate::input) fn new(
        file: &'a InputFile,
        start: u64,
        end: u64,
        slices: &Slices,
    ) -> Self {
        let n_left = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
        let n_bytes = slices.n_bytes.min(n_left).max(1);
        let spare = SPARE.with_borrow_mut(|spare| spare.pop_if(|buf| buf.len() == n_bytes));
        let buf = spare.unwrap_or_else(|| vec![0; n_bytes]);
        Self { file, buf, n_filled: 0, start, end, read_ahead: ReadAhead::Untried }
    }

    pub(in crate::input) fn bytes(&self) -> &[u8] {
        self.buf.get(..self.n_filled).unwrap_or_default()
    }

    /// Offset of the first byte that is not held yet.
    pub(super) fn ahead(&self) -> u64 {
        self.start + self.n_filled as u64
    }

    pub(super) fn is_full(&self) -> bool {
        self.n_filled == self.buf.len()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.ahead() >= self.end
    }

    /// Lets go of the first `n_bytes`.
    pub(in crate::input) fn drop_first(&mut self, n_bytes: usize) {
        let n_bytes = n_bytes.min(self.n_filled);
        self.buf.copy_within(n_bytes..self.n_filled, 0);
        self.n_filled -= n_bytes;
        self.start += n_bytes as u64;
    }

    /// Makes room for more, to at most `max` bytes; `false` when there are that many.
    pub(super) fn grow(&mut self, max: u64) -> bool {
        let max = usize::try_from(max).unwrap_or(usize::MAX);
        if self.buf.len() >= max {
            return false;
        }
        let n_left = usize::try_from(self.end - self.start).unwrap_or(usize::MAX);
        let len = self.buf.len().saturating_mul(2).min(max).min(n_left.max(1));
        self.buf.resize(len, 0);
        true
    }

    /// Reads on into the free part, and counts what was read: at least one byte, where there is room and the source has more.
    ///
    /// # Errors
    /// When the source cannot be read, or the work is to stop.
    pub(super) async fn fill(&mut self, pulse: &Pulse) -> Result<(), Error> {
        let n_bytes = self.read_on(pulse.may_wait()).await?;
        Ok(pulse.advance(n_bytes as u64).await?)
    }

    /// The same without counting; gives the number of bytes. `may_wait`: whether it may wait for a stream.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub(in crate::input) async fn read_on(&mut self, may_wait: bool) -> Result<usize, Error> {
        let from = self.ahead();
        let n_left = usize::try_from(self.end.saturating_sub(from)).unwrap_or(usize::MAX);
        let n_free = n_left.min(self.buf.len() - self.n_filled);
        if n_free == 0 {
            return Ok(0);
        }
        if matches!(self.read_ahead, ReadAhead::Untried) && may_wait {
            let stream = self.file.data.stream(from..self.end);
            self.read_ahead = stream.map_or(ReadAhead::Impossible, ReadAhead::Streamed);
        }
        if let ReadAhead::Streamed(stream) = &mut self.read_ahead {
            // At least as much as is held: a long record is scanned again after each piece.
            let n_bytes = n_free.min(STREAMED_BYTES.max(self.n_filled));
            let free = self.buf.get_mut(self.n_filled..self.n_filled + n_bytes);
            if stream.fill(free.unwrap_or_default()).await {
                self.n_filled += n_bytes;
                return Ok(n_bytes);
            }
            self.read_ahead = ReadAhead::Impossible;
        }
        let free = self.buf.get_mut(self.n_filled..self.n_filled + n_free).unwrap_or_default();
        self.file.data.read_at(from, free).map_err(|err| Error::of_source(&err, from))?;
        self.n_filled += n_free;
        Ok(n_free)
    }
}

impl Drop for SplitWindow<'_> {
    fn drop(&mut self) {
        let buf = std::mem::take(&mut self.buf);
        if buf.len() == Slices::default().n_bytes {
            SPARE.with_borrow_mut(|spare| {
                if spare.len() < MAX_SPARE {
                    spare.push(buf);
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::pulse::LocalFuture;
    use crate::input::source::{MemorySource, ReadAt};
    use crate::model::SourceId;
    use proptest::prelude::*;
    use std::ops::Range;
    use std::rc::Rc;

    /// Streams what is in memory, as far as byte `until`.
    struct Streams {
        own: MemorySource,
        until: u64,
    }

    struct FromMemory(Vec<u8>);

    impl ByteStream for FromMemory {
        fn fill<'a>(&'a mut self, buf: &'a mut [u8]) -> LocalFuture<'a, bool> {
            let is_there = buf.len() <= self.0.len();
            if is_there {
                let rest = self.0.split_off(buf.len());
                buf.copy_from_slice(&std::mem::replace(&mut self.0, rest));
            } else {
                buf.fill(255);
            }
            Box::pin(std::future::ready(is_there))
        }
    }

    impl ReadAt for Streams {
        fn len(&self) -> u64 {
            self.own.len()
        }

        fn read_at(&self, offset: u64, buf: &mut [u8]) -> std::io::Result<()> {
            self.own.read_at(offset, buf)
        }

        fn stream(&self, span: Range<u64>) -> Option<Box<dyn ByteStream>> {
            let mut bytes = vec![0; (span.end.min(self.until).checked_sub(span.start)?) as usize];
            self.own.read_at(span.start, &mut bytes).unwrap();
            Some(Box::new(FromMemory(bytes)))
        }
    }

    proptest! {
        #[test]
        fn what_comes_as_a_stream_is_what_reading_gives(
            len in 0_usize..90,
            (start, n_bytes, until) in (0_u64..9, 1_usize..20, 0_u64..100),
            drops in prop::collection::vec(0_usize..12, 1..6),
        ) {
            let all: Vec<u8> = (0..len).map(|at| at as u8).collect();
            let source = Streams { own: MemorySource::new(all.as_slice()), until };
            let file = InputFile { id: SourceId(0), path: "x".to_owned(), data: Rc::new(source) };
            let pulse = Pulse::new(|_| Box::pin(std::future::ready(true)));
            let slices = Slices { n_bytes, ..Slices::default() };
            let end = len as u64;
            let start = start.min(end);
            let mut window = SplitWindow::new(&file, start, end, &slices);
            let mut drops = drops.iter().cycle();
            while !window.is_at_end() {
                pollster::block_on(window.fill(&pulse)).unwrap();
                let own = window.start as usize..window.ahead() as usize;
                prop_assert_eq!(window.bytes(), &all[own]);
                match drops.next() {
                    Some(0) | None => drop(window.grow(64)),
                    Some(n_bytes) => window.drop_first(*n_bytes),
                }
                if window.is_full() {
                    window.drop_first(1);
                }
            }
            prop_assert_eq!(pulse.n_done(), end - start);
        }
    }

    #[test]
    fn much_is_streamed_in_pieces_that_grow_with_what_is_held() {
        let all: Vec<u8> = (0..STREAMED_BYTES * 5).map(|at| (at % 251) as u8).collect();
        let until = all.len() as u64;
        let source = Streams { own: MemorySource::new(all.as_slice()), until };
        let file = InputFile { id: SourceId(0), path: "x".to_owned(), data: Rc::new(source) };
        let slices = Slices { n_bytes: all.len(), ..Slices::default() };
        let mut window = SplitWindow::new(&file, 0, until, &slices);
        let read = |window: &mut SplitWindow<'_>| pollster::block_on(window.read_on(true)).unwrap();
        let pieces = [1, 1, 2, 1].map(|n| n * STREAMED_BYTES);
        assert_eq!(pieces.map(|_| read(&mut window)), pieces);
        assert!(window.is_at_end() && window.bytes() == all);
        // Nothing waits where all is to be done at once.
        let mut window = SplitWindow::new(&file, 0, until, &slices);
        assert_eq!(pollster::block_on(window.read_on(false)).unwrap(), all.len());
    }
}
