//! The banner of an overview: its verdict, and how declared and computed figures compare.

use crate::figures::Judgement;
use crate::format::{count, counted};
use crate::report::pages::audit::DeclaredAgreement;
use crate::report::{Badge, Deciding, VerdictView};

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
        in_part: in_part.map(|part| format!("passed {part}")),
        deciding,
    }
}

/// How declared and computed figures compare, in words; `None` when nothing is declared. Differences
/// that a known cause explains are no alarm.
pub(super) fn badge(found: DeclaredAgreement) -> Option<Badge> {
    let DeclaredAgreement { n_agreeing, n_explained, n_differing } = found;
    let explained = match n_explained {
        0 => String::new(),
        n => format!("; {} for a known reason", counted(n, "more differs", "more differ")),
    };
    let words = match (n_agreeing, n_differing) {
        (0, 0) if n_explained == 0 => return None,
        (0, 0) => {
            let figures =
                counted(n_explained, "declared figure differs", "declared figures differ");
            format!("≠ {figures} from the computed, for a known reason")
        }
        (1, 0) => format!("= 1 declared figure agrees with the computed one{explained}"),
        (n, 0) if n_explained == 0 => {
            format!("= All {} declared figures agree with the computed ones", count(n))
        }
        (n, 0) => {
            format!("= {} declared figures agree with the computed ones{explained}", count(n))
        }
        (_, 1) => format!("≠ 1 declared figure differs from the computed one{explained}"),
        (_, n) => {
            format!("≠ {} declared figures differ from the computed ones{explained}", count(n))
        }
    };
    Some(Badge { words, differs: n_differing > 0 })
}
