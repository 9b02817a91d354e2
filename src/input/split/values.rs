//! Values that span lines: pretty-printed records one after another, and arrays of them.

use super::{Record, Slices, SplitWindow, Tail};
use crate::input::error::{Error, ErrorKind};
use crate::input::json::{MAX_DEPTH, Skipper};
use crate::input::pulse::Pulse;
use crate::input::shape::{RecordLayout, Shape};
use crate::input::source::InputFile;
use memchr::{memchr_iter, memmem, memrchr};

/// Calls `record` for each record of a file, however they lie ([`RecordLayout`]): one per line, spread over
/// lines, or in an array. A record's number is its line, in an array its index (0-based).
///
/// # Errors
/// As [`super::each_line`].
pub async fn each_record(
    file: &InputFile,
    shape: &Shape,
    pulse: &Pulse,
    record: &mut dyn FnMut(Record<'_>) -> Result<(), Error>,
    broken: &mut dyn FnMut(u64, u64, &Error),
) -> Result<Tail, Error> {
    let slices = Slices::default();
    match shape.layout {
        RecordLayout::Lines => super::each_line_with(file, &slices, pulse, record, broken).await,
        layout => each_value_with(file, layout, &slices, pulse, record, broken).await,
    }
}

/// Calls `record` for each JSON value of `file`, in order, reading in slices. Values may span lines.
/// Those in outermost arrays come one by one; several arrays, and values between them, are fine.
///
/// What is broken is given to `broken` with its offset, its number (as [`Record::number`] has it) and
/// the reason, and costs only itself: the next value is the one that begins a line as the first one
/// does, with the same indent. An [`ErrorKind::Json`] of `record` is given to `broken` too.
/// The last value may be cut, which comes back as [`Tail::cut`].
///
/// Counts the bytes on `pulse`.
///
/// # Errors
/// When the source cannot be read, the work is cancelled, or `record` fails otherwise.
#[doc(hidden)]
pub async fn each_value_with(
    file: &InputFile,
    layout: RecordLayout,
    slices: &Slices,
    pulse: &Pulse,
    record: &mut dyn FnMut(Record<'_>) -> Result<(), Error>,
    broken: &mut dyn FnMut(u64, u64, &Error),
) -> Result<Tail, Error> {
    let mut walk = ValueWalk {
        window: SplitWindow::new(file, 0, file.len(), slices),
        pulse,
        max_bytes: slices.max_record_bytes,
        at: 0,
        line: 1,
        n_open: 0,
        start: ValueStart::default(),
        before: Vec::new(),
    };
    let mut index = 0;
    loop {
        if !walk.find_value().await? {
            return Ok(walk.tail(layout, index));
        }
        let number = if layout == RecordLayout::Elements { index } else { walk.line };
        let offset = walk.window.start + walk.at as u64;
        let fault = match walk.value().await? {
            Ok(len) => {
                let bytes = walk.rest().get(..len).unwrap_or_default();
                let outcome = record(Record { bytes, offset, number });
                walk.pass(len);
                match outcome {
                    Err(err) if matches!(err.kind(), ErrorKind::Json(_)) => {
                        broken(offset, number, &err.shifted(offset));
                    }
                    outcome => outcome?,
                }
                index += 1;
                continue;
            }
            Err(fault) => fault,
        };
        let is_cut = fault.is_cut;
        if walk.find_next_start().await? {
            broken(offset, number, &fault.reason);
        } else if is_cut {
            return Ok(Tail { cut: Some((offset, number, fault.reason)) });
        } else {
            broken(offset, number, &fault.reason);
            return Ok(Tail::default());
        }
        index += 1;
    }
}

/// How a value of the file begins its line.
#[derive(Default)]
struct ValueStart {
    /// Newline, indent, brace: what stands before every value.
    needle: Vec<u8>,
}

impl ValueStart {
    /// Of the first value, before which `line` stands in its line.
    fn of(line: &[u8]) -> Self {
        let indent = if line.iter().all(|byte| byte.is_ascii_whitespace()) { line } else { &[] };
        Self { needle: [b"\n", indent, b"{"].concat() }
    }

    fn indent(&self) -> &[u8] {
        self.needle.get(1..self.needle.len().saturating_sub(1)).unwrap_or_default()
    }

    /// Whether `value` is laid out so that only the next value can begin a line as it does: its first
    /// line is a brace, and the second one has a deeper indent.
    fn bounds(&self, value: &[u8]) -> bool {
        let Some(rest) = value.strip_prefix(b"{") else { return false };
        let rest = rest.strip_prefix(b"\r").unwrap_or(rest);
        let second = rest.strip_prefix(b"\n").and_then(|rest| rest.strip_prefix(self.indent()));
        second.is_some_and(|rest| matches!(rest.first(), Some(b' ' | b'\t')))
    }
}

/// Why a value cannot be read.
struct ValueFault {
    reason: Error,
    /// The file ends inside it.
    is_cut: bool,
}

struct ValueWalk<'a> {
    window: SplitWindow<'a>,
    pulse: &'a Pulse,
    max_bytes: u64,
    /// Where it stands in the window.
    at: usize,
    /// Line of that byte, 1-based.
    line: u64,
    /// Arrays that are open around it.
    n_open: u64,
    start: ValueStart,
    /// What stands in the line of the first value before it, as far as it was passed.
    before: Vec<u8>,
}

impl ValueWalk<'_> {
    fn rest(&self) -> &[u8] {
        self.window.bytes().get(self.at..).unwrap_or_default()
    }

    fn pass(&mut self, n_bytes: usize) {
        let passed = self.rest().get(..n_bytes).unwrap_or_default();
        let n_lines = memchr_iter(b'\n', passed).count() as u64;
        self.line += n_lines;
        self.at += n_bytes;
    }

    /// Reads on; lets go of what was passed.
    async fn read_on(&mut self) -> Result<(), Error> {
        self.window.drop_first(self.at);
        self.at = 0;
        self.window.fill(self.pulse).await
    }

    /// Goes to the next value, past space, commas and the brackets of outermost arrays; `false` at the
    /// end.
    async fn find_value(&mut self) -> Result<bool, Error> {
        loop {
            let mut n_passed = 0;
            let mut n_open = self.n_open;
            let found = self.rest().iter().any(|byte| {
                match byte {
                    b' ' | b'\t' | b'\r' | b'\n' | b',' => {}
                    b'[' => n_open += 1,
                    b']' => n_open = n_open.saturating_sub(1),
                    _ => return true,
                }
                n_passed += 1;
                false
            });
            self.n_open = n_open;
            if self.start.needle.is_empty() {
                // The window may have let go of what stands before the value in its line.
                let passed = self.window.bytes().get(self.at..self.at + n_passed);
                self.before.extend(passed.unwrap_or_default());
                let n_bytes_before = memrchr(b'\n', &self.before).map_or(0, |at| at + 1);
                self.before.drain(..n_bytes_before);
                // One byte that is no white space says enough: a line may be as long as the file.
                let n_blank =
                    self.before.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                self.before.truncate(n_blank + 1);
                if found {
                    self.start = ValueStart::of(&std::mem::take(&mut self.before));
                }
            }
            self.pass(n_passed);
            if found || self.window.is_at_end() {
                return Ok(found);
            }
            self.read_on().await?;
        }
    }

    /// The length of the value here.
    async fn value(&mut self) -> Result<Result<usize, ValueFault>, Error> {
        let mut skipper = Skipper::new(MAX_DEPTH);
        let (mut n_fed, mut n_searched) = (0, 1);
        loop {
            let base = self.window.start + self.at as u64;
            let bytes = self.rest();
            let mut bound = None;
            if self.start.bounds(bytes) {
                let fresh = bytes.get(n_searched..).unwrap_or_default();
                bound = memmem::find(fresh, &self.start.needle).map(|at| n_searched + at);
                n_searched = bytes.len().saturating_sub(self.start.needle.len()).max(1);
            }
            let end = bound.unwrap_or(bytes.len());
            let fault = |reason, at: usize| {
                let reason = Error::new(ErrorKind::Json(reason), base + at as u64);
                Ok(Err(ValueFault { reason, is_cut: false }))
            };
            match skipper.feed(bytes.get(n_fed..end).unwrap_or_default()) {
                Ok(Some(len)) if (n_fed + len) as u64 <= self.max_bytes => {
                    return Ok(Ok(n_fed + len));
                }
                Ok(Some(_)) => {}
                Ok(None) => n_fed = end,
                Err((at, reason)) => return fault(reason, n_fed + at),
            }
            if bound.is_some() {
                return fault("the value does not end before the next one begins", end);
            }
            let found = bytes.len() as u64;
            if found > self.max_bytes {
                let limit = self.max_bytes;
                let reason = Error::new(ErrorKind::TooLarge { found, limit }, base);
                return Ok(Err(ValueFault { reason, is_cut: false }));
            }
            if self.window.is_at_end() {
                if skipper.is_whole_at_end() {
                    return Ok(Ok(n_fed));
                }
                let reason = ErrorKind::Json("the file ends inside a value");
                let reason = Error::new(reason, base + found);
                return Ok(Err(ValueFault { reason, is_cut: true }));
            }
            self.window.drop_first(self.at);
            self.at = 0;
            if self.window.is_full() {
                self.window.grow(self.max_bytes.saturating_add(2));
            }
            self.window.fill(self.pulse).await?;
        }
    }

    /// Goes behind the value here to where the next one begins its line; `false` when none does.
    async fn find_next_start(&mut self) -> Result<bool, Error> {
        let mut n_passed = 1;
        loop {
            self.pass(n_passed.min(self.rest().len()));
            if let Some(at) = memmem::find(self.rest(), &self.start.needle) {
                self.pass(at);
                return Ok(true);
            }
            if self.window.is_at_end() {
                return Ok(false);
            }
            // The needle may lie across the end of the window.
            let n_kept = self.start.needle.len().saturating_sub(1);
            self.pass(self.rest().len().saturating_sub(n_kept));
            self.window.drop_first(self.at);
            self.at = 0;
            // What begins a line may be longer than the window: it would be looked for in the same bytes for ever.
            let is_stuck = self.window.is_full();
            if is_stuck && !self.window.grow(self.max_bytes.saturating_add(2)) {
                return Ok(false);
            }
            self.window.fill(self.pulse).await?;
            n_passed = 0;
        }
    }

    /// What is left at the end.
    fn tail(&self, layout: RecordLayout, index: u64) -> Tail {
        let end = self.window.ahead();
        let number = if layout == RecordLayout::Elements { index } else { self.line };
        let reason = || Error::new(ErrorKind::Json("the file ends inside an array"), end);
        Tail { cut: (self.n_open > 0).then(|| (end, number, reason())) }
    }
}
