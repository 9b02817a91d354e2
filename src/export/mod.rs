//! Reports to bytes.

mod flips;
mod report_json;

pub use flips::flips_csv;
pub use report_json::report_json;
