//! Long texts: as they are, as JSON, as a diff; huge ones first in part.

use super::DiffView;
use crate::format;
use crate::report::{Content, ContentFormat};
use crate::ui::state::{handler, live, shown, use_store};
use crate::ui::{excerpt, json_text};
use leptos::prelude::*;

/// A labelled text, in the form that fits it.
#[component]
pub fn ContentBlock(
    /// What to show.
    content: Content,
) -> impl IntoView {
    let Content { label, body, format } = content;
    let copied = body.clone();
    let shown = match format {
        ContentFormat::Text => view! { <LongText text=body label=label.clone()/> }.into_any(),
        ContentFormat::Json => {
            view! { <LongText text=json_text::indented(&body) label=label.clone()/> }.into_any()
        }
        ContentFormat::Diff => view! { <DiffView diff=body/> }.into_any(),
    };
    view! {
        <div class="block">
            <div class="block__head">
                <h3 class="block__label">{label.clone()}</h3>
                <CopyButton text=copied what=label/>
            </div>
            {shown}
        </div>
    }
}

/// Text as it is, with its line breaks; the first part of it when it is huge.
#[component]
pub fn LongText(
    /// The text.
    text: String,
    /// What it is.
    label: String,
) -> impl IntoView {
    if text.is_empty() {
        return view! { <p class="block__empty">"(empty text)"</p> }.into_any();
    }
    let n_bytes = text.len();
    let is_whole = RwSignal::new(n_bytes <= excerpt::FIRST_BYTES);
    let part = move || {
        let limit = if is_whole.get() { usize::MAX } else { excerpt::FIRST_BYTES };
        excerpt::first_part(&text, limit).to_owned()
    };
    view! {
        <pre class="block__text" role="group" aria-label=label tabindex="0">{live(part)}</pre>
        {show_all(is_whole, n_bytes)}
    }
    .into_any()
}

/// The way to the rest of a text that is shown in part.
pub fn show_all(is_whole: RwSignal<bool>, n_bytes: usize) -> impl IntoView {
    let words = format!("Show all ({})", format::bytes(n_bytes as u64));
    view! {
        {shown(move || !is_whole.get(), move || view! {
            <button type="button" class="button button--small" on:click=handler(move |_| is_whole.set(true))>
                {words.clone()}
            </button>
        }.into_any())}
    }
}

/// Copies `text`.
#[component]
pub fn CopyButton(
    /// What is copied.
    text: String,
    /// What it is, for those who do not see where the button stands.
    what: String,
) -> impl IntoView {
    let store = use_store();
    let label = format!("Copy {what}");
    view! {
        <button
            type="button"
            class="button button--quiet"
            aria-label=label
            on:click=handler(move |_| store.copy(text.clone()))
        >
            "Copy"
        </button>
    }
}
