//! Reports to bytes.

mod report_json;

pub use report_json::report_json;
