//! Every folder of the three guides, against what the README of `tests/fixtures/guides` says.

mod rebel;
