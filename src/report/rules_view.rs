//! The page about the rules: what can be set, what each rule says, what changes.

use super::figures::{knows_metrics, metric_names};
use super::flips::flip_section;
use super::workspace::{Entry, Workspace};
use super::{Num, Outcome, PolicyRule, Section, Target, rules_tables};
use crate::format::{count, counted};
use crate::model::{Run, Strategy};
use crate::policy::{GateChange, GateEdit, GateForm, GateLine, Policy, fresh};
use crate::scoring::{Missing, group_scores};
use std::collections::BTreeSet;

/// The rules for one target.
#[derive(Debug, Clone, PartialEq)]
pub struct RulesView {
    /// Names of what it is about, in reading order.
    pub facts: Vec<String>,
    /// What can be set with one choice or one value.
    pub controls: Vec<Control>,
    /// The weight of each group.
    pub weights: Vec<Control>,
    /// The gate.
    pub gate: GateView,
    /// What changes, then what each rule says.
    pub sections: Vec<Section>,
}

/// One rule that can be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// Name of the rule, as in [`super::RuleWords`].
    pub name: String,
    /// What it is called.
    pub label: String,
    /// What it does.
    pub hint: String,
    /// The value in force, or what was typed and not understood; empty: as declared.
    pub value: String,
    /// Values to choose from with their words; empty: a number or comparison is typed.
    pub options: Vec<(String, String)>,
    /// What follows from it just now: `3 of 5 checkpoints pass`.
    pub result: String,
}

/// The gate that is being made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GateView {
    /// The reader's gate as it was written, understood or not; empty: none.
    pub text: String,
    /// The reader's gate; `None` while the evaluations' own rules decide.
    pub form: Option<GateForm>,
    /// Metrics that it can look at, beside the cases' own score.
    pub metrics: Vec<String>,
    /// The reader's gate over all cases of the target, part by part.
    pub lines: Vec<GateLine>,
    /// Evaluations of the target that the reader's gate does not fit, because a metric is missing.
    pub unfit: Vec<String>,
}

/// Most groups whose weights are listed.
const MAX_WEIGHTS: usize = 100;
/// Most metrics that are offered.
const MAX_METRICS: usize = 200;

/// The rules for `target`; `None` when it is not there.
pub fn rules_view(workspace: &Workspace, target: Target) -> Option<RulesView> {
    let scope = Scope::new(workspace, target)?;
    let mut sections = vec![flip_section(workspace, target)];
    sections.extend(rules_tables::sections(&scope));
    Some(RulesView {
        facts: scope.facts(),
        controls: scope.controls(),
        weights: scope.weights(),
        gate: scope.gate(),
        sections,
    })
}

/// The text of the reader's gate after `edit`, a word of [`GateEdit`], to what was chosen or typed;
/// empty when nothing is left of it. `None` when `target` is not there, the word is none, or there is
/// no gate to change.
pub fn edit_gate(workspace: &Workspace, target: Target, edit: &str, value: &str) -> Option<String> {
    let scope = Scope::new(workspace, target)?;
    let edit = GateEdit::parse(edit)?;
    let form = match edit.change {
        GateChange::Begin => Some(scope.declared_gate().unwrap_or_else(fresh)),
        _ => {
            let form = GateForm::of(workspace.settings.gate.as_ref()?)?;
            edit.apply(form, value, &scope.metrics())
        }
    };
    Some(form.map_or(String::new(), |form| form.text()))
}

/// What the page is about.
pub(super) struct Scope<'a> {
    pub workspace: &'a Workspace,
    /// Evaluations with the runs that count.
    pub parts: Vec<(&'a Entry, Vec<usize>)>,
    /// Whether it is about one run.
    pub is_run: bool,
}

impl<'a> Scope<'a> {
    pub(super) fn new(workspace: &'a Workspace, target: Target) -> Option<Self> {
        let only = match target {
            Target::Run(run) => {
                workspace.run(run)?;
                Some(run.run as usize)
            }
            Target::Evaluation(id) => {
                workspace.entry(id)?;
                None
            }
            Target::All => None,
        };
        let parts = workspace.entries_of(target).map(|entry| {
            let runs = 0..entry.evaluation.runs.len();
            (entry, runs.filter(|idx| only.is_none_or(|only| only == *idx)).collect())
        });
        Some(Self { workspace, parts: parts.collect(), is_run: only.is_some() })
    }

    /// Every run, as judged by the rules in force.
    pub(super) fn runs(&self) -> Vec<&'a Run> {
        let of_part = |(entry, idxs): &(&'a Entry, Vec<usize>)| -> Vec<&'a Run> {
            idxs.iter().filter_map(|&idx| entry.evaluation.runs.get(idx)).collect()
        };
        self.parts.iter().flat_map(of_part).collect()
    }

