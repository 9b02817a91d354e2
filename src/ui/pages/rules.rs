//! Policies, gates, weights, strategies, and what they change.

use leptos::prelude::*;

/// The rules in force, and what they change.
#[component]
pub fn RulesPage() -> impl IntoView {}
