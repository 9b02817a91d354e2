//! What a row, or a suite, holds for the page of a case or a document.

pub(super) mod detail;
pub(super) mod document;
pub(super) mod transcript;
pub(super) mod turns;
