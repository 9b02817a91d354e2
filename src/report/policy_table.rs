//! The pass policies of slop-code as a table: all seven, with what each says and why.

use super::table::Column;
use super::{Cell, Kind, Outcome, Table};
use crate::policy::PolicyVerdict;
use crate::scoring::KindCount;
use crate::words::report::rules::{REASON, tables as words};
use std::collections::BTreeMap;

/// All seven policies.
pub(super) fn policies(policies: &[PolicyVerdict], by_kind: &BTreeMap<Kind, KindCount>) -> Table {
    let mut table = Table::new(
        "policies",
        words::POLICIES,
        vec![Column::words(words::POLICY), Column::words(words::VERDICT), Column::words(REASON)],
    );
    for verdict in policies {
        table.row(vec![
            Cell::Text(verdict.policy.as_str().to_owned()),
            policy_cell(verdict, by_kind),
            Cell::Text(verdict.reason.clone()),
        ]);
    }
    table.footnote = Some(words::POLICIES_FOOTNOTE.to_owned());
    table
}

/// What a policy says; missing where it holds and there is no case that it could look at.
pub(super) fn policy_cell(verdict: &PolicyVerdict, by_kind: &BTreeMap<Kind, KindCount>) -> Cell {
    let has_case = by_kind.values().any(|count| count.total > 0);
    if verdict.is_passed && !has_case {
        return Cell::Missing(words::NOTHING_RAN.to_owned());
    }
    Cell::Outcome(Outcome::of(verdict.is_passed))
}
