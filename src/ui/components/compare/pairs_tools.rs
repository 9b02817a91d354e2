//! What stands above the pairs: their filter, which is that of the cases, a switch, the order.

use super::switch::switch;
use crate::render::compare::PairsShown;
use crate::report::Target;
use crate::report::compare::PairOrder;
use crate::ui::components::ProgressView;
use crate::ui::components::cases::{FilterField, Filtered, InForce, filter_notes, search};
use crate::ui::state::{Store, handler, live, memo, shown, use_store};
use crate::words::ui::{compare, pairs as words};
use crate::worker::protocol::{CompareQuestion, Question};
use leptos::prelude::*;
use std::sync::Arc;

/// Id of the list.
pub const ROWS_ID: &str = "pair-rows";

/// The orders in the order of their words.
const ORDERS: [(PairOrder, &str); 4] = [
    (PairOrder::WorstFirst, "worst"),
    (PairOrder::BestFirst, "best"),
    (PairOrder::LargestFirst, "largest"),
    (PairOrder::AsPaired, "file"),
];

/// What the tools and the list know of each other. Copies are the same.
#[derive(Clone, Copy, Default)]
pub struct PairTools {
    /// Asks for the pairs again when it changes.
    pub again: RwSignal<u64>,
    /// Whether a filter is being written that cannot be read: the pairs are those of the one before.
    pub is_stale: RwSignal<bool>,
}

fn filtered(store: Store, tools: PairTools) -> Filtered {
    Filtered {
        text: memo(move || store.route.with(|route| route.compare.filter.clone())),
        put: Arc::new(move |text| store.adjust(|route| route.compare.filter = text)),
        help: Arc::new(move |text, at| {
            let view = store.route.with_untracked(|route| route.compare.clone());
            Question::Compare(CompareQuestion::Suggest(view, text, at))
        }),
        is_stale: tools.is_stale,
        rows_id: ROWS_ID,
        example: words::FILTER_EXAMPLE,
        name: words::FILTER_NAME,
    }
}

/// Filter, switch and order, and what must be known of the filter.
#[component]
pub fn PairToolsView(
    /// What they share with the list.
    tools: PairTools,
    /// The pairs.
    data: Memo<Arc<PairsShown>>,
) -> impl IntoView {
    let store = use_store();
    let view = memo(move || store.route.with(|route| route.compare.clone()));
    let order = memo(move || view.with(|view| view.order));
    let is_filtered = memo(move || view.with(|view| *view != view.unfiltered()));
    let is_searching = RwSignal::new(false);
    let options = ORDERS.iter().zip(words::ORDERS).map(|((own, value), label)| {
        let (own, value) = (*own, *value);
        view! { <option value=value prop:selected=live(move || order.get() == own)>{label}</option> }
            .into_any()
    });
    let notes = move || {
        let data = data.get();
        let text = view.with(|view| view.filter.clone());
        let in_force = InForce {
            text: &text,
            error: data.filter.error.as_ref(),
            by_value: data.filter.by_value.as_ref(),
            unsearched: &data.filter.unsearched,
        };
        let take =
            Arc::new(move |text: String| store.go(|route| route.compare.filter = text)) as Arc<_>;
        let look = Arc::new(move |needle: String| {
            search(store, Target::All, needle, is_searching, move |_| {
                tools.again.try_update(|again| *again += 1);
            });
        }) as Arc<_>;
        filter_notes(&in_force, take, &look)
    };
    let only_different = switch(
        "only-different",
        "check-box",
        words::ONLY_DIFFERENT,
        move || view.with(|view| view.is_different),
        move |is_on| store.go(|route| route.compare.is_different = is_on),
    );
    view! {
        <div class="pairs__tools">
            <FilterField filtered=filtered(store, tools)/>
            {only_different}
            <select class="field__input" id="pair-order" aria-label=compare::ORDER on:change:target=move |event| {
                let chosen = event.target().value();
                let order = ORDERS.iter().find(|(_, word)| *word == chosen).map(|(order, _)| *order);
                store.adjust(|route| route.compare.order = order.unwrap_or_default());
            }>{options.collect_view()}</select>
            <button
                type="button" class="button button--quiet" hidden=live(move || !is_filtered.get())
                on:click=handler(move |_| store.go(|route| route.compare = route.compare.unfiltered()))
            >{compare::ALL_PAIRS}</button>
        </div>
        <div class="pairs__notes">{live(notes)}</div>
        {shown(move || is_searching.get(), || view! { <ProgressView/> }.into_any())}
    }
}
