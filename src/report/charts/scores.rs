//! Where scores lie: of all cases, and by metric.

use super::outcomes::tone;
use super::{ChartFigure, MarkLinks, between, left_out};
use crate::chart::{
    Axis, Bin, Chart, Histogram, HistogramLine, Range, Ridge, Ridges, StackPart, Unit, edges,
};
use crate::format;
use crate::model::{CaseTable, F64, MeanOver, Run, ValueColumn};
use crate::order::Order as _;
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Num, Outcome, Table};
use crate::stats;
use crate::words::report::charts::{common, scores as words};
use std::collections::HashMap;

/// Metrics that are drawn.
const MAX_METRICS: usize = 12;
/// Scores from which on bins are half as wide.
const MANY: usize = 400;

/// An axis of scores: 0 to 1, unless some lie beyond.
pub(super) fn score_axis(label: &str, values: &[f64]) -> Axis {
    let is_share = values.iter().all(|value| (0.0..=1.0).contains(value));
    Axis::new(label, Unit::Score, if is_share { Range::Whole } else { Range::Free })
}

/// The values in `column` of which `is_wanted` says yes, each with the outcome of its case.
pub(super) fn with_outcomes(
    runs: &[&Run],
    column: impl Fn(&CaseTable) -> &ValueColumn<F64>,
    is_wanted: impl Fn(f64) -> bool,
) -> Vec<(f64, Outcome)> {
    let mut found = Vec::new();
    for run in runs {
        let (values, outcome_of) = (column(&run.cases).cells(), run.cases.outcomes());
        let known =
            (0..run.cases.len()).filter_map(|idx| Some((values.get(idx)?, outcome_of(idx))));
        found.extend(known.filter(|(value, _)| is_wanted(*value)));
    }
    found
}

/// The bins of `values`, each opening what `link` says of its edges, and split by outcome where that says something.
pub(super) fn bins(
    axis: &Axis,
    values: &[(f64, Outcome)],
    n_most: u32,
    links: &mut MarkLinks,
    link: impl Fn(f64, f64, bool) -> Option<super::Link>,
) -> Vec<Bin> {
    let all = || values.iter().map(|(value, _)| *value);
    let low = all().min_by(f64::total_cmp).unwrap_or(0.0);
    let high = all().max_by(f64::total_cmp).unwrap_or(0.0);
    let edges = edges(axis, low, high, n_most);
    let mut own = [const { Vec::new() }; Outcome::ALL.len()];
    for (value, outcome) in values {
        if let Some(own) = own.get_mut(outcome.index()) {
            own.push(*value);
        }
    }
    let of = |(outcome, own): (Outcome, &Vec<f64>)| (outcome, stats::bin_counts(own, &edges));
    let by_outcome: Vec<(Outcome, Vec<u64>)> =
        Outcome::ALL.iter().copied().zip(&own).map(of).collect();
    let is_judged =
        values.iter().any(|(_, outcome)| !matches!(outcome, Outcome::Scored | Outcome::Unscored));
    let pairs = edges.iter().zip(edges.iter().skip(1));
    let n_bins = edges.len().saturating_sub(1);
    pairs
        .enumerate()
        .map(|(at, (&low, &high))| {
            let own = by_outcome
                .iter()
                .map(|(outcome, counts)| (*outcome, counts.get(at).copied().unwrap_or_default()));
            let n = own.clone().map(|(_, n)| n).sum();
            let part = |(outcome, n): (Outcome, u64)| StackPart {
                name: outcome.as_str().to_owned(),
                tone: tone(outcome),
                n,
                link: None,
            };
            let parts = own.filter(|(_, n)| is_judged && *n > 0).map(part).collect();
            let opens = (n > 0).then(|| link(low, high, at + 1 == n_bins)).flatten();
            Bin { low, high, n, parts, link: links.add(opens) }
        })
        .collect()
}

