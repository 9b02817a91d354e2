//! What the command palette finds, as it is sent.

use crate::address::{Page, Route};
use crate::render::View;
use crate::report::{Command, CommandGoal, Outcome};
use serde::{Deserialize, Serialize};

/// Something that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaletteOption {
    /// What it is called.
    pub label: String,
    /// What it is: `page`, `run of maple`, `action`.
    pub hint: String,
    /// The key that does the same.
    pub key: Option<String>,
    /// Its outcome, when it has one.
    pub outcome: Option<Outcome>,
    /// What choosing it does.
    pub does: Does,
}

/// What choosing an option does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Does {
    /// Opens this address within the page.
    Open(String),
    /// Does what the page knows under this word.
    Act(String),
}

impl PaletteOption {
    /// `command` as it is sent to the page that `view` is of.
    pub(super) fn new(command: Command, view: View<'_>) -> Self {
        let does = match command.goal {
            CommandGoal::Act(word) => Does::Act(word),
            CommandGoal::Open(link) => {
                Does::Open(View { page: Page::Overview, ..view }.address(&link))
            }
            CommandGoal::Page(number) => {
                let page = Page::ALL.get(number.saturating_sub(1)).copied().unwrap_or_default();
                let route = Route { page, target: view.target, ..Route::default() };
                Does::Open(route.to_hash(view.names))
            }
        };
        Self {
            label: command.label,
            hint: command.hint,
            key: command.key.map(str::to_owned),
            outcome: command.outcome,
            does,
        }
    }
}
