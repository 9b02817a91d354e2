//! What repeated trials say over all cases: pass@k, pass^k, steadiness, parts of the variance.

use super::trials::{CaseTrials, Trials};
use crate::stats::bootstrap::{self, ClassResamples};
use crate::stats::{self, Interval, VarianceSplit};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Up to this `k` every pass@k is computed; beyond, `k` doubles up to the number of trials.
const EVERY_K_UP_TO: u32 = 64;

/// All figures over the cases of repeated runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialTotals {
    /// Number of cases, each counted once however many trials it has.
    pub n_cases: u64,
    /// Number of trials, without skipped ones.
    pub n_trials: u64,
    /// Of these, errors. They count as not passed.
    pub n_errors: u64,
    /// Trials that were not run; no figure counts them.
    pub n_skipped: u64,
    /// Pass@k and pass^k for rising `k`: every one up to 64, then doubled, and the largest number of
    /// trials that a case has. Empty when no rule gives verdicts.
    pub pass: Vec<PassAtK>,
    /// How the intervals in `pass` are made.
    pub interval_method: IntervalMethod,
    /// How steady verdicts are. `None`: no case has two trials with a verdict.
    pub steadiness: Option<Steadiness>,
    /// Variance of scores between cases and within a case. `None`: fewer than two cases with a
    /// score, or none with two.
    pub variance: Option<VarianceSplit>,
    /// How often answers are the same. `None`: no case has two answers.
    pub agreement: Option<TrialAgreement>,
}

/// Chances of `k` trials of a case, drawn from those that it has.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PassAtK {
    /// Number of trials drawn.
    pub k: u32,
    /// Number of cases with at least `k` trials, which the means are over. A case with a trial that
    /// no rule judges does not count.
    pub n_cases: u64,
    /// Pass@k: at least one of `k` passes.
    pub any: Estimate,
    /// Pass^k: all of `k` pass.
    pub all: Estimate,
}

/// A mean over cases with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// 95 % interval, for other cases of the same kind. `None`: fewer than two cases, or all of them
    /// the same.
    pub ci95: Option<Interval>,
}

/// How an interval is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum IntervalMethod {
    /// Percentile bootstrap over cases.
    Bootstrap {
        /// Number of resamples.
        n_resamples: u32,
        /// Seed.
        seed: u64,
    },
    /// Student's t over cases, cut at 0 and 1: there are too many cases to resample, and enough for t.
    StudentT,
}

/// How cases come out over their trials, of those with two trials or more and a verdict for each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steadiness {
    /// Number of such cases; each is in exactly one of the next three.
    pub n_cases: u64,
    /// Cases that pass in every trial.
    pub n_always: u64,
    /// Cases that pass in none.
    pub n_never: u64,
    /// Cases that pass in some.
    pub n_flicker: u64,
}

/// How often the answers to a case are the same.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TrialAgreement {
    /// Number of cases with two answers or more.
    pub n_cases: u64,
    /// Of these, cases whose answers are all the same.
    pub n_unanimous: u64,
    /// Mean share of the most common answer.
    pub mean: f64,
}

/// The figures of `trials`.
pub fn trial_totals(trials: &Trials) -> TrialTotals {
    let cases = &trials.cases;
    let sum = |get: fn(&CaseTrials) -> u32| cases.iter().map(|case| u64::from(get(case))).sum();
    let judged = judged(cases);
    let interval_method = interval_method(judged.len() as u64);
    TrialTotals {
        n_cases: cases.len() as u64,
        n_trials: sum(|case| case.n_trials),
        n_errors: sum(|case| case.n_errors),
        n_skipped: sum(|case| case.n_skipped),
        pass: pass(&judged, interval_method),
        interval_method,
        steadiness: steadiness(&judged),
        variance: stats::variance_split((0..cases.len()).map(|case| trials.scores_of(case))),
        agreement: agreement(cases),
    }
}

/// The cases with a verdict for each trial. None when no trial passed or failed, but some have no
/// rule to pass by: errors alone would then look like failures.
fn judged(cases: &[CaseTrials]) -> Vec<&CaseTrials> {
    let has_rule = cases.iter().any(|case| case.n_passed + case.n_failed > 0)
        || cases.iter().all(|case| case.n_unscored == 0);
    cases.iter().filter(|case| has_rule && case.is_judged()).collect()
}

