//! All native tests, as one program.

// Edges between modules, names of browser crates, file headers.
mod architecture;
// Splitting, outlines, unwrapping, the JSON cursor.
mod input;
// Every value of every `expected.json` of REBEL, and its odd cases.
mod rebel;
// Every value of every `expected.json` of slop-code, and its odd cases.
mod slop_code;
mod support;
