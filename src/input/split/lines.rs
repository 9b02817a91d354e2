//! JSONL: one value per line, or several glued.

use super::{Record, Slices, SplitWindow, Tail};
use crate::input::error::{Error, ErrorKind};
use crate::input::json::{MAX_DEPTH, Skipper, is_word_byte, space_len};
use crate::input::pulse::Pulse;
use crate::input::source::InputFile;
use memchr::{memchr, memchr_iter, memmem, memrchr};
use serde::{Deserialize, Serialize};

/// Calls `record` for each JSON value of a JSONL file, in order, reading in slices.
///
/// Accepts LF and CRLF, blank lines, several values glued on one line, no final newline.
/// A line that holds something else than whole values is given to `broken` (with the offset of the
/// line, its number and the reason), once, and costs only itself.
/// The last line may be cut, which comes back as [`Tail::cut`] and is not given to `broken`.
///
/// An [`ErrorKind::Json`] of `record`, its byte counted from the record's first, is given to `broken`
/// too and does not end the work. This is how most broken lines are found: a line that begins and
/// ends like one object is not scanned before `record` reads it, since that would cost as much again.
/// So read with [`Record::read`], and keep what was read only when it gives no error.
///
/// Counts the bytes on `pulse`.
///
/// # Errors
/// When the source cannot be read, the work is cancelled, or `record` fails otherwise.
pub async fn each_line(
    file: &InputFile,
    pulse: &Pulse,
    record: &mut dyn FnMut(Record<'_>) -> Result<(), Error>,
    broken: &mut dyn FnMut(u64, u64, &Error),
) -> Result<Tail, Error> {
    each_line_with(file, &Slices::default(), pulse, record, broken).await
}

/// [`each_line`] with slices of another size.
///
/// # Errors
/// As [`each_line`].
#[doc(hidden)]
pub async fn each_line_with(
    file: &InputFile,
    slices: &Slices,
    pulse: &Pulse,
    record: &mut dyn FnMut(Record<'_>) -> Result<(), Error>,
    broken: &mut dyn FnMut(u64, u64, &Error),
) -> Result<Tail, Error> {
    let whole = (LineStart::default(), file.len());
    Ok(lines_between(file, whole, slices, Glued::MayPass, pulse, record, broken).await?.0)
}

/// Where a line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineStart {
    /// Its number, 1-based.
    pub number: u64,
    /// Offset of its first byte.
    pub offset: u64,
}

impl Default for LineStart {
    /// The first line.
    fn default() -> Self {
        Self { number: 1, offset: 0 }
    }
}

/// Offset of the first byte behind the last newline of `file`: there begins what has no end yet.
///
/// # Errors
/// When the source cannot be read.
pub fn last_line_start(file: &InputFile) -> Result<u64, Error> {
    const STEP_BYTES: u64 = 64 << 10;
    let mut end = file.len();
    while end > 0 {
        let start = end.saturating_sub(STEP_BYTES);
        if let Some(at) = memrchr(b'\n', &file.bytes(start..end)?) {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// [`each_line`] of the lines that begin at `from` and end before `end`; also where the line begins
/// that is next. What ends at `end` without a newline is taken for the last line of the file. `record` has to fail where
/// something follows its value, as [`Record::read`] does: lines are not searched for glued ones before.
///
/// # Errors
/// As [`each_line`].
pub async fn each_line_between(
    file: &InputFile,
    from: LineStart,
    end: u64,
    pulse: &Pulse,
    record: &mut dyn FnMut(Record<'_>) -> Result<(), Error>,
    broken: &mut dyn FnMut(u64, u64, &Error),
) -> Result<(Tail, LineStart), Error> {
    let slices = Slices::default();
    lines_between(file, (from, end), &slices, Glued::Fail, pulse, record, broken).await
}

/// What becomes of a line with several values that is given as one record.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Glued {
    /// It may be taken for its first value.
    MayPass,
    /// It is refused.
    Fail,
}

async fn lines_between(
    file: &InputFile,
    (from, end): (LineStart, u64),
    slices: &Slices,
    glued: Glued,
    pulse: &Pulse,
    record: &mut dyn FnMut(Record<'_>) -> Result<(), Error>,
    broken: &mut dyn FnMut(u64, u64, &Error),
) -> Result<(Tail, LineStart), Error> {
    let max_bytes = slices.max_record_bytes;
    let mut sink = LineSink { record, broken, max_bytes, may_be_glued: false, last_broken: 0 };
    let glue = [memmem::Finder::new(b"}{"), memmem::Finder::new(b"} ")];
    let mut window = SplitWindow::new(file, from.offset, end, slices);
    let mut line = from;
    loop {
        window.fill(pulse).await?;
        // Two looks at the whole window cost less than one at each line.
        sink.may_be_glued =
            glued == Glued::MayPass && glue.iter().any(|glue| glue.find(window.bytes()).is_some());
        let mut at = 0;
        while let Some(len) = memchr(b'\n', window.bytes().get(at..).unwrap_or_default()) {
            let bytes = window.bytes().get(at..at + len).unwrap_or_default();
            if let Some(rest) = sink.whole_values(bytes, window.start + at as u64, line)? {
                sink.broken_line(line, rest);
            }
            at += len + 1;
            line = LineStart { number: line.number + 1, offset: window.start + at as u64 };
        }
        if window.is_at_end() {
            let bytes = window.bytes().get(at..).unwrap_or_default();
            return Ok((sink.last_line(bytes, window.start + at as u64, line)?, line));
        }
        window.drop_first(at);
        if !window.is_full() {
            continue;
        }
        // A line longer than the window. Glued values need not wait for its end.
        let too_long = match sink.nested_values(window.bytes(), window.start, line)? {
            Ok(0) if window.grow(max_bytes.saturating_add(2)) => continue,
            Ok(0) => None,
            Ok(n_taken) => {
                window.drop_first(n_taken);
                continue;
            }
            Err(fault) => Some(fault),
        };
        let from = window.start;
        let end = skip_line(&mut window, pulse).await?;
        let reason = too_long.unwrap_or_else(|| {
            let found = end - from;
            Error::new(ErrorKind::TooLarge { found, limit: max_bytes }, from)
        });
        sink.broken_line(line, reason);
        line = LineStart { number: line.number + 1, offset: window.start };
    }
}

/// Lets `window` begin after the next newline (or at the end), holding nothing on the way; gives the
/// offset at which the line ends.
async fn skip_line(window: &mut SplitWindow<'_>, pulse: &Pulse) -> Result<u64, Error> {
    loop {
        if let Some(len) = memchr(b'\n', window.bytes()) {
            window.drop_first(len + 1);
            return Ok(window.start - 1);
        }
        window.drop_first(window.n_filled);
        if window.is_at_end() {
            return Ok(window.start);
        }
        window.fill(pulse).await?;
    }
}

struct LineSink<'a> {
    record: &'a mut dyn FnMut(Record<'_>) -> Result<(), Error>,
    broken: &'a mut dyn FnMut(u64, u64, &Error),
    max_bytes: u64,
    /// Whether somewhere in the window one object could end and another begin, and `record` does not say so.
    may_be_glued: bool,
    /// Number of the last line given to `broken`.
    last_broken: u64,
}

/// What passing over the values of a line came to.
enum LineEnd {
    /// Nothing is left.
    Whole,
    /// The value at this offset in the line has not ended; whether it is whole if nothing follows.
    Open(usize, bool),
    /// A fault at this offset in the line.
    Fault(usize, &'static str),
}

impl LineSink<'_> {
    fn broken_line(&mut self, line: LineStart, reason: Error) {
        if self.last_broken != line.number {
            self.last_broken = line.number;
            (self.broken)(line.offset, line.number, &reason);
        }
    }

    /// Gives one value; a JSON error of the callback is the line's.
    fn give(&mut self, bytes: &[u8], offset: u64, line: LineStart) -> Result<(), Error> {
        if let Some(reason) = self.offer(bytes, offset, line)? {
            self.broken_line(line, reason);
        }
        Ok(())
    }

    /// Gives one value, and gives back what is wrong with it.
    fn offer(
        &mut self,
        bytes: &[u8],
        offset: u64,
        line: LineStart,
    ) -> Result<Option<Error>, Error> {
        let found = bytes.len() as u64;
        if found > self.max_bytes {
            let reason = ErrorKind::TooLarge { found, limit: self.max_bytes };
            return Ok(Some(Error::new(reason, offset)));
        }
        match (self.record)(Record { bytes, offset, number: line.number }) {
            Ok(()) => Ok(None),
            Err(err) if matches!(err.kind(), ErrorKind::Json(_)) => Ok(Some(err.shifted(offset))),
            Err(err) => Err(err),
        }
    }

    /// Gives the values of `bytes`, which lie at `offset`, one by one.
    fn values(&mut self, bytes: &[u8], offset: u64, line: LineStart) -> Result<LineEnd, Error> {
        let mut at = 0;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let n_space = space_len(rest);
            at += n_space;
            let rest = rest.get(n_space..).unwrap_or_default();
            if rest.is_empty() {
                return Ok(LineEnd::Whole);
            }
            let mut skipper = Skipper::new(MAX_DEPTH);
            match skipper.feed(rest) {
                Ok(Some(len)) => {
                    let value = rest.get(..len).unwrap_or_default();
                    self.give(value, offset + at as u64, line)?;
                    at += len;
                }
                Ok(None) => return Ok(LineEnd::Open(at, skipper.is_whole_at_end())),
                Err((fault, reason)) => return Ok(LineEnd::Fault(at + fault, reason)),
            }
        }
    }

    /// A line with its end: gives its values; the fault if it has one.
    fn whole_values(
        &mut self,
        bytes: &[u8],
        offset: u64,
        line: LineStart,
    ) -> Result<Option<Error>, Error> {
        let n_space = space_len(bytes);
        let value = bytes.get(n_space..).unwrap_or_default().trim_ascii_end();
        if is_like_one_object(value, self.may_be_glued) {
            let fault = self.offer(value, offset + n_space as u64, line)?;
            let is_one = || Skipper::new(MAX_DEPTH).feed(value) == Ok(Some(value.len()));
            if fault.is_none() || is_one() {
                return Ok(fault);
            }
        }
        let (at, reason) = match self.values(bytes, offset, line)? {
            LineEnd::Whole => return Ok(None),
            LineEnd::Open(at, true) => {
                self.give(bytes.get(at..).unwrap_or_default(), offset + at as u64, line)?;
                return Ok(None);
            }
            LineEnd::Open(at, false) if bytes.get(at).copied().is_some_and(is_word_byte) => {
                (at, "a word is not JSON")
            }
            LineEnd::Open(_, false) => (bytes.len(), "the line ends inside a value"),
            LineEnd::Fault(at, reason) => (at, reason),
        };
        Ok(Some(Error::new(ErrorKind::Json(reason), offset + at as u64)))
    }

    /// A line without its end: gives the values that are whole; how many bytes they took.
    fn nested_values(
        &mut self,
        bytes: &[u8],
        offset: u64,
        line: LineStart,
    ) -> Result<Result<usize, Error>, Error> {
        Ok(match self.values(bytes, offset, line)? {
            LineEnd::Whole => Ok(bytes.len()),
            LineEnd::Open(at, _) => Ok(at),
            LineEnd::Fault(at, reason) => {
                Err(Error::new(ErrorKind::Json(reason), offset + at as u64))
            }
        })
    }

    /// The last line, when no newline ends it.
    fn last_line(&mut self, bytes: &[u8], offset: u64, line: LineStart) -> Result<Tail, Error> {
        let mut tail = Tail::default();
        match self.values(bytes, offset, line)? {
            LineEnd::Whole => {}
            LineEnd::Open(at, true) => {
                self.give(bytes.get(at..).unwrap_or_default(), offset + at as u64, line)?;
            }
            LineEnd::Open(at, false) => {
                let reason = ErrorKind::Json("the file ends inside a value");
                let end = offset + bytes.len() as u64;
                tail.cut = Some((offset + at as u64, line.number, Error::new(reason, end)));
            }
            LineEnd::Fault(at, reason) => {
                let fault = Error::new(ErrorKind::Json(reason), offset + at as u64);
                self.broken_line(line, fault);
            }
        }
        Ok(tail)
    }
}

/// Whether `bytes` begin and end as an object does, and nowhere in them, not even in a text, one
/// object could end and another begin.
fn is_like_one_object(bytes: &[u8], may_be_glued: bool) -> bool {
    let [b'{', inner @ .., b'}'] = bytes else { return false };
    let mut ends = memchr_iter(b'}', inner);
    !may_be_glued
        || ends.all(|at| {
            let after = inner.get(at + 1..).unwrap_or_default();
            after.get(space_len(after)) != Some(&b'{')
        })
}
