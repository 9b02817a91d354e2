//! Every figure of an evaluation, computed once; tree, overview, audit and export only read them.

use super::{Outcome, Settings};
use crate::model::{Declared, DeclaredValue, Evaluation, Figure, Kind, Run, Scope};
use crate::policy::{GateVerdict, PolicyVerdict, judge_gate, judge_policies, judge_policy};
use crate::scoring::run_summary::run_summary;
use crate::scoring::{
    GroupScore, KindCount, Spread, Totals, group_scores, kind_counts, mean_of_groups, spread,
    totals, weighted_mean,
};
use std::collections::BTreeMap;

/// All figures of an evaluation.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// By run, in the evaluation's order.
    pub runs: Vec<RunFigures>,
    /// By repeat, ascending.
    pub repeats: Vec<RepeatFigures>,
    /// Over repeats; `None` of a single repeat that no file calls one of several.
    pub aggregate: Option<AggregateFigures>,
    /// The producer's own summary, recomputed.
    pub summary: Option<serde_json::Value>,
    /// Verdict over everything.
    pub verdict: Option<Judgement>,
}

/// A verdict with its rule and reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Verdict.
    pub outcome: Outcome,
    /// The rule in words.
    pub rule: String,
    /// Why.
    pub reason: String,
    /// What the file recorded, when it recorded something else.
    pub declared: Option<String>,
}

/// Figures of one run.
#[derive(Debug, Clone)]
pub struct RunFigures {
    /// Totals.
    pub totals: Totals,
    /// Passed and all cases by kind.
    pub by_kind: BTreeMap<Kind, KindCount>,
    /// Groups.
    pub groups: Vec<GroupScore>,
    /// All seven policies; empty where the producer has none.
    pub policies: Vec<PolicyVerdict>,
    /// Verdict.
    pub verdict: Option<Judgement>,
}

/// Figures of one repeat, over all subjects.
#[derive(Debug, Clone)]
pub struct RepeatFigures {
    /// Repeat, 1-based.
    pub repeat: u32,
    /// Totals.
    pub totals: Totals,
    /// Gate.
    pub gate: Option<GateVerdict>,
    /// By subject, in the order of the runs.
    pub subjects: Vec<(String, Totals)>,
}

/// Figures over repeats.
#[derive(Debug, Clone)]
pub struct AggregateFigures {
    /// Number of repeats.
    pub n_repeats: u64,
    /// Of these, passed by the gate; `None` without a gate.
    pub n_passed: Option<u64>,
    /// Spread over repeats.
    pub spread: Spread,
    /// By subject: name, number of repeats, spread.
    pub subjects: Vec<(String, u64, Spread)>,
}

/// Computes every figure of `evaluation` under `settings`.
pub fn figures(evaluation: &Evaluation, settings: &Settings) -> Figures {
    let runs: Vec<RunFigures> =
        evaluation.runs.iter().map(|run| run_figures(run, evaluation, settings)).collect();
    let repeats = repeat_figures(evaluation);
    let mut figures = Figures {
        aggregate: aggregate_figures(evaluation, &repeats),
        runs,
        repeats,
        summary: run_summary(evaluation),
        verdict: None,
    };
    figures.verdict = evaluation_verdict(evaluation, &figures, settings);
    figures
}

fn run_figures(run: &Run, evaluation: &Evaluation, settings: &Settings) -> RunFigures {
    let config = &evaluation.config;
    let mut totals = totals(&[run], config);
    let groups = group_scores(run, &settings.group_weights);
    totals.score.mean_of_groups = mean_of_groups(&groups);
    totals.score.weighted = weighted_mean(&groups);
    let by_kind = kind_counts(&[run]);
    let policies = if config.has_policies { judge_policies(&by_kind) } else { Vec::new() };
    let verdict = if config.has_policies {
        let found = judge_policy(settings.policy, &by_kind);
        Some(Judgement {
            outcome: outcome_of(found.is_passed),
            rule: format!("policy {}", settings.policy.as_str()),
            reason: found.reason,
            declared: None,
        })
    } else if let Some(gate) = &config.gate {
        let found = judge_gate(&gate.rule, &[run], config, None);
        // The gate itself looks at all subjects of a repeat together.
        let is_shared = evaluation.runs.iter().any(|other| {
            other.key.repeat == run.key.repeat && other.key.subject != run.key.subject
        });
        let part = if is_shared { ", applied to this subject alone" } else { "" };
        found.is_passed.map(|is_passed| Judgement {
            outcome: outcome_of(is_passed),
            rule: format!("gate {}{part}", gate.text),
            reason: found.reason,
            declared: None,
        })
    } else {
        None
    };
    RunFigures { totals, by_kind, groups, policies, verdict }
}

fn outcome_of(is_passed: bool) -> Outcome {
    if is_passed { Outcome::Passed } else { Outcome::Failed }
}

