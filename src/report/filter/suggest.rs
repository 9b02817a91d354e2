//! What may be written next: fields, and values with their number of cases.

use super::about::About;
use super::expr::{Filter, FilterError, Term};
use super::field::Field;
use super::mask::Mask;
use super::scope::FilterScope;
use super::tally::tally;
use crate::input::Needle;
use crate::order::Order as _;
use crate::report::Target;
use crate::words::report::shared::filter as words;
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};

/// Most suggestions at once.
const MAX_SUGGESTIONS: usize = 12;

/// What a filter says, and how it could go on at a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Suggestions {
    /// Why the text is no filter, when it is none.
    pub error: Option<FilterError>,
    /// How it could go on, the likeliest first.
    pub items: Vec<Suggestion>,
}

/// One way to go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggestion {
    /// What is put in.
    pub label: String,
    /// What it is, or how many cases it has.
    pub note: String,
    /// The whole filter with it.
    pub text: String,
    /// The place behind it, in bytes.
    pub at: usize,
}

/// The part of a text that is being written.
struct TypedPart<'a> {
    /// Its bytes.
    from: usize,
    to: usize,
    /// The field and its sign, when they are written already.
    field: Option<Field>,
    /// What is written of it.
    written: &'a str,
}

/// How `text`, a filter on the cases of `target`, could go on at byte `at`.
pub fn suggest(workspace: &Workspace, target: Target, text: &str, at: usize) -> Suggestions {
    let scope = FilterScope::new(workspace, target);
    suggest_about(
        &SuggestTarget { about: About::Cases, scope, of_pairs: &|_| Vec::new() },
        text,
        at,
    )
}

/// What is filtered.
pub struct SuggestTarget<'a> {
    /// Cases or pairs.
    pub about: About,
    /// The cases, or those of both sides; `None`: they are not there.
    pub scope: Option<FilterScope<'a>>,
    /// Values of a field that only pairs have, each with what it is.
    pub of_pairs: &'a dyn Fn(&Field) -> Vec<(String, String)>,
}

/// How `text`, a filter on what was asked, could go on at byte `at`.
pub fn suggest_about(asked: &SuggestTarget<'_>, text: &str, at: usize) -> Suggestions {
    let error = Filter::read(text, asked.about).err();
    let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let piece = piece(text, at);
    let items = match &asked.scope {
        Some(scope) => ways(asked, scope, &piece),
        None => Vec::new(),
    };
    let items = items.into_iter().take(MAX_SUGGESTIONS).map(|(label, note)| {
        let (head, tail) = (text.get(..piece.from), text.get(piece.to..));
        let (head, tail) = (head.unwrap_or_default(), tail.unwrap_or_default());
        let at = head.len() + label.len();
        Suggestion { text: format!("{head}{label}{tail}"), at, label, note }
    });
    Suggestions { error, items: items.collect() }
}

/// Labels with notes.
fn ways(
    asked: &SuggestTarget<'_>,
    scope: &FilterScope<'_>,
    piece: &TypedPart<'_>,
) -> Vec<(String, String)> {
    match &piece.field {
        Some(field) if !asked.about.has(field) => Vec::new(),
        Some(field) if field.is_of_pairs() => {
            let is_so = |value: &str| begins_with(value, piece.written);
            (asked.of_pairs)(field).into_iter().filter(|(value, _)| is_so(value)).collect()
        }
        Some(field) => values(scope, field, piece.written)
            .into_iter()
            .map(|(value, n)| (written_value(field, &value), words::n_cases(n)))
            .collect(),
        None => names(asked, scope, piece.written),
    }
}

/// Fields whose name begins with `written`, then values that do.
fn names(
    asked: &SuggestTarget<'_>,
    scope: &FilterScope<'_>,
    written: &str,
) -> Vec<(String, String)> {
    let mut found = Vec::new();
    if let Some(head) = written.get(..7).filter(|head| head.eq_ignore_ascii_case("metric.")) {
        let start = written.get(head.len()..).unwrap_or_default().trim_start_matches('"');
        for (name, n) in values(scope, &Field::Metric, start) {
            found.push((format!("{}<", Field::MetricScore(name)), words::n_cases(n)));
        }
        return found;
    }
    for (field, name, what) in
        asked.about.fields().filter(|(_, name, _)| begins_with(name, written))
    {
        let sign = match field {
            Field::Text => "~",
            ref field if field.is_number() && *field != Field::Repeat => "<",
            _ => ":",
        };
        found.push((format!("{name}{sign}"), what.to_owned()));
    }
    if !written.is_empty() {
        if asked.about != About::Cases {
            let changes = (asked.of_pairs)(&Field::Change).into_iter();
            let changes = changes.filter(|(value, _)| begins_with(value, written));
            found.extend(changes.map(|(value, note)| (format!("{}:{value}", Field::Change), note)));
        }
        for field in
            [Field::Outcome, Field::Kind, Field::Group, Field::Model, Field::Metric, Field::Tag]
        {
            for (value, n) in values(scope, &field, written).into_iter().take(4) {
                found.push((
                    format!("{field}:{}", written_value(&field, &value)),
                    words::n_cases(n),
                ));
            }
        }
    }
    found
}

