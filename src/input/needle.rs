//! Looking for a text whatever its letters' size.

use memchr::{memchr, memchr2};

/// A text to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needle {
    lowered: String,
}

impl Needle {
    /// Looks for `text`; the empty text is everywhere.
    pub fn new(text: &str) -> Self {
        Self { lowered: text.chars().flat_map(char::to_lowercase).collect() }
    }

    /// Whether it occurs in `text`. `space` is room to work in, used again from text to text.
    pub fn is_in(&self, text: &str, space: &mut String) -> bool {
        if self.is_in_bytes(text.as_bytes()) {
            return true;
        }
        if text.is_ascii() {
            return false;
        }
        space.clear();
        space.extend(text.chars().flat_map(char::to_lowercase));
        space.contains(&self.lowered)
    }

    /// Whether it occurs when only the letters A to Z have two sizes.
    fn is_in_bytes(&self, text: &[u8]) -> bool {
        let needle = self.lowered.as_bytes();
        let Some((&first, _)) = needle.split_first() else { return true };
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| rest.len() >= needle.len()) {
            let found = match first.to_ascii_uppercase() {
                upper if upper == first => memchr(first, rest),
                upper => memchr2(first, upper, rest),
            };
            let Some(found) = found else { return false };
            let here = rest.get(found..found + needle.len());
            if here.is_some_and(|here| here.eq_ignore_ascii_case(needle)) {
                return true;
            }
            at += found + 1;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn size_of_letters_does_not_matter() {
        let mut space = String::new();
        for (needle, text, is_in) in [
            ("time", "a TimeOut", true),
            ("ÄRGER", "viel ärger", true),
            ("k", "\u{212A}", true),
            ("b", "aaa", false),
            ("aab", "aaab", true),
            ("", "", true),
            ("x", "", false),
        ] {
            assert_eq!(Needle::new(needle).is_in(text, &mut space), is_in, "{needle} in {text}");
        }
    }

    proptest! {
        #[test]
        fn it_finds_what_lowering_everything_finds(text in "[aAbBéÉ.]{0,12}", needle in "[aAbBéÉ.]{0,3}") {
            let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
            let expected = lower(&text).contains(&lower(&needle));
            prop_assert_eq!(Needle::new(&needle).is_in(&text, &mut String::new()), expected);
        }
    }
}
