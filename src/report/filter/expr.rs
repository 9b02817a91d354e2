//! The tree of a filter, and its text.

use super::field::Field;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A filter. The empty one keeps every case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// What must hold; `None`: nothing.
    pub root: Option<Expr>,
}

/// A condition on a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// All of these hold; two or more.
    All(Vec<Self>),
    /// One of these holds; two or more.
    Any(Vec<Self>),
    /// This does not hold.
    Not(Box<Self>),
    /// A term.
    Term(Term),
}

/// The smallest condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// A text that occurs in id, group, run, checkpoint or error.
    Words(String),
    /// The field is one of these; an empty value stands for a case without the field.
    Is {
        /// Field.
        field: Field,
        /// Whether large and small letters differ.
        is_exact: bool,
        /// Values as written; one or more.
        values: Vec<String>,
    },
    /// A number of the field compares like this.
    Compares {
        /// Field.
        field: Field,
        /// How.
        how: NumberOperator,
        /// The number as written, with its unit.
        value: String,
    },
    /// The text occurs in the field.
    Contains {
        /// Field.
        field: Field,
        /// Text.
        text: String,
    },
}

/// How numbers are compared; exactly, as everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberOperator {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// Why a text is no filter, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct FilterError {
    /// Byte at which what cannot be read begins.
    pub at: usize,
    /// Its bytes; 0 when something is missing there.
    pub len: usize,
    /// What is wrong and what would fit: a sentence.
    pub message: String,
    /// What was probably meant, in place of what cannot be read.
    pub instead: Option<String>,
    /// Whether it could be read as a filter of the pairs of a comparison.
    pub needs_sides: bool,
}

impl FilterError {
    /// An error at a place of the text.
    pub fn new(at: usize, len: usize, message: impl Into<String>) -> Self {
        Self { at, len, message: message.into(), instead: None, needs_sides: false }
    }

    /// `text`, the filter, cut in what stands before the error, what cannot be read, and the rest.
    pub fn split<'a>(&self, text: &'a str) -> [&'a str; 3] {
        let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
        let end = self.at + self.len;
        [part(0, self.at), part(self.at, end), part(end, text.len())]
    }

    /// `text`, the filter, as it was probably meant.
    pub fn mended(&self, text: &str) -> Option<String> {
        let [before, _, after] = self.split(text);
        Some(format!("{before}{}{after}", self.instead.as_ref()?))
    }
}

impl NumberOperator {
    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }

    /// Whether `left` compares with `right` like this.
    #[expect(clippy::float_cmp, reason = "a filter means the number that it names")]
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Greater => left > right,
            Self::AtLeast => left >= right,
        }
    }
}

impl Filter {
    /// The conditions that must hold side by side.
    pub fn parts(&self) -> &[Expr] {
        match &self.root {
            None => &[],
            Some(Expr::All(parts)) => parts,
            Some(one) => std::slice::from_ref(one),
        }
    }

    /// The filter in which all of `parts` must hold.
    pub fn of_parts(mut parts: Vec<Expr>) -> Self {
        match parts.pop() {
            None => Self::default(),
            Some(only) if parts.is_empty() => Self { root: Some(only) },
            Some(last) => {
                parts.push(last);
                Self { root: Some(Expr::All(parts)) }
            }
        }
    }

    /// Every term, in the order of the text.
    pub fn terms(&self) -> Vec<&Term> {
        fn gather<'a>(expr: &'a Expr, into: &mut Vec<&'a Term>) {
            match expr {
                Expr::All(parts) | Expr::Any(parts) => {
                    parts.iter().for_each(|part| gather(part, into));
                }
                Expr::Not(inner) => gather(inner, into),
                Expr::Term(term) => into.push(term),
            }
        }
        let mut terms = Vec::new();
        self.root.iter().for_each(|root| gather(root, &mut terms));
        terms
    }

    /// The texts that are to be looked for in the files.
    pub fn needles(&self) -> impl Iterator<Item = &str> {
        self.terms().into_iter().filter_map(|term| match term {
            Term::Contains { field: Field::Text, text } => Some(text.as_str()),
            _ => None,
        })
    }
}

