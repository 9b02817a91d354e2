//! The page about the rules, as it is sent.

use super::core::Core;
use super::drops::root;
use super::protocol::{Answer, Failure, PageShown};
use crate::address::Page;
use crate::render::View;
use crate::report::{self, GateEdit, RulesView, Sections, Target};
use serde::{Deserialize, Serialize};

/// What the page is called.
const TITLE: &str = "Policies & gates";

/// The page about the rules as it is sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RulesShown {
    /// What can be set, and what changes; its tables are in `page`.
    pub rules: RulesView,
    /// Title, facts and tables.
    pub page: PageShown,
    /// Where the changes that are named lead, one for each.
    pub addresses: Vec<String>,
    /// The rules in force as a command line.
    pub command: String,
}

impl RulesShown {
    /// `rules` as they are sent to be drawn as `view` says, with the tables of the ids `whole` whole.
    pub fn new(mut rules: RulesView, command: String, view: View<'_>, whole: &[String]) -> Self {
        let page = Sections {
            title: TITLE.to_owned(),
            facts: std::mem::take(&mut rules.facts),
            sections: std::mem::take(&mut rules.sections),
            ..Sections::default()
        };
        let address = |change: &report::RuleChange| {
            change.link.as_ref().map_or(String::new(), |link| view.address(link))
        };
        Self {
            addresses: rules.changes.first.iter().map(address).collect(),
            page: PageShown::new(page, view, whole),
            rules,
            command,
        }
    }
}

impl Core {
    /// The page about the rules, before it is drawn.
    ///
    /// # Errors
    /// [`Failure::Gone`] when `target` is not loaded.
    pub fn rules_view(&self, target: Target) -> Result<RulesView, Failure> {
        report::rules_view(&self.workspace.borrow(), target).ok_or(Failure::Gone)
    }

    /// The page about the rules.
    pub(super) fn rules_page(&self, target: Target, whole: &[String]) -> Result<Answer, Failure> {
        let workspace = self.workspace.borrow();
        let mut roots: Vec<String> = Vec::new();
        for entry in workspace.entries_of(target) {
            let files = entry.bundle.files.iter();
            for claimed in files.filter(|claimed| !claimed.is_mapping()) {
                let own = root(&claimed.file.path);
                if !roots.iter().any(|known| known == own) {
                    roots.push(own.to_owned());
                }
            }
        }
        let command = report::report_command(workspace.words(), &roots);
        let view = self.view(Page::Rules, target, &*workspace);
        let shown = RulesShown::new(self.rules_view(target)?, command, view, whole);
        Ok(Answer::Rules(Box::new(shown)))
    }

    /// The text of the user's gate after `edit`.
    pub(super) fn edit_gate(
        &self,
        target: Target,
        edit: &GateEdit,
        value: &str,
    ) -> Result<Answer, Failure> {
        let text = report::edit_gate(&self.workspace.borrow(), target, edit, value);
        text.map(Answer::Text).ok_or(Failure::Gone)
    }

    /// How many cases and runs pass by a comparison.
    pub(super) fn threshold(&self, target: Target, rule: &str) -> Result<Answer, Failure> {
        let found = report::threshold_count(&self.workspace.borrow(), target, rule);
        found.map(Answer::Threshold).ok_or(Failure::Gone)
    }
}
