//! Declared parts as a table: a row for each part, a column for each figure that some part states.

use super::sheet::{DeclaredPart, natural};
use crate::model::Evaluation;
use crate::report::table::{Align, Column};
use crate::report::{Cell, Kind, Link, Num, Row, Table};

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

/// Why a value is not there.
pub(super) const NOT_STATED: &str = "not stated in the files";

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
            (field.get)(part).unwrap_or_else(|| Cell::Missing(NOT_STATED.to_owned()))
        };
        let mut cells: Vec<Cell> = fields.iter().map(cell).collect();
        cells.push(Cell::Text(part.file.clone()));
        table.rows.push(Row { cells, link: link.clone() });
    }
    table.columns.push(Column::words("Stated in"));
    table
}

/// Every figure that a part may state, in reading order.
fn figures<'a>(
    evaluation: Option<&'a Evaluation>,
    parts: &[(&DeclaredPart, Option<Link>)],
) -> Vec<PartColumn<'a>> {
    let number = |found: Option<Num>| found.map(Cell::Number);
    let mut fields = vec![
        word("State", |part| part.state.clone().map(Cell::Text)),
        word("Gate", |part| Some(Cell::Text(passed_word(part.gate_passed?).to_owned()))),
        field("Runs", "Number of runs behind these figures", |part| {
            super::spread::n_runs(part).map(Cell::Count)
        }),
        field("Runs passed", "Runs whose gate passes, of all", |part| {
            let whole = super::spread::n_runs(part)?;
            Some(Cell::Share { part: natural(part.repeats_passed?)?, whole })
        }),
        field("Reward", "Mean over cases without error", move |part| number(part.reward)),
        field("Score", "Mean over the metrics that the gate names", move |part| {
            number(part.score.gate)
        }),
        field("Mean (errors left out)", "Mean score over attempted cases", move |part| {
            number(part.score.mean_attempted)
        }),
        field(
            "Mean (errors counted as 0)",
            "Mean over all cases; a missing score counts as 0",
            move |part| number(part.score.mean_total),
        ),
        field("Passed", "Cases that pass, of all", passed_cell),
        field("Pass rate", "Share of tests that pass", |part| {
            part.counts.pass_rate.map(Cell::Rate)
        }),
    ];
    for kind in Kind::ALL {
        fields.push(field(kind.as_str(), "Tests of this kind that pass, of all", move |part| {
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
        fields.push(field(
            &format!("Metric {label}"),
            "Its mean over attempted cases",
            move |part| {
                let metric = part.metrics.iter().find(|metric| metric.name == key)?;
                number(metric.mean_attempted)
            },
        ));
    }
    fields.extend([
        field("Attempted", "Cases that completed without error, of all", |part| {
            let attempted = natural(part.counts.attempted?)?;
            match part.counts.total.and_then(natural) {
                Some(whole) if attempted <= whole => Some(Cell::Share { part: attempted, whole }),
                // Over several runs some releases count one run's cases and all runs' attempts.
                _ => Some(Cell::Count(attempted)),
            }
        }),
        field("Cases", "", |part| {
            let is_shown = part.counts.attempted.is_some() || part.counts.passed.is_some();
            part.counts.total.filter(|_| !is_shown).and_then(natural).map(Cell::Count)
        }),
        field("Errors", "Cases that could not be judged", |part| count(part.counts.error)),
        field("Cost", "", cost_cell),
        field("Prompt tokens", "Tokens read by the model", |part| count(part.usage.prompt_tokens)),
        field("Completion tokens", "Tokens written by the model", |part| {
            count(part.usage.completion_tokens)
        }),
        field("Steps", "Steps of the agent", |part| count(part.usage.n_steps)),
        field("Agent time", "Seconds that the agent worked", |part| {
            part.timing.agent_secs.map(Cell::Secs)
        }),
        field("Mean time", "Mean seconds of a case", |part| part.timing.mean_secs.map(Cell::Secs)),
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
    if is_passed { "passed" } else { "failed" }
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
