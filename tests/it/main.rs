//! All native tests, as one program.

// Edges between modules, names of browser crates, file headers.
mod architecture;
// Splitting, outlines, unwrapping, the JSON cursor.
mod input;
// Every value of every `expected.json` of letta-evals, its folders under other names, damage.
mod letta_evals;
// Every value of every `expected.json` of REBEL, and its odd cases.
mod rebel;
mod support;
