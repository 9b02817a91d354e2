//! Gates: rules over aggregates of a repeat (letta-evals up to 0.20, and the reader's own).
//!
//! A gate looks at every case that has a grade, with or without an error; so its value can differ
//! from the mean shown beside it. Source: letta-evals 0.2 – 0.20, see the producer's reader.

use crate::model::{Aggregation, Config, GateRule, Op, PassRule, Run};
use crate::scoring::{Num, Rules, Scored, n_attempted, scores};
use crate::stats;
use crate::words::figures as words;
use serde::{Deserialize, Serialize};

/// Two values closer than this, relative, are told apart by rounding alone: then the recorded
/// verdict decides.
const TOO_CLOSE: f64 = 1e-12;

/// What a gate says of a repeat.
#[derive(Debug, Clone, PartialEq)]
pub struct GateVerdict {
    /// The value compared; `None` for a logical gate, which compares several.
    pub value: Option<Num>,
    /// Whether it passes; `None` when the rule cannot be evaluated.
    pub is_passed: Option<bool>,
    /// What the file recorded.
    pub declared_passed: Option<bool>,
    /// Why, in words.
    pub reason: String,
    /// The rule and its parts, outer before inner.
    pub lines: Vec<GateLine>,
}

/// One rule of a gate, with what it found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateLine {
    /// How deep it is nested; the gate itself is at 0.
    pub depth: u32,
    /// The rule in words: `avg_score of quality ≥ 0.75`, `all of`.
    pub text: String,
    /// The value compared.
    pub value: Option<Num>,
    /// Number of scores it is made of.
    pub n: Option<u64>,
    /// Whether it holds; `None` when it cannot be evaluated.
    pub is_passed: Option<bool>,
    /// Why, in words.
    pub reason: String,
}

/// What `rule` says of the cases of `runs` under `rules`, given what the file recorded.
pub fn judge_gate(
    rule: &GateRule,
    runs: &[&Run],
    config: &Config,
    rules: &Rules,
    declared_passed: Option<bool>,
) -> GateVerdict {
    let found = Judge { runs, config, rules }.judge(rule, 0);
    let is_passed = match (found.is_close, declared_passed) {
        (true, Some(declared)) => Some(declared),
        _ => found.is_passed,
    };
    let reason = if found.is_close && declared_passed.is_some() {
        words::equal_within_rounding(&found.reason)
    } else {
        found.reason
    };
    GateVerdict {
        value: found.value.map(Num),
        is_passed,
        declared_passed,
        reason,
        lines: found.lines,
    }
}

/// A rule's answer before the recorded verdict is looked at.
struct GateAnswer {
    value: Option<f64>,
    is_passed: Option<bool>,
    is_close: bool,
    reason: String,
    lines: Vec<GateLine>,
}

/// What the rules of a gate look at.
struct Judge<'a> {
    runs: &'a [&'a Run],
    config: &'a Config,
    rules: &'a Rules,
}

