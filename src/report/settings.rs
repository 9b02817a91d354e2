//! What the reader of the page may change about the rules.

use crate::policy::Policy;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Rules in force. Every figure follows them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Policy that decides a slop-code run.
    pub policy: Policy,
    /// Weight of a group in the weighted score, by name; 1 when not named.
    pub group_weights: BTreeMap<String, f64>,
}

impl Default for Settings {
    /// The guide's defaults.
    fn default() -> Self {
        Self { policy: Policy::CoreCases, group_weights: BTreeMap::new() }
    }
}
