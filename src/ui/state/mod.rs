//! What the page knows between two frames, and what becomes of it: phases, openings, drops that are read again, answers that
//! come too late. Knows neither browser nor signals: `ui/store` (built for browsers only) holds it in signals and does what it says.

mod columns;
mod draft;
mod drops;
mod in_force;
mod neighbours;
mod newest;
mod opened;
mod panel;
mod phase;
mod place;
mod saved;
mod scroll_target;
#[cfg(test)]
mod support;
mod unread;
mod verdict_kept;

pub use columns::{Choosing, kept_columns, with_columns, without_columns};
pub use draft::TextDraft;
pub use drops::{
    ComparedFiles, DropOrigin, FileStamp, Freshness, drop_of, not_read_again, watched,
};
pub use in_force::{LastSent, rule_value};
pub use neighbours::{Around, Neighbour};
pub use newest::{Newest, NumberedQuestion};
pub use opened::{OpenOutcome, new_in, unreadable};
pub use panel::Panel;
pub use phase::PagePhase;
pub use place::{carried, evaluation_of, moves_within, name_case, name_of, target_name, title};
pub use saved::{ExportScope, downloaded, picture};
pub use scroll_target::Led;
pub use unread::Unread;
pub use verdict_kept::verdict_kept;

#[cfg(target_arch = "wasm32")]
pub use super::store::*;
