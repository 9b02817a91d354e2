//! Where on the page somebody is led, and what the page still waits for, in signals: whatever lies on the way
//! opens itself, and what is meant comes into sight by itself.

use crate::browser;
use crate::reading::Way;
use crate::ui::state::{Led, Store, effect, live};
use leptos::html::ElementType;
use leptos::prelude::*;

/// What pieces know of the page that they stand on. Copies are the same.
#[derive(Clone, Copy)]
pub struct Leading {
    led: RwSignal<Led>,
    n_asked: RwSignal<usize>,
}

impl Leading {
    /// Puts one into the context, which leads nowhere.
    pub fn provide() -> Self {
        let leading = Self { led: RwSignal::default(), n_asked: RwSignal::new(0) };
        provide_context(leading);
        leading
    }

    /// Leads to where `way` leads.
    pub fn lead(self, way: Way) {
        self.led.set(Led::to(way));
    }

    /// Leads nowhere.
    pub fn forget(self) {
        self.led.set(Led::default());
    }

    /// Leads to where `way` leads, and puts its word into the address.
    pub fn go(self, store: Store, way: &Way) {
        if !way.spot.is_empty() {
            let spot = way.spot.clone();
            store.adjust(|route| match &mut route.case {
                Some(case) => case.spot = spot,
                None => route.spot = spot,
            });
        }
        self.lead(way.clone());
    }

    /// Whether the way goes through the part `name`.
    pub fn is_through(self, name: &str) -> bool {
        self.led.with(|led| led.is_through(name))
    }

    /// What `aria-current` of `id` says.
    pub fn current(self, id: &str) -> Option<&'static str> {
        self.led.with(|led| led.is_at(id)).then_some("location")
    }

    /// The row that is meant, where the way ends at `id`.
    pub fn row_of(self, id: &str) -> Option<u64> {
        self.led.with(|led| led.row_of(id))
    }

    /// Has `show` called when the way ends at `id`. It says whether there is anything to be shown yet, and is
    /// called again when what it reads changes.
    pub fn on_arrival(self, id: String, mut show: impl FnMut() -> bool + 'static) {
        effect(move || {
            if self.led.with(|led| led.is_awaited(&id)) && show() {
                self.led.update_untracked(Led::arrive);
            }
        });
    }

    /// Brings the element in `place` into sight when the way ends at `id`. Gives what its `aria-current` says.
    pub fn brings<E>(
        self,
        id: &str,
        place: NodeRef<E>,
    ) -> Box<dyn FnMut() -> Option<&'static str> + Send>
    where
        E: ElementType + 'static,
        E::Output: browser::TargetElement,
    {
        self.on_arrival(id.to_owned(), move || {
            let Some(place) = place.get() else { return false };
            browser::arrive(&place);
            true
        });
        let id = id.to_owned();
        live(move || self.current(&id))
    }

    /// Something is asked for.
    pub fn asks(self) {
        self.n_asked.update(|n| *n += 1);
    }

    /// Something that was asked for is here.
    pub fn has(self) {
        // The page may have gone meanwhile.
        self.n_asked.try_update(|n| *n = n.saturating_sub(1));
    }

    /// Calls `then` once all is here and drawn that the page shows at first.
    pub fn when_whole(self, then: impl FnOnce() + 'static) {
        let is_seen = RwSignal::new(false);
        browser::when_seen(move || {
            is_seen.try_set(true);
        });
        let mut then = Some(then);
        effect(move || {
            if is_seen.get()
                && self.n_asked.get() == 0
                && let Some(then) = then.take()
            {
                browser::when_drawn(then);
            }
        });
    }
}
