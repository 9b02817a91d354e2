//! Evalglass: reads evaluation results where they lie, and shows them.
pub mod input;
pub mod model;
pub mod readers;
pub mod stats;
