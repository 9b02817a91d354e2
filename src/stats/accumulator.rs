//! Exact sums of whole numbers of any size, in fixed room.
//!
//! Adding doubles as big integers allocates for each; here each touches three limbs.

use num_bigint::{BigInt, BigUint, Sign};

/// So many additions of less than 2³² leave room in a limb of 63 bits; a power of two.
const ADDITIONS_PER_CARRY: u64 = 1 << 30;

/// A whole number in `N` limbs of 32 bits, which keep 31 bits each for what is carried over later.
#[derive(Debug, Clone)]
pub(super) struct Accumulator<const N: usize> {
    limbs: [i64; N],
    n_additions: u64,
}

impl<const N: usize> Accumulator<N> {
    /// Zero.
    pub(super) fn new() -> Self {
        Self { limbs: [0; N], n_additions: 0 }
    }

    /// Adds `magnitude · 2^shift`, or takes it away. `shift` is less than `32 · (N − 2)`.
    #[expect(clippy::cast_possible_truncation, reason = "cuts into limbs")]
    pub(super) fn add(&mut self, magnitude: u64, shift: usize, is_negative: bool) {
        let shifted = u128::from(magnitude) << (shift % 32);
        let parts = [shifted as u32, (shifted >> 32) as u32, (shifted >> 64) as u32];
        for (limb, part) in self.limbs.iter_mut().skip(shift / 32).zip(parts) {
            *limb += if is_negative { -i64::from(part) } else { i64::from(part) };
        }
        self.n_additions += 1;
        if self.n_additions.is_multiple_of(ADDITIONS_PER_CARRY) {
            self.carry();
        }
    }

    /// Carries over, so that every limb but the highest is again within 0 and 2³² − 1.
    fn carry(&mut self) {
        let mut carried = 0;
        for limb in &mut self.limbs {
            let total = *limb + carried;
            carried = total >> 32;
            *limb = total & 0xffff_ffff;
        }
        // The highest limb keeps the sign.
        if let Some(highest) = self.limbs.last_mut() {
            *highest += carried << 32;
        }
    }

    /// The number.
    pub(super) fn to_big(&self) -> BigInt {
        let mut whole = self.clone();
        whole.carry();
        let is_negative = whole.limbs.last().is_some_and(|&highest| highest < 0);
        if is_negative {
            whole.limbs.iter_mut().for_each(|limb| *limb = -*limb);
            whole.carry();
        }
        let digits = whole.limbs.iter().map(|&limb| u32::try_from(limb).unwrap_or(0)).collect();
        let sign = if is_negative { Sign::Minus } else { Sign::Plus };
        BigInt::from_biguint(sign, BigUint::new(digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borrows_and_carries_run_through_all_limbs() {
        let mut sum = Accumulator::<8>::new();
        sum.add(1, 150, false);
        sum.add(1, 0, true);
        assert_eq!(sum.to_big(), (BigInt::from(1) << 150) - 1);
        sum.add(u64::MAX, 150, true);
        assert_eq!(sum.to_big(), (BigInt::from(1) << 150) - 1 - (BigInt::from(u64::MAX) << 150));
        sum.add(u64::MAX, 150, false);
        sum.add(1, 150, true);
        assert_eq!(sum.to_big(), BigInt::from(-1));
        sum.add(1, 0, false);
        assert_eq!(sum.to_big(), BigInt::from(0));
    }

    #[test]
    fn many_of_the_same_sign_add_up() {
        let mut sum = Accumulator::<8>::new();
        for _ in 0..3000 {
            sum.add(u64::MAX, 31, true);
        }
        assert_eq!(sum.to_big(), BigInt::from(u64::MAX) * -3000 * (BigInt::from(1) << 31));
        sum.carry();
        sum.carry();
        assert_eq!(sum.to_big(), BigInt::from(u64::MAX) * -3000 * (BigInt::from(1) << 31));
    }
}
