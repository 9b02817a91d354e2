//! The texts of a JSON value, however deep they lie.

use super::unescape;
use crate::input::scan::{space_len, text_end};
use memchr::memchr;
use std::borrow::Cow;

/// Whether `is_it` holds for some text in `bytes`, a JSON value. Keys are no texts. Nothing is checked:
/// what is no JSON has the texts that its quotes make.
pub fn any_text(bytes: &[u8], mut is_it: impl FnMut(Cow<'_, str>) -> bool) -> bool {
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr(b'"', rest)) {
        let start = at + found + 1;
        let Some(end) = text_end(bytes, start, &mut false) else { return false };
        let behind = bytes.get(end..).unwrap_or_default();
        let is_key = behind.get(space_len(behind)) == Some(&b':');
        if !is_key && is_it(unescape(bytes.get(start..end - 1).unwrap_or_default())) {
            return true;
        }
        at = end;
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
