//! What rewards are made of (letta-evals from 0.21), as far as the grades show it.

use crate::model::{Config, RewardRule, Run};
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Num, Table};
use crate::stats;
use crate::words::report::rules::{METRIC, tables as words};
use crate::workspace::Entry;

/// A relation holds when it is off by no more than this.
const TOLERANCE: f64 = 1e-9;

/// Most metrics that a linear relation is looked for in.
const MAX_METRICS: usize = 8;

/// One table for each evaluation of `scope` that has rewards.
pub(super) fn reward_tables(scope: &PageScope<'_>) -> Vec<Table> {
    let of_part = |(entry, idxs): &(&Entry, Vec<usize>)| {
        let config = &entry.evaluation.config;
        let rule = config.reward.as_ref()?;
        let runs: Vec<&Run> =
            idxs.iter().filter_map(|&idx| entry.recorded_runs().get(idx)).collect();
        let mut table = reward_table(&entry.evaluation.label, rule, config, &runs);
        table.id = format!("rewards-{}", entry.id);
        Some(table)
    };
    scope.parts.iter().filter_map(of_part).collect()
}

/// Reward and grades of one case.
struct Graded {
    reward: f64,
    /// By metric, in the configuration's order.
    grades: Vec<Option<f64>>,
}

fn graded(config: &Config, runs: &[&Run]) -> Vec<Graded> {
    let mut rows = Vec::new();
    for run in runs {
        for idx in (0..run.cases.len()).filter(|&idx| run.is_attempted(idx)) {
            let Some(reward) = run.cases.reward.get(idx) else { continue };
            let grade = |metric: &String| {
                let mut own = run.checks_of(idx);
                let at = own.find(|&at| run.checks.name.get(at) == Some(metric.as_str()))?;
                run.checks.score.get(at)
            };
            rows.push(Graded { reward, grades: config.metrics.iter().map(grade).collect() });
        }
    }
    rows
}

fn reward_table(label: &str, rule: &RewardRule, config: &Config, runs: &[&Run]) -> Table {
    let rows = graded(config, runs);
    let mut table = Table::new(
        "rewards",
        label,
        vec![
            Column::words(METRIC),
            Column::numbers(words::MEAN_GRADE, words::MEAN_GRADE_HINT),
            Column::numbers(words::EQUALS_REWARD, words::EQUALS_REWARD_HINT),
        ],
    );
    for (at, metric) in config.metrics.iter().enumerate() {
        let pairs: Vec<(f64, f64)> = rows
            .iter()
            .filter_map(|row| Some((row.reward, row.grades.get(at).copied().flatten()?)))
            .collect();
        let n_equal = pairs.iter().filter(|(r, g)| (r - g).abs() <= TOLERANCE).count() as u64;
        let mean = stats::mean(pairs.iter().map(|(_, grade)| *grade));
        table.row(vec![
            Cell::Text(metric.clone()),
            Cell::or_missing(mean.map(Num), Cell::Number, words::NO_GRADE),
            Cell::Share { part: n_equal, whole: pairs.len() as u64 },
        ]);
    }
    let said = match rule {
        RewardRule::Metric(metric) => words::reward_is_grade(metric),
        RewardRule::Custom(function) => words::reward_by_function(function),
    };
    let found = match (rule, composition(&rows, config)) {
        (RewardRule::Metric(_), _) => None,
        (_, Some(formula)) => Some(words::reward_found(&formula, rows.len() as u64)),
        (_, None) => Some(words::NO_RELATION.to_owned()),
    };
    table.footnote = Some(match found {
        Some(found) => format!("{said} {found}"),
        None => said,
    });
    table
}

