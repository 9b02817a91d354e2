//! Every figure of an evaluation, computed once; tree, overview, audit and export only read them.

use super::judgement::{Judgement, Reason};
use super::{Outcome, PolicyRule, Settings};
use crate::format::count;
use crate::model::{
    Declared, DeclaredValue, Ended, Evaluation, Figure, GateRule, Kind, Run, Scope,
};
use crate::policy::{GateVerdict, Policy, PolicyVerdict, gate_text, judge_gate, judge_policies};
use crate::scoring::run_summary::run_summary;
use crate::scoring::{
    Counts, GroupScore, KindCount, Spread, Totals, group_scores, kind_counts, mean_of_groups,
    spread, totals, weighted_mean,
};
use std::collections::{BTreeMap, BTreeSet};

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
    /// What the files record of its gate.
    pub declared_passed: Option<bool>,
    /// By subject, in the order of the runs.
    pub subjects: Vec<(String, Totals)>,
}

/// Figures over repeats.
#[derive(Debug, Clone)]
pub struct AggregateFigures {
    /// Number of repeats.
    pub n_repeats: u64,
    /// Of these, passed by the gate; `None` without a gate, or where it cannot be evaluated of each.
    pub n_passed: Option<u64>,
    /// Spread over repeats.
    pub spread: Spread,
    /// By subject: name, number of repeats, spread.
    pub subjects: Vec<(String, u64, Spread)>,
}

/// The rule that decides runs and repeats by aggregates: the reader's where its metrics exist, else
/// the files' own.
struct GateInForce<'a> {
    rule: &'a GateRule,
    text: String,
    /// Whether the files state it, so that what they record of it counts.
    is_declared: bool,
}

/// What all figures of an evaluation are made of.
struct Basis<'a> {
    evaluation: &'a Evaluation,
    settings: &'a Settings,
    gate: Option<GateInForce<'a>>,
}

/// Computes every figure of `evaluation` under `settings`.
pub fn figures(evaluation: &Evaluation, settings: &Settings) -> Figures {
    let own = settings.gate.as_ref().filter(|rule| knows_metrics(evaluation, rule));
    let declared = || {
        let gate = evaluation.config.gate.as_ref()?;
        Some(GateInForce { rule: &gate.rule, text: gate.text.clone(), is_declared: true })
    };
    let gate = own
        .map(|rule| GateInForce {
            rule,
            text: format!("{} (yours)", gate_text(rule)),
            is_declared: false,
        })
        .or_else(declared);
    let basis = Basis { evaluation, settings, gate };
    let runs: Vec<RunFigures> = evaluation.runs.iter().map(|run| basis.run_figures(run)).collect();
    let repeats = basis.repeat_figures(&runs);
    let mut figures = Figures {
        aggregate: aggregate_figures(evaluation, &repeats, basis.gate.is_some()),
        runs,
        repeats,
        summary: run_summary(evaluation),
        verdict: None,
    };
    figures.verdict = basis.verdict(&figures);
    figures
}

/// Whether every metric that `rule` names has scores in `evaluation`.
pub(super) fn knows_metrics(evaluation: &Evaluation, rule: &GateRule) -> bool {
    let known = metric_names(evaluation);
    rule.metrics().into_iter().all(|metric| known.contains(metric))
}

/// Every metric, attribute or grader of `evaluation`.
pub(super) fn metric_names(evaluation: &Evaluation) -> BTreeSet<&str> {
    let declared = evaluation.config.metrics.iter().map(String::as_str);
    declared.chain(evaluation.runs.iter().flat_map(|run| run.checks.name.words())).collect()
}

