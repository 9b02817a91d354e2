//! The browser's services: files, folders, downloads, clipboard, address, theme, keys.
//!
//! This module, `worker::{serve, client}` and the two programs are the only places that name
//! `web_sys` or `js_sys`.

mod blocks;
mod clipboard;
mod document;
mod download;
mod error;
mod file_source;
mod folder;
mod keys;
mod location;
mod pick;
mod samples;
mod settings;
mod theme;

pub use blocks::{
    Block, cursor, field_value, hit, mark_option, mark_rows, move_item, number, set_markup,
    set_style, show_blocks, ticked_columns, write_field,
};
pub use clipboard::copy;
pub use document::{
    focus, focused_id, on_resize, press, refocus, scroll_to_top, set_phase, set_title, show_dialog,
    width,
};
pub use download::download;
pub use error::Error;
pub use file_source::FileSource;
pub use folder::{Dragged, dragged_files, is_file_drag, walk};
pub use keys::{Key, on_key};
pub use location::{hash, on_hash_change, push_hash, replace_hash};
pub use pick::{Picked, PickedFile, picked};
pub use samples::samples;
pub use settings::{keep_setting, setting};
pub use theme::{Theme, set_theme, theme};
