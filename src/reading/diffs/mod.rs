//! Differences of texts and values.

pub(super) mod changes;
pub(super) mod compared;
pub(super) mod diff;
pub(super) mod diff_row;
pub(super) mod plain_diff;
