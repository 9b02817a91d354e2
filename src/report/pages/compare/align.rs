//! Two transcripts side by side: which steps are the same, which were changed, which only one of them has.
//!
//! A global alignment (Needleman & Wunsch 1970) over steps that are known by two hashes: what kind of step it is
//! (who speaks, which tool), and all of it. Equal beginnings and ends are taken off first; of the rest one row of
//! costs and two bits a cell are kept.

use crate::model::Message;
use crate::report::conversation::{Conversation, ConversationEntry, conversation};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Cost of a step that only one side has.
const GAP: u32 = 2;

/// Cost of a step of the same kind with another content: less than two that only one side has each.
const CHANGED: u32 = 3;

/// Cells of the table beyond which only equal beginnings and ends are aligned.
const MAX_CELLS: usize = 100_000_000;

/// A step as the alignment knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlignedStep {
    /// Of what kind: who speaks, which tool.
    pub kind: u64,
    /// All of it.
    pub whole: u64,
}

/// A step of either side, or of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aligned {
    /// Its place on the left; `None`: only the right side has it.
    pub left: Option<usize>,
    /// Its place on the right.
    pub right: Option<usize>,
    /// Whether both sides have it, the same.
    pub is_same: bool,
}

/// Two conversations side by side.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Alignment {
    /// The left one.
    pub left: Conversation,
    /// The right one.
    pub right: Conversation,
    /// Steps in order: places among the entries of either.
    pub steps: Vec<Aligned>,
    /// Place among the steps of the first that is not the same.
    pub divergence: Option<usize>,
}

/// Aligns two transcripts.
pub fn alignment(left: &[Message], right: &[Message]) -> Alignment {
    let (one, two) = (conversation(left), conversation(right));
    let known = |own: &Conversation, messages: &[Message]| -> Vec<AlignedStep> {
        own.entries.iter().map(|entry| step(entry, messages)).collect()
    };
    let steps = align(&known(&one, left), &known(&two, right));
    let divergence = steps.iter().position(|step| !step.is_same);
    Alignment { left: one, right: two, steps, divergence }
}

fn step(entry: &ConversationEntry, messages: &[Message]) -> AlignedStep {
    let (mut kind, mut whole) = (DefaultHasher::new(), DefaultHasher::new());
    if let Some(message) = messages.get(entry.message) {
        (&message.role, &message.kind, &message.tool, &message.agent).hash(&mut kind);
        message.text.hash(&mut whole);
        message.is_error.hash(&mut whole);
    }
    if let Some(answer) = entry.answer.and_then(|answer| messages.get(answer)) {
        (&answer.text, answer.is_error).hash(&mut whole);
    }
    let kind = kind.finish();
    kind.hash(&mut whole);
    AlignedStep { kind, whole: whole.finish() }
}

/// Which steps of `left` and `right` belong together, at the least cost. Every step is in it once, in order.
pub fn align(left: &[AlignedStep], right: &[AlignedStep]) -> Vec<Aligned> {
    let n_start = left.iter().zip(right).take_while(|(one, two)| one == two).count();
    let (left_rest, right_rest) = (left.get(n_start..), right.get(n_start..));
    let (left_rest, right_rest) = (left_rest.unwrap_or_default(), right_rest.unwrap_or_default());
    let ends = left_rest.iter().rev().zip(right_rest.iter().rev());
    let n_end = ends.take_while(|(one, two)| one == two).count();
    let (n, m) = (left_rest.len() - n_end, right_rest.len() - n_end);
    let same =
        |at: usize, other: usize| Aligned { left: Some(at), right: Some(other), is_same: true };
    let mut steps: Vec<Aligned> = (0..n_start).map(|at| same(at, at)).collect();
    let (own, other) = (left_rest.get(..n), right_rest.get(..m));
    let middle = between(own.unwrap_or_default(), other.unwrap_or_default());
    steps.extend(middle.into_iter().map(|step| Aligned {
        left: step.left.map(|at| at + n_start),
        right: step.right.map(|at| at + n_start),
        ..step
    }));
    steps.extend((0..n_end).map(|at| same(n_start + n + at, n_start + m + at)));
    steps
}

/// Where the cheapest way into a cell comes from, in two bits.
const BOTH: u8 = 0;
const ONLY_LEFT: u8 = 1;
const ONLY_RIGHT: u8 = 2;

