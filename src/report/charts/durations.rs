//! How long cases took, and run timeline.

use super::outcomes::tone;
use super::scores::{bin_table, bins, with_outcomes};
use super::{ChartFigure, MarkLinks, between, left_out};
use crate::chart::{Axis, Chart, ChartSpan, Histogram, HistogramLine, Range, Spans, Tone, Unit};
use crate::format;
use crate::model::Run;
use crate::order::Order as _;
use crate::report::pages::statistics::{named_runs, run_name};
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Num, Outcome, Row, Table};
use crate::stats;
use crate::words::report::charts::{common, durations as words};
use crate::workspace::Entry;

/// From this ratio of longest to shortest on, each step of the axis is a factor.
const LOG_FROM: f64 = 50.0;
/// Runs that are drawn.
const MAX_RUNS: usize = 40;

/// How long cases took; `None` when no file says.
pub(super) fn histogram(scope: &PageScope<'_>) -> Option<ChartFigure> {
    const ID: &str = "chart-durations";
    let runs = scope.runs();
    let n_cases: usize = runs.iter().map(|run| run.cases.len()).sum();
    let is_known = |secs: f64| secs.is_finite() && secs >= 0.0;
    let known = with_outcomes(&runs, |cases| &cases.duration_secs, is_known);
    if known.is_empty() {
        return None;
    }
    let secs = || known.iter().map(|(secs, _)| *secs);
    let least = secs().filter(|secs| *secs > 0.0).min_by(f64::total_cmp);
    let most = secs().max_by(f64::total_cmp);
    let is_log = least.zip(most).is_some_and(|(least, most)| most / least >= LOG_FROM);
    let range = if is_log { Range::Log } else { Range::Zero };
    let axis = Axis::new(words::DURATION, Unit::Secs, range);
    let is_drawn = |(secs, _): &(f64, Outcome)| !is_log || *secs > 0.0;
    let cases: Vec<(f64, Outcome)> = known.iter().copied().filter(is_drawn).collect();
    let values: Vec<f64> = cases.iter().map(|(secs, _)| *secs).collect();
    let mut links = MarkLinks::default();
    let bins = bins(&axis, &cases, 16, &mut links, |low, high, is_last| {
        Some(between("duration", low, high, is_last))
    });
    let median =
        stats::median(&values).map(|at| HistogramLine { at, label: common::MEDIAN.to_owned() });
    let more = [
        left_out((n_cases - known.len()) as u64, words::NO_DURATION),
        left_out((known.len() - values.len()) as u64, words::ZERO_ON_LOG),
    ];
    let lead = common::of_cases(values.len() as u64, &more.concat());
    let table = bin_table(ID, words::DURATIONS, &bins, common::CASES, Cell::Secs, &links);
    let things = common::CASE_NAMES.map(str::to_owned);
    let rules = median.into_iter().collect();
    let chart = Chart::Histogram(Histogram { axis, things, bins, rules });
    Some(ChartFigure::new(words::DURATIONS, lead, chart, links, table))
}

/// Seconds since 1970-01-01 00:00 UTC of a moment as files write it. One without a zone is taken as
/// UTC.
pub(in crate::report) fn seconds_of(moment: &str) -> Option<f64> {
    let known = moment.parse::<jiff::Timestamp>().ok().or_else(|| {
        let local = moment.parse::<jiff::civil::DateTime>().ok()?;
        jiff::tz::Offset::UTC.to_timestamp(local).ok()
    })?;
    #[expect(clippy::cast_precision_loss, reason = "microseconds of known years are below 2^53")]
    let micros = known.as_microsecond() as f64;
    Some(micros / 1e6)
}

/// Wall-clock seconds from `started_at` on: of the agent where that is when it started, else of the
/// evaluation.
fn wall_secs(entry: &Entry, run: &Run) -> Option<f64> {
    let is_own = |row: &&serde_json::Map<String, serde_json::Value>| {
        let is = |key: &str, text: Option<&str>| row.get(key).and_then(|v| v.as_str()) == text;
        is("problem", run.key.suite.as_deref()) && is("checkpoint", run.key.variant.as_deref())
    };
    let row = entry.evaluation.rows.iter().find(is_own);
    let started = row.and_then(|row| row.get("started")?.as_str());
    match run.usage.and_then(|usage| usage.agent_secs) {
        Some(secs) if started.is_some() && started == run.started_at.as_deref() => Some(secs),
        _ => run.duration_secs,
    }
}

/// Run timeline; `None` when no two of them say when they began.
pub(super) fn timeline(scope: &PageScope<'_>) -> Option<ChartFigure> {
    const ID: &str = "chart-timeline";
    let mut found = Vec::new();
    let mut n_runs = 0;
    for (entry, idx, run, link) in named_runs(scope) {
        n_runs += 1;
        let Some(from) = run.started_at.as_deref().and_then(seconds_of) else { continue };
        let verdict = entry.figures.runs.get(idx).and_then(|run| run.verdict.as_ref());
        let outcome = verdict.map_or(Outcome::Unscored, |verdict| verdict.outcome);
        let secs = wall_secs(entry, run).filter(|secs| secs.is_finite() && *secs >= 0.0);
        found.push((from, secs, run_name(scope, entry, run), outcome, link, run));
    }
    if found.len() < 2 {
        return None;
    }
    found.order_by(|left, right| left.0.total_cmp(&right.0));
    let mut links = MarkLinks::default();
    let mut table = Table::new(
        ID,
        words::TIMELINE,
        vec![
            Column::words(common::RUN),
            Column::words(common::BEGAN),
            Column::numbers(words::TOOK, words::TOOK_HINT),
            Column::words(common::VERDICT),
        ],
    );
    let mut spans = Vec::new();
    let n_found = found.len();
    for (from, secs, name, outcome, link, run) in found {
        table.rows.push(Row {
            cells: vec![
                Cell::Text(name.clone()),
                Cell::Text(format::moment(run.started_at.as_deref().unwrap_or_default())),
                Cell::or_missing(secs.map(Num), Cell::Secs, words::DURATION_NOT_RECORDED),
                Cell::Outcome(outcome),
            ],
            link: link.clone(),
        });
        if spans.len() < MAX_RUNS {
            let tone = if outcome == Outcome::Unscored { Tone::Plain } else { tone(outcome) };
            spans.push(ChartSpan { name, from, secs, tone, link: links.add(link) });
        }
    }
    let part = if n_found > MAX_RUNS { words::first_runs(MAX_RUNS) } else { String::new() };
    let more = part + &left_out((n_runs - n_found) as u64, words::NO_START);
    let lead = words::timeline_lead(n_found as u64, &more);
    let chart = Chart::Spans(Spans { label: words::TIME.to_owned(), spans });
    Some(ChartFigure::new(words::TIMELINE, lead, chart, links, table))
}
