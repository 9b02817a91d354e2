//! Unified diffs as text: those that files hold, and one of two texts for copying.

use super::lines::{DiffBlock, line_diff};
use super::rows::{Arrangement, DiffRow, FoldedRow, RowKind, folded, rows};
use std::fmt::Write as _;

/// What a line of a unified diff is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnifiedKind {
    /// On both sides.
    Same,
    /// Only on the expected side (`-`).
    Removed,
    /// Only on the actual side (`+`).
    Added,
    /// Where the next lines lie (`@@`), or a hint (`?`).
    Hunk,
}

/// One line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnifiedLine<'a> {
    /// What it is.
    pub kind: UnifiedKind,
    /// The text without its sign.
    pub text: &'a str,
}

/// The lines of `diff`; the `---` and `+++` headings, which name files that do not exist, are left out.
pub fn unified_lines(diff: &str) -> impl Iterator<Item = UnifiedLine<'_>> {
    let mut is_heading = true;
    diff.lines().filter_map(move |line| {
        if is_heading && (line.starts_with("--- ") || line.starts_with("+++ ")) {
            return None;
        }
        is_heading = false;
        Some(unified_line(line))
    })
}

fn unified_line(line: &str) -> UnifiedLine<'_> {
    let kind = match line.bytes().next() {
        Some(b'-') => UnifiedKind::Removed,
        Some(b'+') => UnifiedKind::Added,
        Some(b'@') if line.starts_with("@@") => {
            return UnifiedLine { kind: UnifiedKind::Hunk, text: line };
        }
        Some(b'?') if line.starts_with("? ") => UnifiedKind::Hunk,
        Some(b' ') => UnifiedKind::Same,
        _ => return UnifiedLine { kind: UnifiedKind::Same, text: line },
    };
    UnifiedLine { kind, text: line.get(1..).unwrap_or_default() }
}

/// The unified diff of two texts by lines; empty when they are equal.
pub fn unified_text(expected: &str, actual: &str) -> String {
    let old: Vec<&str> = expected.split_inclusive('\n').collect();
    let new: Vec<&str> = actual.split_inclusive('\n').collect();
    let diff = line_diff(&old, &new);
    if !diff.blocks.iter().any(|block| matches!(block, DiffBlock::Changed { .. })) {
        return String::new();
    }
    let rows = rows(&diff, &old, &new, Arrangement::Unified);
    let mut out = String::new();
    let mut hunk: Vec<DiffRow> = Vec::new();
    let mut before = (0, 0);
    for part in folded(&rows) {
        match part {
            FoldedRow::Row(at) => hunk.extend(rows.get(at)),
            FoldedRow::Fold(folded) => {
                let n_folded = folded.len();
                let (n_old, n_new) = write_hunk(&mut out, &hunk, before, &old, &new);
                before = (before.0 + n_old + n_folded, before.1 + n_new + n_folded);
                hunk.clear();
            }
        }
    }
    write_hunk(&mut out, &hunk, before, &old, &new);
    out
}

