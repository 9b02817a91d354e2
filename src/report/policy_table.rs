//! The pass policies of slop-code as a table: all seven, with what each says and why.

use super::table::Column;
use super::{Cell, Kind, Outcome, Table};
use crate::policy::PolicyVerdict;
use crate::scoring::KindCount;
use std::collections::BTreeMap;

/// All seven policies.
pub(super) fn policies(policies: &[PolicyVerdict], by_kind: &BTreeMap<Kind, KindCount>) -> Table {
    let mut table = Table::new(
        "policies",
        "Pass policies",
        vec![Column::words("Policy"), Column::words("Verdict"), Column::words("Reason")],
    );
    for verdict in policies {
        table.row(vec![
            Cell::Text(verdict.policy.as_str().to_owned()),
            policy_cell(verdict, by_kind),
            Cell::Text(verdict.reason.clone()),
        ]);
    }
    table.footnote = Some(
        "Policy “any” needs at least one passing case, as in the guide; slop-code's own code always passes it."
            .to_owned(),
    );
    table
}

/// What a policy says; missing where it holds and there is no case that it could look at.
pub(super) fn policy_cell(verdict: &PolicyVerdict, by_kind: &BTreeMap<Kind, KindCount>) -> Cell {
    let has_case = by_kind.values().any(|count| count.total > 0);
    if verdict.is_passed && !has_case {
        return Cell::Missing("nothing ran: with no cases this policy passes".to_owned());
    }
    Cell::Outcome(Outcome::of(verdict.is_passed))
}
