//! Push scanners: pass over JSON that comes in slices, holding none of it.
//!
//! [`Skipper`] passes over one value of any kind; [`Level`] walks the outermost level of an object or
//! array and tells where its members lie. Both check balance; `Level` also checks its own level's
//! grammar. Whatever lies deeper is checked by [`Cursor`](super::json::Cursor) when it is read.

use super::json::{MAX_DEPTH, is_plausible_word, unescape};
use super::shape::ValueKind;
use memchr::memchr2;

/// Where in the bytes just fed it went wrong, and why.
pub(super) type Fault = (usize, &'static str);

/// The longest number or word, and the longest key, that is believed.
const MAX_WORD: usize = 64 << 10;

const PLAIN: u8 = 0;
const QUOTE: u8 = 1;
const OPEN: u8 = 2;
const CLOSE: u8 = 3;

/// What a byte means outside of texts.
static CLASSES: [u8; 256] = {
    let mut classes = [PLAIN; 256];
    classes[b'"' as usize] = QUOTE;
    classes[b'{' as usize] = OPEN;
    classes[b'[' as usize] = OPEN;
    classes[b'}' as usize] = CLOSE;
    classes[b']' as usize] = CLOSE;
    classes
};

/// Which brackets are open: one bit each, so that skipping needs no allocation.
#[derive(Default)]
struct Brackets {
    depth: usize,
    bits: u64,
    full: Vec<u64>,
}

impl Brackets {
    fn push(&mut self, is_brace: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.full.push(self.bits);
        }
        self.bits = (self.bits << 1) | u64::from(is_brace);
        self.depth += 1;
    }

    /// Whether the innermost one was of this kind; it is closed in any case.
    fn pop(&mut self, is_brace: bool) -> bool {
        if self.depth == 0 {
            return false;
        }
        let is_same = (self.bits & 1 == 1) == is_brace;
        self.bits >>= 1;
        self.depth -= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.bits = self.full.pop().unwrap_or_default();
        }
        is_same
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Start,
    Nested,
    Text,
    Word,
}

/// Passes over one value.
pub(super) struct Skipper {
    mode: Mode,
    brackets: Brackets,
    max_depth: usize,
    is_escaped: bool,
    word: Vec<u8>,
}

impl Skipper {
    /// Before a value; `max_depth` objects and arrays may be open at once.
    pub(super) fn new(max_depth: usize) -> Self {
        Self {
            mode: Mode::Start,
            brackets: Brackets::default(),
            max_depth,
            is_escaped: false,
            word: Vec::new(),
        }
    }

    /// Takes the next bytes of the value; the first ones must not be space. Gives how many of them
    /// belong to the value once it has ended, `None` while it goes on.
    #[inline]
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Option<usize>, Fault> {
        match self.mode {
            Mode::Start => match bytes.first() {
                None => Ok(None),
                Some(b'{' | b'[') => {
                    self.mode = Mode::Nested;
                    self.nested(bytes, 0)
                }
                Some(b'"') => {
                    self.mode = Mode::Text;
                    self.text(bytes, 1)
                }
                Some(byte) if is_word_byte(*byte) => {
                    self.mode = Mode::Word;
                    self.word(bytes)
                }
                Some(_) => Err((0, "a value was expected")),
            },
            Mode::Nested => self.nested(bytes, 0),
            Mode::Text => self.text(bytes, 0),
            Mode::Word => self.word(bytes),
        }
    }

    /// Whether the value is complete when nothing follows: only a number or word can be.
    pub(super) fn is_whole_at_end(&self) -> bool {
        self.mode == Mode::Word && is_plausible_word(&self.word)
    }

    fn text(&mut self, bytes: &[u8], from: usize) -> Result<Option<usize>, Fault> {
        match text_end(bytes, from, &mut self.is_escaped) {
            None => Ok(None),
            Some(end) if self.brackets.depth == 0 => Ok(Some(end)),
            Some(end) => {
                self.mode = Mode::Nested;
                self.nested(bytes, end)
            }
        }
    }

