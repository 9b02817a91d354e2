//! What stands beside a query: others to begin with, what was asked before, and what can be named.

use super::editor::EDITOR_ID;
use crate::browser;
use crate::sql::SqlTable;
use crate::ui::state::{handler, live, use_store};
use crate::words::ui::sql as words;
use leptos::prelude::*;

/// The three lists.
#[component]
pub fn SqlAside(
    /// The text of the query.
    text: RwSignal<String>,
) -> impl IntoView {
    let store = use_store();
    let put = move |query: String| {
        text.set(query);
        browser::focus(EDITOR_ID);
    };
    let ready = move || {
        store.sql.n_names.track();
        store.sql.with(|shown| {
            let items = shown.names.queries.iter().map(|query| {
                let own = query.text.clone();
                view! {
                    <li><button type="button" class="sql__query" on:click=handler(move |_| put(own.clone()))>
                        <span class="sql__name">{query.name.clone()}</span>" "
                        <span class="sql__about">{query.about.clone()}</span>
                    </button></li>
                }
                .into_any()
            });
            items.collect_view()
        })
    };
    let tables = move || {
        let one = |table: &SqlTable| {
            let columns =
                table.columns.iter().map(|column| view! { <li>{column.clone()}</li> }.into_any());
            view! {
                <details class="sql__table">
                    <summary>{table.name.clone()}</summary>
                    <ul class="sql__columns">{columns.collect_view()}</ul>
                </details>
            }
            .into_any()
        };
        store.sql.n_names.track();
        store.sql.with(|shown| shown.names.tables.iter().map(one).collect_view())
    };
    let history = move || {
        store.sql.n_asked.track();
        let asked = store.sql.with(|shown| shown.history.clone());
        if asked.is_empty() {
            return None;
        }
        let items = asked.into_iter().map(|query| {
            let own = query.clone();
            let said = without_comments(&query);
            view! {
                <li><button type="button" class="sql__query sql__query--text" title=query.clone() on:click=handler(move |_| put(own.clone()))>{said}</button></li>
            }
            .into_any()
        });
        Some(view! {
            <section class="sql__section" aria-labelledby="sql-history">
                <div class="sql__section-head">
                    <h2 class="sql__heading" id="sql-history">{words::HISTORY}</h2>
                    <button type="button" class="button button--quiet" on:click=handler(move |_| store.forget_sql())>{words::FORGET}</button>
                </div>
                <ul class="sql__list">{items.collect_view()}</ul>
            </section>
        }
        .into_any())
    };
    view! {
        <aside class="sql__aside">
            <section class="sql__section" aria-labelledby="sql-ready">
                <h2 class="sql__heading" id="sql-ready">{words::READY}</h2>
                <ul class="sql__list">{live(ready)}</ul>
            </section>
            {live(history)}
            <section class="sql__section" aria-labelledby="sql-tables">
                <h2 class="sql__heading" id="sql-tables">{words::TABLES}</h2>
                {live(tables)}
            </section>
        </aside>
    }
}

/// What a query does, without the comments before it.
fn without_comments(query: &str) -> String {
    let is_comment = |line: &&str| line.trim_start().starts_with("--");
    query.lines().skip_while(is_comment).collect::<Vec<_>>().join(" ")
}
