//! The same cases side by side: over runs (repeats, models, checkpoints), or over their attempts.

use super::{Across, CaseQuery, SortKey, is_right, keys, texts};
use crate::model::Run;
use crate::report::filter::{Filter, FilterScope, ScopeRun};
use crate::report::{Num, Outcome, RunRef};
use crate::scoring::{Matching, attempts_one_by_one, match_by};
use crate::stats;
use crate::words::report::cases as words;
use crate::workspace::Workspace;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// Most columns: more are no picture any more.
const MAX_COLUMNS: usize = 100;

/// Most places of a map, empty ones included: each takes four bytes.
const MAX_PLACES: usize = 40_000_000;

/// A case of the map, by its place in the matching or in the scope.
type HeatCase = u32;

/// Which cases a heat map shows, and in which order.
#[derive(Debug)]
pub(in crate::report) struct HeatOrder {
    query: CaseQuery,
    matching: Option<Matching>,
    places: Vec<HeatCase>,
    n_columns: usize,
    n_total: u64,
}

/// Rows of a heat map.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeatPage {
    /// What stands side by side: names of runs, or `Attempt 1`.
    pub columns: Vec<String>,
    /// Columns that are left out.
    pub n_hidden: usize,
    /// The rows.
    pub rows: Vec<HeatLine>,
    /// Index of the first row among all.
    pub offset: u64,
    /// Number of rows that have a case which the filter keeps.
    pub n_matching: u64,
    /// Number of rows without the filter.
    pub n_total: u64,
    /// Whether some case has more than one attempt.
    pub has_attempts: bool,
    /// Whether there is more than one run.
    pub has_runs: bool,
}

/// One case over all columns.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HeatLine {
    /// Id.
    pub id: String,
    /// Group.
    pub group: Option<String>,
    /// Variance of passed (1) and not passed (0) over the cells that have a verdict: 0 when all agree,
    /// at most 0.25. `None`: fewer than two cells have one.
    pub instability: Option<Num>,
    /// Mean score of the cells that have one.
    pub mean: Option<Num>,
    /// The cells, by column; `None` where the case is not there.
    pub cells: Vec<Option<HeatCell>>,
}

/// A case in one run, or one attempt of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HeatCell {
    /// Its run.
    pub run: RunRef,
    /// Its row in the run.
    pub case_idx: u64,
    /// How it came out.
    pub outcome: Outcome,
    /// Its score.
    pub score: Option<Num>,
}

/// What a row is sorted by.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct HeatSortValues {
    /// Variance of passed (1) and not passed (0) over the cells that have a verdict, errors being not
    /// passed: 0 when all agree, at most 0.25. `None`: fewer than two cells have one.
    pub instability: Option<f64>,
    /// Variance of the scores, which tells rows of the same instability apart.
    spread: Option<f64>,
    /// Mean of the scores.
    pub mean: Option<f64>,
}

impl HeatSortValues {
    /// Over `cells`, absent ones left out.
    pub(super) fn of(cells: &[Option<HeatCell>]) -> Self {
        let (mut n_judged, mut n_passed) = (0_u32, 0_u32);
        let mut scores = Vec::new();
        for cell in cells.iter().flatten() {
            n_judged += u32::from(matches!(
                cell.outcome,
                Outcome::Passed | Outcome::Failed | Outcome::Error
            ));
            n_passed += u32::from(cell.outcome == Outcome::Passed);
            scores.extend(cell.score.map(|score| score.0).filter(|score| score.is_finite()));
        }
        let share = (n_judged > 1).then(|| f64::from(n_passed) / f64::from(n_judged));
        let mean = stats::mean(scores.iter().copied());
        Self {
            instability: share.map(|share| share * (1.0 - share)),
            spread: mean.and_then(|mean| {
                stats::mean(scores.iter().map(|score| (score - mean) * (score - mean)))
            }),
            mean,
        }
    }

    fn number(&self, key: SortKey) -> Option<f64> {
        match key {
            SortKey::Instability => self.instability,
            SortKey::Score => self.mean,
            _ => self.spread,
        }
    }
}

impl HeatOrder {
    /// The rows of the heat map that `query` asks for; kept until others are asked for.
    pub(in crate::report) fn of(workspace: &Workspace, query: &CaseQuery) -> Option<Rc<Self>> {
        let kept = workspace.answers.get::<Self>().filter(|order| order.answers(query));
        kept.or_else(|| Some(workspace.answers.put(Self::new(workspace, query)?)))
    }

