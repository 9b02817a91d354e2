//! What a cell means: a number, yes or no, nothing.

use crate::input::json::{Cursor, f64_from_value};
use serde_json::Value;
use std::borrow::Cow;

/// How the numbers of a column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Style {
    /// `1,234.5`: a point, and maybe commas between thousands.
    #[default]
    Point,
    /// `0,742`: a comma.
    Comma,
    /// `1.234,56`: a comma, and points between thousands.
    Grouped,
}

/// What a word of a verdict says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VerdictWord {
    /// Yes or no.
    Is(bool),
    /// It could not be judged.
    Error,
    /// It was not run.
    Skipped,
}

const YES: [&str; 20] = [
    "true",
    "yes",
    "y",
    "t",
    "pass",
    "passed",
    "passing",
    "ok",
    "success",
    "successful",
    "succeeded",
    "correct",
    "right",
    "resolved",
    "solved",
    "accepted",
    "✓",
    "✔",
    "✅",
    "✔️",
];
const NO: [&str; 20] = [
    "false",
    "no",
    "n",
    "f",
    "fail",
    "failed",
    "failing",
    "failure",
    "unsuccessful",
    "incorrect",
    "wrong",
    "unresolved",
    "unsolved",
    "rejected",
    "not ok",
    "✗",
    "✘",
    "❌",
    "×",
    "✖",
];
const ERROR: [&str; 4] = ["error", "errored", "broken", "crashed"];
const SKIPPED: [&str; 3] = ["skipped", "skip", "disabled"];
const MISSING: [&str; 10] =
    ["nan", "none", "null", "n/a", "na", "#n/a", "-", "nil", "<na>", "missing"];

/// Whether nothing is in the cell.
pub(super) fn is_empty(cell: &Value) -> bool {
    match cell {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    }
}

/// Whether it is a word that says that something is missing; only in columns of numbers, verdicts and errors
/// does it mean that.
pub(super) fn is_missing_word(cell: &Value) -> bool {
    cell.as_str().is_some_and(|text| is_among(text, &MISSING))
}

fn is_among(text: &str, words: &[&str]) -> bool {
    let text = text.trim();
    text.len() <= 16 && words.contains(&text.to_lowercase().as_str())
}

/// The number in the cell; infinite ones are numbers, NaN is none.
pub(super) fn number(cell: &Value, style: Style) -> Option<f64> {
    let found = match cell {
        Value::String(text) => of_text(text.trim(), style),
        other => f64_from_value(other),
    };
    found.filter(|number| !number.is_nan())
}

fn of_text(text: &str, style: Style) -> Option<f64> {
    let plain = text.strip_suffix('%').map_or(text, str::trim_end);
    let infinite = match plain.strip_prefix('-').unwrap_or(plain).to_lowercase().as_str() {
        "inf" | "infinity" | "∞" => Some(f64::INFINITY),
        _ => None,
    };
    if let Some(infinite) = infinite {
        return Some(if plain.starts_with('-') { -infinite } else { infinite });
    }
    let digits = plain.strip_prefix(['-', '+', '−']).unwrap_or(plain);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == ',') {
        return None;
    }
    let plain = plain.replace('−', "-");
    let spelled = match style {
        Style::Comma if plain.contains('.') && plain.contains(',') => return None,
        Style::Comma => plain.replacen(',', ".", 1),
        Style::Grouped => {
            let (whole, part) = plain.split_once(',').unwrap_or((&plain, ""));
            let whole = without_thousands(whole, '.').filter(|_| !part.contains(['.', ',']))?;
            if part.is_empty() { whole } else { [&whole, ".", part].concat() }
        }
        Style::Point if plain.contains(',') => {
            let (whole, part) = plain.split_once('.').unwrap_or((&plain, ""));
            let whole = without_thousands(whole, ',').filter(|_| !part.contains(','))?;
            if part.is_empty() { whole } else { [&whole, ".", part].concat() }
        }
        Style::Point => plain,
    };
    spelled.parse().ok()
}

