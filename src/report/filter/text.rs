//! Whether words are the same, whatever their letters' size, and which known word was probably meant.

/// Whether two texts are the same; unless `is_exact`, whatever their letters' size.
pub fn is_same(left: &str, right: &str, is_exact: bool) -> bool {
    if is_exact || (left.is_ascii() && right.is_ascii()) {
        return if is_exact { left == right } else { left.eq_ignore_ascii_case(right) };
    }
    let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
    lower(left) == lower(right)
}

/// The one of `known` that was probably meant by `written`: it begins so, or differs in one or two letters.
pub fn nearest<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let written: Vec<char> = written.to_lowercase().chars().take(40).collect();
    let most = match written.len() {
        0 => return None,
        1..=3 => 1,
        _ => 2,
    };
    let far = |word: &str| {
        let word: Vec<char> = word.chars().collect();
        if written.len() > 1 && word.starts_with(&written) { 0 } else { distance(&written, &word) }
    };
    let (distance, word) = known.map(|word| (far(word), word)).min_by_key(|(far, _)| *far)?;
    (distance <= most && distance < written.len()).then_some(word)
}

/// How many letters must be put in, taken out, changed, or changed over with their neighbour.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX - 1);
            let mut least =
                (at(&last, j) + usize::from(a != b)).min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let is_swapped = i > 0
                && j > 0
                && left.get(i - 1) == Some(b)
                && right.get(j - 1) == Some(a)
                && a != b;
            if is_swapped {
                least = least.min(at(&before, j - 1) + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{is_same, nearest};

    #[test]
    fn what_was_meant_is_found_by_its_letters() {
        let known = ["outcome", "score", "duration", "has"];
        let near = |written| nearest(written, known.into_iter());
        for (written, meant) in [
            ("outcom", Some("outcome")),
            ("otucome", Some("outcome")),
            ("Scores", Some("score")),
            ("scroe", Some("score")),
            ("dur", Some("duration")),
            ("hsa", Some("has")),
            ("x", None),
            ("", None),
            ("something", None),
        ] {
            assert_eq!(near(written), meant, "{written}");
        }
    }

    #[test]
    fn size_of_letters_does_not_matter() {
        assert!(is_same("Ä", "ä", false) && !is_same("Ä", "ä", true) && is_same("a", "A", false));
    }
}