impl Basis<'_> {
    fn run_figures(&self, run: &Run) -> RunFigures {
        let (config, rules) = (&self.evaluation.config, &self.settings.rules);
        let mut totals = totals(&[run], config, rules);
        let groups = group_scores(run, &self.settings.group_weights, rules);
        totals.score.mean_of_groups = mean_of_groups(&groups);
        totals.score.weighted = weighted_mean(&groups);
        let by_kind = match run.declared_counts() {
            Some(declared) => declared_kinds(declared, &mut totals.counts),
            None => kind_counts(run, rules),
        };
        let was_judged = run.state.is_none()
            || !run.cases.is_empty()
            || !by_kind.is_empty()
            || run.is_infrastructure_failure == Some(true);
        let policies =
            if config.has_policies && was_judged { policies(run, &by_kind) } else { Vec::new() };
        let verdict = self.run_verdict(run, &by_kind, &policies);
        RunFigures { totals, by_kind, groups, policies, verdict }
    }

    /// The reader's gate, else the policy in force, else the files' gate.
    fn run_verdict(
        &self,
        run: &Run,
        by_kind: &BTreeMap<Kind, KindCount>,
        policies: &[PolicyVerdict],
    ) -> Option<Judgement> {
        let config = &self.evaluation.config;
        let policy = self.settings.policy.of(config, run.key.suite.as_deref());
        if config.has_policies
            && let Some((outcome, why)) = nothing_ran(run, by_kind)
        {
            return Some(Judgement {
                outcome,
                rule: self.worded(self.policy_words(policy)),
                reason: Reason::Words(why),
                declared: None,
            });
        }
        let by_policy = policies.iter().find(|verdict| verdict.policy == policy);
        if let (Some(found), None | Some(GateInForce { is_declared: true, .. })) =
            (by_policy, &self.gate)
        {
            return Some(Judgement {
                outcome: Outcome::of(found.is_passed),
                rule: self.worded(self.policy_words(policy)),
                reason: Reason::Words(match run.declared_counts() {
                    Some(_) => format!("{}, as its row declares", found.reason),
                    None => found.reason.clone(),
                }),
                declared: None,
            });
        }
        // The gate itself looks at all subjects of a repeat together.
        let is_shared = !config.has_policies
            && self.evaluation.runs.iter().any(|other| {
                other.key.repeat == run.key.repeat && other.key.subject != run.key.subject
            });
        let recorded = || {
            let scope = Scope::Repeat(run.key.repeat);
            declared_gate(self.evaluation, &scope).filter(|_| !is_shared)
        };
        let is_scored = run.cases.score.iter().any(|score| score.is_some());
        let Some(gate) = self.gate.as_ref() else {
            let why = self.no_gate()?;
            return Some(unjudged(is_scored, String::new(), why, recorded()));
        };
        let found = judge_gate(gate.rule, &[run], config, &self.settings.rules, None);
        let part = if is_shared { ", applied to this subject alone" } else { "" };
        let rule = self.worded(format!("gate {}{part}", gate.text));
        let Some(is_passed) = found.is_passed else {
            let recorded = recorded().filter(|_| gate.is_declared);
            return Some(unjudged(is_scored, rule, found.reason, recorded));
        };
        Some(Judgement {
            outcome: Outcome::of(is_passed),
            rule,
            reason: Reason::Words(found.reason),
            declared: None,
        })
    }

    /// Why there is no gate to judge by, in an evaluation that should have one.
    fn no_gate(&self) -> Option<String> {
        let is_own = self.settings.rules.pass.is_some();
        self.evaluation.config.no_case_rule.as_ref().filter(|_| !is_own)?;
        Some("the files hold no gate".to_owned())
    }

    /// That the whole cannot be judged, with what the files record of it.
    fn unjudged(
        &self,
        figures: &Figures,
        rule: String,
        why: String,
        is_declared: bool,
    ) -> Judgement {
        let recorded = || {
            let all = self.evaluation.declared.iter().filter(|_| is_declared);
            all.map(|declared| (&declared.scope, &declared.figure, &declared.value))
        };
        let of_repeats: Vec<bool> = recorded()
            .filter_map(|found| match found {
                (Scope::Repeat(_), Figure::GatePassed, DeclaredValue::Bool(passed)) => {
                    Some(*passed)
                }
                _ => None,
            })
            .collect();
        let number = |wanted: &Figure| {
            recorded().find_map(|found| match found {
                (Scope::Evaluation, figure, DeclaredValue::Number(n)) if figure == wanted => {
                    Some(*n)
                }
                _ => None,
            })
        };
        let in_all = number(&Figure::RepeatsPassed).zip(number(&Figure::Repeats));
        let any = (!of_repeats.is_empty()).then(|| of_repeats.contains(&true));
        let over_all = in_all.map(|(n_passed, _)| n_passed > 0.0);
        let whole = declared_gate(self.evaluation, &Scope::Evaluation).filter(|_| is_declared);
        let whole = whole.or(over_all).or(any);
        let mut scores = figures.repeats.iter().map(|repeat| repeat.totals.score.n);
        let mut found = unjudged(scores.any(|n| n > 0), rule, why, whole);
        if let Some(declared) = &mut found.declared {
            let n_passed = of_repeats.iter().filter(|passed| **passed).count();
            let told = match (in_all, of_repeats.len()) {
                (Some((n_passed, n_repeats)), _) => {
                    format!(" in {n_passed} of {n_repeats} repeats")
                }
                (None, n_repeats @ 2..) => format!(" in {n_passed} of {n_repeats} repeats"),
                (None, _) => String::new(),
            };
            declared.push_str(&told);
        }
        found
    }

    fn policy_words(&self, policy: Policy) -> String {
        match self.settings.policy {
            PolicyRule::Named(_) => format!("policy {}", policy.as_str()),
            PolicyRule::AsDeclared => format!("policy {}, as declared", policy.as_str()),
        }
    }

    /// A rule, followed by how cases are counted where that is not as declared.
    fn worded(&self, rule: String) -> String {
        std::iter::once(rule).chain(self.settings.counting()).collect::<Vec<_>>().join("; ")
    }

    fn repeat_figures(&self, of_runs: &[RunFigures]) -> Vec<RepeatFigures> {
        let mut by_repeat: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (idx, run) in self.evaluation.runs.iter().enumerate() {
            by_repeat.entry(run.key.repeat).or_default().push(idx);
        }
        let figure = |(repeat, idxs): (u32, Vec<usize>)| {
            let mut subjects: Vec<(String, Vec<usize>)> = Vec::new();
            for &idx in &idxs {
                let subject = self.evaluation.runs.get(idx).and_then(|run| run.key.subject.clone());
                let Some(subject) = subject else { continue };
                match subjects.iter_mut().find(|(name, _)| *name == subject) {
                    Some((_, of_subject)) => of_subject.push(idx),
                    None => subjects.push((subject, vec![idx])),
                }
            }
            RepeatFigures {
                declared_passed: declared_gate(self.evaluation, &Scope::Repeat(repeat)),
                repeat,
                totals: self.totals_of(&idxs, of_runs),
                gate: self.gate.as_ref().map(|gate| {
                    let declared = declared_gate(self.evaluation, &Scope::Repeat(repeat));
                    judge_gate(
                        gate.rule,
                        &self.runs(&idxs),
                        &self.evaluation.config,
                        &self.settings.rules,
                        declared.filter(|_| gate.is_declared),
                    )
                }),
                subjects: subjects
                    .into_iter()
                    .map(|(name, idxs)| (name, self.totals_of(&idxs, of_runs)))
                    .collect(),
            }
        };
        by_repeat.into_iter().map(figure).collect()
    }

    fn runs(&self, idxs: &[usize]) -> Vec<&Run> {
        idxs.iter().filter_map(|&idx| self.evaluation.runs.get(idx)).collect()
    }

    /// Totals of several runs together; those of a single one are known already.
    fn totals_of(&self, idxs: &[usize], of_runs: &[RunFigures]) -> Totals {
        if let ([only], false) = (idxs, self.evaluation.config.has_policies)
            && let Some(known) = of_runs.get(*only)
            && known.groups.is_empty()
        {
            return known.totals.clone();
        }
        let all = self.runs(idxs);
        // What was evaluated again counts once; what it took counts with the rest.
        let first: Vec<&Run> = all.iter().copied().filter(|run| run.again().is_none()).collect();
        let of = |runs: &[&Run]| totals(runs, &self.evaluation.config, &self.settings.rules);
        let mut found = of(&first);
        if first.len() < all.len() {
            let Totals { usage, timing, .. } = of(&all);
            found.usage = usage;
            found.timing = timing;
        }
        for declared in first.iter().filter_map(|run| run.declared_counts()) {
            declared_kinds(declared, &mut found.counts);
        }
        found
    }

    fn verdict(&self, figures: &Figures) -> Option<Judgement> {
        let config = &self.evaluation.config;
        if config.has_policies {
            return self.checkpoints_verdict(figures);
        }
        if let Some(gate) = &self.gate {
            return self.gate_verdict(figures, gate);
        }
        if config.reward.is_some() {
            return None;
        }
        if let Some(why) = self.no_gate() {
            return Some(self.unjudged(figures, String::new(), why, true));
        }
        let counts = figures.repeats.first().map(|repeat| &repeat.totals.counts)?;
        let (n_passed, n_counted) = counts.passing()?;
        (n_counted > 0 && counts.unscored < counts.total).then(|| Judgement {
            outcome: Outcome::of(n_passed == n_counted),
            rule: self.worded("every case must pass".to_owned()),
            reason: match n_counted - n_passed {
                0 => Reason::Passing { n_passed, n_counted, what: "cases" },
                n_failed => {
                    let are_judged = counts.failed == Some(n_failed);
                    Reason::Failing { n_failed, n_counted, are_judged }
                }
            },
            declared: None,
        })
    }

    /// Every planned checkpoint has to pass; those evaluated again after a skill are told beside.
    fn checkpoints_verdict(&self, figures: &Figures) -> Option<Judgement> {
        let rule = match (&self.gate, self.settings.policy) {
            (Some(gate), _) if !gate.is_declared => format!("gate {}", gate.text),
            (_, PolicyRule::Named(policy)) => format!("policy {}", policy.as_str()),
            (_, PolicyRule::AsDeclared) => "the policy that its run declares".to_owned(),
        };
        let runs = || self.evaluation.runs.iter().zip(&figures.runs);
        let ended = |(run, own): &(&Run, &RunFigures)| {
            let verdict = own.verdict.as_ref();
            (run.again().is_some(), verdict.map(|verdict| verdict.outcome))
        };
        let n_of = |again: bool, wanted: &dyn Fn(Option<Outcome>) -> bool| -> u64 {
            let found = runs().map(|pair| ended(&pair));
            found.filter(|(own, outcome)| *own == again && wanted(*outcome)).count() as u64
        };
        let n_planned = n_of(false, &|_| true);
        if n_planned == 0 {
            return None;
        }
        let n_passed = n_of(false, &|outcome| outcome == Some(Outcome::Passed));
        let n_failed = n_of(false, &|outcome| outcome == Some(Outcome::Failed));
        let n_missing = n_of(false, &|outcome| outcome == Some(Outcome::Skipped));
        let n_broken = n_of(false, &|outcome| outcome == Some(Outcome::Error));
        let n_ran = n_planned - n_missing;
        let mut beside = Vec::new();
        if n_missing > 0 {
            beside.push(format!(
                "{} of {} planned did not run",
                count(n_missing),
                count(n_planned)
            ));
        }
        if n_broken > 0 {
            beside.push(format!("{} ended in an error", count(n_broken)));
        }
        let n_empty = n_ran - n_passed - n_failed - n_broken;
        if n_empty > 0 {
            beside.push(format!("{} without a case", count(n_empty)));
        }
        let n_again = n_of(true, &|_| true);
        if n_again > 0 {
            let n_passed = n_of(true, &|outcome| outcome == Some(Outcome::Passed));
            beside.push(format!("after the skill {} of {} pass", count(n_passed), count(n_again)));
        }
        let (n_passed, n_counted, what) = (n_passed, n_ran, "checkpoints");
        let passing = Reason::Passing { n_passed, n_counted, what };
        let reason = match beside.is_empty() {
            true => passing,
            false => Reason::Words(format!("{}, {}", passing.shown(), beside.join(", "))),
        };
        // What failed is told before what never came to a verdict.
        let outcome = match (n_passed == n_planned, n_failed, n_broken) {
            (true, ..) => Outcome::Passed,
            (_, 0, 1..) => Outcome::Error,
            (_, 0, _) if n_empty > 0 => Outcome::Unscored,
            (_, 0, _) if n_passed == 0 => Outcome::Skipped,
            _ => Outcome::Failed,
        };
        Some(Judgement {
            outcome,
            rule: self.worded(format!("every checkpoint by {rule}")),
            reason,
            declared: None,
        })
    }

    /// Over several repeats the original calls the whole passed when any repeat passes.
    fn gate_verdict(&self, figures: &Figures, gate: &GateInForce<'_>) -> Option<Judgement> {
        let gates: Vec<&GateVerdict> =
            figures.repeats.iter().filter_map(|repeat| repeat.gate.as_ref()).collect();
        let declared = declared_gate(self.evaluation, &Scope::Evaluation)
            .or_else(|| gates.first().filter(|_| gates.len() == 1)?.declared_passed);
        let word = |passed: bool| Outcome::of(passed).as_str().to_owned();
        let text = &gate.text;
        let (passed, rule, reason) = match gates.as_slice() {
            [] => {
                let rule = self.worded(format!("gate {text}"));
                let why = "no results are among the files".to_owned();
                return Some(self.unjudged(figures, rule, why, gate.is_declared));
            }
            several if several.iter().all(|gate| gate.is_passed.is_none()) => {
                let why = several.first().map(|gate| gate.reason.clone()).unwrap_or_default();
                let rule = self.worded(format!("gate {text}"));
                return Some(self.unjudged(figures, rule, why, gate.is_declared));
            }
            [only] => (only.is_passed?, format!("gate {text}"), only.reason.clone()),
            several => {
                let n_passed = several.iter().filter(|gate| gate.is_passed == Some(true)).count();
                let n_open = several.iter().filter(|gate| gate.is_passed.is_none()).count();
                let mut reason =
                    format!("the gate passes in {n_passed} of {} repeats", several.len());
                if n_open > 0 {
                    reason.push_str(&format!("; in {n_open} it cannot be evaluated"));
                }
                (n_passed > 0, format!("gate {text}, in any repeat"), reason)
            }
        };
        Some(Judgement {
            outcome: Outcome::of(passed),
            rule: self.worded(rule),
            reason: Reason::Words(reason),
            declared: declared.filter(|&declared| gate.is_declared && declared != passed).map(word),
        })
    }
}

