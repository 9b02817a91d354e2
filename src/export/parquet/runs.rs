//! Small numbers packed into bits: definition levels, places in a dictionary, flags.
//!
//! Levels and places stand in runs, of two kinds by turns: one number over and over, or numbers side by
//! side in groups of eight. Format: "Run Length Encoding / Bit-Packing Hybrid" in `Encodings.md` of
//! parquet-format.

use super::thrift::varint;

/// Numbers of a group.
const GROUP: usize = 8;

/// Appends `numbers`, of at most `width` bits each, in runs.
///
/// A whole group of one number, with what follows it of the same, is a run of the first kind, as other
/// writers do it too.
pub(super) fn runs<T: Copy + Eq + Into<u32>>(out: &mut Vec<u8>, numbers: &[T], width: u8) {
    let mut rest = numbers;
    // Numbers at the start of `rest` that are going to stand side by side.
    let mut n_packed = 0;
    while let Some((packed, [first, others @ ..])) = rest.split_at_checked(n_packed) {
        let n_same = 1 + others.iter().take_while(|other| *other == first).count();
        if n_same < GROUP {
            n_packed += GROUP;
            continue;
        }
        side_by_side(out, packed, width);
        varint(out, (n_same as u64) << 1);
        let bytes = (*first).into().to_le_bytes();
        out.extend(bytes.iter().take(usize::from(width.div_ceil(8))));
        rest = others.get(n_same - 1..).unwrap_or_default();
        n_packed = 0;
    }
    side_by_side(out, rest, width);
}

/// One run of numbers side by side; what fills the last group up is 0.
fn side_by_side<T: Copy + Into<u32>>(out: &mut Vec<u8>, numbers: &[T], width: u8) {
    if numbers.is_empty() {
        return;
    }
    let n_groups = numbers.len().div_ceil(GROUP);
    varint(out, (n_groups as u64) << 1 | 1);
    let end = out.len() + n_groups * usize::from(width);
    pack(out, numbers, width);
    out.resize(end, 0);
}

/// Appends `numbers` in `width` bits each, the lowest bits first, up to a whole byte.
pub(super) fn pack<T: Copy + Into<u32>>(out: &mut Vec<u8>, numbers: &[T], width: u8) {
    let (mut word, mut n_bits) = (0_u64, 0);
    for number in numbers {
        word |= u64::from((*number).into()) << n_bits;
        n_bits += u32::from(width);
        while n_bits >= u8::BITS {
            let [low, ..] = word.to_le_bytes();
            out.push(low);
            word >>= u8::BITS;
            n_bits -= u8::BITS;
        }
    }
    if n_bits > 0 {
        let [low, ..] = word.to_le_bytes();
        out.push(low);
    }
}

/// Bits of the largest of `n` numbers from 0 on; at least 1, since not every reader takes none.
pub(super) fn width_of(n: usize) -> u8 {
    let bits = usize::BITS - n.saturating_sub(1).leading_zeros();
    u8::try_from(bits.max(1)).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::{pack, runs, width_of};

    fn runs_of(numbers: &[u32], width: u8) -> Vec<u8> {
        let mut out = Vec::new();
        runs(&mut out, numbers, width);
        out
    }

    #[test]
    fn the_example_of_the_format_is_written() {
        // Encodings.md: 0 to 7 in three bits each are 0x88 0xC6 0xFA.
        assert_eq!(runs_of(&[0, 1, 2, 3, 4, 5, 6, 7], 3), [0b11, 0x88, 0xc6, 0xfa]);
    }

    #[test]
    fn levels_that_are_all_the_same_are_one_run() {
        let mut out = Vec::new();
        runs(&mut out, &[true; 8], 1);
        assert_eq!(out, [16, 1]);
        assert_eq!(runs_of(&[0; 65_536], 1), [0x80, 0x80, 0x08, 0]);
        assert!(runs_of(&[], 1).is_empty());
    }

    #[test]
    fn short_rests_fill_a_group_up_with_nothing() {
        assert_eq!(runs_of(&[1], 1), [0b11, 1]);
        assert_eq!(runs_of(&[1; 7], 1), [0b11, 0x7f]);
        assert_eq!(runs_of(&[5, 6, 7], 12), [[0b11, 5, 0x60, 0, 7].as_slice(), &[0; 8]].concat());
    }

    #[test]
    fn runs_of_both_kinds_take_turns() {
        // The example of rle-bitpacked.md, pull request 170 of parquet-format.
        let numbers = [0b1110_1011_u32, 0b10, 0xff]
            .map(|group| [0, 1, 2, 3, 4, 5, 6, 7].map(|bit| group >> bit & 1))
            .concat();
        assert_eq!(runs_of(&numbers, 1), [5, 0b1110_1011, 0b10, 16, 1]);
        // A group that changes, then a run that begins in its last place and goes on for ten more.
        let numbers = [[0, 1, 0, 1, 0, 1, 0, 1].as_slice(), &[1; 10], &[0, 1]].concat();
        assert_eq!(runs_of(&numbers, 1), [0b11, 0b1010_1010, 20, 1, 0b11, 0b10]);
        // Seven of the same are not enough for a run, and a run takes as many bytes as its width.
        let numbers = [[300; 7].as_slice(), &[0], &[300; 8]].concat();
        let side_by_side = [0x2c, 0x59, 0xb2, 0x64, 0xc9, 0x92, 0x25, 0x4b, 0x00];
        assert_eq!(runs_of(&numbers, 9), [[0b11].as_slice(), &side_by_side, &[16, 44, 1]].concat());
    }

    #[test]
    fn flags_stand_lowest_bit_first_without_a_head() {
        let mut out = Vec::new();
        pack(&mut out, &[true, false, true, true, false, false, false, false, true], 1);
        assert_eq!(out, [0b1101, 1]);
    }

    #[test]
    fn a_width_holds_every_place_and_no_bit_more() {
        let widths = [0, 1, 2, 3, 4, 5, 256, 257, 65_536, 65_537].map(width_of);
        assert_eq!(widths, [1, 1, 1, 2, 2, 3, 8, 9, 16, 17]);
    }
}
