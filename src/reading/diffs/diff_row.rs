//! One row of a difference: numbers, signs, and the line with its changed words set apart.

use crate::format;
use crate::reading::diffs::compared::{ComparedTexts, LineView, columns};
use crate::reading::diffs::plain_diff::{DiffLine, DiffRowShown, DiffSign, Ink, LetterRun};
use crate::reading::form::DiffForm;
use crate::reading::texts::rows::parts;
use crate::reading::texts::visible_space;
use crate::report::diff::{Arrangement, DiffRow, RowKind, WordPiece, word_pieces};
use crate::words::reading as words;

/// One row, or one part of a row that is too long for one.
pub(in crate::reading) fn shown(
    compared: &ComparedTexts,
    row: &DiffRow,
    part: Option<usize>,
    form: DiffForm,
) -> DiffRowShown {
    let pieces = compared.changed(row).map(|(old, new)| word_pieces(old, new)).unwrap_or_default();
    let shown = Shown { part, form };
    let (old, new) = (compared.old_line(row), compared.new_line(row));
    let sign = match row.kind {
        RowKind::Same | RowKind::Changed => DiffSign::Same,
        RowKind::Removed => DiffSign::Removed,
        RowKind::Added => DiffSign::Added,
    };
    let lines = match (form.arrangement, sign) {
        (Arrangement::Unified, DiffSign::Removed) => {
            vec![shown.line(sign, old.as_ref(), &pieces.0)]
        }
        (Arrangement::Unified, DiffSign::Added) => vec![shown.line(sign, new.as_ref(), &pieces.1)],
        (Arrangement::Unified, DiffSign::Same) => vec![shown.line(sign, new.as_ref(), &[])],
        (Arrangement::SideBySide, _) => {
            let (left, right) = match row.kind {
                RowKind::Same => (DiffSign::Same, DiffSign::Same),
                _ => (DiffSign::Removed, DiffSign::Added),
            };
            vec![
                shown.line(left, old.as_ref(), &pieces.0),
                shown.line(right, new.as_ref(), &pieces.1),
            ]
        }
    };
    let numbers = [old, new].map(|line| shown.number(line.as_ref()));
    DiffRowShown { sign, numbers, lines }
}

/// What a row shows of its lines.
struct Shown {
    part: Option<usize>,
    form: DiffForm,
}

impl Shown {
    fn number(&self, line: Option<&LineView<'_>>) -> String {
        line.map_or(String::new(), |line| match self.part {
            None | Some(0) => format::count(line.number as u64 + 1),
            Some(_) => "↪".to_owned(),
        })
    }

    fn line(
        &self,
        sign: DiffSign,
        line: Option<&LineView<'_>>,
        pieces: &[WordPiece],
    ) -> Option<DiffLine> {
        let line = line?;
        let limit = columns(self.form.arrangement);
        let shown = match self.part {
            None => 0..line.text.len(),
            Some(part) => match parts(line.text, limit).nth(part) {
                Some(part) => part.span,
                // The line of the other side goes on, this one has ended.
                None => line.text.len()..line.text.len(),
            },
        };
        let all = [WordPiece { span: 0..line.text.len(), is_changed: false }];
        let pieces = if pieces.is_empty() { all.as_slice() } else { pieces };
        let shows_blanks = self.form.shows_blanks;
        let mut runs = Vec::new();
        for piece in pieces {
            let (start, end) = (piece.span.start.max(shown.start), piece.span.end.min(shown.end));
            let text = line.text.get(start..end.max(start)).unwrap_or_default();
            visible_space::text(&mut runs, text, piece.is_changed, shows_blanks);
        }
        let end = match line.end {
            "" => words::NO_LINE_END,
            "\r\n" => words::CR_LF,
            _ => "",
        };
        if shows_blanks && shown.end == line.text.len() && !end.is_empty() {
            runs.push(LetterRun { is_changed: false, ink: Ink::Sign, text: end.to_owned() });
        }
        Some(DiffLine { sign, runs })
    }
}