/// No verdict, and why; `recorded` is what the files say.
fn unjudged(is_scored: bool, rule: String, why: String, recorded: Option<bool>) -> Judgement {
    Judgement {
        outcome: if is_scored { Outcome::Scored } else { Outcome::Unscored },
        rule,
        reason: Reason::Words(why),
        declared: recorded.map(|passed| Outcome::of(passed).as_str().to_owned()),
    }
}

/// Why a run has no verdict by a policy: nothing was judged. `None`: something was.
fn nothing_ran(run: &Run, by_kind: &BTreeMap<Kind, KindCount>) -> Option<(Outcome, String)> {
    let message = run.state.as_ref().and_then(|state| state.message.as_deref());
    let with = |what: &str| match message {
        Some(message) => format!("{what}: {message}"),
        None => what.to_owned(),
    };
    if run.is_infrastructure_failure == Some(true) {
        return Some((Outcome::Error, with("infrastructure failure, no policy holds")));
    }
    if !run.cases.is_empty() || by_kind.values().any(|count| count.total > 0) {
        return None;
    }
    Some(match run.ended() {
        Ended::Error => {
            (Outcome::Error, with("the agent ended in an error and nothing was judged"))
        }
        Ended::NotRun => (Outcome::Skipped, with("planned, and did not run")),
        Ended::Complete => (
            Outcome::Unscored,
            message.map_or_else(
                || "nothing ran: there is no case".to_owned(),
                |message| format!("nothing was judged: {message}"),
            ),
        ),
    })
}

