//! The one store: what `ui::state` knows, in signals, and its effects on browser and worker.

mod actions;
mod ask;
mod base;
mod columns;
mod hosted;
mod live;
mod look;
mod on_device;
mod opening;
mod rules;
mod saving;
mod sealing;
mod sorting;
mod sql;
mod view;
mod watch;

pub use actions::act;
pub use ask::{ask, ask_below};
pub use base::{StatusMessage, Store, use_store};
pub use hosted::Hosted;
pub use live::{effect, handler, live, memo, shown};
pub use on_device::{RecentItem, StorageState};
pub use sealing::{SEAL_DIALOG, SEAL_SAVE};
pub use sql::{MAX_FETCHED, SQL_BLOCK, SqlShown, SqlState, SqlStatus};
