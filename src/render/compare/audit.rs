//! What was paired and what was not, each with the list of it.

use super::CompareContext;
use crate::format::count;
use crate::report::compare::{Change, PairBy, Versus};
use crate::words::ui::compared as said;
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
        PairBy::Key => said::BY_KEY,
        PairBy::Id => said::BY_ID,
        PairBy::Input => said::BY_INPUT,
    };
    let mut items = vec![item(audit.n_pairs, said::paired(audit.n_pairs, how), Change::Any)];
    items.push(item(
        audit.only_baseline,
        said::only_in(audit.only_baseline, 'A'),
        Change::OnlyBaseline,
    ));
    items.push(item(
        audit.only_candidate,
        said::only_in(audit.only_candidate, letter),
        Change::OnlyCandidate,
    ));
    if audit.n_known_inputs > 0 {
        let words = match drawn.view.without_changed {
            true => said::other_input_left_out(audit.changed),
            false => said::other_input(audit.changed),
        };
        items.push(item(audit.changed, words, Change::OtherInput));
    }
    if audit.duplicates > 0 {
        let words = said::repeated_ids(audit.duplicates);
        items.push(item(audit.duplicates, words, Change::Repeated));
    }
    if versus.touch.n > 0 {
        let words = said::without_result(versus.touch.n);
        items.push(item(versus.touch.n, words, Change::NoResult));
    }
    if audit.left_out > 0 {
        let words = said::not_counted(audit.left_out);
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
        list(said::ALL, versus.audit.n_pairs, Change::Any),
        list(said::CHANGED, changes.regressed + changes.fixed, Change::Changed),
        list(said::REGRESSED, changes.regressed, Change::Regressed),
        list(said::FIXED, changes.fixed, Change::Fixed),
    ]
}
