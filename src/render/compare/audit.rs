//! What was paired and what was not, each with the list of it.

use super::CompareContext;
use crate::format::{count, counted};
use crate::report::compare::{Change, PairBy, Versus};
use serde::{Deserialize, Serialize};

/// What was paired or left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditShown {
    /// What.
    pub words: String,
    /// The list of these; `None`: there is none of them.
    pub address: Option<String>,
}

pub(super) fn audit(versus: &Versus, letter: char, drawn: &CompareContext<'_>) -> Vec<AuditShown> {
    let audit = &versus.audit;
    let item = |n: u64, words: String, change: Change| AuditShown {
        words,
        address: (n > 0).then(|| drawn.address(|view| *view = view.of_change(change))),
    };
    let how = match audit.by {
        PairBy::Key => "by suite, group and id",
        PairBy::Id => "by the id alone",
        PairBy::Input => "by the text of the input",
    };
    let pairs = counted(audit.n_pairs, "pair", "pairs");
    let mut items = vec![item(audit.n_pairs, format!("{pairs} {how}"), Change::Any)];
    let only = |n: u64, of: char| format!("{} only in {of}", count(n));
    items.push(item(audit.only_baseline, only(audit.only_baseline, 'A'), Change::OnlyBaseline));
    items.push(item(
        audit.only_candidate,
        only(audit.only_candidate, letter),
        Change::OnlyCandidate,
    ));
    if audit.n_known_inputs > 0 {
        let left_out = if drawn.view.without_changed { ", left out" } else { "" };
        let words = format!("{} with another input{left_out}", count(audit.changed));
        items.push(item(audit.changed, words, Change::OtherInput));
    }
    if audit.duplicates > 0 {
        let words = counted(audit.duplicates, "repeated id", "repeated ids");
        items.push(item(audit.duplicates, words, Change::Repeated));
    }
    if versus.touch.n > 0 {
        let words =
            format!("{} without a result on a side", counted(versus.touch.n, "pair", "pairs"));
        items.push(item(versus.touch.n, words, Change::NoResult));
    }
    if audit.left_out > 0 {
        let words = format!("{} not counted", counted(audit.left_out, "pair", "pairs"));
        items.push(item(audit.left_out, words, Change::LeftOut));
    }
    items
}

/// The lists of pairs that one looks at first.
pub(super) fn lists(versus: &Versus, drawn: &CompareContext<'_>) -> Vec<[String; 3]> {
    let changes = &versus.changes;
    let list = |words: &str, n: u64, change: Change| {
        let address = drawn.address(|view| *view = view.of_change(change));
        [words.to_owned(), count(n), address]
    };
    vec![
        list("All", versus.audit.n_pairs, Change::Any),
        list("Changed", changes.regressed + changes.fixed, Change::Changed),
        list("Regressed", changes.regressed, Change::Regressed),
        list("Fixed", changes.fixed, Change::Fixed),
    ]
}
