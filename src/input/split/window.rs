//! A window that moves over a source, filled while what it held before is being read.

use super::Slices;
use crate::input::error::Error;
use crate::input::pulse::Pulse;
use crate::input::source::{Ahead, Fetching, InputFile};
use std::collections::VecDeque;

/// Slices that are fetched at the same time: one that is being used up, others behind it.
const CHUNKS_AHEAD: usize = 3;

/// A part of a source in memory, moving forward. Its memory is reused.
pub(super) struct SplitWindow<'a> {
    file: &'a InputFile,
    buf: Vec<u8>,
    pub(super) n_filled: usize,
    /// Offset in the source of the first byte held.
    pub(super) start: u64,
    end: u64,
    chunk_bytes: usize,
    /// What comes next, as far as it was asked for.
    chunks: VecDeque<PrefetchedBytes>,
}

impl<'a> SplitWindow<'a> {
    pub(super) fn new(file: &'a InputFile, start: u64, end: u64, slices: &Slices) -> Self {
        let n_left = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
        let buf = vec![0; slices.n_bytes.min(n_left).max(1)];
        let chunk_bytes = slices.n_bytes.max(1);
        Self { file, buf, n_filled: 0, start, end, chunk_bytes, chunks: VecDeque::new() }
    }

    pub(super) fn bytes(&self) -> &[u8] {
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
    pub(super) fn drop_first(&mut self, n_bytes: usize) {
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

    /// Fills the free part from the source, and counts what was read.
    ///
    /// # Errors
    /// When the source cannot be read, or the work is to stop.
    pub(super) async fn fill(&mut self, pulse: &Pulse) -> Result<(), Error> {
        let from = self.ahead();
        let n_left = usize::try_from(self.end.saturating_sub(from)).unwrap_or(usize::MAX);
        let n_bytes = n_left.min(self.buf.len() - self.n_filled);
        if n_bytes > 0 {
            if pulse.may_wait() {
                self.fetch_ahead();
            }
            let n_taken = self.take_fetched(n_bytes).await;
            let free = self.buf.get_mut(self.n_filled + n_taken..self.n_filled + n_bytes);
            if let Some(free) = free.filter(|free| !free.is_empty()) {
                // What the source could not fetch, or did not try to.
                self.chunks.clear();
                let at = from + n_taken as u64;
                let read = self.file.data.read_at(at, free);
                read.map_err(|err| Error::of_source(&err, at))?;
            }
            self.n_filled += n_bytes;
            if pulse.may_wait() {
                self.fetch_ahead();
            }
        }
        Ok(pulse.advance(n_bytes as u64).await?)
    }

    /// Takes up to `n_bytes` from what was fetched; how many there were.
    async fn take_fetched(&mut self, n_bytes: usize) -> usize {
        let at = self.ahead();
        let mut n_taken = 0;
        while n_taken < n_bytes
            && let Some(chunk) = self.chunks.front_mut()
        {
            let from = at + n_taken as u64;
            let Some(skipped) = from.checked_sub(chunk.start).filter(|_| from < chunk.end) else {
                break;
            };
            let len = (n_bytes - n_taken).min((chunk.end - from) as usize);
            let to = self.n_filled + n_taken;
            let (Some(bytes), Some(free)) = (chunk.bytes().await, self.buf.get_mut(to..to + len))
            else {
                break;
            };
            bytes.copy_to(skipped as usize, free);
            n_taken += len;
            if from + len as u64 == chunk.end {
                self.chunks.pop_front();
            }
        }
        n_taken
    }

    /// Has the source fetch what comes next.
    fn fetch_ahead(&mut self) {
        let mut start = self.chunks.back().map_or(self.ahead(), |last| last.end);
        while self.chunks.len() < CHUNKS_AHEAD && start < self.end {
            let len = (self.end - start).min(self.chunk_bytes as u64);
            let Some(coming) = self.file.data.fetch(start, len as usize) else { return };
            let end = start + len;
            self.chunks.push_back(PrefetchedBytes {
                start,
                end,
                fetched: FetchState::Coming(coming),
            });
            start = end;
        }
    }
}

/// Bytes that are fetched before they are wanted.
struct PrefetchedBytes {
    start: u64,
    end: u64,
    fetched: FetchState,
}

enum FetchState {
    Coming(Fetching),
    Here(Box<dyn Ahead>),
    Failed,
}

impl PrefetchedBytes {
    /// The bytes, once they are here; `None`: they could not be fetched.
    async fn bytes(&mut self) -> Option<&dyn Ahead> {
        if let FetchState::Coming(coming) = &mut self.fetched {
            self.fetched = coming.await.map_or(FetchState::Failed, FetchState::Here);
        }
        match &self.fetched {
            FetchState::Here(bytes) => Some(&**bytes),
            FetchState::Coming(_) | FetchState::Failed => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::source::{MemorySource, ReadAt};
    use crate::model::SourceId;
    use proptest::prelude::*;
    use std::cell::Cell;
    use std::rc::Rc;

    /// Fetches what is in memory. One fetch in `fails_each` fails; after `most` there are none.
    struct Fetches {
        own: MemorySource,
        n_fetches: Cell<usize>,
        fails_each: usize,
        most: usize,
    }

    struct Copied(Vec<u8>);

    impl Ahead for Copied {
        fn copy_to(&self, from: usize, buf: &mut [u8]) {
            buf.copy_from_slice(&self.0[from..from + buf.len()]);
        }
    }

    impl ReadAt for Fetches {
        fn len(&self) -> u64 {
            self.own.len()
        }

        fn read_at(&self, offset: u64, buf: &mut [u8]) -> std::io::Result<()> {
            self.own.read_at(offset, buf)
        }

        fn fetch(&self, offset: u64, len: usize) -> Option<Fetching> {
            let n = self.n_fetches.replace(self.n_fetches.get() + 1);
            let mut bytes = vec![0; len];
            self.own.read_at(offset, &mut bytes).unwrap();
            let fails = n % self.fails_each == self.fails_each - 1;
            let fetched = (!fails).then(|| Box::new(Copied(bytes)) as Box<dyn Ahead>);
            (n < self.most).then(|| Box::pin(std::future::ready(fetched)) as Fetching)
        }
    }

    proptest! {
        #[test]
        fn what_was_fetched_ahead_is_what_reading_gives(
            len in 0_usize..90,
            (start, n_bytes, fails_each, most) in (0_u64..9, 1_usize..20, 1_usize..6, 0_usize..12),
            drops in prop::collection::vec(0_usize..12, 1..6),
        ) {
            let all: Vec<u8> = (0..len).map(|at| at as u8).collect();
            let own = MemorySource::new(all.as_slice());
            let source = Fetches { own, n_fetches: Cell::new(0), fails_each, most };
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
}
