//! Changes of a gate that is being made: pure, so that the view only names them.

use crate::report::{Aggregation, GateRule, Op};

/// The shapes that a part of a gate can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One aggregate against a threshold.
    Condition,
    /// A weighted mean of aggregates against a threshold.
    Weighted,
    /// All parts must hold.
    All,
    /// One part must hold.
    Any,
}

impl Shape {
    /// All shapes with their words.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Condition, "condition"),
        (Self::Weighted, "weighted mean"),
        (Self::All, "all of"),
        (Self::Any, "any of"),
    ];

    /// The shape of `rule`.
    pub fn of(rule: &GateRule) -> Self {
        match rule {
            GateRule::Simple { .. } | GateRule::Unknown(_) => Self::Condition,
            GateRule::Weighted { .. } => Self::Weighted,
            GateRule::Logical { is_all: true, .. } => Self::All,
            GateRule::Logical { is_all: false, .. } => Self::Any,
        }
    }
}

/// Aggregates that are offered.
pub const AGGREGATIONS: [Aggregation; 9] = [
    Aggregation::AvgScore,
    Aggregation::Accuracy { threshold: 1.0 },
    Aggregation::PassPercent,
    Aggregation::Min,
    Aggregation::Max,
    Aggregation::Percentile(5.0),
    Aggregation::Percentile(50.0),
    Aggregation::Percentile(95.0),
    Aggregation::Percentile(99.0),
];

/// Operators that are offered.
pub const OPS: [Op; 5] = [Op::Gte, Op::Gt, Op::Lte, Op::Lt, Op::Eq];

/// A condition to begin with.
pub fn fresh() -> GateRule {
    GateRule::Simple { metric: None, aggregation: Aggregation::AvgScore, op: Op::Gte, value: 0.8 }
}

/// The part of `rule` that `path` leads to: the number of a part on each level.
pub fn part<'a>(rule: &'a mut GateRule, path: &[usize]) -> Option<&'a mut GateRule> {
    let Some((first, rest)) = path.split_first() else { return Some(rule) };
    match rule {
        GateRule::Logical { rules, .. } => part(rules.get_mut(*first)?, rest),
        _ => None,
    }
}

/// Takes the part at `path` out; a logical rule without parts goes as well. `None` when nothing is
/// left.
pub fn without(rule: GateRule, path: &[usize]) -> Option<GateRule> {
    let (first, rest) = path.split_first()?;
    let GateRule::Logical { is_all, rules } = rule else { return Some(rule) };
    let keep = |(idx, rule)| if idx == *first { without(rule, rest) } else { Some(rule) };
    let rules: Vec<GateRule> = rules.into_iter().enumerate().filter_map(keep).collect();
    (!rules.is_empty()).then_some(GateRule::Logical { is_all, rules })
}

/// The same part in another shape, as much of it kept as fits.
pub fn reshaped(rule: GateRule, shape: Shape, metrics: &[String]) -> GateRule {
    match (rule, shape) {
        (GateRule::Logical { rules, .. }, Shape::All) => GateRule::Logical { is_all: true, rules },
        (GateRule::Logical { rules, .. }, Shape::Any) => GateRule::Logical { is_all: false, rules },
        (rule, Shape::All | Shape::Any) => {
            GateRule::Logical { is_all: shape == Shape::All, rules: vec![rule, fresh()] }
        }
        (GateRule::Simple { metric, aggregation, op, value }, Shape::Weighted) => {
            let metric = metric.or_else(|| metrics.first().cloned());
            let weights = metric.into_iter().map(|metric| (metric, 1.0)).collect();
            GateRule::Weighted { weights, aggregation, op, value }
        }
        (GateRule::Weighted { weights, aggregation, op, value }, Shape::Condition) => {
            let metric = weights.into_iter().next().map(|(metric, _)| metric);
            GateRule::Simple { metric, aggregation, op, value }
        }
        (GateRule::Logical { rules, .. }, _) => {
            let first = rules.into_iter().next().unwrap_or_else(fresh);
            reshaped(first, shape, metrics)
        }
        (GateRule::Unknown(_), _) => reshaped(fresh(), shape, metrics),
        (rule, _) => rule,
    }
}

/// How many lines the report has for `rule`.
pub fn n_lines(rule: &GateRule) -> usize {
    1 + match rule {
        GateRule::Weighted { weights, .. } => weights.len(),
        GateRule::Logical { rules, .. } => rules.iter().map(n_lines).sum(),
        GateRule::Simple { .. } | GateRule::Unknown(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::gate_text;

    fn metrics() -> Vec<String> {
        vec!["a".to_owned(), "b".to_owned()]
    }

    #[test]
    fn a_gate_grows_and_shrinks_part_by_part() {
        let mut gate = reshaped(fresh(), Shape::All, &metrics());
        let second = part(&mut gate, &[1]).unwrap();
        *second = reshaped(second.clone(), Shape::Weighted, &metrics());
        assert_eq!(gate_text(&gate), "avg_score(*) >= 0.8 and weighted avg_score(a: 1) >= 0.8");
        assert_eq!(n_lines(&gate), 4);
        let gate = without(gate, &[0]).unwrap();
        assert_eq!(
            gate_text(&reshaped(gate.clone(), Shape::Condition, &[])),
            "avg_score(a) >= 0.8"
        );
        assert_eq!(without(gate.clone(), &[0]), None);
        assert_eq!(without(gate.clone(), &[]), None);
        assert_eq!(without(gate.clone(), &[7]), Some(gate));
    }

    #[test]
    fn paths_that_lead_nowhere_lead_nowhere() {
        let mut gate = reshaped(fresh(), Shape::Any, &metrics());
        assert!(part(&mut gate, &[2]).is_none() && part(&mut gate, &[0, 0]).is_none());
        assert_eq!(Shape::of(&gate), Shape::Any);
    }
}
