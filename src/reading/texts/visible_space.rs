//! Text with its white space and invisible signs made visible.

use crate::reading::diffs::plain_diff::{Ink, LetterRun};

/// Puts `text` behind what is in `out`; with `shows_blanks`, so that nothing in it stays unseen.
pub(in crate::reading) fn text(
    out: &mut Vec<LetterRun>,
    text: &str,
    is_changed: bool,
    shows_blanks: bool,
) {
    let mut put = |ink: Ink, text: &str| {
        if !text.is_empty() {
            out.push(LetterRun { is_changed, ink, text: text.to_owned() });
        }
    };
    if !shows_blanks {
        return put(Ink::Letters, text);
    }
    let mut rest = text;
    while let Some(at) = rest.find(|letter| kind(letter) != MarkKind::Seen) {
        let (head, tail) = rest.split_at(at);
        put(Ink::Letters, head);
        let found = tail.chars().next().map_or(MarkKind::Seen, kind);
        let len = tail.find(|letter| kind(letter) != found).unwrap_or(tail.len());
        let (run, after) = tail.split_at(len);
        match found {
            MarkKind::Space => put(Ink::Spaces, run),
            MarkKind::Tab => run.split_inclusive('\t').for_each(|tab| put(Ink::Tab, tab)),
            MarkKind::Unseen | MarkKind::Seen => {
                for letter in run.chars() {
                    put(Ink::Sign, &format!("U+{:04X}", u32::from(letter)));
                }
            }
        }
        rest = after;
    }
    put(Ink::Letters, rest);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MarkKind {
    Seen,
    Space,
    Tab,
    Unseen,
}

fn kind(letter: char) -> MarkKind {
    match letter {
        ' ' => MarkKind::Space,
        '\t' => MarkKind::Tab,
        '\u{AD}' | '\u{180E}' | '\u{FEFF}' | '\u{2028}' | '\u{2029}' => MarkKind::Unseen,
        // Widths of space, joiners, marks and overrides of direction, invisible operators.
        '\u{2000}'..='\u{200F}' | '\u{202A}'..='\u{202F}' | '\u{205F}'..='\u{206F}' => {
            MarkKind::Unseen
        }
        _ if letter.is_control() || (letter.is_whitespace() && letter != '\n') => MarkKind::Unseen,
        _ => MarkKind::Seen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_has_a_sign() {
        let mut out = Vec::new();
        text(&mut out, "a  b\tc\u{202E}\u{A0}<", false, true);
        let found: Vec<(Ink, &str)> = out.iter().map(|run| (run.ink, run.text.as_str())).collect();
        let wanted = [
            (Ink::Letters, "a"),
            (Ink::Spaces, "  "),
            (Ink::Letters, "b"),
            (Ink::Tab, "\t"),
            (Ink::Letters, "c"),
            (Ink::Sign, "U+202E"),
            (Ink::Sign, "U+00A0"),
            (Ink::Letters, "<"),
        ];
        assert_eq!(found, wanted);
        let mut plain = Vec::new();
        text(&mut plain, "a  b\u{202E}", true, false);
        let whole =
            LetterRun { is_changed: true, ink: Ink::Letters, text: "a  b\u{202E}".to_owned() };
        assert_eq!(plain, [whole]);
    }
}
