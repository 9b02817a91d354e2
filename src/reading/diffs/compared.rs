//! Two texts compared, ready to be drawn row by row.

use crate::reading::form::DiffForm;
use crate::reading::read::Reading;
use crate::reading::texts::rows::parts;
use crate::reading::texts::text_id::TextPair;
use crate::report::diff::{Arrangement, DiffRow, FoldedRow, RowKind, folded, line_diff, rows};
use crate::report::json_doc::indented;
use std::cell::OnceCell;
use std::ops::Range;

/// Columns of a row: one column of text, two columns.
const COLUMNS: usize = 1_000;
const SIDE_COLUMNS: usize = 120;

/// Two texts and how they differ.
pub(in crate::reading) struct ComparedTexts {
    old: TextSide,
    new: TextSide,
    /// Lines only in the expected text.
    pub n_removed: usize,
    /// Lines only in the actual text.
    pub n_added: usize,
    /// The time was over before the shortest description was found.
    pub is_rough: bool,
    /// Whether both are JSON, indented so that their lines can be compared.
    pub is_indented: bool,
    /// Whether the texts differ in nothing but white space.
    pub is_blank_only: bool,
    /// All rows.
    pub rows: Vec<DiffRow>,
    /// The rows with unchanged ones folded.
    pub folded: Vec<FoldedRow>,
    arrangement: Arrangement,
    view_whole: OnceCell<Vec<ViewRow>>,
    view_folded: OnceCell<Vec<ViewRow>>,
}

/// One of the two texts.
struct TextSide {
    text: String,
    /// Its lines with their ends.
    lines: Vec<Range<usize>>,
}

/// A row of a view whose rows are of bounded length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::reading) enum ViewRow {
    /// A part of a row.
    Part {
        /// The row.
        row: usize,
        /// Which part of its lines.
        part: usize,
    },
    /// Unchanged rows that are folded away.
    Fold(Range<usize>),
}

/// What a row shows of one side.
pub(in crate::reading) struct LineView<'a> {
    /// The line, 0-based.
    pub number: usize,
    /// The line without its end.
    pub text: &'a str,
    /// Its end: nothing, `\n`, `\r\n`.
    pub end: &'a str,
}

impl ComparedTexts {
    /// Compares the texts of `pair`; `None` when one of them is not there.
    pub(in crate::reading) fn new(
        reading: &Reading,
        pair: &TextPair,
        form: DiffForm,
    ) -> Option<Self> {
        let (old, new) = (reading.text(&pair.old)?, reading.text(&pair.new)?);
        let is_indented = !form.is_written
            && reading.doc(&pair.old).is_some()
            && reading.doc(&pair.new).is_some();
        let side = |text: &str| {
            let text = if is_indented { indented(text) } else { text.to_owned() };
            let mut end = 0;
            let lines = text.split_inclusive('\n').map(|line| {
                end += line.len();
                end - line.len()..end
            });
            let lines = lines.collect();
            TextSide { text, lines }
        };
        let (old, new) = (side(&old), side(&new));
        let (old_lines, new_lines) = (old.all(), new.all());
        let diff = line_diff(&old_lines, &new_lines);
        let rows = rows(&diff, &old_lines, &new_lines, form.arrangement);
        let is_changed = diff.n_removed + diff.n_added > 0;
        let is_blank_only = is_changed && without_blanks(&old.text).eq(without_blanks(&new.text));
        Some(Self {
            n_removed: diff.n_removed,
            n_added: diff.n_added,
            is_rough: diff.is_rough,
            is_indented,
            is_blank_only,
            folded: folded(&rows),
            rows,
            arrangement: form.arrangement,
            view_whole: OnceCell::new(),
            view_folded: OnceCell::new(),
            old,
            new,
        })
    }

    /// The expected line of `row`, when it shows one.
    pub(in crate::reading) fn old_line(&self, row: &DiffRow) -> Option<LineView<'_>> {
        self.old.line(row.old.filter(|_| row.kind != RowKind::Added)?)
    }

    /// The actual line of `row`, when it shows one.
    pub(in crate::reading) fn new_line(&self, row: &DiffRow) -> Option<LineView<'_>> {
        self.new.line(row.new.filter(|_| row.kind != RowKind::Removed)?)
    }

    /// Both lines of a changed pair, of which the row may show one.
    pub(in crate::reading) fn changed(&self, row: &DiffRow) -> Option<(&str, &str)> {
        let is_changed = row.kind != RowKind::Same;
        let old = self.old.line(row.old.filter(|_| is_changed)?)?;
        let new = self.new.line(row.new?)?;
        Some((old.text, new.text))
    }

    /// The rows of a view, with unchanged ones folded or whole.
    pub(in crate::reading) fn view(&self, is_whole: bool) -> &[ViewRow] {
        if is_whole {
            return self.view_whole.get_or_init(|| {
                (0..self.rows.len()).flat_map(|row| self.view_rows(row)).collect()
            });
        }
        self.view_folded.get_or_init(|| {
            let mut out = Vec::with_capacity(self.folded.len());
            for part in &self.folded {
                match part {
                    FoldedRow::Row(row) => out.extend(self.view_rows(*row)),
                    FoldedRow::Fold(range) => out.push(ViewRow::Fold(range.clone())),
                }
            }
            out
        })
    }

    fn view_rows(&self, row: usize) -> impl Iterator<Item = ViewRow> {
        let limit = columns(self.arrangement);
        let n_parts = self.rows.get(row).map_or(1, |found| self.n_parts(found, limit));
        (0..n_parts).map(move |part| ViewRow::Part { row, part })
    }

    fn n_parts(&self, row: &DiffRow, limit: usize) -> usize {
        let shown = [self.old_line(row), self.new_line(row)];
        let n_parts = |line: LineView<'_>| match line.text.len() <= limit {
            true => 1,
            false => parts(line.text, limit).count(),
        };
        shown.into_iter().flatten().map(n_parts).max().unwrap_or(1)
    }

    /// Bytes of the lines that the folded rows show.
    pub(in crate::reading) fn n_shown_bytes(&self) -> usize {
        let rows = self.folded.iter().filter_map(|part| match part {
            FoldedRow::Row(row) => self.rows.get(*row),
            FoldedRow::Fold(_) => None,
        });
        rows.map(|row| {
            let shown = [self.old_line(row), self.new_line(row)];
            shown.into_iter().flatten().map(|line| line.text.len()).sum::<usize>()
        })
        .sum()
    }
}

/// Columns of a row.
pub(in crate::reading) fn columns(arrangement: Arrangement) -> usize {
    match arrangement {
        Arrangement::Unified => COLUMNS,
        Arrangement::SideBySide => SIDE_COLUMNS,
    }
}

impl TextSide {
    fn all(&self) -> Vec<&str> {
        self.lines.iter().map(|span| self.text.get(span.clone()).unwrap_or_default()).collect()
    }

    fn line(&self, number: usize) -> Option<LineView<'_>> {
        let whole = self.text.get(self.lines.get(number)?.clone())?;
        let text = whole.strip_suffix('\n').unwrap_or(whole);
        let text = text.strip_suffix('\r').unwrap_or(text);
        Some(LineView { number, text, end: whole.get(text.len()..).unwrap_or_default() })
    }
}

fn without_blanks(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|letter| !letter.is_whitespace())
}
