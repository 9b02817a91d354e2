//! The worker's program: reads, computes, answers.

fn main() {
    #[cfg(target_arch = "wasm32")]
    {
        console_error_panic_hook::set_once();
        if let Err(err) = evalglass::worker::serve::start() {
            wasm_bindgen::throw_val(err);
        }
    }
}
