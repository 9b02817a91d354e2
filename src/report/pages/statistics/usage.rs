//! Tokens and cost by run. A price that is not known is no price of 0.

use super::{MAX_ROWS, named_runs, run_name};
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Num, Row, Section, Table};
use crate::scoring::UsageTotals;
use crate::stats;
use crate::words::report::statistics::{self, usage as words};

/// The section; `None` when no file states any usage.
pub(super) fn section(scope: &PageScope<'_>) -> Option<Section> {
    let mut table = Table::new(
        "usage",
        words::CAPTION,
        vec![
            Column::words(statistics::RUN),
            Column::numbers(words::PROMPT, words::PROMPT_HINT),
            Column::numbers(words::COMPLETION, words::COMPLETION_HINT),
            Column::numbers(words::CACHED, words::CACHED_HINT),
            Column::numbers(words::CACHE_WRITE, words::CACHE_WRITE_HINT),
            Column::numbers(words::REASONING, words::REASONING_HINT),
            Column::numbers(statistics::STEPS, words::STEPS_HINT),
            Column::numbers(statistics::COST, words::COST_HINT),
            Column::numbers(words::PRICE_UNKNOWN, words::PRICE_UNKNOWN_HINT),
            Column::numbers(words::PER_CASE, words::PER_CASE_HINT),
        ],
    );
    let mut all: Vec<UsageTotals> = Vec::new();
    let mut steps: Vec<f64> = Vec::new();
    let mut n_cases = 0;
    for (entry, idx, run, link) in named_runs(scope) {
        let Some(figures) = entry.figures.runs.get(idx) else { continue };
        let Some(usage) = &figures.totals.usage else { continue };
        let own_steps = run.usage.and_then(|usage| usage.n_steps);
        steps.extend(own_steps);
        n_cases += figures.totals.counts.total;
        table.rows.push(Row {
            cells: cells(
                run_name(scope, entry, run),
                usage,
                own_steps,
                figures.totals.counts.total,
            ),
            link,
        });
        all.push(usage.clone());
    }
    if all.is_empty() {
        return None;
    }
    if all.len() > 1 {
        let n_steps = (!steps.is_empty()).then(|| stats::sum(steps));
        table.last_row(cells(words::ALL.to_owned(), &sum(&all), n_steps, n_cases));
    }
    table.drop_unknown(&[words::CACHED, words::CACHE_WRITE, words::REASONING, statistics::STEPS]);
    table.cap(MAX_ROWS, statistics::CUT_RUNS);
    let is_partial = all.iter().any(|usage| usage.cost_missing > 0);
    let lead = if is_partial { words::LEAD_PARTIAL } else { words::LEAD };
    Some(Section {
        title: words::TITLE.to_owned(),
        lead: Some(lead.to_owned()),
        tables: vec![table],
        ..Section::default()
    })
}

fn cells(name: String, usage: &UsageTotals, steps: Option<f64>, n_cases: u64) -> Vec<Cell> {
    let tokens = |n: Option<Num>| Cell::or_missing(n, Cell::Number, words::NO_TOKENS);
    let is_lower_bound = usage.cost_missing > 0;
    let cost = |amount: Option<Num>| match amount {
        Some(amount) => Cell::Usd { amount, is_lower_bound },
        None if is_lower_bound => Cell::Missing(words::NO_PRICE.to_owned()),
        None => Cell::Missing(words::NO_COST.to_owned()),
    };
    #[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
    let per_case = usage.cost_usd.filter(|_| n_cases > 0).map(|cost| Num(cost.0 / n_cases as f64));
    vec![
        Cell::Text(name),
        tokens(usage.prompt_tokens),
        tokens(usage.completion_tokens),
        tokens(usage.cached_input_tokens),
        tokens(usage.cache_write_tokens),
        tokens(usage.reasoning_tokens),
        Cell::or_missing(steps.map(Num), Cell::Number, words::NO_STEPS),
        cost(usage.cost_usd),
        Cell::Count(usage.cost_missing),
        cost(per_case),
    ]
}

/// Sums over the runs that say.
fn sum(all: &[UsageTotals]) -> UsageTotals {
    let of = |get: fn(&UsageTotals) -> Option<Num>| {
        let found: Vec<f64> = all.iter().filter_map(get).map(|n| n.0).collect();
        (!found.is_empty()).then(|| Num(stats::sum(found)))
    };
    UsageTotals {
        prompt_tokens: of(|usage| usage.prompt_tokens),
        completion_tokens: of(|usage| usage.completion_tokens),
        cached_input_tokens: of(|usage| usage.cached_input_tokens),
        cache_write_tokens: of(|usage| usage.cache_write_tokens),
        reasoning_tokens: of(|usage| usage.reasoning_tokens),
        cost_usd: of(|usage| usage.cost_usd),
        steps: of(|usage| usage.steps),
        cost_missing: all.iter().map(|usage| usage.cost_missing).sum(),
    }
}
