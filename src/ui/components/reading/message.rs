//! One message of a conversation: something said, thoughts, a call with what came back.

use super::leading::Leading;
use super::pieces::pieces;
use crate::reading::{EntryBody, EntryShown, Piece, Speaker};
use crate::ui::components::icon::{Icon, icon};
use crate::ui::state::{handler, use_store};
use crate::words::ui::case as words;
use leptos::ev::MouseEvent;
use leptos::html::Article;
use leptos::prelude::*;

/// The message.
pub fn message(entry: &EntryShown) -> AnyView {
    let mut class = match entry.speaker {
        _ if entry.is_error => "turn turn--error",
        Speaker::User => "turn turn--user",
        Speaker::Assistant => "turn turn--assistant",
        Speaker::System => "turn turn--system",
        Speaker::Thoughts | Speaker::Tool | Speaker::Other => "turn",
    }
    .to_owned();
    if entry.agent.is_some() {
        class.push_str(" turn--inner");
    }
    let label = words::message(&entry.number, &entry.role);
    let body = match &entry.body {
        EntryBody::Words { tool, pieces: list } => {
            let tool = tool.clone();
            let tool = tool.map(|tool| view! { <bdi class="turn__tool">{tool}</bdi> }.into_any());
            view! { {tool}{pieces(list)} }.into_any()
        }
        EntryBody::Call { tool, has_failed, took, given, returned } => {
            call((tool.clone(), *has_failed, took.clone()), given.as_deref(), returned.as_deref())
        }
    };
    let leading: Leading = expect_context();
    let place = NodeRef::<Article>::new();
    let current = leading.brings(&entry.way.id, place);
    view! {
        <article class=class id=entry.way.id.clone() tabindex="-1" aria-label=label node_ref=place aria-current=current>
            {who(entry)}
            <div class="turn__body">{body}</div>
        </article>
    }
    .into_any()
}

fn who(entry: &EntryShown) -> AnyView {
    let (store, way) = (use_store(), entry.way.clone());
    let leading: Leading = expect_context();
    // A click with a key pressed opens it elsewhere.
    let follow = move |event: MouseEvent| {
        if !(event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key()) {
            event.prevent_default();
            leading.go(store, &way);
        }
    };
    let label = words::link_to_message(&entry.number);
    let sign = match entry.speaker {
        Speaker::User => Some(Icon::User),
        Speaker::Assistant => Some(Icon::Agent),
        Speaker::Thoughts => Some(Icon::Thoughts),
        Speaker::Tool => Some(Icon::Tool),
        Speaker::System | Speaker::Other => None,
    };
    let agent = entry.agent.clone().map(|agent| {
        view! { <span class="turn__agent">{words::SUB_AGENT}": "<bdi>{agent}</bdi></span> }
            .into_any()
    });
    let at = entry.at.clone().map(|(written, shown)| {
        view! { <span class="turn__at" title=written>{shown}</span> }.into_any()
    });
    let gap = entry
        .gap
        .clone()
        .map(|gap| view! { <span class="turn__gap" title=words::SINCE>{gap}</span> }.into_any());
    view! {
        <div class="turn__who">
            <span class="turn__sign">{sign.map(icon)}</span>
            <a class="turn__link" href=entry.address.clone() aria-label=label on:click=handler(follow)>"#"</a>
            <bdi class="turn__role">{entry.role.clone()}</bdi>
            {agent}
            {at}
            {gap}
        </div>
    }
    .into_any()
}

/// A call: what the tool was given, and what it gave back.
fn call(
    (tool, has_failed, took): (String, bool, Option<String>),
    given: Option<&[Piece]>,
    returned: Option<&[Piece]>,
) -> AnyView {
    let failed = has_failed
        .then(|| view! { <span class="call__failed">"✕ "{words::TOOL_FAILED}</span> }.into_any());
    let took = took.map(|took| {
        view! { <span class="call__took">{words::RETURNED_AFTER}" "{took}</span> }.into_any()
    });
    let returned = match (returned, given) {
        (Some(list), _) => Some(
            view! {
                <div class="call__return">{icon(Icon::Return)}<div class="call__back">{pieces(list)}</div></div>
            }
            .into_any(),
        ),
        (None, Some(_)) => Some(view! { <p class="call__none">{words::NO_RESULT}</p> }.into_any()),
        (None, None) => None,
    };
    let given = given
        .filter(|list| !list.is_empty())
        .map(|list| view! { <div class="call__given">{pieces(list)}</div> }.into_any());
    let class = if has_failed { "call call--failed" } else { "call" };
    view! {
        <div class=class>
            <p class="call__head"><bdi class="turn__tool">{tool}</bdi>{failed}{took}</p>
            {given}
            {returned}
        </div>
    }
    .into_any()
}
