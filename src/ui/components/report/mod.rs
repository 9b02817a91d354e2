//! A page of a report as components: verdict, headline numbers, sections of figures and tables.
//!
//! ```text
//! page ─┬─ verdict
//!       ├─ contents
//!       ├─ headlines ──┐
//!       └─ section ─┬──┴─ cell ── outcome
//!                   ├─ figure ── table
//!                   └─ table ── cell
//! ```
//!
//! What is long comes into the document a part at a time ([`paced`]), from top to bottom.

mod board;
mod cell;
mod contents;
mod figure;
mod headlines;
mod outcome;
mod paced;
mod page;
mod rates;
mod runs_strip;
mod table;
mod verdict;

pub use board::tally_bar;
pub use outcome::{outcome_mark, outcome_word};
pub use paced::paced;
pub use page::{report_page, report_sections};

use crate::render::Look;
use crate::ui::state::Store;
use crate::worker::protocol::PageShown;
use leptos::prelude::*;
use std::sync::Arc;

/// What every part of a page draws from.
#[derive(Clone)]
struct ReportContext {
    shown: Arc<PageShown>,
    look: Look,
    store: Store,
}

/// The level of a heading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HeadingLevel {
    Two,
    Three,
    Four,
}

/// A heading of `words`.
fn heading(level: HeadingLevel, class: &'static str, id: Option<String>, words: String) -> AnyView {
    match level {
        HeadingLevel::Two => view! { <h2 class=class id=id>{words}</h2> }.into_any(),
        HeadingLevel::Three => view! { <h3 class=class id=id>{words}</h3> }.into_any(),
        HeadingLevel::Four => view! { <h4 class=class id=id>{words}</h4> }.into_any(),
    }
}
