//! Evalglass reads evaluation results where they lie, in the browser, and shows them.
//!
//! Modules stand in the order of the way from dropped file to drawn cell:
//!
//! ```text
//!  1 browser    a drop or a pick becomes files with ranged reads
//!  2 input      unwraps, decodes, finds the form, splits into records, in slices
//!  3 readers    recognises the producer, bundles what belongs together, reads ──┐
//!  4 model      the normal form: evaluation, run, case table, check table  <────┘
//!  5 stats      numbers in, numbers out
//!  6 scoring    cases to totals, groups, spread
//!  7 policy     pass policies and gates, each verdict with its reason
//!  8 figures    every figure and verdict of an evaluation, by the rules in force
//!  9 workspace  what is open: evaluations, rules, names, what was removed, what was found
//! 10 report     what is shown, as plain data; declared against computed
//! 11 chart      numbers as SVG: scales, ticks, marks; knows nothing of runs
//! 12 render     what report says, as markup: exported pages, charts
//! 13 reading    cases and documents as they are read: texts, trees, differences, transcripts in parts, as plain data
//! 14 export     reports as bytes
//! 15 pool       readers as programs of their own: jobs, messages, what happens when one of them stops
//! 16 worker     core answers requests; protocol, serve and client carry them to the page
//! 17 dataset    evaluations as Parquet tables for SQL engines: a folder on disk, or in memory for the SQL page
//! 18 ui         components that draw what report and reading say, and controls; no arithmetic
//!
//!    sql        queries of the SQL page: what its engine says, how a text goes on
//!    hosting    what an address names, fetched: files, lists, galleries; what a sealed report says of itself
//!    secrets    what looks like one, and what stands in its place
//!    markup     HTML and SVG that cannot be broken into by what stands in a file
//!    format     numbers as words
//!    words      every heading, label and sentence of the page, by key
//!    address    the view as the text behind the page's `#`
//! ```
//!
//! Three programs come of it. `reader` runs several times beside the page and is the only one that reads
//! files: it holds 2 to 4 and the jobs of 15. `workspace` runs once and holds the rest up to 16, with the reader
//! of our own reports and no other. `app` holds the controls, and links only the types of `report`, `reading` and the
//! protocol. Edges run down this list only (a test checks
//! it), except for `readers`, which judge each case by its producer's rule with `scoring`.
//!
//! Long text stays in its file: tables keep numbers, short words and the place where a record lies,
//! and a case is read again when somebody looks at it. Reading is `async` only so that the worker can
//! answer in between (see [`input::Pulse`]).

#[cfg(target_arch = "wasm32")]
pub mod browser;

pub mod address;
pub mod chart;
pub mod dataset;
pub mod export;
pub mod figures;
pub mod format;
pub mod hosting;
pub mod input;
pub mod markup;
pub mod model;
mod order;
pub mod policy;
pub mod pool;
pub mod readers;
pub mod reading;
pub mod render;
pub mod report;
pub mod scoring;
pub mod secrets;
pub mod sql;
pub mod stats;
pub mod ui;
pub mod words;
pub mod worker;
pub mod workspace;
