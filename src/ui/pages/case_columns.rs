//! Columns of the table: their widths, their order, and how both are changed by hand and by key.

use super::case_rows::{COLUMNS_SETTING, CaseRows};
use crate::address::{column_words, columns_of};
use crate::browser;
use crate::report::SortKey;
use crate::ui::state::Store;
use crate::worker::protocol::GridColumn;
use leptos::ev::{DragEvent, KeyboardEvent, PointerEvent};
use leptos::prelude::*;

/// The setting that keeps the widths.
const WIDTHS_SETTING: &str = "case-widths";

/// The least width of a column in pixels, and how much a key changes it.
const LEAST_WIDTH: u32 = 48;
const STEP: u32 = 16;

/// What a pointer does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Grip {
    /// It takes hold.
    Down,
    /// It moves.
    Move,
    /// It lets go.
    Up,
}

/// A column whose edge is being dragged.
#[derive(Clone)]
struct Held {
    word: String,
    start_x: i32,
    start_width: u32,
}

/// The columns. Copies are the same ones.
#[derive(Clone, Copy)]
pub struct Columns {
    store: Store,
    rows: CaseRows,
    /// Widths that the reader has set, by the column's word.
    widths: RwSignal<Vec<(String, u32)>>,
    held: StoredValue<Option<Held>>,
    dragged: StoredValue<Option<String>>,
}

impl Columns {
    /// The columns of `rows`.
    pub fn new(store: Store, rows: CaseRows) -> Self {
        let kept = browser::remembered(WIDTHS_SETTING).unwrap_or_default();
        let pair = |pair: &str| {
            let (word, width) = pair.split_once(':')?;
            Some((word.to_owned(), width.parse().ok()?))
        };
        Self {
            store,
            rows,
            widths: RwSignal::new(kept.split(',').filter_map(pair).collect()),
            held: StoredValue::default(),
            dragged: StoredValue::default(),
        }
    }

    fn with<T>(self, read: impl FnOnce(&[GridColumn]) -> T) -> T {
        self.rows.frame.with(|frame| read(frame.as_ref().map_or(&[], |frame| &frame.columns)))
    }

    fn set_width(self, word: &str) -> Option<u32> {
        self.widths
            .with(|widths| widths.iter().find(|(known, _)| known == word).map(|(_, width)| *width))
    }

    /// How many they are.
    pub fn count(self) -> usize {
        self.with(<[GridColumn]>::len)
    }

    /// Their tracks of the grid.
    pub fn tracks(self) -> String {
        let track = |column: &GridColumn| match (self.set_width(&column.word), column.share) {
            (Some(width), _) => format!("{width}px"),
            (None, 0) => format!("{}px", column.width),
            (None, share) => format!("minmax({}px, {share}fr)", column.width),
        };
        self.with(|columns| columns.iter().map(track).collect::<Vec<_>>().join(" "))
    }

    /// How narrow they may become together: head and body are laid out apart, so both are told.
    pub fn least_width(self) -> String {
        let width = |column: &GridColumn| self.set_width(&column.word).unwrap_or(column.width);
        format!("{}px", self.with(|columns| columns.iter().map(width).sum::<u32>()))
    }

    /// Shift with an arrow makes a column wider or narrower, Ctrl and Shift moves it; whether the key
    /// was one of these, on a heading.
    pub fn on_key(self, event: &KeyboardEvent) -> bool {
        let forward = match event.key().as_str() {
            "ArrowRight" => true,
            "ArrowLeft" => false,
            _ => return false,
        };
        let Some(head) = browser::hit(event, "[data-column]").filter(|_| event.shift_key()) else {
            return false;
        };
        let word = head.get_attribute("data-column").unwrap_or_default();
        if event.ctrl_key() || event.meta_key() {
            let shown = self.shown();
            let at = shown.iter().position(|known| *known == word);
            let goal = at.and_then(|at| if forward { Some(at + 1) } else { at.checked_sub(1) });
            if let Some(goal) = goal.and_then(|goal| shown.get(goal)) {
                self.place(&word, goal);
            }
        } else {
            let width = head.client_width().unsigned_abs();
            let wider = if forward { width + STEP } else { width.saturating_sub(STEP) };
            self.resize(&word, wider, true);
        }
        true
    }

