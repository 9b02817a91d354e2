//! How long a part of the work takes, put down with `performance.measure` for those who measure.

use js_sys::{Function, Object, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};

/// A part of the work that is going on; it ends with this.
pub struct WorkPhase {
    name: &'static str,
    performance: JsValue,
    start: JsValue,
}

impl WorkPhase {
    /// Begins the phase `name`. `None` where the browser has no clock for it.
    pub fn begin(name: &'static str) -> Option<Self> {
        let performance = Reflect::get(&js_sys::global(), &"performance".into()).ok()?;
        let now: Function = Reflect::get(&performance, &"now".into()).ok()?.dyn_into().ok()?;
        let start = now.call0(&performance).ok()?;
        Some(Self { name, performance, start })
    }

    fn end(&self) -> Option<()> {
        let measure = Reflect::get(&self.performance, &"measure".into()).ok()?;
        let measure: Function = measure.dyn_into().ok()?;
        let options = Object::new();
        Reflect::set(&options, &"start".into(), &self.start).ok()?;
        measure.call2(&self.performance, &self.name.into(), &options).ok().map(drop)
    }
}

impl Drop for WorkPhase {
    fn drop(&mut self) {
        // What cannot be put down is not measured, and that is all.
        let _ = self.end();
    }
}
