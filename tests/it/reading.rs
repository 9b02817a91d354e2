//! A case as it is read: everything that is drawn of it, and everything that can be asked for.

mod big;
pub mod crawl;
mod fixtures;
mod hostile;
mod long_raw;
pub mod made;
pub mod seen;
mod verdicts;
