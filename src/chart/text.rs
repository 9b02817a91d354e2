//! How wide words are, without a font at hand.
//!
//! The table follows DejaVu Sans, the widest of the usual interface fonts, so that what fits here
//! fits everywhere.

/// Size of all text in a drawing, in its own units.
pub(super) const SIZE: f64 = 12.0;
/// Distance between lines of text.
pub(super) const LINE: f64 = 16.0;

/// Width of `text` at [`SIZE`], at most.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(em).sum::<f64>() * SIZE
}

/// Width of a character in parts of the font's size.
fn em(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '\'' | '|' => 0.32,
        ' ' | '.' | ',' | ':' | ';' | 'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '\\'
        | 'I' | 'J' | '!' => 0.42,
        '-' => 0.37,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' | '—' => 1.0,
        'A'..='Z' | '&' => 0.8,
        'a'..='z' | '0'..='9' | '$' | '_' | '–' => 0.65,
        '=' | '+' | '<' | '>' | '−' | '≥' | '≤' | '·' | '#' | '~' | '^' => 0.84,
        ' '..='~' => 0.65,
        // Latin, Greek, Cyrillic letters; all further ones may be as wide as they are high, or wider.
        '\u{a0}'..='\u{24f}' => 0.8,
        '\u{370}'..='\u{52f}' => 0.92,
        _ => 1.2,
    }
}

/// `text` as one line without what would break or turn it.
pub(super) fn plain(text: &str) -> String {
    let harmless = |letter: char| match letter {
        '\n' | '\r' | '\t' => ' ',
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}' => '\u{fffd}',
        letter if letter.is_control() => '\u{fffd}',
        letter => letter,
    };
    text.chars().map(harmless).collect()
}

/// `text` shortened to `room`: its head, an ellipsis, and its tail, where names differ most often.
pub(super) fn fit(text: &str, room: f64) -> String {
    let text = plain(text);
    // A room that was made to measure may be less by a rounding.
    if width(&text) <= room + 1e-9 {
        return text;
    }
    let letters: Vec<char> = text.chars().collect();
    let mut left = room - width("…");
    let (mut head, mut tail) = (0, letters.len());
    // Two of the head for one of the tail.
    while head < tail {
        let is_tail = (head + letters.len() - tail) % 3 == 2;
        let next = if is_tail { tail.checked_sub(1) } else { Some(head) };
        let Some(letter) = next.and_then(|at| letters.get(at)) else { break };
        left -= em(*letter) * SIZE;
        if left < 0.0 {
            break;
        }
        if is_tail { tail -= 1 } else { head += 1 }
    }
    let part = |from: usize, to: usize| letters.get(from..to).unwrap_or_default().iter();
    let head: String = part(0, head).collect();
    let tail: String = part(tail, letters.len()).collect();
    format!("{}…{}", head.trim_end(), tail.trim_start())
}

/// `text` in at most `n_lines` lines of `room`, broken at spaces; the last one is shortened.
pub(super) fn wrap(text: &str, room: f64, n_lines: usize) -> Vec<String> {
    let text = plain(text);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let is_full = lines.len() >= n_lines;
        match lines.last_mut() {
            // The last line takes whatever is left, and is shortened below.
            Some(line) if is_full || width(line) + width(" ") + width(word) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| fit(line, room)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_fits_stays_and_what_does_not_keeps_both_ends() {
        assert_eq!(fit("short", 100.0), "short");
        let fitted = fit("checkpoint_of_a_very_long_name_17", 120.0);
        assert!(fitted.starts_with("checkp") && fitted.ends_with("17"), "{fitted}");
        assert!(width(&fitted) <= 120.0);
        assert_eq!(fit("line\nand \u{202e}turn", 200.0), "line and \u{fffd}turn");
    }

    #[test]
    fn lines_break_at_spaces() {
        let lines = wrap("one two three four five six seven eight nine ten", 95.0, 2);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0], "one two three");
        assert!(lines[1].contains('…'));
        assert_eq!(wrap("", 50.0, 3), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn nothing_is_wider_than_its_room(text in any::<String>(), room in 20.0..400.0_f64) {
            prop_assert!(width(&fit(&text, room)) <= room + 1e-9);
            for line in wrap(&text, room, 3) {
                prop_assert!(width(&line) <= room + 1e-9);
            }
        }
    }
}
