//! A few words of a long text, for one line.

/// The first line of `text` that says something, shortened to `max_chars` characters.
pub(in crate::reading) fn preview(text: &str, max_chars: usize) -> String {
    // What follows much later is not looked for: the text may be a megabyte of blanks.
    let head = text.get(..text.floor_char_boundary(10_000)).unwrap_or_default();
    let line = head.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    match line.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line).trim_end()),
        None => line.to_owned(),
    }
}

/// `text` with every run of white space as one blank.
pub(in crate::reading) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_is_one_short_line() {
        assert_eq!(preview("\n  \n  héllo wörld  \nmore", 40), "héllo wörld");
        assert_eq!(preview("héllo wörld", 6), "héllo…");
        assert_eq!(preview("", 6), "");
        assert_eq!(preview(&"\n".repeat(100_000), 6), "");
        assert_eq!(one_line(" a\n\tb  c "), "a b c");
    }
}
