//! The cursor.

use evalglass::input::ValueKind;
use evalglass::input::json::{Cursor, MAX_DEPTH, f64_from_value, unescape, value_from_f64};
use proptest::prelude::*;
use serde_json::{Value, json};

fn tree(text: &str) -> Result<Value, String> {
    let mut cursor = Cursor::new(text.as_bytes());
    let value = cursor.tree().map_err(|err| format!("{} at {}", err, err.at()))?;
    cursor.end().map_err(|err| format!("{} at {}", err, err.at()))?;
    Ok(value)
}

#[test]
fn python_numbers_are_read() {
    let text = "[NaN, Infinity, -Infinity, 1e999, -0.0, 0.1, 1E+2]";
    let mut found = Vec::new();
    Cursor::new(text.as_bytes())
        .each_item(|cursor| {
            found.push(cursor.number()?.unwrap());
            Ok(())
        })
        .unwrap();
    assert!(found[0].is_nan());
    let infinity = f64::INFINITY;
    assert_eq!(found[1..], [infinity, -infinity, infinity, -0.0, 0.1, 100.0]);
    assert_eq!(tree("[NaN, -Infinity]").unwrap(), json!(["NaN", "-Infinity"]));
}

#[test]
fn big_whole_numbers_stay_exact_as_far_as_64_bits_go() {
    let text = "[9223372036854775807, 18446744073709551615, -9223372036854775808]";
    assert_eq!(tree(text).unwrap().to_string(), text.replace(' ', ""));
    assert_eq!(tree("123456789012345678901234567890").unwrap(), json!(1.2345678901234568e29));
}

