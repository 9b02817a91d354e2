//! Words: titles, axes and captions of charts.

pub mod bands;
pub mod checkpoints;
pub mod common;
pub mod declared;
pub mod durations;
pub mod models;
pub mod outcomes;
pub mod quality;
pub mod repeats;
pub mod scores;
pub mod series;
pub mod trade;
