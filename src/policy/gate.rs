//! Gates: rules over aggregates of a repeat (letta-evals up to 0.20).
//!
//! A gate looks at every case that has a grade, with or without an error; so its value can differ
//! from the mean shown beside it. Source: letta-evals 0.2 – 0.20, see the producer's reader.

use crate::model::{Aggregation, Config, GateRule, Op, PassRule, Run};
use crate::scoring::Num;
use crate::stats;
use serde::{Deserialize, Serialize};

/// Two values closer than this, relative, are told apart by rounding alone: then the recorded
/// verdict decides.
const TOO_CLOSE: f64 = 1e-12;

/// What a gate says of a repeat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateVerdict {
    /// The value compared; `None` for a logical gate, which compares several.
    pub value: Option<Num>,
    /// Whether it passes; `None` when the rule cannot be evaluated.
    pub is_passed: Option<bool>,
    /// What the file recorded.
    pub declared_passed: Option<bool>,
    /// Why, in words.
    pub reason: String,
}

/// What `rule` says of the cases of `runs`, given what the file recorded.
pub fn judge_gate(
    rule: &GateRule,
    runs: &[&Run],
    config: &Config,
    declared_passed: Option<bool>,
) -> GateVerdict {
    let found = judge(rule, runs, config);
    let is_passed = match (found.is_close, declared_passed) {
        (true, Some(declared)) => Some(declared),
        _ => found.is_passed,
    };
    let reason = if found.is_close && declared_passed.is_some() {
        format!("{}; too close to tell, so the recorded verdict counts", found.reason)
    } else {
        found.reason
    };
    GateVerdict { value: found.value.map(Num), is_passed, declared_passed, reason }
}

/// A rule's answer before the recorded verdict is looked at.
struct Found {
    value: Option<f64>,
    is_passed: Option<bool>,
    is_close: bool,
    reason: String,
}

fn judge(rule: &GateRule, runs: &[&Run], config: &Config) -> Found {
    match rule {
        GateRule::Simple { metric, aggregation, op, value } => {
            let name = metric.as_deref().unwrap_or("score");
            let found = aggregate(metric.as_deref(), *aggregation, runs, config);
            compare(found, *op, *value, &format!("{name} {}", aggregation_text(*aggregation)))
        }
        GateRule::Weighted { weights, aggregation, op, value } => {
            let part = |(metric, weight): &(String, f64)| {
                weight * aggregate(Some(metric), *aggregation, runs, config)
            };
            let weight = stats::sum(weights.iter().map(|(_, weight)| *weight));
            if weight <= 0.0 {
                return unknown("the weights add up to nothing");
            }
            let found = stats::sum(weights.iter().map(part)) / weight;
            compare(found, *op, *value, &format!("weighted {}", aggregation_text(*aggregation)))
        }
        GateRule::Logical { is_all, rules } => {
            let parts: Vec<Found> = rules.iter().map(|rule| judge(rule, runs, config)).collect();
            let answers = || parts.iter().map(|part| part.is_passed);
            let is_passed = match (*is_all, answers().any(|answer| answer.is_none())) {
                (true, _) if answers().any(|answer| answer == Some(false)) => Some(false),
                (false, _) if answers().any(|answer| answer == Some(true)) => Some(true),
                (_, true) => None,
                (is_all, false) => Some(is_all),
            };
            let word = if *is_all { " and " } else { " or " };
            let reasons: Vec<_> = parts.iter().map(|part| part.reason.as_str()).collect();
            Found {
                value: None,
                is_passed,
                is_close: parts.iter().any(|part| part.is_close),
                reason: format!("({})", reasons.join(word)),
            }
        }
        GateRule::Unknown(why) => unknown(why),
    }
}

fn unknown(why: &str) -> Found {
    Found { value: None, is_passed: None, is_close: false, reason: why.to_owned() }
}

fn compare(found: f64, op: Op, threshold: f64, what: &str) -> Found {
    let distance = (found - threshold).abs();
    let is_close = distance > 0.0 && distance <= TOO_CLOSE * threshold.abs().max(found.abs());
    let is_passed = op.holds(found, threshold);
    let word = if is_passed { "holds" } else { "does not hold" };
    Found {
        value: Some(found),
        is_passed: Some(is_passed),
        is_close,
        reason: format!("{what} is {}, and {} {threshold} {word}", shown(found), op.sign()),
    }
}

/// A value with at most six decimals, for a reason; the exact one stands beside it.
fn shown(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn aggregation_text(aggregation: Aggregation) -> String {
    match aggregation {
        Aggregation::AvgScore => "avg_score".to_owned(),
        Aggregation::Accuracy { threshold } => format!("accuracy (score ≥ {threshold}, percent)"),
        Aggregation::PassPercent => "accuracy (percent passed)".to_owned(),
        Aggregation::Min => "min".to_owned(),
        Aggregation::Max => "max".to_owned(),
        Aggregation::Percentile(percent) => format!("p{percent}"),
    }
}

/// The aggregate of one metric's scores; 0 when nothing is graded, as the original has it.
fn aggregate(
    metric: Option<&str>,
    aggregation: Aggregation,
    runs: &[&Run],
    config: &Config,
) -> f64 {
    let graded = graded_scores(metric, runs);
    let scores: Vec<f64> = graded.iter().map(|(score, _)| *score).collect();
    let found = match aggregation {
        Aggregation::AvgScore => stats::mean(scores),
        Aggregation::Accuracy { threshold } => {
            percent(scores.iter().filter(|&&score| score >= threshold).count(), scores.len())
        }
        Aggregation::PassPercent => {
            let n_attempted = runs.iter().map(|run| n_attempted(run)).sum();
            let rule = config.pass_rule.unwrap_or(PassRule {
                op: Op::Gte,
                value: 1.0,
                is_declared: false,
            });
            let passes = |(score, is_attempted): &&(f64, bool)| {
                *is_attempted && rule.op.holds(*score, rule.value)
            };
            percent(graded.iter().filter(passes).count(), n_attempted)
        }
        Aggregation::Min => scores.into_iter().min_by(f64::total_cmp),
        Aggregation::Max => scores.into_iter().max_by(f64::total_cmp),
        Aggregation::Percentile(percent) => stats::linear_percentile(&scores, percent),
    };
    found.unwrap_or(0.0)
}

/// `100 · part / whole`, in the order of operations of the original; `None` of nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn percent(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64 * 100.0)
}

fn n_attempted(run: &Run) -> usize {
    (0..run.cases.len()).filter(|&idx| run.is_attempted(idx)).count()
}

/// Every score of `metric` (or of the cases themselves), each with whether its case was attempted.
fn graded_scores(metric: Option<&str>, runs: &[&Run]) -> Vec<(f64, bool)> {
    let mut scores = Vec::new();
    for run in runs {
        let Some(metric) = metric else {
            scores.extend(
                (0..run.cases.len())
                    .filter_map(|idx| Some((run.cases.score.get(idx)?, run.is_attempted(idx)))),
            );
            continue;
        };
        for idx in 0..run.checks.len() {
            if run.checks.name.get(idx) == Some(metric)
                && let Some(score) = run.checks.score.get(idx)
            {
                let case_idx = run.checks.case_idx.get(idx).map_or(usize::MAX, |at| at as usize);
                scores.push((score, run.is_attempted(case_idx)));
            }
        }
    }
    scores
}
