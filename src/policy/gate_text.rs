//! A gate as one line of text, and back: what stands in an address or an input field.
//!
//! ```text
//! gate      := all { "or" all }          all := part { "and" part }
//! part      := "(" gate ")" | condition
//! condition := [ "weighted" ] aggregate "(" metrics [ "," threshold ] ")" op number
//! metrics   := "*" | name                weighted: name ":" weight { ";" name ":" weight }
//! aggregate := avg_score | accuracy | pass_percent | min | max | median | p<0–100>
//! op        := > >= < <= =
//! ```
//!
//! `*` stands for the cases' own score; a name with other characters than letters, digits and
//! `_ - . /` stands in double quotes, with `\"` and `\\` inside.

use super::gate_form::{GateForm, is_plain};
use crate::model::{Aggregation, GateRule, Op};
use crate::words::figures as words;

/// Deepest nesting that is read.
const MAX_DEPTH: u32 = 32;

/// Why a text is no gate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected} at character {}", at + 1)]
pub struct GateTextError {
    /// Where, in characters from the start.
    pub at: usize,
    /// What would have fitted there.
    pub expected: &'static str,
}

/// Writes `rule`; it reads back as the same rule, unless it is one that could not be understood.
pub fn gate_text(rule: &GateRule) -> String {
    match (GateForm::of(rule), rule) {
        (Some(form), _) => form.text(),
        (None, GateRule::Unknown(why)) => format!("? {why}"),
        (None, _) => words::NOT_UNDERSTOOD.to_owned(),
    }
}

/// Reads a gate.
///
/// # Errors
/// When `text` is none; where, and what would have fitted.
pub fn parse_gate(text: &str) -> Result<GateRule, GateTextError> {
    let mut parser = GateParser { chars: text.chars().collect(), at: 0 };
    let rule = parser.gate(0)?;
    parser.space();
    if parser.at < parser.chars.len() { Err(parser.error("and, or, or the end")) } else { Ok(rule) }
}

struct GateParser {
    chars: Vec<char>,
    at: usize,
}