/// Edges, count and outcomes of each bin; `cell` makes an edge.
pub(super) fn bin_table(
    id: &str,
    caption: &str,
    bins: &[Bin],
    things: &str,
    cell: fn(Num) -> Cell,
    links: &MarkLinks,
) -> Table {
    let mut columns = vec![
        Column::numbers(words::FROM, words::FROM_HINT),
        Column::numbers(words::TO, words::TO_HINT),
        Column::numbers(things, ""),
    ];
    let is_in =
        |bin: &Bin, outcome: &Outcome| bin.parts.iter().any(|part| part.name == outcome.as_str());
    let used: Vec<Outcome> = Outcome::ALL
        .iter()
        .copied()
        .filter(|outcome| bins.iter().any(|bin| is_in(bin, outcome)))
        .collect();
    columns.extend(used.iter().map(|outcome| Column::numbers(outcome.as_str(), "")));
    let mut table = Table::new(id, caption, columns);
    for bin in bins {
        let link = bin.link.and_then(|at| links.0.get(usize::try_from(at).ok()?)).cloned();
        let mut cells =
            vec![cell(Num(bin.low)), cell(Num(bin.high)), Cell::Count(bin.n).opening(link)];
        cells.extend(used.iter().map(|outcome| {
            let own = bin.parts.iter().find(|part| part.name == outcome.as_str());
            Cell::Count(own.map_or(0, |part| part.n))
        }));
        table.row(cells);
    }
    table
}

/// The scores of all cases.
pub(super) fn histogram(scope: &PageScope<'_>) -> Option<ChartFigure> {
    const ID: &str = "chart-scores";
    let runs = scope.runs();
    let n_cases: usize = runs.iter().map(|run| run.cases.len()).sum();
    let cases = with_outcomes(&runs, |cases| &cases.score, f64::is_finite);
    let values: Vec<f64> = cases.iter().map(|(score, _)| *score).collect();
    if n_cases == 0 {
        return None;
    }
    if values.is_empty() {
        return Some(ChartFigure::empty(ID, words::SCORES, words::NO_CASE));
    }
    let (drawn, beyond) = without_outliers(&cases);
    let axis =
        score_axis(common::SCORE, &drawn.iter().map(|(score, _)| *score).collect::<Vec<f64>>());
    let n_most = if values.len() > MANY { 20 } else { 10 };
    let mut links = MarkLinks::default();
    let bins = bins(&axis, &drawn, n_most, &mut links, |low, high, is_last| {
        Some(between("score", low, high, is_last))
    });
    // Means are over attempted cases, as the producer counts them; these are all that have a score.
    let median =
        stats::median(&values).map(|at| HistogramLine { at, label: common::MEDIAN.to_owned() });
    let rules = median.into_iter().collect();
    let without = left_out((n_cases - values.len()) as u64, words::WITHOUT);
    let lead = words::scores_lead(values.len() as u64, &format!("{beyond}{without}"));
    let mut table = bin_table(ID, words::SCORES, &bins, common::CASES, Cell::Number, &links);
    table.footnote = (!beyond.is_empty()).then(|| beyond.trim_start().to_owned());
    let things = common::CASE_NAMES.map(str::to_owned);
    let chart = Chart::Histogram(Histogram { axis, things, bins, rules });
    Some(ChartFigure::new(words::SCORES, lead, chart, links, table))
}

/// Scores far outside of 0–1 are left out where nine in ten lie within, of which nothing would be seen; and the
/// sentence that says so, with a space before it.
fn without_outliers(cases: &[(f64, Outcome)]) -> (Vec<(f64, Outcome)>, String) {
    let is_within = |score: f64| (0.0..=1.0).contains(&score);
    let (within, others): (Vec<_>, Vec<_>) = cases.iter().partition(|(score, _)| is_within(*score));
    let is_far = others.iter().any(|(score, _)| !(-1.0..=2.0).contains(score));
    if !is_far || within.len() < 9 * others.len() {
        return (cases.to_vec(), String::new());
    }
    let ends = others.iter().map(|(score, _)| *score);
    let low = ends.clone().fold(f64::INFINITY, f64::min);
    let high = ends.fold(f64::NEG_INFINITY, f64::max);
    let [low, high] = [low, high].map(|end| format::number(end, 3));
    let why = if low == high { words::outside_at(&low) } else { words::outside_from(&low, &high) };
    (within, left_out(others.len() as u64, &why))
}

