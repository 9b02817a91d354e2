//! The worker: `core` answers requests and is pure, `protocol` is what is said, `serve` and `client`
//! are the two ends in the browser.

mod case;
mod cases;
mod columns;
mod compare;
pub mod core;
mod drops;
mod exports;
mod files;
mod grid;
mod links;
mod page;
mod palette;
pub mod protocol;
mod reload;
mod rules;
mod seal;
pub mod sql;
mod unread;

#[cfg(target_arch = "wasm32")]
pub mod client;
#[cfg(target_arch = "wasm32")]
pub mod serve;
