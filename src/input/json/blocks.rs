//! Sixty-four bytes of JSON at a time: which of them are in texts, which are brackets. After Langdale and Lemire, "Parsing
//! Gigabytes of JSON per Second", VLDB Journal 28 (2019), sections 3.1.1 and 3.1.2.

use wide::i8x16;

/// How many bytes are looked at at once.
pub(super) const BLOCK_BYTES: usize = 64;

/// What the bytes before a block leave open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TextCarry {
    /// Whether they end in a text.
    pub is_in_text: bool,
    /// Whether their last byte is a backslash that escapes the next one.
    pub is_escaped: bool,
}

/// The brackets of `block` that stand in no text, a bit each, the first byte's the lowest; and what the block leaves open.
/// `None`: a backslash stands in no text, where it escapes nothing.
#[inline(always)]
pub(super) fn brackets(block: &[u8; BLOCK_BYTES], before: TextCarry) -> Option<(u64, TextCarry)> {
    let [quotes, backslashes, brackets] = bits(block);
    let (escaped, is_escaped) = if backslashes == 0 {
        (u64::from(before.is_escaped), false)
    } else {
        escaped(backslashes, before.is_escaped)
    };
    let mut in_text = quotes & !escaped;
    // Each bit becomes the parity of those up to it: odd from a quote that opens to the one that closes.
    for distance in [1, 2, 4, 8, 16, 32] {
        in_text ^= in_text << distance;
    }
    if before.is_in_text {
        in_text = !in_text;
    }
    if backslashes & !in_text != 0 {
        return None;
    }
    Some((brackets & !in_text, TextCarry { is_in_text: in_text >> 63 == 1, is_escaped }))
}

/// The quotes, backslashes and brackets of `block`.
#[inline(always)]
fn bits(block: &[u8; BLOCK_BYTES]) -> [u64; 3] {
    let all = |byte: u8| i8x16::splat(byte.cast_signed());
    // The bit in which `[` differs from `{`, and `]` from `}`.
    let case = all(0x20);
    let mut found = [0; 3];
    for (nth, part) in block.as_chunks::<16>().0.iter().enumerate() {
        let bytes = i8x16::new(part.map(u8::cast_signed));
        let folded = bytes | case;
        let is_bracket = folded.simd_eq(all(b'{')) | folded.simd_eq(all(b'}'));
        let each = [bytes.simd_eq(all(b'"')), bytes.simd_eq(all(b'\\')), is_bracket];
        for (found, lanes) in found.iter_mut().zip(each) {
            *found |= u64::from(lanes.to_bitmask()) << (nth * 16);
        }
    }
    found
}

/// The bytes that are escaped, `is_first` being whether the first one is; and whether the byte behind them all is.
#[inline]
fn escaped(backslashes: u64, is_first: bool) -> (u64, bool) {
    /// Every other byte, from the second one on.
    const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    let first = u64::from(is_first);
    let escaping = backslashes & !first;
    let behind = escaping << 1 | first;
    // Of a run of backslashes every other one escapes what follows it. Added to the runs that begin at an odd place, their
    // beginnings clear them and carry into what is behind them.
    let odd_starts = escaping & ODD & !behind;
    let (runs, is_escaped) = odd_starts.overflowing_add(escaping);
    ((!ODD ^ (runs << 1)) & behind, is_escaped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same, byte by byte.
    fn one_by_one(block: &[u8; BLOCK_BYTES], before: TextCarry) -> Option<(u64, TextCarry)> {
        let (mut found, mut carry) = (0, before);
        for (at, byte) in block.iter().enumerate() {
            match (carry, byte) {
                (TextCarry { is_escaped: true, .. }, _) => carry.is_escaped = false,
                (TextCarry { is_in_text: true, .. }, b'\\') => carry.is_escaped = true,
                (TextCarry { is_in_text: false, .. }, b'\\') => return None,
                (_, b'"') => carry.is_in_text = !carry.is_in_text,
                (TextCarry { is_in_text: false, .. }, b'{' | b'}' | b'[' | b']') => {
                    found |= 1 << at
                }
                _ => {}
            }
        }
        Some((found, carry))
    }

    #[test]
    fn every_byte_is_what_it_is() {
        for byte in 0..=u8::MAX {
            let mut block = [b' '; BLOCK_BYTES];
            block[40] = byte;
            let carry = TextCarry::default();
            assert_eq!(brackets(&block, carry), one_by_one(&block, carry), "{byte}");
        }
    }

    proptest! {
        #[test]
        fn blocks_are_as_read_byte_by_byte(
            text in r#"[\[\]{}:"\\\\\\a1]{64}"#,
            is_in_text: bool,
            is_escaped: bool,
        ) {
            let block = text.as_bytes().first_chunk().unwrap();
            // Only in a text is anything escaped.
            let before = TextCarry { is_in_text, is_escaped: is_escaped && is_in_text };
            prop_assert_eq!(brackets(block, before), one_by_one(block, before));
        }

        #[test]
        fn runs_of_backslashes_go_on_in_the_next_block(text in r#""[\\\\\\\\"a]{150}"[\[\]]{64}"#) {
            let (mut carry, mut slow) = (TextCarry::default(), TextCarry::default());
            for block in text.as_bytes().as_chunks().0 {
                let (found, expected) = (brackets(block, carry), one_by_one(block, slow));
                prop_assert_eq!(found, expected);
                let (Some((_, next)), Some((_, slow_next))) = (found, expected) else { break };
                (carry, slow) = (next, slow_next);
            }
        }
    }
}
