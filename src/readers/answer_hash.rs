//! A number that stands for an answer, so that answers can be compared without being kept.

/// A 64-bit hash of the JSON value that `json` spells; `None` when nothing is in it: `null`, and
/// texts, objects and lists that are empty or hold only space.
///
/// Values count as the same when a producer spells them the same: other escapes, space or order of
/// keys make another number. Two answers that differ meet by chance once in 2⁶⁴ pairs, and never when
/// they are of one length and differ in one of their eight-byte words only. No defence against
/// answers that are made to collide.
pub(super) fn answer(json: &[u8]) -> Option<u64> {
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
