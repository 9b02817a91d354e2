//! The bar at the top: name, pages, search, ways in and out.

use super::{ExportMenu, Icon, OpenMenu, icon};
use crate::address::Page;
use crate::browser::{self, Theme};
use crate::format;
use crate::ui::state::{act, handler, live, memo, shown, use_store};
use crate::words::ui::shell as words;
use leptos::prelude::*;

/// The bar; without pages and exports while nothing is loaded.
#[component]
pub fn TopBar(
    /// Whether nothing is loaded.
    is_empty: Memo<bool>,
    /// Whether the workspace lies over the page, where it has no room beside it.
    is_side_open: RwSignal<bool>,
) -> impl IntoView {
    let store = use_store();
    let name = memo(move || store.selected_name());
    let home = move || {
        view! {
            <button
                type="button" class="icon-button bar__menu" title=words::WORKSPACE
                aria-expanded=live(move || if is_side_open.get() { "true" } else { "false" })
                on:click=handler(move |_| is_side_open.update(|is_open| *is_open = !*is_open))
            >{icon(Icon::Menu)}</button>
        }
        .into_any()
    };
    view! {
        <header class="bar">
            <div class="bar__home">
                {shown(move || !is_empty.get(), home)}
                <span class="bar__brand">{icon(Icon::Mark)}<span class="bar__name">{words::NAME}</span></span>
                {shown(move || !is_empty.get(), move || view! {
                    <span class="bar__where">{live(move || name.get().unwrap_or_else(|| words::EVERYTHING.to_owned()))}</span>
                }.into_any())}
            </div>
            {shown(move || !is_empty.get(), || view! { <PageLinks/> }.into_any())}
            <div class="bar__tools">
                {shown(move || !is_empty.get(), move || view! {
                    <button type="button" class="button bar__find" title=words::SEARCH_HINT on:click=handler(move |_| act(store, "palette"))>
                        {icon(Icon::Search)}<span>{words::SEARCH}</span><kbd aria-hidden="true">{words::SEARCH_KEYS}</kbd>
                    </button>
                    <OpenMenu/>
                    <ExportMenu/>
                }.into_any())}
                <ThemeButton/>
                {[
                    ("icon-button", Icon::Settings, words::SETTINGS, words::SETTINGS_HINT, "settings"),
                    ("icon-button bar__rare", Icon::Help, words::KEYS, words::KEYS_HINT, "keys"),
                ].map(|(class, sign, label, title, word)| view! {
                    <button type="button" class=class aria-label=label title=title on:click=handler(move |_| act(store, word))>{icon(sign)}</button>
                }.into_any()).collect_view()}
            </div>
        </header>
    }
}

/// Turns from the system's colours to light and dark ones.
#[component]
fn ThemeButton() -> impl IntoView {
    let store = use_store();
    let label = move || match store.theme.get() {
        Theme::System => words::THEME_SYSTEM,
        Theme::Light => words::THEME_LIGHT,
        Theme::Dark => words::THEME_DARK,
    };
    let sign = move || match store.theme.get() {
        Theme::System => icon(Icon::System),
        Theme::Light => icon(Icon::Light),
        Theme::Dark => icon(Icon::Dark),
    };
    view! {
        <button
            type="button" class="icon-button bar__rare" title=live(label)
            on:click=handler(move |_| store.next_theme())
        >{live(sign)}</button>
    }
}

/// The pages, with how much there is on those where that matters.
#[component]
fn PageLinks() -> impl IntoView {
    let store = use_store();
    // Most producers have nothing beyond their cases.
    let has_documents = memo(move || store.tree.with(|tree| tree.n_documents > 0));
    let links = Page::ALL
        .map(|page| {
            let is_here = memo(move || store.route.with(|route| route.page == page));
            let count = move || {
                let target = store.route.with(|route| route.target);
                let n = store.tree.with(|tree| match page {
                    Page::Cases => tree.n_cases_of(target),
                    Page::Failures => tree.n_failures_of(target),
                    Page::Audit => tree.n_differences,
                    Page::Notes => tree.n_losses,
                    _ => 0,
                });
                let is_alert = matches!(page, Page::Audit | Page::Notes);
                let class = if is_alert { "bar__count bar__count--alert" } else { "bar__count" };
                (n > 0).then(|| {
                    view! { <span class=class aria-hidden="true">{format::count(n)}</span> }
                        .into_any()
                })
            };
            let href = move || {
                store.route.with(|route| {
                    let mut route = route.clone();
                    if page == Page::Compare && route.page != page {
                        route.compare = store.compared.get();
                    }
                    route.page = page;
                    route.leave();
                    store.tree.with(|tree| route.to_hash(tree))
                })
            };
            view! {
                <a
                    class="bar__page"
                    href=live(href)
                    aria-current=live(move || is_here.get().then_some("page"))
                    hidden=live(move || {
                        let is_rare = match page {
                            Page::Agent => !has_documents.get(),
                            // The line above figures of tables leads to it.
                            Page::Columns => true,
                            Page::Sql => !browser::has_sql_engine(),
                            _ => false,
                        };
                        is_rare && !is_here.get()
                    })
                >{page.title()}" "{live(count)}</a>
            }
            .into_any()
        })
        .collect_view();
    view! { <nav class="bar__pages" aria-label=words::PAGES>{links}</nav> }
}
