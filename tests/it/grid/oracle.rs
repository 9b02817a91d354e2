//! What a filter means, case by case, written without regard to columns: the oracle of the tests.

use crate::support::{at, number, report_of};
use evalglass::report::filter::{Expr, Field, Term};
use evalglass::report::{CaseLine, CaseQuery};
use evalglass::worker::core::Core;

/// A case with everything that a filter can ask about: the row of the table, and the case of the
/// exported report.
pub struct Case {
    pub line: CaseLine,
    checks: Vec<(String, Option<f64>)>,
    error: [Option<String>; 3],
}

/// Every case of `core`, in the order of the files.
pub fn cases(core: &Core) -> Vec<Case> {
    let mut lines = Vec::new();
    loop {
        let offset = lines.len() as u64;
        let query = CaseQuery { offset, limit: 500, ..CaseQuery::default() };
        let page = core.cases(&query).expect("everything is there");
        lines.extend(page.rows);
        if lines.len() as u64 == page.n_total {
            break;
        }
    }
    let report = report_of(core);
    let runs = report["runs"].as_array().unwrap();
    let exported = runs.iter().flat_map(|run| run["cases"].as_array().unwrap());
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let cases: Vec<Case> = lines
        .into_iter()
        .zip(exported)
        .map(|(line, case)| Case {
            checks: case["checks"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|check| (text(&check["name"]).unwrap_or_default(), number(&check["score"])))
                .collect(),
            error: ["message", "type", "category"]
                .map(|key| text(at(case, &format!("error.{key}")))),
            line,
        })
        .collect();
    let n_exported: usize = runs.iter().map(|run| run["cases"].as_array().unwrap().len()).sum();
    assert_eq!(cases.len(), n_exported);
    cases
}

fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// `text` as a number of `field`.
fn read(field: &Field, text: &str) -> f64 {
    let split = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '-' | '$' | 'e'));
    let (digits, unit) = text.split_at(split.unwrap_or(text.len()));
    let value: f64 = digits.trim_start_matches('$').parse().unwrap();
    match (field, unit) {
        (_, "") | (Field::Duration, "s") => value,
        (Field::Duration, "ms") => value / 1000.0,
        (Field::Duration, "m") => value * 60.0,
        (Field::Tokens, "k") => value * 1000.0,
        (Field::Score | Field::MetricScore(_), "%") => value / 100.0,
        other => panic!("{other:?}"),
    }
}

impl Case {
    fn words(&self, field: &Field) -> Vec<String> {
        let line = &self.line;
        match field {
            Field::Outcome => vec![line.outcome.to_string()],
            Field::Group => line.group.clone().into_iter().collect(),
            Field::Kind => line.kind.map(|kind| kind.to_string()).into_iter().collect(),
            Field::Run => vec![line.run_label.clone()],
            Field::Suite => line.suite.clone().into_iter().collect(),
            Field::Model => line.model.clone().into_iter().collect(),
            Field::Variant => line.variant.clone().into_iter().collect(),
            Field::Id => vec![line.id.clone()],
            Field::Tag => line.tags.clone(),
            Field::Metric => self.checks.iter().map(|(name, _)| name.clone()).collect(),
            Field::Error => self.error.iter().skip(1).flatten().cloned().collect(),
            other => panic!("{other:?} has no words"),
        }
    }

    fn numbers(&self, field: &Field) -> Vec<f64> {
        let line = &self.line;
        let one = |found: Option<f64>| found.into_iter().collect();
        match field {
            Field::Score => one(line.score.map(|score| score.0)),
            Field::Duration => one(line.duration_secs.map(|secs| secs.0)),
            Field::Tokens => one(line.tokens.map(|tokens| tokens.0)),
            Field::Cost => one(line.cost_usd.map(|cost| cost.0)),
            Field::Attempts => one(line.n_attempts.map(f64::from)),
            Field::Checks => one((line.n_checks > 0).then_some(line.n_failed_checks as f64)),
            Field::Repeat => vec![f64::from(line.repeat)],
            Field::MetricScore(name) => {
                let named = self.checks.iter().filter(|(known, _)| known == name);
                named.filter_map(|(_, score)| *score).collect()
            }
            other => panic!("{other:?} has no numbers"),
        }
    }

    fn is_number(field: &Field) -> bool {
        matches!(
            field,
            Field::Score
                | Field::Duration
                | Field::Tokens
                | Field::Cost
                | Field::Attempts
                | Field::Checks
                | Field::Repeat
                | Field::MetricScore(_)
        )
    }

    fn has(&self, name: &str) -> bool {
        match name {
            "error" => self.error.iter().any(Option::is_some),
            "group" => self.line.group.is_some(),
            "tag" => !self.line.tags.is_empty(),
            "score" => self.line.score.is_some(),
            "duration" => self.line.duration_secs.is_some(),
            "tokens" => self.line.tokens.is_some(),
            "cost" => self.line.cost_usd.is_some(),
            "attempts" => self.line.n_attempts.is_some(),
            "checks" => self.line.n_checks > 0,
            other => panic!("{other}"),
        }
    }

    /// Whether the case is one that `expr` keeps.
    pub fn is_kept_by(&self, expr: &Expr) -> bool {
        match expr {
            Expr::All(parts) => parts.iter().all(|part| self.is_kept_by(part)),
            Expr::Any(parts) => parts.iter().any(|part| self.is_kept_by(part)),
            Expr::Not(inner) => !self.is_kept_by(inner),
            Expr::Term(term) => self.meets(term),
        }
    }

    fn meets(&self, term: &Term) -> bool {
        match term {
            Term::Words(text) => {
                let fields = [Field::Run, Field::Variant, Field::Group, Field::Id, Field::Error];
                fields
                    .into_iter()
                    .any(|field| self.meets(&Term::Contains { field, text: text.clone() }))
            }
            Term::Contains { field, text } => {
                let mut words = self.words(field);
                if *field == Field::Error {
                    words.extend(self.error[0].clone());
                }
                words.iter().any(|word| lower(word).contains(&lower(text)))
            }
            Term::Is { field: Field::Has, values, .. } => values.iter().any(|name| self.has(name)),
            Term::Is { field, values, .. } if Self::is_number(field) => {
                values.iter().any(|value| {
                    let numbers = self.numbers(field);
                    if value.is_empty() {
                        numbers.is_empty()
                    } else {
                        numbers.contains(&read(field, value))
                    }
                })
            }
            Term::Is { field, is_exact, values } => values.iter().any(|value| {
                let words = self.words(field);
                match (value.is_empty(), field) {
                    (true, Field::Error) => !self.has("error"),
                    (true, _) => words.is_empty(),
                    _ if *is_exact => words.contains(value),
                    _ => words.iter().any(|word| lower(word) == lower(value)),
                }
            }),
            Term::Compares { field, how, value } => {
                let bound = read(field, value);
                self.numbers(field).into_iter().any(|number| how.holds(number, bound))
            }
        }
    }
}
