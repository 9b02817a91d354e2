//! Passing over one value that comes in slices, holding none of it.

use super::is_plausible_word;
use super::nesting::Nesting;
use super::tokens::{JsonTokens, SliceEnd, is_word_byte};

/// Where in the bytes just fed it went wrong, and why.
pub(in crate::input) type SkipFault = (usize, &'static str);

/// The longest number or word, and the longest key, that is believed.
pub(super) const MAX_WORD: usize = 64 << 10;

#[derive(Clone, Copy, PartialEq, Eq)]
enum ContainerKind {
    /// Nothing of the value has come yet.
    Unknown,
    Nested,
    Text,
    Word,
}

/// Passes over one value. It checks balance, not grammar: that is for the [`Cursor`](super::Cursor) that reads it.
pub(in crate::input) struct Skipper {
    kind: ContainerKind,
    nesting: Nesting,
    part: SliceEnd,
    word: Vec<u8>,
}

impl Skipper {
    /// Before a value; `max_depth` objects and arrays may be open at once.
    pub(in crate::input) fn new(max_depth: usize) -> Self {
        Self {
            kind: ContainerKind::Unknown,
            nesting: Nesting::new(max_depth),
            part: SliceEnd::Between,
            word: Vec::new(),
        }
    }

    /// Takes the next bytes of the value; the first ones must not be space. Gives how many of them
    /// belong to the value once it has ended, `None` while it goes on.
    #[inline]
    pub(in crate::input) fn feed(&mut self, bytes: &[u8]) -> Result<Option<usize>, SkipFault> {
        if self.kind == ContainerKind::Unknown {
            self.kind = match bytes.first() {
                None => return Ok(None),
                Some(b'{' | b'[') => ContainerKind::Nested,
                Some(b'"') => ContainerKind::Text,
                Some(byte) if is_word_byte(*byte) => ContainerKind::Word,
                Some(_) => return Err((0, "a value was expected")),
            };
        }
        let mut tokens = JsonTokens::resumed(bytes, self.part);
        let is_whole = match self.kind {
            ContainerKind::Nested => {
                tokens.skip_nested(&mut self.nesting).map_err(|reason| (tokens.at(), reason))?
            }
            ContainerKind::Word => return self.feed_word(bytes),
            ContainerKind::Text | ContainerKind::Unknown => {
                tokens.next().is_some_and(|text| text.is_whole)
            }
        };
        self.part = tokens.part();
        Ok(is_whole.then_some(tokens.at()))
    }

    /// Whether the value is complete when nothing follows: only a number or word can be.
    pub(in crate::input) fn is_whole_at_end(&self) -> bool {
        self.kind == ContainerKind::Word && is_plausible_word(&self.word)
    }

    fn feed_word(&mut self, bytes: &[u8]) -> Result<Option<usize>, SkipFault> {
        let len = JsonTokens::new(bytes).word().len();
        if self.word.len() + len > MAX_WORD {
            return Err((len, NO_WORD));
        }
        self.word.extend_from_slice(bytes.get(..len).unwrap_or_default());
        if len == bytes.len() {
            Ok(None)
        } else if is_plausible_word(&self.word) {
            Ok(Some(len))
        } else {
            Err((len, NO_WORD))
        }
    }
}

const NO_WORD: &str = "a word is not JSON";
