//! Changes of a gate that is being made: pure, so that the view only names them.

use crate::report::{Condition, GateForm, OWN_SCORE};

/// The shapes that a part of a gate can have, in the order of a choice.
pub const SHAPES: [&str; 4] = ["condition", "weighted mean", "all of", "any of"];

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

/// The part of `form` that `path` leads to: the number of a part on each level.
pub fn part<'a>(form: &'a mut GateForm, path: &[usize]) -> Option<&'a mut GateForm> {
    let Some((first, rest)) = path.split_first() else { return Some(form) };
    match form {
        GateForm::Logical { parts, .. } => part(parts.get_mut(*first)?, rest),
        GateForm::Condition(_) => None,
    }
}

/// Takes the part at `path` out; a logical rule without parts goes as well. `None` when nothing is
/// left.
pub fn without(form: GateForm, path: &[usize]) -> Option<GateForm> {
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
pub fn reshaped(form: GateForm, shape: usize, metrics: &[String]) -> GateForm {
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
}
