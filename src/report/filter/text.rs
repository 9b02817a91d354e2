//! Whether words are the same, whatever their letters' size.

/// Whether two texts are the same; unless `is_exact`, whatever their letters' size.
pub fn is_same(left: &str, right: &str, is_exact: bool) -> bool {
    if is_exact || (left.is_ascii() && right.is_ascii()) {
        return if is_exact { left == right } else { left.eq_ignore_ascii_case(right) };
    }
    let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
    lower(left) == lower(right)
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn size_of_letters_does_not_matter() {
        assert!(is_same("Ä", "ä", false) && !is_same("Ä", "ä", true) && is_same("a", "A", false));
    }
}
