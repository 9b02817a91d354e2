//! The workspace's program: computes and answers, and starts readers.

fn main() {
    #[cfg(target_arch = "wasm32")]
    {
        use evalglass::pool::Options;
        use wasm_bindgen::JsCast as _;

        /// Taken at once: left alone, the heap grew in 285 steps while a dataset opened, which cost 80 ms in a trace.
        const USUAL_HEAP_BYTES: usize = 12 << 20;
        drop(std::hint::black_box(Vec::<u8>::with_capacity(USUAL_HEAP_BYTES)));

        let scope: Option<web_sys::DedicatedWorkerGlobalScope> = js_sys::global().dyn_into().ok();
        let name = scope.map(|scope| scope.name()).unwrap_or_default();
        console_error_panic_hook::set_once();
        let started =
            evalglass::worker::serve::start(&Options::of(&name), evalglass::dataset::opened_files);
        if let Err(err) = started {
            wasm_bindgen::throw_val(err);
        }
    }
}
