//! A labelled text with its size, and ways to see it and to copy it.

use super::fold::labelled;
use super::form::Form;
use super::lines::{self, MAX_BYTES};
use super::part::Part;
use super::piece::{Body, Fold, Piece};
use super::plain_text::{BlockShown, Choice, Choices, TextShown};
use super::read::{Prepared, Reading};
use super::text_id::TextId;
use super::{transcript, tree};
use crate::format;

/// Bytes of texts that one section draws at once; what comes after is folded.
const MAX_SECTION: usize = 128_000;

/// How much more text a section draws at once.
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(MAX_SECTION)
    }
}

impl Room {
    /// The text `id` while there is room, else its fold.
    pub(super) fn block(&mut self, reading: &Reading, id: &TextId) -> Option<Piece> {
        let n_bytes = reading.text(id).map_or(0, |text| text.len());
        // What has a view of its own is not drawn at once; its frame is.
        let n_drawn = if n_bytes < MAX_BYTES { n_bytes } else { 0 } + 500;
        match self.0.checked_sub(n_drawn) {
            Some(left) => {
                self.0 = left;
                block(reading, id)
            }
            None => folded(reading, id, false),
        }
    }
}

/// The text `id` with its label, its size and ways to copy it and to see it otherwise.
pub(super) fn block(reading: &Reading, id: &TextId) -> Option<Piece> {
    body(reading, id, Form::Best)
}

/// A text of more than a few kilobytes is asked for when it is opened, a shorter one is here.
pub(super) fn folded(reading: &Reading, id: &TextId, is_open: bool) -> Option<Piece> {
    let text = reading.text(id)?;
    let body = match text.len() < 4_000 || is_open {
        true => Body::Here(block(reading, id).into_iter().collect()),
        false => Body::Part(reading.name(Part::Block(id.clone(), Form::Best))),
    };
    let (label, size) = (reading.label(id), format::bytes(text.len() as u64));
    Some(Piece::Fold(Box::new(Fold { size, is_open, body, ..labelled(label) })))
}

/// A text in one of its forms: a block with its head, something said, or the lines of a message alone.
pub(super) fn body(reading: &Reading, id: &TextId, form: Form) -> Option<Piece> {
    if let TextId::Message(at) = id
        && reading.detail().transcript.get(*at).is_some_and(transcript::is_said)
    {
        return match form {
            // The whole of a message of which the beginning is shown already.
            Form::Lines => {
                let prepared = reading.prepared(id, true)?;
                Some(Piece::Lines(Box::new(lines::shown(reading, id, &prepared)?)))
            }
            form => transcript::said(reading, id, form),
        };
    }
    let text = reading.text(id)?;
    let form = match form {
        Form::Best | Form::Tree if reading.doc(id).is_some() => Form::Tree,
        Form::Best | Form::Tree => Form::Lines,
        form => form,
    };
    let prepared = reading.prepared(id, form == Form::Written)?;
    Some(Piece::Block(Box::new(BlockShown {
        label: reading.label(id),
        size: if text.is_empty() { String::new() } else { size(&text, &prepared) },
        choices: forms(reading, id, form),
        copy: reading.name(Part::Text(id.clone())),
        text: match form {
            _ if text.is_empty() => TextShown::Empty,
            Form::Tree => TextShown::Tree(tree::tree(reading, id)?),
            _ => TextShown::Lines(lines::shown(reading, id, &prepared)?),
        },
    })))
}

fn size(text: &str, prepared: &Prepared) -> String {
    let lines = format::counted(prepared.rows.n_lines as u64, "line", "lines");
    format!("{lines}, {}", format::bytes(text.len() as u64))
}

/// Tree, indented, as written: ways to see what is JSON.
fn forms(reading: &Reading, id: &TextId, shown: Form) -> Vec<Choices> {
    if reading.doc(id).is_none() {
        return Vec::new();
    }
    let forms = [(Form::Tree, "Tree"), (Form::Lines, "Indented"), (Form::Written, "As written")];
    let choice = |(form, word): (Form, &str)| Choice {
        word: word.to_owned(),
        part: reading.name(Part::Block(id.clone(), form)),
        is_on: form == shown,
    };
    vec![Choices { label: "Show as".to_owned(), all: forms.map(choice).into() }]
}
