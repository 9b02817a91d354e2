//! Several tries at one case: does any pass, do all pass?

/// Chance that at least one of `k` tries passes, drawn without putting back from `n` of which `c`
/// passed: 1 − C(n−c, k) / C(n, k). `None` when `k` is 0 or more than `n`, or `c` more than `n`.
///
/// Summed over where the first pass stands, so that nothing cancels: pass@1 is exactly `c / n`, and
/// more tries never give less. Takes `k` steps.
///
/// Source: M. Chen et al., Evaluating Large Language Models Trained on Code (2021), formula 1.
pub fn pass_at_k(n: u32, c: u32, k: u32) -> Option<f64> {
    if k == 0 || k > n || c > n {
        return None;
    }
    if n - c < k {
        return Some(1.0);
    }
    let (passed, failed) = (f64::from(c), n - c);
    let (mut chance, mut all_failed) = (0.0, 1.0);
    for n_drawn in 0..k {
        let n_left = f64::from(n - n_drawn);
        chance += all_failed * (passed / n_left);
        all_failed *= f64::from(failed - n_drawn) / n_left;
    }
    Some(chance.min(1.0))
}

/// Chance that all of `k` tries pass, drawn likewise: C(c, k) / C(n, k), written pass^k. `None` when
/// `k` is 0 or more than `n`, or `c` more than `n`. Takes `k` steps.
///
/// Source: S. Yao et al., τ-bench (2024), section 4.
pub fn pass_hat_k(n: u32, c: u32, k: u32) -> Option<f64> {
    if k == 0 || k > n || c > n {
        return None;
    }
    if k > c {
        return Some(0.0);
    }
    Some((0..k).map(|n_drawn| f64::from(c - n_drawn) / f64::from(n - n_drawn)).product())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Share of the `k`-subsets of `n` tries, the first `c` of which passed, that `is_it` accepts,
    /// by looking at each subset.
    fn enumerated(n: u32, k: u32, is_it: impl Fn(u32) -> bool) -> f64 {
        let subsets = (0_u32..1 << n).filter(|subset| subset.count_ones() == k);
        let (n_all, n_found) = subsets.fold((0_u32, 0_u32), |(n_all, n_found), subset| {
            (n_all + 1, n_found + u32::from(is_it(subset)))
        });
        f64::from(n_found) / f64::from(n_all)
    }

    #[test]
    fn both_agree_with_every_subset_looked_at() {
        for n in 1..=9_u32 {
            for c in 0..=n {
                let passed = (1_u32 << c) - 1;
                for k in 1..=n {
                    let any = enumerated(n, k, |subset| subset & passed != 0);
                    let all = enumerated(n, k, |subset| subset & !passed == 0);
                    let (at, hat) = (pass_at_k(n, c, k).unwrap(), pass_hat_k(n, c, k).unwrap());
                    assert!((at - any).abs() <= 4e-16 * any, "pass@{k} of {c}/{n}: {at}, {any}");
                    assert!((hat - all).abs() <= 4e-16 * all, "pass^{k} of {c}/{n}: {hat}, {all}");
                }
            }
        }
    }

    #[test]
    fn one_try_is_the_pass_rate_to_the_bit() {
        for n in 1..200_u32 {
            for c in 0..=n {
                let rate = Some(f64::from(c) / f64::from(n));
                assert_eq!((pass_at_k(n, c, 1), pass_hat_k(n, c, 1)), (rate, rate));
            }
        }
    }

    #[test]
    fn small_chances_keep_their_digits() {
        // 1 − C(999 999, 2) / C(1 000 000, 2) = 2e-6 exactly; the plain form loses ten digits.
        let found = pass_at_k(1_000_000, 1, 2).unwrap();
        assert!((found - 2e-6).abs() < 1e-21, "{found}");
        assert_eq!(pass_hat_k(1_000_000, 999_999, 1_000_000), Some(0.0));
        assert_eq!(pass_at_k(1_000_000, 1_000_000, 1_000_000), Some(1.0));
    }

    #[test]
    fn what_cannot_be_drawn_is_none() {
        for (n, c, k) in [(5, 3, 0), (5, 3, 6), (0, 0, 1), (3, 4, 1)] {
            assert_eq!((pass_at_k(n, c, k), pass_hat_k(n, c, k)), (None, None));
        }
    }
}
