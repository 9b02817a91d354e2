//! A labelled text with its size, and ways to see it and to copy it.

use crate::format;
use crate::reading::fold::labelled;
use crate::reading::form::TextForm;
use crate::reading::part::PartRequest;
use crate::reading::piece::{Body, Fold, Piece};
use crate::reading::read::{PreparedText, Reading};
use crate::reading::texts::lines::{self, MAX_BYTES};
use crate::reading::texts::plain_text::{BlockShown, Choices, TextShown, ViewChoice};
use crate::reading::texts::text_id::TextId;
use crate::reading::{transcript, trees::tree};
use crate::words::reading as words;

/// Bytes of texts that one section draws at once; what comes after is folded.
const MAX_SECTION: usize = 128_000;

/// How much more text a section draws at once.
pub(in crate::reading) struct TextRoom(usize);

impl Default for TextRoom {
    fn default() -> Self {
        Self(MAX_SECTION)
    }
}

impl TextRoom {
    /// The text `id` while there is room, else its fold.
    pub(in crate::reading) fn block(&mut self, reading: &Reading, id: &TextId) -> Option<Piece> {
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
pub(in crate::reading) fn block(reading: &Reading, id: &TextId) -> Option<Piece> {
    body(reading, id, TextForm::Best)
}

/// A text of more than a few kilobytes is asked for when it is opened, a shorter one is here.
pub(in crate::reading) fn folded(reading: &Reading, id: &TextId, is_open: bool) -> Option<Piece> {
    let elsewhere = reading.left_out(id);
    let n_bytes = match elsewhere {
        Some(n_bytes) => n_bytes,
        None => reading.text(id)?.len() as u64,
    };
    let body = match elsewhere.is_none() && (n_bytes < 4_000 || is_open) {
        true => Body::Here(block(reading, id).into_iter().collect()),
        false => Body::Part(reading.name(PartRequest::Block(id.clone(), TextForm::Best))),
    };
    let (label, size) = (reading.label(id), format::bytes(n_bytes));
    Some(Piece::Fold(Box::new(Fold { size, is_open, body, ..labelled(label) })))
}

/// A text in one of its forms: a block with its head, something said, or the lines of a message alone.
pub(in crate::reading) fn body(reading: &Reading, id: &TextId, form: TextForm) -> Option<Piece> {
    if let TextId::Message(at) = id
        && reading.detail().transcript.get(*at).is_some_and(transcript::is_said)
    {
        return match form {
            // The whole of a message of which the beginning is shown already.
            TextForm::Lines => {
                let prepared = reading.prepared(id, true)?;
                Some(Piece::Lines(Box::new(lines::shown(reading, id, &prepared)?)))
            }
            form => transcript::said(reading, id, form),
        };
    }
    let text = reading.text(id)?;
    let form = match form {
        TextForm::Best | TextForm::Tree if reading.doc(id).is_some() => TextForm::Tree,
        TextForm::Best | TextForm::Tree => TextForm::Lines,
        form => form,
    };
    let prepared = reading.prepared(id, form == TextForm::Written)?;
    Some(Piece::Block(Box::new(BlockShown {
        label: reading.label(id),
        size: if text.is_empty() { String::new() } else { size(&text, &prepared) },
        choices: forms(reading, id, form),
        copy: reading.name(PartRequest::Text(id.clone())),
        text: match form {
            _ if text.is_empty() => TextShown::Empty,
            TextForm::Tree => TextShown::Tree(tree::tree(reading, id)?),
            _ => TextShown::Lines(lines::shown(reading, id, &prepared)?),
        },
    })))
}

fn size(text: &str, prepared: &PreparedText) -> String {
    words::size(prepared.rows.n_lines as u64, text.len() as u64)
}

/// Tree, indented, as written: ways to see what is JSON.
fn forms(reading: &Reading, id: &TextId, shown: TextForm) -> Vec<Choices> {
    if reading.doc(id).is_none() {
        return Vec::new();
    }
    let forms = [
        (TextForm::Tree, words::AS_TREE),
        (TextForm::Lines, words::AS_LINES),
        (TextForm::Written, words::AS_WRITTEN),
    ];
    let choice = |(form, word): (TextForm, &str)| ViewChoice {
        word: word.to_owned(),
        part: reading.name(PartRequest::Block(id.clone(), form)),
        is_on: form == shown,
    };
    vec![Choices { label: words::SHOW_AS.to_owned(), all: forms.map(choice).into() }]
}
