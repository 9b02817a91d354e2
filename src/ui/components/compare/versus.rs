//! A candidate against the baseline.

use super::forest::{alone, forest};
use super::matrix::matrix;
use super::tables::{configuration, table};
use super::{card, sign};
use crate::address::CompareView;
use crate::render::compare::{AuditShown, PartsShown, VersusShown};
use crate::ui::components::reading::opened;
use crate::ui::state::{Store, memo, use_store};
use crate::words::ui::compare as words;
use leptos::prelude::*;

/// Which pairs are listed now. Copies are the same.
#[derive(Clone, Copy)]
pub struct PairListState {
    store: Store,
    view: Memo<CompareView>,
}

impl PairListState {
    /// Follows the address.
    pub fn new(store: Store) -> Self {
        Self { store, view: memo(move || store.route.with(|route| route.compare.clone())) }
    }

    /// What `aria-current` is for a link to the list at `address`.
    pub fn current(self, address: &str) -> Box<dyn FnMut() -> Option<&'static str> + Send> {
        let own = self.store.route_of(address).compare;
        let view = self.view;
        Box::new(move || {
            let is_here = view.with(|view| view.change == own.change && view.within == own.within);
            is_here.then_some("true")
        })
    }
}

/// All of it.
/// `are_figures_open` outlives what is drawn anew.
pub fn versus(shown: &VersusShown, are_figures_open: RwSignal<bool>) -> AnyView {
    let here = PairListState::new(use_store());
    let measures = (!shown.measures.is_empty()).then(|| {
        let pending = shown.pending.clone();
        let pending = pending.map(|words| view! { <p class="card__body card__note" id="compare-pending" role="status">{words}</p> }.into_any());
        let body = view! {
            {forest(&shown.measures, words::MEASURE_HEADS.as_slice(), words::MEASURES)}
            {pending}
            {opened("fold compare__fold", are_figures_open, words::FIGURES.into_any(), table(&shown.figures, words::FIGURES))}
        }
        .into_any();
        let title = words::measures_of(&shown.letter);
        card("card", "measures", title, words::MEASURES_NOTE.to_owned(), None, body)
    });
    let outcomes = (!shown.matrix.rows.is_empty()).then(|| {
        let note = words::MATRIX_NOTE.to_owned();
        let body = matrix(&shown.matrix, here);
        card("card is-half", "outcomes", words::MATRIX.to_owned(), note, None, body)
    });
    let n_differ = words::settings_differ(shown.configuration.len() as u64);
    let made = configuration(&shown.configuration);
    let made = card(
        if outcomes.is_some() { "card is-half" } else { "card" },
        "configuration",
        words::CONFIGURATION.to_owned(),
        n_differ,
        None,
        made,
    );
    let checkpoints = shown.checkpoints.as_ref().map(|one| {
        let body = table(one, words::CHECKPOINTS);
        card(
            "card",
            "checkpoints",
            words::CHECKPOINTS.to_owned(),
            words::CHECKPOINTS_NOTE.to_owned(),
            None,
            body,
        )
    });
    view! {
        {verdict(shown, here)}
        {measures}
        {shown.parts.iter().map(parts).collect_view()}
        {checkpoints}
        <div class="cards">{outcomes}{made}</div>
        {lists(shown, here)}
    }
    .into_any()
}

fn verdict(shown: &VersusShown, here: PairListState) -> AnyView {
    let guard = shown
        .guard
        .clone()
        .map(|(says, words)| view! { <li>{sign(says)}<strong>{words}</strong></li> }.into_any());
    let findings = shown.findings.iter().map(|words| view! { <li>{words.clone()}</li> }.into_any());
    let plot = shown.deciding.as_ref().map(alone);
    let class = if plot.is_some() {
        "card compare-verdict"
    } else {
        "card compare-verdict compare-verdict--plain"
    };
    view! {
        <section class=class aria-label=words::VERDICT>
            <div class="compare-verdict__words">
                <p class="compare-verdict__title">{sign(shown.is)}<strong>{shown.title.clone()}</strong></p>
                <p class="compare-verdict__why">{shown.why.clone()}</p>
                <ul class="compare-verdict__more">{guard}{findings.collect_view()}</ul>
            </div>
            {plot}
            <ul class="card__foot compare-verdict__audit" aria-label=words::AUDIT>
                {shown.audit.iter().map(|one| audited(one, here)).collect_view()}
            </ul>
        </section>
    }
    .into_any()
}

/// The lists of pairs that one looks at first.
fn lists(shown: &VersusShown, here: PairListState) -> AnyView {
    let items = shown.lists.iter().cloned().map(|[words, n, address]| {
        let current = here.current(&address);
        view! {
            <a class="choices__item" href=address aria-current=current>{words}" "<span class="card__note">{n}</span></a>
        }
        .into_any()
    });
    view! { <nav class="choices compare__lists" aria-label=words::LISTS>{items.collect_view()}</nav> }.into_any()
}

fn audited(one: &AuditShown, here: PairListState) -> AnyView {
    let words = one.words.clone();
    match one.address.clone() {
        Some(address) => {
            let current = here.current(&address);
            view! { <li><a class="link" href=address aria-current=current>{words}</a></li> }
                .into_any()
        }
        None => view! { <li>{words}</li> }.into_any(),
    }
}

fn parts(parts: &PartsShown) -> AnyView {
    let title = words::parts_by(&parts.by);
    let note = match parts.n_more {
        0 => words::parts_sum(&parts.sum),
        n => words::parts_sum_more(&parts.sum, n),
    };
    let reversal = parts.reversal.clone();
    let reversal = reversal
        .map(|words| view! { <p class="card__body compare__reversal">{words}</p> }.into_any());
    let body = view! {
        {reversal}
        {forest(std::slice::from_ref(&parts.plot), words::PART_HEADS.as_slice(), words::PARTS)}
    }
    .into_any();
    let id = match parts.by.as_str() {
        "group" => "by-group",
        "kind" => "by-kind",
        "suite" => "by-suite",
        _ => "by-checkpoint",
    };
    card("card", id, title, note, None, body)
}