/// The scores of each metric that its mean covers, when there are several metrics.
pub(super) fn by_metric(scope: &PageScope<'_>) -> Option<ChartFigure> {
    const ID: &str = "chart-metrics";
    let mut values: Vec<(String, Vec<f64>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (entry, idxs) in &scope.parts {
        let config = &entry.evaluation.config;
        for run in idxs.iter().filter_map(|&idx| entry.evaluation.runs.get(idx)) {
            let checks = &run.checks;
            if checks.score.array().is_none() {
                continue;
            }
            let (scores, cases) = (checks.score.cells(), checks.case_idx.cells());
            let is_attempted = run.attempted();
            let names: Vec<&str> = checks.name.words().collect();
            // Where the scores of each name are, once there is one.
            let mut own: Vec<Option<usize>> = vec![None; names.len()];
            for (at, code) in checks.name.codes().enumerate() {
                let named = code.and_then(|code| names.get(code).zip(own.get_mut(code)));
                let score = scores.get(at).filter(|score| score.is_finite());
                let (Some((name, own)), Some(score), Some(case)) = (named, score, cases.get(at))
                else {
                    continue;
                };
                if config.mean_over != MeanOver::Graded && !is_attempted(case as usize) {
                    continue;
                }
                let place = *own.get_or_insert_with(|| {
                    let label = config.label_of(name);
                    *places.entry(label.to_owned()).or_insert_with(|| {
                        values.push((label.to_owned(), Vec::new()));
                        values.len() - 1
                    })
                });
                if let Some((_, values)) = values.get_mut(place) {
                    values.push(score);
                }
            }
        }
    }
    let n_metrics = values.len();
    if n_metrics < 2 {
        return None;
    }
    values.order_by_key(|(_, values)| std::cmp::Reverse(values.len()));
    let all: Vec<f64> = values.iter().flat_map(|(_, values)| values).copied().collect();
    let axis = score_axis(common::SCORE, &all);
    let mut table = Table::new(
        ID,
        words::BY_METRIC,
        vec![
            Column::words(words::METRIC),
            Column::numbers(words::N_SCORES, words::N_SCORES_HINT),
            Column::numbers(words::MEAN, words::MEAN_HINT),
            Column::numbers(words::MEDIAN, ""),
            Column::numbers(words::MINIMUM, ""),
            Column::numbers(words::MAXIMUM, ""),
        ],
    );
    let mut ridges = Vec::new();
    let low = all.iter().copied().min_by(f64::total_cmp).unwrap_or(0.0);
    let high = all.iter().copied().max_by(f64::total_cmp).unwrap_or(1.0);
    let edges = edges(&axis, low, high, 20);
    for (name, values) in &values {
        let mean = stats::mean(values.iter().copied());
        let number =
            |found: Option<f64>| Cell::or_missing(found.map(Num), Cell::Number, common::NO_SCORE);
        table.row(vec![
            Cell::Text(name.clone()),
            Cell::Count(values.len() as u64),
            number(mean),
            number(stats::median(values)),
            number(values.iter().copied().min_by(f64::total_cmp)),
            number(values.iter().copied().max_by(f64::total_cmp)),
        ]);
        if ridges.len() < MAX_METRICS {
            let counts = stats::bin_counts(values, &edges);
            let pairs = edges.iter().zip(edges.iter().skip(1)).zip(counts);
            let bins = pairs
                .map(|((&low, &high), n)| Bin { low, high, n, parts: Vec::new(), link: None })
                .collect();
            ridges.push(Ridge { name: name.clone(), bins, mean });
        }
    }
    let part = if n_metrics > MAX_METRICS {
        words::most_scores(MAX_METRICS, n_metrics)
    } else {
        String::new()
    };
    let lead = words::by_metric_lead(all.len() as u64, n_metrics, &part);
    let things = words::SCORE_NAMES.map(str::to_owned);
    let chart = Chart::Ridges(Ridges { axis, things, ridges });
    Some(ChartFigure::new(words::BY_METRIC, lead, chart, MarkLinks::default(), table))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_far_away_is_left_out_and_named() {
        let of = |scores: &[f64]| {
            let cases: Vec<_> = scores.iter().map(|score| (*score, Outcome::Passed)).collect();
            let (drawn, said) = without_outliers(&cases);
            (drawn.len(), said)
        };
        let within = [0.5; 18];
        assert_eq!(of(&within), (18, String::new()));
        let far = [&within[..], &[-20.0, 100.0]].concat();
        assert_eq!(of(&far), (18, " 2 are left out: outside of 0–1 (−20 to 100).".to_owned()));
        let one = [&within[..], &[1e16]].concat();
        assert!(of(&one).1.starts_with(" 1 is left out"), "{:?}", of(&one));
        // Near ones are drawn, and so are many.
        assert_eq!(of(&[&within[..], &[1.2]].concat()).0, 19);
        assert_eq!(of(&[0.5, 0.5, 0.5, 40.0]).0, 4);
    }
}
