//! Sources made of other sources: a part of one, and one read as a stream.

use super::source::{ByteStream, ReadAt, SourceOrigin};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::rc::Rc;

/// How much a stream reads at once.
const STREAM_BYTES: usize = 256 << 10;

/// A part of another source.
pub(crate) struct PartSource {
    whole: Rc<dyn ReadAt>,
    span: Range<u64>,
}

impl PartSource {
    /// The bytes of `whole` at `span`, as far as they exist.
    pub(crate) fn new(whole: Rc<dyn ReadAt>, span: Range<u64>) -> Self {
        let end = span.end.min(whole.len());
        Self { span: span.start.min(end)..end, whole }
    }
}

impl ReadAt for PartSource {
    fn len(&self) -> u64 {
        self.span.end - self.span.start
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(buf.len() as u64).ok_or(io::ErrorKind::UnexpectedEof)?;
        if end > self.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.whole.read_at(self.span.start + offset, buf)
    }

    fn stream(&self, span: Range<u64>) -> Option<Box<dyn ByteStream>> {
        let is_within = span.start <= span.end && span.end <= self.len();
        let start = self.span.start;
        is_within.then(|| self.whole.stream(start + span.start..start + span.end))?
    }

    fn is_packed(&self) -> bool {
        self.whole.is_packed()
    }

    fn origin(&self) -> SourceOrigin<'_> {
        SourceOrigin::Part(&self.whole, self.span.clone())
    }
}

/// A source read from left to right.
pub(super) struct SourceStream {
    data: Rc<dyn ReadAt>,
    at: u64,
}

impl SourceStream {
    /// From the start of `data`, in large steps.
    pub(super) fn buffered(data: &Rc<dyn ReadAt>) -> BufReader<Self> {
        Self::with_steps(data, STREAM_BYTES)
    }

    /// From the start of `data`, `step` bytes at once.
    pub(super) fn with_steps(data: &Rc<dyn ReadAt>, step: usize) -> BufReader<Self> {
        let n_bytes = usize::try_from(data.len()).unwrap_or(step);
        BufReader::with_capacity(n_bytes.clamp(1, step), Self { data: Rc::clone(data), at: 0 })
    }
}

impl Read for SourceStream {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n_left = usize::try_from(self.data.len().saturating_sub(self.at)).unwrap_or(usize::MAX);
        let n_bytes = n_left.min(buf.len());
        if n_bytes > 0 {
            self.data.read_at(self.at, buf.get_mut(..n_bytes).unwrap_or_default())?;
            self.at += n_bytes as u64;
        }
        Ok(n_bytes)
    }
}

impl Seek for SourceStream {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.data.len().checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
