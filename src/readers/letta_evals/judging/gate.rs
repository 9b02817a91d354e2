//! Gates and rewards of a configuration, and what they say about one sample.
//!
//! Gates: `GateSpec` of letta-evals 0.1 – 0.6 (no `kind`), `SimpleGateSpec`, `WeightedAverageGateSpec`,
//! `LogicalGateSpec` of 0.7 – 0.20; rewards: `MetricRewardSpec`, `CustomRewardSpec` of 0.21 – 0.26.
//! Fixtures `0.3.2_single`, `0.7.0_weighted`, `0.15.0_logical_multirun`, `0.25.1_reward`.

use crate::input::json::f64_from_value;
use crate::model::{Aggregation, Gate, GateRule, Op, PassRule, RewardRule};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How one sample is judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SampleRule {
    /// `score op value` of a metric; `None`: the primary one.
    Score {
        /// Metric.
        metric: Option<String>,
        /// Rule.
        rule: PassRule,
        /// Without a score it did not pass (rather than: unknown).
        needs_score: bool,
    },
    /// Weighted mean of several metrics.
    Weighted {
        /// Metric and weight.
        weights: Vec<(String, f64)>,
        /// Scores count as 100 when they are 1, else 0.
        is_percent: bool,
        /// Operator.
        op: Op,
        /// Threshold.
        value: f64,
    },
    /// All or any.
    Logical {
        /// All.
        is_all: bool,
        /// Rules.
        rules: Vec<SampleRule>,
    },
    /// The reward, or without one the primary score, is 1.
    Reward,
}

impl SampleRule {
    /// Whether a sample passes, by the score of a metric (`None`: the primary one).
    pub fn passes(
        &self,
        score: &dyn Fn(Option<&str>) -> Option<f64>,
        reward: Option<f64>,
    ) -> Option<bool> {
        match self {
            Self::Score { metric, rule, needs_score } => match score(metric.as_deref()) {
                Some(score) => Some(rule.op.holds(score, rule.value)),
                None => needs_score.then_some(false),
            },
            Self::Weighted { weights, is_percent, op, value } => {
                let mut sum = 0.0;
                let mut total = 0.0;
                for (metric, weight) in weights {
                    let score = score(Some(metric))?;
                    let part = if !is_percent {
                        score
                    } else if score >= 1.0 {
                        100.0
                    } else {
                        0.0
                    };
                    sum += weight * part;
                    total += weight;
                }
                (total > 0.0).then(|| op.holds(sum / total, *value))
            }
            Self::Logical { is_all, rules } => {
                let mut is_open = false;
                for rule in rules {
                    match rule.passes(score, reward) {
                        Some(passes) if passes != *is_all => return Some(passes),
                        Some(_) => {}
                        None => is_open = true,
                    }
                }
                (!is_open && !rules.is_empty()).then_some(*is_all)
            }
            Self::Reward => reward.or_else(|| score(None)).map(|reward| reward >= 1.0),
        }
    }
}

/// A gate with what it says about one sample.
#[derive(Debug, Clone)]
pub struct GateReading {
    /// The gate.
    pub gate: Gate,
    /// The sample rule.
    pub sample: Option<SampleRule>,
    /// The rule for one score, where there is just one.
    pub pass_rule: Option<PassRule>,
    /// The metric that it is about.
    pub metric: Option<String>,
}

/// Reads a gate of any generation; `first` is the first grader.
pub fn gate(gate: &Map<String, Value>, first: Option<&str>) -> GateReading {
    let mut reading = if gate.contains_key("kind") { kinded(gate) } else { plain(gate, first) };
    reading.gate.json = Value::Object(gate.clone());
    reading
}

/// A gate of 0.1 – 0.6, with its rule for counting samples.
fn plain(gate: &Map<String, Value>, first: Option<&str>) -> GateReading {
    let metric = text(gate, "metric_key").or(first).map(str::to_owned);
    let (Some(op), Some(value)) = (op(gate, "op"), number(gate, "value")) else {
        return unknown("the gate has no op or value that can be read");
    };
    let is_accuracy = text(gate, "metric") == Some("accuracy");
    let pass_value = number(gate, "pass_value");
    let pass_rule = if is_accuracy && pass_value.is_none() {
        // A pass_op without a pass_value is ignored here by the original.
        PassRule { op: Op::Gte, value: 1.0, is_declared: true }
    } else {
        let op = self::op(gate, "pass_op").unwrap_or(op);
        PassRule { op, value: pass_value.unwrap_or(value), is_declared: true }
    };
    let aggregation = if is_accuracy { Aggregation::PassPercent } else { Aggregation::AvgScore };
    let name = if is_accuracy { "accuracy" } else { "avg_score" };
    let unit = if is_accuracy { " %" } else { "" };
    let shown = metric.as_deref().unwrap_or("score");
    let text = format!("{shown} {name} {} {value}{unit}", op.sign());
    GateReading {
        gate: Gate {
            rule: GateRule::Simple { metric: metric.clone(), aggregation, op, value },
            text,
            json: Value::Null,
        },
        sample: Some(SampleRule::Score { metric: None, rule: pass_rule, needs_score: true }),
        pass_rule: Some(pass_rule),
        metric,
    }
}