impl Expr {
    /// The fields that its terms ask about, when it is terms of one field only.
    pub(super) fn only_field(&self) -> Option<&Field> {
        match self {
            Self::Term(term) => term.field(),
            Self::Not(inner) => inner.only_field(),
            Self::All(parts) | Self::Any(parts) => {
                let (first, rest) = parts.split_first()?;
                let field = first.only_field()?;
                rest.iter().all(|part| part.only_field() == Some(field)).then_some(field)
            }
        }
    }
}

impl Term {
    /// What it asks about; `None` for words.
    pub(super) fn field(&self) -> Option<&Field> {
        match self {
            Self::Words(_) => None,
            Self::Is { field, .. }
            | Self::Compares { field, .. }
            | Self::Contains { field, .. } => Some(field),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.as_ref().map_or(Ok(()), |root| root.fmt(f))
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(parts) => {
                joined(f, parts, " ", |part| matches!(part, Self::Term(_) | Self::Not(_)))
            }
            Self::Any(parts) => joined(f, parts, " or ", |part| !matches!(part, Self::Any(_))),
            Self::Not(inner) if matches!(**inner, Self::Term(_) | Self::Not(_)) => {
                write!(f, "-{inner}")
            }
            Self::Not(inner) => write!(f, "-({inner})"),
            Self::Term(term) => term.fmt(f),
        }
    }
}

/// `parts` with `between` them; those that would be read otherwise stand in parentheses.
fn joined(
    f: &mut fmt::Formatter<'_>,
    parts: &[Expr],
    between: &str,
    stands_alone: impl Fn(&Expr) -> bool,
) -> fmt::Result {
    for (nth, part) in parts.iter().enumerate() {
        if nth > 0 {
            f.write_str(between)?;
        }
        if stands_alone(part) { write!(f, "{part}")? } else { write!(f, "({part})")? }
    }
    Ok(())
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(text) => value(f, text, true),
            Self::Is { field, is_exact, values } => {
                write!(f, "{field}{}", if *is_exact { "=" } else { ":" })?;
                for (nth, one) in values.iter().enumerate() {
                    if nth > 0 {
                        f.write_str(",")?;
                    }
                    value(f, one, false)?;
                }
                Ok(())
            }
            Self::Compares { field, how, value: number } => {
                write!(f, "{field}{}", how.sign())?;
                value(f, number, false)
            }
            Self::Contains { field, text } => {
                write!(f, "{field}~")?;
                value(f, text, false)
            }
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        if let Self::MetricScore(name) = self {
            f.write_str(".")?;
            value(f, name, true)?;
        }
        Ok(())
    }
}

/// The filter that keeps the cases in which `text` occurs, as text.
pub fn words_text(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() { String::new() } else { written(text, true) }
}

fn value(f: &mut fmt::Formatter<'_>, text: &str, is_alone: bool) -> fmt::Result {
    f.write_str(&written(text, is_alone))
}

/// A value as it is written: in quotes where it would be read as something else. A word that stands
/// alone must not look like a field with a sign, like a sign, or like a metric without its name.
fn written(text: &str, is_alone: bool) -> String {
    let is_joint = |c: char| matches!(c, ':' | '=' | '<' | '>' | '~' | '!');
    let is_plain = |c: char| !c.is_whitespace() && !matches!(c, '"' | '(' | ')' | ',' | '\\');
    let is_word = !text.is_empty()
        && text.chars().all(is_plain)
        && !text.starts_with(['=', '<', '>', '~'])
        && !(is_alone
            && (text.contains(is_joint)
                || text.starts_with('-')
                || ["or", "and", "metric."].iter().any(|word| word.eq_ignore_ascii_case(text))));
    if is_word {
        return text.to_owned();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}
