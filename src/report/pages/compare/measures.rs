//! One measure over pairs: values, difference, interval, tests.

use crate::report::Num;
use crate::scoring::sides::{BetterDirection, Valued, Values};
use crate::stats::paired::{
    PairResamples, PairedTable, TrialVariance, clustered, differences, sign_flip, trial_variance,
};
use crate::stats::{self, Interval};
use serde::{Deserialize, Serialize};

/// From so many clusters on, the interval that is shown allows for them.
pub(super) const MIN_CLUSTERS: u64 = 10;

/// How an interval was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum IntervalKind {
    /// Newcombe's paired score interval.
    Newcombe,
    /// Student's t over case differences.
    T,
    /// Student's t over clusters.
    ClusterT,
}

impl IntervalKind {
    /// The word of exports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Newcombe => "newcombe-paired",
            Self::T => "t",
            Self::ClusterT => "cluster-t",
        }
    }
}

/// How a p was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TestKind {
    /// McNemar's exact test.
    McNemar,
    /// Every flip of signs.
    SignFlipExact,
    /// 100,000 seeded flips of signs.
    SignFlip,
}

impl TestKind {
    /// The word of exports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::McNemar => "mcnemar-exact",
            Self::SignFlipExact => "sign-flip-exact",
            Self::SignFlip => "sign-flip",
        }
    }
}

/// A measure, compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasureLine {
    /// What.
    pub measure: Valued,
    /// Which way it is better.
    pub way: BetterDirection,
    /// Whether its values lie in 0–1, so that differences are points.
    pub is_unit: bool,
    /// Number of pairs with a value on both sides.
    pub n: u64,
    /// Mean on the baseline.
    pub baseline: Num,
    /// Mean on the candidate.
    pub candidate: Num,
    /// Candidate less baseline.
    pub difference: Num,
    /// Its 95 % interval. `None`: so few pairs, or pairs that all differ the same, show none.
    pub ci95: Option<[Num; 2]>,
    /// How that was made.
    pub ci95_kind: IntervalKind,
    /// BCa bootstrap interval of the difference.
    pub ci95_bootstrap: Option<[Num; 2]>,
    /// Candidate over baseline, of costs, times and tokens.
    pub ratio: Option<Num>,
    /// Its BCa bootstrap interval.
    pub ratio_ci95: Option<[Num; 2]>,
    /// Standard error of the difference.
    pub se: Option<Num>,
    /// The same where cases come in clusters.
    pub se_clustered: Option<Num>,
    /// Interval by clusters; shown from two on.
    pub ci95_clustered: Option<[Num; 2]>,
    /// Number of clusters.
    pub n_clusters: Option<u64>,
    /// Two-sided p of no difference.
    pub p: Num,
    /// How that was found.
    pub p_kind: TestKind,
    /// Mid-p, of McNemar's test.
    pub p_mid: Option<Num>,
    /// p adjusted for all measures of the table.
    pub p_holm: Option<Num>,
    /// The smallest difference that so many pairs would have shown.
    pub mdd80: Option<Num>,
    /// How many pairs the observed difference would take.
    pub pairs_needed: Option<u64>,
    /// The variance split over trials. `None`: no case has several.
    pub trials: Option<TrialVariance>,
}

/// The pairs that a measure is over, in the order of the pairing.
pub(super) struct MeasurePairs {
    /// Values on the baseline.
    pub(super) baseline: Vec<f64>,
    /// Values on the candidate.
    pub(super) candidate: Vec<f64>,
    /// Candidate less baseline.
    pub(super) apart: Vec<f64>,
    /// Place of each in the list of pairs.
    pub(super) places: Vec<u32>,
    /// Whether all values are 0 or 1, of one trial each.
    pub(super) is_binary: bool,
    /// Which way they are better.
    pub(super) way: BetterDirection,
    /// Of cases with several trials: the difference, and its variance by them.
    own: Vec<(f64, f64)>,
}

/// Of the pairs of `found` whose case has several trials on a side: the difference, and its variance by them.
fn own_variances(
    found: &MeasurePairs,
    pairs: &[(u32, u32)],
    [one, two]: [&Values; 2],
) -> Vec<(f64, f64)> {
    let get = |all: &[f64], at: u32| all.get(at as usize).copied().unwrap_or(f64::NAN);
    let known = |variance: f64| if variance.is_nan() { 0.0 } else { variance };
    let of_pair = |(apart, place): (&f64, &u32)| {
        let (left, right) = pairs.get(*place as usize)?;
        let (own, other) = (get(&one.own, *left), get(&two.own, *right));
        (!(own.is_nan() && other.is_nan())).then(|| (*apart, known(own) + known(other)))
    };
    found.apart.iter().zip(&found.places).filter_map(of_pair).collect()
}

impl MeasurePairs {
    /// The pairs of `pairs`, by number of the case on either side, that have a value on both; which are better the
    /// way `way`. `None` of none.
    pub(super) fn new(
        pairs: &[(u32, u32)],
        [one, two]: &[Values; 2],
        way: BetterDirection,
    ) -> Option<Self> {
        let n = pairs.len();
        let mut found = Self {
            baseline: vec![0.0; n],
            candidate: vec![0.0; n],
            apart: vec![0.0; n],
            places: vec![0; n],
            is_binary: one.is_binary && two.is_binary,
            way,
            own: Vec::new(),
        };
        let get = |all: &[f64], at: u32| all.get(at as usize).copied().unwrap_or(f64::NAN);
        let columns = found.baseline.iter_mut().zip(&mut found.candidate);
        let mut rows = columns.zip(&mut found.apart).zip(&mut found.places);
        let mut n_found = 0;
        for (place, (left, right)) in (0_u32..).zip(pairs) {
            let (a, b) = (get(&one.mean, *left), get(&two.mean, *right));
            if a.is_nan() || b.is_nan() {
                continue;
            }
            if let Some((((baseline, candidate), apart), at)) = rows.next() {
                (*baseline, *candidate, *apart, *at) = (a, b, b - a, place);
                n_found += 1;
            }
        }
        found.baseline.truncate(n_found);
        found.candidate.truncate(n_found);
        found.apart.truncate(n_found);
        found.places.truncate(n_found);
        if !one.own.is_empty() || !two.own.is_empty() {
            found.own = own_variances(&found, pairs, [one, two]);
        }
        (n_found > 0).then_some(found)
    }

