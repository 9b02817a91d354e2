//! The readers as programs of their own: what is said to them, what they answer, and what happens when
//! one of them stops.
//!
//! ```text
//!  crew (an import) ── Job ──> hands (workspace) ──> serve ── work (reader)
//!       put in order <── Said ──────┘ one job at a time each; who dies is replaced
//! ```
//!
//! `message` carries jobs and answers as bytes with the sources beside them; `marks` are how far files were
//! read, for the reader that reads them on once they have grown; `job` does the jobs, `help` is what a
//! reader waits for that has others read stretches of its file; `hands` and
//! `serve` are the two ends of the line in the browser.

mod bundles;
mod crew;
mod death;
mod done;
#[cfg(target_arch = "wasm32")]
mod hands;
mod help;
mod job;
mod marks;
mod message;
mod options;
#[cfg(target_arch = "wasm32")]
pub mod serve;

pub use crew::{Hands, JobEvent, Pool, Urgency, Work};
pub use death::{CrashTest, Death};
#[cfg(target_arch = "wasm32")]
pub use hands::Workers;
pub use help::{For, Help, HelpWait};
pub use job::{Job, ReaderMessage, WorkspaceLine, work};
pub use message::{MessageWriter, PoolMessage};
pub use options::Options;
