//! Lines of a unified diff, by what they mean.

/// What a line of a diff is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffKind {
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
pub struct DiffLine<'a> {
    /// What it is.
    pub kind: DiffKind,
    /// The text without its sign.
    pub text: &'a str,
}

/// The lines of `diff`; the `---` and `+++` headings, which name files that do not exist, are left out.
pub fn lines(diff: &str) -> impl Iterator<Item = DiffLine<'_>> {
    let mut is_heading = true;
    diff.lines().filter_map(move |line| {
        if is_heading && (line.starts_with("--- ") || line.starts_with("+++ ")) {
            return None;
        }
        is_heading = false;
        Some(diff_line(line))
    })
}

fn diff_line(line: &str) -> DiffLine<'_> {
    let kind = match line.bytes().next() {
        Some(b'-') => DiffKind::Removed,
        Some(b'+') => DiffKind::Added,
        Some(b'@') if line.starts_with("@@") => {
            return DiffLine { kind: DiffKind::Hunk, text: line };
        }
        Some(b'?') if line.starts_with("? ") => DiffKind::Hunk,
        Some(b' ') => DiffKind::Same,
        _ => return DiffLine { kind: DiffKind::Same, text: line },
    };
    DiffLine { kind, text: line.get(1..).unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_has_a_kind_and_loses_its_sign() {
        let diff =
            "--- expected\n+++ actual\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n--- not a heading\nbare";
        let found: Vec<_> = lines(diff).map(|line| (line.kind, line.text)).collect();
        assert_eq!(
            found,
            [
                (DiffKind::Hunk, "@@ -1,2 +1,2 @@"),
                (DiffKind::Same, "same"),
                (DiffKind::Removed, "old"),
                (DiffKind::Added, "new"),
                (DiffKind::Removed, "-- not a heading"),
                (DiffKind::Same, "bare"),
            ]
        );
    }
}
