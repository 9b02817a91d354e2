//! Evalglass: reads evaluation results where they lie, and shows them.
pub mod input;
pub mod model;
pub mod policy;
pub mod readers;
pub mod report;
pub mod scoring;
pub mod stats;
pub mod worker;
pub mod ui;

#[cfg(target_arch = "wasm32")]
pub mod browser;
