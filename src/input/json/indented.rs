//! JSON text, indented for reading.
//!
//! Works on the tokens, not on values: numbers, escapes, the order of keys and Python's `NaN` stay as
//! they are written, and text that is not JSON comes through, except for the space between its tokens.

use super::tokens::{JsonTokens, TokenKind};

/// `json` with one value per line and two blanks per level; empty containers stay on one line.
pub fn indented(json: &str) -> String {
    let json = json.trim();
    let mut out = String::with_capacity(json.len() + json.len() / 4);
    let mut depth = 0_usize;
    let mut tokens = JsonTokens::new(json.as_bytes());
    while let Some(token) = tokens.next() {
        // Tokens begin and end with characters: all that divides them is ASCII.
        let written = json.get(token.span).unwrap_or_default();
        match token.kind {
            TokenKind::Text | TokenKind::Word => out.push_str(written),
            TokenKind::Open => {
                out.push_str(written);
                if tokens.accept(b'}') {
                    out.push('}');
                } else if tokens.accept(b']') {
                    out.push(']');
                } else {
                    depth += 1;
                    break_line(&mut out, depth);
                }
            }
            TokenKind::Close => {
                depth = depth.saturating_sub(1);
                break_line(&mut out, depth);
                out.push_str(written);
            }
            TokenKind::Comma => {
                out.push(',');
                break_line(&mut out, depth);
            }
            TokenKind::Colon => out.push_str(": "),
        }
    }
    out
}

/// Deeper levels than this are not indented further: hostile input nests without end.
const MAX_INDENT: usize = 40;

fn break_line(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth.min(MAX_INDENT) {
        out.push_str("  ");
    }
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn values_are_put_on_lines_and_kept_as_written() {
        let text = r#"{"a":[1.50,NaN,{}],"b":"x, {\"y\": [1]}\\","c" : [ ], "d":{"e":null}}"#;
        let lines = indented(text);
        let expected = r#"{
  "a": [
    1.50,
    NaN,
    {}
  ],
  "b": "x, {\"y\": [1]}\\",
  "c": [],
  "d": {
    "e": null
  }
}"#;
        assert_eq!(lines, expected);
        assert_eq!(indented(&lines), lines);
    }

    #[test]
    fn broken_text_does_not_end_it() {
        assert_eq!(indented(r#"{"a": "cut of"#), "{\n  \"a\": \"cut of");
        assert_eq!(indented("]]}"), "\n]\n]\n}");
        assert_eq!(indented(""), "");
        assert!(indented(&"[".repeat(10_000)).len() < 2_000_000);
    }
}
