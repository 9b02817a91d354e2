//! A number that stands for an answer, so that answers can be compared without being kept.

use crate::input::json::{JsonTokens, unescape};
use std::borrow::Cow;

/// A 64-bit hash of the JSON value that `json` spells; `None` when nothing is in it: `null`, and
/// texts, objects and lists that are empty or hold only space.
///
/// Escapes and the space between the parts of a value make no other number: files are indented, and letters escaped, without
/// a change of meaning. Another order of keys does, and so does another spelling of a number. Two answers that differ
/// meet by chance once in 2⁶⁴ pairs, and never when they are of one length and differ in one of their eight-byte words only. No
/// defence against answers that are made to collide.
pub(super) fn answer(json: &[u8]) -> Option<u64> {
    let json = &*plain(json);
    let inner = match json {
        [b'"', inner @ .., b'"'] | [b'{', inner @ .., b'}'] | [b'[', inner @ .., b']'] => inner,
        b"null" => &[],
        word => word,
    };
    if inner.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    Some(folded(json.len() as u64, json))
}

/// The value that `json` spells, without space between its parts and with as few escapes as may be.
fn plain(json: &[u8]) -> Cow<'_, [u8]> {
    if is_plain(json) {
        return Cow::Borrowed(json);
    }
    let mut out = Vec::with_capacity(json.len());
    for token in JsonTokens::new(json) {
        let written = json.get(token.span).unwrap_or_default();
        let respelled = match written {
            [b'"', inner @ .., b'"'] if !is_plain(written) => {
                serde_json::to_vec(&*unescape(inner)).ok()
            }
            _ => None,
        };
        out.extend_from_slice(respelled.as_deref().unwrap_or(written));
    }
    Cow::Owned(out)
}

/// Whether [`plain`] would change nothing, as far as that is seen at once.
fn is_plain(json: &[u8]) -> bool {
    let is_short = |at: usize| json.get(at + 1).is_some_and(|byte| !matches!(byte, b'u' | b'/'));
    let mut next = 0;
    let are_short = memchr::memchr_iter(b'\\', json).all(|at| {
        // The second of two backslashes begins no escape.
        let is_second = at < next;
        next = if is_second { next } else { at + 2 };
        is_second || is_short(at)
    });
    let is_one_token = !matches!(json, [b'{' | b'[', ..]);
    are_short && (is_one_token || !json.iter().any(u8::is_ascii_whitespace))
}

/// A 64-bit hash of `tag` and `bytes`. The length is not hashed: where it varies, `tag` has to hold it.
pub(super) fn folded(tag: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let fold = |hash, word: &[u8; 8]| mixed(hash ^ u64::from_le_bytes(*word));
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    fold(words.iter().fold(mixed(tag), fold), &last)
}

/// Spreads every bit over all, reversibly: the end of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
pub(super) fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    #[test]
    fn an_empty_answer_is_none() {
        for empty in ["null", "\"\"", "{}", "[]", "{ }", "[\n]", "\"  \"", ""] {
            assert_eq!(answer(empty.as_bytes()), None, "{empty}");
        }
        for some in ["0", "false", "\"null\"", "{\"a\":\"\"}", "[null]"] {
            assert!(answer(some.as_bytes()).is_some(), "{some}");
        }
    }

    #[test]
    fn spelling_makes_no_difference() {
        for (one, other) in [
            (r#""héllo → 1""#, r#""h\u00e9llo \u2192 1""#),
            (r#""a\/b""#, r#""a/b""#),
            (r#""\u000a\u0022\u005c\u0001""#, r#""\n\"\\\u0001""#),
            (r#""\ud83d\ude00""#, r#""😀""#),
            (r#""\\u0041 \u0041""#, r#""\\u0041 A""#),
            (r#"{"a":[1,"b c"]}"#, "{ \"a\": [\n  1,\n  \"b c\"\n] }"),
        ] {
            assert_eq!(answer(one.as_bytes()), answer(other.as_bytes()), "{one} {other}");
        }
        for (one, other) in [
            (r#""\\u0041""#, r#""A""#),
            (r#""a b""#, r#""ab""#),
            (r#"["a b"]"#, r#"["ab"]"#),
            (r#""\ud800\ud800""#, r#""\ud800""#),
        ] {
            assert_ne!(answer(one.as_bytes()), answer(other.as_bytes()), "{one} {other}");
        }
        for broken in [r#""\u12"#, r#""\"#, r#""\uzzzz""#, r#"["open"#, r#"{"a\u00e9"#] {
            assert!(answer(broken.as_bytes()).is_some(), "{broken}");
        }
    }

    proptest! {
        #[test]
        fn a_value_is_the_same_indented_and_escaped(texts in prop::collection::vec("\\PC{0,12}", 0..4), control in "[\u{0}-\u{1f}\"\\\\/é😀]{0,8}") {
            let value = serde_json::json!({ "texts": texts, "control": control, "number": 0.5 });
            let compact = value.to_string();
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            let escaped: String = compact.chars().map(|letter| match letter {
                letter if letter.is_ascii() => letter.to_string(),
                letter => letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04X}")).collect(),
            }).collect();
            let number = answer(compact.as_bytes());
            prop_assert_eq!(number, answer(pretty.as_bytes()));
            prop_assert_eq!(number, answer(escaped.as_bytes()));
            prop_assert_eq!(&*plain(pretty.as_bytes()), compact.as_bytes());
        }
    }

    #[test]
    fn a_number_stays_what_it_is() {
        // Pinned; worked out apart, in Python.
        assert_eq!(answer(b"\"42\""), Some(18_269_751_615_557_352_154));
        assert_eq!(answer(b"{\"accuracy\":\"I do not know.\"}"), Some(17_802_811_602_708_681_052));
    }

    #[test]
    fn answers_that_differ_a_little_have_other_numbers() {
        let text = b"\"The quick brown fox jumps over the lazy dog\"";
        let mut seen = HashSet::from([answer(text)]);
        let mut n_texts = 1;
        let mut check = |other: &[u8]| {
            seen.insert(answer(other));
            n_texts += 1;
            assert_eq!(seen.len(), n_texts, "{}", String::from_utf8_lossy(other));
        };
        for at in 1..text.len() - 1 {
            for bit in 0..8 {
                let mut other = text.to_vec();
                other[at] ^= 1 << bit;
                check(&other);
                // Two bits at once, eight bytes apart: they must not cancel.
                if at + 8 < text.len() - 1 {
                    other[at + 8] ^= 1 << bit;
                    check(&other);
                }
            }
        }
        for n_more in 1..20 {
            check(&[&text[..], &vec![0; n_more]].concat());
        }
    }
}
