//! "Columns", and the dialog in which they are chosen and put in order.

use super::rows::CaseRows;
use crate::address::column_word;
use crate::browser;
use crate::report::SortKey;
use crate::ui::columns::{neighbour, placed};
use crate::ui::components::{Icon, icon};
use crate::ui::state::{effect, handler, live, memo};
use crate::words::ui::cases as words;
use crate::words::ui::shell::CLOSE;
use leptos::prelude::*;

/// Id of the dialog.
const DIALOG: &str = "case-columns";

/// The button and its dialog.
#[component]
pub fn ColumnsButton(
    /// The rows.
    rows: CaseRows,
) -> impl IntoView {
    let choosable = move || {
        rows.frame
            .with(|frame| frame.as_ref().map(|frame| frame.choosable.clone()).unwrap_or_default())
    };
    // Every column, the chosen ones first and in their order.
    let listed = memo(move || {
        let mut listed = rows.shown_columns();
        let others: Vec<_> = choosable().into_iter().filter(|key| !listed.contains(key)).collect();
        listed.extend(others);
        listed
    });
    let focused = RwSignal::new(None::<String>);
    // What moves in the document loses the focus.
    effect(move || {
        listed.track();
        if let Some(id) = focused.get_untracked() {
            focused.set(None);
            browser::focus_soon(&id);
        }
    });
    let item = move |key: SortKey| {
        let is_shown = move || rows.shown_columns().contains(&key);
        let tick = move |_| {
            let mut columns = untrack(|| rows.shown_columns());
            match columns.iter().position(|known| *known == key) {
                Some(at) => {
                    columns.remove(at);
                }
                None => columns.push(key),
            }
            rows.choose_columns(&columns);
        };
        let steps = [
            (false, Icon::Up, "earlier", words::EARLIER),
            (true, Icon::Down, "later", words::LATER),
        ];
        let steps = steps.map(|(is_forward, sign, way, name)| {
            let id = format!("column-{}-{way}", column_word(key));
            let button = id.clone();
            let step = move |_| {
                let columns = untrack(|| rows.shown_columns());
                if let Some(goal) = neighbour(&columns, key, is_forward) {
                    focused.set(Some(button.clone()));
                    rows.choose_columns(&placed(&columns, key, goal));
                }
            };
            let label = words::move_column(&rows.heading(key), name);
            view! {
                <button type="button" class="icon-button" id=id title=label on:click=handler(step)>{icon(sign)}</button>
            }
            .into_any()
        });
        view! {
            <li class="chooser__item">
                <label class="check-box">
                    <input type="checkbox" prop:checked=live(is_shown) on:change=handler(tick)/>" "{rows.heading(key)}
                </label>
                {steps.collect_view()}
            </li>
        }
        .into_any()
    };
    let close = move || browser::show_dialog(DIALOG, false);
    let reset = move |_| {
        rows.choose_columns(&[]);
        close();
    };
    view! {
        <button
            type="button" class="button" aria-haspopup="dialog" disabled=live(move || choosable().is_empty())
            on:click=handler(move |_| browser::show_dialog(DIALOG, true))
        >{words::COLUMNS}</button>
        <dialog class="keys chooser" id=DIALOG aria-labelledby="case-columns-title">
            <h2 class="keys__title" id="case-columns-title">{words::COLUMNS}</h2>
            <ul class="chooser__list"><For each=move || listed.get() key=|key| *key children=item/></ul>
            <div class="chooser__end">
                <button type="button" class="button" on:click=handler(move |_| close())>{CLOSE}</button>
                <button type="button" class="button button--quiet" on:click=handler(reset)>{words::RESET_COLUMNS}</button>
            </div>
        </dialog>
    }
}
