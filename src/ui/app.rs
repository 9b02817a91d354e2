//! The frame around the pages: top bar, workspace, status line, keys.

use super::components::{
    DropOverlay, ExportMenu, FreshnessTools, Icon, KeysDialog, LostLink, OpenButtons, Palette,
    ProgressView, RenameDialog, RulesStrip, SealDialog, SettingsDialog, Toast, WorkspaceTree, icon,
};
use super::pages::{
    AgentPage, CasesPage, GRID_ID, HowPage, NEXT_ID, PREVIOUS_ID, RulesPage, SEARCH_ID,
    SectionsPage, StartPage,
};
use super::state::{Phase, Store, act, effect, handler, live, memo, shown, use_store};
use crate::address::{Page, Route};
use crate::browser::{self, Theme};
use crate::format;
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
    view! {
        <a class="skip-link" href="#main" on:click=handler(move |event: MouseEvent| {
            event.prevent_default();
            browser::focus("main");
        })>"Skip to the content"</a>
        <div class="app" class:app--start=is_empty>
            <TopBar is_empty/>
            {shown(move || !is_empty.get(), move || view! {
                <Sidebar/>
            }.into_any())}
            <main class="app__main" id="main" tabindex="-1">
                // Filled by the scripts of the page when it is a sealed report.
                <p class="sealed-line" id="sealed-line"></p>
                <RulesStrip/>
                // Filled by the scripts of the page: what the host offers, and what could not be fetched.
                <div id="hosted" hidden=live(move || !is_empty.get())></div>
                {live(move || if is_empty.get() { view! { <StartPage/> }.into_any() } else { view! { <Content/> }.into_any() })}
            </main>
            <StatusBar phase/>
        </div>
        <DropOverlay/>
        <Toast/>
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
    let last = StoredValue::new(Route::default());
    effect(move || {
        let place = store.route.with(Route::place);
        if last.get_value() != place {
            last.set_value(place);
            store.whole.update(Vec::clear);
            browser::scroll_to_top("main");
        }
        // On a narrow screen the pages are a strip that scrolls.
        request_animation_frame(|| browser::reveal(".bar__page[aria-current]"));
    });
    let topic = Signal::from(memo(move || store.route.with(Route::topic)));
    live(move || match page.get() {
        _ if is_lost.get() => view! { <LostLink/> }.into_any(),
        _ if has_how.get() => view! { <HowPage topic/> }.into_any(),
        Page::Cases => view! { <CasesPage/> }.into_any(),
        Page::Rules => view! { <RulesPage/> }.into_any(),
        Page::Agent => view! { <AgentPage/> }.into_any(),
        _ => view! { <SectionsPage topic/> }.into_any(),
    })
}

/// Name, pages, ways in and out.
#[component]
fn TopBar(
    /// Whether nothing is loaded.
    is_empty: Memo<bool>,
) -> impl IntoView {
    let store = use_store();
    let theme_words = move || match store.theme.get() {
        Theme::System => "Colours: system",
        Theme::Light => "Colours: light",
        Theme::Dark => "Colours: dark",
    };
    let theme_sign = move || match store.theme.get() {
        Theme::System => icon(Icon::System),
        Theme::Light => icon(Icon::Light),
        Theme::Dark => icon(Icon::Dark),
    };
    let others = [
        (Icon::Search, "Command palette", "Command palette (Ctrl K)", "palette"),
        (Icon::Settings, "Settings", "Settings (,)", "settings"),
        (Icon::Help, "Keyboard shortcuts", "Keyboard shortcuts (?)", "keys"),
    ];
    let others = others.map(|(sign, label, title, word)| {
        let press = move |_| act(store, word);
        view! {
            <button type="button" class="icon-button" aria-label=label title=title on:click=handler(press)>{icon(sign)}</button>
        }
        .into_any()
    });
    view! {
        <header class="bar">
            <span class="bar__brand">{icon(Icon::Mark)}"Evalglass"</span>
            {shown(move || !is_empty.get(), move || view! {
                <PageLinks/>
                <div class="bar__actions">
                    <OpenButtons/>
                    <ExportMenu/>
                </div>
            }.into_any())}
            <div class="bar__quiet">
                <button
                    type="button" class="icon-button" aria-label=live(theme_words) title=live(theme_words)
                    on:click=handler(move |_| store.next_theme())
                >{live(theme_sign)}</button>
                {others.collect_view()}
            </div>
        </header>
    }
}

