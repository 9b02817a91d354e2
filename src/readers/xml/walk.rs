//! The elements of a file, one by one.

use super::element::{Builder, Element};
use super::scan::{XmlFault, XmlToken, attributes_of, name_of, token};
use crate::input::json::MAX_DEPTH;
use crate::input::{Error, ErrorKind, InputFile, Limits, Pulse};
use std::ops::Range;

/// Bytes that are read at once.
const STEP: u64 = 1 << 20;

/// What comes by.
pub(in crate::readers) enum XmlPart {
    /// A frame begins; the element is without what is in it.
    Open(Element),
    /// An element in a frame, and its bytes.
    Whole(Element, Range<u64>),
    /// The frame that began last ends.
    Close,
}

/// Bytes of a file from left to right.
struct XmlSource<'a> {
    file: &'a InputFile,
    bytes: Vec<u8>,
    /// Offset of the first of `bytes` in the file.
    start: u64,
    /// Place in `bytes` of the next token.
    at: usize,
}

impl XmlSource<'_> {
    fn offset(&self) -> u64 {
        self.start + self.at as u64
    }

    fn is_end(&self) -> bool {
        self.start + self.bytes.len() as u64 >= self.file.len()
    }

    /// The next token, whose ranges are places in [`rest`](Self::rest); `None` at the end. It is not yet passed.
    fn token(&mut self) -> Result<Option<(usize, XmlToken)>, Error> {
        loop {
            let is_end = self.is_end();
            let rest = self.rest();
            if is_end && rest.is_empty() {
                return Ok(None);
            }
            match token(rest, is_end) {
                Ok(found) => return Ok(Some(found)),
                Err(XmlFault::Broken(reason)) => {
                    return Err(Error::new(ErrorKind::Format(reason), self.offset()));
                }
                Err(XmlFault::Unfinished(reason)) if is_end => {
                    return Err(Error::new(ErrorKind::Format(reason), self.file.len()));
                }
                Err(XmlFault::Unfinished(_)) => self.fill()?,
            }
        }
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Reads on. What was passed goes; what is not yet a token is doubled, so that a long one is not scanned
    /// too often.
    fn fill(&mut self) -> Result<(), Error> {
        let limit = Limits::default().max_record_bytes;
        let n_kept = self.rest().len() as u64;
        if n_kept > limit {
            return Err(Error::new(ErrorKind::TooLarge { found: n_kept, limit }, self.offset()));
        }
        self.start = self.offset();
        self.bytes.drain(..self.at.min(self.bytes.len()));
        self.at = 0;
        let from = self.start + self.bytes.len() as u64;
        let to = from.saturating_add(STEP.max(n_kept)).min(self.file.len());
        self.bytes.extend(self.file.bytes(from..to)?);
        Ok(())
    }
}

/// Hands the elements of `file` to `take`. Those called as `frames` say, and that lie in such ones only, are
/// frames: they are opened, and what is in them comes one by one. Texts in frames are passed over.
///
/// Where the file is broken or cut off, what was whole before comes, and the error is given back.
///
/// # Errors
/// When the file cannot be read, or the work is cancelled.
pub(in crate::readers) async fn walk(
    file: &InputFile,
    frames: &[&str],
    pulse: &Pulse,
    take: &mut dyn FnMut(XmlPart),
) -> Result<Option<Error>, Error> {
    let mut source = XmlSource { file, bytes: Vec::new(), start: 0, at: 0 };
    let mut builder = Builder::default();
    let mut open: Vec<String> = Vec::new();
    let (mut begun, mut counted) = (0, 0);
    let broken = |reason, at| Ok(Some(Error::new(ErrorKind::Format(reason), at)));
    loop {
        let (len, token) = match source.token() {
            Ok(Some(found)) => found,
            Ok(None) => break,
            Err(err) if matches!(err.kind(), ErrorKind::Read(_) | ErrorKind::Damaged(_)) => {
                return Err(err);
            }
            Err(err) => return Ok(Some(err)),
        };
        let (at, rest) = (source.offset(), source.rest());
        let part = |range: &Range<usize>| rest.get(range.clone()).unwrap_or_default();
        let is_frame = |inside: &Range<usize>| frames.contains(&name_of(part(inside)).as_str());
        let frame = |inside: &Range<usize>| Element {
            name: name_of(part(inside)),
            attributes: attributes_of(part(inside)),
            nodes: Vec::new(),
        };
        match &token {
            XmlToken::Open(inside) if !builder.is_inside() && is_frame(inside) => {
                if open.len() >= MAX_DEPTH {
                    return broken("it is nested too deeply", at);
                }
                let element = frame(inside);
                open.push(element.name.clone());
                take(XmlPart::Open(element));
            }
            XmlToken::Empty(inside) if !builder.is_inside() && is_frame(inside) => {
                take(XmlPart::Open(frame(inside)));
                take(XmlPart::Close);
            }
            XmlToken::Close(name) if !builder.is_inside() => {
                if open.pop() != Some(name_of(part(name))) {
                    return broken("an end tag does not fit its start tag", at);
                }
                take(XmlPart::Close);
            }
            token => {
                if !builder.is_inside() {
                    begun = at;
                }
                match builder.take(token, rest) {
                    Ok(None) => {}
                    Ok(Some(element)) => {
                        take(XmlPart::Whole(element, begun..at + len as u64));
                    }
                    Err(reason) => return broken(reason, at),
                }
                let limit = Limits::default().max_record_bytes;
                if builder.is_inside() && at - begun > limit {
                    let found = at - begun;
                    return Ok(Some(Error::new(ErrorKind::TooLarge { found, limit }, begun)));
                }
            }
        }
        source.at += len.max(1);
        let passed = source.offset();
        if passed - counted >= STEP {
            pulse.advance(passed - counted).await?;
            counted = passed;
        }
    }
    pulse.advance(file.len().saturating_sub(counted)).await?;
    if builder.is_inside() || !open.is_empty() {
        return broken("it ends inside an element", file.len());
    }
    Ok(None)
}