    /// Drags the edge of a column.
    pub fn grip(self, grip: Grip, event: &PointerEvent) {
        match (grip, self.held.get_value()) {
            (Grip::Down, _) => {
                let Some(handle) = browser::hit(event, "[data-resize]") else { return };
                let Some(head) = browser::hit(event, "[data-column]") else { return };
                event.prevent_default();
                self.held.set_value(Some(Held {
                    word: handle.get_attribute("data-resize").unwrap_or_default(),
                    start_x: event.client_x(),
                    start_width: head.client_width().unsigned_abs(),
                }));
                // Refused for a pointer that is gone already.
                let _ = handle.set_pointer_capture(event.pointer_id());
            }
            (_, Some(held)) => {
                let width = held.start_width.saturating_add_signed(event.client_x() - held.start_x);
                self.resize(&held.word, width, grip == Grip::Up);
                if grip == Grip::Up {
                    self.held.set_value(None);
                }
            }
            _ => {}
        }
    }

    fn resize(self, word: &str, width: u32, is_kept: bool) {
        let width = width.max(LEAST_WIDTH);
        self.widths.update(|widths| {
            widths.retain(|(known, _)| known != word);
            widths.push((word.to_owned(), width));
        });
        if is_kept {
            let pairs = self.widths.with_untracked(|widths| {
                widths.iter().map(|(word, width)| format!("{word}:{width}")).collect::<Vec<_>>()
            });
            browser::remember(WIDTHS_SETTING, &pairs.join(","));
        }
    }

    /// Takes up a heading.
    pub fn drag_start(self, event: &DragEvent) {
        let head = browser::hit(event, "[data-column]");
        if self.held.with_value(Option::is_some) {
            event.prevent_default();
        } else {
            self.dragged.set_value(head.and_then(|head| head.get_attribute("data-column")));
        }
    }

    /// Says that a heading may be put down on another one.
    pub fn drag_over(self, event: &DragEvent) {
        if self.dragged.with_value(Option::is_some)
            && browser::hit(event, "[data-column]").is_some()
        {
            event.prevent_default();
        }
    }

    /// Puts a heading down.
    pub fn drop(self, event: &DragEvent) {
        let dragged = self.dragged.get_value();
        self.dragged.set_value(None);
        let goal = browser::hit(event, "[data-column]");
        let goal = goal.and_then(|head| head.get_attribute("data-column"));
        if let (Some(word), Some(goal)) = (dragged, goal) {
            event.prevent_default();
            self.place(&word, &goal);
        }
    }

    fn shown(self) -> Vec<String> {
        self.rows.frame.with_untracked(|frame| {
            let columns = frame.as_ref().map_or(&[][..], |frame| &frame.columns);
            columns.iter().map(|column| column.word.clone()).collect()
        })
    }

    /// Puts a column into the place of another one.
    fn place(self, word: &str, goal: &str) {
        let mut shown = self.shown();
        let at = |wanted: &str| shown.iter().position(|known| known == wanted);
        if let (Some(from), Some(to)) = (at(word), at(goal)) {
            let column = shown.remove(from);
            shown.insert(to, column);
            choose(self.store, self.rows, &columns_of(&shown.join(",")));
        }
    }
}

/// Shows these columns, now and on the next visit; without any, the usual ones.
pub fn choose(store: Store, rows: CaseRows, columns: &[SortKey]) {
    let words = column_words(columns);
    browser::remember(COLUMNS_SETTING, &words);
    rows.columns.set(words);
    store.adjust(|route| route.columns = columns.to_vec());
}
