//! What the user may change about the rules.
//!
//! Rules travel as words, `(name, value)`: in the page's address, from page to worker, in the strip
//! that says what was changed. Only the worker makes [`Settings`] of them.

use crate::model::{Config, GateRule, Op, PassRule, Strategy};
use crate::policy::{Policy, gate_text, op_text, parse_gate};
use crate::scoring::{Missing, Rules};
use crate::words::figures as words;
use std::collections::BTreeMap;

/// Rules as words: `("policy", "all-cases")`, `("policy", "as-declared")`, `("weight:core", "2")`, `("gate", "min(*) > 0")`,
/// `("strategy", "max")`, `("pass", ">= 0.8")`, `("errors", "zero")`, `("skipped", "left-out")`,
/// `("unscored", "zero")`.
pub type RuleWords = Vec<(String, String)>;

/// Which policy decides slop-code runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyRule {
    /// This one, for every run.
    Named(Policy),
    /// The one that each run's own files name; the guide's default where they name none.
    AsDeclared,
}

impl PolicyRule {
    /// The guide's default.
    pub const DEFAULT: Policy = Policy::CoreCases;

    /// The word for [`PolicyRule::AsDeclared`].
    pub const AS_DECLARED: &str = "as-declared";

    /// Its name in rules and exports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Named(policy) => policy.as_str(),
            Self::AsDeclared => Self::AS_DECLARED,
        }
    }

    /// The policy that decides runs of `suite` in an evaluation with `config`.
    pub fn of(self, config: &Config, suite: Option<&str>) -> Policy {
        match self {
            Self::Named(policy) => policy,
            Self::AsDeclared => {
                let own = config.suites.iter().find(|state| Some(state.suite.as_str()) == suite);
                let named = own.and_then(|state| state.policy.as_deref());
                let named = named.or(config.declared_policy.as_deref());
                named.and_then(Policy::from_text).unwrap_or(Self::DEFAULT)
            }
        }
    }
}

/// Rules in force. Every figure follows them; the default is what files and guides declare.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Policy that decides a slop-code run.
    pub policy: PolicyRule,
    /// Weight of a group in the weighted score, by name; 1 when not named.
    pub group_weights: BTreeMap<String, f64>,
    /// Gate in the place of the evaluations' own rules, where its metrics exist.
    pub gate: Option<GateRule>,
    /// How cases are judged and counted.
    pub rules: Rules,
}

impl Default for Settings {
    /// The guide's defaults.
    fn default() -> Self {
        Self {
            policy: PolicyRule::Named(PolicyRule::DEFAULT),
            group_weights: BTreeMap::new(),
            gate: None,
            rules: Rules::default(),
        }
    }
}

impl Settings {
    /// The settings that `words` ask for, and why some of them could not be understood. What is not
    /// understood stays as declared.
    pub fn from_words(words: &RuleWords) -> (Self, Vec<String>) {
        let mut settings = Self::default();
        let mut complaints = Vec::new();
        for (name, value) in words {
            if let Err(reason) = settings.set(name, value) {
                complaints.push(format!("{name} {value:?}: {reason}"));
            }
        }
        (settings, complaints)
    }

    /// Why `value` is none of the rule `name`; `None`: it is understood.
    pub fn complaint(name: &str, value: &str) -> Option<String> {
        Self::default().set(name, value).err()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let missing = || {
            let known = Missing::ALL.into_iter().find(|rule| rule.as_str() == value);
            known.ok_or_else(|| words::EXPECTED_MISSING.to_owned())
        };
        match name {
            "policy" => {
                self.policy = match Policy::from_text(value) {
                    Some(policy) => PolicyRule::Named(policy),
                    None if value == PolicyRule::AS_DECLARED => PolicyRule::AsDeclared,
                    None => return Err(words::NO_SUCH_POLICY.to_owned()),
                };
            }
            "gate" => self.gate = Some(parse_gate(value).map_err(|err| err.to_string())?),
            "strategy" => {
                self.rules.strategy =
                    Some(Strategy::from_text(value).ok_or(words::NO_SUCH_STRATEGY)?);
            }
            "pass" => self.rules.pass = Some(pass_rule(value)?),
            "errors" => self.rules.errors = missing()?,
            "skipped" => self.rules.skipped = missing()?,
            "unscored" => self.rules.unscored = missing()?,
            _ => {
                let group = name.strip_prefix("weight:").ok_or(words::NO_SUCH_RULE)?;
                let weight = value.trim().parse().ok().filter(|w: &f64| w.is_finite() && *w >= 0.0);
                let weight = weight.ok_or(words::EXPECTED_WEIGHT)?;
                self.group_weights.insert(group.to_owned(), weight);
            }
        }
        Ok(())
    }

