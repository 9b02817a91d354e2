//! What is drawn. Views format and arrange; every number comes from `report`, by way of the worker.
//!
//! The modules that need no browser compile everywhere and are tested natively; those with views are
//! there in the page alone.

pub mod columns;
pub mod follow;
pub mod sealing;
pub mod selection;
pub mod sorting;
pub mod state;
pub mod threshold;
pub mod window;

#[cfg(target_arch = "wasm32")]
mod app;
#[cfg(target_arch = "wasm32")]
mod components;
#[cfg(target_arch = "wasm32")]
mod pages;
#[cfg(target_arch = "wasm32")]
mod store;

#[cfg(target_arch = "wasm32")]
pub use app::mount;
