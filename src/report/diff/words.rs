//! What differs inside two lines.

use super::lines::{Ids, compare};
use similar::DiffOp;
use std::ops::Range;

/// Lines with more words than this, both together, are compared by their common ends alone.
const MAX_WORDS: usize = 2_000;

/// A line of which less than this share is in the other one too has no words in common worth showing.
const MIN_SHARED: f64 = 0.2;

/// Words of at least so many bytes are compared letter by letter.
const MIN_LONG: usize = 8;

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordPiece {
    /// Where, in bytes.
    pub span: Range<usize>,
    /// Whether the other line does not have it.
    pub is_changed: bool,
}

/// The pieces of both lines. Put together, those of a line are the line.
pub fn word_pieces(old: &str, new: &str) -> (Vec<WordPiece>, Vec<WordPiece>) {
    let (old_words, new_words) = (words(old), words(new));
    if old_words.len() + new_words.len() > MAX_WORDS {
        return common_ends(old, new);
    }
    let mut ids = Ids::default();
    let (old_texts, new_texts) = (texts(old, &old_words), texts(new, &new_words));
    let (old_ids, new_ids) = (ids.of_all(&old_texts), ids.of_all(&new_texts));
    let ops = compare(&old_ids, &new_ids, None);
    let n_shared: usize = ops
        .iter()
        .filter(|op| matches!(op, DiffOp::Equal { .. }))
        .flat_map(|op| old_texts.get(op.old_range()).unwrap_or_default())
        .map(|word| word.trim().len())
        .sum();
    // Of a long word that was replaced by another one, what both begin and end with is shared.
    let inner = |op: &DiffOp| {
        let ([left], [right]) = (old_texts.get(op.old_range())?, new_texts.get(op.new_range())?)
        else {
            return None;
        };
        (!matches!(op, DiffOp::Equal { .. })).then(|| shared_ends(left, right)).flatten()
    };
    let n_inner: usize = ops.iter().filter_map(inner).map(|(start, end)| start + end).sum();
    let n_shared = n_shared + n_inner;
    let longest = old.trim().len().max(new.trim().len());
    if (n_shared as f64) < MIN_SHARED * longest as f64 {
        return (whole(old), whole(new));
    }
    let (mut old_pieces, mut new_pieces) = (Vec::new(), Vec::new());
    for op in ops {
        let is_changed = !matches!(op, DiffOp::Equal { .. });
        if let Some(ends) = inner(&op) {
            push_within(&mut old_pieces, &old_words, op.old_range(), ends);
            push_within(&mut new_pieces, &new_words, op.new_range(), ends);
            continue;
        }
        push(&mut old_pieces, &old_words, op.old_range(), is_changed);
        push(&mut new_pieces, &new_words, op.new_range(), is_changed);
    }
    (joined(old, old_pieces), joined(new, new_pieces))
}

/// Pieces with the blanks between two changed ones as changed as these: they stand for one change.
fn joined(line: &str, pieces: Vec<WordPiece>) -> Vec<WordPiece> {
    let mut out: Vec<WordPiece> = Vec::with_capacity(pieces.len());
    let mut pieces = pieces.into_iter().peekable();
    while let Some(mut piece) = pieces.next() {
        let is_blank = line.get(piece.span.clone()).is_some_and(|text| text.trim().is_empty());
        let is_between =
            out.last().is_some_and(|before| before.is_changed) && pieces.peek().is_some();
        piece.is_changed |= is_blank && is_between;
        match out.last_mut().filter(|before| before.is_changed == piece.is_changed) {
            Some(before) => before.span.end = piece.span.end,
            None => out.push(piece),
        }
    }
    out
}

fn texts<'a>(line: &'a str, words: &[Range<usize>]) -> Vec<&'a str> {
    words.iter().map(|word| line.get(word.clone()).unwrap_or_default()).collect()
}

/// The line as one piece that is not set apart from itself.
fn whole(line: &str) -> Vec<WordPiece> {
    if line.is_empty() {
        return Vec::new();
    }
    vec![WordPiece { span: 0..line.len(), is_changed: false }]
}

fn push(
    pieces: &mut Vec<WordPiece>,
    words: &[Range<usize>],
    found: Range<usize>,
    is_changed: bool,
) {
    let Some(words) = words.get(found) else { return };
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
    match pieces.last_mut().filter(|piece| piece.is_changed == is_changed) {
        Some(piece) => piece.span.end = last.end,
        None => pieces.push(WordPiece { span: first.start..last.end, is_changed }),
    }
}

