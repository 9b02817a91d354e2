//! One row of a difference: numbers, signs, and the line with its changed words set apart.

use super::compared::{Compared, LineView, columns};
use super::form::DiffForm;
use super::lines::parts;
use super::marks;
use crate::format;
use crate::markup::Markup;
use crate::report::diff::{Arrangement, DiffRow, Piece, RowKind, word_pieces};

/// One row, or one part of a row that is too long for one.
pub(super) fn draw_row(
    out: &mut Markup,
    compared: &Compared,
    row: &DiffRow,
    part: Option<usize>,
    form: DiffForm,
) {
    let pieces = compared.changed(row).map(|(old, new)| word_pieces(old, new)).unwrap_or_default();
    let drawn = Drawn { part, form };
    let (old, new) = (compared.old_line(row), compared.new_line(row));
    let class = match row.kind {
        RowKind::Same | RowKind::Changed => "row",
        RowKind::Removed => "row row--removed",
        RowKind::Added => "row row--added",
    };
    out.open("div").class(class).body(|out| match form.arrangement {
        Arrangement::Unified => {
            drawn.number(out, old.as_ref());
            drawn.number(out, new.as_ref());
            match row.kind {
                RowKind::Removed => drawn.line(out, Sign::Removed, old.as_ref(), &pieces.0),
                RowKind::Added => drawn.line(out, Sign::Added, new.as_ref(), &pieces.1),
                RowKind::Same | RowKind::Changed => drawn.line(out, Sign::Same, new.as_ref(), &[]),
            }
        }
        Arrangement::SideBySide => {
            let (left, right) = match row.kind {
                RowKind::Same => (Sign::Same, Sign::Same),
                _ => (Sign::Removed, Sign::Added),
            };
            drawn.number(out, old.as_ref());
            drawn.line(out, left, old.as_ref(), &pieces.0);
            drawn.number(out, new.as_ref());
            drawn.line(out, right, new.as_ref(), &pieces.1);
        }
    });
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Same,
    Removed,
    Added,
}

/// How the cells of a row are drawn.
struct Drawn {
    part: Option<usize>,
    form: DiffForm,
}

impl Drawn {
    fn number(&self, out: &mut Markup, line: Option<&LineView<'_>>) {
        let number = line.map_or(String::new(), |line| match self.part {
            None | Some(0) => format::count(line.number as u64 + 1),
            Some(_) => "↪".to_owned(),
        });
        out.open("span").class("row__number").attr("aria-hidden", "true").text(&number);
    }

    fn line(&self, out: &mut Markup, sign: Sign, line: Option<&LineView<'_>>, pieces: &[Piece]) {
        let Some(line) = line else {
            out.open("span").class("row__sign").end();
            out.open("span").class("row__text row__text--none").end();
            return;
        };
        let (mark, class, word, name) = match sign {
            Sign::Same => (" ", "row__text", "", "span"),
            Sign::Removed => ("−", "row__text row__text--removed", "expected: ", "del"),
            Sign::Added => ("+", "row__text row__text--added", "actual: ", "ins"),
        };
        let limit = columns(self.form.arrangement);
        let shown = match self.part {
            None => 0..line.text.len(),
            Some(part) => match parts(line.text, limit).nth(part) {
                Some(part) => part.span,
                None => line.text.len()..line.text.len(),
            },
        };
        out.open("span").class("row__sign").attr("aria-hidden", "true").text(mark);
        out.open("span").class(class).body(|out| {
            if !word.is_empty() {
                out.span("visually-hidden", word);
            }
            let all = [Piece { span: 0..line.text.len(), is_changed: false }];
            let pieces = if pieces.is_empty() { all.as_slice() } else { pieces };
            for piece in pieces {
                let (start, end) =
                    (piece.span.start.max(shown.start), piece.span.end.min(shown.end));
                let text = line.text.get(start..end.max(start)).unwrap_or_default();
                match piece.is_changed && !text.is_empty() {
                    true => out.open(name).class("word").body(|out| self.text(out, text)),
                    false => self.text(out, text),
                }
            }
            if self.form.shows_blanks && shown.end == line.text.len() {
                let end = match line.end {
                    "" => "no line end",
                    "\r\n" => "CR LF",
                    _ => return,
                };
                marks::sign(out, end);
            }
        });
    }

    fn text(&self, out: &mut Markup, text: &str) {
        marks::text(out, text, self.form.shows_blanks);
    }
}
