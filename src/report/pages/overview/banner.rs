//! The banner of an overview: its verdict, and how declared and computed figures compare.

use crate::figures::Judgement;
use crate::report::pages::audit::DeclaredAgreement;
use crate::report::{Badge, Deciding, VerdictView};
use crate::words::report::overview::verdict as words;

/// A verdict as it is shown, with the cases that decide it.
pub(super) fn verdict_view(
    verdict: &Judgement,
    proviso: Option<&str>,
    in_part: Option<String>,
    deciding: Deciding,
) -> VerdictView {
    VerdictView {
        outcome: verdict.outcome,
        standing: verdict.standing(),
        rule: verdict.rule.clone(),
        reason: verdict.reason.shown_for(verdict.outcome),
        declared: verdict.declared.clone(),
        proviso: proviso.map(str::to_owned),
        in_part: in_part.map(|part| words::passed_in_part(&part)),
        deciding,
    }
}

/// How declared and computed figures compare, in words; `None` when nothing is declared. Differences
/// that a known cause explains are no alarm.
pub(super) fn badge(found: DeclaredAgreement) -> Option<Badge> {
    let DeclaredAgreement { n_agreeing, n_explained, n_differing } = found;
    let explained = match n_explained {
        0 => String::new(),
        n => words::more_explained(n),
    };
    let words = match (n_agreeing, n_differing) {
        (0, 0) if n_explained == 0 => return None,
        (0, 0) => words::all_explained(n_explained),
        (1, 0) => words::one_agrees(&explained),
        (n, 0) if n_explained == 0 => words::all_agree(n),
        (n, 0) => words::others_agree(n, &explained),
        (_, 1) => words::one_differs(&explained),
        (_, n) => words::some_differ(n, &explained),
    };
    Some(Badge { words, differs: n_differing > 0 })
}