fn between(left: &[AlignedStep], right: &[AlignedStep]) -> Vec<Aligned> {
    let (n, m) = (left.len(), right.len());
    if n.saturating_mul(m) > MAX_CELLS || n == 0 || m == 0 {
        let only_left = (0..n).map(|at| Aligned { left: Some(at), right: None, is_same: false });
        let only_right = (0..m).map(|at| Aligned { left: None, right: Some(at), is_same: false });
        return only_left.chain(only_right).collect();
    }
    let width = m.div_ceil(4);
    let mut ways = vec![0_u8; n * width];
    let mut row: Vec<u32> = (0..).step_by(GAP as usize).take(m + 1).collect();
    for (one, ways) in left.iter().zip(ways.chunks_exact_mut(width)) {
        let mut corner = row.first().copied().unwrap_or(0);
        let mut before = corner + GAP;
        if let Some(first) = row.first_mut() {
            *first = before;
        }
        let cells = row.iter_mut().skip(1).zip(right).enumerate();
        for (at, (cell, two)) in cells {
            let both = if one.kind == two.kind {
                corner + if one.whole == two.whole { 0 } else { CHANGED }
            } else {
                u32::MAX
            };
            let (above, left_of) = (*cell + GAP, before + GAP);
            corner = *cell;
            let (cost, way) = if both <= above && both <= left_of {
                (both, BOTH)
            } else if left_of <= above {
                (left_of, ONLY_RIGHT)
            } else {
                (above, ONLY_LEFT)
            };
            *cell = cost;
            before = cost;
            if let Some(byte) = ways.get_mut(at / 4) {
                *byte |= way << (at % 4 * 2);
            }
        }
    }
    let way = |at: usize, other: usize| {
        ways.get(at * width + other / 4).map_or(BOTH, |byte| (byte >> (other % 4 * 2)) & 3)
    };
    let (mut at, mut other) = (n, m);
    let mut steps = Vec::with_capacity(n.max(m));
    while at > 0 || other > 0 {
        let way = match (at, other) {
            (0, _) => ONLY_RIGHT,
            (_, 0) => ONLY_LEFT,
            _ => way(at - 1, other - 1),
        };
        at -= usize::from(way != ONLY_RIGHT);
        other -= usize::from(way != ONLY_LEFT);
        let is_same = way == BOTH && left.get(at) == right.get(other);
        steps.push(Aligned {
            left: (way != ONLY_RIGHT).then_some(at),
            right: (way != ONLY_LEFT).then_some(other),
            is_same,
        });
    }
    steps.reverse();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn steps(text: &str) -> Vec<AlignedStep> {
        // A letter is a kind, its case the content.
        let step = |c: char| AlignedStep { kind: c.to_ascii_lowercase().into(), whole: c.into() };
        text.chars().map(step).collect()
    }

    /// `=` the same, `~` changed, `<` only left, `>` only right.
    fn said(left: &str, right: &str) -> String {
        let sign = |step: &Aligned| match (step.left, step.right) {
            (Some(_), None) => '<',
            (None, Some(_)) => '>',
            _ if step.is_same => '=',
            _ => '~',
        };
        align(&steps(left), &steps(right)).iter().map(sign).collect()
    }

    #[test]
    fn steps_are_told_apart() {
        for (left, right, expected) in [
            ("", "", ""),
            ("abc", "abc", "==="),
            ("abc", "abxc", "==>="),
            ("abxc", "abc", "==<="),
            ("abc", "aBc", "=~="),
            ("abc", "axc", "=<>="),
            ("a", "", "<"),
            ("uatau", "uaTax", "==~=<>"),
            // A call that moved is one that each side alone has.
            ("abcde", "bcdea", "<====>"),
        ] {
            assert_eq!(said(left, right), expected, "{left} {right}");
        }
    }

    #[test]
    fn a_call_and_its_return_are_one_step() {
        let message = |role: &str, kind: &str, text: &str| Message {
            role: role.to_owned(),
            kind: kind.to_owned(),
            tool: (role != "user").then(|| "look".to_owned()),
            text: text.to_owned(),
            ..Message::default()
        };
        let told = |returned: &str| {
            vec![
                message("user", "", "go"),
                message("assistant", "tool_call", "{}"),
                message("tool", "", returned),
            ]
        };
        let found = alignment(&told("1"), &told("2"));
        assert_eq!((found.steps.len(), found.divergence), (2, Some(1)));
        assert_eq!(alignment(&told("1"), &told("1")).divergence, None);
    }

    proptest! {
        #[test]
        fn every_step_is_there_once_in_order(left in "[abAB]{0,14}", right in "[abAB]{0,14}") {
            let found = align(&steps(&left), &steps(&right));
            let lefts: Vec<usize> = found.iter().filter_map(|step| step.left).collect();
            let rights: Vec<usize> = found.iter().filter_map(|step| step.right).collect();
            prop_assert_eq!(lefts, (0..left.len()).collect::<Vec<_>>());
            prop_assert_eq!(rights, (0..right.len()).collect::<Vec<_>>());
            for step in &found {
                if let (Some(at), Some(other)) = (step.left, step.right) {
                    prop_assert_eq!(steps(&left)[at].kind, steps(&right)[other].kind);
                }
            }
            // The other way round costs the same.
            let cost = |found: &[Aligned]| found.iter().map(|step| match (step.left, step.right) {
                (Some(_), Some(_)) => if step.is_same { 0 } else { CHANGED },
                _ => GAP,
            }).sum::<u32>();
            prop_assert_eq!(cost(&found), cost(&align(&steps(&right), &steps(&left))));
        }
    }
}
