//! The command palette: pages, runs, cases and actions by some of their letters.

use super::pages::cases::runs_of;
use super::{Link, Outcome, RunRef, Target};
use crate::input::Needle;
use crate::order::Order as _;
use crate::words::report::shared::palette as words;
use crate::workspace::Workspace;

/// Most commands that are listed.
const MAX_FOUND: usize = 40;
/// Most cases among them.
const MAX_CASES: usize = 15;

/// Something that can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// What it is called.
    pub label: String,
    /// What it is: `page`, `run of maple`, `action`.
    pub hint: String,
    /// The key that does the same.
    pub key: Option<&'static str>,
    /// Its outcome, when it has one.
    pub outcome: Option<Outcome>,
    /// What choosing it does.
    pub goal: CommandGoal,
}

/// What choosing a command does.
#[derive(Debug, Clone, PartialEq)]
pub enum CommandGoal {
    /// Turns to a page by its number in the navigation, 1-based.
    Page(usize),
    /// Opens something of the workspace.
    Open(Link),
    /// Does what the page knows under this word.
    Act(String),
}

/// Pages by their number.
const PAGES: [(&str, &str); 12] = [
    (words::OVERVIEW, "1"),
    (words::CASES, "2"),
    (words::FAILURES, "3"),
    (words::COMPARE, "c"),
    (words::RULES, "4"),
    (words::STATISTICS, "5"),
    (words::TRENDS, "6"),
    (words::AUDIT, "7"),
    (words::NOTES, "8"),
    (words::AGENT, "9"),
    (words::COLUMNS, "0"),
    (words::SQL, "q"),
];

/// Actions: words, the word of the page, the key.
const ACTIONS: [(&str, &str, Option<&str>); 13] = [
    (words::OPEN_FILES, "open-files", Some("o")),
    (words::OPEN_FOLDER, "open-folder", None),
    (words::DECLARED_RULES, "declared-rules", None),
    (words::COMPARE_PREVIOUS, "compare-previous", None),
    (words::COMPARE_WITH, "compare-with", None),
    (words::RENAME, "rename", Some("F2")),
    (words::REMOVE, "remove", None),
    (words::RESTORE, "restore", Some("u")),
    (words::SETTINGS, "settings", Some(",")),
    (words::THEME, "theme", Some("t")),
    (words::SEAL, "seal", None),
    (words::COPY_LINK, "copy-link", None),
    (words::KEYS, "keys", Some("?")),
];

/// What `text` finds, best first. Without text: pages and actions. `more` are further actions: what
/// they are called, and the word of the page.
pub fn palette(
    workspace: &Workspace,
    text: &str,
    target: Target,
    more: &[(String, String)],
) -> Vec<Command> {
    let needle = text.trim().to_lowercase();
    let mut found: Vec<(u32, Command)> = Vec::new();
    let mut offer = |command: Command| {
        if let Some(distance) = distance(&command.label, &needle) {
            found.push((distance, command));
        }
    };
    let runs = || workspace.entries.iter().flat_map(|entry| &entry.evaluation.runs);
    let has_documents = runs().any(|run| !run.documents.is_empty());
    let has_tables =
        workspace.entries.iter().any(|entry| entry.evaluation.config.mapping.is_some());
    for (number, (label, key)) in (1..).zip(PAGES) {
        if label == words::AGENT && !has_documents || label == words::COLUMNS && !has_tables {
            continue;
        }
        offer(command(label, words::PAGE, Some(key), CommandGoal::Page(number)));
    }
    for (label, word, key) in ACTIONS {
        offer(command(label, words::ACTION, key, CommandGoal::Act(word.to_owned())));
    }
    for (label, word) in more {
        offer(command(label, words::ACTION, None, CommandGoal::Act(word.clone())));
    }
    if !needle.is_empty() {
        for entry in &workspace.entries {
            let label = &entry.evaluation.label;
            let link = Link::Target(Target::Evaluation(entry.id));
            offer(command(label, words::EVALUATION, None, CommandGoal::Open(link)));
            for (run, idx) in entry.evaluation.runs.iter().zip(0_u32..) {
                let run_ref = RunRef { evaluation: entry.id, run: idx };
                let goal = CommandGoal::Open(Link::Target(Target::Run(run_ref)));
                offer(command(&run.label, &words::run_of(label), None, goal));
            }
        }
        cases(workspace, &needle, target).into_iter().for_each(&mut offer);
    }
    found.order_by_key(|(distance, _)| *distance);
    found.truncate(MAX_FOUND);
    found.into_iter().map(|(_, command)| command).collect()
}

fn command(label: &str, hint: &str, key: Option<&'static str>, goal: CommandGoal) -> Command {
    Command { label: label.to_owned(), hint: hint.to_owned(), key, outcome: None, goal }
}

/// The first cases of `target` whose id contains `needle`.
fn cases(workspace: &Workspace, needle: &str, target: Target) -> Vec<Command> {
    let mut found = Vec::new();
    let (needle, mut space) = (Needle::new(needle), String::new());
    for (at, run) in runs_of(workspace, target).into_iter().flatten() {
        for (idx, id) in run.cases.id.iter().enumerate() {
            let Some(id) = id.filter(|id| needle.is_in(id, &mut space)) else { continue };
            found.push(Command {
                label: id.to_owned(),
                hint: words::case_of(&run.label),
                key: None,
                outcome: Some(run.cases.outcome_of(idx)),
                goal: CommandGoal::Open(Link::Case { run: at, case_idx: idx as u64 }),
            });
            if found.len() == MAX_CASES {
                return found;
            }
        }
    }
    found
}

/// How far `needle` is from being `label`: 0 the same, then its beginning, the beginning of a word,
/// inside, letters in order; `None` when not even that.
fn distance(label: &str, needle: &str) -> Option<u32> {
    let label = label.to_lowercase();
    if needle.is_empty() || label == needle {
        return Some(0);
    }
    match label.find(needle) {
        Some(0) => return Some(1),
        Some(at) => {
            let before = label.get(..at).and_then(|head| head.chars().next_back());
            return Some(if before.is_some_and(char::is_alphanumeric) { 3 } else { 2 });
        }
        None => {}
    }
    let mut letters = label.chars();
    let is_within = needle
        .chars()
        .filter(|wanted| !wanted.is_whitespace())
        .all(|wanted| letters.any(|letter| letter == wanted));
    is_within.then_some(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_match_better_come_first() {
        let far = ["open", "Open files", "Re-open", "reopen", "o p e n", "poen"];
        let found: Vec<_> = far.iter().map(|label| distance(label, "open")).collect();
        assert_eq!(found, [Some(0), Some(1), Some(2), Some(3), Some(4), None]);
    }

    #[test]
    fn without_words_there_are_pages_and_actions() {
        let found = palette(&Workspace::default(), " ", Target::All, &[]);
        // The agent's page is offered where some run has documents, that of columns where there are tables.
        assert_eq!(found.len(), PAGES.len() - 2 + ACTIONS.len());
        assert_eq!(palette(&Workspace::default(), "settings", Target::All, &[]).len(), 1);
        assert!(palette(&Workspace::default(), "zzz", Target::All, &[]).is_empty());
    }
}
