//! The conversation: an outline, a field to search it, and its messages in chunks that are drawn when
//! they come near.
//!
//! A chunk is less than a screen of messages, so that little is drawn at once. Where there
//! are very many, their places too are drawn when they come near.

mod message;

pub(super) use message::{is_said, said};

use super::fold::range_fold;
use super::part::PartRequest;
use super::piece::{
    EntryItem, Later, OutlineLine, OutlineShown, Piece, ReservedRoom, TranscriptShown, Way,
};
use super::ranges::{parts_of, parts_to};
use super::read::Reading;
use super::texts::excerpt;
use super::texts::find;
use super::texts::text_id::TextId;
use crate::format;
use crate::report::Message;
use crate::report::conversation::Conversation;
use crate::words::reading as words;
use std::ops::Range;

/// Entries of one chunk.
const MAX_ENTRIES: usize = 12;

/// Bytes of text that the entries of one chunk draw at once, about.
const MAX_BYTES: usize = 16_000;

/// Chunks whose places are drawn one by one; of more, groups of so many.
const MAX_PLACES: usize = 30;

/// Lines of the outline that are drawn at once.
const MAX_OUTLINE: usize = 50;

/// From this many entries on there is a field to search them.
const MIN_SEARCHED: usize = 12;

/// Which entries are drawn at once: every one in one chunk.
pub(super) fn chunks(conversation: &Conversation, messages: &[Message]) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let (mut start, mut n_bytes) = (0, 0);
    for (idx, entry) in conversation.entries.iter().enumerate() {
        let drawn = std::iter::once(entry.message)
            .chain(entry.answer)
            .filter_map(|at| messages.get(at))
            .map(|message| message.text.len().min(message::MAX_DRAWN));
        n_bytes += drawn.sum::<usize>();
        if idx + 1 - start == MAX_ENTRIES || n_bytes > MAX_BYTES {
            chunks.push(start..idx + 1);
            (start, n_bytes) = (idx + 1, 0);
        }
    }
    if start < conversation.entries.len() {
        chunks.push(start..conversation.entries.len());
    }
    chunks
}

/// The section.
pub(super) fn transcript(reading: &Reading) -> Vec<Piece> {
    let n_outline = outline(reading).len();
    let find = (reading.conversation().entries.len() >= MIN_SEARCHED).then(|| {
        let stem = reading.stem(PartRequest::Transcript(0..0));
        find::field(stem, reading.own_id("f-transcript"), words::THE_TRANSCRIPT)
    });
    let first = reading.chunks().first().cloned();
    let shown = TranscriptShown {
        outline: (n_outline > 1).then(|| outline_shown(reading, n_outline)),
        find,
        first: first.map(|first| items(reading, first)).unwrap_or_default(),
        later: places(reading, 1..reading.chunks().len()),
    };
    vec![Piece::Transcript(Box::new(shown))]
}

/// Entries as the list of a chunk, or the places of the chunks that `range` is made of.
pub(super) fn entries(reading: &Reading, range: Range<usize>) -> Option<Vec<Piece>> {
    let chunks = reading.chunks();
    let first = chunks.iter().position(|chunk| chunk.start == range.start)?;
    let last = chunks.iter().position(|chunk| chunk.end == range.end)?;
    Some(match last.checked_sub(first)? {
        0 => vec![Piece::Entries(items(reading, range))],
        _ => places(reading, first..last + 1).into_iter().map(Piece::Later).collect(),
    })
}

/// The entries of one chunk.
fn items(reading: &Reading, range: Range<usize>) -> Vec<EntryItem> {
    let shown = reading.conversation().entries.get(range.clone()).unwrap_or_default();
    let mut out = Vec::new();
    for (idx, entry) in range.zip(shown) {
        if entry.is_turn_start {
            out.extend(message::turn_head(reading, entry).map(EntryItem::Turn));
        }
        let shown = message::entry(reading, idx, entry);
        out.extend(shown.map(|shown| EntryItem::Entry(Box::new(shown))));
    }
    out
}

/// Where chunks will stand; of very many, where groups of them will.
fn places(reading: &Reading, chunks: Range<usize>) -> Vec<Later> {
    let groups = parts_of(chunks.clone(), MAX_PLACES);
    let (room, parts) = match groups.is_empty() {
        true => (ReservedRoom::Chunk, chunks.map(|chunk| chunk..chunk + 1).collect()),
        false => (ReservedRoom::Chunks, groups),
    };
    let named = parts.into_iter().filter_map(|part| part_name(reading, part));
    named.map(|part| Later { part, room }).collect()
}

