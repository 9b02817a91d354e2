//! Walking the outermost level of an object or array that comes in slices: where its members lie.
//!
//! Checks the grammar of this level and the balance of what lies deeper.

use super::skip::{MAX_WORD, SkipFault, Skipper};
use super::tokens::{JsonTokens, SliceEnd, space_len};
use super::{MAX_DEPTH, unescape};
use crate::input::shape::ValueKind;

/// What [`LevelWalk`] comes across.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::input) enum LevelEvent {
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
pub(in crate::input) struct LevelWalk {
    expect: Expect,
    is_object: bool,
    skipper: Skipper,
    key: Vec<u8>,
    part: SliceEnd,
}

impl LevelWalk {
    /// Before the value, or space before it.
    pub(in crate::input) fn new() -> Self {
        Self {
            expect: Expect::Open,
            is_object: false,
            skipper: Skipper::new(0),
            key: Vec::new(),
            part: SliceEnd::Between,
        }
    }

    /// Takes bytes up to the next event: how many were taken, and the event. Without one, all were
    /// taken and more are needed.
    pub(in crate::input) fn next(
        &mut self,
        bytes: &[u8],
    ) -> Result<(usize, Option<LevelEvent>), SkipFault> {
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
                    return Ok((at, Some(LevelEvent::Open(kind))));
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
                    return Ok((at + 1, Some(LevelEvent::Close)));
                }
                (Expect::KeyOrClose | Expect::Key, b'"') => {
                    self.key.clear();
                    self.part = SliceEnd::Text { is_escaped: false };
                    self.expect = Expect::KeyRest;
                    at += 1;
                }
                (Expect::KeyOrClose | Expect::Key, _) => return fault("a text was expected"),
                (Expect::KeyRest, _) => {
                    let mut tokens = JsonTokens::resumed(rest, self.part);
                    let is_whole = tokens.rest_of_text();
                    self.part = tokens.part();
                    let part = rest.get(..tokens.at()).unwrap_or_default();
                    if self.key.len() + part.len() > MAX_WORD {
                        return fault("a key is too long");
                    }
                    self.key.extend_from_slice(part);
                    at += part.len();
                    if is_whole {
                        self.key.pop();
                        self.expect = Expect::Colon;
                        return Ok((at, Some(LevelEvent::Key(unescape(&self.key).into_owned()))));
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
                    return Ok((at, Some(LevelEvent::Start(kind))));
                }
                (Expect::ValueRest, _) => {
                    return match self.skipper.feed(rest) {
                        Ok(None) => Ok((bytes.len(), None)),
                        Ok(Some(n_taken)) => {
                            self.expect = Expect::CommaOrClose;
                            Ok((at + n_taken, Some(LevelEvent::End)))
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
    pub(in crate::input) fn reason_at_end(&self) -> &'static str {
        match self.expect {
            Expect::Open | Expect::Nothing => "it ends where a value was expected",
            Expect::KeyRest => "it ends inside a text",
            _ if self.is_object => "it ends inside an object",
            _ => "it ends inside an array",
        }
    }
}
