//! What a score costs: money, tokens, time against it.

use super::models::subjects;
use super::scores::score_axis;
use super::{ChartFigure, MarkLinks, left_out};
use crate::chart::{Axis, Chart, Range, Scatter, ScatterPoint, Tone};
use crate::format;
use crate::order::Order as _;
use crate::report::declared;
use crate::report::pages::statistics::run_name;
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Link, Measure, Num, Row, Table, Target};
use crate::stats;
use crate::words::report::charts::{common, trade as words};

/// Points that are drawn.
const MAX_POINTS: usize = 400;
/// From this ratio on, each step of the axis is a factor.
const LOG_FROM: f64 = 30.0;

/// Something with a score and a price.
struct Point {
    name: String,
    score: Option<f64>,
    /// Price, by each of [`PRICES`].
    prices: [Option<f64>; 4],
    link: Option<Link>,
}

/// What a score may cost, with the id and the words of its figure.
const PRICES: [(Measure, &str, &str); 4] = [
    (Measure::Cost, "chart-cost-score", words::AGAINST_COST),
    (Measure::Tokens, "chart-tokens-score", words::AGAINST_TOKENS),
    (Measure::AgentTime, "chart-agent-time-score", words::AGAINST_AGENT_TIME),
    (Measure::Time, "chart-time-score", words::AGAINST_TIME),
];

/// Reports or models where there are several, else runs: the mean over their runs.
fn points(scope: &PageScope<'_>) -> (Vec<Point>, [&'static str; 3]) {
    let mean = |values: Vec<f64>| stats::exact_mean(&values);
    let subjects = subjects(scope);
    if subjects.len() > 1 {
        let of_subject = |subject: super::models::ChartSubject<'_>| Point {
            score: subject.score().map(|found| found.value),
            prices: PRICES.map(|(measure, ..)| {
                if let Some(part) = &subject.declared {
                    return declared::measured(part, measure).map(|found| found.value);
                }
                let of = |&idx: &usize| measure.of_run(subject.entry, idx);
                let found: Option<Vec<f64>> =
                    subject.runs.iter().map(|idx| of(idx).map(|found| found.value)).collect();
                mean(found?)
            }),
            name: subject.name,
            link: subject.link,
        };
        // Reports of one model are told apart by report, not by model.
        let is_each_alone = subjects.windows(2).all(|pair| match pair {
            [left, right] => left.entry.id != right.entry.id,
            _ => true,
        });
        let what = if is_each_alone { words::REPORTS } else { words::MODELS };
        return (subjects.into_iter().map(of_subject).collect(), what);
    }
    let mut found = Vec::new();
    for (entry, idxs) in &scope.parts {
        for &idx in idxs {
            let Some(run) = entry.evaluation.runs.get(idx) else { continue };
            let of = |measure: Measure| measure.of_run(entry, idx).map(|found| found.value);
            found.push(Point {
                name: run_name(scope, entry, run),
                score: of(Measure::Score),
                prices: PRICES.map(|(measure, ..)| of(measure)),
                link: entry.run_ref(idx).map(|run| Link::Target(Target::Run(run))),
            });
        }
    }
    (found, words::RUNS)
}

/// One figure for each price that the files state of two points or more.
pub(in crate::report) fn trade_offs(scope: &PageScope<'_>) -> Vec<ChartFigure> {
    let (points, what) = points(scope);
    let is_less = scope.is_less_better();
    let figure = |(at, (measure, id, title)): (usize, (Measure, &str, &str))| {
        let known: Vec<(&Point, f64, f64)> = points
            .iter()
            .filter_map(|point| Some((point, point.prices.get(at).copied()??, point.score?)))
            .filter(|(_, price, score)| price.is_finite() && score.is_finite())
            .collect();
        let is_offered = scope.parts.iter().any(|(entry, _)| measure.is_of(entry));
        (known.len() > 1 && is_offered)
            .then(|| trade_off((measure, id, title), what, &known, points.len(), is_less))
    };
    PRICES.into_iter().enumerate().filter_map(figure).collect()
}

fn trade_off(
    (measure, id, title): (Measure, &str, &str),
    [column, one, many]: [&str; 3],
    known: &[(&Point, f64, f64)],
    n_all: usize,
    is_less: bool,
) -> ChartFigure {
    let gain = |score: f64| if is_less { -score } else { score };
    let pairs: Vec<(f64, f64)> =
        known.iter().map(|(_, price, score)| (*price, gain(*score))).collect();
    let best = stats::frontier(&pairs);
    let mut links = MarkLinks::default();
    let mut table = Table::new(
        id,
        title,
        vec![
            Column::words(column),
            Column::numbers(measure.title(), ""),
            Column::numbers(common::SCORE, ""),
            Column::words(words::ON_FRONT),
        ],
    );
    let mut drawn = Vec::new();
    let mut frontier = Vec::new();
    for (at, (point, price, score)) in known.iter().enumerate() {
        let is_best = best.contains(&at);
        table.rows.push(Row {
            cells: vec![
                Cell::Text(point.name.clone()),
                measure.cell(*price),
                Cell::Number(Num(*score)),
                Cell::Flag(is_best),
            ],
            link: point.link.clone(),
        });
        if is_best || drawn.len() < MAX_POINTS {
            if is_best {
                frontier.push(drawn.len());
            }
            drawn.push(ScatterPoint {
                name: point.name.clone(),
                x: *price,
                y: *score,
                tone: if is_best { Tone::Series(0) } else { Tone::Plain },
                link: links.add(point.link.clone()),
            });
        }
    }
    let x_of = |at: &usize| drawn.get(*at).map_or(f64::INFINITY, |point: &ScatterPoint| point.x);
    frontier.order_by(|left, right| x_of(left).total_cmp(&x_of(right)));
    let prices: Vec<f64> = pairs.iter().map(|(price, _)| *price).collect();
    let scores: Vec<f64> = known.iter().map(|(.., score)| *score).collect();
    let low = prices.iter().copied().min_by(f64::total_cmp).unwrap_or(0.0);
    let high = prices.iter().copied().max_by(f64::total_cmp).unwrap_or(0.0);
    let x = measure.axis(&prices);
    let is_log = low > 0.0 && high / low >= LOG_FROM;
    let x = Axis { range: if is_log { Range::Log } else { x.range }, ..x };
    let n_points = format::counted(known.len() as u64, one, many);
    let more = left_out((n_all - known.len()) as u64, words::UNKNOWN);
    let lead = match is_less {
        true => words::lead_lower_better(&n_points, &more),
        false => words::lead(&n_points, &more),
    };
    let chart = Chart::Scatter(Scatter {
        x,
        y: score_axis(common::SCORE, &scores),
        points: drawn,
        frontier,
    });
    ChartFigure::new(title, lead, chart, links, table)
}
