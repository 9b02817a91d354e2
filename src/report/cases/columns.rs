//! Which columns hold anything.

use super::SortKey;
use crate::model::{Column, Kinded, Run};
use crate::report::RunRef;

impl SortKey {
    /// Every column, in the usual order.
    pub const COLUMNS: [Self; 17] = [
        Self::Id,
        Self::Outcome,
        Self::Run,
        Self::Suite,
        Self::Variant,
        Self::Model,
        Self::Repeat,
        Self::Group,
        Self::Kind,
        Self::Tags,
        Self::Score,
        Self::FailedChecks,
        Self::Attempts,
        Self::Duration,
        Self::Tokens,
        Self::Cost,
        Self::Error,
    ];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::File => "File order",
            Self::Run => "Run",
            Self::Id => "Case",
            Self::Group => "Group",
            Self::Kind => "Kind",
            Self::Outcome => "Outcome",
            Self::Score => "Score",
            Self::FailedChecks => "Failed checks",
            Self::Attempts => "Attempts",
            Self::Duration => "Time",
            Self::Cost => "Cost",
            Self::Tokens => "Tokens",
            Self::Error => "Message",
            Self::Model => "Model",
            Self::Suite => "Suite",
            Self::Variant => "Checkpoint",
            Self::Repeat => "Repeat",
            Self::Tags => "Tags",
            Self::Instability => "Instability",
        }
    }
}

fn any<K: Kinded>(column: &Column<K>) -> bool {
    column.array().is_some()
}

/// The columns that hold anything in `runs` and are shown when none are chosen, in display order.
pub(super) fn columns(runs: &[(RunRef, &Run)]) -> Vec<SortKey> {
    let holds = |get: fn(&Run) -> bool| runs.iter().any(|(_, run)| get(run));
    let is_shown = |key: &SortKey| match key {
        SortKey::Outcome | SortKey::Id => true,
        SortKey::Run => runs.len() > 1,
        SortKey::Group => holds(|run| any(&run.cases.group)),
        SortKey::Kind => holds(|run| any(&run.cases.kind)),
        SortKey::Tags => holds(|run| any(&run.cases.tags)),
        SortKey::Score => holds(|run| any(&run.cases.score)),
        SortKey::FailedChecks => {
            holds(|run| any(&run.checks.is_correct) || any(&run.checks.verdict))
        }
        SortKey::Attempts => holds(|run| any(&run.cases.n_attempts)),
        SortKey::Duration => holds(|run| any(&run.cases.duration_secs)),
        SortKey::Tokens => {
            holds(|run| any(&run.cases.prompt_tokens) || any(&run.cases.completion_tokens))
        }
        SortKey::Cost => holds(|run| any(&run.cases.cost_usd)),
        SortKey::Error => holds(|run| {
            any(&run.cases.error_message)
                || any(&run.cases.error_type)
                || any(&run.cases.error_category)
        }),
        SortKey::Suite
        | SortKey::Variant
        | SortKey::Model
        | SortKey::Repeat
        | SortKey::File
        | SortKey::Instability => false,
    };
    SortKey::COLUMNS.into_iter().filter(is_shown).collect()
}

/// The columns that a chooser offers: those shown by themselves, and what tells runs apart.
pub(super) fn choosable(runs: &[(RunRef, &Run)]) -> Vec<SortKey> {
    let shown = columns(runs);
    let is_offered = |key: &SortKey| match key {
        SortKey::Model => runs.iter().any(|(_, run)| run.key.subject.is_some()),
        SortKey::Variant => {
            runs.iter().any(|(_, run)| run.key.variant.is_some() || any(&run.cases.variant))
        }
        SortKey::Suite | SortKey::Repeat => true,
        key => shown.contains(key),
    };
    SortKey::COLUMNS.into_iter().filter(is_offered).collect()
}