    fn nested(&mut self, bytes: &[u8], from: usize) -> Result<Option<usize>, Fault> {
        let mut at = from;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match CLASSES[usize::from(byte)] {
                QUOTE => match text_end(bytes, at, &mut self.is_escaped) {
                    Some(end) => at = end,
                    None => {
                        self.mode = Mode::Text;
                        return Ok(None);
                    }
                },
                OPEN => {
                    if self.brackets.depth >= self.max_depth {
                        return Err((at - 1, "it is nested too deeply"));
                    }
                    self.brackets.push(byte == b'{');
                }
                CLOSE => {
                    if !self.brackets.pop(byte == b'}') {
                        return Err((at - 1, "brackets do not match"));
                    }
                    if self.brackets.depth == 0 {
                        return Ok(Some(at));
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }

    fn word(&mut self, bytes: &[u8]) -> Result<Option<usize>, Fault> {
        let len = bytes.iter().take_while(|byte| is_word_byte(**byte)).count();
        if self.word.len() + len > MAX_WORD {
            return Err((len, "a word is not JSON"));
        }
        self.word.extend_from_slice(bytes.get(..len).unwrap_or_default());
        if len == bytes.len() {
            Ok(None)
        } else if is_plausible_word(&self.word) {
            Ok(Some(len))
        } else {
            Err((len, "a word is not JSON"))
        }
    }
}

/// The bytes that numbers and words are made of.
pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// Space between JSON tokens.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The number of space bytes at the start.
#[inline]
pub(super) fn space_len(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| is_space(**byte)).count()
}

/// The offset after the quote that ends the text in which `from` lies; `None` when it is not there.
#[inline]
pub(super) fn text_end(bytes: &[u8], from: usize, is_escaped: &mut bool) -> Option<usize> {
    let mut at = from;
    if *is_escaped {
        bytes.get(at)?;
        *is_escaped = false;
        at += 1;
    }
    loop {
        at += find_quote_or_escape(bytes.get(at..)?)?;
        if bytes.get(at) == Some(&b'"') {
            return Some(at + 1);
        }
        if at + 1 >= bytes.len() {
            *is_escaped = true;
            return None;
        }
        at += 2;
    }
}

/// The offset of the first quote or backslash. Most are near: calling `memchr2` pays only for the others.
#[inline]
pub(super) fn find_quote_or_escape(bytes: &[u8]) -> Option<usize> {
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

/// What [`Level`] comes across.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// The object or array begins; before its bracket.
    Open(ValueKind),
    /// The key of the member that comes next.
    Key(String),
    /// A member's value begins; before its first byte.
    Start(ValueKind),
    /// A member's value has ended; after its last byte.
    End,
    /// The object or array has ended; after its bracket.
    Close,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Open,
    Bracket,
    KeyOrClose,
    Key,
    KeyRest,
    Colon,
    ItemOrClose,
    Value,
    ValueRest,
    CommaOrClose,
    Nothing,
}

/// Walks the outermost level of one object or array.
pub(super) struct Level {
    expect: Expect,
    is_object: bool,
    skipper: Skipper,
    key: Vec<u8>,
    is_escaped: bool,
}

impl Level {
    /// Before the value, or space before it.
    pub(super) fn new() -> Self {
        Self {
            expect: Expect::Open,
            is_object: false,
            skipper: Skipper::new(0),
            key: Vec::new(),
            is_escaped: false,
        }
    }

    /// Takes bytes up to the next event: how many were taken, and the event. Without one, all were
    /// taken and more are needed.
    pub(super) fn next(&mut self, bytes: &[u8]) -> Result<(usize, Option<Event>), Fault> {
        let mut at = 0;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            if !matches!(self.expect, Expect::KeyRest | Expect::ValueRest) {
                at += space_len(rest);
            }
            let Some(&byte) = bytes.get(at) else { return Ok((bytes.len(), None)) };
            let rest = bytes.get(at..).unwrap_or_default();
            let fault = |reason| Err((at, reason));
            match (self.expect, byte) {
                (Expect::Open, b'{' | b'[') => {
                    self.is_object = byte == b'{';
                    self.expect = Expect::Bracket;
                    let kind = if self.is_object { ValueKind::Object } else { ValueKind::Array };
                    return Ok((at, Some(Event::Open(kind))));
                }
                (Expect::Open, _) => return fault("an object or array was expected"),
                (Expect::Bracket, _) => {
                    self.expect =
                        if self.is_object { Expect::KeyOrClose } else { Expect::ItemOrClose };
                    at += 1;
                }
                (Expect::KeyOrClose, b'}')
                | (Expect::ItemOrClose, b']')
                | (Expect::CommaOrClose, b'}' | b']') => {
                    if (byte == b'}') != self.is_object {
                        return fault("brackets do not match");
                    }
                    self.expect = Expect::Nothing;
                    return Ok((at + 1, Some(Event::Close)));
                }
                (Expect::KeyOrClose | Expect::Key, b'"') => {
                    self.key.clear();
                    self.expect = Expect::KeyRest;
                    at += 1;
                }
                (Expect::KeyOrClose | Expect::Key, _) => return fault("a text was expected"),
                (Expect::KeyRest, _) => {
                    let end = text_end(rest, 0, &mut self.is_escaped);
                    let part = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                    if self.key.len() + part.len() > MAX_WORD {
                        return fault("a key is too long");
                    }
                    self.key.extend_from_slice(part);
                    at += part.len();
                    if end.is_some() {
                        self.key.pop();
                        self.expect = Expect::Colon;
                        return Ok((at, Some(Event::Key(unescape(&self.key).into_owned()))));
                    }
                }
                (Expect::Colon, b':') => {
                    self.expect = Expect::Value;
                    at += 1;
                }
                (Expect::Colon, _) => return fault("a colon was expected"),
                (Expect::Value | Expect::ItemOrClose, _) => {
                    let Some(kind) = ValueKind::from_first(byte) else {
                        return fault("a value was expected");
                    };
                    self.skipper = Skipper::new(MAX_DEPTH - 1);
                    self.expect = Expect::ValueRest;
                    return Ok((at, Some(Event::Start(kind))));
                }
                (Expect::ValueRest, _) => {
                    return match self.skipper.feed(rest) {
                        Ok(None) => Ok((bytes.len(), None)),
                        Ok(Some(n_taken)) => {
                            self.expect = Expect::CommaOrClose;
                            Ok((at + n_taken, Some(Event::End)))
                        }
                        Err((offset, reason)) => Err((at + offset, reason)),
                    };
                }
                (Expect::CommaOrClose, b',') => {
                    self.expect = if self.is_object { Expect::Key } else { Expect::Value };
                    at += 1;
                }
                (Expect::CommaOrClose, _) => {
                    return fault("a comma or a closing bracket was expected");
                }
                (Expect::Nothing, _) => return Ok((at, None)),
            }
        }
    }

    /// Why it is not whole when nothing follows.
    pub(super) fn reason_at_end(&self) -> &'static str {
        match self.expect {
            Expect::Open | Expect::Nothing => "it ends where a value was expected",
            Expect::KeyRest => "it ends inside a text",
            _ if self.is_object => "it ends inside an object",
            _ => "it ends inside an array",
        }
    }
}
