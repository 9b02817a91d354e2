//! The pages, one file or folder each: what stands on it, as plain data. What several pages show is a file beside this folder.

pub(super) mod agent;
pub(super) mod audit;
pub(super) mod case;
pub(super) mod cases;
pub(super) mod columns;
pub mod compare;
pub(super) mod failures;
pub(super) mod notes;
pub(super) mod overview;
pub(super) mod rules;
pub(super) mod statistics;
pub(super) mod trends;
