//! From text to tree.

use super::about::About;
use super::expr::{Expr, Filter, FilterError, NumberOperator, Term};
use super::field::Field;
use super::text::nearest;
use crate::words::report::shared::filter as words;
use std::ops::Range;

/// Deepest nesting that is read.
const MAX_DEPTH: u32 = 32;

/// Most terms of a filter: each costs a pass over the cases.
const MAX_TERMS: usize = 100;

/// Longest text that is read, in bytes.
const MAX_BYTES: usize = 10_000;

/// Signs behind a field, longer ones first.
const SIGNS: [(&str, FilterSign); 9] = [
    ("!=", FilterSign::Compare(NumberOperator::Unequal)),
    ("<=", FilterSign::Compare(NumberOperator::AtMost)),
    (">=", FilterSign::Compare(NumberOperator::AtLeast)),
    ("==", FilterSign::Compare(NumberOperator::Equal)),
    ("<", FilterSign::Compare(NumberOperator::Less)),
    (">", FilterSign::Compare(NumberOperator::Greater)),
    ("=", FilterSign::Compare(NumberOperator::Equal)),
    (":", FilterSign::Is),
    ("~", FilterSign::Contains),
];

#[derive(Debug, Clone, Copy)]
enum FilterSign {
    Is,
    Contains,
    Compare(NumberOperator),
}

impl std::str::FromStr for Filter {
    type Err = FilterError;

    /// Reads a filter of cases; blank text is the empty one.
    fn from_str(text: &str) -> Result<Self, FilterError> {
        Self::read(text, About::Cases)
    }
}

impl Filter {
    /// Reads a filter; blank text is the empty one.
    ///
    /// # Errors
    /// When it cannot be read; where and why.
    pub fn read(text: &str, about: About) -> Result<Self, FilterError> {
        let mut parser = FilterParser { text, about, at: 0, n_terms: 0 };
        if text.len() > MAX_BYTES {
            return Err(error(MAX_BYTES..MAX_BYTES, words::TOO_LONG));
        }
        parser.space();
        if parser.at == text.len() {
            return Ok(Self::default());
        }
        let root = parser.any(0)?;
        if parser.at < text.len() {
            let len = parser.next_len();
            return Err(error(parser.at..parser.at + len, words::UNOPENED));
        }
        Ok(Self { root: Some(root) })
    }
}

fn error(span: Range<usize>, message: impl Into<String>) -> FilterError {
    FilterError::new(span.start, span.end - span.start, message)
}

struct FilterParser<'a> {
    text: &'a str,
    about: About,
    at: usize,
    n_terms: usize,
}

