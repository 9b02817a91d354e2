//! The shape of a message: what is left of it when everything is masked that differs from case to
//! case: quoted text, numbers, paths, addresses, ids, times.
//!
//! One pass over the characters, each looked at a bounded number of times, so that hostile text costs no
//! more than its length. A message is text: nothing in it is followed, and what would colour it or turn
//! its direction is dropped.

mod spans;

use crate::words::report::shared as words;
use std::iter::Peekable;
use std::str::CharIndices;

/// Longest shape, in characters; what comes after is cut off.
const MAX_CHARS: usize = 160;

/// Letters that a piece of a shape needs to be worth looking for.
const MIN_LETTERS: usize = 8;

/// Characters of such a piece that are looked for.
const LITERAL_CHARS: usize = 60;

/// Ends of names of exceptions.
const EXCEPTION_ENDS: [&str; 8] =
    ["Error", "Exception", "Warning", "Interrupt", "Exit", "Timeout", "Failure", "Failed"];

/// Opening and closing quotation marks.
const QUOTES: [(char, char); 8] = [
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('“', '”'),
    ('‘', '’'),
    ('«', '»'),
    ('„', '“'),
    ('「', '」'),
];

/// The line of a message that says most.
///
/// Of pytest's report the last line marked `E` that names an exception or an assertion, of a traceback the
/// last line that starts with the name of an exception, else the first line that is not blank.
pub(super) fn salient_line(message: &str) -> &str {
    let (mut first, mut exception, mut marked, mut marked_exception) = (None, None, None, None);
    for line in message.lines() {
        let line = spans::without_escapes(line);
        match line.strip_prefix("E   ") {
            // Further lines of an explanation are marked as well, but indented.
            Some(told) if names_exception(told) || told.starts_with("assert ") => {
                marked_exception = Some(told);
            }
            Some(told) if marked.is_none() && !told.trim().is_empty() => marked = Some(told),
            Some(_) => {}
            None if names_exception(line) => exception = Some(line),
            None if first.is_none() && !line.trim().is_empty() => first = Some(line),
            None => {}
        }
    }
    marked_exception.or(marked).or(exception).or(first).unwrap_or_default().trim()
}

/// Whether a line starts with the name of an exception and a colon, or is nothing but that name.
fn names_exception(line: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let end = line.bytes().position(|byte| !is_name(byte)).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let last = name.rsplit('.').next().unwrap_or_default();
    (rest.is_empty() || rest.starts_with(':'))
        && last.starts_with(|c: char| c.is_ascii_uppercase())
        && EXCEPTION_ENDS.iter().any(|end| last.ends_with(end))
}

/// The shape of a line: `KeyError: ‹text› at ‹path›:‹n›`. Lists of equal masks become one, `‹n›…`.
/// Empty when nothing of the line can be seen.
pub(super) fn shape(line: &str) -> String {
    let mut masker = Masker { line, ..Masker::default() };
    while masker.n_chars < MAX_CHARS && masker.step() {}
    let mut out = masker.out;
    out.truncate(out.trim_end().len());
    if masker.at < line.len() {
        out.push('…');
    }
    out
}

/// A line as it stands, made fit to be shown as its shape is; `None` of one that is longer than a shape may be.
pub(super) fn unmasked(line: &str) -> Option<String> {
    let mut masker = Masker { line, is_off: true, ..Masker::default() };
    while masker.n_chars < MAX_CHARS && masker.step() {}
    masker.out.truncate(masker.out.trim_end().len());
    (masker.at == line.len()).then_some(masker.out)
}

/// The longest piece of a shape that stands in its messages as it is, or the start of it, when it is
/// long enough to be looked for.
pub(super) fn literal(shape: &str) -> Option<&str> {
    let after_mask = |piece: &str| piece.find('›').map_or(0, |at| at + '›'.len_utf8());
    let pieces = shape.split('‹').enumerate().flat_map(|(nth, piece)| {
        let from = if nth == 0 { 0 } else { after_mask(piece) };
        piece.get(from..).unwrap_or_default().split('…').map(str::trim)
    });
    let n_letters = |piece: &str| piece.chars().filter(|c| c.is_alphabetic()).count();
    let longer = |best, new| if n_letters(new) > n_letters(best) { new } else { best };
    let longest = pieces.reduce(longer).filter(|piece| n_letters(piece) >= MIN_LETTERS)?;
    let end = longest.char_indices().nth(LITERAL_CHARS).map_or(longest.len(), |(end, _)| end);
    longest.get(..end).map(str::trim_end)
}

