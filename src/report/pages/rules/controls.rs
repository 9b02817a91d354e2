//! What can be set with one choice or one value: policy, strategy, pass rule, counting, weights.

use crate::figures::pass_words;
use crate::figures::{PolicyRule, Settings};
use crate::model::{PassRule, Strategy};
use crate::policy::Policy;
use crate::report::scope::PageScope;
use crate::report::{Num, Outcome};
use crate::scoring::{GroupScore, Missing, group_scores};
use crate::words::report::rules::{AS_DECLARED, controls as words};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most groups whose weights are listed.
const MAX_WEIGHTS: usize = 100;

/// One rule that can be set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// Name of the rule, as in [`crate::report::RuleWords`].
    pub name: String,
    /// What it is called.
    pub label: String,
    /// What it does.
    pub hint: String,
    /// The value in force, or what was typed and not understood; empty: as declared.
    pub value: String,
    /// What holds while nothing is set; empty: it cannot be said in one value.
    pub present: String,
    /// Values to choose from with their words; empty: a number or comparison is typed.
    pub options: Vec<(String, String)>,
    /// What follows from it just now: `3 of 5 checkpoints pass`.
    pub result: String,
    /// Why what was typed is not understood; empty: it is.
    pub error: String,
}

impl Control {
    /// What its field shows: what was set, else what holds anyway.
    pub fn shown(&self) -> &str {
        if self.value.is_empty() { &self.present } else { &self.value }
    }

    /// The value of the rule for what was typed: what holds anyway is no rule of its own.
    pub fn set_by(&self, typed: &str) -> String {
        let typed = typed.trim();
        if typed == self.present { String::new() } else { typed.to_owned() }
    }
}

