//! The tokens of JSON: where each begins and ends. Whatever looks at JSON stands on this: the [`Cursor`] that
//! reads values, the [`Skipper`] and [`LevelWalk`] that pass over what comes in slices, search, redaction and display.
//!
//! There is no grammar here and nothing is refused: a word is any run of bytes that no other token begins with
//! (`NaN`, `-Infinity`, `1e5`, but also what is not JSON at all). The caller says what may follow what.
//!
//! [`Cursor`]: super::Cursor
//! [`Skipper`]: super::Skipper
//! [`LevelWalk`]: super::level::LevelWalk

use super::MAX_DEPTH;
use super::blocks::{BLOCK_BYTES, TextCarry, brackets};
use super::nesting::Nesting;
use memchr::{memchr, memchr2};
use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// `{` or `[`
    Open,
    /// `}` or `]`
    Close,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// A text with its quotes.
    Text,
    /// A number, `true`, `null`, …
    Word,
}

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonToken {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands in the bytes.
    pub span: Range<usize>,
    /// Whether its end is known. Of a text that means its quote; a word goes on until something else begins.
    pub is_whole: bool,
}

/// What a slice of JSON ended in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::input) enum SliceEnd {
    /// In nothing.
    #[default]
    Between,
    /// In a text.
    Text {
        /// Whether its last byte is a backslash that escapes the next one.
        is_escaped: bool,
    },
    /// In a word.
    Word,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteClass {
    Space,
    Quote,
    Open,
    Close,
    Colon,
    Comma,
    Word,
}

/// What a byte means outside of texts.
static CLASSES: [ByteClass; 256] = {
    let mut classes = [ByteClass::Word; 256];
    classes[b' ' as usize] = ByteClass::Space;
    classes[b'\t' as usize] = ByteClass::Space;
    classes[b'\n' as usize] = ByteClass::Space;
    classes[b'\r' as usize] = ByteClass::Space;
    classes[b'"' as usize] = ByteClass::Quote;
    classes[b'{' as usize] = ByteClass::Open;
    classes[b'[' as usize] = ByteClass::Open;
    classes[b'}' as usize] = ByteClass::Close;
    classes[b']' as usize] = ByteClass::Close;
    classes[b':' as usize] = ByteClass::Colon;
    classes[b',' as usize] = ByteClass::Comma;
    classes
};

#[inline(always)]
fn class(byte: u8) -> ByteClass {
    CLASSES[usize::from(byte)]
}

/// Reads tokens from left to right.
#[derive(Debug, Clone)]
pub struct JsonTokens<'a> {
    bytes: &'a [u8],
    at: usize,
    part: SliceEnd,
}

impl<'a> JsonTokens<'a> {
    /// At the start of `bytes`.
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::resumed(bytes, SliceEnd::Between)
    }

    /// At the start of a slice; the one before it ended in `part`, the rest of which comes first.
    #[inline]
    pub(in crate::input) fn resumed(bytes: &'a [u8], part: SliceEnd) -> Self {
        Self { bytes, at: 0, part }
    }

    /// What the bytes end in, once all of them were passed.
    pub(in crate::input) fn part(&self) -> SliceEnd {
        self.part
    }

    /// Offset of the next byte.
    #[inline(always)]
    pub fn at(&self) -> usize {
        self.at
    }

    /// All of the bytes.
    #[inline(always)]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The byte that the next token begins with; the space before it is passed.
    #[inline(always)]
    pub fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            if class(byte) != ByteClass::Space {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// Passes over `byte` if the next token begins with it.
    #[inline(always)]
    pub fn accept(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    /// Passes over `n_bytes`, which end before the next token.
    #[inline(always)]
    pub(in crate::input) fn pass(&mut self, n_bytes: usize) {
        self.at += n_bytes;
    }

    /// Goes to the next text, past all else; `false` when there is none.
    #[inline]
    pub(in crate::input) fn seek_text(&mut self) -> bool {
        let found = self.bytes.get(self.at..).and_then(|rest| memchr(b'"', rest));
        self.at = found.map_or(self.bytes.len(), |len| self.at + len);
        found.is_some()
    }

    /// What is in the text whose quote comes next, without its quotes, and whether nothing in it is escaped; `None`
    /// when it does not end.
    #[inline(always)]
    pub(in crate::input) fn text(&mut self) -> Option<(&'a [u8], bool)> {
        let start = self.at + 1;
        let found = self.bytes.get(start..).and_then(find_quote_or_escape);
        if let Some(end) = found.map(|len| start + len)
            && self.bytes.get(end) == Some(&b'"')
        {
            self.at = end + 1;
            return Some((self.bytes.get(start..end)?, true));
        }
        self.at = start;
        self.part = SliceEnd::Text { is_escaped: false };
        self.rest_of_text().then(|| Some((self.bytes.get(start..self.at - 1)?, false))).flatten()
    }

    /// Goes behind the quote that ends the text here; `false` when it is not there.
    #[inline]
    pub(in crate::input) fn rest_of_text(&mut self) -> bool {
        let mut at = self.at;
        if self.part == (SliceEnd::Text { is_escaped: true }) {
            if at == self.bytes.len() {
                return false;
            }
            at += 1;
        }
        loop {
            let Some(found) = self.bytes.get(at..).and_then(find_quote_or_escape) else {
                // A backslash at the very end leads beyond it.
                self.part = SliceEnd::Text { is_escaped: at > self.bytes.len() };
                self.at = self.bytes.len();
                return false;
            };
            at += found;
            if self.bytes.get(at) == Some(&b'"') {
                self.part = SliceEnd::Between;
                self.at = at + 1;
                return true;
            }
            at += 2;
        }
    }

    /// The word here, or the rest of it. When the bytes end with it, it may go on in the next slice.
    #[inline]
    pub(in crate::input) fn word(&mut self) -> Range<usize> {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let len =
            rest.iter().position(|byte| class(*byte) != ByteClass::Word).unwrap_or(rest.len());
        self.at += len;
        self.part = if len == rest.len() { SliceEnd::Word } else { SliceEnd::Between };
        start..self.at
    }

    /// Goes behind the object or array that the token at `open` begins: whether its end is there. `None`, and nothing
    /// is passed, when its brackets do not match or are nested too deeply.
    pub fn rest_of_value(&mut self, open: &Range<usize>) -> Option<bool> {
        let behind = self.at;
        self.at = open.start;
        let is_whole = self.skip_nested(&mut Nesting::new(MAX_DEPTH));
        if is_whole.is_err() {
            (self.at, self.part) = (behind, SliceEnd::Between);
        }
        is_whole.ok()
    }

    /// Passes over everything until no bracket of `nesting` is open any more: whether that is so, or the bytes end
    /// before. Words, colons and commas are not looked at.
    ///
    /// # Errors
    /// When brackets do not match or too many are open; [`JsonTokens::at`] is then the offset of the bracket.
    #[inline]
    pub(in crate::input) fn skip_nested(
        &mut self,
        nesting: &mut Nesting,
    ) -> Result<bool, &'static str> {
        if matches!(self.part, SliceEnd::Text { .. }) && !self.rest_of_text() {
            return Ok(false);
        }
        if self.skip_blocks(nesting)? {
            return Ok(true);
        }
        if matches!(self.part, SliceEnd::Text { .. }) && !self.rest_of_text() {
            return Ok(false);
        }
        while let Some(&byte) = self.bytes.get(self.at) {
            match class(byte) {
                ByteClass::Quote => {
                    self.at += 1;
                    self.part = SliceEnd::Text { is_escaped: false };
                    if !self.rest_of_text() {
                        return Ok(false);
                    }
                }
                ByteClass::Open => {
                    nesting.open(byte)?;
                    self.at += 1;
                }
                ByteClass::Close => {
                    nesting.close(byte)?;
                    self.at += 1;
                    if nesting.is_closed() {
                        return Ok(true);
                    }
                }
                _ => self.at += 1,
            }
        }
        Ok(false)
    }
}