/// `0.5 × a + 0.5 × b`, when that gives every reward from its grades; needs more cases than terms.
fn composition(rows: &[Graded], config: &Config) -> Option<String> {
    let n_metrics = config.metrics.len();
    let whole: Vec<(Vec<f64>, f64)> = rows
        .iter()
        .filter_map(|row| {
            let grades: Option<Vec<f64>> = row.grades.iter().copied().collect();
            grades.map(|grades| (grades, row.reward))
        })
        .collect();
    if n_metrics == 0 || n_metrics > MAX_METRICS || whole.len() != rows.len() {
        return None;
    }
    if whole.len() < n_metrics + 2 {
        return None;
    }
    let weights = least_squares(&whole, n_metrics)?;
    let fits = whole.iter().all(|(grades, reward)| {
        let sum = stats::sum(grades.iter().zip(&weights).map(|(grade, weight)| grade * weight));
        (sum - reward).abs() <= TOLERANCE
    });
    if !fits {
        return None;
    }
    let terms = config.metrics.iter().zip(&weights).filter(|(_, weight)| weight.abs() > TOLERANCE);
    let terms: Vec<String> =
        terms.map(|(metric, weight)| format!("{} × {metric}", rounded(*weight))).collect();
    (!terms.is_empty()).then(|| words::reward_formula(&terms.join(" + ")))
}

/// A weight with at most six decimals.
fn rounded(weight: f64) -> String {
    let text = format!("{weight:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Solves the normal equations by Gaussian elimination; `None` when the grades do not determine the
/// weights.
fn least_squares(rows: &[(Vec<f64>, f64)], n: usize) -> Option<Vec<f64>> {
    let product = |row: usize, column: usize| {
        stats::sum(rows.iter().map(|(grades, reward)| {
            let at = |idx: usize| grades.get(idx).copied().unwrap_or(*reward);
            at(row) * at(column)
        }))
    };
    // Column `n` is the right-hand side: past the grades stands the reward.
    let mut matrix: Vec<Vec<f64>> =
        (0..n).map(|row| (0..=n).map(|column| product(row, column)).collect()).collect();
    for pivot in 0..n {
        let size =
            |row: &usize| matrix.get(*row).and_then(|r| r.get(pivot)).map_or(0.0, |v| v.abs());
        let best = (pivot..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if size(&best) < TOLERANCE {
            return None;
        }
        matrix.swap(pivot, best);
        let lead = matrix.get(pivot)?.clone();
        for row in (0..n).filter(|row| *row != pivot) {
            let cells = matrix.get_mut(row)?;
            let factor = cells.get(pivot)? / lead.get(pivot)?;
            for (cell, of_lead) in cells.iter_mut().zip(&lead) {
                *cell -= factor * of_lead;
            }
        }
    }
    (0..n).map(|row| Some(matrix.get(row)?.get(n)? / matrix.get(row)?.get(row)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(metrics: &[&str]) -> Config {
        let metrics = metrics.iter().map(|metric| (*metric).to_owned()).collect();
        Config { metrics, ..Config::default() }
    }

    fn row(reward: f64, grades: &[f64]) -> Graded {
        Graded { reward, grades: grades.iter().copied().map(Some).collect() }
    }

    #[test]
    fn a_weighted_sum_is_found_and_nothing_is_made_up() {
        let grades = [[1.0, 0.0], [0.5, 1.0], [0.25, 0.75], [0.0, 0.5], [1.0, 1.0]];
        let made: Vec<Graded> = grades.iter().map(|g| row(0.3 * g[0] + 0.7 * g[1], g)).collect();
        let found = composition(&made, &config(&["a", "b"]));
        assert_eq!(found.as_deref(), Some("reward = 0.3 × a + 0.7 × b"));
        let product: Vec<Graded> = grades.iter().map(|g| row(g[0] * g[1], g)).collect();
        assert_eq!(composition(&product, &config(&["a", "b"])), None);
        let same: Vec<Graded> = grades.iter().map(|g| row(g[0], &[g[0], g[0]])).collect();
        assert_eq!(composition(&same, &config(&["a", "b"])), None);
        assert_eq!(composition(&made[..3], &config(&["a", "b"])), None);
    }
}
