//! A cursor over one JSON value in memory: read what is wanted, skip the rest unparsed.

use super::MAX_DEPTH;
use super::nesting::Nesting;
use super::scalar::{
    is_plausible_word, leading_decimal, number_from_bytes, unescape, value_from_f64,
};
use super::tokens::{JsonTokens, is_word_byte};
use crate::input::error::{Error, ErrorKind};
use crate::input::shape::ValueKind;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::ops::Range;

type CursorResult<T> = std::result::Result<T, Error>;

/// Reads one JSON value from left to right.
pub struct Cursor<'a> {
    tokens: JsonTokens<'a>,
    depth: usize,
}

impl<'a> Cursor<'a> {
    /// At the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { tokens: JsonTokens::new(bytes), depth: 0 }
    }

    /// Offset of the next byte.
    pub fn at(&self) -> usize {
        self.tokens.at()
    }

    /// The bytes of `span`.
    pub fn slice(&self, span: Range<usize>) -> &'a [u8] {
        self.tokens.bytes().get(span).unwrap_or_default()
    }

    /// The kind of the value that comes next.
    ///
    /// # Errors
    /// When no value starts here.
    #[inline]
    pub fn kind(&mut self) -> CursorResult<ValueKind> {
        match self.tokens.peek().and_then(ValueKind::from_first) {
            Some(kind) => Ok(kind),
            None => Err(self.no_value()),
        }
    }

    /// Calls `field` with each key of the object that comes next; `field` must consume the value.
    /// Any other value is skipped, and the answer is `false`.
    ///
    /// # Errors
    /// When the bytes are not JSON, or `field` fails.
    pub fn each_field(
        &mut self,
        mut field: impl FnMut(&str, &mut Self) -> CursorResult<()>,
    ) -> CursorResult<bool> {
        if self.kind()? != ValueKind::Object {
            self.skip()?;
            return Ok(false);
        }
        self.enter()?;
        if self.tokens.accept(b'}') {
            self.depth -= 1;
            return Ok(true);
        }
        loop {
            if self.tokens.peek() != Some(b'"') {
                return Err(self.error("a key was expected"));
            }
            let key = self.string()?;
            if !self.tokens.accept(b':') {
                return Err(self.error("a colon was expected"));
            }
            field(&key, self)?;
            if self.tokens.accept(b',') {
                continue;
            }
            if self.tokens.accept(b'}') {
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
    pub fn each_item(
        &mut self,
        mut item: impl FnMut(&mut Self) -> CursorResult<()>,
    ) -> CursorResult<bool> {
        if self.kind()? != ValueKind::Array {
            self.skip()?;
            return Ok(false);
        }
        self.enter()?;
        if self.tokens.accept(b']') {
            self.depth -= 1;
            return Ok(true);
        }
        loop {
            item(self)?;
            if self.tokens.accept(b',') {
                continue;
            }
            if self.tokens.accept(b']') {
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
    pub fn number(&mut self) -> CursorResult<Option<f64>> {
        if self.kind()? != ValueKind::Number {
            self.skip()?;
            return Ok(None);
        }
        let rest = self.tokens.bytes().get(self.at()..).unwrap_or_default();
        if let Some((number, len)) = leading_decimal(rest)
            && rest.get(len).is_some_and(|next| !is_word_byte(*next))
        {
            self.tokens.pass(len);
            return Ok(Some(number));
        }
        let span = self.word()?;
        number_from_bytes(self.slice(span.clone()))
            .map(Some)
            .ok_or_else(|| Error::new(ErrorKind::Json("a number is malformed"), span.start as u64))
    }

    /// The yes or no that comes next; any other value is skipped and gives `None`.
    ///
    /// # Errors
    /// When the bytes are not JSON.
    pub fn bool(&mut self) -> CursorResult<Option<bool>> {
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
    pub fn text(&mut self) -> CursorResult<Option<Cow<'a, str>>> {
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
    pub fn skip(&mut self) -> CursorResult<Range<usize>> {
        let kind = self.kind()?;
        let start = self.at();
        match kind {
            ValueKind::Text => {
                self.inner()?;
            }
            ValueKind::Object | ValueKind::Array => self.skip_nested()?,
            ValueKind::Null | ValueKind::Bool | ValueKind::Number => {
                let span = self.word()?;
                let word = self.slice(span.clone());
                if !is_plausible_word(word) {
                    return Err(Error::new(
                        ErrorKind::Json("a word is not JSON"),
                        span.start as u64,
                    ));
                }
            }
        }
        Ok(start..self.at())
    }

    /// The value that comes next as a tree. Non-finite numbers become the texts `NaN`, `Infinity`
    /// and `-Infinity`; of a repeated key the last value stays.
    ///
    /// # Errors
    /// When the bytes are not JSON.
    pub fn tree(&mut self) -> CursorResult<Value> {
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
                let start = self.at();
                let span = self.word()?;
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
    pub fn end(&mut self) -> CursorResult<()> {
        match self.tokens.peek() {
            None => Ok(()),
            Some(_) => Err(self.error("something follows the value")),
        }
    }

    /// Passes over space.
    pub fn space(&mut self) {
        self.tokens.peek();
    }

    #[inline]
    fn enter(&mut self) -> CursorResult<()> {
        if self.depth == MAX_DEPTH {
            return Err(self.error("it is nested too deeply"));
        }
        self.depth += 1;
        self.tokens.pass(1);
        Ok(())
    }

    /// The number or word that comes next. One that the bytes end with, inside an object or array, may have been longer.
    #[inline]
    fn word(&mut self) -> CursorResult<Range<usize>> {
        let span = self.tokens.word();
        if self.depth > 0 && span.end == self.tokens.bytes().len() {
            return Err(self.error("it ends inside a number or word"));
        }
        Ok(span)
    }

    #[inline]
    fn string(&mut self) -> CursorResult<Cow<'a, str>> {
        let (inner, is_plain) = self.inner()?;
        match std::str::from_utf8(inner) {
            Ok(text) if is_plain => Ok(Cow::Borrowed(text)),
            _ => Ok(unescape(inner)),
        }
    }

    /// The text that comes next, as it is written between its quotes, and whether nothing in it is escaped.
    #[inline]
    fn inner(&mut self) -> CursorResult<(&'a [u8], bool)> {
        self.tokens.text().ok_or_else(|| self.error("it ends inside a text"))
    }

    #[inline]
    fn skip_nested(&mut self) -> CursorResult<()> {
        match self.tokens.skip_nested(&mut Nesting::new(MAX_DEPTH - self.depth)) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.error("it ends inside an object or array")),
            Err(reason) => Err(self.error(reason)),
        }
    }

    #[cold]
    fn no_value(&mut self) -> Error {
        let is_end = self.tokens.peek().is_none();
        self.error(if is_end {
            "it ends where a value was expected"
        } else {
            "a value was expected"
        })
    }

    #[cold]
    fn error(&self, reason: &'static str) -> Error {
        Error::new(ErrorKind::Json(reason), self.at() as u64)
    }
}
