//! Numbers and texts as JSON writes them.

use memchr::memchr;
use serde_json::Value;
use std::borrow::Cow;

/// The number that `word` spells, by Python's rules for JSON; correctly rounded.
pub(super) fn number_from_bytes(word: &[u8]) -> Option<f64> {
    match word {
        b"NaN" => Some(f64::NAN),
        b"Infinity" => Some(f64::INFINITY),
        b"-Infinity" => Some(f64::NEG_INFINITY),
        [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..] => std::str::from_utf8(word).ok()?.parse().ok(),
        _ => None,
    }
}

/// Whether `word` looks like a number or one of JSON's words; cheaper than reading it.
pub(in crate::input) fn is_plausible_word(word: &[u8]) -> bool {
    match word {
        b"true" | b"false" | b"null" | b"NaN" | b"Infinity" | b"-Infinity" => true,
        [b'0'..=b'9', rest @ ..] | [b'-', b'0'..=b'9', rest @ ..] => {
            rest.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
        }
        _ => false,
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
    let mut rest = inner;
    let mut out = Vec::new();
    while let Some(found) = memchr(b'\\', rest) {
        out.reserve(rest.len());
        let (plain, escape) = rest.split_at(found);
        out.extend_from_slice(plain);
        let (character, n_taken) = character_from_escape(escape);
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        rest = escape.get(n_taken..).unwrap_or_default();
    }
    if out.is_empty() && rest.len() == inner.len() {
        return String::from_utf8_lossy(inner);
    }
    out.extend_from_slice(rest);
    match String::from_utf8(out) {
        Ok(text) => Cow::Owned(text),
        Err(err) => Cow::Owned(String::from_utf8_lossy(err.as_bytes()).into_owned()),
    }
}

/// The character that an escape (from its backslash on) stands for, and the escape's length.
fn character_from_escape(escape: &[u8]) -> (char, usize) {
    let plain = match escape.get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'u') => return character_from_hex(escape),
        Some(other @ (b'"' | b'\\' | b'/')) => char::from(*other),
        // The byte may be the first of several: it stays in the text.
        _ => return (char::REPLACEMENT_CHARACTER, 1),
    };
    (plain, 2)
}

fn character_from_hex(escape: &[u8]) -> (char, usize) {
    let Some(high) = hex4(escape, 2) else { return (char::REPLACEMENT_CHARACTER, 2) };
    if (0xd800..=0xdbff).contains(&high) && escape.get(6..8) == Some(b"\\u") {
        let low = hex4(escape, 8).filter(|low| (0xdc00..=0xdfff).contains(low));
        let pair =
            low.and_then(|low| char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)));
        if let Some(pair) = pair {
            return (pair, 12);
        }
    }
    (char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER), 6)
}

fn hex4(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0, |sum, digit| Some(sum * 16 + char::from(*digit).to_digit(16)?))
}
