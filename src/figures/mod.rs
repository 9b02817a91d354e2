//! Every figure of an evaluation, computed once; tree, overview, audit and export only read them.

mod judgement;
mod repeats;
mod run;
mod settings;
mod stored;
#[cfg(test)]
mod tests;
mod verdict;

pub use judgement::{Judgement, Reason, VerdictOrigin};
pub use settings::{PolicyRule, RuleWords, Settings};
pub(crate) use settings::{pass_rule, pass_text, pass_words};
pub(crate) use stored::stored_figures;

use crate::model::{Declared, DeclaredValue, Evaluation, Figure, GateRule, Kind, Run, Scope};
use crate::order::ordered;
use crate::policy::{GateVerdict, PolicyVerdict, gate_text};
use crate::scoring::run_summary::run_summary;
use crate::scoring::{DeclaredTotals, GroupScore, KindCount, Spread, Totals};
use crate::words::figures as words;
use std::collections::{BTreeMap, BTreeSet};

/// All figures of an evaluation.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// By run, in the evaluation's order.
    pub runs: Vec<RunFigures>,
    /// By repeat, ascending.
    pub repeats: Vec<RepeatFigures>,
    /// Over repeats; `None` where there is one repeat and no file says that there are several.
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
    /// How many of them pass the gate; `None` without a gate, or where it cannot be evaluated for
    /// each repeat.
    pub n_passed: Option<u64>,
    /// Spread over repeats.
    pub spread: Spread,
    /// By subject: name, number of repeats, spread.
    pub subjects: Vec<(String, u64, Spread)>,
}

/// The gate that decides runs and repeats: the user's where its metrics exist, else the files' own.
struct GateInForce<'a> {
    rule: &'a GateRule,
    text: String,
    /// Whether the files state it; then the results that they record for it count.
    is_declared: bool,
}

/// What all figures of an evaluation are computed from.
struct FigureBasis<'a> {
    evaluation: &'a Evaluation,
    settings: &'a Settings,
    gate: Option<GateInForce<'a>>,
    base: Option<Base<'a>>,
}

/// The figures by the declared rules, from which others take what no rule changes.
#[derive(Clone, Copy)]
pub(crate) struct Base<'a> {
    /// Of the same evaluation.
    pub figures: &'a Figures,
    /// Whether the rules in force judge some case otherwise.
    pub is_rejudged: bool,
}

/// Computes every figure of `evaluation` under `settings`; `base`, where it is known, saves a part of the work.
pub(crate) fn figures(
    evaluation: &Evaluation,
    settings: &Settings,
    base: Option<Base<'_>>,
) -> Figures {
    let own = settings.gate.as_ref().filter(|rule| knows_metrics(evaluation, rule));
    let declared = || {
        let gate = evaluation.config.gate.as_ref()?;
        Some(GateInForce { rule: &gate.rule, text: gate.text.clone(), is_declared: true })
    };
    let gate = own
        .map(|rule| GateInForce {
            rule,
            text: words::own_gate(&gate_text(rule)),
            is_declared: false,
        })
        .or_else(declared);
    let basis = FigureBasis { evaluation, settings, gate, base };
    let runs = evaluation.runs.iter().enumerate();
    let runs: Vec<RunFigures> = runs.map(|(idx, run)| basis.run_figures(idx, run)).collect();
    let repeats = basis.repeat_figures(&runs);
    let mut figures = Figures {
        aggregate: repeats::aggregate_figures(evaluation, &repeats, basis.gate.is_some()),
        runs,
        repeats,
        summary: run_summary(evaluation),
        verdict: None,
    };
    figures.verdict = basis.verdict(&figures);
    figures
}

/// Whether every metric that `rule` names has scores in `evaluation`.
pub(crate) fn knows_metrics(evaluation: &Evaluation, rule: &GateRule) -> bool {
    let known = metric_names(evaluation);
    rule.metrics().into_iter().all(|metric| known.contains(metric))
}

/// Every metric, attribute or grader of `evaluation`.
pub(crate) fn metric_names(evaluation: &Evaluation) -> BTreeSet<&str> {
    let declared = evaluation.config.metrics.iter().map(String::as_str);
    ordered(declared.chain(evaluation.runs.iter().flat_map(|run| run.checks.name.words())))
}

impl FigureBasis<'_> {
    /// A rule, followed by how cases are counted where that is not as declared.
    fn worded(&self, rule: String) -> String {
        std::iter::once(rule).chain(self.settings.counting()).collect::<Vec<_>>().join("; ")
    }

    /// The figures by the declared rules, where the gate says by the rules in force what it said there: a pass rule changes no score.
    /// `None` as well where a file gave them: it has not all that a gate says.
    fn with_same_gate(&self) -> Option<&Figures> {
        let rules = &self.settings.rules;
        let gate = self.gate.as_ref().filter(|gate| gate.is_declared)?;
        let is_other =
            rules.strategy.is_some() || rules.changes_counting() || gate.rule.counts_passes();
        let known = self.base.filter(|_| !is_other)?.figures;
        let has_lines =
            |own: &RepeatFigures| own.gate.as_ref().is_some_and(|gate| !gate.lines.is_empty());
        known.repeats.iter().all(has_lines).then_some(known)
    }

    /// What is known of `totals` by the declared rules. Nothing of runs without cases: counts that the files declare
    /// are added to theirs.
    fn known<'a>(
        &'a self,
        runs: &[&Run],
        totals: impl FnOnce(&'a Figures) -> Option<&'a Totals>,
    ) -> Option<DeclaredTotals<'a>> {
        let base = self.base.filter(|_| runs.iter().all(|run| !run.cases.is_empty()))?;
        Some(DeclaredTotals { totals: totals(base.figures)?, is_rejudged: base.is_rejudged })
    }

    /// The runs at `idxs`.
    fn runs(&self, idxs: &[usize]) -> Vec<&Run> {
        idxs.iter().filter_map(|&idx| self.evaluation.runs.get(idx)).collect()
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
