//! Rows of large files and of files that grow: line by line, in stretches side by side, on from a mark.

pub(super) mod in_order;
pub(super) mod joined;
pub(super) mod lines;
pub(super) mod mark;
pub(super) mod seen_samples;
pub(super) mod stretch;