/// Bytes that two long words begin with and end with alike, when that is at least half of the longer one.
fn shared_ends(old: &str, new: &str) -> Option<(usize, usize)> {
    let longest = old.len().max(new.len());
    if old.len().min(new.len()) < MIN_LONG {
        return None;
    }
    let (start, end) = n_ends(old, new);
    // No sign is parted from the one that it changes.
    let is_cut = |word: &str| {
        [start, word.len() - end].into_iter().any(|at| {
            let next = word.get(at..).and_then(|rest| rest.chars().next());
            next.is_some_and(|letter| class_of(letter) == LetterClass::Joined)
        })
    };
    let is_shared = 2 * (start + end) >= longest && start + end < longest;
    (is_shared && !is_cut(old) && !is_cut(new)).then_some((start, end))
}

/// A word of which what is between its ends is changed.
fn push_within(
    pieces: &mut Vec<WordPiece>,
    words: &[Range<usize>],
    found: Range<usize>,
    (n_start, n_end): (usize, usize),
) {
    let Some(word) = words.get(found.start) else { return };
    let middle = word.start + n_start..word.end - n_end;
    for (span, is_changed) in
        [(word.start..middle.start, false), (middle.clone(), true), (middle.end..word.end, false)]
    {
        if span.is_empty() {
            continue;
        }
        match pieces.last_mut().filter(|piece| piece.is_changed == is_changed) {
            Some(piece) => piece.span.end = span.end,
            None => pieces.push(WordPiece { span, is_changed }),
        }
    }
}

/// What both lines begin and end with is the same, all between is not.
fn common_ends(old: &str, new: &str) -> (Vec<WordPiece>, Vec<WordPiece>) {
    let (n_start, n_end) = n_ends(old, new);
    let pieces = |line: &str| {
        let middle = n_start..line.len() - n_end;
        [(0..middle.start, false), (middle.clone(), true), (middle.end..line.len(), false)]
            .into_iter()
            .filter(|(span, _)| !span.is_empty())
            .map(|(span, is_changed)| WordPiece { span, is_changed })
            .collect()
    };
    (pieces(old), pieces(new))
}

/// Bytes that two lines begin with alike, and bytes that the rest of them ends with alike.
fn n_ends(old: &str, new: &str) -> (usize, usize) {
    let n_start: usize = old
        .chars()
        .zip(new.chars())
        .take_while(|(left, right)| left == right)
        .map(|(letter, _)| letter.len_utf8())
        .sum();
    let n_end: usize = rest(old, n_start)
        .zip(rest(new, n_start))
        .take_while(|(left, right)| left == right)
        .map(|(letter, _)| letter.len_utf8())
        .sum();
    (n_start, n_end)
}

/// The letters from `start` on, from the last one backwards.
fn rest(line: &str, start: usize) -> impl Iterator<Item = char> {
    line.get(start..).unwrap_or_default().chars().rev()
}

