//! The first part of a long text, so that one huge value does not stop the page.

/// Bytes that are shown before the reader asks for the rest.
pub const FIRST_BYTES: usize = 100_000;

/// The first part of `text`, at most `max_bytes` long and ending between two characters; at a line's
/// end when one is near.
pub fn first_part(text: &str, max_bytes: usize) -> &str {
    if text.len() <= max_bytes {
        return text;
    }
    let cut = text.get(..text.floor_char_boundary(max_bytes)).unwrap_or_default();
    match cut.rfind('\n') {
        Some(end) if end > max_bytes / 2 => cut.get(..end).unwrap_or(cut),
        _ => cut,
    }
}

/// The first line of `text` that says something, shortened to `max_chars` characters.
pub fn preview(text: &str, max_chars: usize) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    match line.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line).trim_end()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_falls_between_characters_and_lines() {
        assert_eq!(first_part("short", 10), "short");
        assert_eq!(first_part("äöü", 3), "ä");
        assert_eq!(first_part("one line\ntwo lines", 12), "one line");
        assert_eq!(first_part("a\nbbbbbbbbbbbbbbbb", 12), "a\nbbbbbbbbbb");
    }

    #[test]
    fn a_preview_is_one_short_line() {
        assert_eq!(preview("\n  \n  héllo wörld  \nmore", 40), "héllo wörld");
        assert_eq!(preview("héllo wörld", 6), "héllo…");
        assert_eq!(preview("", 6), "");
    }
}
