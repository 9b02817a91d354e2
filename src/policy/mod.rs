//! Rules that decide a run, each with its reason.

mod gate;
mod gate_edit;
mod gate_form;
mod gate_text;
mod original;
mod pass_policy;

pub use gate::{GateLine, GateVerdict, judge_gate};
pub use gate_edit::{GateChange, GateEdit, SHAPES, fresh, n_lines, shape_of};
pub use gate_form::{AGGREGATES, Condition, GateForm, OPERATORS, OWN_SCORE, op_text};
pub use gate_text::{GateTextError, gate_text, parse_gate};
pub use original::{differences, original_check, original_passes_policy};
pub use pass_policy::{Policy, PolicyVerdict, judge_policies, judge_policy};
