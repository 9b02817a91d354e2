//! The workers' program: the workspace, which computes and answers, or one of its readers.

fn main() {
    #[cfg(target_arch = "wasm32")]
    {
        use evalglass::pool::{Options, serve};
        use wasm_bindgen::JsCast as _;

        let scope: Option<web_sys::DedicatedWorkerGlobalScope> = js_sys::global().dyn_into().ok();
        let name = scope.map(|scope| scope.name()).unwrap_or_default();
        console_error_panic_hook::set_once();
        let started = match Options::of_reader(&name) {
            Some(trial) => serve::start(trial),
            None => evalglass::worker::serve::start(&Options::of(&name)),
        };
        if let Err(err) = started {
            wasm_bindgen::throw_val(err);
        }
    }
}
