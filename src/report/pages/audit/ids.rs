//! Declared and computed lists of ids.

use super::AuditValue;
use super::compare::AuditedFigure;
use crate::words::report::audit as words;
use std::collections::HashMap;

/// Whether a list of ids has all that it should, and more.
pub(super) fn lists_more(compared: &AuditedFigure<'_>) -> bool {
    matches!(only_ids(compared), Some([None, Some(_)]))
}

/// The first id that only one of two lists has.
pub(super) fn of_ids(compared: &AuditedFigure<'_>) -> Option<String> {
    let [computed, stated] = only_ids(compared)?;
    computed.map(|id| words::not_in_list(&id)).or_else(|| stated.map(|id| words::only_in_list(&id)))
}

/// The first id that only the computed list has, and the first that only the declared one has.
fn only_ids(compared: &AuditedFigure<'_>) -> Option<[Option<String>; 2]> {
    let (AuditValue::Text(stated), AuditValue::Text(computed)) =
        (&compared.stated, &compared.computed)
    else {
        return None;
    };
    let counts = |text: &str| {
        let mut counts: HashMap<String, i64> = HashMap::new();
        for id in text.split(", ").filter(|id| !id.is_empty()) {
            *counts.entry(id.to_owned()).or_default() += 1;
        }
        counts
    };
    let (own, others) = (counts(stated), counts(computed));
    let lacks = |text: &str, there: &HashMap<String, i64>, here: &HashMap<String, i64>| {
        let mut ids = text.split(", ").filter(|id| !id.is_empty());
        ids.find(|id| there.get(*id) > here.get(*id)).map(str::to_owned)
    };
    Some([lacks(computed, &others, &own), lacks(stated, &own, &others)])
}
