//! What is taken out, what stays, and that a document stays a document.

use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

/// `value` after the rules, cut into pieces at `cuts`; what was found, by what it is called.
fn redacted_bytes(
    redaction: Redaction,
    bytes: &[u8],
    piece: usize,
) -> (Vec<u8>, Vec<(String, Finding)>) {
    let (mut redactor, mut out) = (Redactor::new(redaction), Vec::new());
    for piece in bytes.chunks(piece.max(1)) {
        redactor.push(piece, &mut out);
    }
    let (rules, findings) = redactor.finish(&mut out);
    (out, findings.into_iter().map(|(rule, one)| (rules.words(rule), one)).collect())
}

fn redacted(fields: &str, patterns: &str, value: &Value) -> (Value, Vec<(String, u64)>) {
    let redaction = Redaction::new(fields, patterns, true).expect("the patterns are right");
    let bytes = serde_json::to_vec(value).unwrap();
    let (out, findings) = redacted_bytes(redaction, &bytes, usize::MAX);
    let counts = findings.into_iter().map(|(words, finding)| (words, finding.n)).collect();
    (serde_json::from_slice(&out).expect("it is JSON still"), counts)
}

const KEY: &str = "sk-proj-0123456789abcdefghij";

#[test]
fn fields_go_whatever_their_type_where_the_form_is_free() {
    let value = json!({
        "schema": "evalglass-report/1",
        "evaluations": [{"id": "e", "label": "suite of me", "declared": {"owner": {"mail": "a@b"}, "Owner": 3, "n": 1}}],
        "runs": [{"id": "e/r", "owner": "me", "score": 0.5, "cases": [{"id": "c", "owner": 7, "owner-of": [1]}]}],
    });
    let (new, counts) = redacted("owner, label\nschema", "", &value);
    assert_eq!(
        new,
        json!({
            "schema": "evalglass-report/1",
            "evaluations": [{"id": "e", "label": "[removed]", "declared": {"owner": "[removed]", "Owner": "[removed]", "n": 1}}],
            "runs": [{"id": "e/r", "owner": "[removed]", "score": 0.5, "cases": [{"id": "c", "owner": 7, "owner-of": [1]}]}],
        })
    );
    assert_eq!(counts, [("field owner".to_owned(), 3), ("field label".to_owned(), 1)]);
}

#[test]
fn labelled_values_go_by_their_label() {
    let value = json!({"detail": {
        "facts": [{"label": "agent id", "value": "agent-7"}, {"label": "status", "value": "done"}],
        "input": [{"label": "agent_id", "body": "agent-7", "format": "text"}],
    }});
    let (new, _) = redacted("Agent-ID", "", &value);
    assert_eq!(
        new,
        json!({"detail": {
            "facts": [{"label": "agent id", "value": "[removed]"}, {"label": "status", "value": "done"}],
            "input": [{"label": "agent_id", "body": "[removed]", "format": "text"}],
        }})
    );
}

#[test]
fn patterns_match_decoded_text_and_json_within_texts() {
    let record = r#"{"user": "M\u00fcller \"A\"", "n": 12, "args": "{\"to\": \"M\u00fcller\"}"}"#;
    let value = json!({"text": "Müller\tsays \"hi\" to Müller", "raw": [{"json": record}], "outcome": "Müller"});
    let (new, counts) = redacted("", "Müller", &value);
    assert_eq!(new["text"], "[redacted]\tsays \"hi\" to [redacted]");
    assert_eq!(new["outcome"], "Müller", "a word of the format stays");
    let record: Value = serde_json::from_str(new["raw"][0]["json"].as_str().unwrap()).unwrap();
    assert_eq!(
        record,
        json!({"user": "[redacted] \"A\"", "n": 12, "args": "{\"to\": \"[redacted]\"}"})
    );
    assert_eq!(counts, [("pattern Müller".to_owned(), 4)]);
}

#[test]
fn fields_go_from_prose_too() {
    let text = "last line: {\"agent_id\": \"agent 1\", \"n\": 1}; agent_id=x, and \\\"agent-id\\\": \\\"y\\\" agent_id:";
    let (new, counts) = redacted("agent_id", "", &json!({ "message": text }));
    assert_eq!(
        new["message"],
        "last line: {\"agent_id\": \"[removed]\", \"n\": 1}; agent_id=[removed], and \\\"agent-id\\\": \\\"[removed]\\\" agent_id:"
    );
    assert_eq!(counts, [("field agent_id".to_owned(), 3)]);
}

#[test]
fn secrets_are_masked_wherever_they_stand() {
    let inner = json!({"config": {"api_key": "hunter2", "note": format!("use {KEY} here")}, "secrets": ["a", {"b": "c"}]});
    let value = json!({
        "declared": {"api_key": KEY, "max_tokens": 4096, "env": [{"key": "DB_PASSWORD", "value": "hunter2"}]},
        "runs": [{"cases": [{"id": "c", "api_key": "short", "raw": [{"json": inner.to_string()}], "transcript": [{"text": format!("the key is {KEY}.")}]}]}],
    });
    let (new, counts) = redacted("", "", &value);
    assert_eq!(
        new["declared"],
        json!({"api_key": "sk-…", "max_tokens": 4096, "env": [{"key": "DB_PASSWORD", "value": "…"}]})
    );
    let case = &new["runs"][0]["cases"][0];
    assert_eq!(case["transcript"][0]["text"], "the key is sk-….");
    assert_eq!(case["api_key"], "short", "members of the report have a meaning of their own");
    let record: Value = serde_json::from_str(case["raw"][0]["json"].as_str().unwrap()).unwrap();
    assert_eq!(
        record,
        json!({"config": {"api_key": "…", "note": "use sk-… here"}, "secrets": ["…", {"b": "…"}]})
    );
    assert!(!new.to_string().contains("hunter2") && !new.to_string().contains(KEY));
    assert_eq!(
        counts,
        [("API key (sk-…)".to_owned(), 2), ("value named as a secret".to_owned(), 5)]
    );
    let (again, counts) = redacted("", "", &new);
    assert_eq!((again, counts), (new, Vec::new()), "once more changes nothing");
}

