//! Tables of declared figures: parts that are declared only, models, metrics, rates, errors, spreads.

use super::part_table::{PartColumn, cost_cell, count, passed_cell, table, word};
use super::sheet::{DeclaredPart, natural};
use crate::input::json::f64_from_value;
use crate::report::cells::{has_unit_scores, mean_interval_cell};
use crate::report::table::Column;
use crate::report::{Cell, Link, Num, Table, Target};
use crate::words::report::declared as words;
use crate::workspace::Entry;

/// Repeats, models, checkpoints that are declared only.
pub(in crate::report) fn beside_rows(entry: &Entry) -> Vec<Table> {
    let sheet = entry.declared();
    let is_alone = entry.is_declared_only();
    let caption = |what: &str| {
        if is_alone { words::as_declared(what) } else { words::totals_only(what) }
    };
    let evaluation = Some(&entry.evaluation);
    let mut tables = Vec::new();
    let mut add = |id: &str, what: &str, names: Vec<PartColumn<'_>>, parts: Vec<&DeclaredPart>| {
        if !parts.is_empty() {
            let parts: Vec<_> = parts.into_iter().map(|part| (part, None)).collect();
            tables.push(table((id, &caption(what)), names, evaluation, &parts));
        }
    };
    let run = |part: &DeclaredPart| Some(Cell::Text(words::run_name(part.repeat?)));
    let model = |part: &DeclaredPart| part.subject.clone().map(Cell::Text);
    // One repeat alone is what the headlines say.
    let repeats: Vec<_> = sheet.repeats().collect();
    let is_plain = is_alone && repeats.len() == 1;
    add(
        "declared-repeats",
        words::REPEATS,
        vec![word(words::REPEAT, run)],
        if is_plain { Vec::new() } else { repeats },
    );
    let models = sheet.parts.iter().filter(|part| part.repeat.is_none() && part.subject.is_some());
    add("declared-models", words::MODELS, vec![word(words::MODEL, model)], models.collect());
    let runs: Vec<_> = sheet.runs().collect();
    let is_many = runs.iter().any(|part| part.repeat != Some(1));
    let mut names = vec![word(words::MODEL, model)];
    names.extend(is_many.then(|| word(words::REPEAT, run)));
    add("declared-runs", if is_many { words::RUNS } else { words::MODELS }, names, runs);
    let names = vec![
        word(words::PROBLEM, |part| part.suite.clone().map(Cell::Text)),
        word(words::CHECKPOINT, |part| part.variant.clone().map(Cell::Text)),
    ];
    add("declared-checkpoints", words::CHECKPOINTS, names, sheet.checkpoints().collect());
    tables
}

/// The models of every evaluation that declares some, beside each other; `None` without two rows.
pub(in crate::report) fn models_of_all(entries: &[Entry]) -> Option<Table> {
    let named: Vec<(String, DeclaredPart, Option<Link>)> = entries
        .iter()
        .flat_map(|entry| {
            let link = Some(Link::Target(Target::Evaluation(entry.id)));
            let label = entry.evaluation.label.clone();
            let parts = entry.declared().subjects().into_iter();
            parts.map(move |part| (label.clone(), part, link.clone()))
        })
        .collect();
    if named.len() < 2 {
        return None;
    }
    let parts: Vec<(&DeclaredPart, Option<Link>)> =
        named.iter().map(|(_, part, link)| (part, link.clone())).collect();
    let names = vec![word(words::MODEL, |part| {
        part.subject.clone().map(Cell::Text).or(Some(Cell::Text("–".to_owned())))
    })];
    let caption = words::totals_only(words::MODELS);
    let mut table = table(("declared-everywhere", &caption), names, None, &parts);
    table.columns.insert(0, Column::words(words::EVALUATION));
    for (row, (label, ..)) in table.rows.iter_mut().zip(&named) {
        row.cells.insert(0, Cell::Text(label.clone()));
    }
    Some(table)
}

