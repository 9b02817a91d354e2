//! Which cases a query keeps, and in which order: numbers only, never rows.

use super::columns::TargetColumns;
use super::sorted::SortedCases;
use super::{CaseQuery, MAX_ROWS};
use crate::model::Run;
use crate::report::filter::{Filter, FilterScope};
use crate::report::{RunRef, Target};
use crate::workspace::Workspace;
use std::cell::RefCell;
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
    /// Matching cases, numbered over the runs of the target.
    cases: RefCell<SortedCases>,
    /// The runs, each with the number of its first case.
    runs: Vec<(u32, RunRef)>,
    /// Cases of the target.
    pub n_total: u64,
    /// Its columns.
    pub columns: Rc<TargetColumns>,
    /// Texts that files still have to be searched for.
    pub unsearched: Vec<String>,
}

impl CaseOrder {
    /// The order of the cases that `query` asks for, with the rows that it asks for; kept until others are asked for.
    pub(in crate::report) fn of(workspace: &Workspace, query: &CaseQuery) -> Option<Rc<Self>> {
        let n_rows = query.offset.saturating_add(query.limit);
        Self::with_rows(workspace, query, usize::try_from(n_rows).unwrap_or(usize::MAX))
    }

    /// The same, with every row.
    pub(in crate::report) fn whole(workspace: &Workspace, query: &CaseQuery) -> Option<Rc<Self>> {
        Self::with_rows(workspace, query, usize::MAX)
    }

    /// The same, with the first `n_rows` rows at least.
    pub(in crate::report) fn with_rows(
        workspace: &Workspace,
        query: &CaseQuery,
        n_rows: usize,
    ) -> Option<Rc<Self>> {
        let last = workspace.answers.get::<Self>();
        let order = match last {
            Some(last) if last.answers(query) => last,
            last => workspace.answers.put(Self::new(workspace, query, last.as_deref())?),
        };
        let n_in_order = order.cases.borrow().n_in_order();
        if n_in_order < n_rows.min(order.len()) {
            let scope = FilterScope::new(workspace, query.target)?;
            order.cases.borrow_mut().put_in_order(&scope, &query.sort);
        }
        Some(order)
    }

    /// Puts some more of the cases that were asked for last in order; whether there are more.
    fn go_on(workspace: &Workspace) -> bool {
        let Some(order) = workspace.answers.get::<Self>() else { return false };
        let mut cases = order.cases.borrow_mut();
        let has_more = |cases: &SortedCases| cases.n_in_order() < cases.len();
        if has_more(&cases)
            && let Some(scope) = FilterScope::new(workspace, order.query.target)
        {
            cases.put_more_in_order(&scope, &order.query.sort);
            return has_more(&cases);
        }
        false
    }

    /// Finds and sorts the cases of `query`; `None` when its target is not there. `last` is the answer before it.
    fn new(workspace: &Workspace, query: &CaseQuery, last: Option<&Self>) -> Option<Self> {
        let scope = FilterScope::new(workspace, query.target)?;
        let filter: Filter = query.filter.parse().unwrap_or_default();
        let cases = SortedCases::new(&scope, filter.mask(&scope).indexes(), &query.sort);
        let start = |start: usize| u32::try_from(start).ok();
        let columns = match last.filter(|last| last.query.target == query.target) {
            Some(last) => Rc::clone(&last.columns),
            None => Rc::new(TargetColumns::of(&scope)),
        };
        Some(Self {
            cases: RefCell::new(cases),
            columns,
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
        self.cases.borrow().len()
    }

    /// The rows that `query` asks for, as far as there are any and one answer holds them.
    pub(in crate::report) fn rows(&self, query: &CaseQuery) -> Option<Range<usize>> {
        let first = usize::try_from(query.offset).ok()?.min(self.len());
        let n_rows = usize::try_from(query.limit.min(MAX_ROWS)).ok()?;
        Some(first..self.len().min(first.saturating_add(n_rows)))
    }

    /// The case in row `at`, which has been asked for.
    pub(in crate::report) fn case(&self, at: usize) -> Option<CaseRef> {
        let number = self.cases.borrow().get(at)?;
        let after = self.runs.partition_point(|(start, _)| *start <= number);
        let (start, run) = *self.runs.get(after.checked_sub(1)?)?;
        Some(CaseRef { run, case_idx: number - start })
    }

    /// The first case of the target, whether the query keeps it or not.
    pub(in crate::report) fn first_of_all(&self) -> Option<CaseRef> {
        let (_, run) = *self.runs.first()?;
        Some(CaseRef { run, case_idx: 0 })
    }

    /// The row of a case; `None` when it is not among those that have been asked for.
    pub(in crate::report) fn row_of(&self, run: RunRef, case_idx: u64) -> Option<usize> {
        let (start, _) = self.runs.iter().find(|(_, known)| *known == run)?;
        let number = start.checked_add(u32::try_from(case_idx).ok()?)?;
        self.cases.borrow().in_order().iter().position(|known| *known == number)
    }

    /// Rows whose cases are known, from the first on.
    pub(in crate::report) fn n_known(&self) -> usize {
        self.cases.borrow().n_in_order()
    }
}

/// What of `query` decides about the order.
fn asked_once(query: &CaseQuery) -> CaseQuery {
    CaseQuery { offset: 0, limit: 0, columns: Vec::new(), heat: None, ..query.clone() }
}

/// Puts some more rows of the table that was asked for last in order, while nobody asks for anything; whether there are
/// more.
pub fn order_more_cases(workspace: &Workspace) -> bool {
    CaseOrder::go_on(workspace)
}

/// The cases that `query` keeps, in its order: run, row in the run. `None` when its target is not there.
pub fn matching_cases(workspace: &Workspace, query: &CaseQuery) -> Option<Vec<(RunRef, u32)>> {
    let order = CaseOrder::whole(workspace, query)?;
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
