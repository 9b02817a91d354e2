//! Closures of views, boxed.
//!
//! Everything generic over a closure is compiled once for each: a signal's memo or an attribute's
//! effect is a few kilobytes of program. Boxed, all of one kind share theirs, and the page stays
//! within its budget.

use leptos::prelude::*;

/// A part or an attribute that follows what `read` reads.
pub fn live<T: 'static>(
    read: impl FnMut() -> T + Send + 'static,
) -> Box<dyn FnMut() -> T + Send + 'static> {
    Box::new(read)
}

/// A handler of an event.
pub fn handler<E: 'static>(handle: impl FnMut(E) + 'static) -> Box<dyn FnMut(E) + 'static> {
    Box::new(handle)
}

/// A value that is worked out anew when what `read` reads changes.
pub fn memo<T: PartialEq + Send + Sync + 'static>(
    read: impl Fn() -> T + Send + Sync + 'static,
) -> Memo<T> {
    let read: Box<dyn Fn() -> T + Send + Sync> = Box::new(read);
    Memo::new(move |_| read())
}

/// Something that is done when what it reads changes.
pub fn effect(run: impl FnMut() + 'static) {
    let mut run: Box<dyn FnMut()> = Box::new(run);
    Effect::new(move |_| run());
}

/// `draw`, while `is_shown`.
pub fn shown(
    is_shown: impl Fn() -> bool + Send + Sync + 'static,
    draw: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    let is_shown = memo(is_shown);
    live(move || is_shown.get().then(&draw)).into_any()
}
