//! A cursor over one JSON value in memory: read what is wanted, skip the rest unparsed.
//!
//! Differs from a strict parser in what Python's `json` writes and reads: bare `NaN`, `Infinity` and
//! `-Infinity` are numbers. A skipped value is checked for balance only, not for grammar.
//! Not here: splitting a source into values (`split`), which must not need the whole in memory.

use super::error::{Error, ErrorKind};
use super::shape::ValueKind;
use memchr::memchr2;
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
            Some(b'{') => Ok(ValueKind::Object),
            Some(b'[') => Ok(ValueKind::Array),
            Some(b'"') => Ok(ValueKind::Text),
            Some(b't' | b'f') => Ok(ValueKind::Bool),
            Some(b'n') => Ok(ValueKind::Null),
            Some(b'-' | b'0'..=b'9' | b'N' | b'I') => Ok(ValueKind::Number),
            Some(_) => Err(self.error("a value was expected")),
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
                let is_known = matches!(word, b"null" | b"true" | b"false");
                if !is_known && number_from_bytes(word).is_none() {
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
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
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
        while let Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'.') =
            self.bytes.get(self.at)
        {
            self.at += 1;
        }
        start..self.at
    }

    fn string(&mut self) -> Result<Cow<'a, str>> {
        let start = self.at;
        if self.bytes.get(start) != Some(&b'"') {
            return Err(self.error("a text was expected"));
        }
        self.skip_string()?;
        let inner = self.slice(start + 1..self.at - 1);
        Ok(unescape(inner))
    }

    fn skip_string(&mut self) -> Result<()> {
        let mut at = self.at + 1;
        loop {
            match memchr2(b'"', b'\\', self.bytes.get(at..).unwrap_or_default()) {
                None => {
                    self.at = self.bytes.len();
                    return Err(self.error("it ends inside a text"));
                }
                Some(found) => {
                    at += found;
                    if self.bytes.get(at) == Some(&b'"') {
                        self.at = at + 1;
                        return Ok(());
                    }
                    at += 2;
                }
            }
        }
    }

    fn skip_nested(&mut self) -> Result<()> {
        let mut closers: Vec<u8> = Vec::with_capacity(16);
        loop {
            match self.bytes.get(self.at) {
                None => return Err(self.error("it ends inside an object or array")),
                Some(b'"') => {
                    self.skip_string()?;
                    continue;
                }
                Some(open @ (b'{' | b'[')) => {
                    if closers.len() + self.depth >= MAX_DEPTH {
                        return Err(self.error("it is nested too deeply"));
                    }
                    closers.push(if *open == b'{' { b'}' } else { b']' });
                }
                Some(close @ (b'}' | b']')) => {
                    if closers.pop() != Some(*close) {
                        return Err(self.error("brackets do not match"));
                    }
                    if closers.is_empty() {
                        self.at += 1;
                        return Ok(());
                    }
                }
                Some(_) => {}
            }
            self.at += 1;
        }
    }

    fn error(&self, reason: &'static str) -> Error {
        Error::new(ErrorKind::Json(reason), self.at as u64)
    }
}

/// The number that `word` spells, by Python's rules for JSON; correctly rounded.
fn number_from_bytes(word: &[u8]) -> Option<f64> {
    match word {
        b"NaN" => Some(f64::NAN),
        b"Infinity" => Some(f64::INFINITY),
        b"-Infinity" => Some(f64::NEG_INFINITY),
        [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..] => std::str::from_utf8(word).ok()?.parse().ok(),
        _ => None,
    }
}

/// A float as a tree value; non-finite ones as text.
pub fn value_from_f64(number: f64) -> Value {
    match serde_json::Number::from_f64(number) {
        Some(finite) => Value::Number(finite),
        None if number.is_nan() => Value::from("NaN"),
        None if number > 0.0 => Value::from("Infinity"),
        None => Value::from("-Infinity"),
    }
}

/// The float of a tree value; inverse of [`value_from_f64`].
pub fn f64_from_value(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(word) => match word.as_str() {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    }
}

/// The text between two quotes. Broken escapes and bytes that are not UTF-8 become U+FFFD.
pub fn unescape(inner: &[u8]) -> Cow<'_, str> {
    if !inner.contains(&b'\\') {
        return String::from_utf8_lossy(inner);
    }
    let mut out = Vec::with_capacity(inner.len());
    let mut at = 0;
    while let Some(&byte) = inner.get(at) {
        at += 1;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let escape = inner.get(at).copied().unwrap_or(b'\\');
        at += 1;
        let plain = match escape {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let high = hex4(inner, at);
                at += 4;
                match high {
                    Some(high @ 0xd800..=0xdbff) => {
                        let low = (inner.get(at..at + 2) == Some(b"\\u"))
                            .then(|| hex4(inner, at + 2))
                            .flatten()
                            .filter(|low| (0xdc00..=0xdfff).contains(low));
                        at += if low.is_some() { 6 } else { 0 };
                        low.and_then(|low| {
                            char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
                        })
                    }
                    high => high.and_then(char::from_u32),
                }
                .unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            other @ (b'"' | b'\\' | b'/') => char::from(other),
            _ => char::REPLACEMENT_CHARACTER,
        };
        out.extend_from_slice(plain.encode_utf8(&mut [0; 4]).as_bytes());
    }
    match String::from_utf8(out) {
        Ok(text) => Cow::Owned(text),
        Err(err) => Cow::Owned(String::from_utf8_lossy(err.as_bytes()).into_owned()),
    }
}

fn hex4(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
    is_hex.then(|| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok())?
}
