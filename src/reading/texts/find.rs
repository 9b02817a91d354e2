//! Looking for something in a long text, a tree or a conversation: each match a way to its place.

use crate::reading::ids::dom_id;
use crate::reading::part::Haystack;
use crate::reading::piece::Way;
use crate::reading::read::Reading;
use crate::reading::texts::excerpt;
use crate::reading::texts::plain_text::{FindShown, FoundShown, MatchShown};
use crate::reading::texts::text_id::TextId;
use crate::reading::{transcript, trees::tree};
use crate::words::reading as words;

/// Matches that are listed.
const MAX_LISTED: usize = 200;

/// Letters around a match that are shown.
const AROUND: usize = 40;

/// What searches what `stem` names, which is `what`; `id` is that of its results.
pub(in crate::reading) fn field(stem: String, id: String, what: &str) -> FindShown {
    FindShown { id: format!("{id}-field"), stem, what: what.to_owned() }
}

/// The matches of `needle`; case does not matter. Nothing for an empty one.
pub(in crate::reading) fn find(
    reading: &Reading,
    haystack: &Haystack,
    needle: &str,
) -> Option<FoundShown> {
    let needle = needle.trim().to_lowercase();
    if needle.is_empty() {
        return Some(FoundShown::default());
    }
    let (matches, n_found) = match haystack {
        Haystack::Lines { text, is_written } => in_lines(reading, text, *is_written, &needle)?,
        Haystack::Tree(text) => {
            let is_match = |text: &str| position(text, &needle).is_some();
            let (found, n_found) = tree::matches(reading, text, MAX_LISTED, is_match)?;
            let found = found
                .into_iter()
                .map(|found| MatchShown { words: around(&found.words, &needle), ..found });
            (found.collect(), n_found)
        }
        Haystack::Transcript => in_transcript(reading, &needle),
    };
    let words = match n_found > matches.len() {
        true => words::matches_listed(n_found as u64, matches.len() as u64),
        false => words::matches(n_found as u64),
    };
    Some(FoundShown { words, matches })
}

fn in_lines(
    reading: &Reading,
    id: &TextId,
    is_written: bool,
    needle: &str,
) -> Option<(Vec<MatchShown>, usize)> {
    let text = reading.text(id)?;
    let prepared = reading.prepared(id, is_written)?;
    let shown = prepared.own.as_deref().unwrap_or(&text);
    let (mut found, mut n_found) = (Vec::new(), 0);
    for (idx, row) in prepared.rows.range(0..prepared.rows.len()).iter().enumerate() {
        let words = shown.get(row.span.clone()).unwrap_or_default();
        if position(words, needle).is_none() {
            continue;
        }
        n_found += 1;
        if found.len() < MAX_LISTED {
            found.push(MatchShown {
                place: words::line(row.line as u64 + 1),
                words: around(words, needle),
                way: Way::to_row(dom_id(reading, "v", id), idx as u64),
            });
        }
    }
    Some((found, n_found))
}

fn in_transcript(reading: &Reading, needle: &str) -> (Vec<MatchShown>, usize) {
    let messages = &reading.detail().transcript;
    let (mut found, mut n_found) = (Vec::new(), 0);
    for (idx, entry) in reading.conversation().entries.iter().enumerate() {
        for at in std::iter::once(entry.message).chain(entry.answer) {
            let Some(message) = messages.get(at) else { continue };
            let named = message.tool.as_deref().filter(|tool| position(tool, needle).is_some());
            let hit = position(&message.text, needle).map(|_| message.text.as_str());
            let Some(words) = hit.or(named) else { continue };
            n_found += 1;
            if found.len() < MAX_LISTED {
                let spot = reading.spot(at + 1);
                found.push(MatchShown {
                    place: message.tool.as_deref().unwrap_or(&message.role).to_owned(),
                    words: around(words, needle),
                    way: Way { spot, ..transcript::way_to(reading, idx) },
                });
            }
        }
    }
    (found, n_found)
}

/// Where `needle`, in lower case, begins in `text`, in bytes; case does not matter.
fn position(text: &str, needle: &str) -> Option<usize> {
    if needle.is_empty() {
        return Some(0);
    }
    if needle.is_ascii() {
        let (text, needle) = (text.as_bytes(), needle.as_bytes());
        return text.windows(needle.len()).position(|part| part.eq_ignore_ascii_case(needle));
    }
    let first = needle.chars().next()?;
    text.char_indices().find_map(|(at, letter)| {
        let is_start = letter.to_lowercase().next() == Some(first);
        (is_start && starts_with(text.get(at..)?, needle)).then_some(at)
    })
}

fn starts_with(text: &str, needle: &str) -> bool {
    let mut letters = text.chars().flat_map(char::to_lowercase);
    needle.chars().all(|wanted| letters.next() == Some(wanted))
}

/// The match with a few words around it, on one line.
fn around(text: &str, needle: &str) -> String {
    let at = position(text, needle).unwrap_or_default();
    let (head, tail) = text.split_at_checked(at).unwrap_or(("", text));
    let start = head.char_indices().rev().nth(AROUND).map_or(0, |(at, _)| at);
    let shown = head.get(start..).unwrap_or_default();
    let cut = if start > 0 { "…" } else { "" };
    let end = tail.char_indices().nth(2 * AROUND + needle.chars().count());
    let tail = end.and_then(|(end, _)| tail.get(..end)).unwrap_or(tail);
    let line = format!("{cut}{shown}{tail}{}", if end.is_some() { "…" } else { "" });
    excerpt::one_line(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter() {
        assert_eq!(position("Ein STRASSE", "stra"), Some(4));
        assert_eq!(position("xÄÖ", "äö"), Some(1));
        assert_eq!(position("\u{130}x", "i\u{307}"), Some(0));
        assert_eq!(position("abc", "ä"), None);
    }

    #[test]
    fn a_match_stands_among_its_words() {
        let text = format!("{}needle\n{}", "é".repeat(100), "z".repeat(300));
        let shown = around(&text, "needle");
        assert!(shown.starts_with("…éé") && shown.contains("needle zz") && shown.ends_with('…'));
        assert_eq!(around("short needle", "needle"), "short needle");
    }
}
