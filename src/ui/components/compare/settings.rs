//! How cases are paired, and how small a difference does not matter.

use super::switch::switch;
use crate::render::compare::CompareShown;
use crate::report::compare::PairBy;
use crate::ui::state::{handler, live, memo, shown, use_store};
use crate::words::ui::compare as words;
use crate::worker::protocol::{Answer, CompareQuestion, Question};
use leptos::prelude::*;
use std::sync::Arc;

/// Words of the address for the ways of pairing, in the order of their names.
const WAYS: [&str; 3] = ["", "key", "id"];

/// The same for pairing by what was asked.
const BY_INPUT: &str = "input";

/// The settings, in a line.
#[component]
pub fn CompareSettings(
    /// The comparison.
    data: Memo<Arc<CompareShown>>,
) -> impl IntoView {
    let store = use_store();
    let has_two = memo(move || data.with(|data| data.versus.is_some()));
    let complaint = memo(move || data.with(|data| data.complaint.clone()));
    let view = memo(move || store.route.with(|route| route.compare.clone()));
    let by = memo(move || view.with(|view| view.by.map_or("", PairBy::as_str)));
    let ask = move |question: fn(crate::address::CompareView) -> CompareQuestion| {
        store.ask(Question::Compare(question(view.get_untracked())), move |answer| match answer {
            Ok(Answer::Text(text)) => store.copy_saying(text, words::COPIED.to_owned()),
            Ok(Answer::Export(file)) => store.save(&file),
            Ok(_) => {}
            Err(failure) => store.say(failure.to_string()),
        });
    };
    let knows_inputs = memo(move || data.with(|data| data.knows_inputs));
    let way = move |(value, label): (&'static str, &'static str)| {
        view! { <option value=value prop:selected=live(move || by.get() == value)>{label}</option> }
            .into_any()
    };
    let same_input = move || {
        switch(
            "same-input",
            "check-box compare-settings__check",
            words::SAME_INPUT,
            move || view.with(|view| view.without_changed),
            move |is_on| store.go(|route| route.compare.without_changed = is_on),
        )
    };
    let fields = move || {
        let ways = WAYS.into_iter().zip(words::PAIR_WAYS).map(way);
        let by_input = shown(
            move || knows_inputs.get() || by.get() == BY_INPUT,
            move || way((BY_INPUT, words::PAIR_BY_INPUT)),
        );
        view! {
            <div class="compare-settings" role="group" aria-label=words::SETTINGS>
                <label class="compare-settings__field">{words::PAIR_BY}
                    <select class="field__input" id="pair-by" on:change:target=move |event| {
                        let by = PairBy::from_text(&event.target().value());
                        store.go(|route| route.compare.by = by);
                    }>{ways.collect_view()}{by_input}</select>
                </label>
                <label class="compare-settings__field">{words::STRIP}
                    <input
                        class="field__input field__input--code" id="pair-strip" type="text" autocomplete="off" spellcheck="false"
                        placeholder=words::STRIP_EXAMPLE
                        aria-invalid=live(move || complaint.with(Option::is_some).then_some("true"))
                        aria-describedby="pair-strip-said"
                        prop:value=live(move || view.with(|view| view.strip.clone()))
                        on:change:target=move |event| {
                            let strip = event.target().value();
                            store.go(|route| route.compare.strip = strip);
                        }
                    />
                </label>
                <label class="compare-settings__field">{words::MARGIN}
                    <input
                        class="field__input field__input--number" id="margin" type="text" inputmode="decimal" autocomplete="off"
                        placeholder="0.02"
                        prop:value=live(move || view.with(|view| view.margin.clone()))
                        on:change:target=move |event| {
                            let margin = event.target().value();
                            store.go(|route| route.compare.margin = margin.trim().to_owned());
                        }
                    />
                </label>
                {shown(move || knows_inputs.get(), same_input)}
                <span class="compare-settings__end">
                    <button type="button" class="button button--quiet" id="save-comparison" on:click=handler(move |_| ask(CompareQuestion::Html))>{words::SAVE_HTML}</button>
                    <button type="button" class="button button--quiet" id="save-pairs" on:click=handler(move |_| ask(CompareQuestion::PairsCsv))>{words::SAVE_PAIRS}</button>
                    <button type="button" class="button button--quiet" id="copy-markdown" on:click=handler(move |_| ask(CompareQuestion::Markdown))>{words::COPY}</button>
                </span>
                <p class="compare-settings__said" id="pair-strip-said" role="status">{live(move || complaint.get())}</p>
            </div>
        }
        .into_any()
    };
    shown(move || has_two.get(), fields)
}