    /// How much better a pair of this difference is on the candidate.
    pub(super) fn gain(&self, apart: f64) -> f64 {
        gain(self.way, apart)
    }

    /// The table of outcomes, when values are outcomes.
    pub(super) fn table(&self) -> Option<PairedTable> {
        if !self.is_binary {
            return None;
        }
        let mut table = PairedTable::default();
        for (a, b) in self.baseline.iter().zip(&self.candidate) {
            table.add(*a > 0.5, *b > 0.5);
        }
        Some(table)
    }

    /// The measure, with `clusters` by place in the list of pairs. `None` of no pair.
    pub(super) fn line(
        &self,
        measure: Valued,
        clusters: Option<&(Vec<u32>, usize)>,
    ) -> Option<MeasureLine> {
        let found = differences(&self.apart)?;
        // A pass rate is a table of outcomes; a score that happens to be 0 or 1 is not.
        let table = self.table().filter(|_| measure == Valued::PassRate);
        let by_cluster = clusters.and_then(|(clusters, n_clusters)| {
            let own: Vec<u32> = self
                .places
                .iter()
                .map(|at| clusters.get(*at as usize).copied().unwrap_or(u32::MAX))
                .collect();
            clustered(&self.apart, &own, *n_clusters)
        });
        let by_cluster = by_cluster.filter(|found| found.n_clusters < self.apart.len() as u64);
        let (plain, plain_kind) = match &table {
            Some(table) => (table.interval(), IntervalKind::Newcombe),
            None => (found.interval, IntervalKind::T),
        };
        let (interval, ci95_kind) = match by_cluster {
            Some(by) if by.n_clusters >= MIN_CLUSTERS => {
                (Some(by.interval), IntervalKind::ClusterT)
            }
            _ => (plain, plain_kind),
        };
        let (p, p_mid, p_kind) = match &table {
            Some(table) => {
                let test = table.mcnemar();
                (test.p, Some(test.p_mid), TestKind::McNemar)
            }
            None => {
                let test = sign_flip(&self.apart);
                let kind = if test.is_exact { TestKind::SignFlipExact } else { TestKind::SignFlip };
                (test.p, None, kind)
            }
        };
        let resamples = PairResamples::draw(&self.baseline, &self.candidate);
        let baseline = stats::mean(self.baseline.iter().copied())?;
        let candidate = stats::mean(self.candidate.iter().copied())?;
        let is_spent = measure.is_spent();
        let has_ratio = is_spent && baseline > 0.0;
        let is_in_unit = |values: &[f64]| values.iter().all(|v| (0.0..=1.0).contains(v));
        Some(MeasureLine {
            way: self.way,
            is_unit: !is_spent && is_in_unit(&self.baseline) && is_in_unit(&self.candidate),
            n: self.apart.len() as u64,
            baseline: Num(baseline),
            candidate: Num(candidate),
            difference: Num(table.as_ref().and_then(PairedTable::difference).unwrap_or(found.mean)),
            ci95: ends(interval),
            ci95_kind,
            ci95_bootstrap: ends(resamples.as_ref().and_then(PairResamples::difference)),
            ratio: has_ratio.then(|| Num(candidate / baseline)),
            ratio_ci95: ends(
                resamples.as_ref().filter(|_| has_ratio).and_then(PairResamples::ratio),
            ),
            se: found.se.map(Num),
            se_clustered: by_cluster.map(|by| Num(by.se)),
            ci95_clustered: ends(by_cluster.map(|by| by.interval)),
            n_clusters: by_cluster.map(|by| by.n_clusters),
            p: Num(p),
            p_kind,
            p_mid: p_mid.map(Num),
            p_holm: None,
            mdd80: found.power.mdd80.map(Num),
            pairs_needed: found.power.pairs_needed,
            trials: trial_variance(&self.own),
            measure,
        })
    }
}

impl MeasureLine {
    /// Whether less of it is better.
    pub fn is_less_better(&self) -> bool {
        self.way == BetterDirection::Down
    }

    /// Its interval as gains: the lower end is the worst that the candidate may be.
    pub(super) fn gains(&self, [low, high]: [f64; 2]) -> [f64; 2] {
        if self.is_less_better() { [-high, -low] } else { [low, high] }
    }
}

/// How much better a difference of `apart` is; 0 where neither way is better.
pub(super) fn gain(way: BetterDirection, apart: f64) -> f64 {
    match way {
        BetterDirection::Up => apart,
        BetterDirection::Down => -apart,
        BetterDirection::Mixed if apart.is_nan() => apart,
        BetterDirection::Mixed => 0.0,
    }
}

/// The ends of an interval.
pub(super) fn ends(interval: Option<Interval>) -> Option<[Num; 2]> {
    interval.map(|ci| [Num(ci.low), Num(ci.high)])
}