impl<'a> FilterParser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn next_len(&self) -> usize {
        self.rest().chars().next().map_or(0, char::len_utf8)
    }

    /// Whether the word `word` comes next; then it is taken.
    fn takes_word(&mut self, word: &str) -> bool {
        let is_it = self.rest().get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
        let behind = self.rest().get(word.len()..).and_then(|rest| rest.chars().next());
        let is_whole = behind.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | ')'));
        if is_it && is_whole {
            self.at += word.len();
            self.space();
        }
        is_it && is_whole
    }

    fn any(&mut self, depth: u32) -> Result<Expr, FilterError> {
        if depth > MAX_DEPTH {
            return Err(error(self.at..self.at, words::TOO_DEEP));
        }
        let mut parts = vec![self.all(depth)?];
        while self.takes_word("or") {
            parts.push(self.all(depth)?);
        }
        Ok(one_or(parts, Expr::Any))
    }

    fn all(&mut self, depth: u32) -> Result<Expr, FilterError> {
        let mut parts = Vec::new();
        loop {
            let before = self.at;
            if self.rest().is_empty() || self.rest().starts_with(')') {
                break;
            }
            if self.takes_word("or") {
                // Not ours: it stands between two lists of parts.
                self.at = before;
                break;
            }
            if !parts.is_empty() {
                self.takes_word("and");
            }
            parts.push(self.part(depth)?);
            self.space();
        }
        if parts.is_empty() {
            let len = self.next_len();
            return Err(error(self.at..self.at + len, words::NO_TERM));
        }
        Ok(one_or(parts, Expr::All))
    }

    fn part(&mut self, depth: u32) -> Result<Expr, FilterError> {
        if depth > MAX_DEPTH {
            return Err(error(self.at..self.at, words::TOO_NEGATED));
        }
        if self.rest().starts_with(['-', '!']) {
            self.at += 1;
            self.space();
            return Ok(Expr::Not(Box::new(self.part(depth + 1)?)));
        }
        if self.rest().starts_with('(') {
            let open = self.at;
            self.at += 1;
            self.space();
            let inner = self.any(depth + 1)?;
            if !self.rest().starts_with(')') {
                return Err(error(open..open + 1, words::UNCLOSED));
            }
            self.at += 1;
            return Ok(inner);
        }
        self.n_terms += 1;
        if self.n_terms > MAX_TERMS {
            return Err(error(self.at..self.at, words::too_many_terms(MAX_TERMS)));
        }
        self.term()
    }

    fn term(&mut self) -> Result<Expr, FilterError> {
        let start = self.at;
        if self.rest().starts_with('"') {
            return Ok(Expr::Term(Term::Words(self.value()?)));
        }
        let is_end = |c: char| {
            c.is_whitespace() || matches!(c, '"' | '(' | ')' | ':' | '=' | '<' | '>' | '~')
        };
        let end = self.rest().find(is_end).unwrap_or(self.rest().len());
        let len = self.rest().find("!=").map_or(end, |at| at.min(end));
        let name = self.rest().get(..len).unwrap_or_default();
        self.at += len;
        let metric = self.metric_name(name)?;
        let signs = SIGNS.iter().find(|(sign, _)| self.rest().starts_with(sign));
        let Some((sign, kind)) = signs else {
            if name.is_empty() {
                let len = self.next_len().max(1).min(self.rest().len());
                return Err(error(self.at..self.at + len, words::NO_TERM));
            }
            if metric.is_some() && self.text.get(start..self.at) != Some(name) {
                return Err(error(self.at..self.at, words::NO_COMPARISON));
            }
            return Ok(Expr::Term(Term::Words(name.to_owned())));
        };
        let span = start..self.at;
        let field = match metric {
            Some(metric) => Field::MetricScore(metric),
            None => Field::from_name(name).ok_or_else(|| self.unknown(span.clone(), name))?,
        };
        if !self.about.has(&field) {
            return Err(FilterError { needs_sides: true, ..error(span, words::NEEDS_SIDES) });
        }
        self.at += sign.len();
        if field == Field::Text && !matches!(kind, FilterSign::Contains) {
            return Err(error(span.start..self.at, words::TEXT_SIGN));
        }
        self.space_before_value();
        match kind {
            FilterSign::Is => self.is_one_of(field, false),
            FilterSign::Contains => {
                if field.is_number() || field == Field::Has || field.is_of_pairs() {
                    return Err(error(span, words::not_a_text(&field)));
                }
                let text = self.needed_value(&field)?;
                Ok(Expr::Term(Term::Contains { field, text }))
            }
            FilterSign::Compare(how) => self.compares(field, *how),
        }
    }

    /// A space behind a sign is let pass when a value follows it.
    fn space_before_value(&mut self) {
        let before = self.at;
        self.space();
        if self.rest().is_empty() || self.rest().starts_with([')', '(']) {
            self.at = before;
        }
    }

    /// The name of a metric in `metric.NAME`, of which `name` has been taken.
    fn metric_name(&mut self, name: &str) -> Result<Option<String>, FilterError> {
        let Some(metric) = name.get(..7).filter(|head| head.eq_ignore_ascii_case("metric.")) else {
            return Ok(None);
        };
        let metric = name.get(metric.len()..).unwrap_or_default();
        if metric.is_empty() {
            if self.rest().starts_with('"') {
                return self.value().map(Some);
            }
            return Err(error(self.at..self.at, words::NO_METRIC));
        }
        Ok(Some(metric.to_owned()))
    }

    fn is_one_of(&mut self, field: Field, is_exact: bool) -> Result<Expr, FilterError> {
        let mut values = Vec::new();
        loop {
            let start = self.at;
            let value = self.needed_value(&field)?;
            values.push(self.fitting(&field, value, start..self.at)?);
            if !self.rest().starts_with(',') {
                break;
            }
            self.at += 1;
            self.space_before_value();
        }
        Ok(Expr::Term(Term::Is { field, is_exact, values }))
    }

    fn compares(&mut self, field: Field, how: NumberOperator) -> Result<Expr, FilterError> {
        let start = self.at;
        if field.is_number() {
            let value = self.needed_value(&field)?;
            if field.number(&value).is_none() {
                return Err(missing_number(&field, start..self.at));
            }
            return Ok(Expr::Term(Term::Compares { field, how, value }));
        }
        match how {
            NumberOperator::Equal => self.is_one_of(field, true),
            NumberOperator::Unequal => Ok(Expr::Not(Box::new(self.is_one_of(field, true)?))),
            _ => {
                let sign = how.sign();
                let message = words::not_a_number_field(&field, sign);
                Err(error(start - sign.len()..start, message))
            }
        }
    }

    /// A value that must be there; `""` is one.
    fn needed_value(&mut self, field: &Field) -> Result<String, FilterError> {
        let start = self.at;
        let value = self.value()?;
        if self.at == start {
            let message = match self.about.closed(field) {
                Some(words) => words::no_word(&words.join(", ")),
                None if field.is_number() => words::no_number(field.example()),
                None => words::no_value(field),
            };
            return Err(error(start..start, message));
        }
        Ok(value)
    }

    /// A word or a quoted text; empty when there is neither.
    fn value(&mut self) -> Result<String, FilterError> {
        let start = self.at;
        if !self.rest().starts_with('"') {
            let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '(' | ')' | ',');
            let len = self.rest().find(is_end).unwrap_or(self.rest().len());
            let value = self.rest().get(..len).unwrap_or_default();
            self.at += len;
            return Ok(value.to_owned());
        }
        let mut value = String::new();
        let mut letters = self.rest().char_indices().skip(1);
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at = start + at + 1;
                    return Ok(value);
                }
                '\\' => value.extend(letters.next().map(|(_, escaped)| escaped)),
                _ => value.push(letter),
            }
        }
        Err(error(start..self.text.len(), words::UNQUOTED))
    }

    /// `value` as `field` knows it: words of a closed list in their own spelling.
    fn fitting(
        &self,
        field: &Field,
        value: String,
        span: Range<usize>,
    ) -> Result<String, FilterError> {
        if let Some(words) = self.about.closed(field) {
            let known = words.iter().find(|word| word.eq_ignore_ascii_case(&value));
            return match known {
                Some(word) => Ok(word.clone()),
                None if value.is_empty() && *field == Field::Kind => Ok(value),
                None => {
                    let message = words::unknown_value(&value, field, &words.join(", "));
                    let instead = nearest(&value, words.iter().map(String::as_str));
                    let instead = instead.map(str::to_owned);
                    Err(FilterError { instead, ..error(span, message) })
                }
            };
        }
        if field.is_number() && !value.is_empty() && field.number(&value).is_none() {
            return Err(missing_number(field, span));
        }
        Ok(value)
    }

    fn unknown(&self, span: Range<usize>, name: &str) -> FilterError {
        if name.is_empty() {
            return error(span.start..span.start + 1, words::NO_FIELD);
        }
        let names: Vec<&str> = self.about.fields().map(|(_, name, _)| name).collect();
        let message = words::unknown_field(name, &names.join(", "));
        let instead = nearest(name, self.about.names()).map(str::to_owned);
        FilterError { instead, ..error(span, message) }
    }
}

fn one_or(mut parts: Vec<Expr>, many: fn(Vec<Expr>) -> Expr) -> Expr {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            many(parts)
        }
    }
}

fn missing_number(field: &Field, span: Range<usize>) -> FilterError {
    let message = words::needs_number(field, field.example());
    error(span, message)
}
