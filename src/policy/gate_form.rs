//! A gate as fields of words: what an editor shows and changes, and how it is written.
//!
//! Numbers stay as they were typed, so that the one who edits a gate needs neither to read nor to write
//! them; [`super::parse_gate`] reads the result.

use crate::model::{Aggregation, GateRule, Op};

/// Aggregates by name, in the order of a choice.
pub const AGGREGATES: [&str; 9] =
    ["avg_score", "accuracy", "pass_percent", "min", "max", "p5", "p50", "p95", "p99"];

/// Operators as they are written, in the order of a choice.
pub const OPERATORS: [&str; 5] = [">=", ">", "<=", "<", "="];

/// The cases' own score, in the place of a metric.
pub const OWN_SCORE: &str = "*";

/// A gate, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateForm {
    /// One aggregate, or a weighted mean of them, against a threshold.
    Condition(Condition),
    /// All or any of several parts.
    Logical {
        /// Whether all must hold (else any).
        is_all: bool,
        /// The parts.
        parts: Vec<Self>,
    },
}

/// An aggregate against a threshold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// Name of the aggregate: `p95`.
    pub aggregate: String,
    /// Score that counts as right, for `accuracy`.
    pub threshold: String,
    /// Metrics with their weights. [`OWN_SCORE`] is the cases' own.
    pub metrics: Vec<(String, String)>,
    /// Whether the weights count; else there is one metric.
    pub is_weighted: bool,
    /// Operator as it is written: `>=`.
    pub op: String,
    /// What the aggregate is compared with.
    pub value: String,
}

impl GateForm {
    /// The form of `rule`; `None` for one that could not be understood.
    pub fn of(rule: &GateRule) -> Option<Self> {
        let condition = |aggregation: Aggregation, op: Op, value: f64| Condition {
            aggregate: aggregate_name(aggregation),
            threshold: match aggregation {
                Aggregation::Accuracy { threshold } => threshold.to_string(),
                _ => "1".to_owned(),
            },
            metrics: Vec::new(),
            is_weighted: false,
            op: op_text(op).to_owned(),
            value: value.to_string(),
        };
        Some(match rule {
            GateRule::Simple { metric, aggregation, op, value } => Self::Condition(Condition {
                metrics: vec![(
                    metric.clone().unwrap_or_else(|| OWN_SCORE.to_owned()),
                    "1".to_owned(),
                )],
                ..condition(*aggregation, *op, *value)
            }),
            GateRule::Weighted { weights, aggregation, op, value } => Self::Condition(Condition {
                metrics: weights.iter().map(|(name, w)| (name.clone(), w.to_string())).collect(),
                is_weighted: true,
                ..condition(*aggregation, *op, *value)
            }),
            GateRule::Logical { is_all, rules } => Self::Logical {
                is_all: *is_all,
                parts: rules.iter().map(Self::of).collect::<Option<_>>()?,
            },
            GateRule::Unknown(_) => return None,
        })
    }

    /// The gate as one line of text.
    pub fn text(&self) -> String {
        match self {
            Self::Condition(condition) => condition.text(),
            Self::Logical { is_all, parts } => {
                let part = |part: &Self| match part {
                    Self::Logical { .. } => ["(", &part.text(), ")"].concat(),
                    Self::Condition(condition) => condition.text(),
                };
                let parts: Vec<String> = parts.iter().map(part).collect();
                parts.join(if *is_all { " and " } else { " or " })
            }
        }
    }
}

impl Condition {
    fn text(&self) -> String {
        let metric = |(name, weight): &(String, String)| {
            let name = name_text(name);
            if self.is_weighted { [&name, ": ", weight].concat() } else { name }
        };
        let metrics: Vec<String> = self.metrics.iter().map(metric).collect();
        let threshold = match self.aggregate.as_str() {
            "accuracy" => [", ", &self.threshold].concat(),
            _ => String::new(),
        };
        let prefix = if self.is_weighted { "weighted " } else { "" };
        let metrics = metrics.join("; ");
        [prefix, &self.aggregate, "(", &metrics, &threshold, ") ", &self.op, " ", &self.value]
            .concat()
    }
}

/// The name of an aggregate in gates: `avg_score`, `p95`.
fn aggregate_name(aggregation: Aggregation) -> String {
    match aggregation {
        Aggregation::AvgScore => "avg_score".to_owned(),
        Aggregation::Accuracy { .. } => "accuracy".to_owned(),
        Aggregation::PassPercent => "pass_percent".to_owned(),
        Aggregation::Min => "min".to_owned(),
        Aggregation::Max => "max".to_owned(),
        Aggregation::Percentile(percent) => format!("p{percent}"),
    }
}

/// The operator as it is typed: `>=`.
pub fn op_text(op: Op) -> &'static str {
    match op {
        Op::Gt => ">",
        Op::Gte => ">=",
        Op::Lt => "<",
        Op::Lte => "<=",
        Op::Eq => "=",
    }
}

/// Whether a character of a name needs no quotes.
pub(super) fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')
}

fn name_text(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(is_plain);
    if is_bare || name == OWN_SCORE {
        return name.to_owned();
    }
    let escaped = name.replace('\\', "\\\\").replace('"', "\\\"");
    ["\"", &escaped, "\""].concat()
}
