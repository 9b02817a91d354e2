//! Two texts as a unified diff, `-` expected, `+` actual.
//!
//! Only one of the library's algorithms is named, so that the others do not become part of the worker.

use similar::algorithms::{Capture, Replace, myers};
use similar::{ChangeTag, DiffOp, Instant, group_diff_ops};
use std::fmt::Write as _;
use std::ops::Range;
use std::time::Duration;

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// After this long a difference is approximated.
const TIME: Duration = Duration::from_millis(500);

/// The unified diff by lines; empty when the texts are equal.
pub(super) fn unified_diff(expected: &str, actual: &str) -> String {
    let old: Vec<&str> = expected.split_inclusive('\n').collect();
    let new: Vec<&str> = actual.split_inclusive('\n').collect();
    let mut hook = Replace::new(Capture::new());
    let (n_old, n_new) = (old.len(), new.len());
    // It fails only when its hook does, and this one does not.
    let _ = myers::diff_deadline(
        &mut hook,
        &old,
        0..n_old,
        &new,
        0..n_new,
        Instant::now().checked_add(TIME),
    );
    let mut out = String::new();
    for group in group_diff_ops(hook.into_inner().into_ops(), CONTEXT) {
        write_hunk(&mut out, &group, &old, &new);
    }
    out
}

/// One hunk: its head, then its lines. Writing into a `String` cannot fail.
fn write_hunk(out: &mut String, ops: &[DiffOp], old: &[&str], new: &[&str]) {
    let (Some(first), Some(last)) = (ops.first(), ops.last()) else { return };
    let old_lines = first.old_range().start..last.old_range().end;
    let new_lines = first.new_range().start..last.new_range().end;
    let _ = writeln!(out, "@@ -{} +{} @@", head(&old_lines), head(&new_lines));
    for op in ops {
        for change in op.iter_changes(old, new) {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            let line = change.value();
            let _ = write!(out, "{sign}{line}");
            if !line.ends_with('\n') {
                out.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
}

/// A range of lines as heads of hunks write it: 1-based start and, unless it is 1, length.
fn head(lines: &Range<usize>) -> String {
    match lines.len() {
        1 => (lines.start + 1).to_string(),
        0 => format!("{},0", lines.start),
        n_lines => format!("{},{n_lines}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::unified_diff;

    #[test]
    fn a_changed_line_stands_between_its_context() {
        let diff = unified_diff("a\nb\nc\nd\ne\n", "a\nb\nx\nd\ne\n");
        assert_eq!(diff, "@@ -1,5 +1,5 @@\n a\n b\n-c\n+x\n d\n e\n");
    }

    #[test]
    fn ends_without_newline_say_so_and_equal_texts_differ_in_nothing() {
        let diff = unified_diff("a", "b");
        let end = "\n\\ No newline at end of file\n";
        assert_eq!(diff, format!("@@ -1 +1 @@\n-a{end}+b{end}"));
        assert_eq!(unified_diff("a\n", "a\n"), "");
        assert_eq!(unified_diff("", "a\n"), "@@ -0,0 +1 @@\n+a\n");
    }
}
