//! Text with its white space and invisible signs made visible.

use crate::markup::Markup;

/// Draws `text`; with `shows_blanks`, so that nothing in it stays unseen.
pub(super) fn text(out: &mut Markup, text: &str, shows_blanks: bool) {
    if !shows_blanks {
        out.text(text);
        return;
    }
    let mut rest = text;
    while let Some(at) = rest.find(|letter| kind(letter) != Kind::Seen) {
        let (head, tail) = rest.split_at(at);
        out.text(head);
        let found = tail.chars().next().map_or(Kind::Seen, kind);
        let len = tail.find(|letter| kind(letter) != found).unwrap_or(tail.len());
        let (run, after) = tail.split_at(len);
        match found {
            Kind::Space => {
                out.span("blank blank--space", run);
            }
            Kind::Tab => {
                for tab in run.split_inclusive('\t') {
                    out.span("blank blank--tab", tab);
                }
            }
            Kind::Unseen | Kind::Seen => {
                for letter in run.chars() {
                    sign(out, &format!("U+{:04X}", u32::from(letter)));
                }
            }
        }
        rest = after;
    }
    out.text(rest);
}

/// A word that stands for something unseen.
pub(super) fn sign(out: &mut Markup, word: &str) {
    out.span("sign", word);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Seen,
    Space,
    Tab,
    Unseen,
}

fn kind(letter: char) -> Kind {
    match letter {
        ' ' => Kind::Space,
        '\t' => Kind::Tab,
        '\u{AD}' | '\u{180E}' | '\u{FEFF}' | '\u{2028}' | '\u{2029}' => Kind::Unseen,
        // Widths of space, joiners, marks and overrides of direction, invisible operators.
        '\u{2000}'..='\u{200F}' | '\u{202A}'..='\u{202F}' | '\u{205F}'..='\u{206F}' => Kind::Unseen,
        _ if letter.is_control() || (letter.is_whitespace() && letter != '\n') => Kind::Unseen,
        _ => Kind::Seen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_has_a_sign() {
        let mut out = Markup::new();
        text(&mut out, "a  b\tc\u{202E}\u{A0}<", true);
        assert_eq!(
            out.as_str(),
            "a<span class=\"blank blank--space\">  </span>b<span class=\"blank blank--tab\">\t</span>c\
             <span class=\"sign\">U+202E</span><span class=\"sign\">U+00A0</span>&lt;"
        );
        let mut plain = Markup::new();
        text(&mut plain, "a  b\u{202E}", false);
        assert_eq!(plain.as_str(), "a  b\u{202E}");
    }
}
