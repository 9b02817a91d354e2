//! JSONL: one value per line, or several glued.

use super::{Record, Slices, Tail, Window};
use crate::input::error::{Error, ErrorKind};
use crate::input::json::MAX_DEPTH;
use crate::input::pulse::Pulse;
use crate::input::scan::{Skipper, space_len};
use crate::input::source::InputFile;
use memchr::memchr;

/// Calls `record` for each JSON value of a JSONL file, in order, reading in slices.
///
/// Accepts LF and CRLF, blank lines, several values glued on one line, no final newline.
/// A line that holds something else than whole values is given to `broken` (with the offset of the
/// line, its number and the reason) and costs only itself: the whole values before the fault come.
/// The last line may be cut, which comes back as [`Tail::cut`] and is not given to `broken`.
/// An [`ErrorKind::Json`] of `record`, its byte counted from the record's first, is given to `broken`
/// too, so that a reader may use `?` on a cursor.
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
    let max_bytes = slices.max_record_bytes;
    let mut sink = Sink { record, broken, max_bytes };
    let mut window = Window::new(file, 0, file.len(), slices);
    let mut line = Line { number: 1, offset: 0 };
    loop {
        let n_read = window.fill()?;
        pulse.advance(n_read).await?;
        let mut at = 0;
        while let Some(len) = memchr(b'\n', window.bytes().get(at..).unwrap_or_default()) {
            let bytes = window.bytes().get(at..at + len).unwrap_or_default();
            if let Some(rest) = sink.whole_values(bytes, window.start + at as u64, line)? {
                sink.broken_line(line, rest);
            }
            at += len + 1;
            line = Line { number: line.number + 1, offset: window.start + at as u64 };
        }
        if window.is_at_end() {
            let bytes = window.bytes().get(at..).unwrap_or_default();
            return sink.last_line(bytes, window.start + at as u64, line);
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
        line = Line { number: line.number + 1, offset: window.start };
    }
}

/// Lets `window` begin after the next newline (or at the end), holding nothing on the way; gives the
/// offset at which the line ends.
async fn skip_line(window: &mut Window<'_>, pulse: &Pulse) -> Result<u64, Error> {
    loop {
        if let Some(len) = memchr(b'\n', window.bytes()) {
            window.drop_first(len + 1);
            return Ok(window.start - 1);
        }
        window.drop_first(window.n_filled);
        if window.is_at_end() {
            return Ok(window.start);
        }
        let n_read = window.fill()?;
        pulse.advance(n_read).await?;
    }
}

#[derive(Clone, Copy)]
struct Line {
    number: u64,
    offset: u64,
}

struct Sink<'a> {
    record: &'a mut dyn FnMut(Record<'_>) -> Result<(), Error>,
    broken: &'a mut dyn FnMut(u64, u64, &Error),
    max_bytes: u64,
}

/// What passing over the values of a line came to.
enum End {
    /// Nothing is left.
    Whole,
    /// The value at this offset in the line has not ended; whether it is whole if nothing follows.
    Open(usize, bool),
    /// A fault at this offset in the line.
    Fault(usize, &'static str),
}

impl Sink<'_> {
    fn broken_line(&mut self, line: Line, reason: Error) {
        (self.broken)(line.offset, line.number, &reason);
    }

    fn give(&mut self, bytes: &[u8], offset: u64, line: Line) -> Result<(), Error> {
        let found = bytes.len() as u64;
        if found > self.max_bytes {
            let reason = ErrorKind::TooLarge { found, limit: self.max_bytes };
            self.broken_line(line, Error::new(reason, offset));
            return Ok(());
        }
        match (self.record)(Record { bytes, offset, number: line.number }) {
            Err(err) if matches!(err.kind(), ErrorKind::Json(_)) => {
                self.broken_line(line, err.shifted(offset));
                Ok(())
            }
            other => other,
        }
    }

    /// Gives the values of `bytes`, which lie at `offset`, one by one.
    fn values(&mut self, bytes: &[u8], offset: u64, line: Line) -> Result<End, Error> {
        let mut at = 0;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let n_space = space_len(rest);
            at += n_space;
            let rest = rest.get(n_space..).unwrap_or_default();
            if rest.is_empty() {
                return Ok(End::Whole);
            }
            let mut skipper = Skipper::new(MAX_DEPTH);
            match skipper.feed(rest) {
                Ok(Some(len)) => {
                    let value = rest.get(..len).unwrap_or_default();
                    self.give(value, offset + at as u64, line)?;
                    at += len;
                }
                Ok(None) => return Ok(End::Open(at, skipper.is_whole_at_end())),
                Err((fault, reason)) => return Ok(End::Fault(at + fault, reason)),
            }
        }
    }

    /// A line with its end: gives its values, and the fault if it has one.
    fn whole_values(
        &mut self,
        bytes: &[u8],
        offset: u64,
        line: Line,
    ) -> Result<Option<Error>, Error> {
        let (at, reason) = match self.values(bytes, offset, line)? {
            End::Whole => return Ok(None),
            End::Open(at, true) => {
                self.give(bytes.get(at..).unwrap_or_default(), offset + at as u64, line)?;
                return Ok(None);
            }
            End::Open(_, false) => (bytes.len(), "the line ends inside a value"),
            End::Fault(at, reason) => (at, reason),
        };
        Ok(Some(Error::new(ErrorKind::Json(reason), offset + at as u64)))
    }

    /// A line without its end: gives the values that are whole; how many bytes they took.
    fn nested_values(
        &mut self,
        bytes: &[u8],
        offset: u64,
        line: Line,
    ) -> Result<Result<usize, Error>, Error> {
        Ok(match self.values(bytes, offset, line)? {
            End::Whole => Ok(bytes.len()),
            End::Open(at, _) => Ok(at),
            End::Fault(at, reason) => Err(Error::new(ErrorKind::Json(reason), offset + at as u64)),
        })
    }

    /// The last line, when no newline ends it.
    fn last_line(&mut self, bytes: &[u8], offset: u64, line: Line) -> Result<Tail, Error> {
        let mut tail = Tail::default();
        match self.values(bytes, offset, line)? {
            End::Whole => {}
            End::Open(at, true) => {
                self.give(bytes.get(at..).unwrap_or_default(), offset + at as u64, line)?;
            }
            End::Open(at, false) => {
                let reason = ErrorKind::Json("the file ends inside a value");
                let end = offset + bytes.len() as u64;
                tail.cut = Some((offset + at as u64, line.number, Error::new(reason, end)));
            }
            End::Fault(at, reason) => {
                let fault = Error::new(ErrorKind::Json(reason), offset + at as u64);
                self.broken_line(line, fault);
            }
        }
        Ok(tail)
    }
}