fn repeat_figures(evaluation: &Evaluation) -> Vec<RepeatFigures> {
    let config = &evaluation.config;
    let mut by_repeat: BTreeMap<u32, Vec<&Run>> = BTreeMap::new();
    for run in &evaluation.runs {
        by_repeat.entry(run.key.repeat).or_default().push(run);
    }
    by_repeat
        .into_iter()
        .map(|(repeat, runs)| {
            let mut subjects: Vec<(String, Vec<&Run>)> = Vec::new();
            for run in &runs {
                let Some(subject) = &run.key.subject else { continue };
                match subjects.iter_mut().find(|(name, _)| name == subject) {
                    Some((_, of_subject)) => of_subject.push(run),
                    None => subjects.push((subject.clone(), vec![run])),
                }
            }
            RepeatFigures {
                repeat,
                totals: totals(&runs, config),
                gate: config.gate.as_ref().map(|gate| {
                    let declared = declared_gate(evaluation, &Scope::Repeat(repeat));
                    judge_gate(&gate.rule, &runs, config, declared)
                }),
                subjects: subjects
                    .into_iter()
                    .map(|(name, runs)| (name, totals(&runs, config)))
                    .collect(),
            }
        })
        .collect()
}

/// The gate's verdict that a file records for `scope`.
fn declared_gate(evaluation: &Evaluation, scope: &Scope) -> Option<bool> {
    evaluation.declared.iter().find_map(|declared| match declared {
        Declared {
            scope: at,
            figure: Figure::GatePassed,
            value: DeclaredValue::Bool(passed),
            ..
        } if at == scope => Some(*passed),
        _ => None,
    })
}

fn aggregate_figures(
    evaluation: &Evaluation,
    repeats: &[RepeatFigures],
) -> Option<AggregateFigures> {
    let is_declared = evaluation.declared.iter().any(|d| d.figure == Figure::Repeats);
    if repeats.len() < 2 && !is_declared {
        return None;
    }
    let has_gate = evaluation.config.gate.is_some();
    let n_passed = repeats
        .iter()
        .filter(|repeat| repeat.gate.as_ref().is_some_and(|gate| gate.is_passed == Some(true)))
        .count() as u64;
    let mut subjects: Vec<(String, Vec<&Totals>)> = Vec::new();
    for (name, totals) in repeats.iter().flat_map(|repeat| &repeat.subjects) {
        match subjects.iter_mut().find(|(known, _)| known == name) {
            Some((_, of_subject)) => of_subject.push(totals),
            None => subjects.push((name.clone(), vec![totals])),
        }
    }
    let of_repeats: Vec<&Totals> = repeats.iter().map(|repeat| &repeat.totals).collect();
    Some(AggregateFigures {
        n_repeats: repeats.len() as u64,
        n_passed: has_gate.then_some(n_passed),
        spread: spread(&of_repeats),
        subjects: subjects
            .into_iter()
            .map(|(name, totals)| (name, totals.len() as u64, spread(&totals)))
            .collect(),
    })
}

fn evaluation_verdict(
    evaluation: &Evaluation,
    figures: &Figures,
    settings: &Settings,
) -> Option<Judgement> {
    let config = &evaluation.config;
    if config.has_policies {
        let n_runs = figures.runs.len();
        let n_passed = figures
            .runs
            .iter()
            .filter(|run| run.verdict.as_ref().is_some_and(|v| v.outcome == Outcome::Passed))
            .count();
        return (n_runs > 0).then(|| Judgement {
            outcome: outcome_of(n_passed == n_runs),
            rule: format!("every checkpoint by policy {}", settings.policy.as_str()),
            reason: format!("{n_passed} of {n_runs} checkpoints pass"),
            declared: None,
        });
    }
    if let Some(gate) = &config.gate {
        return gate_verdict(evaluation, figures, &gate.text);
    }
    if config.reward.is_some() {
        return None;
    }
    let counts = figures.repeats.first().map(|repeat| &repeat.totals.counts)?;
    (counts.total > 0 && counts.unscored < counts.total).then(|| Judgement {
        outcome: outcome_of(counts.passed == counts.total),
        rule: "every case passes".to_owned(),
        reason: format!("{} of {} cases pass", counts.passed, counts.total),
        declared: None,
    })
}

/// Over several repeats the original calls the whole passed when any repeat passes.
fn gate_verdict(evaluation: &Evaluation, figures: &Figures, rule: &str) -> Option<Judgement> {
    let gates: Vec<&GateVerdict> =
        figures.repeats.iter().filter_map(|repeat| repeat.gate.as_ref()).collect();
    let declared = declared_gate(evaluation, &Scope::Evaluation)
        .or_else(|| gates.first().filter(|_| gates.len() == 1)?.declared_passed);
    let word = |passed: bool| outcome_of(passed).as_str().to_owned();
    let (passed, rule, reason) = match gates.as_slice() {
        [] => return None,
        [only] => (only.is_passed?, format!("gate {rule}"), only.reason.clone()),
        several => {
            let n_passed = several.iter().filter(|gate| gate.is_passed == Some(true)).count();
            let reason = format!("the gate passes in {n_passed} of {} repeats", several.len());
            (n_passed > 0, format!("gate {rule}, in any repeat"), reason)
        }
    };
    Some(Judgement {
        outcome: outcome_of(passed),
        rule,
        reason,
        declared: declared.filter(|&declared| declared != passed).map(word),
    })
}
