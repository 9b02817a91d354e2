//! Evaluations of a bundle that go ahead of the rest, some in each message: the workspace takes them in while the reader
//! writes the next.

use super::job::{ReaderMessage, WorkspaceLine};
use crate::readers::Checked;

/// Evaluations of one bundle in one message.
const EVALUATIONS_AHEAD: usize = 100;

/// Says all but the last of many evaluations. It stops before the one that holds run `first_apart`, whose tables travel
/// beside the message.
pub(super) fn say_ahead(
    all: &mut Vec<Checked>,
    first_apart: Option<usize>,
    line: &dyn WorkspaceLine,
) {
    let mut n_runs = 0;
    let is_whole = |checked: &&Checked| {
        n_runs += checked.evaluation.runs.len();
        first_apart.is_none_or(|first| n_runs <= first)
    };
    let n_whole = all.iter().take_while(is_whole).count();
    let n_parts = n_whole.min(all.len().saturating_sub(1)) / EVALUATIONS_AHEAD;
    let mut ahead = all.drain(..n_parts * EVALUATIONS_AHEAD);
    for _ in 0..n_parts {
        line.say(&ReaderMessage::Ahead(ahead.by_ref().take(EVALUATIONS_AHEAD).collect()));
    }
}