#[test]
fn escapes_and_surrogates_are_read() {
    let plain = |text: &str| unescape(text.as_bytes()).into_owned();
    assert_eq!(plain(r#"a\n\t\r\b\f\"\\\/é"#), "a\n\t\r\u{8}\u{c}\"\\/é");
    assert_eq!(plain(r"\u00e9\ud83d\ude00x"), "\u{e9}\u{1f600}x");
    assert_eq!(plain(r"\ud83dx"), "\u{fffd}x");
    assert_eq!(plain(r"\ud83d\u0041"), "\u{fffd}A");
    assert_eq!(plain(r"\ude00\ud83d"), "\u{fffd}\u{fffd}");
    assert_eq!(unescape(b"a\xffb"), "a\u{fffd}b");
}

#[test]
fn broken_escapes_take_nothing_with_them() {
    let plain = |text: &str| unescape(text.as_bytes()).into_owned();
    assert_eq!(plain(r"\uZZ end"), "\u{fffd}ZZ end");
    assert_eq!(plain(r"\u00"), "\u{fffd}00");
    assert_eq!(plain(r"\é"), "\u{fffd}é");
    assert_eq!(plain("\\"), "\u{fffd}");
}

#[test]
fn of_a_repeated_key_the_last_value_stays() {
    assert_eq!(tree(r#"{"a":1,"b":2,"a":3}"#).unwrap(), json!({"a": 3, "b": 2}));
}

#[test]
fn spans_are_those_of_the_value() {
    let text = r#" { "a" : [1, "]"] , "b":"x" }"#;
    let mut cursor = Cursor::new(text.as_bytes());
    let mut spans = Vec::new();
    let is_object = cursor
        .each_field(|key, cursor| {
            let span = cursor.skip()?;
            spans.push((key.to_owned(), text[span].to_owned()));
            Ok(())
        })
        .unwrap();
    assert!(is_object);
    assert_eq!(spans[0], ("a".to_owned(), r#"[1, "]"]"#.to_owned()));
    assert_eq!(spans[1], ("b".to_owned(), r#""x""#.to_owned()));
}

#[test]
fn other_kinds_are_skipped_and_give_none() {
    let text = br#"[{"a":1}, "x", 1, null]"#;
    let mut cursor = Cursor::new(text);
    let mut idx = 0;
    cursor
        .each_item(|cursor| {
            match idx {
                0 => assert_eq!(cursor.number()?, None),
                1 => assert_eq!(cursor.bool()?, None),
                2 => assert_eq!(cursor.text()?, None),
                _ => assert!(!cursor.each_field(|_, _| Ok(()))?),
            }
            idx += 1;
            Ok(())
        })
        .unwrap();
    assert_eq!((idx, cursor.at()), (4, text.len()));
    assert_eq!(Cursor::new(b" null").kind(), Ok(ValueKind::Null));
}

#[test]
fn deep_nesting_is_an_error_not_a_crash() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(tree(&nested(MAX_DEPTH)).is_ok());
    assert!(Cursor::new(nested(MAX_DEPTH).as_bytes()).skip().is_ok());
    for depth in [MAX_DEPTH + 1, 100_000] {
        let reason = format!("not valid JSON: it is nested too deeply at {MAX_DEPTH}");
        assert_eq!(tree(&nested(depth)), Err(reason));
        assert!(Cursor::new(nested(depth).as_bytes()).skip().is_err());
    }
}

#[test]
fn skipping_keeps_kinds_of_brackets_apart_at_any_depth() {
    let open: String = (0..200).map(|idx| if idx % 3 == 0 { "[" } else { "{\"k\":" }).collect();
    let close: String = (0..200).rev().map(|idx| if idx % 3 == 0 { "]" } else { "}" }).collect();
    let whole = format!("{open}1{close}");
    assert_eq!(Cursor::new(whole.as_bytes()).skip(), Ok(0..whole.len()));
    for idx in 0..200 {
        let wrong: String = close
            .char_indices()
            .map(|(at, bracket)| match (at == idx, bracket) {
                (true, ']') => '}',
                (true, _) => ']',
                (false, same) => same,
            })
            .collect();
        assert!(Cursor::new(format!("{open}1{wrong}").as_bytes()).skip().is_err(), "{idx}");
    }
}

#[test]
fn faults_are_named_with_their_byte() {
    assert_eq!(tree(r#"{"a" 1}"#), Err("not valid JSON: a colon was expected at 5".to_owned()));
    assert_eq!(
        tree("[1 2]").unwrap_err(),
        "not valid JSON: a comma or a closing bracket was expected at 3"
    );
    assert_eq!(tree("[1").unwrap_err(), "not valid JSON: it ends inside a number or word at 2");
    assert_eq!(
        tree("[1 ").unwrap_err(),
        "not valid JSON: a comma or a closing bracket was expected at 3"
    );
    assert_eq!(tree(r#"["a"#).unwrap_err(), "not valid JSON: it ends inside a text at 3");
    assert_eq!(tree("1.2.3").unwrap_err(), "not valid JSON: a number is malformed at 0");
    assert_eq!(tree("nul").unwrap_err(), "not valid JSON: a word is not JSON at 0");
    assert_eq!(tree("1 2").unwrap_err(), "not valid JSON: something follows the value at 2");
    assert_eq!(tree("").unwrap_err(), "not valid JSON: it ends where a value was expected at 0");
    assert_eq!(
        tree("[1}").unwrap_err(),
        "not valid JSON: a comma or a closing bracket was expected at 2"
    );
}

#[test]
fn a_number_that_the_bytes_end_with_is_not_handed_over() {
    for (text, wanted) in [("[1, 23", vec![1.0]), ("[1, 23 ", vec![1.0, 23.0]), ("7", vec![])] {
        let mut found = Vec::new();
        let whole = Cursor::new(text.as_bytes()).each_item(|cursor| {
            found.extend(cursor.number()?);
            Ok(())
        });
        assert_eq!(found, wanted, "{text}");
        assert_eq!(whole.is_ok(), text == "7", "{text}");
    }
}

proptest! {
    #[test]
    fn texts_are_read_as_serde_json_reads_them(text in ".{0,40}") {
        let written = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(tree(&written), Ok(Value::from(text.clone())));
        let ascii: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        prop_assert_eq!(tree(&format!("\"{ascii}\"")), Ok(Value::from(text)));
    }

    #[test]
    fn every_float_reads_back_bit_for_bit(number: f64) {
        let back = f64_from_value(&value_from_f64(number)).unwrap();
        prop_assert!(back == number || (back.is_nan() && number.is_nan()));
        if number.is_finite() {
            let written = serde_json::to_string(&number).unwrap();
            prop_assert_eq!(Cursor::new(written.as_bytes()).number(), Ok(Some(number)));
        }
    }

    #[test]
    fn random_bytes_never_panic_the_cursor(bytes in "[\\[\\]{}\",:\\\\ntfu0-9eN. ]{0,60}") {
        let _ = tree(&bytes);
        let _ = Cursor::new(bytes.as_bytes()).skip();
    }
}
