//! The page about the rules: what can be set, what changes by it, what each rule says.

mod changes;
mod command;
mod controls;
mod gate;
mod rewards;
mod tables;
mod threshold;

pub use changes::{RuleChange, RuleChanges};
pub use command::{report_command, rule_of_argument};
pub use controls::Control;
pub use gate::{GateControl, GateControlKind, GatePart, GateRow, GateView, edit_gate, gate_part};
pub use threshold::{Threshold, ThresholdCount, threshold_count};

use crate::report::flips::flip_section;
use crate::report::scope::PageScope;
use crate::report::{Section, Target};
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// More weights than these are folded away at first.
const OPEN_WEIGHTS: usize = 12;

/// The rules for one target.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RulesView {
    /// Names of what it is about, in reading order.
    pub facts: Vec<String>,
    /// What can be set with one choice or one value.
    pub controls: Vec<Control>,
    /// What the slider of the pass rule spans; `None` where no case has a score.
    pub threshold: Option<Threshold>,
    /// The weight of each group.
    pub weights: Vec<Control>,
    /// The gate.
    pub gate: GateView,
    /// What changes, in short.
    pub changes: RuleChanges,
    /// What changes, one by one, then what each rule says.
    pub sections: Vec<Section>,
}

impl RulesView {
    /// An id for the field of each control, then of each weight: names of groups may differ in their
    /// punctuation alone.
    pub fn field_ids(&self) -> Vec<String> {
        let mut ids: Vec<String> = Vec::new();
        let mut taken = BTreeSet::new();
        for control in self.controls.iter().chain(&self.weights) {
            let plain = control.name.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
            let mut id = format!("rule-{plain}");
            while !taken.insert(id.clone()) {
                id.push('_');
            }
            ids.push(id);
        }
        ids
    }

    /// Whether the weights are in sight at first: many are folded away.
    pub fn shows_weights(&self) -> bool {
        self.weights.len() <= OPEN_WEIGHTS
    }
}

/// The rules for `target`; `None` when it is not there.
pub fn rules_view(workspace: &Workspace, target: Target) -> Option<RulesView> {
    let scope = PageScope::new(workspace, target)?;
    let (changes, flips) = flip_section(workspace, target);
    let mut sections: Vec<Section> = flips.into_iter().collect();
    sections.extend(tables::sections(&scope));
    Some(RulesView {
        facts: scope.facts(),
        controls: scope.controls(),
        threshold: scope.threshold(),
        weights: scope.weights(),
        gate: scope.gate(),
        changes,
        sections,
    })
}
