//! A text as rows of bounded length, so that any part of it can be drawn by itself.

use std::ops::Range;

/// Columns that one row has at most.
pub(in crate::reading) const ROW_COLUMNS: usize = 1_000;

/// The rows of a text. Together they are the text without its line ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::reading) struct TextRows {
    rows: Vec<TextRow>,
    /// Lines of the text.
    pub n_lines: usize,
    /// Columns of the longest row.
    pub n_columns: usize,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::reading) struct TextRow {
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
    /// Its line, 0-based.
    pub line: usize,
    /// Where the line begins, in bytes: before the row when the line goes on in it.
    pub line_start: usize,
}

impl TextRow {
    /// Whether the line began in a row before.
    pub(in crate::reading) fn is_continued(&self) -> bool {
        self.line_start < self.span.start
    }
}

impl TextRows {
    /// The rows of `text`. A line end is `\n`, `\r\n` or `\r`; the last line need not have one.
    pub(in crate::reading) fn new(text: &str) -> Self {
        let mut lines = Self { rows: Vec::new(), n_lines: 0, n_columns: 0 };
        for (line, span) in line_spans(text).enumerate() {
            lines.n_lines = line + 1;
            let body = text.get(span.clone()).unwrap_or_default();
            for part in parts(body, ROW_COLUMNS) {
                lines.n_columns = lines.n_columns.max(part.n_columns);
                lines.rows.push(TextRow {
                    span: span.start + part.span.start..span.start + part.span.end,
                    line,
                    line_start: span.start,
                });
            }
        }
        lines
    }

    /// Number of rows.
    pub(in crate::reading) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Rows of `range`, as far as there are any.
    pub(in crate::reading) fn range(&self, range: Range<usize>) -> &[TextRow] {
        let end = range.end.min(self.rows.len());
        self.rows.get(range.start.min(end)..end).unwrap_or_default()
    }
}

/// The lines of `text`, without their ends.
pub(in crate::reading) fn line_spans(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let start = at;
        match rest.find(['\n', '\r']) {
            Some(len) => {
                let is_pair = rest.get(len..).is_some_and(|end| end.starts_with("\r\n"));
                at += len + if is_pair { 2 } else { 1 };
                Some(start..start + len)
            }
            None => {
                at = text.len();
                Some(start..at)
            }
        }
    })
}

/// A part of a line.
pub(in crate::reading) struct LinePart {
    /// Where, in bytes of the line.
    pub span: Range<usize>,
    /// How wide it is.
    pub n_columns: usize,
}

/// `line` in parts of at most `limit` columns; an empty line is one empty part. A sign that changes
/// the one before it stays with it.
pub(in crate::reading) fn parts(line: &str, limit: usize) -> impl Iterator<Item = LinePart> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let mut n_columns = 0;
        let mut is_joined = false;
        for (at, letter) in line.get(start..).unwrap_or_default().char_indices() {
            let width = columns(letter);
            let is_full = n_columns + width > limit && width > 0 && !is_joined;
            // Hostile text could stack signs without end.
            if at > 0 && (is_full || at > 8 * limit) {
                next = Some(start + at);
                return Some(LinePart { span: start..start + at, n_columns });
            }
            n_columns += width;
            is_joined = letter == '\u{200D}';
        }
        next = None;
        Some(LinePart { span: start..line.len(), n_columns })
    })
}

/// About how many columns of a monospaced font `letter` takes.
fn columns(letter: char) -> usize {
    match letter {
        '\t' => 4,
        ' '..='~' => 1,
        '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200F}' | '\u{FE00}'..='\u{FE0F}' => 0,
        '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}' => 2,
        '\u{F900}'..='\u{FAFF}' | '\u{FE30}'..='\u{FE6F}' | '\u{FF00}'..='\u{FF60}' => 2,
        '\u{1F300}'..='\u{1FAFF}' | '\u{20000}'..='\u{3FFFD}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn line_ends_are_those_of_every_system() {
        let text = "a\r\nb\rc\n\nd";
        let lines: Vec<&str> = line_spans(text).map(|span| &text[span]).collect();
        assert_eq!(lines, ["a", "b", "c", "", "d"]);
        assert_eq!(line_spans("").count(), 0);
        assert_eq!(line_spans("a\n").count(), 1);
    }

    #[test]
    fn long_lines_go_on_in_further_rows() {
        let text = format!("{}\nshort\n", "x".repeat(2_500));
        let lines = TextRows::new(&text);
        let found: Vec<(usize, usize, bool)> = lines
            .range(0..10)
            .iter()
            .map(|row| (row.line, row.span.len(), row.is_continued()))
            .collect();
        assert_eq!(found, [(0, 1_000, false), (0, 1_000, true), (0, 500, true), (1, 5, false)]);
        assert_eq!((lines.n_lines, lines.n_columns), (2, 1_000));
    }

    #[test]
    fn no_picture_is_cut_in_two() {
        let line = "👩‍👩‍👧".repeat(3);
        let texts: Vec<&str> = parts(&line, 3).map(|part| &line[part.span]).collect();
        assert_eq!(texts, ["👩‍👩‍👧"; 3]);
        let stacked = format!("a{}", "\u{301}".repeat(50_000));
        assert!(parts(&stacked, 100).count() > 50);
    }

    proptest! {
        #[test]
        fn rows_are_the_text_once(text in "[a\u{301}日👩\u{200D}\t\r\n]{0,60}", limit in 1_usize..9) {
            let mut rebuilt = String::new();
            for span in line_spans(&text) {
                for part in parts(&text[span.clone()], limit) {
                    rebuilt.push_str(&text[span.clone()][part.span]);
                }
            }
            prop_assert_eq!(rebuilt, text.replace(['\r', '\n'], ""));
        }
    }
}