/// Score, cases that pass and cost of an evaluation without cases, for a row of a table.
pub(in crate::report) fn evaluation_cells(entry: &Entry) -> Option<[Cell; 3]> {
    if !entry.is_declared_only() {
        return None;
    }
    let missing = |why: &str| Cell::Missing(why.to_owned());
    let score = super::measure::score_of(entry).map(Cell::Number);
    let sheet = entry.declared();
    let main = main_part(entry);
    let passed = main.as_ref().and_then(passed_cell);
    let cost = main.as_ref().and_then(cost_cell);
    let why = if sheet.subjects().len() > 1 { words::PER_MODEL } else { words::NOT_STATED };
    Some([
        score.map_or_else(|| missing(why), Cell::declared),
        passed.map_or_else(|| missing(why), Cell::declared),
        cost.map_or_else(|| missing(words::NO_COST), Cell::declared),
    ])
}

/// The part that stands for a whole evaluation: all together, its only repeat, its only model.
pub(super) fn main_part(entry: &Entry) -> Option<DeclaredPart> {
    let sheet = entry.declared();
    let mut repeats = sheet.repeats();
    let only = repeats.next().filter(|_| repeats.next().is_none());
    sheet.whole().or(only).cloned().or_else(|| match sheet.subjects().as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    })
}

