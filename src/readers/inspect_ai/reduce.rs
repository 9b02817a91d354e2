//! Several epochs of a sample made one score: the tool's reducers, over raw values.

use super::value::Score;

/// How releases differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReduceRules {
    /// Epochs that are not scored are left out; fewer epochs than k are no estimate (0.3.2xx).
    Latest,
    /// Epochs that are not scored are left out; fewer epochs than k count as a pass (0.3.1xx).
    Middle,
    /// Epochs that are not scored take part as NaN (before `scored_samples` is written).
    First,
}

/// A reducer by its name in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reducer {
    Mean,
    Median,
    Mode,
    Majority,
    Max,
    AtLeast(u32),
    PassAt(u32),
    PassK(u32),
    Collect,
}

impl Reducer {
    /// The reducer that `name` is; `None` when it is the user's own.
    pub fn from_name(name: &str) -> Option<Self> {
        let numbered = |prefix: &str| name.strip_prefix(prefix)?.parse().ok();
        Some(match name {
            "mean" => Self::Mean,
            "median" => Self::Median,
            "mode" => Self::Mode,
            "majority" => Self::Majority,
            "max" => Self::Max,
            "collect" => Self::Collect,
            _ => numbered("at_least_")
                .map(Self::AtLeast)
                .or_else(|| numbered("pass_at_").map(Self::PassAt))
                .or_else(|| numbered("pass_k_").map(Self::PassK))?,
        })
    }

    /// One value out of those of the epochs, key by key where there are keys.
    pub fn reduce(self, epochs: &[&Score], rules: ReduceRules) -> Score {
        let skips = rules != ReduceRules::First;
        let scored: Vec<&Score> =
            epochs.iter().copied().filter(|score| !(skips && score.is_unscored())).collect();
        match scored.first() {
            None => Score::Number(f64::NAN),
            Some(Score::Dict(members)) => Score::Dict(
                members
                    .iter()
                    .map(|(key, _)| {
                        let own: Vec<&Score> =
                            scored.iter().filter_map(|score| score.member(key)).collect();
                        (key.clone(), self.scalar(&own, epochs.len(), rules))
                    })
                    .collect(),
            ),
            Some(Score::List(items)) => Score::List(
                (0..items.len())
                    .map(|at| {
                        let item = |score: &&Score| match score {
                            Score::List(items) => items.get(at).cloned(),
                            _ => None,
                        };
                        let own: Vec<Score> = scored.iter().filter_map(item).collect();
                        let own: Vec<&Score> = own.iter().collect();
                        self.scalar(&own, epochs.len(), rules)
                    })
                    .collect(),
            ),
            Some(_) => self.scalar(&scored, epochs.len(), rules),
        }
    }

    /// One value out of single ones. `n_all` counts epochs that are not scored, too.
    fn scalar(self, values: &[&Score], n_all: usize, rules: ReduceRules) -> Score {
        let skips = rules != ReduceRules::First;
        let values: Vec<&Score> =
            values.iter().copied().filter(|score| !(skips && score.is_unscored())).collect();
        if values.is_empty() {
            return Score::Number(f64::NAN);
        }
        let numbers = || values.iter().map(|score| score.to_number());
        #[expect(clippy::float_cmp, reason = "as the first releases compare")]
        let is_pass = |number: &f64| match rules {
            ReduceRules::First => *number == 1.0,
            _ => *number >= 1.0,
        };
        let n_passes = || numbers().filter(|number| is_pass(number)).count();
        match self {
            Self::Mean => Score::Number(mean(&numbers().collect::<Vec<f64>>())),
            Self::Median => Score::Number(median(numbers().collect())),
            Self::Mode => most_common(&values).0.clone(),
            Self::Majority => match most_common(&values) {
                (winner, n) if n * 2 > n_all => winner.clone(),
                _ => Score::Number(f64::NAN),
            },
            Self::Max => largest(&values).clone(),
            Self::AtLeast(k) => {
                let n = numbers().filter(|number| *number >= 1.0).count();
                Score::Number(f64::from(u8::from(n >= k as usize)))
            }
            Self::PassAt(k) => Score::Number(pass_at(values.len(), n_passes(), k, rules)),
            Self::PassK(k) => Score::Number(pass_k(values.len(), n_passes(), k)),
            Self::Collect => Score::List(values.into_iter().cloned().collect()),
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    crate::stats::exact_mean(values).unwrap_or_else(|| {
        #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
        let n = values.len() as f64;
        values.iter().sum::<f64>() / n
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    let at = |at: usize| values.get(at).copied().unwrap_or(f64::NAN);
    if values.len().is_multiple_of(2) {
        f64::midpoint(at(half.wrapping_sub(1)), at(half))
    } else {
        at(half)
    }
}

/// The value that comes most often, the one seen first of equally common ones, and how often.
fn most_common<'a>(values: &[&'a Score]) -> (&'a Score, usize) {
    let mut counts: Vec<(&Score, usize)> = Vec::new();
    for value in values {
        match counts.iter_mut().find(|(known, _)| known.is_same(value)) {
            Some((_, n)) => *n += 1,
            None => counts.push((value, 1)),
        }
    }
    let mut best = (&Score::Null, 0);
    for (value, n) in counts {
        if n > best.1 {
            best = (value, n);
        }
    }
    best
}

/// The largest by number, the first of equals; nothing is larger than NaN, as in Python.
fn largest<'a>(values: &[&'a Score]) -> &'a Score {
    let mut best: Option<&Score> = None;
    for value in values {
        if best.is_none_or(|best| value.to_number() > best.to_number()) {
            best = Some(value);
        }
    }
    best.unwrap_or(&Score::Null)
}

