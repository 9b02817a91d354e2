//! Declared parts as a table: a row for each part, a column for each figure that some part states.

use super::sheet::{DeclaredPart, natural};
use crate::model::Evaluation;
use crate::report::table::{Align, Column};
use crate::report::{Cell, Kind, Link, Num, Row, Table};
use crate::words::report::declared as words;

/// What a column shows of a part.
type Get<'a> = Box<dyn Fn(&DeclaredPart) -> Option<Cell> + 'a>;

/// A column: its name, its definition, its value of a part.
pub(super) struct PartColumn<'a> {
    label: String,
    hint: &'static str,
    align: Align,
    get: Get<'a>,
}

/// A column of numbers.
fn field<'a>(
    label: &str,
    hint: &'static str,
    get: impl Fn(&DeclaredPart) -> Option<Cell> + 'a,
) -> PartColumn<'a> {
    PartColumn { label: label.to_owned(), hint, align: Align::End, get: Box::new(get) }
}

/// A column of words.
pub(super) fn word<'a>(
    label: &str,
    get: impl Fn(&DeclaredPart) -> Option<Cell> + 'a,
) -> PartColumn<'a> {
    PartColumn { label: label.to_owned(), hint: "", align: Align::Start, get: Box::new(get) }
}

/// A table of `parts`, with `names` before the figures. Its caption says that all of it is declared.
pub(super) fn table(
    (id, caption): (&str, &str),
    names: Vec<PartColumn<'_>>,
    evaluation: Option<&Evaluation>,
    parts: &[(&DeclaredPart, Option<Link>)],
) -> Table {
    let has = |field: &PartColumn<'_>| parts.iter().any(|(part, _)| (field.get)(part).is_some());
    let mut fields = names;
    fields.extend(figures(evaluation, parts).into_iter().filter(has));
    let column = |field: &PartColumn<'_>| Column {
        label: field.label.clone(),
        hint: (!field.hint.is_empty()).then(|| field.hint.to_owned()),
        align: field.align,
    };
    let mut table = Table::new(id, caption, fields.iter().map(column).collect());
    for (part, link) in parts {
        let cell = |field: &PartColumn<'_>| {
            (field.get)(part).unwrap_or_else(|| Cell::Missing(words::NOT_STATED.to_owned()))
        };
        let mut cells: Vec<Cell> = fields.iter().map(cell).collect();
        cells.push(Cell::Text(part.file.clone()));
        table.rows.push(Row { cells, link: link.clone() });
    }
    table.columns.push(Column::words(words::STATED_IN));
    table
}

/// Every figure that a part may state, in reading order.
fn figures<'a>(
    evaluation: Option<&'a Evaluation>,
    parts: &[(&DeclaredPart, Option<Link>)],
) -> Vec<PartColumn<'a>> {
    let number = |found: Option<Num>| found.map(Cell::Number);
    let mut fields = vec![
        word(words::STATE, |part| part.state.clone().map(Cell::Text)),
        word(words::GATE, |part| Some(Cell::Text(passed_word(part.gate_passed?).to_owned()))),
        field(words::RUNS, words::RUNS_COLUMN_HINT, |part| {
            super::spread::n_runs(part).map(Cell::Count)
        }),
        field(words::RUNS_PASSED, words::RUNS_PASSED_COLUMN_HINT, |part| {
            let whole = super::spread::n_runs(part)?;
            Some(Cell::Share { part: natural(part.repeats_passed?)?, whole })
        }),
        field(words::REWARD, words::REWARD_COLUMN_HINT, move |part| number(part.reward)),
        field(words::SCORE, words::SCORE_HINT, move |part| number(part.score.gate)),
        field(words::MEAN_ATTEMPTED, words::MEAN_ATTEMPTED_HINT, move |part| {
            number(part.score.mean_attempted)
        }),
        field(words::MEAN_TOTAL, words::MEAN_TOTAL_HINT, move |part| number(part.score.mean_total)),
        field(words::PASSED, words::PASSED_HINT, passed_cell),
        field(words::PASS_RATE, words::PASS_RATE_HINT, |part| {
            part.counts.pass_rate.map(Cell::Rate)
        }),
    ];
    for kind in Kind::ALL {
        fields.push(field(kind.as_str(), words::KIND_HINT, move |part| {
            let [passed, total] = part.by_kind.get(kind).copied()?;
            Some(Cell::Share { part: natural(passed)?, whole: natural(total)? })
        }));
    }
    let mut metrics: Vec<&str> = Vec::new();
    for metric in parts.iter().flat_map(|(part, _)| &part.metrics) {
        if !metrics.contains(&metric.name.as_str()) {
            metrics.push(&metric.name);
        }
    }
    for name in metrics {
        let label = evaluation.map_or(name, |evaluation| evaluation.config.label_of(name));
        let key = name.to_owned();
        fields.push(field(&words::metric_column(label), words::METRIC_HINT, move |part| {
            let metric = part.metrics.iter().find(|metric| metric.name == key)?;
            number(metric.mean_attempted)
        }));
    }
    fields.extend([
        field(words::ATTEMPTED, words::ATTEMPTED_HINT, |part| {
            let attempted = natural(part.counts.attempted?)?;
            match part.counts.total.and_then(natural) {
                Some(whole) if attempted <= whole => Some(Cell::Share { part: attempted, whole }),
                // Over several runs some releases count one run's cases and all runs' attempts.
                _ => Some(Cell::Count(attempted)),
            }
        }),
        field(words::CASES, "", |part| {
            let is_shown = part.counts.attempted.is_some() || part.counts.passed.is_some();
            part.counts.total.filter(|_| !is_shown).and_then(natural).map(Cell::Count)
        }),
        field(words::ERRORS, words::ERRORS_HINT, |part| count(part.counts.error)),
        field(words::COST, "", cost_cell),
        field(words::PROMPT_TOKENS, words::PROMPT_TOKENS_HINT, |part| {
            count(part.usage.prompt_tokens)
        }),
        field(words::COMPLETION_TOKENS, words::COMPLETION_TOKENS_HINT, |part| {
            count(part.usage.completion_tokens)
        }),
        field(words::STEPS, words::STEPS_HINT, |part| count(part.usage.n_steps)),
        field(words::AGENT_TIME, words::AGENT_TIME_HINT, |part| {
            part.timing.agent_secs.map(Cell::Secs)
        }),
        field(words::MEAN_TIME, words::MEAN_TIME_HINT, |part| {
            part.timing.mean_secs.map(Cell::Secs)
        }),
    ]);
    fields
}

/// A number of things; one with a fraction as it is.
pub(super) fn count(number: Option<Num>) -> Option<Cell> {
    let number = number?;
    Some(natural(number).map_or(Cell::Number(number), Cell::Count))
}

/// Whether a gate passes, in a word.
pub(super) fn passed_word(is_passed: bool) -> &'static str {
    if is_passed { words::GATE_PASSED } else { words::GATE_FAILED }
}

/// Cases that pass, of all where both are natural numbers.
pub(super) fn passed_cell(part: &DeclaredPart) -> Option<Cell> {
    match part.passing() {
        Some((passed, whole)) => Some(Cell::Share { part: passed, whole }),
        None => count(part.counts.passed),
    }
}

/// What it cost; a lower bound where some cases have no price.
pub(super) fn cost_cell(part: &DeclaredPart) -> Option<Cell> {
    let is_lower_bound = part.usage.cost_missing.is_some_and(|missing| missing.0 > 0.0);
    Some(Cell::Usd { amount: part.usage.cost_usd?, is_lower_bound })
}