fn interval_method(n_cases: u64) -> IntervalMethod {
    let n_resamples = bootstrap::N_RESAMPLES;
    if n_cases * u64::from(n_resamples) <= bootstrap::MAX_DRAWS {
        IntervalMethod::Bootstrap { n_resamples, seed: bootstrap::SEED }
    } else {
        IntervalMethod::StudentT
    }
}

fn pass(judged: &[&CaseTrials], method: IntervalMethod) -> Vec<PassAtK> {
    // Cases with as many trials and passes have the same chances.
    let mut sizes: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for case in judged {
        *sizes.entry((case.n_trials, case.n_passed)).or_default() += 1;
    }
    let n_most = sizes.keys().map(|(n_trials, _)| *n_trials).max().unwrap_or(0);
    let mut classes = TrialClasses::new(&sizes, method);
    let mut found = Vec::new();
    for k in ks(n_most) {
        // Only where cases fall out are new resamples needed: curves over the same ones are smooth.
        sizes.retain(|(n_trials, _), _| *n_trials >= k);
        if sizes.len() < classes.keys.len() {
            classes = TrialClasses::new(&sizes, method);
        }
        let chances =
            (classes.estimate(k, stats::pass_at_k), classes.estimate(k, stats::pass_hat_k));
        if let (Some(any), Some(all)) = chances {
            found.push(PassAtK { k, n_cases: classes.n_cases(), any, all });
        }
    }
    found
}

/// The `k` to show for at most `n_most` trials.
fn ks(n_most: u32) -> impl Iterator<Item = u32> {
    let doubled = std::iter::successors(Some(EVERY_K_UP_TO), |k| k.checked_mul(2));
    let beyond = doubled.skip(1).take_while(move |k| *k < n_most);
    let last = (n_most > EVERY_K_UP_TO).then_some(n_most);
    (1..=n_most.min(EVERY_K_UP_TO)).chain(beyond).chain(last)
}

/// Cases by number of trials and passes.
struct TrialClasses {
    keys: Vec<(u32, u32)>,
    sizes: Vec<u32>,
    /// Resamples of the cases; `None` when intervals are not made from them.
    resamples: Option<ClassResamples>,
}

impl TrialClasses {
    fn new(by_key: &BTreeMap<(u32, u32), u32>, method: IntervalMethod) -> Self {
        let sizes: Vec<u32> = by_key.values().copied().collect();
        let resamples = match method {
            IntervalMethod::Bootstrap { n_resamples, seed } => {
                ClassResamples::draw(&sizes, n_resamples, seed)
            }
            IntervalMethod::StudentT => None,
        };
        Self { keys: by_key.keys().copied().collect(), sizes, resamples }
    }

    fn n_cases(&self) -> u64 {
        self.sizes.iter().map(|&size| u64::from(size)).sum()
    }

    /// The mean over all cases of `chance`, a function of trials, passes and `k`.
    fn estimate(&self, k: u32, chance: fn(u32, u32, u32) -> Option<f64>) -> Option<Estimate> {
        let of_class: Option<Vec<f64>> =
            self.keys.iter().map(|&(n_trials, n_passed)| chance(n_trials, n_passed, k)).collect();
        let of_class = of_class?;
        let of_case: Vec<f64> = of_class
            .iter()
            .zip(&self.sizes)
            .flat_map(|(&chance, &size)| std::iter::repeat_n(chance, size as usize))
            .collect();
        let ci95 = match &self.resamples {
            Some(resamples) => resamples.mean_interval(&of_class),
            None => stats::mean_interval(&of_case)
                .filter(|found| found.low < found.high)
                .map(|found| Interval { low: found.low.max(0.0), high: found.high.min(1.0) }),
        };
        Some(Estimate { mean: stats::mean(of_case)?, ci95 })
    }
}

fn steadiness(judged: &[&CaseTrials]) -> Option<Steadiness> {
    let mut found = Steadiness::default();
    for case in judged.iter().filter(|case| case.n_trials > 1) {
        found.n_cases += 1;
        *match case.n_passed {
            0 => &mut found.n_never,
            n_passed if n_passed == case.n_trials => &mut found.n_always,
            _ => &mut found.n_flicker,
        } += 1;
    }
    (found.n_cases > 0).then_some(found)
}

fn agreement(cases: &[CaseTrials]) -> Option<TrialAgreement> {
    let shares: Vec<f64> = cases.iter().filter_map(|case| case.agreement).collect();
    Some(TrialAgreement {
        n_cases: shares.len() as u64,
        n_unanimous: shares.iter().filter(|&&share| share == 1.0).count() as u64,
        mean: stats::mean(shares)?,
    })
}