#[expect(clippy::cast_precision_loss, reason = "counts of epochs stay far below 2^53")]
fn pass_at(n: usize, n_passes: usize, k: u32, rules: ReduceRules) -> f64 {
    let k_wide = k as usize;
    if rules == ReduceRules::Latest && n < k_wide {
        return f64::NAN;
    }
    let n_misses = n.saturating_sub(n_passes);
    if n_misses < k_wide {
        return 1.0;
    }
    1.0 - (n_misses + 1..=n).map(|i| 1.0 - f64::from(k) / i as f64).product::<f64>()
}

/// C(passes, k) / C(n, k), as a product that does not overflow.
#[expect(clippy::cast_precision_loss, reason = "counts of epochs stay far below 2^53")]
fn pass_k(n: usize, n_passes: usize, k: u32) -> f64 {
    let k = k as usize;
    if n < k {
        return f64::NAN;
    }
    if n_passes < k {
        return 0.0;
    }
    (0..k).map(|i| (n_passes - i) as f64 / (n - i) as f64).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduced(name: &str, values: &[f64], rules: ReduceRules) -> f64 {
        let scores: Vec<Score> = values.iter().map(|value| Score::Number(*value)).collect();
        let scores: Vec<&Score> = scores.iter().collect();
        Reducer::from_name(name).map_or(f64::NAN, |it| it.reduce(&scores, rules).to_number())
    }

    #[test]
    fn epochs_reduce_as_in_the_tool() {
        let nan = f64::NAN;
        for (name, values, expected) in [
            ("mean", &[0.1, 0.2, 0.3][..], 0.2),
            ("mean", &[0.5, nan][..], 0.5),
            ("median", &[3.0, 1.0, 2.0][..], 2.0),
            ("median", &[4.0, 1.0, 2.0, 3.0][..], 2.5),
            ("mode", &[2.0, 1.0, 1.0][..], 1.0),
            ("mode", &[2.0, 1.0][..], 2.0),
            ("max", &[0.2, nan, 0.4][..], 0.4),
            ("at_least_2", &[1.0, 0.5, 1.0][..], 1.0),
            ("at_least_2", &[1.0, 0.5, 0.9][..], 0.0),
            ("pass_at_2", &[1.0, 0.0, 0.0][..], 2.0 / 3.0),
            ("pass_at_2", &[1.0, 1.0, 0.0][..], 1.0),
            ("pass_k_2", &[1.0, 1.0, 0.0][..], 1.0 / 3.0),
            ("majority", &[1.0, 1.0, 0.0][..], 1.0),
        ] {
            let found = reduced(name, values, ReduceRules::Latest);
            assert!((found - expected).abs() < 1e-15, "{name} {values:?}: {found}");
        }
        assert!(reduced("majority", &[1.0, 0.0], ReduceRules::Latest).is_nan());
        assert!(reduced("pass_at_2", &[0.0, nan], ReduceRules::Latest).is_nan());
        assert!((reduced("pass_at_2", &[0.0, nan], ReduceRules::Middle) - 1.0).abs() < 1e-15);
        assert!(reduced("mean", &[0.5, nan], ReduceRules::First).is_nan());
        assert!(reduced("max", &[nan, 0.5], ReduceRules::First).is_nan());
        assert!(reduced("nonsense", &[0.5], ReduceRules::First).is_nan());
    }
}
