//! What the host has to say on the start page: its gallery, or why a link cannot be opened.

use crate::hosting::{Action, HostingPage, LinkSection, ResultLink};
use crate::ui::state::{live, use_store};
use crate::words::ui::hosted as words;
use leptos::prelude::*;

/// What it has to say, if anything.
#[component]
pub fn HostedView() -> impl IntoView {
    let said = use_store().hosted.said;
    view! { <div id="hosted">{live(move || said.get().map(drawn))}</div> }
}

fn drawn(said: HostingPage) -> AnyView {
    match said {
        HostingPage::Gallery { title, sections } => {
            let title = if title.is_empty() { words::GALLERY.to_owned() } else { title };
            view! {
                <section class="hosted" aria-labelledby="hosted-title">
                    {heading(title)}
                    {sections.into_iter().map(section).collect_view()}
                </section>
            }
            .into_any()
        }
        HostingPage::Refused { is_stopped, reasons, n_more, is_elsewhere, actions } => {
            let title = if is_stopped { words::STOPPED } else { words::REFUSED };
            let reasons = reasons.into_iter().map(|(address, message)| {
                view! { <li><code class="hosted__address">{address}</code><span>{message}</span></li> }
                    .into_any()
            });
            let has_actions = !actions.is_empty();
            alert(title, view! {
                <ul class="hosted__refusals">{reasons.collect_view()}</ul>
                {(n_more > 0).then(|| view! { <p>{words::more(n_more)}</p> }.into_any())}
                {is_elsewhere.then(|| view! { <p class="hosted__hint">{words::ELSEWHERE}</p> }.into_any())}
                {has_actions.then(|| view! {
                    <p class="hosted__actions">{actions.into_iter().map(action).collect_view()}</p>
                }.into_any())}
            }.into_any())
        }
        HostingPage::Damaged => {
            alert(words::DAMAGED, view! { <p>{words::DAMAGED_WHY}</p> }.into_any())
        }
    }
}

fn alert(title: &str, content: AnyView) -> AnyView {
    view! {
        <section class="hosted hosted--refused" role="alert" aria-labelledby="hosted-title">
            {heading(title.to_owned())}
            {content}
        </section>
    }
    .into_any()
}

fn heading(title: String) -> AnyView {
    view! { <h2 class="start__heading" id="hosted-title">{title}</h2> }.into_any()
}

fn section(LinkSection { title, entries }: LinkSection) -> AnyView {
    let title = (!title.is_empty())
        .then(|| view! { <h3 class="hosted__group-title">{title}</h3> }.into_any());
    let entries = entries.into_iter().map(entry).collect_view();
    view! { <div class="hosted__group">{title}<ul class="hosted__list">{entries}</ul></div> }
        .into_any()
}

fn entry(ResultLink { title, href, datetime, date }: ResultLink) -> AnyView {
    let time = (!date.is_empty())
        .then(|| view! { <time class="hosted__date" datetime=datetime>{date}</time> }.into_any());
    view! { <li class="hosted__item"><a class="link" href=href>{title}</a>{time}</li> }.into_any()
}

fn action(Action { words, href }: Action) -> AnyView {
    view! { <a class="button" href=href>{words}</a> }.into_any()
}
