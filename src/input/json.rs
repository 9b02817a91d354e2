//! A cursor over one JSON value in memory: read what is wanted, skip the rest unparsed.
//!
//! Differs from a strict parser in what Python's `json` writes and reads: bare `NaN`, `Infinity` and
//! `-Infinity` are numbers. A skipped value is checked for balance only, not for grammar.
//! Not here: splitting a source into values (`split`), which must not need the whole in memory.

mod scalar;
mod texts;

pub use scalar::{f64_from_value, unescape, value_from_f64};
pub use texts::any_text;

pub(super) use scalar::is_plausible_word;

use super::error::{Error, ErrorKind};
use super::scan::{Skipper, find_quote_or_escape, is_word_byte, space_len, text_end};
use super::shape::ValueKind;
use scalar::number_from_bytes;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::ops::Range;

/// Deepest nesting that is read; deeper input is an error, not a crash.
pub const MAX_DEPTH: usize = 512;

/// Reads one JSON value from left to right.
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

type Result<T> = std::result::Result<T, Error>;

impl<'a> Cursor<'a> {
    /// At the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, depth: 0 }
    }

    /// Offset of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The bytes of `span`.
    pub fn slice(&self, span: Range<usize>) -> &'a [u8] {
        self.bytes.get(span).unwrap_or_default()
    }

    /// The kind of the value that comes next.
    ///
    /// # Errors
    /// When no value starts here.
    pub fn kind(&mut self) -> Result<ValueKind> {
        self.space();
        match self.bytes.get(self.at) {
            Some(byte) => {
                ValueKind::from_first(*byte).ok_or_else(|| self.error("a value was expected"))
            }
            None => Err(self.error("it ends where a value was expected")),
        }
    }

    /// Calls `field` with each key of the object that comes next; `field` must consume the value.
    /// Any other value is skipped, and the answer is `false`.
    ///
    /// # Errors
    /// When the bytes are not JSON, or `field` fails.
    pub fn each_field(
        &mut self,
        mut field: impl FnMut(&str, &mut Self) -> Result<()>,
    ) -> Result<bool> {
        if self.kind()? != ValueKind::Object {
            self.skip()?;
            return Ok(false);
        }
        self.enter()?;
        if self.take(b'}') {
            self.depth -= 1;
            return Ok(true);
        }
        loop {
            self.space();
            if self.bytes.get(self.at) != Some(&b'"') {
                return Err(self.error("a key was expected"));
            }
            let key = self.string()?;
            if !self.take(b':') {
                return Err(self.error("a colon was expected"));
            }
            field(&key, self)?;
            if self.take(b',') {
                continue;
            }
            if self.take(b'}') {
                self.depth -= 1;
                return Ok(true);
            }
            return Err(self.error("a comma or a closing brace was expected"));
        }
    }

    /// Calls `item` for each element of the array that comes next; `item` must consume it.
    /// Any other value is skipped, and the answer is `false`.
    ///
    /// # Errors
    /// When the bytes are not JSON, or `item` fails.
    pub fn each_item(&mut self, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<bool> {
        if self.kind()? != ValueKind::Array {
            self.skip()?;
            return Ok(false);
        }
        self.enter()?;
        if self.take(b']') {
            self.depth -= 1;
            return Ok(true);
        }
        loop {
            item(self)?;
            if self.take(b',') {
                continue;
            }
            if self.take(b']') {
                self.depth -= 1;
                return Ok(true);
            }
            return Err(self.error("a comma or a closing bracket was expected"));
        }
    }

    /// The number that comes next; any other value is skipped and gives `None`.
    ///
    /// # Errors
    /// When the bytes are not JSON.
    pub fn number(&mut self) -> Result<Option<f64>> {
        if self.kind()? != ValueKind::Number {
            self.skip()?;
            return Ok(None);
        }
        let span = self.scalar();
        number_from_bytes(self.slice(span.clone()))
            .map(Some)
            .ok_or_else(|| Error::new(ErrorKind::Json("a number is malformed"), span.start as u64))
    }

    /// The yes or no that comes next; any other value is skipped and gives `None`.
    ///
    /// # Errors
    /// When the bytes are not JSON.
    pub fn bool(&mut self) -> Result<Option<bool>> {
        self.kind()?;
        let span = self.skip()?;
        Ok(match self.slice(span) {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        })
    }

    /// The text that comes next; any other value is skipped and gives `None`.
    ///
    /// # Errors
    /// When the bytes are not JSON.
    pub fn text(&mut self) -> Result<Option<Cow<'a, str>>> {
        if self.kind()? != ValueKind::Text {
            self.skip()?;
            return Ok(None);
        }
        self.string().map(Some)
    }

    /// Passes over the value that comes next and gives its span.
    ///
    /// # Errors
    /// When it is not balanced or nested too deeply.
    pub fn skip(&mut self) -> Result<Range<usize>> {
        let kind = self.kind()?;
        let start = self.at;
        match kind {
            ValueKind::Text => self.skip_string()?,
            ValueKind::Object | ValueKind::Array => self.skip_nested()?,
            ValueKind::Null | ValueKind::Bool | ValueKind::Number => {
                let span = self.scalar();
                let word = self.slice(span.clone());
                if !is_plausible_word(word) {
                    return Err(Error::new(
                        ErrorKind::Json("a word is not JSON"),
                        span.start as u64,
                    ));
                }
            }
        }
        Ok(start..self.at)
    }

    /// The value that comes next as a tree. Non-finite numbers become the texts `NaN`, `Infinity`
    /// and `-Infinity`; of a repeated key the last value stays.
    ///
    /// # Errors
    /// When the bytes are not JSON.
    pub fn tree(&mut self) -> Result<Value> {
        Ok(match self.kind()? {
            ValueKind::Object => {
                let mut map = Map::new();
                self.each_field(|key, cursor| {
                    map.insert(key.to_owned(), cursor.tree()?);
                    Ok(())
                })?;
                Value::Object(map)
            }
            ValueKind::Array => {
                let mut items = Vec::new();
                self.each_item(|cursor| {
                    items.push(cursor.tree()?);
                    Ok(())
                })?;
                Value::Array(items)
            }
            ValueKind::Text => Value::String(self.string()?.into_owned()),
            ValueKind::Number => {
                let start = self.at;
                let span = self.scalar();
                let word = self.slice(span);
                let exact = std::str::from_utf8(word).ok().and_then(|word| {
                    word.parse::<i64>()
                        .map(Value::from)
                        .or_else(|_err| word.parse::<u64>().map(Value::from))
                        .ok()
                });
                match exact {
                    Some(whole) => whole,
                    None => {
                        let number = number_from_bytes(word).ok_or_else(|| {
                            Error::new(ErrorKind::Json("a number is malformed"), start as u64)
                        })?;
                        value_from_f64(number)
                    }
                }
            }
            ValueKind::Bool => Value::Bool(self.bool()?.unwrap_or_default()),
            ValueKind::Null => {
                self.skip()?;
                Value::Null
            }
        })
    }

    /// Fails unless nothing but space is left.
    ///
    /// # Errors
    /// When something follows the value.
    pub fn end(&mut self) -> Result<()> {
        self.space();
        if self.at == self.bytes.len() {
            Ok(())
        } else {
            Err(self.error("something follows the value"))
        }
    }

    /// Passes over space.
    pub fn space(&mut self) {
        self.at += space_len(self.rest());
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn enter(&mut self) -> Result<()> {
        if self.depth == MAX_DEPTH {
            return Err(self.error("it is nested too deeply"));
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    fn take(&mut self, byte: u8) -> bool {
        self.space();
        let is_there = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn scalar(&mut self) -> Range<usize> {
        let start = self.at;
        self.at += self.rest().iter().take_while(|byte| is_word_byte(**byte)).count();
        start..self.at
    }

    fn string(&mut self) -> Result<Cow<'a, str>> {
        let start = self.at;
        if self.bytes.get(start) != Some(&b'"') {
            return Err(self.error("a text was expected"));
        }
        let inner = self.bytes.get(start + 1..).unwrap_or_default();
        if let Some(len) = find_quote_or_escape(inner).filter(|len| inner.get(*len) == Some(&b'"'))
        {
            self.at = start + len + 2;
            return Ok(String::from_utf8_lossy(inner.get(..len).unwrap_or_default()));
        }
        self.skip_string()?;
        Ok(unescape(self.slice(start + 1..self.at - 1)))
    }

    fn skip_string(&mut self) -> Result<()> {
        let end = text_end(self.bytes, self.at + 1, &mut false);
        self.at = end.unwrap_or(self.bytes.len());
        match end {
            Some(_) => Ok(()),
            None => Err(self.error("it ends inside a text")),
        }
    }

    fn skip_nested(&mut self) -> Result<()> {
        match Skipper::new(MAX_DEPTH - self.depth).feed(self.rest()) {
            Ok(Some(n_bytes)) => {
                self.at += n_bytes;
                Ok(())
            }
            Ok(None) => {
                self.at = self.bytes.len();
                Err(self.error("it ends inside an object or array"))
            }
            Err((offset, reason)) => {
                self.at += offset;
                Err(self.error(reason))
            }
        }
    }

    fn error(&self, reason: &'static str) -> Error {
        Error::new(ErrorKind::Json(reason), self.at as u64)
    }
}
