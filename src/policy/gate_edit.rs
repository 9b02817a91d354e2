//! Changes of a gate that is being made: pure, and named by short words.

use super::gate_form::{Condition, GateForm, OWN_SCORE};
use crate::words::figures as words;
use serde::{Deserialize, Serialize};

/// The shapes that a part of a gate can have, in the order of a choice.
pub const SHAPES: [&str; 4] = words::GATE_SHAPES;

const WEIGHTED: usize = 1;
const ALL: usize = 2;
const ANY: usize = 3;

/// The number of the shape of `form` in [`SHAPES`].
pub fn shape_of(form: &GateForm) -> usize {
    match form {
        GateForm::Condition(condition) => usize::from(condition.is_weighted),
        GateForm::Logical { is_all: true, .. } => ALL,
        GateForm::Logical { is_all: false, .. } => ANY,
    }
}

/// A condition to begin with.
pub fn fresh() -> GateForm {
    GateForm::Condition(Condition {
        aggregate: "avg_score".to_owned(),
        threshold: "1".to_owned(),
        metrics: vec![(OWN_SCORE.to_owned(), "1".to_owned())],
        is_weighted: false,
        op: ">=".to_owned(),
        value: "0.8".to_owned(),
    })
}

/// One thing that can be done to one part of a gate.
///
/// As a word it is the way to the part, the number of a part on each level, then what is done:
/// `:shape` of the whole gate, `0.1:op`, `2:metric-0`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateEdit {
    /// The way to the part; empty for the whole gate.
    pub path: Vec<usize>,
    /// What is done there.
    pub change: GateChange,
}

/// What is done to a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GateChange {
    /// A gate is begun.
    Begin,
    /// It becomes one of [`SHAPES`].
    Shape,
    /// It is taken out.
    Remove,
    /// It gets one more part: a condition, or a metric of a weighted mean.
    Add,
    /// Another aggregate.
    Aggregate,
    /// Another score that counts as right.
    Threshold,
    /// Another operator.
    Op,
    /// Another value to compare with.
    Value,
    /// Another metric in this place.
    Metric(usize),
    /// Another weight of the metric in this place.
    Weight(usize),
    /// The metric in this place is taken out, unless it is the last one.
    RemoveMetric(usize),
}

/// Changes of the part itself, by word.
const CHANGES: [(GateChange, &str); 8] = [
    (GateChange::Begin, "begin"),
    (GateChange::Shape, "shape"),
    (GateChange::Remove, "remove"),
    (GateChange::Add, "add"),
    (GateChange::Aggregate, "aggregate"),
    (GateChange::Threshold, "threshold"),
    (GateChange::Op, "op"),
    (GateChange::Value, "value"),
];

impl GateChange {
    /// The change as a word: `op`, `metric-0`.
    pub fn word(self) -> String {
        match self {
            Self::Metric(at) => format!("metric-{at}"),
            Self::Weight(at) => format!("weight-{at}"),
            Self::RemoveMetric(at) => format!("remove-{at}"),
            _ => {
                let known = CHANGES.iter().find(|(change, _)| *change == self);
                known.map_or(String::new(), |(_, word)| (*word).to_owned())
            }
        }
    }

    #[cfg(test)]
    fn parse(word: &str) -> Option<Self> {
        if let Some((change, _)) = CHANGES.iter().find(|(_, known)| *known == word) {
            return Some(*change);
        }
        let (what, at) = word.rsplit_once('-')?;
        let at = at.parse().ok()?;
        match what {
            "metric" => Some(Self::Metric(at)),
            "weight" => Some(Self::Weight(at)),
            "remove" => Some(Self::RemoveMetric(at)),
            _ => None,
        }
    }
}

impl GateEdit {
    /// As a word: `0.1:op`.
    pub fn word(&self) -> String {
        let path: Vec<String> = self.path.iter().map(ToString::to_string).collect();
        format!("{}:{}", path.join("."), self.change.word())
    }

    /// What `word` means; `None` for a word that is none.
    #[cfg(test)]
    fn parse(word: &str) -> Option<Self> {
        let (path, change) = word.split_once(':')?;
        let path = match path {
            "" => Vec::new(),
            path => path.split('.').map(|at| at.parse().ok()).collect::<Option<_>>()?,
        };
        Some(Self { path, change: GateChange::parse(change)? })
    }

