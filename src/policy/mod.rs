//! Rules that decide: pass policies over counts by kind (slop-code), gates over aggregates
//! (letta-evals). Each verdict comes with its reason in words.

mod gate;
mod pass_policy;

pub use gate::{GateVerdict, judge_gate};
pub use pass_policy::{Policy, PolicyVerdict, judge_policies, judge_policy};
