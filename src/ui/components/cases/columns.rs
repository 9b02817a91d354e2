//! Columns of the table: their widths, their order, and how both are changed by hand and by key.

use super::rows::CaseRows;
use crate::address::column_word;
use crate::browser;
use crate::report::SortKey;
use crate::ui::columns::{
    LEAST_WIDTH, STEP, Track, least_width, neighbour, placed, tracks, width_words, widths_of,
};
use crate::ui::state::memo;
use crate::words::ui::cases as words;
use leptos::ev::{DragEvent, KeyboardEvent, PointerEvent};
use leptos::prelude::*;

/// The setting that keeps the widths.
const WIDTHS_SETTING: &str = "case-widths";

/// Columns of the heat map before its cells, with their headings.
pub const HEAT_COLUMNS: [(SortKey, &str); 4] = [
    (SortKey::Id, words::HEAT_COLUMNS[0]),
    (SortKey::Group, words::HEAT_COLUMNS[1]),
    (SortKey::Instability, words::HEAT_COLUMNS[2]),
    (SortKey::Score, words::HEAT_COLUMNS[3]),
];

/// A column whose edge is being dragged.
#[derive(Clone, Copy)]
struct Held {
    key: SortKey,
    start_x: i32,
    start_width: u32,
}

/// The columns. Copies are the same ones.
#[derive(Clone, Copy)]
pub struct TableColumns {
    rows: CaseRows,
    /// Those that are shown, of the heat map the ones before its cells.
    pub shown: Memo<Vec<SortKey>>,
    layout: Memo<Vec<Track>>,
    /// Widths that somebody has set, by the column's word.
    widths: RwSignal<Vec<(String, u32)>>,
    held: StoredValue<Option<Held>>,
    dragged: StoredValue<Option<SortKey>>,
    /// The heading that keeps the focus while columns change places.
    pub focused: RwSignal<Option<SortKey>>,
}

impl TableColumns {
    /// The columns of `rows`.
    pub fn new(rows: CaseRows) -> Self {
        let heat = move || {
            rows.frame.with(|frame| {
                let heat = frame.as_ref().and_then(|frame| frame.heat.as_ref());
                heat.map(|heat| heat.columns.len())
            })
        };
        let shown = memo(move || match heat() {
            Some(_) => HEAT_COLUMNS.map(|(key, _)| key).to_vec(),
            None => rows.shown_columns(),
        });
        let layout = memo(move || {
            let mut layout: Vec<Track> = shown
                .with(|shown| shown.iter().map(|key| Track::of(*key, column_word(*key))).collect());
            layout.extend((0..heat().unwrap_or(0)).map(|_| Track::of_heat()));
            layout
        });
        let kept = browser::remembered(WIDTHS_SETTING).unwrap_or_default();
        Self {
            rows,
            shown,
            layout,
            widths: RwSignal::new(widths_of(&kept)),
            held: StoredValue::default(),
            dragged: StoredValue::default(),
            focused: RwSignal::new(None),
        }
    }

    /// How many they are.
    pub fn count(self) -> usize {
        self.layout.with(Vec::len)
    }

    /// Whether some of them show texts of the cases.
    pub fn has_texts(self) -> bool {
        self.shown.with(|shown| shown.iter().any(|key| !key.is_sortable()))
    }

    /// Their tracks of the grid.
    pub fn tracks(self) -> String {
        self.layout.with(|layout| tracks(layout, |word| self.width_of(word)))
    }

    /// How narrow they may become together: head and body are laid out apart, so both are told.
    pub fn least_width(self) -> String {
        format!("{}px", self.layout.with(|layout| least_width(layout, |word| self.width_of(word))))
    }

    fn width_of(self, word: &str) -> Option<u32> {
        let known = |widths: &Vec<(String, u32)>| {
            widths.iter().find(|(known, _)| known == word).map(|(_, width)| *width)
        };
        self.widths.with(known)
    }

    /// Shift with an arrow makes column `key`, now `width` pixels wide, wider or narrower, Ctrl and Shift moves it.
    pub fn on_key(self, key: SortKey, width: u32, event: &KeyboardEvent) {
        let is_forward = match event.key().as_str() {
            "ArrowRight" => true,
            "ArrowLeft" => false,
            _ => return,
        };
        if !event.shift_key() {
            return;
        }
        event.prevent_default();
        event.stop_propagation();
        if event.ctrl_key() || event.meta_key() {
            let goal = self.shown.with_untracked(|shown| neighbour(shown, key, is_forward));
            if let Some(goal) = goal {
                self.place(key, goal);
            }
        } else {
            let wider = if is_forward { width + STEP } else { width.saturating_sub(STEP) };
            self.resize(key, wider, true);
        }
    }

    /// Takes hold of the edge of a column that is `width` pixels wide.
    pub fn hold(self, key: SortKey, width: u32, event: &PointerEvent) {
        event.prevent_default();
        self.held.set_value(Some(Held { key, start_x: event.client_x(), start_width: width }));
    }

    /// Follows the pointer that holds an edge; `is_last` when it lets go.
    pub fn pull(self, event: &PointerEvent, is_last: bool) {
        let Some(held) = self.held.get_value() else { return };
        let width = held.start_width.saturating_add_signed(event.client_x() - held.start_x);
        self.resize(held.key, width, is_last);
        if is_last {
            self.held.set_value(None);
        }
    }

    fn resize(self, key: SortKey, width: u32, is_kept: bool) {
        let (word, width) = (column_word(key), width.max(LEAST_WIDTH));
        self.widths.update(|widths| {
            widths.retain(|(known, _)| known != word);
            widths.push((word.to_owned(), width));
        });
        if is_kept {
            let words = self.widths.with_untracked(|widths| width_words(widths));
            browser::remember(WIDTHS_SETTING, &words);
        }
    }

    /// Takes up a heading.
    pub fn drag_start(self, key: SortKey, event: &DragEvent) {
        if self.held.with_value(Option::is_some) {
            event.prevent_default();
        } else {
            self.dragged.set_value(Some(key));
        }
    }

    /// Says that a heading may be put down here.
    pub fn drag_over(self, event: &DragEvent) {
        if self.dragged.with_value(Option::is_some) {
            event.prevent_default();
        }
    }

    /// Puts the heading down in the place of another one.
    pub fn drop(self, goal: SortKey, event: &DragEvent) {
        let dragged = self.dragged.get_value();
        self.dragged.set_value(None);
        if let Some(key) = dragged {
            event.prevent_default();
            self.place(key, goal);
        }
    }

    fn place(self, key: SortKey, goal: SortKey) {
        if self
            .rows
            .frame
            .with_untracked(|frame| frame.as_ref().is_some_and(|frame| frame.heat.is_some()))
        {
            return;
        }
        self.focused.set(Some(key));
        let columns = self.shown.with_untracked(|shown| placed(shown, key, goal));
        self.rows.choose_columns(&columns);
    }
}