impl GateParser {
    fn error(&self, expected: &'static str) -> GateTextError {
        GateTextError { at: self.at, expected }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Takes `sign` when it comes next.
    fn takes(&mut self, sign: &str) -> bool {
        self.space();
        let fits = sign.chars().enumerate().all(|(n, c)| self.chars.get(self.at + n) == Some(&c));
        let n_chars = sign.chars().count();
        let is_word = sign.chars().all(char::is_alphabetic);
        let goes_on = self.chars.get(self.at + n_chars).is_some_and(|&c| is_plain(c));
        if fits && !(is_word && goes_on) {
            self.at += n_chars;
            return true;
        }
        false
    }

    fn needs(&mut self, sign: &str, expected: &'static str) -> Result<(), GateTextError> {
        if self.takes(sign) { Ok(()) } else { Err(self.error(expected)) }
    }

    fn gate(&mut self, depth: u32) -> Result<GateRule, GateTextError> {
        self.joined(depth, "or", |parser| parser.joined(depth, "and", |parser| parser.part(depth)))
    }

    /// Parts between `word`; a single one stands for itself.
    fn joined(
        &mut self,
        depth: u32,
        word: &'static str,
        mut part: impl FnMut(&mut Self) -> Result<GateRule, GateTextError>,
    ) -> Result<GateRule, GateTextError> {
        if depth > MAX_DEPTH {
            return Err(self.error("fewer parentheses"));
        }
        let first = part(self)?;
        let mut rules = vec![first];
        while self.takes(word) {
            rules.push(part(self)?);
        }
        Ok(match rules.pop() {
            Some(only) if rules.is_empty() => only,
            last => {
                rules.extend(last);
                GateRule::Logical { is_all: word == "and", rules }
            }
        })
    }

    fn part(&mut self, depth: u32) -> Result<GateRule, GateTextError> {
        if self.takes("(") {
            let inner = self.gate(depth + 1)?;
            self.needs(")", ")")?;
            return Ok(inner);
        }
        self.condition()
    }

    fn condition(&mut self) -> Result<GateRule, GateTextError> {
        let is_weighted = self.takes("weighted");
        let aggregation = self.aggregate()?;
        self.needs("(", "(")?;
        let mut weights = Vec::new();
        let mut metric = None;
        if is_weighted {
            loop {
                let name = self.name()?;
                self.needs(":", ": and a weight")?;
                let weight = self.number()?;
                if weight < 0.0 {
                    return Err(self.error("a weight of 0 or more before this"));
                }
                weights.push((name, weight));
                if !self.takes(";") {
                    break;
                }
            }
        } else if !self.takes("*") {
            metric = Some(self.name()?);
        }
        let aggregation = match aggregation {
            Aggregation::Accuracy { threshold } => Aggregation::Accuracy {
                threshold: if self.takes(",") { self.number()? } else { threshold },
            },
            other => other,
        };
        self.needs(")", ")")?;
        let op = self.op()?;
        let value = self.number()?;
        Ok(if is_weighted {
            GateRule::Weighted { weights, aggregation, op, value }
        } else {
            GateRule::Simple { metric, aggregation, op, value }
        })
    }

    fn aggregate(&mut self) -> Result<Aggregation, GateTextError> {
        const EXPECTED: &str = "avg_score, accuracy, pass_percent, min, max, median or p0 to p100";
        self.space();
        let start = self.at;
        let word = self.plain();
        let percent = || word.strip_prefix('p')?.parse().ok().filter(|p| (0.0..=100.0).contains(p));
        Ok(match word.as_str() {
            "avg_score" => Aggregation::AvgScore,
            "accuracy" => Aggregation::Accuracy { threshold: 1.0 },
            "pass_percent" => Aggregation::PassPercent,
            "min" => Aggregation::Min,
            "max" => Aggregation::Max,
            "median" => Aggregation::Percentile(50.0),
            _ => match percent() {
                Some(percent) => Aggregation::Percentile(percent),
                None => {
                    self.at = start;
                    return Err(self.error(EXPECTED));
                }
            },
        })
    }

    fn op(&mut self) -> Result<Op, GateTextError> {
        self.space();
        let rest: String = self.chars.iter().skip(self.at).take(2).collect();
        if let Some((op, after)) = Op::split_off(&rest) {
            self.at += rest.chars().count() - after.chars().count();
            return Ok(op);
        }
        Err(self.error(">, >=, <, <= or ="))
    }

    /// Characters that need no quotes.
    fn plain(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(is_plain) {
            self.at += 1;
        }
        self.chars.get(start..self.at).unwrap_or_default().iter().collect()
    }

    fn name(&mut self) -> Result<String, GateTextError> {
        const EXPECTED: &str = "a metric";
        if !self.takes("\"") {
            let name = self.plain();
            return if name.is_empty() { Err(self.error(EXPECTED)) } else { Ok(name) };
        }
        let mut name = String::new();
        loop {
            let c = self.peek().ok_or_else(|| self.error("\""))?;
            self.at += 1;
            match c {
                '"' => return Ok(name),
                '\\' => {
                    name.push(self.peek().ok_or_else(|| self.error("\""))?);
                    self.at += 1;
                }
                c => name.push(c),
            }
        }
    }

    fn number(&mut self) -> Result<f64, GateTextError> {
        self.space();
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'))
        {
            self.at += 1;
        }
        let text: String = self.chars.get(start..self.at).unwrap_or_default().iter().collect();
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| {
            self.at = start;
            self.error("a number")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for text in [
            "avg_score(quality) >= 0.75",
            "accuracy(*, 0.8) > 66.6",
            "weighted p95(quality: 2; \"odd \\\"name\\\" ü\": 0) < 1",
            "min(a/b-c.d) = 0 and max(*) <= 1",
            "(p50(a) > 0.5 or p99(a) > 0.9) and pass_percent(a) >= 80",
            "min(a) > 0 and (max(b) > 1 or (min(c) > 2 and min(d) > 3))",
        ] {
            let rule = parse_gate(text).unwrap();
            assert_eq!(gate_text(&rule), text);
            assert_eq!(parse_gate(&gate_text(&rule)), Ok(rule));
        }
    }

    #[test]
    fn and_binds_tighter_than_or_and_shorthands_are_understood() {
        let rule = parse_gate("min(a)>0 or min(b)>0 and median(c)≥1").unwrap();
        assert_eq!(gate_text(&rule), "min(a) > 0 or (min(b) > 0 and p50(c) >= 1)");
        assert_eq!(
            gate_text(&parse_gate("accuracy(android) == 1").unwrap()),
            "accuracy(android, 1) = 1"
        );
    }

    #[test]
    fn what_is_no_gate_is_named_by_place() {
        for (text, at, expected) in [
            ("", 0, "avg_score"),
            ("avg_score", 9, "("),
            ("avg_score(", 10, "a metric"),
            ("avg_score(a) 1", 13, ">"),
            ("avg_score(a) > x", 15, "a number"),
            ("avg_score(a) > 1 min", 17, "and, or"),
            ("weighted min(a) > 1", 14, ": and"),
            ("p101(a) > 1", 0, "avg_score"),
            ("min(a) > inf", 9, "a number"),
            ("(min(a) > 1", 11, ")"),
            ("min(\"a", 6, "\""),
        ] {
            let err = parse_gate(text).unwrap_err();
            assert_eq!(err.at, at, "{text}: {err}");
            assert!(err.expected.starts_with(expected), "{text}: {err}");
        }
        assert!(parse_gate(&"(".repeat(100_000)).is_err());
    }
}
