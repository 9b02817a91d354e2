//! A conversation: turns as text, calls and returns of tools folded.

use super::{Fold, LongText};
use crate::format;
use crate::report::Message;
use crate::ui::excerpt;
use crate::ui::state::{handler, live, shown};
use leptos::prelude::*;

/// Messages that are drawn before the reader asks for the rest.
const FIRST_MESSAGES: usize = 200;

/// Letters of a folded message that are shown.
const PREVIEW_CHARS: usize = 120;

/// The conversation, in order.
#[component]
pub fn Transcript(
    /// The messages.
    messages: Vec<Message>,
) -> impl IntoView {
    let n_messages = messages.len();
    let is_whole = RwSignal::new(n_messages <= FIRST_MESSAGES);
    let part = move || {
        let limit = if is_whole.get() { n_messages } else { FIRST_MESSAGES };
        messages.iter().take(limit).map(message_view).collect_view()
    };
    view! {
        <ol class="transcript">{live(part)}</ol>
        {shown(move || !is_whole.get(), move || view! {
            <button type="button" class="button button--small" on:click=handler(move |_| is_whole.set(true))>
                {format!("Show all {} messages", format::count(n_messages as u64))}
            </button>
        }.into_any())}
    }
}

fn message_view(message: &Message) -> AnyView {
    let is_said = matches!(message.role.as_str(), "user" | "assistant" | "system");
    let class = match message.role.as_str() {
        "user" => "turn turn--user",
        "assistant" => "turn turn--assistant",
        _ => "turn",
    };
    let body = if is_said && message.tool.is_none() {
        view! { <div class="turn__text"><LongText text=message.text.clone() label=message.role.clone()/></div> }
            .into_any()
    } else {
        folded(message)
    };
    view! {
        <li class=class>
            <div class="turn__who">
                <span class="turn__role">{message.role.clone()}</span>
                {message.at.clone().map(|at| {
                    let shown = format::moment(&at);
                    view! { <span class="turn__at" title=at>{shown}</span> }.into_any()
                })}
            </div>
            {body}
        </li>
    }
    .into_any()
}

/// A message that is opened on demand, with its first words.
fn folded(message: &Message) -> AnyView {
    let name = message.tool.clone().unwrap_or_else(|| message.kind.clone());
    let (text, label) = (message.text.clone(), name.clone());
    let error = message
        .is_error
        .then(|| view! { <span class="turn__error">"tool failed"</span> }.into_any());
    let summary = view! {
        <span class="turn__tool">{name}</span>
        {error}
        <span class="turn__preview">{excerpt::preview(&message.text, PREVIEW_CHARS)}</span>
    }
    .into_any();
    let body =
        Box::new(move || view! { <LongText text=text.clone() label=label.clone()/> }.into_any());
    view! { <Fold class="turn__fold" summary body/> }.into_any()
}
