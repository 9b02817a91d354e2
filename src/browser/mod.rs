//! The browser's services: files, folders, downloads, clipboard, address, theme, keys.
//!
//! This module, `worker::{serve, client}`, `pool::{serve, workers}` and the two programs are the only places that name
//! `web_sys` or `js_sys`.

mod browser_bytes;
mod cached_file;
mod clipboard;
mod clock;
mod copies;
mod database;
mod document;
mod download;
mod drawing;
mod error;
mod event_loop;
mod file_handles;
mod file_source;
mod file_stream;
mod folder;
mod handles;
mod heading;
mod hosted;
mod in_view;
mod keys;
mod links;
mod location;
mod memory;
mod phase;
mod pick;
mod picture;
mod recent;
mod remote_source;
mod restart;
mod scroll_to;
mod seal;
mod sealed;
mod section_in_view;
mod sequence;
mod small_files;
mod sql_engine;
mod storage;
mod theme;
mod updates;

pub use browser_bytes::BrowserBytes;
pub use cached_file::{CachedFile, Passing, blob, pack, passing, unpack};
pub use clipboard::copy;
pub use clock::{clock, date, every, later, moment, now};
pub use copies::forget_results;
pub use document::{
    field_value, focus, focused_id, hit, into_sight, is_narrow, on_narrow, on_resize, press,
    refocus, reveal, scroll_to_top, scrolled_height, set_phase, set_title, show, show_dialog,
    width,
};
pub use download::download;
pub use drawing::{
    DrawingTurn, begin_page, behind_frame, draw_first, frame, has_room, wait_for_room, when_drawn,
    when_seen,
};
pub use error::Error;
pub use event_loop::{Slice, turn};
pub use file_handles::{FileContent, file_handles};
pub use file_source::{FileSource, blob_of, source};
pub use folder::{Dragged, dragged_files, dropped_before, is_file_drag, read_whole, walk};
pub use handles::Handles;
pub use heading::to_heading;
pub use hosted::{
    SessionStop, asked_sources, base, fetching, found_files, here, is_single, resolve, samples,
    worker_program,
};
pub use in_view::{Near, near};
pub use keys::{KeyPress, on_key};
pub use links::on_link;
pub use location::{
    address, has_sources, hash, n_cores, on_hash_change, parameter, push_hash, replace_hash,
};
pub use memory::{Memory, MemoryState, forget_settings, memory, memory_state, set_memory};
pub use phase::WorkPhase;
pub use pick::{Picked, PickedFile, PickedFiles, chosen};
pub use picture::save_png;
pub use recent::{
    KeptVerdict, RecentOpening, forget_recent, gives_handles, has_pickers, keep_recent, pick,
    recent_entries, refusal,
};
pub use remote_source::RemoteSource;
pub use restart::{
    forget_opened, keep_again, keep_opened, keep_panics, keep_worker, leave_text, left_text,
    on_hook, opened_before, take_early_worker,
};
pub use scroll_to::{TargetElement, arrive, focus_soon, refocus_soon};
pub use seal::{PageFile, sealed_without};
pub use sealed::{begin_sealed, sealed, sealed_results};
pub use section_in_view::{WatchedElements, follow};
pub use small_files::{Batch, FetchedBatch, Keep, fetch_small};
pub use sql_engine::{SqlEngine, SqlEvent, has_sql_engine};
pub use storage::{remember, remembered};
pub use theme::{Theme, set_theme, theme};
pub use updates::{keep_offline, take_over};
