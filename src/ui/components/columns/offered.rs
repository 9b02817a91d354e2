//! Tables that nobody claims: each can be opened by saying what its columns are.

use crate::report::OfferedTable;
use crate::ui::state::{handler, live, memo, shown, use_store};
use crate::words::ui::columns as words;
use leptos::prelude::*;

/// The tables, each with a button; nothing where there is none.
#[component]
pub fn OfferedTables() -> impl IntoView {
    let store = use_store();
    let tables = memo(move || store.tree.with(|tree| tree.tables.clone()));
    let list = move || {
        let item = |table: OfferedTable| {
            let label = words::offer(&table.path);
            let draft = table.draft();
            let OfferedTable { path, columns, .. } = table;
            let choose = move |_| store.choose_columns_of(&draft);
            view! {
                <li class="offered__table">
                    <span class="offered__name">{path}</span>
                    <span class="offered__columns">{columns}</span>
                    <button type="button" class="button button--small" aria-label=label on:click=handler(choose)>{words::OFFER}</button>
                </li>
            }
            .into_any()
        };
        tables.get().into_iter().map(item).collect_view()
    };
    shown(
        move || tables.with(|tables| !tables.is_empty()),
        move || {
            view! {
                <section class="card offered" aria-labelledby="offered">
                    <h2 class="section__title" id="offered">{words::OFFERED}</h2>
                    <p class="section__lead">{words::OFFERED_LEAD}</p>
                    <ul class="offered__list">{live(list)}</ul>
                </section>
            }
            .into_any()
        },
    )
}
