//! The bytes of a dropped thing: where they lie, what wraps them, how they split.
//!
//! ```text
//! Dropped ── open ──> InputFile ── shape ──> Shape (form, outline of the first value)
//!            gzip, zstd, zip, tar, UTF-16    └── split ──> records: lines of JSONL, values over
//!                                                      lines, elements of an array
//! ```
//!
//! Everything is read in slices through [`ReadAt`]; nothing here knows a producer.
//! Functions are `async` only so that they can breathe: see [`Pulse`].

mod archive;
mod directory;
#[cfg(not(target_arch = "wasm32"))]
mod disk;
mod error;
mod expand;
pub mod json;
mod needle;
mod open;
mod outline;
mod packed;
mod pulse;
mod shape;
mod source;
mod split;
mod stays_packed;
mod tarball;
mod window;
mod within;
mod witness;
pub mod yaml;

pub use error::{Error, ErrorKind};
pub use needle::Needle;
pub use open::{Allowance, Limits, bare, is_pruned_folder, is_wrapped, open, unwrap};
pub use packed::{PackedSource, Packing, unpack_here};
pub use pulse::{Cancelled, LocalFuture, Progress, Pulse, at_once};
pub use shape::{Form, Member, Outline, RecordLayout, Shape, ValueKind, outline, shape};
pub use source::{ByteStream, Dropped, FolderWalk, InputFile, MemorySource, ReadAt, SourceOrigin};
pub use split::{
    LineStart, Record, Tail, cut_lines, each_element, each_line, each_line_between, each_member,
    each_record, last_line_start, line_end,
};
pub(crate) use window::PartSource;
pub use within::{is_opened_within, left_out_folder, left_out_folder_by};
pub use witness::Witness;

#[doc(hidden)]
pub use shape::shape_with;
#[doc(hidden)]
pub use split::{Slices, each_element_with, each_line_with, each_value_with};

#[cfg(not(target_arch = "wasm32"))]
pub use disk::{DiskSource, walk_disk, walk_disk_with};