/// Counts by kind as the files declare them, which are also the counts of the whole.
fn declared_kinds(declared: &[(Kind, u64, u64)], counts: &mut Counts) -> BTreeMap<Kind, KindCount> {
    let mut by_kind = BTreeMap::new();
    for &(kind, passed, total) in declared {
        by_kind.insert(kind, KindCount { passed, total, first_failed: None });
        counts.total += total;
        counts.attempted += total;
        *counts.passed.get_or_insert(0) += passed;
        *counts.failed.get_or_insert(0) += total - passed;
    }
    by_kind
}

/// All seven policies; those that fail name the first case that fails them. None holds after an
/// infrastructure failure, as in the producer's own `passes_policy`.
fn policies(run: &Run, by_kind: &BTreeMap<Kind, KindCount>) -> Vec<PolicyVerdict> {
    let mut policies = judge_policies(by_kind);
    if run.is_infrastructure_failure == Some(true) {
        for verdict in &mut policies {
            verdict.is_passed = false;
            "infrastructure failure: nothing was judged".clone_into(&mut verdict.reason);
        }
        return policies;
    }
    for verdict in policies.iter_mut().filter(|verdict| !verdict.is_passed) {
        let kinds = verdict.policy.kinds().iter();
        let first = kinds.filter_map(|kind| by_kind.get(kind)?.first_failed).min();
        let Some(idx) = first.map(|idx| idx as usize) else { continue };
        let id = run.cases.id.get(idx).unwrap_or_default();
        let word = run.cases.outcome_of(idx);
        verdict.reason = format!("{}: case {id} {}", verdict.reason, came_out(word));
    }
    policies
}

/// `failed`, `ended in an error`.
fn came_out(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed => "failed",
        Outcome::Error => "ended in an error",
        Outcome::Skipped => "was skipped",
        Outcome::Scored => "has a score, and no rule says whether it passes",
        Outcome::Unscored => "has no verdict",
    }
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
    has_gate: bool,
) -> Option<AggregateFigures> {
    let is_declared = evaluation.declared.iter().any(|d| d.figure == Figure::Repeats);
    if repeats.is_empty() || (repeats.len() < 2 && !is_declared) {
        return None;
    }
    let n_passed = repeats
        .iter()
        .filter(|repeat| repeat.gate.as_ref().is_some_and(|gate| gate.is_passed == Some(true)))
        .count() as u64;
    let is_judged = repeats
        .iter()
        .all(|repeat| repeat.gate.as_ref().is_some_and(|gate| gate.is_passed.is_some()));
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
        n_passed: (has_gate && is_judged).then_some(n_passed),
        spread: spread(&of_repeats),
        subjects: subjects
            .into_iter()
            .map(|(name, totals)| (name, totals.len() as u64, spread(&totals)))
            .collect(),
    })
}
