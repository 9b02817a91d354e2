//! The view as the address says it: everything one would share, never the data.
//!
//! `#/2/cases?of=letta-evals:runs/mini&run=tide/gpt-4&find=outcome:failed&by=-score&case=core/17&msg=12`
//!
//! The first slash says that this is no place within the document; `#2/cases` is understood too. What
//! is looked at stands there by name ([`OpenNames`]), so that an address means the same in another session;
//! within the program it is a number. What an address names and nobody has opened is kept until it is
//! there ([`MissingTarget`]). The version counts up when an old address would be misread, and addresses of
//! every version are read (`older`); what is not understood is ignored, and the defaults stay out.
//! The grammar is written down in `docs/links.md`.

mod asked;
mod compare;
mod names;
mod older;
mod order;
mod page;
mod roles;
mod route;
#[cfg(test)]
mod tests;
mod text;

pub use asked::{MissingTarget, Unfound};
pub use compare::CompareView;
pub use names::OpenNames;
pub use order::{column_of, column_word, column_words, columns_of, sort_of, sort_words};
pub use page::Page;
pub use roles::{roles_of, roles_word, unit_of, unit_word};
pub use route::{CasePlace, Route};