impl PageScope<'_> {
    /// The rules, except for weights and the gate.
    pub(super) fn controls(&self) -> Vec<Control> {
        let settings = &self.workspace.settings;
        let rules = &settings.rules;
        let mut controls = Vec::new();
        if self.has_policies() {
            controls.push(self.policy_control());
        }
        if self.has_strategies() || rules.strategy.is_some() {
            let mut options = vec![(String::new(), AS_DECLARED.to_owned())];
            options.extend(Strategy::ALL.iter().map(|s| (s.to_string(), s.to_string())));
            controls.push(Control {
                name: "strategy".to_owned(),
                label: words::STRATEGY.to_owned(),
                hint: words::STRATEGY_HINT.to_owned(),
                value: rules.strategy.map_or(String::new(), |strategy| strategy.to_string()),
                options,
                result: self.passing(),
                ..Control::default()
            });
        }
        controls.push(Control {
            label: words::PASS.to_owned(),
            hint: words::PASS_HINT.to_owned(),
            present: self.declared_pass_rule().map_or(String::new(), pass_words),
            result: self.passing(),
            ..self.typed("pass".to_owned())
        });
        let kinds: [(&str, &str, Missing, u64); 3] = [
            ("errors", words::ERRORS_COUNT, rules.errors, self.count_outcome(Outcome::Error)),
            ("skipped", words::SKIPPED_COUNT, rules.skipped, self.count_outcome(Outcome::Skipped)),
            (
                "unscored",
                words::UNSCORED_COUNT,
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
            // Runs of other producers are judged by other rules.
            let parts = self.parts.iter().filter(|(entry, _)| entry.evaluation.config.has_policies);
            parts.flat_map(|(entry, idxs)| {
                let runs = idxs.iter().filter_map(|&idx| entry.figures.runs.get(idx));
                runs.map(|run| run.verdict.as_ref().map(|verdict| verdict.outcome))
            })
        };
        let n_passed = outcomes().filter(|outcome| *outcome == Some(Outcome::Passed)).count();
        let option = |policy: Policy| {
            let value = policy.as_str().to_owned();
            match policy {
                PolicyRule::DEFAULT => (String::new(), words::default_policy(&value)),
                _ => (value.clone(), value),
            }
        };
        let mut options: Vec<(String, String)> = Policy::ALL.into_iter().map(option).collect();
        if let Some(declared) = self.declared_policies() {
            let text = words::as_declared(&declared);
            options.insert(0, (PolicyRule::AS_DECLARED.to_owned(), text));
        } else if rule == PolicyRule::AsDeclared {
            let text = words::DECLARED_BY_NONE.to_owned();
            options.insert(0, (PolicyRule::AS_DECLARED.to_owned(), text));
        }
        Control {
            name: "policy".to_owned(),
            label: words::POLICY.to_owned(),
            hint: words::POLICY_HINT.to_owned(),
            value: if is_default { String::new() } else { rule.as_str().to_owned() },
            options,
            result: words::checkpoints_pass(n_passed as u64, outcomes().count() as u64),
            ..Control::default()
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
        words::cases_pass(n_passed, n_cases)
    }

    /// The weight of each group, by name.
    pub(super) fn weights(&self) -> Vec<Control> {
        let settings = &self.workspace.settings;
        let mut names: Vec<String> = Vec::new();
        let mut found: BTreeMap<String, Vec<(GroupScore, Option<f64>)>> = BTreeMap::new();
        for run in self.runs().into_iter().filter(|_| self.has_policies()) {
            for group in group_scores(run, &settings.group_weights, &settings.rules) {
                let own = run.groups.iter().find(|own| own.name == group.name);
                let declared = own.and_then(|own| own.weight);
                if let Some(all) = found.get_mut(&group.name) {
                    all.push((group, declared));
                } else if names.len() < MAX_WEIGHTS {
                    names.push(group.name.clone());
                    found.insert(group.name.clone(), vec![(group, declared)]);
                }
            }
        }
        let control = |name: String| {
            let groups = found.get(&name).map(Vec::as_slice).unwrap_or_default();
            self.weight(name, groups)
        };
        names.into_iter().map(control).collect()
    }

    /// The weight of the groups `label`, each with the weight that its files declare.
    fn weight(&self, label: String, groups: &[(GroupScore, Option<f64>)]) -> Control {
        let name = format!("weight:{label}");
        let mut weights: Vec<f64> = groups.iter().map(|(_, own)| own.unwrap_or(1.0)).collect();
        weights.sort_by(f64::total_cmp);
        weights.dedup();
        let declared = match weights.as_slice() {
            _ if groups.iter().all(|(_, own)| own.is_none()) => None,
            [] => None,
            [one] => Some(words::declared_weight(*one)),
            many => {
                let texts: Vec<String> = many.iter().map(f64::to_string).collect();
                Some(words::declared_weights(&texts.join(", ")))
            }
        };
        let score = match groups {
            [(group, _)] if self.is_run => group.score,
            _ => None,
        };
        let score = score.map(|Num(score)| words::group_score(score));
        Control {
            hint: words::WEIGHT_HINT.to_owned(),
            present: match weights.as_slice() {
                [one] => one.to_string(),
                _ => String::new(),
            },
            result: score.into_iter().chain(declared).collect::<Vec<_>>().join(", "),
            label,
            ..self.typed(name)
        }
    }

    /// A control for the rule `name` with what was typed, and what is wrong with it.
    fn typed(&self, name: String) -> Control {
        let value = self.workspace.written(&name).to_owned();
        let error = Some(value.as_str()).filter(|value| !value.is_empty());
        let error = error.and_then(|value| Settings::complaint(&name, value)).unwrap_or_default();
        Control { name, value, error, ..Control::default() }
    }

    /// The pass rule that all files of the scope declare.
    fn declared_pass_rule(&self) -> Option<PassRule> {
        let mut rules = self.parts.iter().map(|(entry, _)| entry.evaluation.config.pass_rule);
        let first = rules.next().flatten()?;
        rules.all(|rule| rule == Some(first)).then_some(first)
    }
}

fn missing_control(name: &str, label: &str, rule: Missing, n: u64) -> Control {
    let option = |rule: Missing| match rule {
        Missing::AsDeclared => (String::new(), words::AS_PRODUCER.to_owned()),
        Missing::Zero => (rule.as_str().to_owned(), words::AS_ZERO.to_owned()),
        Missing::LeftOut => (rule.as_str().to_owned(), words::LEFT_OUT.to_owned()),
    };
    Control {
        name: name.to_owned(),
        label: label.to_owned(),
        hint: words::MISSING_HINT.to_owned(),
        value: option(rule).0,
        options: Missing::ALL.into_iter().map(option).collect(),
        result: words::n_cases(n),
        ..Control::default()
    }
}
