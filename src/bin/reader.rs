//! The readers' program: does jobs over files for the workspace that has started it.

fn main() {
    #[cfg(target_arch = "wasm32")]
    {
        use evalglass::pool::{Options, serve};
        use wasm_bindgen::JsCast as _;

        let scope: Option<web_sys::DedicatedWorkerGlobalScope> = js_sys::global().dyn_into().ok();
        let name = scope.map(|scope| scope.name()).unwrap_or_default();
        if let Err(err) = serve::start(Options::of_reader(&name)) {
            wasm_bindgen::throw_val(err);
        }
    }
}