    /// Finds and sorts the rows of `query`; `None` when its target is not there.
    fn new(workspace: &Workspace, query: &CaseQuery) -> Option<Self> {
        let scope = FilterScope::new(workspace, query.target)?;
        let filter: Filter = query.filter.parse().unwrap_or_default();
        let mask = filter.mask(&scope);
        let mut runs: Vec<&Run> = scope.parts.iter().map(|part| part.run).collect();
        let (matching, n_total, n_columns) = match query.heat.unwrap_or_default() {
            Across::Runs => {
                runs.truncate(MAX_COLUMNS.min(MAX_PLACES / scope.n_cases.max(1)).max(1));
                let matching = match_by(&runs, |part, row| home(scope.parts.get(part)?, row));
                let n_total = matching.len();
                (Some(matching), n_total, runs.len())
            }
            Across::Attempts => (None, scope.n_cases, n_attempts(&runs)),
        };
        let mut order = Self {
            query: asked_once(query),
            matching,
            places: Vec::new(),
            n_columns: n_columns.min(MAX_COLUMNS),
            n_total: n_total as u64,
        };
        let is_kept = |part: usize, row: usize| {
            scope.parts.get(part).is_some_and(|part| mask.part(part.start + row, 1) == [true])
        };
        order.places = match &order.matching {
            Some(matching) => (0..matching.len())
                .filter(|case| matching.rows_of(*case).any(|(run, row)| is_kept(run, row)))
                .filter_map(|case| HeatCase::try_from(case).ok())
                .collect(),
            None => mask.indexes(),
        };
        order.sort(&scope);
        Some(order)
    }

    /// Whether this is the answer to `query`, which may ask for other rows of it.
    pub(in crate::report) fn answers(&self, query: &CaseQuery) -> bool {
        self.query == asked_once(query)
    }

    fn sort(&mut self, scope: &FilterScope<'_>) {
        let mut by = self.query.sort.clone();
        if by.is_empty() {
            by = vec![(SortKey::Instability, true), (SortKey::File, true)];
        }
        let mut places = std::mem::take(&mut self.places);
        for (key, is_descending) in by.iter().rev() {
            if *key == SortKey::Id {
                let text = |place: HeatCase| self.name(scope, place).unwrap_or_default().as_bytes();
                texts::sort(&mut places, &text, *is_descending);
                continue;
            }
            let (mut keyed, mut missing) = (Vec::with_capacity(places.len()), Vec::new());
            for place in places {
                match HeatSortValues::of(&self.cells(scope, place))
                    .number(*key)
                    .map(keys::of_number)
                {
                    Some(key) => keyed.push((if *is_descending { !key } else { key }, place)),
                    None => missing.push(place),
                }
            }
            keyed.sort_by_key(|(key, _)| *key);
            places = keyed.into_iter().map(|(_, place)| place).chain(missing).collect();
        }
        self.places = places;
    }

    /// The first run and row that have the case of a row.
    fn first(&self, scope: &FilterScope<'_>, place: HeatCase) -> Option<(usize, usize)> {
        match &self.matching {
            Some(matching) => matching.rows_of(place as usize).next(),
            None => {
                let after = scope.parts.partition_point(|part| part.start <= place as usize);
                let part = after.checked_sub(1)?;
                Some((part, place as usize - scope.parts.get(part)?.start))
            }
        }
    }

    fn name<'a>(&self, scope: &FilterScope<'a>, place: HeatCase) -> Option<&'a str> {
        let (part, row) = self.first(scope, place)?;
        scope.parts.get(part)?.run.cases.id.get(row)
    }

    /// The cells of a row.
    fn cells(&self, scope: &FilterScope<'_>, place: HeatCase) -> Vec<Option<HeatCell>> {
        let Some(matching) = &self.matching else {
            return self.attempts(scope, place).unwrap_or_default();
        };
        let cell = |part: usize| {
            let row = matching.row(place as usize, part)?;
            let part = scope.parts.get(part)?;
            Some(HeatCell {
                run: part.at,
                case_idx: row as u64,
                outcome: part.run.cases.outcome_of(row),
                score: part.run.cases.score.get(row).map(Num),
            })
        };
        (0..self.n_columns).map(cell).collect()
    }

    /// The attempts of a case. Where they are combined by a strategy, that strategy decides each of them
    /// too; else one that is judged by several checks is as good as the worst of them,
    /// and has no score of its own.
    fn attempts(&self, scope: &FilterScope<'_>, place: HeatCase) -> Option<Vec<Option<HeatCell>>> {
        let (part, row) = self.first(scope, place)?;
        let part = scope.parts.get(part)?;
        let (run, checks) = (part.run, &part.run.checks);
        let mut cells: Vec<Option<HeatCell>> = vec![None; self.n_columns];
        if run.cases.strategy.get(row).is_some() {
            for attempt in attempts_one_by_one(run, row) {
                let place = (attempt.number.max(1) - 1) as usize;
                let Some(cell) = cells.get_mut(place) else { continue };
                let (run, case_idx) = (part.at, row as u64);
                let (outcome, score) = (attempt.outcome, attempt.score.map(Num));
                *cell = Some(HeatCell { run, case_idx, outcome, score });
            }
            return Some(cells);
        }
        for at in run.checks_of(row) {
            let attempt = checks.attempt.get(at).unwrap_or(1).max(1) as usize;
            let Some(cell) = cells.get_mut(attempt - 1) else { continue };
            let outcome = match (checks.verdict_of(at), is_right(run, at)) {
                (Some(crate::model::Verdict::Error), _) => Outcome::Error,
                (_, Some(is_right)) => Outcome::of(is_right),
                _ => Outcome::without_rule(checks.score.get(at)),
            };
            let score = checks.score.get(at).map(Num);
            let (run, case_idx) = (part.at, row as u64);
            *cell = Some(match cell {
                None => HeatCell { run, case_idx, outcome, score },
                Some(old) => HeatCell { outcome: worse(old.outcome, outcome), score: None, ..*old },
            });
        }
        Some(cells)
    }
}

