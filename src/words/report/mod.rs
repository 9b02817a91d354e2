//! What pages say of figures, by page.

pub mod audit;
pub mod cases;
pub mod charts;
pub mod compare;
pub mod declared;
pub mod failures;
pub mod how;
pub mod overview;
pub mod rules;
pub mod runs;
pub mod shared;
pub mod statistics;
