//! The rules of a suite: which generation wrote it, its gate, what passes.

pub(super) mod gate;
pub(super) mod generation;
pub(super) mod judged;
pub(super) mod rules;
pub(super) mod suite_yaml;
