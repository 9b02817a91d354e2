//! A list of very many rows of one height, of which those in sight, and a few around them, are in the
//! document.
//!
//! ```text
//! LongList   what scrolls: where it is, how high; which rows are wanted
//! LongRows   the wanted rows, a few at a time, in their place
//! ```

use crate::browser;
use crate::ui::state::{effect, live, memo};
use crate::ui::window::{RowWindow, scroll_to, window};
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;

/// What scrolls through a long list. Copies are the same one.
#[derive(Clone, Copy)]
pub struct LongList {
    /// The element that scrolls.
    pub place: NodeRef<Div>,
    n_rows: Signal<u64>,
    row_height: Signal<f64>,
    view_height: RwSignal<f64>,
    scroll_top: RwSignal<f64>,
    drawn: Memo<RowWindow>,
}

impl LongList {
    /// A list of `n_rows`, each `row_height` pixels high, below a heading of `head_height` pixels that stays.
    pub fn new(n_rows: Signal<u64>, row_height: Signal<f64>, head_height: f64) -> Self {
        let (view_height, scroll_top) = (RwSignal::new(0.0), RwSignal::new(0.0));
        let place = NodeRef::<Div>::new();
        effect(move || {
            if let Some(place) = place.get() {
                browser::on_resize(&place, move |height| {
                    // The page may have gone on.
                    view_height.try_set((height - head_height).max(0.0));
                });
            }
        });
        let drawn = memo(move || {
            window(n_rows.get(), row_height.get(), view_height.get(), scroll_top.get())
        });
        Self { place, n_rows, row_height, view_height, scroll_top, drawn }
    }

    /// Takes note of how far it is scrolled.
    pub fn scrolled(self) {
        if let Some(place) = self.place.get_untracked() {
            self.scroll_top.set(f64::from(place.scroll_top()));
        }
    }

    /// The rows that are wanted, and where they are.
    pub fn wanted(self) -> RowWindow {
        self.drawn.get()
    }

    /// Height of all rows, as a style.
    pub fn height(self) -> String {
        format!("{}px", self.drawn.with(|drawn| drawn.height))
    }

    /// Whether it is in the document and has rows.
    pub fn is_laid_out(self) -> bool {
        self.view_height.get() > 0.0 && self.n_rows.get() > 0
    }

    /// Whole rows in view at once.
    pub fn n_in_view(self) -> u64 {
        (self.view_height.get_untracked() / self.row_height.get_untracked()) as u64
    }

    /// Scrolls no more than it takes to have as many rows in view before row `at` as after it, as far as there
    /// are any.
    pub fn show_in_middle(self, at: u64) {
        let n_around = self.n_in_view() / 2;
        self.show(at.saturating_add(n_around).min(self.n_rows.get_untracked().saturating_sub(1)));
        self.scrolled();
        self.show(at.saturating_sub(n_around));
        self.scrolled();
    }

    /// Scrolls no more than it takes to bring row `at` into view.
    pub fn show(self, at: u64) {
        if let Some(place) = self.place.get_untracked() {
            let (height, top) = (self.view_height.get_untracked(), self.scroll_top.get_untracked());
            let (n_rows, row_height) =
                (self.n_rows.get_untracked(), self.row_height.get_untracked());
            let wanted = scroll_to(at, n_rows, row_height, height, top);
            // To be told where it is already, a browser lays out all that has changed.
            if wanted != top {
                place.set_scroll_top(wanted.ceil() as i32);
            }
        }
    }
}

/// What draws the rows from the first to before the second number. It may draw nothing until they are here.
pub type DrawRows = Arc<dyn Fn(u64, u64) -> AnyView + Send + Sync>;

/// The rows of `list` that are wanted, in groups of `n_at_once`. A group that is empty keeps its place.
#[component]
pub fn LongRows(
    /// What scrolls.
    list: LongList,
    /// Rows that are drawn, and go, together.
    n_at_once: u64,
    /// When it changes, rows are drawn anew.
    epoch: Signal<u64>,
    /// What draws them.
    draw: DrawRows,
) -> impl IntoView {
    let groups = memo(move || {
        let RowWindow { first, end, .. } = list.wanted();
        (first / n_at_once, end.div_ceil(n_at_once))
    });
    let keys = move || {
        let ((from, to), epoch) = (groups.get(), epoch.get());
        (from..to).map(|group| (epoch, group)).collect::<Vec<_>>()
    };
    let shift = move || {
        let RowWindow { first, top, .. } = list.wanted();
        let above = (first % n_at_once) as f64 * list.row_height.get();
        format!("translateY({}px)", top - above)
    };
    let group = move |(_, group): (u64, u64)| {
        let first = group * n_at_once;
        let end = move || (first + n_at_once).min(list.n_rows.get());
        let height =
            move || format!("{}px", end().saturating_sub(first) as f64 * list.row_height.get());
        let rows = draw(first, untrack(end));
        view! { <div class="long__group" role="presentation" style:height=live(height)>{rows}</div> }
            .into_any()
    };
    view! {
        <div class="long" role="presentation" style:height=live(move || list.height())>
            <div class="long__window" role="presentation" style:transform=live(shift)>
                <For each=keys key=|key| *key children=group/>
            </div>
        </div>
    }
}
