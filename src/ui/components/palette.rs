//! The command palette: a few letters, and Enter.

use super::draw;
use crate::browser;
use crate::ui::components::PanelView;
use crate::ui::state::{ask_markup, effect, handler, live, shown, use_store};
use crate::worker::protocol::Question;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// Id of the dialog.
const DIALOG: &str = "palette";
/// Id of the list in it.
const LIST: &str = "palette-list";
/// Milliseconds after which Enter no longer chooses what it was pressed ahead of: browsers show no file
/// dialog so late, and nobody expects it any more. The option is there, marked, for another Enter.
const PATIENCE: f64 = 4_000.0;

/// The dialog, closed until Ctrl-K is pressed. The worker finds and draws the options; choosing one is
/// a click on it.
#[component]
pub fn Palette() -> impl IntoView {
    let store = use_store();
    let is_open = store.palette;
    effect(move || browser::show_dialog(DIALOG, is_open.get()));
    view! {
        <dialog class="palette" id=DIALOG aria-label="Command palette" on:close=handler(move |_| is_open.set(false))>
            {shown(move || is_open.get(), move || view! { <Search/> }.into_any())}
        </dialog>
    }
}

#[component]
fn Search() -> impl IntoView {
    let store = use_store();
    let text = RwSignal::new(String::new());
    let active = RwSignal::new(0_u32);
    // How often something was typed: so far, when the worker was last asked, and when it last answered.
    let [n_typed, n_asked, n_drawn] = [0_u32; 3].map(StoredValue::new);
    let panel = ask_markup(store, move || {
        let (text, target) = (text.get(), store.route.with(|route| route.target));
        n_asked.set_value(n_typed.get_value());
        Question::Palette { text, target }
    });
    // Who types and presses Enter at once means the options that are still on their way.
    let is_behind = move || {
        n_asked.get_value() != n_typed.get_value() || n_drawn.get_value() != n_asked.get_value()
    };
    // When Enter was pressed ahead of its options, in milliseconds.
    let chosen_at = StoredValue::new(None);
    effect(move || {
        panel.track();
        n_drawn.set_value(n_asked.get_value());
        active.set(0);
    });
    effect(move || {
        panel.track();
        let at = active.get();
        // The options are there once they have been drawn.
        request_animation_frame(move || {
            browser::mark_option(LIST, at);
            let Some(Some(pressed)) = chosen_at.try_get_value() else { return };
            if !is_behind() {
                chosen_at.set_value(None);
                if browser::now() - pressed < PATIENCE {
                    browser::press(&format!("palette-{at}"));
                }
            }
        });
    });
    let on_key = move |event: KeyboardEvent| {
        let at = active.get_untracked();
        let n_options = browser::mark_option(LIST, at);
        let goal = match event.key().as_str() {
            "ArrowDown" => (at + 1) % n_options.max(1),
            "ArrowUp" => at.checked_sub(1).unwrap_or(n_options.saturating_sub(1)),
            "Enter" => {
                event.prevent_default();
                if is_behind() {
                    return chosen_at.set_value(Some(browser::now()));
                }
                return browser::press(&format!("palette-{at}"));
            }
            _ => return,
        };
        event.prevent_default();
        active.set(goal);
    };
    view! {
        <input
            class="palette__field" type="text" autofocus=true autocomplete="off" spellcheck="false"
            placeholder="Go to a page, run or case, or do something" aria-label="Find a page, run, case or action"
            role="combobox" aria-expanded="true" aria-controls=LIST aria-autocomplete="list"
            aria-activedescendant=live(move || format!("palette-{}", active.get()))
            on:input:target=move |event| {
                n_typed.update_value(|n| *n += 1);
                text.set(event.target().value());
            }
            on:keydown=handler(on_key)
        />
        <div class="palette__list" id=LIST role="listbox" aria-label="Found">
            <PanelView panel what="the list" draw=draw/>
        </div>
    }
}
