//! A case as components: its head, its sections in two columns, the links to them; and what an agent did,
//! which is made of the same pieces.
//!
//! ```text
//! page ─┬─ head                    links ── which section is read
//!       ├─ aside
//!       └─ pieces ─┬─ part ─── pieces          asked for when it is needed
//!                  ├─ checks, attempts, document
//!                  └─ transcript ── message ── pieces
//! ```

mod agent;
mod aside;
mod attempts;
mod checks;
mod document;
mod head;
mod links;
mod message;
mod page;
mod part;
mod pieces;
mod transcript;
mod way;

pub use agent::agent_page;
pub use links::{CaseBar, SectionLinks};
pub use page::case_page;

use crate::browser;
use leptos::prelude::*;

/// Calls `then` when all is drawn, and what that has asked for in turn, so many times.
fn settled(rounds: u32, then: impl FnOnce() + 'static) {
    let then: Box<dyn FnOnce()> = Box::new(then);
    request_animation_frame(move || {
        browser::when_drawn(move || match rounds {
            0 | 1 => then(),
            _ => settled(rounds - 1, then),
        });
    });
}