    /// What differs from the declared rules, one phrase each: `policy all-cases`, `errors as 0`.
    pub fn changes(&self) -> Vec<String> {
        let mut changes = Vec::new();
        match self.policy {
            PolicyRule::AsDeclared => changes.push(words::POLICY_OF_EACH_RUN.to_owned()),
            PolicyRule::Named(PolicyRule::DEFAULT) => {}
            PolicyRule::Named(policy) => changes.push(words::policy(policy.as_str())),
        }
        changes.extend(
            self.group_weights.iter().map(|(group, weight)| words::weight_of(group, *weight)),
        );
        changes.extend(self.gate.as_ref().map(|gate| words::gate(&gate_text(gate))));
        changes.extend(self.rules.strategy.map(words::strategy));
        if let Some(rule) = self.rules.pass {
            changes.push(words::passes_when(&pass_text(rule)));
        }
        changes.extend(self.counting());
        changes
    }

    /// How errors, skipped and unscored cases count, where they do not count as declared.
    pub fn counting(&self) -> Vec<String> {
        let Rules { errors, skipped, unscored, .. } = self.rules;
        [
            (words::ERRORS, errors),
            (words::SKIPPED_CASES, skipped),
            (words::UNSCORED_CASES, unscored),
        ]
        .into_iter()
        .filter_map(|(what, rule)| match rule {
            Missing::AsDeclared => None,
            Missing::Zero => Some(words::count_as_zero(what)),
            Missing::LeftOut => Some(words::left_out(what)),
        })
        .collect()
    }
}

/// `≥ 0.8`.
pub(crate) fn pass_text(rule: PassRule) -> String {
    format!("{} {}", rule.op.sign(), rule.value)
}

/// `>= 0.8`, as it is typed.
pub(crate) fn pass_words(rule: PassRule) -> String {
    format!("{} {}", op_text(rule.op), rule.value)
}

/// Reads `>= 0.8`; a number alone means at least.
pub(crate) fn pass_rule(text: &str) -> Result<PassRule, String> {
    let text = text.trim();
    let (op, rest) = Op::split_off(text).unwrap_or((Op::Gte, text));
    let value = rest.trim().parse().ok().filter(|value: &f64| value.is_finite());
    let value = value.ok_or(words::EXPECTED_COMPARISON)?;
    Ok(PassRule { op, value, is_declared: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(list: &[(&str, &str)]) -> RuleWords {
        list.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn words_become_rules_and_rules_say_what_changed() {
        let (settings, complaints) = Settings::from_words(&words(&[
            ("policy", "all-cases"),
            ("weight:core", "0"),
            ("gate", "accuracy(*, 0.5) >= 80"),
            ("strategy", "max"),
            ("pass", "> 0.5"),
            ("errors", "zero"),
            ("skipped", "left-out"),
        ]));
        assert_eq!(complaints, Vec::<String>::new());
        assert_eq!(
            settings.changes(),
            [
                "policy all-cases",
                "weight of core 0",
                "gate accuracy(*, 0.5) >= 80",
                "strategy max",
                "a case passes when its score is > 0.5",
                "errors count as 0",
                "skipped cases left out",
            ]
        );
        assert_eq!(Settings::default().changes(), Vec::<String>::new());
    }

    #[test]
    fn what_is_not_understood_is_said_and_changes_nothing() {
        let (settings, complaints) = Settings::from_words(&words(&[
            ("policy", "none"),
            ("weight:core", "-1"),
            ("gate", "min(a) >"),
            ("pass", "half"),
            ("errors", "ignored"),
            ("colour", "red"),
        ]));
        assert_eq!(settings, Settings::default());
        assert_eq!(complaints.len(), 6);
        assert_eq!(complaints[2], "gate \"min(a) >\": expected a number at character 9");
    }
}