impl JsonTokens<'_> {
    /// The same, a block at a time, as far as that goes: whether no bracket is open any more. What is left begins here,
    /// within a text or outside.
    fn skip_blocks(&mut self, nesting: &mut Nesting) -> Result<bool, &'static str> {
        let mut carry = TextCarry::default();
        let mut start = self.at;
        while let Some(block) = self.bytes.get(start..).and_then(|rest| rest.first_chunk())
            && let Some((mut brackets, next)) = brackets(block, carry)
        {
            while brackets != 0 {
                self.at = start + brackets.trailing_zeros() as usize;
                brackets &= brackets - 1;
                let Some(&bracket) = self.bytes.get(self.at) else { break };
                if class(bracket) == ByteClass::Open {
                    nesting.open(bracket)?;
                } else {
                    nesting.close(bracket)?;
                    if nesting.is_closed() {
                        self.at += 1;
                        return Ok(true);
                    }
                }
            }
            carry = next;
            start += BLOCK_BYTES;
        }
        self.at = start;
        if carry.is_in_text {
            self.part = SliceEnd::Text { is_escaped: carry.is_escaped };
        }
        Ok(false)
    }
}

impl Iterator for JsonTokens<'_> {
    type Item = JsonToken;

    fn next(&mut self) -> Option<JsonToken> {
        let start = self.at;
        if let SliceEnd::Text { .. } = self.part {
            if start == self.bytes.len() {
                return None;
            }
            let is_whole = self.rest_of_text();
            return Some(JsonToken { kind: TokenKind::Text, span: start..self.at, is_whole });
        }
        let first = self.peek()?;
        let start = self.at;
        let kind = match class(first) {
            ByteClass::Quote => {
                let is_whole = self.text().is_some();
                return Some(JsonToken { kind: TokenKind::Text, span: start..self.at, is_whole });
            }
            // Space was passed.
            ByteClass::Word | ByteClass::Space => {
                let span = self.word();
                let is_whole = self.part == SliceEnd::Between;
                return Some(JsonToken { kind: TokenKind::Word, span, is_whole });
            }
            ByteClass::Open => TokenKind::Open,
            ByteClass::Close => TokenKind::Close,
            ByteClass::Colon => TokenKind::Colon,
            ByteClass::Comma => TokenKind::Comma,
        };
        self.at += 1;
        Some(JsonToken { kind, span: start..self.at, is_whole: true })
    }
}

/// The number of space bytes at the start.
#[inline]
pub(in crate::input) fn space_len(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| class(**byte) == ByteClass::Space).count()
}

/// Whether a word may begin with `byte`.
pub(in crate::input) fn is_word_byte(byte: u8) -> bool {
    class(byte) == ByteClass::Word
}

/// The offset of the first quote or backslash. Most are near: calling `memchr2` pays only for the others.
#[inline(always)]
fn find_quote_or_escape(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    const NEAR: usize = 32;
    // The lowest bit set is exact; higher ones may be false.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let mut at = 0;
    while at < NEAR {
        let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) else { break };
        let word = u64::from_le_bytes(*chunk);
        let found =
            zeros(word ^ (ONES * u64::from(b'"'))) | zeros(word ^ (ONES * u64::from(b'\\')));
        if found != 0 {
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    memchr2(b'"', b'\\', bytes.get(at..)?).map(|offset| at + offset)
}

#[cfg(test)]
mod tests;
