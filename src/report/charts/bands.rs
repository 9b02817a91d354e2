//! Scores in the bands that the guide of letta-evals gives words for: a table, and bars by outcome.

use super::outcomes::{OutcomeCounts, count_of, tone};
use super::{ChartFigure, MarkLinks};
use crate::chart::{Chart, Stack, StackPart, Stacks};
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::{Cell, Link, Num, Outcome, Row, Table};
use crate::scoring::{BANDS, Band, BandOf, band_of};
use crate::words::report::charts::{bands as words, common};

/// Cases in a band or beside the bands.
struct BandTally {
    range: &'static str,
    meaning: &'static str,
    filter: String,
    by_outcome: OutcomeCounts,
}

impl BandTally {
    fn new(range: &'static str, meaning: &'static str, filter: impl Into<String>) -> Self {
        Self { range, meaning, filter: filter.into(), by_outcome: OutcomeCounts::default() }
    }

    fn n(&self) -> u64 {
        self.by_outcome.iter().sum()
    }

    fn link(&self) -> Option<Link> {
        (self.n() > 0).then(|| Link::Filter(self.filter.clone()))
    }
}

/// All bands, then what lies beside them.
struct Tallies {
    bands: [BandTally; BANDS.len()],
    above: BandTally,
    below: BandTally,
    none: BandTally,
}

impl Tallies {
    /// `None` where the words of the guide do not apply, or no case has a score.
    fn of(scope: &PageScope<'_>) -> Option<Self> {
        let [(entry, _)] = scope.parts.as_slice() else { return None };
        if entry.evaluation.producer != "letta-evals" {
            return None;
        }
        let mut found = Self {
            bands: BANDS.map(|band| BandTally::new(band.range, band.meaning, filter(&band))),
            above: BandTally::new(words::ABOVE, words::BEYOND, "score>1"),
            below: BandTally::new(words::BELOW, words::BEYOND, "score<0"),
            none: BandTally::new(common::NO_SCORE, words::IN_NO_BAND, "-has:score"),
        };
        for run in scope.runs() {
            let (scores, outcome_of) = (run.cases.score.cells(), run.cases.outcomes());
            for idx in 0..run.cases.len() {
                let tally = match band_of(scores.get(idx)) {
                    BandOf::Band(at) => found.bands.get_mut(at),
                    BandOf::Above => Some(&mut found.above),
                    BandOf::Below => Some(&mut found.below),
                    BandOf::None => Some(&mut found.none),
                };
                let outcome = outcome_of(idx).index();
                if let Some(n) = tally.and_then(|tally| tally.by_outcome.get_mut(outcome)) {
                    *n += 1;
                }
            }
        }
        (found.all().map(BandTally::n).sum::<u64>() > found.none.n()).then_some(found)
    }

    /// Every band, and what lies beside them where there is any.
    fn all(&self) -> impl Iterator<Item = &BandTally> {
        let beside = [&self.above, &self.below, &self.none].into_iter();
        self.bands.iter().chain(beside.filter(|tally| tally.n() > 0))
    }

    fn table(&self, id: &str) -> Table {
        let mut table = Table::new(
            id,
            &words::caption(),
            vec![
                Column::words(words::BAND),
                Column::words(words::MEANING),
                Column::numbers(common::CASES, ""),
                Column::numbers(words::SHARE, words::SHARE_HINT),
            ],
        );
        let all: u64 = self.all().map(BandTally::n).sum();
        for tally in self.all() {
            table.rows.push(Row {
                cells: vec![
                    Cell::Text(tally.range.to_owned()),
                    Cell::Text(tally.meaning.to_owned()),
                    Cell::Count(tally.n()),
                    Cell::Rate(Num(share(tally.n(), all))),
                ],
                link: tally.link(),
            });
        }
        table
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases stay far below 2^53")]
fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

/// The filter for the scores of `band`.
fn filter(band: &Band) -> String {
    match band.high {
        Some(high) => format!("score>={} score<{high}", band.low),
        None => format!("score={}", band.low),
    }
}

/// The bands as a table of the overview; `None` where the guide does not speak of the scores.
pub(in crate::report) fn score_bands(scope: &PageScope<'_>) -> Option<Table> {
    Some(Tallies::of(scope)?.table("score-bands"))
}

/// The same as bars, one for each band, made of the outcomes of its cases.
pub(super) fn figure(scope: &PageScope<'_>) -> Option<ChartFigure> {
    const ID: &str = "chart-score-bands";
    let tallies = Tallies::of(scope)?;
    let mut links = MarkLinks::default();
    let mut n_cases = 0;
    let stacks = tallies
        .all()
        .map(|tally| {
            n_cases += tally.n();
            let part = |outcome: Outcome| {
                let n = count_of(&tally.by_outcome, outcome);
                let filter = format!("{} outcome:{}", tally.filter, outcome.as_str());
                let link = links.add((n > 0).then_some(Link::Filter(filter)));
                StackPart { name: outcome.as_str().to_owned(), tone: tone(outcome), n, link }
            };
            let parts = Outcome::ALL.iter().copied().map(part).collect();
            Stack { name: format!("{} {}", tally.range, tally.meaning), parts }
        })
        .collect();
    let lead = words::lead(n_cases);
    let things = common::CASE_NAMES.map(str::to_owned);
    let chart = Chart::Stacks(Stacks { things, stacks });
    Some(ChartFigure::new(words::TITLE, lead, chart, links, tallies.table(ID)))
}
