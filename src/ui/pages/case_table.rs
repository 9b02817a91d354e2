//! The virtual table of cases: as many rows as fit the screen, whatever their number.

use super::GRID_ID;
use super::case_rows::CaseRows;
use crate::browser;
use crate::format;
use crate::report::{CaseLine, SortKey};
use crate::ui::components::{Ends, OutcomeWord};
use crate::ui::state::{effect, handler, live, memo, use_store};
use crate::ui::window::{Window, scroll_to, window};
use leptos::ev::KeyboardEvent;
use leptos::html::Div;
use leptos::prelude::*;

/// Height of a row in pixels; the style sheet says the same.
const ROW_HEIGHT: f64 = 32.0;

/// One column.
struct Column {
    key: SortKey,
    label: &'static str,
    /// Width in pixels; the least one when the column takes a share of what is left.
    width: u32,
    /// Share of what is left.
    share: u32,
    is_number: bool,
}

/// Shorthand for the list below.
const fn words(key: SortKey, label: &'static str, width: u32, share: u32) -> Column {
    Column { key, label, width, share, is_number: false }
}

/// Shorthand for the list below.
const fn numbers(key: SortKey, label: &'static str, width: u32) -> Column {
    Column { key, label, width, share: 0, is_number: true }
}

static COLUMNS: [Column; 12] = [
    words(SortKey::Outcome, "Outcome", 104, 0),
    words(SortKey::Id, "Case", 136, 4),
    words(SortKey::Run, "Run", 136, 4),
    words(SortKey::Group, "Group", 120, 3),
    words(SortKey::Kind, "Kind", 112, 0),
    numbers(SortKey::Score, "Score", 80),
    numbers(SortKey::FailedChecks, "Wrong checks", 120),
    numbers(SortKey::Attempts, "Attempts", 92),
    numbers(SortKey::Duration, "Time", 92),
    numbers(SortKey::Tokens, "Tokens", 84),
    numbers(SortKey::Cost, "Cost", 88),
    words(SortKey::Error, "Message", 160, 6),
];

fn column(key: SortKey) -> Option<&'static Column> {
    COLUMNS.iter().find(|column| column.key == key)
}

impl Column {
    /// Its track of the grid.
    fn track(&self) -> String {
        match self.share {
            0 => format!("{}px", self.width),
            share => format!("minmax({}px, {share}fr)", self.width),
        }
    }
}

