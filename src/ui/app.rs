//! The frame around the pages: top bar, workspace, status line, keys.

use super::components::{
    ColumnsLine, DropOverlay, HostedView, KeysDialog, LostLink, NoticeView, Palette, RenameDialog,
    RulesStrip, SealDialog, SettingsDialog, Sidebar, SqlView, StatusBar, Toast, TopBar, UnreadView,
};
use super::pages::{
    AgentPage, CasesPage, ColumnsPage, ComparePage, GRID_ID, HowPage, RulesPage, SEARCH_ID,
    SectionsPage, StartPage,
};
use super::state::{self, Store, act, effect, handler, live, memo, shown, use_store};
use crate::address::{Page, Route};
use crate::browser;
use crate::words::ui::shell as words;
use leptos::ev::MouseEvent;
use leptos::prelude::*;

/// Draws the page into the body.
pub fn mount() {
    leptos::mount::mount_to_body(App);
}

/// The page.
#[component]
fn App() -> impl IntoView {
    let store = Store::provide();
    browser::set_theme(store.theme.get_untracked());
    let phase = memo(move || store.phase());
    effect(move || browser::set_phase(phase.get().as_str()));
    effect(move || browser::set_title(&title(store)));
    browser::on_key(move |key| !key.is_in_dialog && on_key(store, &key));
    let is_empty = memo(move || store.is_empty());
    let is_side_open = RwSignal::new(false);
    view! {
        <a class="skip-link" href="#main" on:click=handler(move |event: MouseEvent| {
            event.prevent_default();
            browser::focus("main");
        })>{words::SKIP}</a>
        <div class="app" class:app--start=is_empty>
            <TopBar is_empty is_side_open/>
            {shown(move || !is_empty.get(), move || view! {
                <Sidebar is_open=is_side_open/>
            }.into_any())}
            <main class="app__main" id="main" tabindex="-1">
                <p class="sealed-line" id="sealed-line">{store.hosted.sealed}</p>
                <RulesStrip/>
                <ColumnsLine/>
                {shown(move || is_empty.get(), || view! { <HostedView/> }.into_any())}
                {live(move || if is_empty.get() { view! { <StartPage/> }.into_any() } else { view! { <Content/> }.into_any() })}
            </main>
            <StatusBar phase/>
        </div>
        <DropOverlay/>
        <Toast/>
        <NoticeView/>
        <KeysDialog/>
        <Palette/>
        <SettingsDialog/>
        <RenameDialog/>
        <SealDialog/>
    }
}

/// The page that the address names.
#[component]
fn Content() -> impl IntoView {
    let store = use_store();
    let page = memo(move || store.route.with(|route| route.page));
    let has_how = memo(move || store.route.with(|route| route.how.is_some()));
    let is_lost = memo(move || store.route.with(|route| route.missing.is_some()));
    let is_unread = memo(move || store.unread.with(Option::is_some));
    let last = StoredValue::new(Route::default());
    // What was there before anything was loaded is gone, and may have had the focus.
    browser::to_heading(false);
    effect(move || {
        let place = store.route.with(Route::place);
        if last.get_value() != place {
            last.set_value(place);
            store.unread.set(None);
            browser::to_heading(false);
            store.whole.update(Vec::clear);
            store.sorted.update(std::collections::HashMap::clear);
            browser::scroll_to_top("main");
        }
        // On a narrow screen the pages are a strip that scrolls.
        browser::behind_frame(|| browser::reveal(".bar__page[aria-current]"));
    });
    let topic = Signal::from(memo(move || store.route.with(Route::topic)));
    live(move || match page.get() {
        _ if is_lost.get() => view! { <LostLink/> }.into_any(),
        _ if is_unread.get() => view! { <UnreadView/> }.into_any(),
        _ if has_how.get() => view! { <HowPage topic/> }.into_any(),
        Page::Cases => view! { <CasesPage/> }.into_any(),
        Page::Rules => view! { <RulesPage/> }.into_any(),
        Page::Agent => view! { <AgentPage/> }.into_any(),
        Page::Columns => view! { <ColumnsPage/> }.into_any(),
        Page::Compare => view! { <ComparePage/> }.into_any(),
        Page::Sql => view! { <SqlView/> }.into_any(),
        _ => view! { <SectionsPage topic/> }.into_any(),
    })
}

/// The document's title.
fn title(store: Store) -> String {
    let name = store.selected().and_then(|id| store.name_of(id));
    let page = store.route.with(|route| route.page);
    state::title(store.is_empty(), page, name.as_deref())
}

/// Keys that do what the command palette does too, by its words.
const ACTION_KEYS: [(&str, &str); 7] = [
    ("Mod+k", "palette"),
    ("?", "keys"),
    ("t", "theme"),
    (",", "settings"),
    ("o", "open-files"),
    ("u", "restore"),
    ("F2", "rename"),
];

/// Keys that work everywhere; `false` leaves the key to the browser.
fn on_key(store: Store, key: &browser::KeyPress) -> bool {
    let is_empty = store.tree.with_untracked(|tree| tree.evaluations.is_empty());
    let has_case = store.route.with_untracked(|route| route.case.is_some());
    let is_agent = store.route.with_untracked(|route| route.page == Page::Agent);
    let has_neighbours = has_case || is_agent;
    let action = ACTION_KEYS.iter().find(|(name, _)| *name == key.name);
    if let Some((name, word)) = action
        && (!key.is_typing || *name == "Mod+k")
    {
        act(store, word);
        return true;
    }
    let page = Page::ALL.into_iter().find(|page| page.key() == key.name);
    if let Some(page) = page.filter(|_| !is_empty && !key.is_typing) {
        store.turn_to(page);
        // After what the other place brings about by itself.
        browser::frame(|| browser::to_heading(true));
        return true;
    }
    match key.name.as_str() {
        _ if is_empty || key.is_typing => false,
        "/" => {
            let has_field = Page::Compare == store.route.with_untracked(|route| route.page)
                && !has_case
                && store.route.with_untracked(|route| route.compare.sides.len() > 1);
            if !has_field {
                store.go(|route| {
                    route.page = Page::Cases;
                    route.leave();
                });
            }
            // The field is there once the page has been drawn.
            browser::focus_soon(SEARCH_ID);
            true
        }
        "j" | "k" if has_neighbours => {
            let beside = store.around.with_untracked(|around| around.by_key(&key.name));
            beside.into_iter().for_each(|beside| store.go_beside(beside));
            true
        }
        "Escape" if store.route.with_untracked(|route| route.how.is_some()) => {
            store.go(|route| route.how = None);
            true
        }
        "Escape" if has_case => {
            store.go(|route| route.case = None);
            browser::focus_soon(GRID_ID);
            true
        }
        _ => false,
    }
}