    pub(super) fn facts(&self) -> Vec<String> {
        match self.parts.as_slice() {
            [(entry, idxs)] => {
                let run = idxs.first().filter(|_| self.is_run);
                let run = run.and_then(|&idx| entry.evaluation.runs.get(idx));
                std::iter::once(entry.evaluation.label.clone())
                    .chain(run.map(|run| run.label.clone()))
                    .collect()
            }
            parts => vec![counted(parts.len() as u64, "evaluation", "evaluations")],
        }
    }

    pub(super) fn has_policies(&self) -> bool {
        self.parts.iter().any(|(entry, _)| entry.evaluation.config.has_policies)
    }

    pub(super) fn has_strategies(&self) -> bool {
        let has = |run: &&Run| {
            run.cases.strategy.words().next().is_some()
                || (run.checks.verdict.words().next().is_some()
                    && run.cases.n_attempts.iter().any(|n| n.is_some())
                    && run.checks.attempt.iter().flatten().any(|attempt| attempt > 1))
        };
        self.runs().iter().any(has)
    }

    fn count(&self, is_counted: impl Fn(&Run, usize) -> bool) -> u64 {
        let of_run = |run: &Run| (0..run.cases.len()).filter(|&idx| is_counted(run, idx)).count();
        self.runs().into_iter().map(|run| of_run(run) as u64).sum()
    }

    fn controls(&self) -> Vec<Control> {
        let settings = &self.workspace.settings;
        let rules = &settings.rules;
        let mut controls = Vec::new();
        if self.has_policies() {
            controls.push(self.policy_control());
        }
        if self.has_strategies() || rules.strategy.is_some() {
            let mut options = vec![(String::new(), "as declared".to_owned())];
            options.extend(Strategy::ALL.iter().map(|s| (s.to_string(), s.to_string())));
            controls.push(Control {
                name: "strategy".to_owned(),
                label: "Attempts combined by".to_owned(),
                hint: "How the attempts of a case become one score and verdict".to_owned(),
                value: rules.strategy.map_or(String::new(), |strategy| strategy.to_string()),
                options,
                result: self.passing(),
            });
        }
        controls.push(Control {
            name: "pass".to_owned(),
            label: "A case passes when its score is".to_owned(),
            hint:
                "A comparison like >= 0.8, in the place of the producer's rule; empty: as declared"
                    .to_owned(),
            value: self.workspace.written("pass").to_owned(),
            options: Vec::new(),
            result: self.passing(),
        });
        let kinds: [(&str, &str, Missing, u64); 3] = [
            ("errors", "Errors", rules.errors, self.count_outcome(Outcome::Error)),
            ("skipped", "Skipped cases", rules.skipped, self.count_outcome(Outcome::Skipped)),
            (
                "unscored",
                "Unscored cases",
                rules.unscored,
                self.count(|run, idx| {
                    run.cases.outcome_of(idx) == Outcome::Unscored
                        && run.cases.score.get(idx).is_none()
                }),
            ),
        ];
        for (name, label, rule, n) in kinds {
            if n > 0 || rule != Missing::AsDeclared {
                controls.push(missing_control(name, label, rule, n));
            }
        }
        controls
    }

    fn count_outcome(&self, outcome: Outcome) -> u64 {
        self.count(|run, idx| run.cases.outcome_of(idx) == outcome)
    }

    fn policy_control(&self) -> Control {
        let rule = self.workspace.settings.policy;
        let is_default = rule == PolicyRule::Named(PolicyRule::DEFAULT);
        let outcomes = || {
            self.parts.iter().flat_map(|(entry, idxs)| {
                let runs = idxs.iter().filter_map(|&idx| entry.figures.runs.get(idx));
                runs.map(|run| run.verdict.as_ref().map(|verdict| verdict.outcome))
            })
        };
        let n_passed = outcomes().filter(|outcome| *outcome == Some(Outcome::Passed)).count();
        let option = |policy: Policy| {
            let value = policy.as_str().to_owned();
            match policy {
                PolicyRule::DEFAULT => (String::new(), format!("{value} (the guide's default)")),
                _ => (value.clone(), value),
            }
        };
        let mut options: Vec<(String, String)> = Policy::ALL.into_iter().map(option).collect();
        if let Some(declared) = self.declared_policies() {
            let words = format!("as declared ({declared})");
            options.insert(0, (PolicyRule::AS_DECLARED.to_owned(), words));
        } else if rule == PolicyRule::AsDeclared {
            let words = "as declared (the files name none)".to_owned();
            options.insert(0, (PolicyRule::AS_DECLARED.to_owned(), words));
        }
        Control {
            name: "policy".to_owned(),
            label: "Pass policy".to_owned(),
            hint: "Which cases must pass for a checkpoint to pass".to_owned(),
            value: if is_default { String::new() } else { rule.as_str().to_owned() },
            options,
            result: format!(
                "{} of {} checkpoints pass by it",
                count(n_passed as u64),
                count(outcomes().count() as u64)
            ),
        }
    }

