//! Words: what Overview says of figures.

pub mod headlines;
pub mod repeats;
pub mod strip;
pub mod tables;
pub mod trust;
pub mod verdict;
