//! Which cases a query keeps, and in which order: numbers only, never rows.

use super::columns;
use super::keys::sort_by_column;
use super::metrics;
use super::{CaseQuery, MAX_ROWS, SortKey};
use crate::model::Run;
use crate::report::filter::{Filter, FilterScope};
use crate::report::{RunRef, Target};
use crate::workspace::Workspace;
use std::ops::Range;
use std::rc::Rc;

/// A case by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report) struct CaseRef {
    /// Its run.
    pub run: RunRef,
    /// Its row in the run.
    pub case_idx: u32,
}

/// The answer to a query, all but the rows.
#[derive(Debug)]
pub(in crate::report) struct CaseOrder {
    query: CaseQuery,
    /// Matching cases in order, numbered over the runs of the target.
    cases: Vec<u32>,
    /// The runs, each with the number of its first case.
    runs: Vec<(u32, RunRef)>,
    /// Cases of the target.
    pub n_total: u64,
    /// Columns that hold anything.
    pub columns: Vec<SortKey>,
    /// Columns that say the same of every case, and are not among those.
    pub constants: Vec<SortKey>,
    /// Columns that can be chosen.
    pub choosable: Vec<SortKey>,
    /// What the columns of metrics are called.
    pub metrics: Vec<String>,
    /// Texts that files still have to be searched for.
    pub unsearched: Vec<String>,
}

impl CaseOrder {
    /// The order of the cases that `query` asks for; kept until others are asked for.
    pub(in crate::report) fn of(workspace: &Workspace, query: &CaseQuery) -> Option<Rc<Self>> {
        let kept = workspace.answers.get::<Self>().filter(|order| order.answers(query));
        kept.or_else(|| Some(workspace.answers.put(Self::new(workspace, query)?)))
    }

    /// Finds and sorts the cases of `query`; `None` when its target is not there.
    fn new(workspace: &Workspace, query: &CaseQuery) -> Option<Self> {
        let scope = FilterScope::new(workspace, query.target)?;
        let filter: Filter = query.filter.parse().unwrap_or_default();
        let mut cases = filter.mask(&scope).indexes();
        for (key, is_descending) in query.sort.iter().rev() {
            sort_by_column(&scope, &mut cases, *key, *is_descending);
        }
        let runs: Vec<(RunRef, &Run)> =
            scope.parts.iter().map(|part| (part.at, part.run)).collect();
        let start = |start: usize| u32::try_from(start).ok();
        let mut columns = columns::columns(&runs);
        let constants = columns::constants(&runs, &columns);
        columns.retain(|key| !constants.contains(key));
        Some(Self {
            cases,
            columns,
            constants,
            metrics: metrics::metrics(runs.iter().map(|(_, run)| *run)),
            choosable: columns::choosable(&runs),
            runs: scope
                .parts
                .iter()
                .filter_map(|part| Some((start(part.start)?, part.at)))
                .collect(),
            query: asked_once(query),
            n_total: scope.n_cases as u64,
            unsearched: filter.unsearched(&scope).into_iter().map(str::to_owned).collect(),
        })
    }

    /// Whether this is the answer to `query`, which may ask for other rows or columns of it.
    pub(in crate::report) fn answers(&self, query: &CaseQuery) -> bool {
        self.query == asked_once(query)
    }

    /// Number of matching cases.
    pub(in crate::report) fn len(&self) -> usize {
        self.cases.len()
    }

    /// The rows that `query` asks for, as far as there are any and one answer holds them.
    pub(in crate::report) fn rows(&self, query: &CaseQuery) -> Option<Range<usize>> {
        let first = usize::try_from(query.offset).ok()?.min(self.len());
        let n_rows = usize::try_from(query.limit.min(MAX_ROWS)).ok()?;
        Some(first..self.len().min(first.saturating_add(n_rows)))
    }

    /// The case in row `at`.
    pub(in crate::report) fn case(&self, at: usize) -> Option<CaseRef> {
        let number = *self.cases.get(at)?;
        let after = self.runs.partition_point(|(start, _)| *start <= number);
        let (start, run) = *self.runs.get(after.checked_sub(1)?)?;
        Some(CaseRef { run, case_idx: number - start })
    }

    /// The first case of the target, whether the query keeps it or not.
    pub(in crate::report) fn first_of_all(&self) -> Option<CaseRef> {
        let (_, run) = *self.runs.first()?;
        Some(CaseRef { run, case_idx: 0 })
    }

    /// The row of a case; `None` when the table does not hold it.
    pub(in crate::report) fn row_of(&self, run: RunRef, case_idx: u64) -> Option<usize> {
        let (start, _) = self.runs.iter().find(|(_, known)| *known == run)?;
        let number = start.checked_add(u32::try_from(case_idx).ok()?)?;
        self.cases.iter().position(|known| *known == number)
    }
}

/// What of `query` decides about the order.
fn asked_once(query: &CaseQuery) -> CaseQuery {
    CaseQuery { offset: 0, limit: 0, columns: Vec::new(), heat: None, ..query.clone() }
}

/// The cases that `query` keeps, in its order: run, row in the run. `None` when its target is not there.
pub fn matching_cases(workspace: &Workspace, query: &CaseQuery) -> Option<Vec<(RunRef, u32)>> {
    let order = CaseOrder::of(workspace, query)?;
    let cases = (0..order.len()).filter_map(|at| order.case(at));
    Some(cases.map(|case| (case.run, case.case_idx)).collect())
}

/// The runs that `target` is about; `None` when it is not there.
pub(in crate::report) fn runs_of(
    workspace: &Workspace,
    target: Target,
) -> Option<Vec<(RunRef, &Run)>> {
    let scope = FilterScope::new(workspace, target)?;
    Some(scope.parts.iter().map(|part| (part.at, part.run)).collect())
}
