//! What differs between expected and actual: by lines, by words, by the structure of JSON, and as
//! the producers' own files describe it. `-` and "old" are expected, `+` and "new" are actual.

mod deep_diff;
mod json;
mod lines;
mod pairs;
mod rows;
mod unified;
mod values;
mod words;

pub use deep_diff::deep_diff;
pub use json::json_changes;
pub use lines::{DiffBlock, LineDiff, line_diff};
pub use rows::{Arrangement, DiffRow, FoldedRow, RowKind, folded, rows};
pub use unified::{UnifiedKind, UnifiedLine, unified_lines, unified_text};
pub use values::{ChangeKind, ValueChange, ValueChanges};
pub use words::{WordPiece, word_pieces};