fn worse(left: Outcome, right: Outcome) -> Outcome {
    let rank = |outcome| match outcome {
        Outcome::Error => 0,
        Outcome::Failed => 1,
        Outcome::Skipped => 2,
        Outcome::Unscored => 3,
        Outcome::Scored => 4,
        Outcome::Passed => 5,
    };
    if rank(left) <= rank(right) { left } else { right }
}

/// What makes a case the same in another run: suite, checkpoint and group that it comes from, whether
/// its id is a number, and the id.
type Home<'a> = (Option<&'a str>, Option<&'a str>, Option<&'a str>, Option<bool>, Option<&'a str>);

/// Where a case comes from. At a later checkpoint (slop-code) it stands in a group whose name begins
/// with the one it comes from: `checkpoint_1_core` for `core`, or `checkpoint_1-Regression`, where the
/// rest is the kind that it has now.
fn home<'a>(part: &ScopeRun<'a>, row: usize) -> Option<Home<'a>> {
    let (cases, key) = (&part.run.cases, &part.run.key);
    let suite = key.suite.as_deref().or(part.evaluation.suite.as_deref());
    let variant = cases.variant.get(row).or(key.variant.as_deref());
    let group = cases.group.get(row).and_then(|group| {
        let rest = variant.and_then(|variant| group.strip_prefix(variant));
        match rest.and_then(|rest| Some((rest.chars().next()?, rest.get(1..)?))) {
            Some(('-', _)) => None,
            Some(('_', own)) => Some(own),
            _ => Some(group),
        }
    });
    Some((suite, variant, group, cases.is_numeric_id.get(row), cases.id.get(row)))
}

/// The most attempts that a case of `runs` has.
fn n_attempts(runs: &[&Run]) -> usize {
    let attempts = runs.iter().flat_map(|run| run.checks.attempt.iter().flatten());
    attempts.max().unwrap_or(0) as usize
}

fn asked_once(query: &CaseQuery) -> CaseQuery {
    CaseQuery { offset: 0, limit: 0, columns: Vec::new(), ..query.clone() }
}

/// Answers `query` as a heat map; `None` when its target is not there.
pub fn heat_page(workspace: &Workspace, query: &CaseQuery) -> Option<HeatPage> {
    let order = HeatOrder::of(workspace, query)?;
    let scope = FilterScope::new(workspace, query.target)?;
    let runs: Vec<&Run> = scope.parts.iter().map(|part| part.run).collect();
    let n_attempts = n_attempts(&runs);
    let first = scope.parts.first().map(|part| part.at.evaluation);
    let is_many = scope.parts.iter().any(|part| Some(part.at.evaluation) != first);
    // Runs of several evaluations may be called alike; the evaluations are not.
    let name_of = |part: &ScopeRun<'_>| match (is_many, part.evaluation.runs.len()) {
        (false, _) => part.run.label.clone(),
        (true, 1) => part.evaluation.label.clone(),
        (true, _) => format!("{} › {}", part.evaluation.label, part.run.label),
    };
    let (columns, n_all): (Vec<String>, usize) = match order.matching {
        Some(_) => (scope.parts.iter().take(order.n_columns).map(name_of).collect(), runs.len()),
        None => ((1..=order.n_columns).map(words::attempt).collect(), n_attempts),
    };
    let first = usize::try_from(query.offset).ok()?.min(order.places.len());
    let n_rows = usize::try_from(query.limit.min(super::MAX_ROWS)).ok()?;
    let line = |place: &HeatCase| {
        let (part, row) = order.first(&scope, *place)?;
        let cases = &scope.parts.get(part)?.run.cases;
        let cells = order.cells(&scope, *place);
        let figures = HeatSortValues::of(&cells);
        Some(HeatLine {
            id: cases.id.get(row).unwrap_or_default().to_owned(),
            group: cases.group.get(row).map(str::to_owned),
            instability: figures.instability.map(Num),
            mean: figures.mean.map(Num),
            cells,
        })
    };
    Some(HeatPage {
        n_hidden: n_all - columns.len().min(n_all),
        columns,
        rows: order.places.iter().skip(first).take(n_rows).filter_map(line).collect(),
        offset: first as u64,
        n_matching: order.places.len() as u64,
        n_total: order.n_total,
        has_attempts: n_attempts > 1,
        has_runs: runs.len() > 1,
    })
}