#[test]
fn samples_say_where_and_never_what() {
    let text = format!("{} {KEY} {}", "left ".repeat(20), "right ".repeat(20));
    let value = json!({"runs": [{"id": "suite/maple", "cases": [{"id": "tide-4", "transcript": [{}, {"text": text}]}]}]});
    let redaction = Redaction::new("", "", true).unwrap();
    let (_, findings) = redacted_bytes(redaction, value.to_string().as_bytes(), usize::MAX);
    let [(_, finding)] = findings.as_slice() else { panic!("one rule has found something") };
    let [sample] = finding.samples.as_slice() else { panic!("one sample") };
    assert_eq!(sample.place, "case tide-4: transcript[1].text");
    assert_eq!(sample.before, format!("sk-… ({} characters)", KEY.len()));
    assert!(
        sample.after.starts_with("… ")
            && sample.after.ends_with(" …")
            && sample.after.contains(" sk-… "),
        "{}",
        sample.after
    );
}

#[test]
fn a_pattern_that_is_none_is_named_by_its_line() {
    let complaints = Redaction::new("", "fine\n\n(open\n[z-a]", true).unwrap_err();
    let lines: Vec<usize> = complaints.iter().map(|one| one.line).collect();
    assert_eq!(lines, [3, 4]);
    assert!(complaints.iter().all(|one| !one.reason.is_empty()));
    let (new, counts) = redacted("", "x*", &json!({"text": "axxb"}));
    assert_eq!(
        (new, counts),
        (json!({"text": "a[redacted]b"}), vec![("pattern x*".to_owned(), 1)])
    );
}

#[test]
fn what_is_no_document_comes_through() {
    for text in ["", "\"", "{\"a\": \"b", "]]}}", "{,:,", "\"\\", "nul", "[1, 2", "{\"a\" \"b\"}"] {
        let redaction = Redaction::new("a", "b", true).unwrap();
        redacted_bytes(redaction, text.as_bytes(), 2);
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let name = prop_oneof![
        Just("api_key".to_owned()),
        Just("declared".to_owned()),
        Just("owner".to_owned()),
        "[a-zé\"\\\\]{0,4}"
    ];
    let text = prop_oneof![
        Just(KEY.to_owned()),
        Just(format!("{{\"api_key\": \"{KEY}\", \"owner\": [1]}}")),
        any::<String>(),
        "[a-c ]{0,9}"
    ];
    let leaf = prop_oneof![
        text.prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        Just(Value::Null),
        any::<bool>().prop_map(Value::from)
    ];
    leaf.prop_recursive(5, 48, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The shape of a document: everything but its texts.
fn is_same_shape(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::String(_), Value::String(_)) => true,
        (_, Value::String(text)) => text == REMOVED,
        (Value::Array(old), Value::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_same_shape(old, new))
        }
        (Value::Object(old), Value::Object(new)) => {
            old.keys().eq(new.keys())
                && old.values().zip(new.values()).all(|(old, new)| is_same_shape(old, new))
        }
        _ => old == new,
    }
}

proptest! {
    #[test]
    fn pieces_and_the_whole_come_out_the_same(value in any_json(), piece in 1_usize..40) {
        let bytes = serde_json::to_vec_pretty(&value).unwrap();
        let rules = || Redaction::new("owner", "a+b", true).unwrap();
        let whole = redacted_bytes(rules(), &bytes, usize::MAX);
        prop_assert_eq!(&redacted_bytes(rules(), &bytes, piece), &whole);
        let new: Value = serde_json::from_slice(&whole.0).unwrap();
        prop_assert!(is_same_shape(&value, &new), "{} -> {}", value, new);
        prop_assert!(!new.to_string().contains(KEY));
        let nothing = Redaction::new("", "", false).unwrap();
        prop_assert_eq!(redacted_bytes(nothing, &bytes, piece).0, bytes);
    }
}

#[test]
fn nothing_of_a_removed_field_stays_where_it_is_no_json() {
    let deep = "[".repeat(600);
    for own in
        [r#"[{"x": "mine"], 7}"#, r#"{"x": ["mine"}, "y": 7]"#, &format!("{deep}\"mine\", 7")]
    {
        let document = format!("{{\"declared\": {{\"owner\": {own}, \"n\": 1}}}}");
        let redaction = Redaction::new("owner", "", true).unwrap();
        let (out, findings) = redacted_bytes(redaction, document.as_bytes(), usize::MAX);
        let out = String::from_utf8(out).unwrap();
        assert!(!out.contains("mine") && !out.contains('7'), "{out}");
        assert!(findings.iter().any(|(words, _)| words == "field owner"), "{out}");
    }
}
