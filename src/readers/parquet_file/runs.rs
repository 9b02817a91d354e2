//! Small whole numbers of a Parquet page: levels, numbers of dictionary entries, flags.
//!
//! Runs of one number and bit-packed numbers take turns, each behind a head that says how many they
//! are. Format: "Run Length Encoding / Bit-Packing Hybrid" in `Encodings.md` of parquet-format.
//! What the bytes do not hold is never read; it is missing.

use bytes::Bytes;

/// Bits of the widest number.
pub(super) const MAX_WIDTH: u8 = 32;

/// Bits that a word holds wherever it starts.
const WORD_BITS: usize = 57;

/// Numbers of no bits that are read at once.
const CHUNK: usize = 64;

/// Numbers that are read from left to right.
pub(super) struct Runs {
    bytes: Bytes,
    /// Where the next head is.
    at: usize,
    /// Bits of a number.
    width: u8,
    run: Run,
}

/// What is left of the run that is being read.
#[derive(Clone, Copy)]
enum Run {
    /// One number over and over.
    Same { number: u32, n_left: usize },
    /// Numbers side by side from this bit on, the lowest bits first.
    Packed { bit: usize, n_left: usize },
}

impl Runs {
    /// Numbers of `width` bits, in runs.
    pub(super) fn new(bytes: Bytes, width: u8) -> Self {
        Self { bytes, at: 0, width: width.min(MAX_WIDTH), run: Run::Same { number: 0, n_left: 0 } }
    }

    /// Single bits side by side, with no head: the flags of a plain page.
    pub(super) fn flags(bytes: Bytes) -> Self {
        let n_left = bytes.len().saturating_mul(8);
        Self { at: bytes.len(), width: 1, run: Run::Packed { bit: 0, n_left }, bytes }
    }

    /// Fills `out` with the next numbers; `None` when there are not as many.
    pub(super) fn fill(&mut self, mut out: &mut [u32]) -> Option<()> {
        while !out.is_empty() {
            let n_filled = self.continue_run(out);
            if n_filled == 0 {
                self.next_run()?;
            }
            out = out.get_mut(n_filled..)?;
        }
        Some(())
    }

    /// Takes from the run that is being read; how many that were.
    fn continue_run(&mut self, out: &mut [u32]) -> usize {
        match &mut self.run {
            Run::Same { number, n_left } => {
                let n_filled = out.len().min(*n_left);
                out.iter_mut().take(n_filled).for_each(|slot| *slot = *number);
                *n_left -= n_filled;
                n_filled
            }
            Run::Packed { bit, n_left } => {
                let width = usize::from(self.width);
                let n_bits = self.bytes.len().saturating_mul(8).saturating_sub(*bit);
                // A writer may leave out what fills the last group up.
                let n_held = n_bits.checked_div(width).unwrap_or(*n_left);
                let n_filled = out.len().min(*n_left).min(n_held);
                let filled = out.get_mut(..n_filled).unwrap_or_default();
                for numbers in filled.chunks_mut(WORD_BITS.checked_div(width).unwrap_or(CHUNK)) {
                    unpack(word_at(&self.bytes, *bit), self.width, numbers);
                    *bit += numbers.len() * width;
                }
                *n_left = if n_held > n_filled { *n_left - n_filled } else { 0 };
                n_filled
            }
        }
    }

    fn next_run(&mut self) -> Option<()> {
        let head = self.varint()?;
        let count = usize::try_from(head >> 1).ok()?;
        let width = usize::from(self.width);
        if head & 1 == 0 {
            let end = self.at.checked_add(width.div_ceil(8))?;
            let bytes = self.bytes.get(self.at..end)?;
            let number = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
            self.at = end;
            self.run = Run::Same { number, n_left: count };
        } else {
            let end = self.at.saturating_add(count.saturating_mul(width)).min(self.bytes.len());
            self.run = Run::Packed { bit: self.at * 8, n_left: count.saturating_mul(8) };
            self.at = end;
        }
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let &byte = self.bytes.get(self.at)?;
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }
}

/// The bits from `bit` on, at least [`WORD_BITS`]; what is past the end is 0.
fn word_at(bytes: &[u8], bit: usize) -> u64 {
    let rest = bytes.get(bit / 8..).unwrap_or_default();
    let word = match rest.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    word >> (bit % 8)
}

/// The numbers side by side in `word`.
fn unpack(mut word: u64, width: u8, numbers: &mut [u32]) {
    let mask = !(u64::MAX << width);
    for number in numbers {
        *number = u32::try_from(word & mask).unwrap_or(u32::MAX);
        word >>= width;
    }
}

#[cfg(test)]
mod tests {
    use super::Runs;

    fn numbers(bytes: &[u8], width: u8, n: usize) -> Option<Vec<u32>> {
        let mut out = vec![0; n];
        let mut runs = Runs::new(bytes.to_vec().into(), width);
        // In two steps, so that a run goes on where it was left.
        let (first, rest) = out.split_at_mut(n / 3);
        runs.fill(first)?;
        runs.fill(rest)?;
        Some(out)
    }

    #[test]
    fn the_example_of_the_format_is_read() {
        // Encodings.md: 0 to 7 in three bits each are 0x88 0xC6 0xFA.
        assert_eq!(numbers(&[0b11, 0x88, 0xc6, 0xfa], 3, 8).unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn runs_of_both_kinds_take_turns() {
        let bytes = [10, 1, 3, 0b1010_1010, 200, 1, 0];
        let expected: Vec<u32> =
            [1; 5].into_iter().chain([0, 1, 0, 1, 0, 1, 0, 1]).chain([0; 100]).collect();
        assert_eq!(numbers(&bytes, 1, 113).unwrap(), expected);
        assert_eq!(numbers(&bytes, 1, 114), None);
    }

    #[test]
    fn wide_numbers_and_no_bits_are_read() {
        assert_eq!(numbers(&[4, 0x12, 0x34, 0x56, 0x78], 32, 2).unwrap(), [0x7856_3412; 2]);
        assert_eq!(numbers(&[0b11], 0, 8).unwrap(), [0; 8]);
        assert_eq!(numbers(&[6], 0, 3).unwrap(), [0; 3]);
    }

    #[test]
    fn what_is_not_there_is_missing() {
        // The last group may end early, as some writers leave it.
        assert_eq!(numbers(&[0b11, 0x88], 3, 2).unwrap(), [0, 1]);
        assert_eq!(numbers(&[0b11, 0x88], 3, 3), None);
        assert_eq!(numbers(&[8], 8, 1), None);
        assert_eq!(numbers(&[], 1, 1), None);
        assert_eq!(numbers(&[0xff; 12], 1, 1), None);
    }
}