/// The table. Row click or Enter opens a case.
#[component]
pub fn CaseTable(
    /// The rows.
    rows: CaseRows,
) -> impl IntoView {
    let store = use_store();
    let grid = NodeRef::<Div>::new();
    let view_height = RwSignal::new(0.0);
    let scroll_top = RwSignal::new(0.0);
    let active = RwSignal::new(
        store.route.with_untracked(|route| route.case.and_then(|case| case.at)).unwrap_or_default(),
    );
    let columns = memo(move || {
        rows.summary
            .with(|summary| summary.as_ref().map(|page| page.columns.clone()).unwrap_or_default())
    });
    let tracks = move || {
        let tracks: Vec<_> =
            columns.get().into_iter().filter_map(column).map(Column::track).collect();
        tracks.join(" ")
    };
    // Head and body are laid out apart, so both are told how narrow they may become.
    let least_width = move || {
        let widths = columns.get().into_iter().filter_map(column).map(|column| column.width);
        format!("{}px", widths.sum::<u32>())
    };
    let n_rows = memo(move || rows.n_matching());
    let drawn = memo(move || window(n_rows.get(), ROW_HEIGHT, view_height.get(), scroll_top.get()));
    effect(move || {
        let Window { first, end, .. } = drawn.get();
        rows.epoch.track();
        rows.want(first, end);
    });
    effect(move || {
        if let Some(grid) = grid.get() {
            browser::on_resize(&grid, move |height| {
                // The page may have gone on.
                view_height.try_set((height - ROW_HEIGHT).max(ROW_HEIGHT));
            });
        }
    });
    let show_row = move |at: u64| {
        active.set(at);
        if let Some(grid) = grid.get_untracked() {
            let (height, top) = (view_height.get_untracked(), scroll_top.get_untracked());
            let wanted = scroll_to(at, n_rows.get_untracked(), ROW_HEIGHT, height, top);
            grid.set_scroll_top(wanted.ceil() as i32);
        }
    };
    // Another order or filter begins at the top; coming back from a case begins at that case.
    let seen = StoredValue::new(rows.epoch.get_untracked());
    effect(move || {
        let epoch = rows.epoch.get();
        if seen.get_value() != epoch {
            seen.set_value(epoch);
            show_row(0);
        }
    });
    Effect::new(move |has_shown: Option<bool>| {
        let is_laid_out = view_height.get() > 0.0 && n_rows.get() > 0;
        if is_laid_out && has_shown != Some(true) {
            show_row(active.get_untracked());
        }
        is_laid_out
    });
    let on_key = move |event: KeyboardEvent| {
        let last = n_rows.get_untracked().saturating_sub(1);
        let page = (view_height.get_untracked() / ROW_HEIGHT) as u64;
        let at = active.get_untracked();
        let goal = match event.key().as_str() {
            "ArrowDown" | "j" => at.saturating_add(1).min(last),
            "ArrowUp" | "k" => at.saturating_sub(1),
            "PageDown" => at.saturating_add(page).min(last),
            "PageUp" => at.saturating_sub(page),
            "Home" => 0,
            "End" => last,
            "Enter" => return rows.open(at),
            _ => return,
        };
        event.prevent_default();
        show_row(goal);
    };
    let indexes = move || {
        let Window { first, end, .. } = drawn.get();
        let epoch = rows.epoch.get();
        (first..end).map(move |at| (epoch, at)).collect::<Vec<_>>()
    };
    let message = move || {
        let failure =
            rows.failure.get().map(|reason| format!("The cases could not be read: {reason}"));
        failure
            .or_else(|| {
                let is_empty = rows
                    .summary
                    .with(|summary| summary.as_ref().is_some_and(|page| page.n_matching == 0));
                is_empty.then(|| {
                    match rows
                        .summary
                        .with(|summary| summary.as_ref().map_or(0, |page| page.n_total))
                    {
                        0 => "There are no cases in this.".to_owned(),
                        _ => "No case matches the search and the filter.".to_owned(),
                    }
                })
            })
            .map(|words| view! { <p class="panel panel--empty">{words}</p> }.into_any())
    };
    view! {
        {live(message)}
        <div
            class="grid"
            id=GRID_ID
            node_ref=grid
            role="grid"
            aria-label="Cases"
            aria-rowcount=live(move || n_rows.get() + 1)
            aria-colcount=live(move || columns.with(Vec::len))
            aria-activedescendant=live(move || format!("case-row-{}", active.get()))
            tabindex="0"
            style=("--tracks", tracks)
            style=("--least-width", least_width)
            on:scroll=handler(move |_| {
                if let Some(grid) = grid.get_untracked() {
                    scroll_top.set(f64::from(grid.scroll_top()));
                }
            })
            on:keydown=handler(on_key)
        >
            <div class="grid__head" role="rowgroup">
                <div class="grid__row" role="row" aria-rowindex="1">
                    {live(move || columns.get().into_iter().filter_map(column).map(head_cell).collect_view())}
                </div>
            </div>
            <div
                class="grid__body"
                role="rowgroup"
                style:height=live(move || format!("{}px", drawn.get().height))
                style:padding-top=live(move || format!("{}px", drawn.get().top))
            >
                <For each=indexes key=|key| *key let:key>
                    {body_row(rows, key.1, active, columns)}
                </For>
            </div>
        </div>
    }
}

