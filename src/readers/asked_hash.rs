//! Numbers that stand for what a case was asked, so that two files can be told to ask the same without
//! their texts being kept.

use super::answer_hash::{folded, mixed};
use crate::input::json::Cursor;
use serde_json::{Map, Value};

/// A 64-bit hash of what the JSON value `json` says; `None` where it says nothing (`null`, empty texts, lists
/// and objects) or is not JSON.
///
/// Unlike [`super::answer_hash::answer`] it does not depend on the spelling: escapes, space, the order of keys and
/// members that are null make no other number, lines may end as those of Windows do, and a list of one is what is in it, since
/// releases of one tool differ in these; ids of tool calls are passed over. Texts and numbers stay apart. No defence against texts that are made to collide.
pub(super) fn asked(json: &[u8]) -> Option<u64> {
    match json {
        // Most inputs: a text without escapes is its own meaning.
        [b'"', text @ .., b'"'] if memchr::memchr2(b'\\', b'"', text).is_none() => of_text(text),
        _ => of_value(&Cursor::new(json).tree().ok()?),
    }
}

fn of_text(text: &[u8]) -> Option<u64> {
    if text.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let unix = memchr::memmem::find(text, b"\r\n").map(|_at| {
        let is_kept =
            |(at, byte): &(usize, &u8)| **byte != b'\r' || text.get(at + 1) != Some(&b'\n');
        text.iter().enumerate().filter(is_kept).map(|(_at, byte)| *byte).collect::<Vec<u8>>()
    });
    let text = unix.as_deref().unwrap_or(text);
    Some(folded(text.len() as u64 + 1, text))
}

fn of_value(value: &Value) -> Option<u64> {
    let tagged = |tag: u64, hash: u64| Some(mixed(mixed(tag) ^ hash));
    match value {
        Value::Null => None,
        Value::String(text) => of_text(text.as_bytes()),
        Value::Bool(is_so) => tagged(1, u64::from(*is_so)),
        Value::Number(number) => tagged(2, number.as_f64().unwrap_or_default().to_bits()),
        Value::Array(items) => match items.as_slice() {
            [only] => of_value(only),
            items => {
                let mut hashes = items.iter().map(of_value);
                if hashes.clone().all(|hash| hash.is_none()) {
                    return None;
                }
                hashes.try_fold(mixed(3), |all, one| tagged(all, one.unwrap_or_default()))
            }
        },
        // A sum, so that the order of keys is of no account.
        Value::Object(members) => {
            let is_said = |key: &str| !is_made_up(key, members);
            let said = members.iter().filter(|(key, _)| is_said(key));
            let known = said.filter_map(|(key, value)| {
                tagged(of_text(key.as_bytes()).unwrap_or_default(), of_value(value)?)
            });
            known.reduce(u64::wrapping_add).and_then(|sum| tagged(4, sum))
        }
    }
}

/// Whether `key` of an object names a call of a tool: programs make these up anew each time.
fn is_made_up(key: &str, members: &Map<String, Value>) -> bool {
    key == "tool_call_id" || (key == "id" && members.contains_key("function"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hash(json: &str) -> Option<u64> {
        asked(json.as_bytes())
    }

    #[test]
    fn spelling_makes_no_difference() {
        for (one, other) in [
            (r#""héllo → 1""#, r#""h\u00e9llo \u2192 1""#),
            (r#""a\/b""#, r#""a/b""#),
            (r#"["a", "b"]"#, "[\"a\",\n \"b\"]"),
            (r#"["only"]"#, r#""only""#),
            (
                r#"{"role":"user","content":"x"}"#,
                r#"{"content":"x","tool_calls":null,"role":"user"}"#,
            ),
            (
                r#"{"id":"call_1","function":{"name":"f"}}"#,
                r#"{"id":"call_2","function":{"name":"f"}}"#,
            ),
            (r#"{"role":"tool","tool_call_id":"1"}"#, r#"{"role":"tool","tool_call_id":"2"}"#),
            ("3", "3.0"),
            (r#""a\r\nb\n""#, r#""a\nb\r\n""#),
        ] {
            assert!(hash(one).is_some(), "{one}");
            assert_eq!(hash(one), hash(other), "{one} {other}");
        }
    }

    #[test]
    fn what_says_something_else_has_another_number() {
        let all = [
            r#""a""#,
            r#""b""#,
            r#""a ""#,
            r#""a\nb""#,
            r#""a\rb""#,
            "1",
            r#""1""#,
            "true",
            "false",
            r#"["a","b"]"#,
            r#"["b","a"]"#,
            r#"["a","b",null]"#,
            r#"{"a":"b"}"#,
            r#"{"b":"a"}"#,
            r#"{"a":"a","b":"b"}"#,
            r#"{"a":"b","b":"a"}"#,
            r#"{"id":"1"}"#,
            r#"{"id":"2"}"#,
            r#"[["a","b"],"c"]"#,
            r#"["a",["b","c"]]"#,
        ];
        let seen: std::collections::HashSet<_> = all.iter().map(|json| hash(json)).collect();
        assert_eq!(seen.len(), all.len());
    }

    #[test]
    fn nothing_has_no_number() {
        for nothing in
            ["null", r#""""#, r#"" ""#, "[]", "{}", "[null]", r#"{"a":null}"#, "no", "\"open"]
        {
            assert_eq!(hash(nothing), None, "{nothing}");
        }
    }

    proptest! {
        #[test]
        fn a_text_is_the_same_with_every_letter_escaped(text in "[a-zé→ ]{1,20}") {
            let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            prop_assert_eq!(hash(&format!("\"{text}\"")), hash(&format!("\"{escaped}\"")));
        }
    }
}