/// The name of the part that chunks are.
fn part_name(reading: &Reading, chunks: Range<usize>) -> Option<String> {
    let chunks = reading.chunks().get(chunks)?;
    let range = chunks.first()?.start..chunks.last()?.end;
    Some(reading.name(PartRequest::Transcript(range)))
}

/// The way to entry `idx`.
pub(super) fn way_to(reading: &Reading, idx: usize) -> Way {
    let chunks = reading.chunks();
    let chunk = chunks.iter().position(|chunk| chunk.contains(&idx)).unwrap_or_default();
    let mut way = parts_to(1..chunks.len(), MAX_PLACES, chunk);
    way.push(chunk..chunk + 1);
    let names = way.into_iter().filter_map(|part| part_name(reading, part));
    Way { id: message::element(reading, idx), through: names.collect(), ..Way::default() }
}

/// The way to the message whose number is `spot`.
pub(super) fn way_to_message(reading: &Reading, spot: &str) -> Option<Way> {
    let at = spot.parse::<usize>().ok()?.checked_sub(1)?;
    let mut entries = reading.conversation().entries.iter();
    let idx = entries.position(|entry| entry.message == at || entry.answer == Some(at))?;
    Some(way_to(reading, idx))
}

/// The same to the last thing that the agent said or did; to the last entry where it did nothing.
pub(super) fn way_to_last(reading: &Reading) -> Option<Way> {
    let messages = &reading.detail().transcript;
    let entries = &reading.conversation().entries;
    let is_step = |entry: &crate::report::conversation::ConversationEntry| {
        let message = messages.get(entry.message);
        message.is_some_and(|message| message.role == "assistant" && message.agent.is_none())
    };
    let last = entries.iter().rposition(is_step).or(entries.len().checked_sub(1))?;
    Some(way_to(reading, last))
}

/// What the outline names: entries with which a turn begins, and tools that failed.
fn outline(reading: &Reading) -> Vec<(usize, bool)> {
    let messages = &reading.detail().transcript;
    let is_error = |at: usize| messages.get(at).is_some_and(|message| message.is_error);
    let mut lines = Vec::new();
    for (idx, entry) in reading.conversation().entries.iter().enumerate() {
        let has_failed = is_error(entry.message) || entry.answer.is_some_and(is_error);
        if entry.is_turn_start || has_failed {
            lines.push((idx, has_failed));
        }
    }
    lines
}

fn outline_shown(reading: &Reading, n_lines: usize) -> OutlineShown {
    let n_failed = outline(reading).iter().filter(|(_, has_failed)| *has_failed).count();
    let words = match n_failed {
        0 => words::OUTLINE.to_owned(),
        n => words::outline_failed(n as u64),
    };
    OutlineShown {
        words,
        is_open: !reading.look().is_narrow,
        pieces: outline_lines(reading, 0..n_lines),
    }
}

/// Lines of the outline; very many in parts, of which the first is open.
pub(super) fn outline_lines(reading: &Reading, range: Range<usize>) -> Vec<Piece> {
    let parts = parts_of(range.clone(), MAX_OUTLINE);
    if parts.is_empty() {
        let lines = outline(reading);
        let lines = lines.get(range).unwrap_or_default().iter();
        let lines = lines.filter_map(|(idx, has_failed)| outline_line(reading, *idx, *has_failed));
        return vec![Piece::Outline(lines.collect())];
    }
    let folds = parts.into_iter().enumerate().map(|(idx, part)| {
        let here = (idx == 0).then(|| outline_lines(reading, part.clone()));
        range_fold(reading, "", &part, PartRequest::Outline(part.clone()), here)
    });
    folds.collect()
}

fn outline_line(reading: &Reading, idx: usize, has_failed: bool) -> Option<OutlineLine> {
    let entry = reading.conversation().entries.get(idx)?;
    let message = reading.detail().transcript.get(entry.message)?;
    let way = Way { spot: reading.spot(entry.message + 1), ..way_to(reading, idx) };
    Some(match &message.tool {
        Some(tool) if has_failed => OutlineLine { way, turn: None, words: tool.clone() },
        _ => OutlineLine {
            way,
            turn: Some(format::count(u64::from(message.turn) + 1)),
            words: excerpt::preview(&message.text, 80),
        },
    })
}

/// The text of message `at`.
fn text_id(at: usize) -> TextId {
    TextId::Message(at)
}