/// Whether `word` begins so, whatever the letters' size.
fn begins_with(word: &str, written: &str) -> bool {
    word.get(..written.len()).is_some_and(|head| head.eq_ignore_ascii_case(written))
}

/// Values of `field` in which `written` occurs, with their number of cases: those that begin with it
/// first, then the more frequent ones.
fn values(scope: &FilterScope<'_>, field: &Field, written: &str) -> Vec<(String, u64)> {
    let (needle, mut space) = (Needle::new(written), String::new());
    let everything = Mask::all(scope.n_cases, true);
    let mut found: Vec<(String, u64)> = tally(scope, field, &everything)
        .into_iter()
        .filter(|(value, n)| *n > 0 && !value.is_empty() && needle.is_in(value, &mut space))
        .collect();
    found.order_by(|(left, n_left), (right, n_right)| {
        let begins = |value: &str| begins_with(value, written);
        let order = begins(right).cmp(&begins(left)).then(n_right.cmp(n_left));
        order.then_with(|| left.cmp(right))
    });
    found
}

/// `value` as it is written behind `field:`.
fn written_value(field: &Field, value: &str) -> String {
    let term = Term::Is { field: field.clone(), is_exact: false, values: vec![value.to_owned()] };
    let text = term.to_string();
    text.split_once(':').map_or(text.clone(), |(_, value)| value.to_owned())
}

/// What is being written at byte `at` of `text`.
fn piece(text: &str, at: usize) -> TypedPart<'_> {
    let (mut from, mut sign, mut is_quoted, mut is_escaped) = (0, None, false, false);
    let written = text.get(..at).unwrap_or_default();
    for (place, letter) in written.char_indices() {
        let after = place + letter.len_utf8();
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '-' | '!' if place == from && text.get(after..after + 1) != Some("=") => from = after,
            ':' | '=' | '<' | '>' | '~' | '!' if sign.is_none_or(|(_, end)| end == place) => {
                let start = sign.map_or(place, |(start, _)| start);
                sign = Some((start, after));
            }
            ',' if sign.is_some() => sign = sign.map(|(start, _)| (start, after)),
            c if c.is_whitespace() || matches!(c, '(' | ')') => (from, sign) = (after, None),
            _ => {}
        }
    }
    let is_end = |c: char| match is_quoted {
        true => c == '"',
        false => c.is_whitespace() || matches!(c, '(' | ')' | ','),
    };
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.find(is_end).unwrap_or(rest.len());
    let to = at + end + usize::from(is_quoted && end < rest.len());
    let field = sign.and_then(|(start, end)| Some((named(text.get(from..start)?)?, end)));
    match field {
        Some((field, start)) => {
            let written = text.get(start..at).unwrap_or_default().trim_start_matches('"');
            TypedPart { from: start, to, field: Some(field), written }
        }
        None => {
            TypedPart { from, to, field: None, written: text.get(from..at).unwrap_or_default() }
        }
    }
}

fn named(name: &str) -> Option<Field> {
    let metric = name.get(..7).filter(|head| head.eq_ignore_ascii_case("metric."));
    match metric.and_then(|head| name.get(head.len()..)) {
        Some(metric) => Some(Field::MetricScore(metric.to_owned())),
        None => Field::from_name(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_piece_is_what_stands_at_the_cursor() {
        for (text, at, written, field, span) in [
            ("", 0, "", None, (0, 0)),
            ("out", 3, "out", None, (0, 3)),
            ("a -out b", 6, "out", None, (3, 6)),
            ("kind:Co", 7, "Co", Some(Field::Kind), (5, 7)),
            ("kind:Core,Fu x", 12, "Fu", Some(Field::Kind), (10, 12)),
            ("group:\"a b", 10, "a b", Some(Field::Group), (6, 10)),
            ("group:\"a b\" x", 9, "a ", Some(Field::Group), (6, 11)),
            ("(score>=", 8, "", Some(Field::Score), (8, 8)),
            ("kind!=C", 7, "C", Some(Field::Kind), (6, 7)),
            ("-", 1, "", None, (1, 1)),
        ] {
            let piece = piece(text, at);
            assert_eq!((piece.written, piece.field), (written, field), "{text}");
            assert_eq!((piece.from, piece.to), span, "{text}");
        }
    }
}
