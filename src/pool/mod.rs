//! The readers as programs of their own: what is said to them, what they answer, and what happens when
//! one of them stops.
//!
//! ```text
//!  pool (an import) ── Job ──> runner (workspace) ──> serve ── work (reader)
//!       put in order <── Said ──────┘ one job at a time each; who dies is replaced
//! ```
//!
//! `message` carries jobs and answers as bytes with sources and tables beside them; `marks` are how far files were
//! read, for the reader that reads them on once they have grown; `job` does the jobs, `ahead` says evaluations
//! before all of their bundle are written, `help` is what a reader waits for that has others read stretches of
//! its bundle; `look_ahead` looks at files that were just fetched; `workers` and `serve` are the two ends of the line in the browser.

mod ahead;
mod bundles;
mod death;
mod help;
mod job;
mod job_result;
mod look_ahead;
mod message;
mod options;
mod reader_pool;
#[cfg(target_arch = "wasm32")]
pub mod serve;
mod source_marks;
#[cfg(target_arch = "wasm32")]
mod workers;

pub use death::{CrashTest, Death};
pub use help::{For, Help, HelpWait};
pub use job::{Job, ReaderMessage, WorkspaceLine, work};
pub use look_ahead::{LookedAhead, look_ahead};
pub use message::{MessageWriter, PoolMessage};
pub use options::Options;
pub use reader_pool::{JobEvent, JobRunner, Pool, Urgency, Work};
#[cfg(target_arch = "wasm32")]
pub use workers::Workers;
