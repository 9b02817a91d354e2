//! What the lines of a failure text are: pytest's reports and Python's tracebacks.

use std::ops::Range;

/// What a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::reading) enum FailureLine {
    /// Anything else.
    Plain,
    /// What went wrong: `E   assert 1 == 2`.
    Error,
    /// Where the code stopped: `>       assert f() == 2`.
    Current,
    /// A place in a file; where in the line `file:line` stands, and what follows it.
    Place(Range<usize>),
    /// The head of a part: `----- Captured stdout call -----`, `_____ test_x _____`; its title.
    Section(Range<usize>),
}

/// Lines longer than this are no places and no heads.
const MAX_LINE: usize = 2_000;

/// What `line` is.
pub(in crate::reading) fn failure_line(line: &str) -> FailureLine {
    if line == "E" || line.starts_with("E  ") {
        return FailureLine::Error;
    }
    if line == ">" || line.starts_with(">  ") {
        return FailureLine::Current;
    }
    if line.len() > MAX_LINE {
        return FailureLine::Plain;
    }
    if let Some(title) = section(line) {
        return FailureLine::Section(title);
    }
    place(line).or_else(|| frame(line)).map_or(FailureLine::Plain, FailureLine::Place)
}

/// Whether `text` has the look of a failure, judged by its beginning.
pub(in crate::reading) fn is_failure_text(text: &str) -> bool {
    let head = text.get(..text.floor_char_boundary(64_000)).unwrap_or_default();
    head.contains("Traceback (most recent call last)")
        || head.lines().any(|line| line.starts_with("E   "))
}

/// The title between two runs of the same sign.
fn section(line: &str) -> Option<Range<usize>> {
    let sign = line.chars().next().filter(|sign| matches!(sign, '-' | '=' | '_'))?;
    let inner = line.trim_end().trim_matches(sign);
    let n_before = line.find(inner).filter(|_| !inner.is_empty())?;
    let is_framed = n_before >= 3 && line.trim_end().ends_with(sign);
    let title = inner.trim();
    let start = n_before + inner.find(title)?;
    (is_framed && inner.starts_with(' ') && inner.ends_with(' ') && !title.is_empty())
        .then_some(start..start + title.len())
}

/// `path/file.py:12: AssertionError` or `path/file.py:12:`.
fn place(line: &str) -> Option<Range<usize>> {
    let (path, rest) = line.split_once(':')?;
    // `C:\file.py:12: …`
    let (path_len, rest) = match rest.strip_prefix('\\') {
        Some(_) if path.len() == 1 => {
            let (inner, after) = rest.split_once(':')?;
            (path.len() + 1 + inner.len(), after)
        }
        _ => (path.len(), rest),
    };
    let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let path = line.get(..path_len)?;
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let is_path = !path.starts_with(char::is_whitespace)
        && !path.contains("://")
        && name.contains('.')
        && !name.ends_with('.');
    let is_place = (1..=9).contains(&n_digits)
        && (rest.len() == n_digits || rest.get(n_digits..)?.starts_with(':'));
    (is_path && is_place).then_some(0..path_len + 1 + n_digits)
}

/// `  File "path/file.py", line 12, in f`
fn frame(line: &str) -> Option<Range<usize>> {
    let inner = line.trim_start();
    let start = line.len() - inner.len();
    let (_, rest) = inner.strip_prefix("File \"")?.split_once("\", line ")?;
    let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (n_digits > 0).then(|| start..line.len() - rest.len() + n_digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place_of(line: &str) -> Option<&str> {
        match failure_line(line) {
            FailureLine::Place(span) => Some(&line[span]),
            _ => None,
        }
    }

    #[test]
    fn a_file_and_line_are_found_in_a_traceback_line() {
        assert_eq!(place_of("tests/test_a.py:12: AssertionError"), Some("tests/test_a.py:12"));
        assert_eq!(place_of("conftest.py:7:"), Some("conftest.py:7"));
        assert_eq!(place_of("C:\\x\\a.py:3: E"), Some("C:\\x\\a.py:3"));
        assert_eq!(
            place_of("  File \"/a b/c.py\", line 40, in f"),
            Some("File \"/a b/c.py\", line 40")
        );
        for line in ["note: 3", "https://a.b:80/x", "a.b: 3", "ends.:3", "12:30: late", " x.py:1:"]
        {
            assert_eq!(place_of(line), None, "{line}");
        }
    }

    #[test]
    fn heads_and_errors_are_found() {
        let title = |line: &str| match failure_line(line) {
            FailureLine::Section(span) => line[span].to_owned(),
            other => panic!("{line}: {other:?}"),
        };
        let line =
            "----------------------------- Captured stdout call -----------------------------";
        assert_eq!(title(line), "Captured stdout call");
        assert_eq!(title("_______ test_x[a-b] _______"), "test_x[a-b]");
        assert_eq!(failure_line("E   assert 1 == 2"), FailureLine::Error);
        assert_eq!(failure_line(">       assert f()"), FailureLine::Current);
        for line in ["-----", "--- a", "E", "Error", "> quoted", "- - -", "_ _ _ _ _"] {
            let found = failure_line(line);
            assert!(!matches!(found, FailureLine::Section(_)), "{line}: {found:?}");
        }
        assert_eq!(failure_line("Error"), FailureLine::Plain);
    }

    proptest! {
        #[test]
        fn no_line_is_cut_within_a_letter(line in "[-=_E> é:/.\"0-9]{0,40}|.{0,80}") {
            if let FailureLine::Place(span) | FailureLine::Section(span) = failure_line(&line) {
                prop_assert!(line.get(span).is_some());
            }
        }
    }
}
