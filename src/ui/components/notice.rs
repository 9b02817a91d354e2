//! A sentence that lies over the page until it is answered.

use crate::browser;
use crate::ui::state::{handler, live, use_store};
use crate::words::ui::hosted as words;
use leptos::prelude::*;

/// The sentence, and what can be done about it.
#[component]
pub fn NoticeView() -> impl IntoView {
    let notice = use_store().hosted.notice;
    live(move || {
        let said = notice.get()?;
        let act = said.is_update.then(|| {
            view! {
                <button type="button" class="toast__undo" on:click=handler(|_| browser::take_over())>{words::RELOAD}</button>
            }
            .into_any()
        });
        let drawn = view! {
            <div id="notice" class="hosted-notice" role="status">
                <span>{said.sentence}</span>
                {act}
                <button
                    type="button" class="icon-button" title=words::DISMISS
                    on:click=handler(move |_| notice.set(None))
                >{super::icon(super::Icon::Close)}</button>
            </div>
        };
        Some(drawn.into_any())
    })
}
