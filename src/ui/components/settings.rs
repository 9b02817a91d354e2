//! How numbers and rows look, and what is kept on this device.

use super::MemoryView;
use crate::browser;
use crate::ui::state::{handler, live, use_store};
use crate::words::ui::{settings as words, shell};
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
        .map(|value| {
            let name = match value {
                "" => words::READERS_ALL.to_owned(),
                n => words::readers(n),
            };
            view! { <option value=value selected=value == kept>{name}</option> }
        })
        .collect_view();
    view! {
        <dialog class="keys" id=SETTINGS_DIALOG aria-labelledby="settings-title">
            <h2 class="keys__title" id="settings-title">{shell::SETTINGS}</h2>
            {choice(words::RATES, &RATES, |look| if look.is_fraction { "fraction" } else { "percent" }, |look, word| {
                look.is_fraction = word == "fraction";
            })}
            {choice(words::DECIMALS, &DIGITS, |look| match look.digits {
                Some(0) => "0",
                Some(1) => "1",
                Some(2) => "2",
                Some(4) => "4",
                Some(6) => "6",
                _ => "usual",
            }, |look, word| look.digits = word.parse().ok())}
            {choice(words::ROWS, &ROWS, |look| if look.is_dense { "dense" } else { "comfortable" }, |look, word| {
                look.is_dense = word == "dense";
            })}
            <label class="field field--line">
                <span class="field__label">{words::FOLDERS}</span>
                <select class="field__input" on:change:target=move |event| {
                    browser::read_whole(event.target().value() == "whole");
                }>
                    <option value="streams">{words::FOLDERS_STREAMS}</option>
                    <option value="whole">{words::FOLDERS_WHOLE}</option>
                </select>
            </label>
            <label class="field field--line">
                <span class="field__label">{words::READERS}</span>
                <select class="field__input" on:change:target=move |event| {
                    browser::remember(READERS_SETTING, &event.target().value());
                }>{readers}</select>
            </label>
            <MemoryView/>
            <button type="button" class="button" on:click=handler(move |_| browser::show_dialog(SETTINGS_DIALOG, false))>{shell::CLOSE}</button>
        </dialog>
    }
}

type SettingValue = fn(crate::render::Look) -> &'static str;
type Set = fn(&mut crate::render::Look, &str);

const RATES: [(&str, &str); 2] =
    [("percent", words::RATE_WAYS[0]), ("fraction", words::RATE_WAYS[1])];
const DIGITS: [(&str, &str); 6] = [
    ("usual", words::DECIMALS_USUAL),
    ("0", words::DECIMALS_NONE),
    ("1", "1"),
    ("2", "2"),
    ("4", "4"),
    ("6", "6"),
];
/// Numbers of readers; empty: as many as cores.
const READERS: [&str; 5] = ["", "1", "2", "4", "8"];
const ROWS: [(&str, &str); 2] =
    [("comfortable", words::ROW_WAYS[0]), ("dense", words::ROW_WAYS[1])];
