//! How cases came out, by group and by kind.

use super::{ChartFigure, MarkLinks, quoted};
use crate::chart::{Chart, Stack, StackPart, Stacks, Tone};
use crate::model::{Dict, Run, ValueColumn};
use crate::order::Order as _;
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Kind, Link, Outcome, Table};
use crate::words::report::charts::{common, outcomes as words};
use std::collections::HashMap;

/// Groups that are drawn.
const MAX_GROUPS: usize = 12;

/// How it looks.
pub(super) fn tone(outcome: Outcome) -> Tone {
    match outcome {
        Outcome::Passed => Tone::Passed,
        Outcome::Failed => Tone::Failed,
        Outcome::Error => Tone::Error,
        Outcome::Skipped => Tone::Skipped,
        Outcome::Scored => Tone::Scored,
        Outcome::Unscored => Tone::Unscored,
    }
}

/// Numbers by outcome, in the order of [`Outcome::ALL`].
pub(super) type OutcomeCounts = [u64; Outcome::ALL.len()];

/// Counts of outcomes by what `name` makes of the word of a case in `column`, in the order of their first case.
fn counts<'a>(
    runs: &[&'a Run],
    column: impl Fn(&'a Run) -> &'a ValueColumn<Dict>,
    name: impl Fn(&'a str) -> Option<&'a str>,
) -> Vec<(Option<&'a str>, OutcomeCounts)> {
    let mut found: Vec<(Option<&str>, OutcomeCounts)> = Vec::new();
    let mut places: HashMap<Option<&str>, usize> = HashMap::new();
    for &run in runs {
        let (column, outcome_of) = (column(run), run.cases.outcomes());
        let names: Vec<Option<&str>> = column.words().map(&name).collect();
        // Of each word, and of no word, where its counts are once a case has it.
        let mut place_of: Vec<Option<usize>> = vec![None; names.len() + 1];
        for (idx, code) in column.codes().enumerate() {
            let code = code.unwrap_or(names.len());
            let Some(place) = place_of.get_mut(code) else { continue };
            let place = *place.get_or_insert_with(|| {
                let name = names.get(code).copied().flatten();
                *places.entry(name).or_insert_with(|| {
                    found.push((name, OutcomeCounts::default()));
                    found.len() - 1
                })
            });
            let counts = found.get_mut(place).map(|(_, counts)| counts);
            if let Some(n) = counts.and_then(|counts| counts.get_mut(outcome_of(idx).index())) {
                *n += 1;
            }
        }
    }
    found
}

/// By group; `None` when no case names one.
pub(super) fn by_group(scope: &PageScope<'_>) -> Option<ChartFigure> {
    let mut found = counts(&scope.runs(), |run| &run.cases.group, Some);
    found.iter().find(|(name, _)| name.is_some())?;
    found.order_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().sum::<u64>()));
    Some(figure(&found, "group", words::BY_GROUP, MAX_GROUPS))
}

/// By kind; `None` when no case says what kind it is.
pub(super) fn by_kind(scope: &PageScope<'_>) -> Option<ChartFigure> {
    let mut found =
        counts(&scope.runs(), |run| &run.cases.kind, |word| Some(Kind::from_text(word)?.as_str()));
    found.iter().find(|(name, _)| name.is_some())?;
    let rank = |name: Option<&str>| name.and_then(Kind::from_text);
    found.order_by_key(|(name, _)| (name.is_none(), rank(*name)));
    Some(figure(&found, "kind", words::BY_KIND, MAX_GROUPS))
}

fn figure(
    found: &[(Option<&str>, OutcomeCounts)],
    field: &str,
    title: &str,
    most: usize,
) -> ChartFigure {
    let mut links = MarkLinks::default();
    let mut stacks = Vec::new();
    let is_kind = field == "kind";
    let mut columns = vec![Column::words(if is_kind { words::KIND } else { words::GROUP })];
    columns.push(Column::numbers(common::CASES, ""));
    let used: Vec<Outcome> = Outcome::ALL
        .iter()
        .copied()
        .filter(|&outcome| found.iter().any(|(_, counts)| count_of(counts, outcome) > 0))
        .collect();
    columns.extend(used.iter().map(|outcome| Column::numbers(outcome.as_str(), "")));
    let mut table = Table::new(&format!("chart-{field}s"), title, columns);
    for (at, (name, counts)) in found.iter().enumerate() {
        let words =
            name.unwrap_or(if is_kind { words::NO_KIND } else { words::NO_GROUP }).to_owned();
        let link = |outcome: Outcome| {
            name.map(|name| {
                Link::Filter(format!("{field}={} outcome:{}", quoted(name), outcome.as_str()))
            })
        };
        let mut cells = vec![Cell::Text(words.clone()), Cell::Count(counts.iter().sum())];
        for &outcome in &used {
            let n = count_of(counts, outcome);
            cells.push(Cell::Count(n).opening(link(outcome).filter(|_| n > 0)));
        }
        table.row(cells);
        if at < most {
            let parts = used.iter().map(|&outcome| {
                let n = count_of(counts, outcome);
                let link = links.add(link(outcome).filter(|_| n > 0));
                StackPart { name: outcome.as_str().to_owned(), tone: tone(outcome), n, link }
            });
            stacks.push(Stack { name: words, parts: parts.collect() });
        }
    }
    let n_cases: u64 = found.iter().flat_map(|(_, counts)| counts).sum();
    let part = match (found.len() > most, is_kind) {
        (true, true) => words::largest_kinds(most, found.len()),
        (true, false) => words::largest_groups(most, found.len()),
        (false, _) => String::new(),
    };
    let lead = common::of_cases(n_cases, &part);
    let things = common::CASE_NAMES.map(str::to_owned);
    ChartFigure::new(title, lead, Chart::Stacks(Stacks { things, stacks }), links, table)
}

pub(super) fn count_of(counts: &OutcomeCounts, outcome: Outcome) -> u64 {
    counts.get(outcome.index()).copied().unwrap_or(0)
}
