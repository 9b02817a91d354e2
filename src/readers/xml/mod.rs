//! XML as test runners write it: elements one by one, without the file in memory.
//!
//! ```text
//! scan (tokens) ──┬── walk   a file: frames are opened, what is in them comes whole
//!                 ├── tree   the elements of some bytes
//!                 └── any_text   texts and attribute values, for search
//! ```
//!
//! More forgiving than XML 1.0: line breaks in attribute values stay, entities that are not known stay as they
//! are written, control characters pass. Entities of a document type are never expanded.

mod element;
mod scan;
mod walk;

pub(super) use element::{Element, any_text, tree};
pub(super) use scan::root_name;
pub(super) use walk::{XmlPart, walk};
