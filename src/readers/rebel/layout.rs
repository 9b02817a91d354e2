//! Which attempt and which metric each of an entry's results belongs to.
//!
//! rebel-eval 0.2.0 writes an entry for each metric of a test, with one result for each attempt. The guide
//! describes one entry for the test, with (number of metrics) × (number of retries) results. Told apart by
//! the lengths: `actual_outputs` has one element for each attempt either way.

use super::entry::{AttemptResult, RebelEntry};
use crate::model::Verdict;
use std::collections::BTreeSet;

/// In which order the results of several metrics stand, where the results do not say it themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResultOrder {
    /// All metrics of the first attempt, then those of the second: "each metric for each attempt".
    ByAttempt,
    /// All attempts of the first metric, then those of the second.
    ByMetric,
}

/// The attempt (1-based) and the metric (0-based) of one result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ResultPosition {
    pub attempt: u32,
    pub metric: usize,
}

/// How the results of an entry are laid out.
#[derive(Debug)]
pub(super) struct ResultLayout {
    /// Number of metrics that judged each attempt of this entry.
    pub n_metrics: usize,
    /// Number of attempts with a result.
    pub n_attempts: u64,
    /// Of each result.
    pub places: Vec<ResultPosition>,
    /// Names that the results themselves state, one for each metric; empty when they do not.
    pub stated: Vec<String>,
    /// Whether there are more results than one metric gives, but not as many as all of them do.
    pub is_unclear: bool,
}

impl RebelEntry {
    /// How many metrics judge each attempt within this entry, by the lengths of its lists.
    fn n_metrics_inside(&self) -> Option<usize> {
        let n_outputs = usize::try_from(self.n_outputs?).ok().filter(|n| *n > 0)?;
        let n_results = self.results.len();
        let n_metrics = match self.metrics.len() {
            // The list of metrics was left out: only the planned attempts can confirm the lengths.
            0 if self.retry_count == self.n_outputs && n_results.is_multiple_of(n_outputs) => {
                n_results / n_outputs
            }
            n_metrics => n_metrics,
        };
        (n_metrics > 1 && n_results == n_metrics * n_outputs).then_some(n_metrics)
    }

    /// The layout of the results, in `order` where they do not state it.
    pub fn layout(&self, order: ResultOrder) -> ResultLayout {
        if let Some(layout) = self.stated_layout() {
            return layout;
        }
        let n_results = self.results.len();
        let n_metrics = self.n_metrics_inside();
        let n_attempts = n_results / n_metrics.unwrap_or(1);
        let place = |at: usize| {
            let (attempt, metric) = match (n_metrics, order) {
                (None, _) => (at, 0),
                (Some(n_metrics), ResultOrder::ByAttempt) => (at / n_metrics, at % n_metrics),
                (Some(_), ResultOrder::ByMetric) => {
                    (at % n_attempts.max(1), at / n_attempts.max(1))
                }
            };
            ResultPosition { attempt: u32::try_from(attempt + 1).unwrap_or(u32::MAX), metric }
        };
        ResultLayout {
            n_metrics: n_metrics.unwrap_or(1),
            n_attempts: n_attempts as u64,
            places: (0..n_results).map(place).collect(),
            stated: Vec::new(),
            is_unclear: n_metrics.is_none()
                && self.metrics.len() > 1
                && self.n_outputs.is_some_and(|n| n > 0 && n < n_results as u64),
        }
    }

    /// The layout that results state which name their metric.
    fn stated_layout(&self) -> Option<ResultLayout> {
        let mut stated: Vec<String> = Vec::new();
        let mut places = Vec::new();
        let mut n_of_metric: Vec<u32> = Vec::new();
        let numbers = || self.results.iter().map(|result| result.attempt);
        // Their rank counts: they begin at 0 or at 1, and those of failed requests are missing.
        let ranks = numbers().collect::<Option<BTreeSet<u32>>>();
        let rank = |number: u32| {
            let at = ranks.as_ref()?.range(..number).count();
            u32::try_from(at + 1).ok()
        };
        for result in &self.results {
            let name = result.metric.as_ref()?;
            let metric = stated.iter().position(|known| known == name).unwrap_or_else(|| {
                stated.push(name.clone());
                n_of_metric.push(0);
                stated.len() - 1
            });
            let n_own = n_of_metric.get_mut(metric)?;
            *n_own += 1;
            let attempt = result.attempt.and_then(rank).unwrap_or(*n_own);
            places.push(ResultPosition { attempt, metric });
        }
        let n_attempts = places.iter().map(|place| place.attempt).max()?;
        Some(ResultLayout {
            n_metrics: stated.len(),
            n_attempts: u64::from(n_attempts),
            places,
            stated,
            is_unclear: false,
        })
    }

    /// How many pairs of attempts with the same answer are judged otherwise by the same metric when the
    /// results are read in `order`, and how many pairs there are.
    fn contradictions(&self, order: ResultOrder) -> (u32, u32) {
        let layout = self.layout(order);
        let (mut n_other, mut n_pairs) = (0, 0);
        if layout.n_metrics < 2 || !layout.stated.is_empty() {
            return (0, 0);
        }
        let placed = || self.results.iter().zip(&layout.places);
        let answer = |place: &ResultPosition| {
            self.answers.get(place.attempt as usize - 1).copied().flatten()
        };
        for (at, (left, place)) in placed().enumerate() {
            let same = |(_, other): &(&AttemptResult, &ResultPosition)| {
                other.metric == place.metric
                    && answer(other).is_some_and(|a| answer(place) == Some(a))
            };
            for (right, _) in placed().skip(at + 1).filter(same) {
                let is_lost = |result: &AttemptResult| result.judged.verdict == Verdict::Error;
                if is_lost(left) || is_lost(right) {
                    continue;
                }
                n_pairs += 1;
                n_other += u32::from(left.judged != right.judged);
            }
        }
        (n_other, n_pairs)
    }
}

/// The order of a report's results: the guide's, attempt by attempt, unless the answers speak against it. A
/// metric judges the same answer the same way; when that holds for every pair of equal answers only if the
/// results are read metric by metric, they are. Few pairs prove nothing.
pub(super) fn order_of(entries: &[RebelEntry]) -> ResultOrder {
    const ENOUGH_PAIRS: u32 = 4;
    let total = |order: ResultOrder| {
        entries.iter().take(1_000).fold((0, 0), |(n_other, n_pairs), entry| {
            let (more_other, more_pairs) = entry.contradictions(order);
            (n_other + more_other, n_pairs + more_pairs)
        })
    };
    let (by_attempt, _) = total(ResultOrder::ByAttempt);
    let (by_metric, n_pairs) = total(ResultOrder::ByMetric);
    if by_attempt > 0 && by_metric == 0 && n_pairs >= ENOUGH_PAIRS {
        ResultOrder::ByMetric
    } else {
        ResultOrder::ByAttempt
    }
}
