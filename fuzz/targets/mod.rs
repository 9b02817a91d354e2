//! What is fuzzed: each target takes any bytes, must not panic over them, and must stay within limits of memory.
//!
//! Where something else knows the right answer, a target compares: `serde_json` for JSON, a text that is written and
//! read again for filters, gates and addresses, other sizes of slices for files that are read in slices.

mod files;
mod json;
mod links;
mod messages;
mod meter;
mod readers;
mod rules;
mod shown;
mod tables;
mod unwrap;

pub use meter::peak_bytes;

/// One thing that is fuzzed.
pub struct Target {
    /// Its name: also that of its corpus in `fuzz/corpus/`.
    pub name: &'static str,
    /// Does it with any bytes.
    pub run: fn(&[u8]),
    /// Bytes of memory that it may hold at once, whatever the input.
    pub most_bytes: usize,
    /// Bytes of memory beyond that for each byte of the input.
    pub most_bytes_each: usize,
}

const fn target(name: &'static str, run: fn(&[u8])) -> Target {
    Target { name, run, most_bytes: 64 << 20, most_bytes_each: 4_000 }
}

/// Every target, in the order in which `make fuzz` runs them.
pub static TARGETS: [Target; 19] = [
    target("json", json::json),
    target("slices", json::slices),
    target("yaml", rules::yaml),
    target("filter", rules::filter),
    target("gate", rules::gate),
    target("address", links::address),
    target("source", links::source),
    target("gallery", links::gallery),
    target("messages", messages::messages),
    target("shown", shown::shown),
    target("csv", tables::csv),
    target("sqlite", tables::sqlite),
    target("arrow", tables::arrow),
    target("parquet", tables::parquet),
    target("mapping", tables::mapping),
    target("xml", readers::xml),
    // Archives may expand: `input::Limits` says how far.
    Target { most_bytes: 1 << 30, ..target("unwrap", unwrap::unwrap) },
    target("readers", readers::readers),
    target("pages", readers::pages),
];

/// The target called `name`.
pub fn named(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Runs `target` with `input`.
///
/// # Panics
/// When the target does, or holds more memory than it may.
pub fn check(target: &Target, input: &[u8]) {
    let peak = peak_bytes(|| (target.run)(input));
    let most = target.most_bytes + target.most_bytes_each * input.len();
    assert!(peak <= most, "{} bytes were held at once for an input of {}", peak, input.len());
}
