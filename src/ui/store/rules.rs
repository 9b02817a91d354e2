//! The user's rules: they live in the address, and the worker is told.

use super::{Store, effect, memo};
use crate::address::Route;
use crate::report::{GateEdit, RuleWords};
use crate::ui::state::{LastSent, rule_value};
use crate::worker::protocol::{Answer, Question};
use leptos::prelude::*;

impl Store {
    /// Tells the worker the rules of the address, now and whenever they change.
    pub(super) fn keep_rules_in_force(self) {
        let rules = memo(move || self.route.with(|route| route.rules.clone()));
        let in_force = StoredValue::new(LastSent::<RuleWords>::default());
        effect(move || {
            let rules = rules.get();
            if in_force.try_update_value(|told| told.is_news(&rules)) == Some(true) {
                self.change(Question::Rules(rules));
            }
        });
    }

    /// Puts `value` into the address as the rule `name`; empty: it is as declared again.
    pub fn put_rule(self, name: &str, value: &str) {
        self.go(|route| route.set_rule(name, rule_value(value)));
    }

    /// The same for a value that a slider goes through: it is a step of the history only where the rule
    /// was as declared.
    pub fn slide_rule(self, name: &str, value: &str) {
        let is_set = |route: &Route| route.rules.iter().any(|(known, _)| known == name);
        if value.is_empty() || !self.route.with_untracked(is_set) {
            return self.put_rule(name, value);
        }
        self.adjust(|route| route.set_rule(name, Some(value.to_owned())));
    }

    /// Changes the gate by what was chosen or typed in the control of `edit`.
    pub fn edit_gate(self, edit: GateEdit, value: String) {
        let target = self.route.with_untracked(|route| route.target);
        self.ask(Question::EditGate { target, edit, value }, move |answer| match answer {
            Ok(Answer::Text(text)) => self.put_rule("gate", &text),
            Ok(_) => {}
            Err(failure) => self.say(failure.to_string()),
        });
    }
}
