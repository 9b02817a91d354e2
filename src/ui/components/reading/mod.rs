//! A case as components: its head, its sections in two columns, the links to them; and what an agent did,
//! which is made of the same pieces.
//!
//! ```text
//! page ─┬─ head                    links ── which section is read
//!       ├─ aside
//!       └─ pieces ─┬─ part ─── pieces          asked for when it is needed
//!                  ├─ checks, attempts, document
//!                  ├─ transcript ── message ── pieces
//!                  └─ text ─┬─ tree, find     choices: ways to see it
//!                     diff ─┴─ rows           those in sight
//! leading   where somebody is led: all of them read it
//! ```

mod agent;
mod aside;
mod attempts;
mod changes;
mod checks;
mod choices;
mod diff;
mod document;
mod find;
mod head;
mod leading;
mod links;
mod message;
mod page;
mod part;
mod pieces;
mod rows;
mod text;
mod transcript;
mod tree;

pub use agent::agent_page;
pub use leading::Leading;
pub use links::{CaseBar, SectionLinks};
pub use page::case_page;
pub use part::opened;