/// Where the masking of a line stands.
#[derive(Default)]
struct Masker<'a> {
    line: &'a str,
    /// Whether nothing is masked.
    is_off: bool,
    /// Bytes that are done.
    at: usize,
    /// The character before `at`.
    before: Option<char>,
    /// Up to here no path that starts with its folder's name begins.
    named_until: usize,
    /// Up to here no other path begins.
    rooted_until: usize,
    /// By place in [`QUOTES`]: there is no closing mark any more.
    is_unclosed: [bool; QUOTES.len()],
    out: String,
    /// Characters of `out`.
    n_chars: usize,
}

impl<'a> Masker<'a> {
    /// Takes the next character, or what is masked as a whole; `false` at the end.
    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return false };
        if c.is_ascii_alphabetic() && self.before.is_some_and(spans::is_word) {
            // Most characters are these, and nothing that is masked starts with one.
            self.push(c);
            self.take(1);
        } else if let Some(len) = spans::escape_len(rest) {
            self.at += len;
        } else if c.is_whitespace() {
            if !self.out.is_empty() && !self.out.ends_with(' ') {
                self.push(' ');
            }
            self.take(c.len_utf8());
        } else if spans::is_invisible(c) {
            self.at += c.len_utf8();
        } else if let Some((len, mask)) = self.masked(c) {
            self.take(len);
            self.mask(mask);
        } else {
            self.push(c);
            self.take(c.len_utf8());
        }
        true
    }

    fn rest(&self) -> &'a str {
        self.line.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, len: usize) {
        let taken = self.rest().get(..len).unwrap_or_default();
        self.before = taken.chars().next_back().or(self.before);
        self.at += len;
    }

    fn push(&mut self, c: char) {
        self.out.push(c);
        self.n_chars += 1;
    }

    /// Writes the mask of what was taken last; the second of a list turns the first into `‹n›…`, further
    /// ones add nothing. The key of a map (`'a': 1`) is no member of a list.
    fn mask(&mut self, mask: &str) {
        let listed = self.out.strip_suffix(", ").or_else(|| self.out.strip_suffix(','));
        let is_key = self.rest().starts_with(':');
        let equal = listed.filter(|list| !is_key && list.trim_end_matches('…').ends_with(mask));
        if let Some(list) = equal {
            let (len, is_marked) = (list.len(), list.ends_with('…'));
            self.out.truncate(len);
            if !is_marked {
                self.out.push('…');
            }
            self.n_chars = self.out.chars().count();
        } else {
            self.out.push_str(mask);
            self.n_chars += mask.chars().count();
        }
    }

    /// Bytes and mask of what starts here with `c`, when it is to be masked.
    fn masked(&mut self, c: char) -> Option<(usize, &'static str)> {
        if self.is_off {
            return None;
        }
        if let Some(len) = self.quoted(c) {
            return Some((len, words::MASKED_TEXT));
        }
        let rest = self.rest();
        if self.before.is_some_and(spans::is_word) {
            return spans::digits_len(rest).map(|len| (len, words::MASKED_NUMBER));
        }
        spans::url_len(rest)
            .map(|len| (len, words::MASKED_URL))
            .or_else(|| self.path_len(rest).map(|len| (len, words::MASKED_PATH)))
            .or_else(|| spans::id_len(rest).map(|len| (len, words::MASKED_ID)))
            .or_else(|| spans::time_len(rest).map(|len| (len, words::MASKED_TIME)))
            .or_else(|| spans::number_len(rest).map(|len| (len, words::MASKED_NUMBER)))
    }

    /// Bytes of the quoted text that starts here, marks included.
    fn quoted(&mut self, c: char) -> Option<usize> {
        let kind = QUOTES.iter().position(|(open, _)| *open == c)?;
        let (_, close) = *QUOTES.get(kind)?;
        let is_unclosed = self.is_unclosed.get_mut(kind)?;
        if *is_unclosed || (c == '\'' && is_apostrophe(self.line, self.at)) {
            return None;
        }
        let mut inner = self.line.get(self.at + c.len_utf8()..)?.char_indices().peekable();
        let mut is_escaped = false;
        while let Some((at, found)) = inner.next() {
            if found == close && !is_escaped && !(close == '\'' && goes_on(&mut inner)) {
                return Some(c.len_utf8() + at + close.len_utf8());
            }
            is_escaped = found == '\\' && !is_escaped;
        }
        // No later mark of this kind finds an end either, so none looks for it again.
        *is_unclosed = true;
        None
    }

    /// Bytes of the path that starts here. No character is searched twice for one that is not there.
    fn path_len(&mut self, rest: &str) -> Option<usize> {
        if self.at >= self.rooted_until && !matches!(self.before, Some('<' | '/')) {
            match spans::rooted_path(rest) {
                Some((len, true)) => return Some(len),
                Some((len, false)) => self.rooted_until = self.at + len,
                None => {}
            }
        }
        if self.at < self.named_until {
            return None;
        }
        let (len, is_path) = spans::named_path(rest);
        self.named_until = self.at + len;
        is_path.then_some(len)
    }
}

