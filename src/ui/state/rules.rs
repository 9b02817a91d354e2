//! The rules of the page's reader: they live in the address, and the worker is told.

use super::{Store, effect, memo};
use crate::report::RuleWords;
use crate::worker::protocol::{Answer, Question};
use leptos::prelude::*;

impl Store {
    /// Tells the worker the rules of the address, now and whenever they change.
    pub(super) fn keep_rules_in_force(self) {
        let rules = memo(move || self.route.with(|route| route.rules.clone()));
        let in_force = StoredValue::new(RuleWords::new());
        effect(move || {
            let rules = rules.get();
            if in_force.get_value() != rules {
                in_force.set_value(rules.clone());
                self.change(Question::Rules(rules));
            }
        });
    }

    /// Puts `value` into the address as the rule `name`; empty: it is as declared again.
    pub(super) fn put_rule(self, name: &str, value: &str) {
        let value = value.trim();
        let value = (!value.is_empty()).then(|| value.to_owned());
        self.go(|route| route.set_rule(name, value));
    }

    /// Changes the gate by what was chosen or typed in the control of `edit`.
    pub(super) fn edit_gate(self, edit: String, value: String) {
        let target = self.route.with_untracked(|route| route.target);
        self.ask(Question::EditGate { target, edit, value }, move |answer| match answer {
            Ok(Answer::Text(text)) => self.put_rule("gate", &text),
            Ok(_) => {}
            Err(failure) => self.say(failure.to_string()),
        });
    }
}
