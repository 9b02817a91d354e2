//! Declared against computed.

use crate::report::{AuditReport, AuditRow, AuditValue, Severity};
use crate::ui::components::{DataTable, PanelView};
use crate::ui::format;
use crate::ui::route::Page;
use crate::ui::state::{ask, handler, live, memo, shown, use_store};
use crate::worker::protocol::{Answer, Request};
use leptos::prelude::*;
use std::sync::Arc;

/// Rows that are drawn before the reader asks for the rest.
const FIRST_ROWS: usize = 300;

/// Every figure that a file declares, beside what its cases give.
#[component]
pub fn AuditPage() -> impl IntoView {
    let store = use_store();
    let panel = ask(
        store,
        || Request::Audit,
        |answer| match answer {
            Answer::Audit(audit) if audit.rows.is_empty() && audit.unchecked.rows.is_empty() => {
                Err("The files declare no figures of their own, so there is nothing to compare."
                    .to_owned())
            }
            Answer::Audit(audit) => Ok(*audit),
            _ => Err("The worker gave another answer.".to_owned()),
        },
    );
    view! {
        <div class="audit">
            <header class="page-head">
                <h1 class="page-head__title">"Audit"</h1>
            </header>
            <PanelView panel what="the audit" draw=draw/>
        </div>
    }
}

fn draw(audit: Arc<AuditReport>) -> AnyView {
    let store = use_store();
    let shows_agreeing = memo(move || store.route.with(|route| route.shows_agreeing));
    let is_whole = RwSignal::new(false);
    let (lead, words, unchecked) =
        (audit.lead.clone(), audit.words.clone(), audit.unchecked.clone());
    let n_differing = usize::try_from(audit.n_differing).unwrap_or(usize::MAX);
    let n_shown = memo(move || if shows_agreeing.get() { usize::MAX } else { n_differing });
    let n_rows = audit.rows.len();
    let rows = move || {
        let limit = if is_whole.get() { n_shown.get() } else { n_shown.get().min(FIRST_ROWS) };
        audit.rows.iter().take(limit).map(audit_row).collect_view()
    };
    let is_cut = move || !is_whole.get() && n_shown.get().min(n_rows) > FIRST_ROWS;
    view! {
        <p class="page-head__lead">{lead}</p>
        <div class="audit__tools">
            <p class="audit__words">{words}</p>
            <label class="check-box">
                <input
                    type="checkbox"
                    prop:checked=live(move || !shows_agreeing.get())
                    on:change=handler(move |_| store.go(|route| route.shows_agreeing = !route.shows_agreeing))
                />
                "Only differences"
            </label>
        </div>
        <div class="data-table__scroll" role="group" aria-label="Figures" tabindex="0">
            <table>
                <thead>
                    <tr>
                        <th scope="col" class="is-start">"Figure"</th>
                        <th scope="col" class="is-start">"Of"</th>
                        <th scope="col" class="is-end">"Declared"</th>
                        <th scope="col" class="is-end">"Computed"</th>
                        <th scope="col" class="is-end" title="Computed − declared">"Difference"</th>
                        <th scope="col" class="is-start">"Comparison"</th>
                    </tr>
                </thead>
                <tbody>{live(rows)}</tbody>
            </table>
        </div>
        {shown(move || n_shown.get() == 0, move || view! {
            <p class="panel panel--empty">"No differences. Untick the box to see the figures that agree."</p>
        }.into_any())}
        {shown(is_cut, move || view! {
            <button type="button" class="button button--small" on:click=handler(move |_| is_whole.set(true))>"Show all"</button>
        }.into_any())}
        <DataTable table=unchecked/>
    }
    .into_any()
}

fn audit_row(row: &AuditRow) -> AnyView {
    let store = use_store();
    let target = row.target;
    let open = move |_| {
        store.go(|route| {
            route.page = Page::Overview;
            route.target = target;
        });
    };
    let (class, word) = match row.severity {
        Severity::Agrees => ("audit__same", "= same"),
        Severity::Expected => ("audit__known", "≠ as expected"),
        Severity::Minor => ("audit__known", "≈ nearly"),
        Severity::Major => ("audit__differs", "≠ differs"),
    };
    let difference = row.difference.map_or(AuditValue::Missing, AuditValue::Number);
    view! {
        <tr>
            <th scope="row" class="is-start audit__field">
                {row.field.clone()}
                <span class="audit__file">{row.file.clone()}</span>
            </th>
            <td class="is-start">
                <button class="link" type="button" on:click=handler(open)>{row.about.clone()}</button>
            </td>
            <td class="is-end">{value(&row.declared)}</td>
            <td class="is-end">{value(&row.computed)}</td>
            <td class="is-end">{value(&difference)}</td>
            <td class="is-start">
                <span class=class>{word}</span>
                {row.why.clone().map(|why| view! { <span class="audit__why">{why}</span> }.into_any())}
            </td>
        </tr>
    }
    .into_any()
}

/// A compared value, with all digits that it has: a small difference must be seen.
fn value(value: &AuditValue) -> String {
    match value {
        AuditValue::Number(number) => number.0.to_string(),
        AuditValue::Flag(true) => "yes".to_owned(),
        AuditValue::Flag(false) => "no".to_owned(),
        AuditValue::Text(text) => text.clone(),
        AuditValue::Missing => format::UNKNOWN.to_owned(),
    }
}
