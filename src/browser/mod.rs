//! The browser's services: files, folders, downloads, clipboard, address, theme, keys.
//!
//! This module, `worker::{serve, client}`, `pool::{serve, hands}` and the two programs are the only places that name
//! `web_sys` or `js_sys`.

mod blocks;
mod clipboard;
mod clock;
mod document;
mod download;
mod drawing;
mod error;
mod file_source;
mod folder;
mod handles;
mod hosted;
mod kept;
mod keys;
mod location;
mod memory;
mod parts;
mod phase;
mod pick;
mod picture;
mod remote_source;
mod renew;
mod restart;
mod seal;
mod storage;
mod theme;
mod turn;
mod used;

pub use blocks::{
    Block, cursor, hit, mark_cell, mark_rows, move_item, number, pick_option, set_markup,
    set_style, show, show_blocks, ticked_columns, value_in, write_field,
};
pub use clipboard::copy;
pub use clock::{clock, every, now};
pub use document::{
    field_value, focus, focused_id, is_narrow, on_narrow, on_resize, press, refocus, reveal,
    scroll_to_top, scrolled_height, set_phase, set_title, show_dialog, width,
};
pub use download::download;
pub use drawing::{Turn, begin_page, draw_first, has_room, wait_for_room, when_drawn};
pub use error::Error;
pub use file_source::{FileSource, blob_of, source};
pub use folder::{Dragged, dragged_files, is_file_drag, read_whole, walk};
pub use handles::Handles;
pub use hosted::{Fetching, fetch_samples, fetch_sources, stop_fetching, worker_program};
pub use kept::{Batch, Fetched, Keep, Kept, Passing, blob, pack, passing, unpack};
pub use keys::{Key, on_key};
pub use location::{
    address, has_sources, hash, n_cores, on_hash_change, parameter, push_hash, replace_hash,
};
pub use memory::{keep_recent, on_reopen, show_memory, show_recent};
pub use parts::{Hooks, OnPart, Rows, start_parts};
pub use phase::Phase;
pub use pick::{Chosen, Picked, PickedFile, chosen};
pub use picture::save_png;
pub use remote_source::RemoteSource;
pub use renew::renew_markup;
pub use restart::{
    forget_opened, keep_again, keep_opened, keep_panics, keep_worker, opened_before,
};
pub use seal::{save_sealed, seal_form};
pub use storage::{remember, remembered};
pub use theme::{Theme, set_theme, theme};
pub use turn::{Slice, turn};
pub use used::{Used, on_use};
