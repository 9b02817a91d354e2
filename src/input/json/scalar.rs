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
        [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..] => {
            short_decimal(word).or_else(|| std::str::from_utf8(word).ok()?.parse().ok())
        }
        _ => None,
    }
}

/// The number that `word` spells with at most 15 digits and no exponent; `None`: it spells it otherwise.
fn short_decimal(word: &[u8]) -> Option<f64> {
    leading_decimal(word).filter(|(_, len)| *len == word.len()).map(|(number, _)| number)
}

/// The number that `bytes` begin with, up to the first byte that is neither a digit nor a point, and its length; `None`: it has
/// more than 15 digits, or is none.
///
/// Correctly rounded: its digits as a whole number and the power of ten are exact, so that one division rounds once
/// (Clinger, "How to read floating point numbers accurately", PLDI 1990).
#[inline]
pub(super) fn leading_decimal(bytes: &[u8]) -> Option<(f64, usize)> {
    const MAX_DIGITS: usize = 15;
    const POWERS: [f64; MAX_DIGITS + 1] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let is_negative = bytes.first() == Some(&b'-');
    let digits = bytes.get(usize::from(is_negative)..)?;
    let (mut whole, mut n_digits, mut point) = (0_u64, 0, None);
    for byte in digits {
        match byte {
            b'0'..=b'9' if n_digits == MAX_DIGITS => return None,
            b'0'..=b'9' => {
                whole = whole * 10 + u64::from(byte - b'0');
                n_digits += 1;
            }
            b'.' if point.is_none() && n_digits > 0 => point = Some(n_digits),
            _ => break,
        }
    }
    let n_decimals = n_digits - point.unwrap_or(n_digits);
    if n_digits == 0 || point == Some(n_digits) {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "15 digits are below 2^53")]
    let mut number = whole as f64;
    if n_decimals > 0 {
        number /= POWERS.get(n_decimals)?;
    }
    let len = usize::from(is_negative) + n_digits + usize::from(point.is_some());
    Some((if is_negative { -number } else { number }, len))
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_as_parsed(word: &str) -> bool {
        let bits = |number: Option<f64>| number.map(f64::to_bits);
        bits(number_from_bytes(word.as_bytes())) == bits(word.parse().ok())
    }

    #[test]
    fn edges_of_short_decimals_are_as_parsed() {
        for word in [
            "0",
            "-0",
            "-0.0",
            "00.10",
            "0.1",
            "0.3",
            "1.005",
            "9007199254740993",
            "999999999999999",
            "9999999999999999",
            "0.000000000000001",
            "0.0000000000000001",
            "1.",
            "1.5.5",
            "12-3",
            "1e5",
            "123456789012345.6",
            "12345678901234.56",
            "-98765.43210",
        ] {
            assert!(is_as_parsed(word), "{word}");
        }
        assert_eq!(short_decimal(b"0.1"), Some(0.1), "it is read here, not there");
        assert_eq!(short_decimal(b"1e5"), None);
    }

    proptest! {
        #[test]
        fn a_number_is_as_parsed(word in "-?[0-9]{1,18}(\\.[0-9]{0,18})?(e-?[0-9]{1,2})?") {
            prop_assert!(is_as_parsed(&word), "{}", word);
        }
    }
}