    /// `form` after this change to `value`, which is what was chosen or typed; `None` when nothing is
    /// left of it. A way that leads nowhere changes nothing. `metrics` are those that can be weighed.
    pub fn apply(&self, mut form: GateForm, value: &str, metrics: &[String]) -> Option<GateForm> {
        if self.change == GateChange::Remove {
            return without(form, &self.path);
        }
        if let Some(part) = part(&mut form, &self.path) {
            match (self.change, part) {
                (GateChange::Shape, part) => {
                    let shape = SHAPES.iter().position(|known| *known == value).unwrap_or(0);
                    *part = reshaped(part.clone(), shape, metrics);
                }
                (GateChange::Add, GateForm::Logical { parts, .. }) => parts.push(fresh()),
                (change, GateForm::Condition(condition)) => {
                    change_condition(condition, change, value, metrics);
                }
                (_, GateForm::Logical { .. }) => {}
            }
        }
        Some(form)
    }
}

fn change_condition(
    condition: &mut Condition,
    change: GateChange,
    value: &str,
    metrics: &[String],
) {
    let typed = || value.trim().to_owned();
    match change {
        GateChange::Begin | GateChange::Shape | GateChange::Remove => {}
        GateChange::Add if condition.is_weighted => {
            let is_new =
                |metric: &&String| condition.metrics.iter().all(|(name, _)| name != *metric);
            let new = metrics.iter().find(is_new).or(metrics.first()).cloned();
            condition.metrics.extend(new.map(|metric| (metric, "1".to_owned())));
        }
        GateChange::Add => {}
        GateChange::Aggregate => condition.aggregate = value.to_owned(),
        GateChange::Threshold => condition.threshold = typed(),
        GateChange::Op => condition.op = value.to_owned(),
        GateChange::Value => condition.value = typed(),
        GateChange::Metric(at) => {
            if let Some((name, _)) = condition.metrics.get_mut(at) {
                *name = value.to_owned();
            }
        }
        GateChange::Weight(at) => {
            if let Some((_, weight)) = condition.metrics.get_mut(at) {
                *weight = typed();
            }
        }
        GateChange::RemoveMetric(at) => {
            if condition.metrics.len() > 1 && at < condition.metrics.len() {
                condition.metrics.remove(at);
            }
        }
    }
}

/// The part of `form` that `path` leads to: the number of a part on each level.
fn part<'a>(form: &'a mut GateForm, path: &[usize]) -> Option<&'a mut GateForm> {
    let Some((first, rest)) = path.split_first() else { return Some(form) };
    match form {
        GateForm::Logical { parts, .. } => part(parts.get_mut(*first)?, rest),
        GateForm::Condition(_) => None,
    }
}

/// Takes the part at `path` out; a logical rule without parts goes as well. `None` when nothing is
/// left.
fn without(form: GateForm, path: &[usize]) -> Option<GateForm> {
    let (first, rest) = path.split_first()?;
    let GateForm::Logical { is_all, mut parts } = form else { return Some(form) };
    if *first < parts.len() {
        let part = parts.remove(*first);
        if let Some(part) = without(part, rest) {
            parts.insert(*first, part);
        }
    }
    (!parts.is_empty()).then_some(GateForm::Logical { is_all, parts })
}

/// The same part in the shape numbered `shape`, as much of it kept as fits.
fn reshaped(form: GateForm, shape: usize, metrics: &[String]) -> GateForm {
    match (form, shape) {
        (GateForm::Logical { parts, .. }, ALL | ANY) => {
            GateForm::Logical { is_all: shape == ALL, parts }
        }
        (form, ALL | ANY) => GateForm::Logical { is_all: shape == ALL, parts: vec![form, fresh()] },
        (GateForm::Condition(mut condition), shape) => {
            condition.is_weighted = shape == WEIGHTED;
            if condition.is_weighted {
                // Only metrics can be weighed.
                for (name, _) in condition.metrics.iter_mut().filter(|(name, _)| name == OWN_SCORE)
                {
                    if let Some(first) = metrics.first() {
                        name.clone_from(first);
                    }
                }
            } else {
                condition.metrics.truncate(1);
            }
            GateForm::Condition(condition)
        }
        (GateForm::Logical { parts, .. }, shape) => {
            reshaped(parts.into_iter().next().unwrap_or_else(fresh), shape, metrics)
        }
    }
}

