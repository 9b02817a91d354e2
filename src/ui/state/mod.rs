//! What the page knows between two frames: the workspace as a list, the view, what goes on.

mod actions;
mod ask;
mod live;
mod look;
mod opening;
mod panel;
mod parts;
mod rules;
mod saving;
mod sealing;
mod store;
mod view;
mod watch;

pub use actions::act;
pub use ask::{ask, ask_markup};
pub use live::{effect, handler, live, memo, shown};
pub use panel::Panel;
pub use saving::ExportScope;
pub use sealing::Sealing;
pub use store::{Phase, Said, Store, use_store};
