//! Which files belong together, and which model and run each is of.

pub(super) mod bundle;
pub(super) mod identify;
pub(super) mod names;
pub(super) mod partners;
pub(super) mod sums;
