//! What summaries and suites declare of their totals.

pub(super) mod declared;
pub(super) mod declared_suite;