/// A heading that sorts: up, down, back to the order of the files.
fn head_cell(column: &'static Column) -> AnyView {
    let store = use_store();
    let &Column { key, label, is_number, .. } = column;
    let order =
        memo(move || store.route.with(|route| (route.sort == key).then_some(route.is_descending)));
    let sort = move |_| {
        store.go(|route| {
            (route.sort, route.is_descending) = match order.get_untracked() {
                None => (key, false),
                Some(false) => (key, true),
                Some(true) => (SortKey::File, false),
            };
        });
    };
    let aria_sort = move || match order.get() {
        None => "none",
        Some(false) => "ascending",
        Some(true) => "descending",
    };
    let arrow = move || match order.get() {
        None => "",
        Some(false) => "↑",
        Some(true) => "↓",
    };
    view! {
        <div role="columnheader" class="grid__cell" class:is-end=is_number aria-sort=live(aria_sort)>
            <button type="button" class="grid__sort" on:click=handler(sort)>
                {label}
                <span class="grid__arrow" aria-hidden="true">{live(arrow)}</span>
            </button>
        </div>
    }
    .into_any()
}

fn body_row(
    rows: CaseRows,
    at: u64,
    active: RwSignal<u64>,
    columns: Memo<Vec<SortKey>>,
) -> AnyView {
    let line = memo(move || rows.row(at));
    let cells = move || match line.get() {
        Some(line) => columns
            .get()
            .into_iter()
            .filter_map(column)
            .map(|column| {
                let class = if column.is_number { "grid__cell is-end" } else { "grid__cell" };
                view! { <div role="gridcell" class=class>{line_cell(&line, column.key)}" "</div> }
                    .into_any()
            })
            .collect_view()
            .into_any(),
        None => view! { <div role="gridcell" class="grid__cell grid__cell--waiting">"…"</div> }
            .into_any(),
    };
    let is_active = memo(move || active.get() == at);
    view! {
        <div
            class="grid__row"
            class:is-active=is_active
            role="row"
            id=format!("case-row-{at}")
            aria-rowindex=at + 2
            aria-selected=live(move || if is_active.get() { "true" } else { "false" })
            on:click=handler(move |_| {
                active.set(at);
                rows.open(at);
            })
        >
            {live(cells)}
        </div>
    }
    .into_any()
}

fn line_cell(line: &CaseLine, key: SortKey) -> AnyView {
    let known = |text: Option<String>| match text {
        Some(text) => text.into_any(),
        None => view! { <span class="cell-missing">{format::UNKNOWN}</span> }.into_any(),
    };
    match key {
        SortKey::Outcome => view! { <OutcomeWord outcome=line.outcome/> }.into_any(),
        SortKey::Id => {
            view! { <span class="grid__id" title=line.id.clone()>{line.id.clone()}</span> }
                .into_any()
        }
        SortKey::Run => view! { <Ends name=line.run_label.clone()/> }.into_any(),
        SortKey::Group => known(line.group.clone()),
        SortKey::Kind => known(line.kind.map(|kind| kind.as_str().to_owned())),
        SortKey::Score => known(line.score.map(|score| format::score(score.0, 3))),
        SortKey::FailedChecks if line.n_checks == 0 => known(None),
        SortKey::FailedChecks => {
            format!("{} / {}", format::count(line.n_failed_checks), format::count(line.n_checks))
                .into_any()
        }
        SortKey::Attempts => known(line.n_attempts.map(|n| format::count(n.into()))),
        SortKey::Duration => known(line.duration_secs.map(|secs| format::secs(secs.0))),
        SortKey::Tokens => known(line.tokens.map(|n| format::number(n.0, 0))),
        SortKey::Cost => known(line.cost_usd.map(|usd| format::usd(usd.0, false))),
        SortKey::Error => match &line.error {
            Some(error) => view! { <span title=error.clone()>{error.clone()}</span> }.into_any(),
            None => ().into_any(),
        },
        SortKey::File => ().into_any(),
    }
}
