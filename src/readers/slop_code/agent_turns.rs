//! Turns of an agent: its answers, and what they used.

use crate::model::{Fact, TurnDetail};
use std::collections::HashSet;

/// Members of `usage`, with their words.
pub(super) const USAGE: [(&str, &str); 4] = [
    ("input_tokens", "input tokens"),
    ("output_tokens", "output tokens"),
    ("cache_read_input_tokens", "cache read tokens"),
    ("cache_creation_input_tokens", "cache write tokens"),
];

/// One answer of the model.
pub(super) struct AgentAnswer {
    /// What it used, by the words of [`USAGE`].
    pub(super) usage: Vec<(String, f64)>,
    /// Whether a sub-agent gave it.
    pub(super) is_of_sub_agent: bool,
}

/// Answers of the agent itself are turns; what its sub-agents used belongs to the turn that started them.
#[derive(Default)]
pub(super) struct AgentTurns {
    /// The turns.
    pub(super) details: Vec<TurnDetail>,
    known: HashSet<usize>,
    now: u32,
    n_own: u32,
}

impl AgentTurns {
    /// The turn of a message that belongs to `answer`.
    pub(super) fn turn_of(&mut self, answer: Option<usize>, answers: &[AgentAnswer]) -> u32 {
        let Some(idx) = answer else { return self.now };
        let Some(answer) = answers.get(idx) else { return self.now };
        if !self.known.insert(idx) {
            return self.now;
        }
        if !answer.is_of_sub_agent {
            self.now = self.n_own;
            self.n_own = self.n_own.saturating_add(1);
        }
        let turn = self.now;
        let detail = match self.details.iter_mut().rfind(|known| known.turn == turn) {
            Some(detail) => detail,
            None => {
                self.details.push(TurnDetail { turn, ..TurnDetail::default() });
                let Some(last) = self.details.last_mut() else { return turn };
                last
            }
        };
        for (words, count) in &answer.usage {
            let words = match answer.is_of_sub_agent {
                true => format!("sub-agent {words}"),
                false => words.clone(),
            };
            match detail.usage.iter_mut().find(|(known, _)| *known == words) {
                Some((_, sum)) => *sum += count,
                None => detail.usage.push((words, *count)),
            }
        }
        turn
    }
}

/// What all answers used together.
pub(super) fn used_in_all(answers: &[AgentAnswer]) -> Option<Fact> {
    let sums = USAGE.iter().filter_map(|(_, words)| {
        let found = answers.iter().flat_map(|answer| &answer.usage);
        let mut counts =
            found.filter(|(known, _)| known == words).map(|(_, count)| *count).peekable();
        counts.peek()?;
        Some(format!("{} {words}", counts.sum::<f64>()))
    });
    let value = sums.collect::<Vec<_>>().join(", ");
    let label = format!("Used by {} answers, each message id once", answers.len());
    (!value.is_empty()).then_some(Fact { label, value })
}
