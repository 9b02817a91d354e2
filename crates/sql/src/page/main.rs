//! The program of the SQL page: a worker that the page starts when somebody opens it.
//!
//! ```text
//! page ── open(files) ──> serve ──> store (a file of the browser, or ranges of one on a server: source) ──> tables
//!      ── ask(text) ────> serve ──> rows, kept ──> page asks for those in view, or for all as CSV
//! ```
//!
//! It does one thing after the other and waits for nothing: files are read synchronously, as a worker may. To stop it, the
//! page ends it and starts another.

#[cfg(target_arch = "wasm32")]
mod names;
#[cfg(target_arch = "wasm32")]
mod rows;
#[cfg(target_arch = "wasm32")]
mod serve;
#[cfg(target_arch = "wasm32")]
mod source;
#[cfg(target_arch = "wasm32")]
mod store;

fn main() {
    #[cfg(target_arch = "wasm32")]
    if let Err(err) = serve::start() {
        wasm_bindgen::throw_val(err);
    }
}
