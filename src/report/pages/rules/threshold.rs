//! The threshold of the pass rule: what a slider spans, and how many cases pass at a value.

use crate::figures::pass_rule;
use crate::model::{Op, Run};
use crate::policy::judge_policy;
use crate::report::scope::PageScope;
use crate::report::{Outcome, Target};
use crate::scoring::kind_counts_where;
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};

/// Steps of a slider, about.
const STEPS: f64 = 100.0;

/// What a slider for the threshold spans.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Threshold {
    /// Its left end: 0, or below the lowest score.
    pub low: f64,
    /// Its right end: 1, or above the highest score.
    pub high: f64,
    /// Its step.
    pub step: f64,
}

/// What a pass rule would give.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThresholdCount {
    /// Cases that would pass.
    pub n_passed: u64,
    /// All cases.
    pub n_cases: u64,
    /// Runs that would pass by the policy in force.
    pub n_runs_passed: u64,
    /// All runs that a policy decides.
    pub n_runs: u64,
}

/// How many cases and runs of `target` would pass by `rule`, a comparison like `>= 0.8`. `None` when the
/// target is not there; the reason when the rule is not understood.
pub fn threshold_count(
    workspace: &Workspace,
    target: Target,
    rule: &str,
) -> Option<Result<ThresholdCount, String>> {
    let scope = PageScope::new(workspace, target)?;
    Some(pass_rule(rule).map(|rule| scope.passing_at(rule.op, rule.value)))
}

impl PageScope<'_> {
    /// What a slider for the pass rule spans; `None` where no case has a score.
    pub(super) fn threshold(&self) -> Option<Threshold> {
        let mut ends = (f64::INFINITY, f64::NEG_INFINITY);
        for run in self.runs() {
            for score in run.cases.score.iter().flatten().filter(|score| score.is_finite()) {
                ends = (ends.0.min(score), ends.1.max(score));
            }
        }
        let found = (ends.0 <= ends.1).then(|| span(ends.0, ends.1))?;
        // Scores may lie further apart than a number can say.
        found.step.is_finite().then_some(found)
    }

    fn passing_at(&self, op: Op, value: f64) -> ThresholdCount {
        let settings = &self.workspace.settings;
        let mut found = ThresholdCount::default();
        for (entry, idxs) in &self.parts {
            let config = &entry.evaluation.config;
            for run in idxs.iter().filter_map(|&idx| entry.evaluation.runs.get(idx)) {
                let outcomes = run.cases.outcomes();
                let passes = |idx: usize| would_pass(run, outcomes(idx), idx, op, value);
                found.n_cases += run.cases.len() as u64;
                found.n_passed += (0..run.cases.len()).filter(|&idx| passes(idx)).count() as u64;
                let is_decided = config.has_policies
                    && settings.gate.is_none()
                    && !run.cases.is_empty()
                    && run.is_infrastructure_failure != Some(true);
                if is_decided {
                    let policy = settings.policy.of(config, run.key.suite.as_deref());
                    let counts = kind_counts_where(run, &settings.rules, passes);
                    found.n_runs += 1;
                    found.n_runs_passed += u64::from(judge_policy(policy, &counts).is_passed);
                }
            }
        }
        found
    }
}

/// Whether case `idx` passes by the comparison, as [`crate::scoring::rejudge`] judges it. `outcome` is its
/// own: errors and skipped cases stay what they are, and so does a case without a score.
fn would_pass(run: &Run, outcome: Outcome, idx: usize, op: Op, value: f64) -> bool {
    match (outcome, run.cases.score.get(idx)) {
        (Outcome::Error | Outcome::Skipped, _) => false,
        (_, Some(score)) => op.holds(score, value),
        (outcome, None) => outcome == Outcome::Passed,
    }
}

/// From 0 to 1 by hundredths, or as far as the scores go by a round step.
fn span(lowest: f64, highest: f64) -> Threshold {
    let (low, high) = (lowest.min(0.0), highest.max(1.0));
    let raw = (high - low) / STEPS;
    let power = 10_f64.powf(raw.log10().floor());
    let found = [1.0, 2.0, 5.0].iter().map(|times| times * power).find(|step| *step >= raw * 0.999);
    let step = found.unwrap_or(10.0 * power);
    Threshold { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slider_goes_from_0_to_1_or_as_far_as_the_scores() {
        for ((lowest, highest), (low, high, step)) in [
            ((0.2, 0.9), (0.0, 1.0, 0.01)),
            ((0.0, 5.0), (0.0, 5.0, 0.05)),
            ((-3.0, 12.0), (-3.0, 12.0, 0.2)),
            ((12.0, 940.0), (0.0, 940.0, 10.0)),
        ] {
            let found = span(lowest, highest);
            for (found, wanted) in [(found.low, low), (found.high, high), (found.step, step)] {
                assert!((found - wanted).abs() < 1e-9, "{lowest} – {highest}: {found}");
            }
        }
    }
}