/// Whether the `'` at `at` stands inside or behind a word (`don't`, `users'`), and so opens nothing. The
/// prefixes of Python's literals (`b'…'`, `rb'…'`) are no words.
fn is_apostrophe(line: &str, at: usize) -> bool {
    let before = line.get(..at).unwrap_or_default().chars().rev();
    let word: Vec<char> = before.take(3).take_while(|c| spans::is_word(*c)).collect();
    let is_prefix = |c: &char| matches!(c.to_ascii_lowercase(), 'b' | 'r' | 'u' | 'f');
    word.len() > 2 || !word.iter().all(is_prefix)
}

/// Whether a word goes on behind a mark: `'it's'` does not end in the middle.
fn goes_on(behind: &mut Peekable<CharIndices<'_>>) -> bool {
    behind.peek().is_some_and(|(_, next)| spans::is_word(*next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_case_to_case_is_masked() {
        for (line, expected) in [
            ("assert 3 == 4", "assert ‹n› == ‹n›"),
            ("assert -5 >= 1.5e-3", "assert ‹n› >= ‹n›"),
            ("KeyError: 'naïve café'", "KeyError: ‹text›"),
            ("no number in output: \"none\" or `x`", "no number in output: ‹text› or ‹text›"),
            ("cannot open /tmp/a b.txt: denied", "cannot open ‹path› b.txt: denied"),
            (r"cannot open C:\dir\x.txt.", "cannot open ‹path›."),
            ("tests/test_a.py:12: in f", "‹path›:‹n›: in f"),
            ("./x and ../y/z and ~/w", "‹path› and ‹path› and ‹path›"),
            ("GET https://a.example/x?y=1, again", "GET ‹url›, again"),
            ("job 58fa22f6-65d6-28ae-e9cc-77c324690d2f died", "job ‹id› died"),
            ("commit 0a1b2c3d4e at 0x7ffe", "commit ‹id› at ‹n›"),
            ("at 2026-01-15T09:30:33.5Z, 2026-01-15 or 09:30:33", "at ‹time›… or ‹time›"),
            ("case_12 of utf8 in 1.2.3", "case_‹n› of utf‹n› in ‹n›"),
            ("  tabs\t and\u{a0}  spaces ", "tabs and spaces"),
        ] {
            assert_eq!(shape(line), expected, "{line}");
        }
    }

    #[test]
    fn lists_of_any_length_have_one_shape() {
        assert_eq!(shape("[1, 2, 3] == [1,2]"), "[‹n›…] == [‹n›…]");
        assert_eq!(shape("['a', 'b'] and [1]"), "[‹text›…] and [‹n›]");
        assert_eq!(
            shape("{'a': 1, 'b': 'c', 'd': 2}"),
            "{‹text›: ‹n›, ‹text›: ‹text›, ‹text›: ‹n›}"
        );
    }

    #[test]
    fn apostrophes_quote_nothing() {
        assert_eq!(
            shape("I don't know the users' 'real name' here"),
            "I don't know the users' ‹text› here"
        );
        assert_eq!(shape("'it's here' != b'it' + rb'x'"), "‹text› != b‹text› + rb‹text›");
        assert_eq!(shape(r"'it\'s' and 'that\\'"), "‹text› and ‹text›");
    }

    #[test]
    fn marks_without_an_end_stay_and_hide_nothing() {
        assert_eq!(shape("expected \"a, got 5"), "expected \"a, got ‹n›");
        assert_eq!(shape("'a' and 'b 7"), "‹text› and 'b ‹n›");
        assert_eq!(shape("“open and «also"), "“open and «also");
        assert_eq!(shape("„so“ «auch» 「これ」"), "‹text› ‹text› ‹text›");
    }

    #[test]
    fn other_scripts_and_directions_stay_readable() {
        assert_eq!(shape("הבדיקה נכשלה: 42 במקום ٤٣"), "הבדיקה נכשלה: ‹n› במקום ‹n›");
        assert_eq!(shape("失敗しました：「値」が 3 です"), "失敗しました：‹text›が ‹n› です");
        assert_eq!(shape("a\u{202e}b\u{200b}c\u{1b}[31mred\u{1b}[0m\u{7}\0"), "abcred");
        assert_eq!(shape("👩‍🚀 failed 1×"), "👩‍🚀 failed ‹n›×");
    }

    #[test]
    fn slashes_alone_are_no_paths() {
        for line in ["and/or", "a / b", "//", "/", "x://", "</div>", "km/h", "./."] {
            assert_eq!(shape(line), line);
        }
        assert_eq!(shape("1/2"), "‹n›/‹n›");
    }

    #[test]
    fn a_shape_is_short_and_blank_ones_are_empty() {
        let long = shape(&"word ".repeat(100));
        assert_eq!(long.chars().count(), MAX_CHARS);
        assert!(long.ends_with("word…"), "{long}");
        assert_eq!(shape(&"7, ".repeat(10_000)), "‹n›…,");
        assert_eq!([shape(""), shape(" \t\u{200b}\u{7}")], ["", ""]);
    }

    #[test]
    fn hostile_lines_take_no_more_steps_than_letters() {
        for unit in [
            "'", "\"'`“", "./", "../", "a-", "/", "//", "\\", "'\\", "\u{1b}[", "0x", "1e", "«",
            "a/b.c,",
        ] {
            let line = unit.repeat(200_000 / unit.len());
            let mut masker = Masker { line: &line, ..Masker::default() };
            let mut n_steps = 0;
            while masker.step() {
                n_steps += 1;
            }
            assert!(n_steps <= line.chars().count(), "{unit:?} took {n_steps} steps");
            // A mask stands for a letter or more.
            assert!(masker.out.len() <= 8 * line.len(), "{unit:?}: {} bytes", masker.out.len());
        }
    }

    #[test]
    fn the_line_that_says_most_is_found() {
        for (message, expected) in [
            ("\n  \nfirst\nsecond", "first"),
            ("AssertionError: assert 3 == 4\n +  where 3 = f()", "AssertionError: assert 3 == 4"),
            (
                "def test():\n>   f()\nE   ValueError: one\nE     more\n\nE   TypeError: two\nE     - a\n\nx.py:3: TypeError",
                "TypeError: two",
            ),
            ("E       fixture 'db' not found\n>       available", "fixture 'db' not found"),
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'\n\nDuring\n\nmy.pkg.CustomError: y",
                "my.pkg.CustomError: y",
            ),
            ("prose first\nKeyboardInterrupt", "KeyboardInterrupt"),
            ("Note: not an exception\nother", "Note: not an exception"),
            ("\u{1b}[31mE   assert 1 == 2\u{1b}[0m", "assert 1 == 2\u{1b}[0m"),
            ("", ""),
        ] {
            assert_eq!(salient_line(message), expected, "{message}");
        }
    }

    #[test]
    fn the_literal_is_the_longest_piece_outside_masks() {
        assert_eq!(literal("KeyError: ‹text› in ‹path›"), Some("KeyError:"));
        assert_eq!(literal("‹n› of ‹n› did not match"), Some("did not match"));
        assert_eq!(["assert ‹n› == ‹n›", "", "‹‹ ›…"].map(literal), [None; 3]);
        assert_eq!(literal(&"abcdefghi ".repeat(9)).map(|found| found.chars().count()), Some(59));
    }
}
