//! The command palette: a few letters, and Enter.

use crate::browser;
use crate::ui::components::{PanelView, outcome_mark};
use crate::ui::state::{Panel, Store, act, ask, effect, handler, live, shown, use_store};
use crate::words::ui::shell as words;
use crate::worker::protocol::{Answer, Does, PaletteOption, Question};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use std::sync::Arc;

/// Id of the dialog.
const DIALOG: &str = "palette";
/// Id of the list in it.
const LIST: &str = "palette-list";
/// Milliseconds after which Enter no longer chooses what it was pressed ahead of: browsers show no file
/// dialog so late, and nobody expects it any more. The option is there, marked, for another Enter.
const PATIENCE: f64 = 4_000.0;

/// The number of the option that Enter chooses.
#[derive(Clone, Copy)]
struct ActiveOption(RwSignal<usize>);

/// The dialog, closed until Ctrl-K is pressed. The worker finds the options.
#[component]
pub fn Palette() -> impl IntoView {
    let store = use_store();
    let is_open = store.palette;
    effect(move || browser::show_dialog(DIALOG, is_open.get()));
    view! {
        <dialog class="palette" id=DIALOG aria-label=words::PALETTE on:close=handler(move |_| is_open.set(false))>
            {shown(move || is_open.get(), move || view! { <Search/> }.into_any())}
        </dialog>
    }
}

#[component]
fn Search() -> impl IntoView {
    let store = use_store();
    let text = RwSignal::new(String::new());
    let active = RwSignal::new(0_usize);
    provide_context(ActiveOption(active));
    // How often something was typed: so far, when the worker was last asked, and when it last answered.
    let [n_typed, n_asked, n_answered] = [0_u32; 3].map(StoredValue::new);
    let panel = ask(
        store,
        move || {
            let (text, target) = (text.get(), store.route.with(|route| route.target));
            n_asked.set_value(n_typed.get_value());
            Question::Palette { text, target }
        },
        |answer| match answer {
            Answer::Palette(options) => Ok(options),
            _ => Err(words::OTHER_ANSWER.to_owned()),
        },
    );
    // Who types and presses Enter at once means the options that are still on their way.
    let is_behind = move || {
        n_asked.get_value() != n_typed.get_value() || n_answered.get_value() != n_asked.get_value()
    };
    let n_options = move || match &*panel.read_untracked() {
        Panel::Data(options) => options.len(),
        _ => 0,
    };
    let choose = move |at: usize| {
        if let Panel::Data(options) = panel.get_untracked()
            && let Some(option) = options.get(at)
        {
            do_it(store, &option.does);
        }
    };
    // When Enter was pressed ahead of its options, in milliseconds.
    let chosen_at = StoredValue::new(None);
    effect(move || {
        panel.track();
        n_answered.set_value(n_asked.get_value());
        active.set(0);
        if is_behind() {
            return;
        }
        if let Some(pressed) = chosen_at.get_value() {
            chosen_at.set_value(None);
            if browser::now() - pressed < PATIENCE {
                choose(0);
            }
        }
    });
    effect(move || {
        let at = active.get();
        // It is marked once it has been drawn.
        browser::frame(move || browser::show(&option_id(at)));
    });
    let on_key = move |event: KeyboardEvent| {
        let (at, n_options) = (active.get_untracked(), n_options());
        let goal = match event.key().as_str() {
            "ArrowDown" => (at + 1) % n_options.max(1),
            "ArrowUp" => at.checked_sub(1).unwrap_or(n_options.saturating_sub(1)),
            "Enter" => {
                event.prevent_default();
                if is_behind() {
                    return chosen_at.set_value(Some(browser::now()));
                }
                return choose(at);
            }
            _ => return,
        };
        event.prevent_default();
        active.set(goal);
    };
    view! {
        <input
            class="palette__field" type="text" autofocus=true autocomplete="off" spellcheck="false"
            placeholder=words::PALETTE_EXAMPLE aria-label=words::PALETTE_FIELD
            role="combobox" aria-expanded="true" aria-controls=LIST aria-autocomplete="list"
            aria-activedescendant=live(move || option_id(active.get()))
            on:input:target=move |event| {
                n_typed.update_value(|n| *n += 1);
                text.set(event.target().value());
            }
            on:keydown=handler(on_key)
        />
        <div class="palette__list" id=LIST role="listbox" aria-label=words::PALETTE_FOUND>
            <PanelView panel what=words::THE_LIST draw=options/>
        </div>
    }
}

fn option_id(at: usize) -> String {
    format!("palette-{at}")
}

/// Does what was chosen, and closes the palette.
fn do_it(store: Store, does: &Does) {
    // First: an action may open another dialog.
    store.palette.set(false);
    match does {
        Does::Open(address) => store.follow(&store.route_of(address)),
        Does::Act(word) => act(store, word),
    }
}

fn options(options: Arc<Vec<PaletteOption>>) -> AnyView {
    if options.is_empty() {
        return view! { <p class="palette__empty">{words::PALETTE_NOTHING}</p> }.into_any();
    }
    options.iter().enumerate().map(|(at, one)| option(at, one)).collect_view().into_any()
}

fn option(at: usize, option: &PaletteOption) -> AnyView {
    let (store, ActiveOption(active)) = (use_store(), expect_context());
    let is_active = live(move || if active.get() == at { "true" } else { "false" });
    let outcome = option.outcome.map(|outcome| {
        view! { {outcome_mark(outcome)}<span class="visually-hidden">{outcome.as_str()}</span> }
            .into_any()
    });
    let key = option.key.clone();
    let key = key.map(|key| view! { <kbd class="palette__key">{key}</kbd> }.into_any());
    let body = view! {
        {outcome}
        <bdi class="palette__label">{option.label.clone()}</bdi>
        <span class="palette__hint">{option.hint.clone()}</span>
        {key}
    }
    .into_any();
    let id = option_id(at);
    match option.does.clone() {
        // A click on a link is followed by the page, like every other.
        Does::Open(address) => view! {
            <a class="palette__option" id=id role="option" tabindex="-1" href=address aria-selected=is_active>{body}</a>
        }
        .into_any(),
        does @ Does::Act(_) => {
            let choose = handler(move |_| do_it(store, &does));
            view! {
                <button type="button" class="palette__option" id=id role="option" tabindex="-1" aria-selected=is_active on:click=choose>{body}</button>
            }
            .into_any()
        }
    }
}