/// Words, runs of blanks, single signs. A sign that changes the one before it stays with it.
pub(super) fn words(line: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut class = LetterClass::Sign;
    let mut is_joined = false;
    for (at, letter) in line.char_indices() {
        let end = at + letter.len_utf8();
        let next = class_of(letter);
        let goes_on = match next {
            LetterClass::Joined => true,
            LetterClass::Sign => false,
            LetterClass::Word | LetterClass::Blank => next == class,
        };
        match words.last_mut() {
            Some(word) if goes_on || is_joined => word.end = end,
            _ => words.push(at..end),
        }
        // What a zero-width joiner is followed by belongs to the same picture.
        is_joined = letter == '\u{200D}';
        if next != LetterClass::Joined {
            class = next;
        }
    }
    words
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LetterClass {
    Word,
    Blank,
    Sign,
    Joined,
}

fn class_of(letter: char) -> LetterClass {
    match letter {
        '\u{300}'..='\u{36F}'
        | '\u{200D}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{1F3FB}'..='\u{1F3FF}' => LetterClass::Joined,
        // Scripts without blanks between words: each letter is one.
        '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' => {
            LetterClass::Sign
        }
        '_' => LetterClass::Word,
        _ if letter.is_whitespace() => LetterClass::Blank,
        _ if letter.is_alphanumeric() => LetterClass::Word,
        _ => LetterClass::Sign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn marked(line: &str, pieces: &[WordPiece]) -> String {
        pieces
            .iter()
            .map(|piece| match (piece.is_changed, &line[piece.span.clone()]) {
                (true, text) => format!("[{text}]"),
                (false, text) => text.to_owned(),
            })
            .collect()
    }

    #[test]
    fn changed_words_are_set_apart() {
        let (old, new) = ("  total = sum(items, 0)", "  total = sum(values, 0)  ");
        let (left, right) = word_pieces(old, new);
        assert_eq!(marked(old, &left), "  total = sum([items], 0)");
        assert_eq!(marked(new, &right), "  total = sum([values], 0)[  ]");
    }

    #[test]
    fn blanks_between_changed_words_belong_to_the_change() {
        let (old, new) = ("the line is as it was", "the line is new & other");
        let (left, right) = word_pieces(old, new);
        assert_eq!(marked(old, &left), "the line is [as it was]");
        assert_eq!(marked(new, &right), "the line is [new & other]");
    }

    #[test]
    fn changed_letters_of_long_words_are_set_apart() {
        let (old, new) = ("id = refund_partial_2026", "id = refund_complete_2026");
        let (left, right) = word_pieces(old, new);
        assert_eq!(marked(old, &left), "id = refund_[partial]_2026");
        assert_eq!(marked(new, &right), "id = refund_[complete]_2026");
        let (old, new) = ("sha256abcdef0123456789", "sha256abcdef0123456788");
        let (left, _) = word_pieces(old, new);
        assert_eq!(marked(old, &left), "sha256abcdef012345678[9]");
        // Too little in common, and too short.
        let (left, _) = word_pieces("this is elephantine", "this is extravagant");
        assert_eq!(marked("this is elephantine", &left), "this is [elephantine]");
        let (left, _) = word_pieces("sum(items, 0)", "sum(item, 0)");
        assert_eq!(marked("sum(items, 0)", &left), "sum([items], 0)");
        let (old, new) = ("this is abcdefghe\u{301}z", "this is abcdefghe\u{300}z");
        let (left, _) = word_pieces(old, new);
        assert_eq!(marked(old, &left), format!("this is [{}]", &old[8..]));
    }

    #[test]
    fn lines_with_nothing_in_common_have_no_marks() {
        let (left, right) = word_pieces("alpha beta gamma", "one, two, three");
        assert!(left.iter().chain(&right).all(|piece| !piece.is_changed));
    }

    #[test]
    fn pictures_made_of_several_signs_are_one_word() {
        let texts = |line: &'static str| -> Vec<&str> {
            words(line).into_iter().map(|word| &line[word]).collect()
        };
        assert_eq!(texts("a👩‍👩‍👧b"), ["a", "👩‍👩‍👧", "b"]);
        assert_eq!(texts("cafe\u{301} ✓"), ["cafe\u{301}", " ", "✓"]);
        assert_eq!(texts("日本"), ["日", "本"]);
    }

    #[test]
    fn a_very_long_line_is_compared_by_its_ends() {
        let old = "x,".repeat(50_000);
        let new = format!("{}y,{}", &old[..40_000], &old[40_000..]);
        let (left, right) = word_pieces(&old, &new);
        assert_eq!(left.iter().filter(|piece| piece.is_changed).count(), 0);
        assert_eq!(marked(&new, &right).matches("[y,]").count(), 1);
    }

    proptest! {
        #[test]
        fn pieces_rebuild_the_lines(old in "[ab,é👩\u{200D}\u{301} ]{0,30}", new in any::<String>()) {
            for (old, new) in [(&old, &new), (&new, &old), (&old, &old)] {
                let (left, right) = word_pieces(old, new);
                let joined = |line: &str, pieces: &[WordPiece]| -> String {
                    pieces.iter().map(|piece| &line[piece.span.clone()]).collect()
                };
                prop_assert_eq!(&joined(old, &left), old);
                prop_assert_eq!(&joined(new, &right), new);
            }
            let (left, _) = word_pieces(&old, &old);
            prop_assert!(left.iter().all(|piece| !piece.is_changed));
        }

        #[test]
        fn common_ends_rebuild_the_lines(old in "[ab]{0,9}", new in "[ab]{0,9}") {
            let (left, right) = common_ends(&old, &new);
            let kept = |line: &str, pieces: &[WordPiece]| -> String {
                let kept = pieces.iter().filter(|piece| !piece.is_changed);
                kept.map(|piece| &line[piece.span.clone()]).collect()
            };
            prop_assert_eq!(kept(&old, &left), kept(&new, &right));
        }
    }
}
