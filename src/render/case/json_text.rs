//! JSON text, indented for reading.
//!
//! Works on the text, not on values: numbers, escapes, the order of keys and Python's `NaN` stay as
//! they are written, and text that is not JSON comes through unharmed.

/// `json` with one value per line and two blanks per level; empty containers stay on one line.
pub(super) fn indented(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 4);
    let mut depth = 0_usize;
    let mut chars = json.trim().chars().peekable();
    while let Some(ch) = chars.next() {
        match ch {
            '"' => {
                out.push('"');
                while let Some(inner) = chars.next() {
                    out.push(inner);
                    match inner {
                        '\\' => out.extend(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '{' | '[' => {
                out.push(ch);
                while chars.next_if(|next| next.is_whitespace()).is_some() {}
                match chars.next_if(|&next| matches!(next, '}' | ']')) {
                    Some(close) => out.push(close),
                    None => {
                        depth += 1;
                        break_line(&mut out, depth);
                    }
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                break_line(&mut out, depth);
                out.push(ch);
            }
            ',' => {
                out.push(',');
                break_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ if ch.is_whitespace() => {}
            _ => out.push(ch),
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
