//! Every folder of the three guides, against what the README of `tests/fixtures/guides` says, and folders
//! of the same shapes with other numbers.

// Totals without rows.
mod bands;
mod declared;
mod intervals;
// letta-evals: folders whose names begin with `l`.
mod letta;
mod rebel;
// slop-code's reporting guide.
mod repeated;
mod slop;
