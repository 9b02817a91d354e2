//! What charts show: which numbers, out of which cases, in which words, with the table behind them.
//!
//! Here numbers are taken from the workspace; `chart` draws them and knows nothing of runs. Whatever
//! a chart leaves out is said in its lead, and its table has every number that is drawn.

mod bands;
mod checkpoints;
mod declared;
mod durations;
mod models;
mod outcomes;
mod quality;
mod repeats;
mod scores;
mod series;
mod trade;

pub(super) use bands::score_bands;
pub(super) use checkpoints::{
    heat_maps, pass_rates, problems_by_evaluation, short as short_checkpoint,
};
pub(super) use declared::by_folder;
pub(super) use durations::seconds_of;
pub(super) use quality::quality;
pub(super) use repeats::{Repeat, repeat_strips};
pub(super) use series::{over_checkpoints, over_repeats, over_time};
pub(super) use trade::trade_offs;

use super::scope::PageScope;
use super::{Link, Table};
use crate::chart::{Chart, LinkIdx};
use crate::words::report::charts::common as words;
use serde::{Deserialize, Serialize};

/// Rows of a figure's table.
const MAX_ROWS: usize = 500;

/// A chart with its words and the table behind it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChartFigure {
    /// Identifies it in the page: ASCII letters, digits and `-`.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Of what and how many, by which definition, what is left out.
    pub lead: String,
    /// The numbers; `None` when there is nothing to draw.
    pub chart: Option<Chart>,
    /// What its marks open, by their [`LinkIdx`].
    pub links: Vec<Link>,
    /// The numbers in words.
    pub table: Table,
    /// Why there is nothing to draw, when there is nothing.
    pub empty: Option<String>,
    /// Whether it is one of several that are looked at side by side.
    pub is_small: bool,
}

/// What the marks of a figure open, as it is being made.
#[derive(Default)]
struct MarkLinks(Vec<Link>);

impl MarkLinks {
    fn add(&mut self, link: Option<Link>) -> Option<LinkIdx> {
        let idx = LinkIdx::try_from(self.0.len()).ok()?;
        self.0.push(link?);
        Some(idx)
    }
}

impl ChartFigure {
    fn new(title: &str, lead: String, chart: Chart, links: MarkLinks, mut table: Table) -> Self {
        table.cap(MAX_ROWS, words::ROWS);
        let empty = chart.silence();
        Self {
            id: table.id.clone(),
            title: title.to_owned(),
            lead,
            chart: Some(chart).filter(|_| empty.is_none()),
            links: links.0,
            table,
            empty,
            is_small: false,
        }
    }

    /// A figure that cannot be drawn, and why.
    fn empty(id: &str, title: &str, reason: &str) -> Self {
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            lead: String::new(),
            chart: None,
            links: Vec::new(),
            table: Table::new(id, title, Vec::new()),
            empty: Some(reason.to_owned()),
            is_small: false,
        }
    }

    /// The same, as one of several that are looked at side by side.
    fn small(self) -> Self {
        Self { is_small: true, ..self }
    }
}

/// The charts of an overview: of what passes, of where it fails, of what it takes. Outcomes by kind only where the page
/// does not have them already.
pub(super) fn overview(scope: &PageScope<'_>, has_kinds: bool) -> [Vec<ChartFigure>; 3] {
    if scope.runs().iter().all(|run| run.cases.is_empty()) {
        // What is declared only can still be compared.
        let passing = [models::scores(scope), models::pass_rates(scope)];
        return [passing.into_iter().flatten().collect(), Vec::new(), Vec::new()];
    }
    let passing = vec![
        models::scores(scope),
        models::pass_rates(scope),
        pass_rates(scope),
        outcomes::by_kind(scope).filter(|_| !has_kinds),
    ];
    let failing = vec![
        scores::histogram(scope),
        bands::figure(scope),
        outcomes::by_group(scope),
        scores::by_metric(scope),
    ];
    let costs = vec![durations::histogram(scope), durations::timeline(scope)];
    [passing, failing, costs].map(|figures| figures.into_iter().flatten().collect())
}

/// `name` as a value of a filter expression; after `=` it is that name exactly.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The filter for values of `field` from `low` up to `high`, which only the last bin holds.
fn between(field: &str, low: f64, high: f64, is_last: bool) -> Link {
    let sign = if is_last { "<=" } else { "<" };
    Link::Filter(format!("{field}>={low} {field}{sign}{high}"))
}

/// `, of which 3 are left out: no file states it`; nothing when none is.
fn left_out(n: u64, why: &str) -> String {
    match n {
        0 => String::new(),
        1 => words::one_left_out(why),
        n => words::left_out(n, why),
    }
}