/// A gate of 0.7 – 0.20.
fn kinded(gate: &Map<String, Value>) -> GateReading {
    let Some((rule, sample, text)) = rule(gate) else {
        return unknown("the gate is of no known kind");
    };
    let (pass_rule, metric) = match &sample {
        SampleRule::Score { rule, metric, .. } => (Some(*rule), metric.clone()),
        _ => (None, None),
    };
    GateReading {
        gate: Gate { rule, text, json: Value::Null },
        sample: Some(sample),
        pass_rule,
        metric,
    }
}

fn unknown(reason: &str) -> GateReading {
    GateReading {
        gate: Gate {
            rule: GateRule::Unknown(reason.to_owned()),
            text: reason.to_owned(),
            json: Value::Null,
        },
        sample: None,
        pass_rule: None,
        metric: None,
    }
}

/// A rule, its reading for one sample, and its words.
fn rule(gate: &Map<String, Value>) -> Option<(GateRule, SampleRule, String)> {
    match text(gate, "kind").unwrap_or("simple") {
        "simple" => simple(gate),
        "weighted_average" => weighted(gate),
        "logical" => logical(gate),
        _ => None,
    }
}

fn simple(gate: &Map<String, Value>) -> Option<(GateRule, SampleRule, String)> {
    let metric = text(gate, "metric_key").map(str::to_owned);
    let threshold = number(gate, "pass_threshold").unwrap_or(1.0);
    let name = text(gate, "aggregation").unwrap_or("avg_score");
    let aggregation = aggregation(name, threshold)?;
    let (op, value) = (op(gate, "op")?, number(gate, "value")?);
    let is_accuracy = matches!(aggregation, Aggregation::Accuracy { .. });
    let rule = if is_accuracy {
        PassRule { op: Op::Gte, value: threshold, is_declared: false }
    } else {
        PassRule { op, value, is_declared: false }
    };
    let shown = metric.as_deref().unwrap_or("score");
    let words = if is_accuracy {
        format!("{shown} accuracy (score ≥ {threshold}) {} {value} %", op.sign())
    } else {
        format!("{shown} {name} {} {value}", op.sign())
    };
    Some((
        GateRule::Simple { metric: metric.clone(), aggregation, op, value },
        SampleRule::Score { metric, rule, needs_score: false },
        words,
    ))
}

fn weighted(gate: &Map<String, Value>) -> Option<(GateRule, SampleRule, String)> {
    let name = text(gate, "aggregation").unwrap_or("avg_score");
    let aggregation = aggregation(name, 1.0)?;
    let is_percent = matches!(aggregation, Aggregation::Accuracy { .. });
    let (op, value) = (op(gate, "op")?, number(gate, "value")?);
    let weights = gate
        .get("weights")?
        .as_object()?
        .iter()
        .map(|(metric, weight)| Some((metric.clone(), f64_from_value(weight)?)))
        .collect::<Option<Vec<_>>>()?;
    let terms: Vec<String> =
        weights.iter().map(|(metric, weight)| format!("{weight} × {metric}")).collect();
    let unit = if is_percent { " %" } else { "" };
    let words = format!("weighted {name} ({}) {} {value}{unit}", terms.join(" + "), op.sign());
    Some((
        GateRule::Weighted { weights: weights.clone(), aggregation, op, value },
        SampleRule::Weighted { weights, is_percent, op, value },
        words,
    ))
}

fn logical(gate: &Map<String, Value>) -> Option<(GateRule, SampleRule, String)> {
    let is_all = match text(gate, "operator")? {
        "and" => true,
        "or" => false,
        _ => return None,
    };
    let mut rules = Vec::new();
    let mut samples = Vec::new();
    let mut words = Vec::new();
    for condition in gate.get("conditions")?.as_array()? {
        let (rule, sample, text) = self::rule(condition.as_object()?)?;
        let is_nested = matches!(rule, GateRule::Logical { .. });
        words.push(if is_nested { format!("({text})") } else { text });
        rules.push(rule);
        samples.push(sample);
    }
    let joint = if is_all { " and " } else { " or " };
    Some((
        GateRule::Logical { is_all, rules },
        SampleRule::Logical { is_all, rules: samples },
        words.join(joint),
    ))
}

fn aggregation(name: &str, threshold: f64) -> Option<Aggregation> {
    Some(match name {
        "avg_score" => Aggregation::AvgScore,
        "accuracy" => Aggregation::Accuracy { threshold },
        "min" => Aggregation::Min,
        "max" => Aggregation::Max,
        "median" | "p50" => Aggregation::Percentile(50.0),
        "p95" => Aggregation::Percentile(95.0),
        "p99" => Aggregation::Percentile(99.0),
        _ => return None,
    })
}

/// Reads a reward rule.
pub fn reward(reward: &Map<String, Value>) -> Option<RewardRule> {
    match text(reward, "kind")? {
        "metric" => Some(RewardRule::Metric(text(reward, "metric_key")?.to_owned())),
        "custom" => Some(RewardRule::Custom(text(reward, "function").unwrap_or("").to_owned())),
        _ => None,
    }
}

fn text<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    map.get(key)?.as_str()
}

fn number(map: &Map<String, Value>, key: &str) -> Option<f64> {
    f64_from_value(map.get(key)?)
}

fn op(map: &Map<String, Value>, key: &str) -> Option<Op> {
    Op::from_text(text(map, key)?)
}
