//! All native tests, as one program.

mod architecture;
// Every value of every `expected.json` of REBEL, and its odd cases.
mod rebel;
mod support;
