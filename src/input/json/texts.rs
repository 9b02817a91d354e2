//! The texts of a JSON value, however deep they lie.

use super::tokens::JsonTokens;
use super::unescape;
use std::borrow::Cow;

/// Whether `is_it` holds for some text in `bytes`, a JSON value. Keys are no texts. Nothing is checked:
/// what is no JSON has the texts that its quotes make.
pub fn any_text(bytes: &[u8], mut is_it: impl FnMut(Cow<'_, str>) -> bool) -> bool {
    let mut tokens = JsonTokens::new(bytes);
    while tokens.seek_text() {
        let Some((inner, is_plain)) = tokens.text() else { return false };
        let is_key = tokens.peek() == Some(b':');
        let text = || if is_plain { String::from_utf8_lossy(inner) } else { unescape(inner) };
        if !is_key && is_it(text()) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_looked_at_and_keys_are_not() {
        let mut seen = Vec::new();
        let json = br#"{"a": "x\"y", "b" : ["\u00e9", {"c": 1, "d": "{\"e\": \"f\"}"}], "g": ""}"#;
        assert!(!any_text(json, |text| {
            seen.push(text.into_owned());
            false
        }));
        assert_eq!(seen, ["x\"y", "é", r#"{"e": "f"}"#, ""]);
        assert!(any_text(br#"["a", "b"]"#, |text| text == "b"));
        assert!(!any_text(br#"["open"#, |_| true));
    }
}