/// Metrics of the part that stands for the evaluation.
pub(super) fn metrics(entry: &Entry, part: &DeclaredPart) -> Option<Table> {
    let has = |get: &dyn Fn(&super::DeclaredMetric) -> Option<Num>| {
        part.metrics.iter().any(|metric| get(metric).is_some())
    };
    let mut columns = vec![
        Column::words(words::METRIC),
        Column::numbers(words::MEAN_ATTEMPTED, words::MEAN_ATTEMPTED_HINT),
    ];
    let has_total = has(&|metric| metric.mean_total);
    let (has_rate, has_counts) = (has(&|metric| metric.pass_rate), has(&|metric| metric.passed));
    columns.extend(has_total.then(|| Column::numbers(words::MEAN_TOTAL, words::MEAN_TOTAL_HINT)));
    columns
        .extend(has_counts.then(|| Column::numbers(words::PASSED, words::PASSED_BY_METRIC_HINT)));
    columns.extend(
        has_rate.then(|| Column::numbers(words::PASS_RATE, words::PASS_RATE_BY_METRIC_HINT)),
    );
    let mut table = Table::new("declared-metrics", words::METRICS, columns);
    for metric in &part.metrics {
        let cell = |found: Option<Num>, make: fn(Num) -> Cell| {
            Cell::or_missing(found, make, words::NOT_STATED)
        };
        let label = entry.evaluation.config.label_of(&metric.name).to_owned();
        let mut cells = vec![Cell::Text(label), cell(metric.mean_attempted, Cell::Bar)];
        cells.extend(has_total.then(|| cell(metric.mean_total, Cell::Number)));
        cells.extend(has_counts.then(|| {
            let both = metric.passed.and_then(natural).zip(metric.failed.and_then(natural));
            let share =
                both.map(|(passed, failed)| Cell::Share { part: passed, whole: passed + failed });
            let found = share.or_else(|| count(metric.passed));
            found.unwrap_or_else(|| Cell::Missing(words::NOT_STATED.to_owned()))
        }));
        cells.extend(has_rate.then(|| cell(metric.pass_rate, Cell::Rate)));
        table.row(cells);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Mean pass rates of a run directory by kind of test, from its summary.
pub(super) fn rates(summary: &serde_json::Value) -> Option<Table> {
    let mut table = Table::new(
        "declared-rates",
        words::RATES,
        vec![
            Column::words(words::TESTS),
            Column::numbers(words::OVER_CHECKPOINTS, words::OVER_CHECKPOINTS_HINT),
            Column::numbers(words::OVER_PROBLEMS, words::OVER_PROBLEMS_HINT),
        ],
    );
    for kind in ["total", "core", "functionality", "regression", "error"] {
        let rate = |over: &str| {
            let found = summary.get("pass_rates")?.get(over)?.get(kind);
            found.and_then(f64_from_value).map(Num)
        };
        let rates = [rate("checkpoint"), rate("problem")];
        if rates.iter().any(Option::is_some) {
            let cell = |found| Cell::or_missing(found, Cell::Rate, words::NOT_STATED);
            let [checkpoint, problem] = rates.map(cell);
            table.row(vec![Cell::Text(kind.to_owned()), checkpoint, problem]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Errors of the part that stands for the evaluation.
pub(super) fn errors(part: &DeclaredPart) -> Option<Table> {
    let mut table = Table::new(
        "declared-errors",
        words::ERROR_TABLE,
        vec![
            Column::words(words::BY),
            Column::words(words::NAME),
            Column::numbers(words::CASES, ""),
        ],
    );
    for (by, counts) in [
        (words::BY_CATEGORY, &part.errors_by_category),
        (words::BY_EXCEPTION, &part.errors_by_type),
    ] {
        for (name, n) in counts {
            let n = count(Some(*n)).unwrap_or(Cell::Number(*n));
            table.row(vec![Cell::Text(by.to_owned()), Cell::Text(name.clone()), n]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// A figure as the page calls it; exports keep the names that they have always had.
fn figure_words(figure: &str) -> String {
    match figure {
        "Mean attempted" => words::MEAN_ATTEMPTED.to_owned(),
        "Mean of all" => words::MEAN_TOTAL.to_owned(),
        other => other.replace(", mean of all", words::OF_ALL_CASES),
    }
}

/// Spread over runs, as declared, with both intervals; `None` where nothing has one.
pub(in crate::report) fn spreads(entry: &Entry) -> Option<Table> {
    let spreads = &entry.declared().spreads;
    let is_many = spreads.iter().any(|spread| spread.subject.is_some());
    let mut columns: Vec<Column> =
        is_many.then(|| Column::words(words::MODEL)).into_iter().collect();
    columns.extend([
        Column::words(words::FIGURE),
        Column::numbers(words::RUNS, ""),
        Column::numbers(words::MEAN, ""),
        Column::numbers(words::STD, words::STD_HINT),
        Column::numbers(words::MIN, ""),
        Column::numbers(words::MAX, ""),
        Column::numbers(words::NORMAL_INTERVAL, words::NORMAL_INTERVAL_HINT),
        Column::numbers(words::T_INTERVAL, words::T_INTERVAL_HINT),
        Column::words(words::STATED_IN),
    ]);
    let id = format!("declared-spread-{}", entry.id);
    let mut table = Table::new(&id, words::SPREADS, columns);
    let is_unit = has_unit_scores(&entry.evaluation);
    for spread in spreads {
        let cell = |found: Option<Num>| Cell::or_missing(found, Cell::Number, words::NOT_STATED);
        let mut cells: Vec<Cell> = Vec::new();
        if is_many {
            cells.push(Cell::words(spread.subject.as_deref(), words::ALL_MODELS));
        }
        cells.push(Cell::Text(figure_words(&spread.figure)));
        cells.push(spread.n.map_or_else(|| Cell::Missing(words::NO_N.to_owned()), Cell::Count));
        cells.extend([spread.mean, spread.std, spread.min, spread.max].map(cell));
        for ends in [spread.normal95, spread.t95] {
            cells.push(match spread.n {
                Some(n) => mean_interval_cell(ends, n, is_unit && spread.is_share()),
                None => Cell::Missing(words::NO_N.to_owned()),
            });
        }
        let file = spread.file.clone();
        cells.push(Cell::Text(if spread.is_made { words::FROM_RUNS.to_owned() } else { file }));
        table.row(cells);
    }
    (!table.rows.is_empty()).then_some(table)
}