/// One hunk after `before` lines of both sides: its head, then its lines. Gives how many lines of
/// each side it has. Writing into a `String` cannot fail.
fn write_hunk(
    out: &mut String,
    hunk: &[DiffRow],
    before: (usize, usize),
    old: &[&str],
    new: &[&str],
) -> (usize, usize) {
    let n_old = hunk.iter().filter(|row| row.kind != RowKind::Added).count();
    let n_new = hunk.iter().filter(|row| row.kind != RowKind::Removed).count();
    if hunk.is_empty() {
        return (0, 0);
    }
    let _ = writeln!(out, "@@ -{} +{} @@", head(before.0, n_old), head(before.1, n_new));
    for row in hunk {
        let (sign, line) = match row.kind {
            RowKind::Same | RowKind::Changed => (' ', row.old.and_then(|at| old.get(at))),
            RowKind::Removed => ('-', row.old.and_then(|at| old.get(at))),
            RowKind::Added => ('+', row.new.and_then(|at| new.get(at))),
        };
        let line = line.copied().unwrap_or_default();
        let _ = write!(out, "{sign}{line}");
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
    (n_old, n_new)
}

/// A range of lines as heads of hunks write it: 1-based start and, unless it is 1, length.
fn head(start: usize, n_lines: usize) -> String {
    match n_lines {
        1 => (start + 1).to_string(),
        0 => format!("{start},0"),
        _ => format!("{},{n_lines}", start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_changed_line_stands_between_its_context() {
        let diff = unified_text("a\nb\nc\nd\ne\n", "a\nb\nx\nd\ne\n");
        assert_eq!(diff, "@@ -1,5 +1,5 @@\n a\n b\n-c\n+x\n d\n e\n");
    }

    #[test]
    fn hunks_say_where_they_lie() {
        let numbered = |changed: [usize; 2]| -> String {
            let line = |n: usize| {
                if changed.contains(&n) { format!("new {n}\n") } else { format!("line {n}\n") }
            };
            (1..=40).map(line).collect()
        };
        let diff = unified_text(&numbered([0, 0]), &numbered([5, 30]));
        let heads: Vec<&str> = diff.lines().filter(|line| line.starts_with("@@")).collect();
        assert_eq!(heads, ["@@ -1,8 +1,8 @@", "@@ -27,7 +27,7 @@"]);
    }

    #[test]
    fn ends_without_newline_say_so_and_equal_texts_differ_in_nothing() {
        let diff = unified_text("a", "b");
        let end = "\n\\ No newline at end of file\n";
        assert_eq!(diff, format!("@@ -1 +1 @@\n-a{end}+b{end}"));
        assert_eq!(unified_text("a\n", "a\n"), "");
        assert_eq!(unified_text("", "a\n"), "@@ -0,0 +1 @@\n+a\n");
    }

    #[test]
    fn each_line_of_a_files_diff_has_a_kind_and_loses_its_sign() {
        let diff =
            "--- expected\n+++ actual\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n--- not a heading\nbare";
        let found: Vec<_> = unified_lines(diff).map(|line| (line.kind, line.text)).collect();
        assert_eq!(
            found,
            [
                (UnifiedKind::Hunk, "@@ -1,2 +1,2 @@"),
                (UnifiedKind::Same, "same"),
                (UnifiedKind::Removed, "old"),
                (UnifiedKind::Added, "new"),
                (UnifiedKind::Removed, "-- not a heading"),
                (UnifiedKind::Same, "bare"),
            ]
        );
    }

    /// What a program that applies patches would make of `old`.
    fn applied(old: &str, diff: &str) -> String {
        let mut old = old.split_inclusive('\n');
        let mut out = String::new();
        let mut n_taken = 0;
        let mut lines = diff.split_inclusive('\n').peekable();
        while let Some(line) = lines.next() {
            if let Some(rest) = line.strip_prefix("@@ -") {
                let (start, len) = rest.split_once(" +").unwrap().0.split_once(',').map_or_else(
                    || (rest.split(' ').next().unwrap().parse::<usize>().unwrap(), 1),
                    |(start, len)| (start.parse().unwrap(), len.parse().unwrap()),
                );
                let goal = if len == 0 { start } else { start - 1 };
                while n_taken < goal {
                    out.push_str(old.next().unwrap());
                    n_taken += 1;
                }
                continue;
            }
            let is_cut = lines.next_if(|next| next.starts_with('\\')).is_some();
            let (sign, text) = line.split_at(1);
            let text = if is_cut { text.strip_suffix('\n').unwrap() } else { text };
            if sign != "+" {
                assert_eq!(old.next(), Some(text), "the diff names what is there");
                n_taken += 1;
            }
            if sign != "-" {
                out.push_str(text);
            }
        }
        out.extend(old);
        out
    }

    proptest! {
        #[test]
        fn the_diff_makes_actual_of_expected(
            old in "([ab]{0,2}\n){0,30}[ab]{0,2}", new in "([ab]{0,2}\n){0,30}[ab]{0,2}",
        ) {
            prop_assert_eq!(applied(&old, &unified_text(&old, &new)), new);
        }
    }
}
