//! The figures of an evaluation out of a dataset, as they were computed when it was written.

use super::repeats::aggregate_figures;
use super::{Figures, Judgement, Reason, RepeatFigures, RunFigures};
use crate::model::Evaluation;
use crate::policy::{GateVerdict, PolicyVerdict, judge_policies};
use crate::scoring::{StoredEvaluation, StoredRepeat, StoredRun, StoredVerdict};

/// The figures that `stored` holds of `evaluation`. What follows from them is computed: the spread over repeats, and why a
/// policy holds.
pub(crate) fn stored_figures(evaluation: &Evaluation, stored: &StoredEvaluation) -> Figures {
    let repeats: Vec<RepeatFigures> = stored.repeats.iter().map(of_repeat).collect();
    Figures {
        runs: stored.runs.iter().map(of_run).collect(),
        aggregate: aggregate_figures(evaluation, &repeats, stored.has_gate),
        repeats,
        summary: None,
        verdict: stored.verdict.as_ref().map(judgement),
    }
}

fn of_run(stored: &StoredRun) -> RunFigures {
    let is_held = |verdict: &PolicyVerdict| {
        let name = verdict.policy.as_str();
        stored.policies.iter().find(|(known, _)| known == name).map(|(_, is_passed)| *is_passed)
    };
    let policies = judge_policies(&stored.by_kind).into_iter().filter_map(|verdict| {
        let is_passed = is_held(&verdict)?;
        Some(PolicyVerdict { is_passed, ..verdict })
    });
    RunFigures {
        totals: stored.totals.clone(),
        by_kind: stored.by_kind.clone(),
        groups: stored.groups.clone(),
        policies: policies.collect(),
        verdict: stored.verdict.as_ref().map(judgement),
    }
}

fn of_repeat(stored: &StoredRepeat) -> RepeatFigures {
    let gate = stored.gate.as_ref().map(|gate| GateVerdict {
        value: gate.value,
        is_passed: gate.is_passed,
        declared_passed: gate.declared_passed,
        reason: gate.reason.clone(),
        lines: Vec::new(),
    });
    RepeatFigures {
        repeat: stored.repeat,
        totals: stored.totals.clone(),
        declared_passed: stored.gate.as_ref().and_then(|gate| gate.declared_passed),
        gate,
        subjects: stored.subjects.clone(),
    }
}

fn judgement(stored: &StoredVerdict) -> Judgement {
    Judgement {
        outcome: stored.outcome,
        rule: stored.rule.clone(),
        reason: Reason::Words(stored.reason.clone()),
        declared: stored.declared.clone(),
    }
}
