//! A small random generator, the same on every machine.
//!
//! Not for secrets: it only draws samples that anyone can draw again.

/// SplitMix64: a counter, mixed. Period 2⁶⁴.
///
/// Source: G. L. Steele, D. Lea, C. H. Flood, OOPSLA (2014), with the constants of S. Vigna's
/// `splitmix64.c`.
#[derive(Debug, Clone)]
pub(super) struct SplitMix64(u64);

impl SplitMix64 {
    /// The sequence that `seed` stands for.
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number between 0 and 1, neither of them.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub(super) fn unit(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// A number below `bound`, each as likely as any other; 0 for the bound 0.
    ///
    /// Source: D. Lemire, ACM Transactions on Modeling and Computer Simulation 29 (2019): the high
    /// half of a product, drawn again when its low half falls into the uneven rest.
    #[expect(clippy::cast_possible_truncation, reason = "both halves of a product are wanted")]
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        let mut draw = || (self.bits() >> 32) * u64::from(bound);
        let mut product = draw();
        if (product as u32) < bound {
            let n_uneven = bound.wrapping_neg() % bound;
            while (product as u32) < n_uneven {
                product = draw();
            }
        }
        (product >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_the_reference_program() {
        let sequence = |seed, n| {
            let mut random = SplitMix64::new(seed);
            (0..n).map(|_| random.bits()).collect::<Vec<u64>>()
        };
        // Printed by Vigna's splitmix64.c.
        assert_eq!(
            sequence(1_234_567, 5),
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
        assert_eq!(
            sequence(0, 3),
            [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]
        );
    }

    #[test]
    fn each_number_below_a_bound_is_as_likely() {
        // A bound of 3 · 2³⁰ leaves an uneven rest of a quarter: without drawing again, the numbers
        // divisible by 3 would come twice as often as the others.
        let mut random = SplitMix64::new(7);
        let mut by_rest = [0_u32; 3];
        for _ in 0..30_000 {
            let drawn = random.below(3 << 30);
            assert!(drawn < 3 << 30);
            by_rest[drawn as usize % 3] += 1;
        }
        // Standard deviation of each count: 82.
        assert!(by_rest.iter().all(|n| n.abs_diff(10_000) < 330), "{by_rest:?}");
        assert_eq!((random.below(1), random.below(0)), (0, 0));
    }
}
