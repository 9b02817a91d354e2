//! JSON: one tokenizer, and what stands on it.
//!
//! ```text
//! Tokens ──┬── Cursor      one value in memory: reads what is wanted, skips the rest
//!          ├── Skipper     one value in slices: where it ends
//!          ├── Level       the outermost level of a value in slices: where its members lie
//!          ├── any_text    the texts of a value, for search
//!          ├── indented    the text of a value, for reading
//!          └── export::redact, which rewrites texts
//! ```
//!
//! `blocks` finds brackets outside of texts in 64 bytes at once, for what is passed over; `nesting` knows which are open.
//!
//! Differs from a strict parser in what Python's `json` writes and reads: bare `NaN`, `Infinity` and
//! `-Infinity` are numbers. A skipped value is checked for balance only, not for grammar. Nesting ends at
//! [`MAX_DEPTH`] everywhere; only the cursor's callers recurse, and no deeper than that.
//! Not here: splitting a source into values (`split`), which must not need the whole in memory.

mod blocks;
mod cursor;
mod indented;
mod level;
mod nesting;
mod scalar;
mod skip;
mod texts;
mod tokens;

pub use cursor::Cursor;
pub use indented::indented;
pub use scalar::{f64_from_value, unescape, value_from_f64};
pub use texts::any_text;
pub use tokens::{JsonToken, JsonTokens, TokenKind};

pub(super) use level::{LevelEvent, LevelWalk};
pub(super) use scalar::is_plausible_word;
pub(super) use skip::Skipper;
pub(super) use tokens::{is_word_byte, space_len};

/// Deepest nesting that is read; deeper input is an error, not a crash.
pub const MAX_DEPTH: usize = 512;
