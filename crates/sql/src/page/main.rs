//! The program of the SQL page: a worker that the page starts when somebody opens it.
//!
//! ```text
//! page ── open(files) ──> serve ──> file_store (a file of the browser, or ranges of one on a server: source) ──> tables
//!      ── ask(text) ────> serve ──> rows, kept ──> page asks for those in view, or for all as CSV
//! ```
//!
//! It works in turns: what servers have been asked for comes between two of them. Files of the browser are read synchronously, as a
//! worker may. To stop it, the page ends it and starts another.

#[cfg(target_arch = "wasm32")]
mod names;
#[cfg(target_arch = "wasm32")]
mod rows;
#[cfg(target_arch = "wasm32")]
mod serve;
#[cfg(target_arch = "wasm32")]
mod source;

fn main() {
    #[cfg(target_arch = "wasm32")]
    if let Err(err) = serve::start() {
        wasm_bindgen::throw_val(err);
    }
}