/// `1,234,567` without the `marks` between its thousands; `None` where they stand elsewhere.
fn without_thousands(whole: &str, mark: char) -> Option<String> {
    if !whole.contains(mark) {
        return Some(whole.to_owned());
    }
    let mut groups = whole.trim_start_matches(['-', '+']).split(mark);
    let first = groups.next().unwrap_or_default();
    let is_first = (1..=3).contains(&first.len()) && !first.starts_with('0');
    let is_rest = groups.all(|group| group.len() == 3);
    (is_first && is_rest).then(|| whole.replace(mark, ""))
}

/// What the cell says as a verdict: a word of one, yes or no, 1 or 0.
pub(super) fn said(cell: &Value) -> Option<VerdictWord> {
    match cell {
        Value::Bool(is_so) => Some(VerdictWord::Is(*is_so)),
        Value::Number(_) => of_digit(number(cell, Style::Point)?),
        Value::String(text) => {
            let found = said_by_word(text);
            found.or_else(|| of_digit(number(cell, Style::Comma)?))
        }
        _ => None,
    }
}

fn of_digit(number: f64) -> Option<VerdictWord> {
    match number {
        1.0 => Some(VerdictWord::Is(true)),
        0.0 => Some(VerdictWord::Is(false)),
        _ => None,
    }
}

/// What a word says as a verdict.
pub(super) fn said_by_word(text: &str) -> Option<VerdictWord> {
    [
        (&YES[..], VerdictWord::Is(true)),
        (&NO, VerdictWord::Is(false)),
        (&ERROR, VerdictWord::Error),
        (&SKIPPED, VerdictWord::Skipped),
    ]
    .into_iter()
    .find_map(|(words, said)| is_among(text, words).then_some(said))
}

/// What a text holds that is written as JSON: a list, an object; anything else is itself.
pub(super) fn meant(cell: &Value) -> Cow<'_, Value> {
    let text = cell.as_str().map(str::trim).filter(|text| text.starts_with(['[', '{']));
    let tree = text.and_then(|text| {
        let mut cursor = Cursor::new(text.as_bytes());
        let tree = cursor.tree().ok()?;
        cursor.end().ok().map(|()| tree)
    });
    tree.map_or(Cow::Borrowed(cell), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let of = |text: &str, style| number(&Value::from(text), style);
        for (text, style, expected) in [
            ("0.742", Style::Point, Some(0.742)),
            (" 1e-3 ", Style::Point, Some(0.001)),
            ("1,234.5", Style::Point, Some(1234.5)),
            ("1,23", Style::Point, None),
            ("0,742", Style::Comma, Some(0.742)),
            ("7", Style::Comma, Some(7.0)),
            ("1.234,56", Style::Comma, None),
            ("1.234,56", Style::Grouped, Some(1234.56)),
            ("-1.234.567", Style::Grouped, Some(-1_234_567.0)),
            ("0,5", Style::Grouped, Some(0.5)),
            ("1.5", Style::Grouped, None),
            ("0.500", Style::Grouped, None),
            ("1,234.5", Style::Grouped, None),
            ("85 %", Style::Point, Some(85.0)),
            ("-inf", Style::Point, Some(f64::NEG_INFINITY)),
            ("nan", Style::Point, None),
            ("infinite", Style::Point, None),
            ("=1+1", Style::Point, None),
            ("", Style::Point, None),
            ("-", Style::Point, None),
            (".", Style::Point, None),
        ] {
            assert_eq!(of(text, style), expected, "{text:?}");
        }
        assert_eq!(number(&Value::from("NaN"), Style::Point), None);
        assert_eq!(number(&Value::from("Infinity"), Style::Point), Some(f64::INFINITY));
    }

    #[test]
    fn verdicts_are_words_or_one_and_zero() {
        for (text, expected) in [
            ("True", Some(VerdictWord::Is(true))),
            ("PASS", Some(VerdictWord::Is(true))),
            ("✓", Some(VerdictWord::Is(true))),
            ("1", Some(VerdictWord::Is(true))),
            ("0.0", Some(VerdictWord::Is(false))),
            ("no", Some(VerdictWord::Is(false))),
            ("Error", Some(VerdictWord::Error)),
            ("skipped", Some(VerdictWord::Skipped)),
            ("0.5", None),
            ("maybe", None),
        ] {
            assert_eq!(said(&Value::from(text)), expected, "{text:?}");
        }
    }
}
