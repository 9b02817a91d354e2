//! What is taken out of ids before cases are paired.

use regex_lite::Regex;
use std::borrow::Cow;

/// A pattern whose matches are taken out of ids.
#[derive(Debug, Clone)]
pub enum StripPattern {
    /// This text, where an id begins with it.
    Prefix(String),
    /// This text, where an id ends in it.
    Suffix(String),
    /// Every match of this pattern.
    Pattern(Regex),
}

impl StripPattern {
    /// Reads a pattern: `^v2/`, `-new$`, or any regular expression. `None` of an empty one.
    ///
    /// # Errors
    /// When it is no regular expression; why.
    pub fn parse(pattern: &str) -> Result<Option<Self>, String> {
        let is_plain = |text: &str| !text.contains(|c: char| r"\.+*?()|[]{}^$".contains(c));
        if pattern.is_empty() {
            return Ok(None);
        }
        if let Some(text) = pattern.strip_prefix('^').filter(|text| is_plain(text)) {
            return Ok(Some(Self::Prefix(text.to_owned())));
        }
        if let Some(text) = pattern.strip_suffix('$').filter(|text| is_plain(text)) {
            return Ok(Some(Self::Suffix(text.to_owned())));
        }
        Regex::new(pattern).map(|regex| Some(Self::Pattern(regex))).map_err(|err| err.to_string())
    }

    /// `id` without it.
    pub(super) fn apply<'a>(&self, id: &'a str) -> Cow<'a, str> {
        match self {
            Self::Prefix(text) => Cow::Borrowed(id.strip_prefix(text.as_str()).unwrap_or(id)),
            Self::Suffix(text) => Cow::Borrowed(id.strip_suffix(text.as_str()).unwrap_or(id)),
            Self::Pattern(regex) => regex.replace_all(id, ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_taken_out_of_ids() {
        for (pattern, id, expected) in [
            ("^v2/", "v2/a", "a"),
            ("^v2/", "b/v2/a", "b/v2/a"),
            ("-new$", "a-new", "a"),
            ("^v[0-9]+/", "v12/a", "a"),
            ("v2", "v2/v2", "/"),
        ] {
            assert_eq!(
                StripPattern::parse(pattern).unwrap().unwrap().apply(id),
                expected,
                "{pattern}"
            );
        }
        assert!(StripPattern::parse("").unwrap().is_none());
        assert!(StripPattern::parse("(").is_err());
    }
}
