//! As much YAML as PyYAML's `safe_dump` writes of settings: nested block mappings and lists of
//! scalars, quoted and plain scalars over several lines, literal blocks.
//!
//! A general YAML library is a bad fit: it expands aliases (a bomb in hostile input) and fails as a
//! whole where one odd line should cost only itself. What is not understood is left out.
//! Fixtures: `g1/runs/*/*/run_info.yaml` (anchors), `g2/*/*/config.yaml`.

use serde_json::{Map, Value};

/// Keys of the outermost mapping.
pub(super) fn top_keys(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| key_of(line).map(|(key, _)| key)).collect()
}

/// The whole document as a tree; scalars typed by YAML's core rules.
pub(super) fn parse(text: &str) -> Value {
    let lines: Vec<Line<'_>> = text.lines().filter_map(Line::new).collect();
    let mut at = 0;
    mapping(&lines, &mut at, 0, 0)
}

/// Deepest nesting that is followed.
const MAX_DEPTH: usize = 32;

struct Line<'a> {
    indent: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    /// `None` for lines that say nothing: blank ones, comments, document marks.
    fn new(line: &'a str) -> Option<Self> {
        let text = line.trim_start_matches(' ');
        let is_silent = text.trim().is_empty() || text.starts_with('#') || line.starts_with("---");
        (!is_silent).then_some(Self { indent: line.len() - text.len(), text })
    }
}

/// Splits `key: rest`; `None` when the line is indented or is no mapping entry.
fn key_of(line: &str) -> Option<(&str, &str)> {
    if line.starts_with([' ', '#', '-', '\t']) {
        return None;
    }
    let (key, rest) = match line.split_once(": ") {
        Some(parts) => parts,
        None => (line.trim_end().strip_suffix(':')?, ""),
    };
    let key = key.trim().trim_matches(['\'', '"']);
    (!key.is_empty() && !key.contains(['{', '[', '\t'])).then_some((key, rest.trim()))
}

fn mapping(lines: &[Line<'_>], at: &mut usize, indent: usize, depth: usize) -> Value {
    let mut map = Map::new();
    while let Some(line) = lines.get(*at) {
        if line.indent < indent || depth > MAX_DEPTH {
            break;
        }
        *at += 1;
        if line.indent > indent {
            continue;
        }
        let Some((key, rest)) = key_of(line.text) else { continue };
        map.insert(key.to_owned(), value(lines, at, indent, depth, rest));
    }
    Value::Object(map)
}

/// The value whose first line's rest is `rest`; the lines that belong to it are consumed.
fn value(lines: &[Line<'_>], at: &mut usize, indent: usize, depth: usize, rest: &str) -> Value {
    let rest = match rest.strip_prefix('&') {
        Some(anchored) => anchored.split_once(' ').map_or("", |(_, after)| after.trim()),
        None => rest,
    };
    if rest.is_empty() {
        return match lines.get(*at) {
            Some(next) if next.text.starts_with("- ") && next.indent >= indent => {
                list(lines, at, next.indent)
            }
            Some(next) if next.indent > indent => mapping(lines, at, next.indent, depth + 1),
            _ => Value::Null,
        };
    }
    let mut text = rest.to_owned();
    let is_literal = rest.starts_with(['|', '>']);
    if is_literal {
        text.clear();
    }
    let quote = rest.chars().next().filter(|first| matches!(first, '\'' | '"'));
    while let Some(next) = lines.get(*at).filter(|next| next.indent > indent) {
        if quote.is_some_and(|quote| is_closed(&text, quote)) {
            break;
        }
        if !text.is_empty() {
            text.push(if is_literal { '\n' } else { ' ' });
        }
        text.push_str(next.text.trim_end());
        *at += 1;
    }
    if is_literal { Value::String(text) } else { scalar(&text) }
}

fn list(lines: &[Line<'_>], at: &mut usize, indent: usize) -> Value {
    let mut items = Vec::new();
    while let Some(line) = lines.get(*at) {
        if line.indent < indent || (line.indent == indent && !line.text.starts_with('-')) {
            break;
        }
        *at += 1;
        if line.indent == indent {
            items.push(scalar(line.text.trim_start_matches('-').trim()));
        }
    }
    Value::Array(items)
}

fn is_closed(text: &str, quote: char) -> bool {
    text.len() > 1 && text.ends_with(quote) && !text.ends_with("\\\"")
}

/// A scalar by YAML's core rules, as PyYAML writes them.
fn scalar(text: &str) -> Value {
    if let Some(inner) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return Value::String(inner.replace("''", "'"));
    }
    if text.starts_with('"') {
        // PyYAML's double quotes escape as JSON does, but for a few letters.
        return serde_json::from_str(text)
            .unwrap_or_else(|_| Value::String(text.trim_matches('"').to_owned()));
    }
    match text {
        "null" | "~" | "" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        ".nan" => Value::from("NaN"),
        ".inf" => Value::from("Infinity"),
        "-.inf" => Value::from("-Infinity"),
        "{}" => Value::Object(Map::new()),
        "[]" => Value::Array(Vec::new()),
        _ => number(text).unwrap_or_else(|| Value::String(text.to_owned())),
    }
}

fn number(text: &str) -> Option<Value> {
    if !text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '+' | '.')) {
        return None;
    }
    text.parse::<i64>()
        .map(Value::from)
        .ok()
        .or_else(|| text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_safe_dump_writes() {
        let text = "agent:\n  type: codex\n  version: 0.74.0\npass_policy: core-cases\nproblems:\n- a\n- b\n\
            summary:\n  started: '2025-12-18T09:05:07'\n  error_message: 'two\n    lines: of it'\n  \
            passed: false\n  usage: &id001\n    cost: 2.5\n  net: *id001\nquoted: \"a\\tb\"\ntext: |-\n  x: 1\n  y\n";
        assert_eq!(
            parse(text),
            json!({"agent": {"type": "codex", "version": "0.74.0"}, "pass_policy": "core-cases",
                "problems": ["a", "b"],
                "summary": {"started": "2025-12-18T09:05:07", "error_message": "two lines: of it",
                    "passed": false, "usage": {"cost": 2.5}, "net": "*id001"},
                "quoted": "a\tb", "text": "x: 1\ny"})
        );
        assert_eq!(
            top_keys(text),
            ["agent", "pass_policy", "problems", "summary", "quoted", "text"]
        );
    }

    #[test]
    fn nonsense_is_left_out() {
        assert_eq!(parse(": :\n\t- x\n  deep\n"), json!({}));
        assert_eq!(parse("a: [1, 2]\nb"), json!({"a": "[1, 2]"}));
    }
}
