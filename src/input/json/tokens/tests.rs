//! Kinds and places of tokens; slices and the whole.

use super::*;
use proptest::prelude::*;

fn written(text: &str) -> Vec<(TokenKind, &str, bool)> {
    let tokens = JsonTokens::new(text.as_bytes());
    tokens.map(|token| (token.kind, &text[token.span], token.is_whole)).collect()
}

#[test]
fn every_token_has_its_kind_and_place() {
    use TokenKind::{Close, Colon, Comma, Open, Text, Word};
    assert_eq!(
        written(r#" {"a\"b" : [-Infinity,NaN]} x'é""#),
        [
            (Open, "{", true),
            (Text, r#""a\"b""#, true),
            (Colon, ":", true),
            (Open, "[", true),
            (Word, "-Infinity", true),
            (Comma, ",", true),
            (Word, "NaN", true),
            (Close, "]", true),
            (Close, "}", true),
            (Word, "x'é", true),
            (Text, "\"", false),
        ]
    );
    assert_eq!(written("1 2"), [(Word, "1", true), (Word, "2", false)]);
    assert_eq!(written(r#""open\"#), [(Text, r#""open\"#, false)]);
    assert_eq!(written(" \n"), []);
}

#[test]
fn values_are_passed_over_whole_or_not_at_all() {
    let rest = |text: &str| {
        let mut tokens = JsonTokens::new(text.as_bytes());
        let open = tokens.next().unwrap().span;
        (tokens.rest_of_value(&open), tokens.at())
    };
    assert_eq!(rest(r#"[{"]": "\"]"}] 1"#), (Some(true), 14));
    assert_eq!(rest("[[]"), (Some(false), 3));
    assert_eq!(rest("[}]"), (None, 1));
    assert_eq!(rest(&"[".repeat(MAX_DEPTH + 1)), (None, 1));
    let deepest = "[".repeat(MAX_DEPTH) + &"]".repeat(MAX_DEPTH);
    assert_eq!(rest(&deepest), (Some(true), 2 * MAX_DEPTH));
}

/// [`JsonTokens::rest_of_value`], token by token: where it comes to stand, and what it says.
fn rest_by_tokens(bytes: &[u8]) -> (Option<bool>, usize) {
    let mut open = Vec::new();
    let mut tokens = JsonTokens::new(bytes);
    let first = tokens.next().unwrap();
    tokens.at = first.span.start;
    while let Some(token) = tokens.next() {
        let byte = bytes[token.span.start];
        match token.kind {
            TokenKind::Open => open.push(byte),
            // An opening bracket is two before its closing one.
            TokenKind::Close if open.pop() != Some(byte - 2) => return (None, first.span.end),
            TokenKind::Close if open.is_empty() => return (Some(true), tokens.at()),
            _ => {}
        }
    }
    (Some(false), bytes.len())
}

proptest! {
    #[test]
    fn values_are_passed_over_as_their_tokens_are(text in r#"[\[{]([\]\[}{:, a1é]|"([^"\\]|\\.){0,90}"){0,60}[\\"\]}]{0,9}"#) {
        let mut tokens = JsonTokens::new(text.as_bytes());
        let open = tokens.next().unwrap().span;
        let passed = tokens.rest_of_value(&open);
        prop_assert_eq!((passed, tokens.at()), rest_by_tokens(text.as_bytes()));
    }

    #[test]
    fn balanced_values_of_any_length_are_passed_over(
        items in prop::collection::vec(r#""([^"\\]|\\[^n]){0,70}"|\[\]|\{"[\]}]{0,9}": \[1,2\]\}"#, 0..40),
        rest in r#"[\]}"\\a ]{0,80}"#,
    ) {
        let value = format!("[{}]", items.join(","));
        let text = format!("{value}{rest}");
        let mut tokens = JsonTokens::new(text.as_bytes());
        let open = tokens.next().unwrap().span;
        prop_assert_eq!(tokens.rest_of_value(&open), Some(true));
        prop_assert_eq!(tokens.at(), value.len());
    }

    #[test]
    fn slices_have_the_tokens_of_the_whole(
        text in r#"[\[\]{}:, "\\a1é]{0,60}"#,
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let bytes = text.as_bytes();
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        ends.push(bytes.len());
        ends.sort_unstable();
        let (mut found, mut part, mut start) = (Vec::<JsonToken>::new(), SliceEnd::Between, 0);
        for end in ends {
            let mut tokens = JsonTokens::resumed(&bytes[start..end], part);
            for token in tokens.by_ref() {
                let span = start + token.span.start..start + token.span.end;
                let before = found.last_mut().filter(|last| {
                    !last.is_whole && last.kind == token.kind && last.span.end == span.start
                });
                match before {
                    Some(last) => (last.span.end, last.is_whole) = (span.end, token.is_whole),
                    None => found.push(JsonToken { span, ..token }),
                }
            }
            (part, start) = (tokens.part(), end);
        }
        // A word that a slice ended with was whole if the next one goes on with something else.
        let whole: Vec<JsonToken> = JsonTokens::new(bytes).collect();
        prop_assert_eq!(found.len(), whole.len());
        for (found, whole) in found.iter().zip(&whole) {
            prop_assert_eq!((found.kind, &found.span), (whole.kind, &whole.span));
            prop_assert!(found.is_whole == whole.is_whole || found.kind == TokenKind::Word);
        }
    }
}