/// How many lines the report has for `form`.
pub fn n_lines(form: &GateForm) -> usize {
    match form {
        GateForm::Condition(condition) if condition.is_weighted => 1 + condition.metrics.len(),
        GateForm::Condition(_) => 1,
        GateForm::Logical { parts, .. } => 1 + parts.iter().map(n_lines).sum::<usize>(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics() -> Vec<String> {
        vec!["a".to_owned(), "b".to_owned()]
    }

    #[test]
    fn a_gate_grows_and_shrinks_part_by_part() {
        let mut gate = reshaped(fresh(), ALL, &metrics());
        let second = part(&mut gate, &[1]).unwrap();
        *second = reshaped(second.clone(), WEIGHTED, &metrics());
        assert_eq!(gate.text(), "avg_score(*) >= 0.8 and weighted avg_score(a: 1) >= 0.8");
        assert_eq!((n_lines(&gate), shape_of(&gate)), (4, ALL));
        let gate = without(gate, &[0]).unwrap();
        assert_eq!(reshaped(gate.clone(), 0, &[]).text(), "avg_score(a) >= 0.8");
        assert_eq!(without(gate.clone(), &[0]), None);
        assert_eq!(without(gate.clone(), &[]), None);
        assert_eq!(without(gate.clone(), &[7]), Some(gate));
    }

    #[test]
    fn paths_that_lead_nowhere_lead_nowhere() {
        let mut gate = reshaped(fresh(), ANY, &metrics());
        assert!(part(&mut gate, &[2]).is_none() && part(&mut gate, &[0, 0]).is_none());
    }

    #[test]
    fn edits_have_words_that_read_back() {
        let places = [Vec::new(), vec![0], vec![1, 12, 3]];
        let of_metric = [GateChange::Metric, GateChange::Weight, GateChange::RemoveMetric];
        let of_metric = of_metric.into_iter().flat_map(|of| [of(0), of(17)]);
        for change in CHANGES.map(|(change, _)| change).into_iter().chain(of_metric) {
            for path in places.clone() {
                let edit = GateEdit { path, change };
                assert_eq!(GateEdit::parse(&edit.word()), Some(edit.clone()), "{edit:?}");
            }
        }
        assert_eq!(GateEdit { path: vec![0, 1], change: GateChange::Op }.word(), "0.1:op");
        for word in ["", ":", "op", ":ops", "0.:op", "-1:op", ":metric-", ":metric--1", ":op-0"] {
            assert_eq!(GateEdit::parse(word), None, "{word}");
        }
    }

    /// The text of `gate` after an edit.
    fn edited(gate: &str, word: &str, value: &str) -> String {
        let form = GateForm::of(&crate::policy::parse_gate(gate).unwrap()).unwrap();
        let form = GateEdit::parse(word).unwrap().apply(form, value, &metrics());
        form.map_or(String::new(), |form| form.text())
    }

    #[test]
    fn each_edit_changes_its_place_alone() {
        let gate = "min(*) > 0 or (accuracy(a, 0.5) >= 80 and weighted max(a: 1; b: 2) < 1)";
        let with = |old: &str, new: &str| gate.replace(old, new);
        for (word, value, expected) in [
            ("0:aggregate", "p95", with("min", "p95")),
            ("0:aggregate", "accuracy", with("min(*)", "accuracy(*, 1)")),
            ("0:op", "<=", with("(*) >", "(*) <=")),
            ("0:value", " 0.25 ", with("> 0 ", "> 0.25 ")),
            ("0:metric-0", "two words ", with("(*)", "(\"two words \")")),
            ("1.0:threshold", "0.75", with("0.5", "0.75")),
            ("1.0:aggregate", "avg_score", with("accuracy(a, 0.5)", "avg_score(a)")),
            ("1.1:weight-1", "0.5", with("b: 2", "b: 0.5")),
            ("1.1:metric-0", "c", with("(a: 1", "(c: 1")),
            ("1.1:remove-0", "", with("a: 1; ", "")),
            ("1.1:add", "", with("b: 2", "b: 2; a: 1")),
            ("1.1:shape", "condition", with("weighted max(a: 1; b: 2)", "max(a)")),
            ("0:shape", "weighted mean", with("min(*)", "weighted min(a: 1)")),
            ("0:shape", "any of", with("min(*) > 0", "(min(*) > 0 or avg_score(*) >= 0.8)")),
            ("1:shape", "any of", with(" and ", " or ")),
            ("1:shape", "condition", "min(*) > 0 or accuracy(a, 0.5) >= 80".to_owned()),
            ("1:add", "", with("< 1)", "< 1 and avg_score(*) >= 0.8)")),
            (":add", "", with("< 1)", "< 1) or avg_score(*) >= 0.8")),
            ("1.0:remove", "", with("accuracy(a, 0.5) >= 80 and ", "")),
            ("1:remove", "", "min(*) > 0".to_owned()),
            (":shape", "all of", with(" or ", " and ")),
            (":shape", "condition", "min(*) > 0".to_owned()),
            (":remove", "", String::new()),
            // Nothing of these is there to be changed.
            ("7:op", "<", gate.to_owned()),
            ("0.0:op", "<", gate.to_owned()),
            (":op", "<", gate.to_owned()),
            ("0:add", "", gate.to_owned()),
            ("0:remove-0", "", gate.to_owned()),
            ("1.1:metric-2", "c", gate.to_owned()),
            ("1.1:remove-2", "", gate.to_owned()),
            (":begin", "", gate.to_owned()),
        ] {
            assert_eq!(edited(gate, word, value), expected, "{word} {value:?}");
        }
    }
}