impl Judge<'_> {
    fn judge(&self, rule: &GateRule, depth: u32) -> GateAnswer {
        match rule {
            GateRule::Simple { metric, aggregation, op, value } => {
                let name = metric.as_deref().unwrap_or(words::OWN_SCORE);
                let what = words::aggregate_of(&aggregation_text(*aggregation), name);
                let (found, n) = self.aggregate(metric.as_deref(), *aggregation);
                if n == 0
                    && let Some(why) = self.no_scores(name)
                {
                    return unknown(&why, depth);
                }
                compare(found, n, *op, *value, &what, depth)
            }
            GateRule::Weighted { weights, aggregation, op, value } => {
                self.weighted(weights, *aggregation, *op, *value, depth)
            }
            GateRule::Logical { is_all, rules } => self.logical(*is_all, rules, depth),
            GateRule::Unknown(why) => unknown(why, depth),
        }
    }

    fn weighted(
        &self,
        weights: &[(String, f64)],
        aggregation: Aggregation,
        op: Op,
        value: f64,
        depth: u32,
    ) -> GateAnswer {
        let total = stats::sum(weights.iter().map(|(_, weight)| *weight));
        if total <= 0.0 {
            return unknown(words::NO_WEIGHTS, depth);
        }
        let mut lines = Vec::new();
        let mut parts = Vec::new();
        for (metric, weight) in weights {
            let (found, n) = self.aggregate(Some(metric), aggregation);
            if n == 0
                && let Some(why) = self.no_scores(metric)
            {
                return unknown(&why, depth);
            }
            parts.push(weight * found);
            lines.push(GateLine {
                depth: depth + 1,
                text: words::weighted_part(&aggregation_text(aggregation), metric, *weight),
                value: Some(Num(found)),
                n: Some(n),
                is_passed: None,
                reason: words::gives(&shown(weight * found / total)),
            });
        }
        let names: Vec<&str> = weights.iter().map(|(metric, _)| metric.as_str()).collect();
        let what = words::weighted_aggregate(&aggregation_text(aggregation), &names.join(", "));
        let found = stats::sum(parts) / total;
        let n = lines.iter().filter_map(|line| line.n).sum();
        let mut found = compare(found, n, op, value, &what, depth);
        found.lines.extend(lines);
        found
    }

    /// Why a gate over no score of `name` has no value. `None`: every case ended in an error, which
    /// the original counts as 0.
    fn no_scores(&self, name: &str) -> Option<String> {
        if self.runs.iter().all(|run| run.cases.is_empty()) {
            return Some(words::NO_CASE.to_owned());
        }
        let is_tried = |run: &&Run| (0..run.cases.len()).any(|idx| run.is_attempted(idx));
        self.runs.iter().any(is_tried).then(|| words::no_score_for(name))
    }

    fn logical(&self, is_all: bool, rules: &[GateRule], depth: u32) -> GateAnswer {
        let parts: Vec<GateAnswer> = rules.iter().map(|rule| self.judge(rule, depth + 1)).collect();
        let answers = || parts.iter().map(|part| part.is_passed);
        let is_passed = match (is_all, answers().any(|answer| answer.is_none())) {
            (true, _) if answers().any(|answer| answer == Some(false)) => Some(false),
            (false, _) if answers().any(|answer| answer == Some(true)) => Some(true),
            (_, true) => None,
            (is_all, false) => Some(is_all),
        };
        let word = if is_all { words::AND } else { words::OR };
        let reasons: Vec<_> = parts.iter().map(|part| part.reason.as_str()).collect();
        let reason = format!("({})", reasons.join(word));
        let n_holding = answers().filter(|answer| *answer == Some(true)).count();
        let line = GateLine {
            depth,
            text: if is_all { words::ALL_OF } else { words::ANY_OF }.to_owned(),
            value: None,
            n: None,
            is_passed,
            reason: words::some_hold(n_holding, parts.len()),
        };
        GateAnswer {
            value: None,
            is_passed,
            is_close: parts.iter().any(|part| part.is_close),
            reason,
            lines: std::iter::once(line).chain(parts.into_iter().flat_map(|p| p.lines)).collect(),
        }
    }

    /// The aggregate of one metric's scores, and their number; 0 when nothing is graded, as the
    /// original has it.
    fn aggregate(&self, metric: Option<&str>, aggregation: Aggregation) -> (f64, u64) {
        let graded = scores(metric, self.runs, self.rules);
        let n = graded.len() as u64;
        let values: Vec<f64> = graded.iter().map(|scored| scored.score).collect();
        let found = match aggregation {
            Aggregation::AvgScore => stats::mean(values),
            Aggregation::Accuracy { threshold } => {
                percent(values.iter().filter(|&&score| score >= threshold).count(), values.len())
            }
            Aggregation::PassPercent => {
                let rule = self.rules.pass.or(self.config.pass_rule).unwrap_or(PassRule {
                    op: Op::Gte,
                    value: 1.0,
                    is_declared: false,
                });
                let passes = |scored: &&Scored| {
                    scored.is_attempted && rule.op.holds(scored.score, rule.value)
                };
                percent(graded.iter().filter(passes).count(), n_attempted(self.runs, self.rules))
            }
            Aggregation::Min => values.into_iter().min_by(f64::total_cmp),
            Aggregation::Max => values.into_iter().max_by(f64::total_cmp),
            Aggregation::Percentile(percent) => stats::linear_percentile(&values, percent),
        };
        (found.unwrap_or(0.0), n)
    }
}

fn unknown(why: &str, depth: u32) -> GateAnswer {
    let line = GateLine {
        depth,
        text: words::NO_ANSWER.to_owned(),
        value: None,
        n: None,
        is_passed: None,
        reason: why.to_owned(),
    };
    GateAnswer {
        value: None,
        is_passed: None,
        is_close: false,
        reason: why.to_owned(),
        lines: vec![line],
    }
}

fn compare(found: f64, n: u64, op: Op, threshold: f64, what: &str, depth: u32) -> GateAnswer {
    let distance = (found - threshold).abs();
    let is_close = distance > 0.0 && distance <= TOO_CLOSE * threshold.abs().max(found.abs());
    let is_passed = op.holds(found, threshold);
    let line = GateLine {
        depth,
        text: format!("{what} {} {threshold}", op.sign()),
        value: Some(Num(found)),
        n: Some(n),
        is_passed: Some(is_passed),
        reason: words::comparison(&shown(found), op.sign(), threshold, is_passed),
    };
    GateAnswer {
        value: Some(found),
        is_passed: Some(is_passed),
        is_close,
        reason: words::compared(what, &shown(found), op.sign(), threshold, is_passed),
        lines: vec![line],
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
        Aggregation::Accuracy { threshold } => words::accuracy(threshold),
        Aggregation::PassPercent => words::ACCURACY_PASSED.to_owned(),
        Aggregation::Min => "min".to_owned(),
        Aggregation::Max => "max".to_owned(),
        Aggregation::Percentile(percent) => format!("p{percent}"),
    }
}

/// `100 · part / whole`, in the order of operations of the original; `None` of nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn percent(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64 * 100.0)
}
