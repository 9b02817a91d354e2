//! Which rows of a long table are drawn, and where.
//!
//! ```text
//!  scroll area           whole table (never drawn)
//! ┌───────────┐ ─ scroll_top    row 0 …
//! │ view      │         ┐
//! │           │         ├ drawn: the view and a few rows around it
//! └───────────┘         ┘
//!                               … row n − 1
//! ```
//!
//! A browser cannot lay out an element of arbitrary height, so above `MAX_HEIGHT` the scroll bar is
//! a scale: its ends are the table's ends, and what lies between is stretched.

/// The most pixels that the scroll area is made high. Browsers give up between 17 and 33 million.
const MAX_HEIGHT: f64 = 8_000_000.0;

/// Rows drawn above and below the visible ones.
const MARGIN_ROWS: u64 = 8;

/// What to draw.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RowWindow {
    /// First row to draw.
    pub first: u64,
    /// Row after the last one to draw.
    pub end: u64,
    /// Where the first drawn row begins, in pixels from the top of the scroll area.
    pub top: f64,
    /// Height of the scroll area's content in pixels.
    pub height: f64,
}

/// The rows to draw of `n_rows`, each `row_height` pixels high, for a view that is `view_height`
/// pixels high and scrolled to `scroll_top`.
pub fn window(n_rows: u64, row_height: f64, view_height: f64, scroll_top: f64) -> RowWindow {
    let full = n_rows as f64 * row_height;
    let height = full.min(MAX_HEIGHT);
    let scroll_top = scroll_top.clamp(0.0, (height - view_height).max(0.0));
    let at = scroll_top * stretch(full, height, view_height);
    let first = ((at / row_height) as u64).saturating_sub(MARGIN_ROWS);
    let visible = (view_height / row_height).ceil() as u64 + 1;
    let end = first.saturating_add(visible + 2 * MARGIN_ROWS).min(n_rows);
    // Near the end of a stretched table the margin would reach beyond the content.
    let top = (scroll_top - (at - first as f64 * row_height)).max(0.0);
    RowWindow { first, end, top, height }
}

/// Where to scroll so that row `row` is whole in view; `scroll_top` when it already is.
pub fn scroll_to(row: u64, n_rows: u64, row_height: f64, view_height: f64, scroll_top: f64) -> f64 {
    let full = n_rows as f64 * row_height;
    let height = full.min(MAX_HEIGHT);
    let stretch = stretch(full, height, view_height);
    let (at, row_top) = (scroll_top * stretch, row as f64 * row_height);
    let wanted = if row_top < at {
        row_top
    } else if row_top + row_height > at + view_height {
        row_top + row_height - view_height
    } else {
        return scroll_top;
    };
    wanted / stretch
}

/// Table pixels for one scroll pixel.
fn stretch(full: f64, height: f64, view_height: f64) -> f64 {
    if full > height && height > view_height {
        (full - view_height) / (height - view_height)
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: f64 = 32.0;
    const VIEW: f64 = 640.0;

    #[test]
    fn a_short_table_is_drawn_whole() {
        let drawn = window(5, ROW, VIEW, 0.0);
        assert_eq!(drawn, RowWindow { first: 0, end: 5, top: 0.0, height: 160.0 });
        assert_eq!(window(0, ROW, VIEW, 100.0).end, 0);
    }

    #[test]
    fn every_visible_row_is_drawn_at_its_place() {
        for n_rows in [10, 1_000, 250_000, 5_000_000] {
            let height = window(n_rows, ROW, VIEW, 0.0).height;
            for part in 0..=20 {
                let scroll_top = (height - VIEW).max(0.0) * f64::from(part) / 20.0;
                let drawn = window(n_rows, ROW, VIEW, scroll_top);
                assert!(drawn.top <= scroll_top);
                let bottom = drawn.top + (drawn.end - drawn.first) as f64 * ROW;
                assert!(drawn.end == n_rows || bottom >= scroll_top + VIEW, "{n_rows} {part}");
                assert!(drawn.end - drawn.first < 60);
            }
        }
    }

    #[test]
    fn the_ends_of_the_scroll_bar_are_the_ends_of_the_table() {
        let n_rows = 5_000_000;
        let height = window(n_rows, ROW, VIEW, 0.0).height;
        let last = window(n_rows, ROW, VIEW, height);
        assert_eq!(last.end, n_rows);
        let bottom = last.top + (last.end - last.first) as f64 * ROW;
        assert!((bottom - height).abs() < 1.0);
    }

    #[test]
    fn scrolling_to_a_row_shows_it_and_nothing_more() {
        assert_eq!(scroll_to(3, 1_000, ROW, VIEW, 0.0), 0.0);
        assert_eq!(scroll_to(20, 1_000, ROW, VIEW, 0.0), 32.0);
        assert_eq!(scroll_to(0, 1_000, ROW, VIEW, 500.0), 0.0);
        let n_rows = 5_000_000;
        let scroll_top = scroll_to(4_000_000, n_rows, ROW, VIEW, 0.0);
        let drawn = window(n_rows, ROW, VIEW, scroll_top);
        assert!(drawn.first <= 4_000_000 && drawn.end > 4_000_000);
    }
}