/// Overview, Cases, Audit, Notes.
#[component]
fn PageLinks() -> impl IntoView {
    let store = use_store();
    // Most producers have nothing beyond their cases.
    let has_documents = memo(move || store.tree.with(|tree| tree.n_documents > 0));
    let links = Page::ALL
        .map(|page| {
            let is_here = memo(move || store.route.with(|route| route.page == page));
            let count = move || {
                let n = store.tree.with(|tree| match page {
                    Page::Audit => tree.n_differences,
                    Page::Notes => tree.n_losses,
                    _ => 0,
                });
                (n > 0).then(|| view! { <span class="bar__count" aria-hidden="true">{format::count(n)}</span> }.into_any())
            };
            let href = move || {
                store.route.with(|route| {
                    let mut route = route.clone();
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
                    hidden=live(move || page == Page::Agent && !has_documents.get() && !is_here.get())
                >{page.title()}" "{live(count)}</a>
            }
            .into_any()
        })
        .collect_view();
    view! { <nav class="bar__pages" aria-label="Pages">{links}</nav> }
}

/// The workspace; on narrow screens it is folded away.
#[component]
fn Sidebar() -> impl IntoView {
    let store = use_store();
    let is_open = RwSignal::new(false);
    let selected = memo(move || store.selected());
    let remove_words =
        move || if selected.get().is_some() { "Remove evaluation" } else { "Remove all" };
    let name = memo(move || selected.get().and_then(|id| store.name_of(id)));
    view! {
        <aside class="side" class:is-open=is_open aria-label="Workspace">
            <button
                type="button"
                class="side__toggle"
                aria-expanded=live(move || if is_open.get() { "true" } else { "false" })
                on:click=handler(move |_| is_open.update(|is_open| *is_open = !*is_open))
            >
                <span>"Workspace"</span>
                <span class="side__where">{live(move || name.get().unwrap_or_else(|| "Everything".to_owned()))}</span>
            </button>
            <div class="side__body">
                <WorkspaceTree/>
                <div class="side__tools">
                    <button type="button" class="button button--quiet" data-do="remove">{live(remove_words)}</button>
                    <button type="button" class="button button--quiet" data-do="rename" hidden=live(move || selected.get().is_none())>"Rename"</button>
                    <button type="button" class="button button--quiet" data-do="copy-link">"Copy link"</button>
                    <FreshnessTools/>
                </div>
            </div>
        </aside>
    }
}

/// What is loaded, and what goes on.
#[component]
fn StatusBar(
    /// State of the page.
    phase: Memo<Phase>,
) -> impl IntoView {
    let store = use_store();
    let words = move || {
        let (n_evaluations, n_runs, n_cases) =
            store.tree.with(|tree| (tree.evaluations.len() as u64, tree.n_runs, tree.n_cases));
        let loaded = format!(
            "{}, {}, {} loaded",
            format::counted(n_evaluations, "evaluation", "evaluations"),
            format::counted(n_runs, "run", "runs"),
            format::counted(n_cases, "case", "cases"),
        );
        match phase.get() {
            Phase::Loading if n_runs == 0 => "Reading files …".to_owned(),
            Phase::Loading => format!("{loaded}, reading more …"),
            Phase::Ready => loaded,
            Phase::Idle => "Nothing is loaded yet".to_owned(),
            Phase::Failed => "Nothing could be loaded".to_owned(),
        }
    };
    let is_busy = move || phase.get() == Phase::Loading && !store.is_empty();
    view! {
        <footer class="status">
            <p class="status__line" role="status">{live(words)}</p>
            {shown(is_busy, move || view! {
                <ProgressView/>
            }.into_any())}
            <p class="status__promise">"Nothing leaves this page"</p>
        </footer>
    }
}

/// The document's title.
fn title(store: Store) -> String {
    let page = store.route.with(|route| route.page);
    let name = store.selected().and_then(|id| store.name_of(id));
    match (store.is_empty(), name) {
        (true, _) => "Evalglass".to_owned(),
        (false, Some(name)) => format!("{}: {name} – Evalglass", page.title()),
        (false, None) => format!("{} – Evalglass", page.title()),
    }
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
fn on_key(store: Store, key: &browser::Key) -> bool {
    let is_empty = store.tree.with_untracked(|tree| tree.evaluations.is_empty());
    let has_case = store.route.with_untracked(|route| route.case.is_some());
    let is_agent = store.route.with_untracked(|route| route.page == Page::Agent);
    let has_neighbours = has_case || is_agent;
    let page_at = |idx: usize| Page::ALL.get(idx).copied();
    let action = ACTION_KEYS.iter().find(|(name, _)| *name == key.name);
    if let Some((name, word)) = action
        && (!key.is_typing || *name == "Mod+k")
    {
        act(store, word);
        return true;
    }
    match key.name.as_str() {
        _ if is_empty || key.is_typing => false,
        "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" => {
            let page = key.name.parse().ok().and_then(|number: usize| page_at(number - 1));
            if let Some(page) = page {
                store.go(|route| {
                    route.page = page;
                    route.leave();
                });
            }
            true
        }
        "/" => {
            store.go(|route| {
                route.page = Page::Cases;
                route.leave();
            });
            // The field is there once the page has been drawn.
            request_animation_frame(|| browser::focus(SEARCH_ID));
            true
        }
        "j" if has_neighbours => {
            browser::press(NEXT_ID);
            true
        }
        "k" if has_neighbours => {
            browser::press(PREVIOUS_ID);
            true
        }
        "Escape" if store.route.with_untracked(|route| route.how.is_some()) => {
            store.go(|route| route.how = None);
            true
        }
        "Escape" if has_case => {
            store.go(|route| route.case = None);
            request_animation_frame(|| browser::focus(GRID_ID));
            true
        }
        _ => false,
    }
}
