//! How numbers and rows look, and what is kept on this device.

use super::MemoryView;
use crate::browser;
use crate::ui::state::{handler, live, use_store};
use crate::worker::client::READERS_SETTING;
use leptos::prelude::*;

/// Id of the dialog.
const SETTINGS_DIALOG: &str = "settings";

/// The dialog, closed until it is asked for. Every choice is in force at once and kept.
#[component]
pub fn SettingsDialog() -> impl IntoView {
    let store = use_store();
    let look = store.look;
    let choice = |label: &'static str,
                  options: &'static [(&'static str, &'static str)],
                  value: SettingValue,
                  set: Set| {
        let options = options
            .iter()
            .map(|&(word, words)| {
                let is_chosen = live(move || value(look.get()) == word);
                view! { <option value=word prop:selected=is_chosen>{words}</option> }.into_any()
            })
            .collect_view();
        view! {
            <label class="field field--line">
                <span class="field__label">{label}</span>
                <select class="field__input" on:change:target=move |event| {
                    let word = event.target().value();
                    look.update(|look| set(look, &word));
                }>{options}</select>
            </label>
        }
        .into_any()
    };
    let kept = browser::remembered(READERS_SETTING).unwrap_or_default();
    let readers = READERS
        .map(|(value, words)| view! { <option value=value selected=value == kept>{words}</option> })
        .collect_view();
    view! {
        <dialog class="keys" id=SETTINGS_DIALOG aria-labelledby="settings-title">
            <h2 class="keys__title" id="settings-title">"Settings"</h2>
            {choice("Rates", &RATES, |look| if look.is_fraction { "fraction" } else { "percent" }, |look, word| {
                look.is_fraction = word == "fraction";
            })}
            {choice("Decimals", &DIGITS, |look| match look.digits {
                Some(0) => "0",
                Some(1) => "1",
                Some(2) => "2",
                Some(4) => "4",
                Some(6) => "6",
                _ => "usual",
            }, |look, word| look.digits = word.parse().ok())}
            {choice("Rows of the cases", &ROWS, |look| if look.is_dense { "dense" } else { "comfortable" }, |look, word| {
                look.is_dense = word == "dense";
            })}
            <label class="field field--line">
                <span class="field__label">"Folders agent and snapshot"</span>
                <select class="field__input" on:change:target=move |event| {
                    browser::read_whole(event.target().value() == "whole");
                }>
                    <option value="streams">"event streams only"</option>
                    <option value="whole">"read whole, from the next opening on"</option>
                </select>
            </label>
            <label class="field field--line">
                <span class="field__label">"Parallel readers"</span>
                <select class="field__input" on:change:target=move |event| {
                    browser::remember(READERS_SETTING, &event.target().value());
                }>{readers}</select>
            </label>
            <MemoryView/>
            <button type="button" class="button" on:click=handler(move |_| browser::show_dialog(SETTINGS_DIALOG, false))>"Close"</button>
        </dialog>
    }
}

type SettingValue = fn(crate::render::Look) -> &'static str;
type Set = fn(&mut crate::render::Look, &str);

const RATES: [(&str, &str); 2] = [("percent", "83.3 %"), ("fraction", "0.833")];
const DIGITS: [(&str, &str); 6] =
    [("usual", "as usual"), ("0", "none"), ("1", "1"), ("2", "2"), ("4", "4"), ("6", "6")];
const READERS: [(&str, &str); 5] = [
    ("", "as many as cores"),
    ("1", "1, from the next visit on"),
    ("2", "2, from the next visit on"),
    ("4", "4, from the next visit on"),
    ("8", "8, from the next visit on"),
];
const ROWS: [(&str, &str); 2] = [("comfortable", "comfortable"), ("dense", "dense")];
