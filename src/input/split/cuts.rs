//! Where a file of lines can be cut.

use crate::input::error::Error;
use crate::input::source::InputFile;
use memchr::memchr;
use std::ops::Range;

/// How much is looked through at once for the end of a line.
const STEP_BYTES: u64 = 64 << 10;

/// Cuts `span` of `file` behind newlines into stretches, each of as many bytes as `size` makes of those that are left, or as
/// many more as the line needs in which it ends. A line begins at its start and ends at its end; each stretch has a line.
///
/// # Errors
/// When the source cannot be read.
pub fn cut_lines(
    file: &InputFile,
    span: Range<u64>,
    size: impl Fn(u64) -> u64,
) -> Result<Vec<Range<u64>>, Error> {
    let mut stretches = Vec::new();
    let mut start = span.start;
    while start < span.end {
        let n_bytes = size(span.end - start).max(1);
        let end = line_end(file, start.saturating_add(n_bytes) - 1..span.end)?;
        stretches.push(start..end);
        start = end;
    }
    Ok(stretches)
}

/// Offset behind the first newline in `span` of `file`; its end when there is none.
///
/// # Errors
/// When the source cannot be read.
pub fn line_end(file: &InputFile, span: Range<u64>) -> Result<u64, Error> {
    let mut start = span.start;
    while start < span.end {
        let stop = span.end.min(start.saturating_add(STEP_BYTES));
        if let Some(at) = memchr(b'\n', &file.bytes(start..stop)?) {
            return Ok(start + at as u64 + 1);
        }
        start = stop;
    }
    Ok(span.end)
}