    /// The policies that the files name, each once.
    fn declared_policies(&self) -> Option<String> {
        let mut names: Vec<&str> = Vec::new();
        for (entry, _) in &self.parts {
            let config = &entry.evaluation.config;
            let of_suites = config.suites.iter().filter_map(|state| state.policy.as_deref());
            for name in of_suites.chain(config.declared_policy.as_deref()) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// How many cases pass.
    fn passing(&self) -> String {
        let n_cases = self.runs().iter().map(|run| run.cases.len() as u64).sum();
        let n_passed = self.count_outcome(Outcome::Passed);
        format!("{} of {} cases pass", count(n_passed), count(n_cases))
    }

    fn weights(&self) -> Vec<Control> {
        let settings = &self.workspace.settings;
        let mut seen = BTreeSet::new();
        let mut controls = Vec::new();
        for run in self.runs().into_iter().filter(|_| self.has_policies()) {
            for group in group_scores(run, &settings.group_weights, &settings.rules) {
                if controls.len() == MAX_WEIGHTS || !seen.insert(group.name.clone()) {
                    continue;
                }
                let name = format!("weight:{}", group.name);
                let value = self.workspace.written(&name).to_owned();
                let score = group.score.filter(|_| self.is_run);
                let own = run.groups.iter().find(|own| own.name == group.name);
                let declared = own.and_then(|own| own.weight);
                controls.push(Control {
                    name,
                    label: group.name,
                    hint: "Weight of the group in the weighted score; the declared one unless set, else 1".to_owned(),
                    value,
                    options: Vec::new(),
                    result: score
                        .map(|Num(score)| format!("score {score:.3}"))
                        .into_iter()
                        .chain(declared.map(|weight| format!("declared weight {weight}")))
                        .collect::<Vec<_>>()
                        .join(", "),
                });
            }
        }
        controls
    }

    /// Metrics that a gate can look at: those that the evaluations declare come first.
    fn metrics(&self) -> Vec<String> {
        let mut metrics: Vec<String> = Vec::new();
        for (entry, _) in &self.parts {
            for metric in &entry.evaluation.config.metrics {
                if !metrics.contains(metric) {
                    metrics.push(metric.clone());
                }
            }
        }
        let others: BTreeSet<&str> =
            self.parts.iter().flat_map(|(entry, _)| metric_names(&entry.evaluation)).collect();
        for metric in others {
            if metrics.len() < MAX_METRICS && metrics.iter().all(|known| known != metric) {
                metrics.push(metric.to_owned());
            }
        }
        metrics
    }

    /// The gate of the files, to begin with.
    fn declared_gate(&self) -> Option<GateForm> {
        let declared = |(entry, _): &(&Entry, Vec<usize>)| {
            GateForm::of(&entry.evaluation.config.gate.as_ref()?.rule)
        };
        self.parts.iter().find_map(declared)
    }

    fn gate(&self) -> GateView {
        let rule = self.workspace.settings.gate.as_ref();
        let unfit = self
            .parts
            .iter()
            .filter(|(entry, _)| rule.is_some_and(|rule| !knows_metrics(&entry.evaluation, rule)));
        GateView {
            text: self.workspace.written("gate").to_owned(),
            form: rule.and_then(GateForm::of),
            metrics: self.metrics(),
            lines: rules_tables::gate_lines(self, rule),
            unfit: unfit.map(|(entry, _)| entry.evaluation.label.clone()).collect(),
        }
    }
}

fn missing_control(name: &str, label: &str, rule: Missing, n: u64) -> Control {
    let words = |rule: Missing| match rule {
        Missing::AsDeclared => (String::new(), "as the producer counts them".to_owned()),
        Missing::Zero => (rule.as_str().to_owned(), "as 0, not passed".to_owned()),
        Missing::LeftOut => (rule.as_str().to_owned(), "left out".to_owned()),
    };
    Control {
        name: name.to_owned(),
        label: format!("{label} count"),
        hint: "In means, rates, groups, policies and gates; means over attempted and over all cases are shown either way"
            .to_owned(),
        value: words(rule).0,
        options: Missing::ALL.into_iter().map(words).collect(),
        result: counted(n, "case", "cases"),
    }
}
