//! Which cases to show, as one line of text: what stands in the search field and in the address.
//!
//! ```text
//! filter := all { "or" all }              all  := part { [ "and" ] part }
//! part   := [ "-" | "!" ] ( "(" filter ")" | term )
//! term   := field ":" value { "," value }     is one of these; letters may be large or small
//!         | field ( "=" | "!=" ) value        is exactly this
//!         | field ( "<" | "<=" | ">" | ">=" ) number
//!         | field "~" value                   contains this
//!         | value                             occurs in id, group, run, checkpoint or error
//! value  := word | "\"" text "\""             inside quotes: \" and \\
//! number := digits with a unit of the field: 500ms 3s 2m 1h, 80%, 12k, $0.5
//! ```
//!
//! `outcome:failed kind:Core score<0.5 error~timeout`. An empty value (`group:""`) stands for cases
//! that have none. A comparison holds only where the number is known; `-score:1` keeps cases without
//! a score too. A metric's own score is `metric.NAME`; it may have several in a case (attempts), and
//! then one that fits is enough.
//!
//! Pairs of a comparison have three fields more, [`About::Pairs`]: `change:regressed`, `delta<-0.2`, and
//! `side:B`, which says whose case the conditions behind it are about, up to the next `side:`, `or` or
//! `)`. Without it, a condition holds of a pair when it holds of the case on either side.
//!
//! Text and facets are two views of one tree: `edit` changes the tree for a facet, and the tree
//! writes itself as text again.

mod about;
mod edit;
mod eval;
mod expr;
mod field;
mod flaky;
mod mask;
mod meant;
mod parse;
mod scope;
mod suggest;
mod tally;
mod text;

pub use about::About;
pub(super) use about::CHANGES;
pub use edit::FacetChoice;
pub use expr::{Expr, Filter, FilterError, NumberOperator, Term, words_text};
pub(super) use field::FLAKY;
pub use field::Field;
pub(super) use flaky::flaky;
pub(super) use mask::Mask;
pub(super) use scope::{FieldWords, FilterScope, ScopeRun, tags};
pub(super) use suggest::{SuggestTarget, suggest_about};
pub use suggest::{Suggestion, Suggestions, suggest};
pub(super) use tally::tally;
