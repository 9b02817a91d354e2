//! What an export is about: everything, an evaluation, a run, or the chosen cases of a view.

use crate::model::Run;
use crate::report::{Entry, RunRef, Target, Workspace};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// Most cases that are written in one go.
pub(super) const PIECE_CASES: u32 = 4096;

/// What the reader of the page wants to have exported.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scope<'a> {
    /// Everything, an evaluation or a run.
    pub target: Target,
    /// Of these, the chosen cases in the order of the view: run, row in the run. `None`: all of them.
    /// Cases outside of the target, and such that are no longer there, are passed over.
    pub cases: Option<&'a [(RunRef, u32)]>,
}

/// In which order cases are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// As the view has them.
    Listed,
    /// Run by run, in the order of the files.
    ByRun,
    /// Run by run, each group's cases together, in the order of the run's groups.
    ByGroup,
}

/// What goes into an export, cut into pieces.
#[derive(Debug)]
pub(super) struct Selection {
    /// Everything, an evaluation or a run.
    pub target: Target,
    /// Whether a view chose the cases.
    pub is_picked: bool,
    /// The cases in the order in which they are written.
    pub pieces: Vec<Piece>,
    /// How many they are.
    pub n_cases: u64,
}

/// Some cases of one run that follow one another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// The run.
    pub run: RunRef,
    rows: Rows,
    /// Whether no piece before is of the same run; in [`Order::ByRun`] the run begins here.
    pub is_first: bool,
    /// Whether no piece after is of the same run; in [`Order::ByRun`] the run ends here.
    pub is_last: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Rows {
    All(Range<u32>),
    Picked(Vec<u32>),
}

impl Selection {
    /// What `scope` is about; `None` when its target is not (or no longer) there.
    pub(super) fn new(workspace: &Workspace, scope: Scope<'_>, order: Order) -> Option<Self> {
        let Scope { target, cases } = scope;
        let runs = runs_of(workspace, target)?;
        let pieces: Vec<Piece> = match (cases, order) {
            (None, Order::Listed | Order::ByRun) => {
                runs.iter().flat_map(|(at, run)| whole(*at, n_rows(run))).collect()
            }
            (None, Order::ByGroup) => {
                let all = |(at, run): &(RunRef, &Run)| picked(*at, grouped(run, 0..n_rows(run)));
                runs.iter().flat_map(all).collect()
            }
            (Some(cases), Order::Listed) => as_listed(&runs, cases),
            (Some(cases), _) => by_run(&runs, cases, order),
        };
        let n_cases = pieces.iter().map(|piece| piece.len() as u64).sum();
        Some(Self { target, is_picked: cases.is_some(), pieces, n_cases })
    }

    /// The evaluations it is about.
    pub(super) fn entries<'a>(
        &self,
        workspace: &'a Workspace,
    ) -> impl Iterator<Item = &'a Entry> + use<'a> {
        workspace.entries_of(self.target)
    }

    /// Whether run `at` is one of its runs.
    pub(super) fn has_run(&self, at: RunRef) -> bool {
        match self.target {
            Target::All => true,
            Target::Evaluation(id) => at.evaluation == id,
            Target::Run(run) => at == run,
        }
    }

    /// The chosen cases of each run, in the order of the files. Empty for all others.
    pub(super) fn rows_by_run(&self) -> BTreeMap<(u32, u32), Vec<usize>> {
        let mut rows: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
        for piece in &self.pieces {
            let own = rows.entry((piece.run.evaluation, piece.run.run)).or_default();
            own.extend(piece.rows());
        }
        rows
    }
}

impl Piece {
    /// Rows in the run.
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> {
        let (range, picked) = match &self.rows {
            Rows::All(range) => (range.clone(), &[][..]),
            Rows::Picked(rows) => (0..0, rows.as_slice()),
        };
        range.chain(picked.iter().copied()).map(|row| row as usize)
    }

    /// Number of cases.
    pub(super) fn len(&self) -> usize {
        match &self.rows {
            Rows::All(range) => range.len(),
            Rows::Picked(rows) => rows.len(),
        }
    }
}

fn n_rows(run: &Run) -> u32 {
    u32::try_from(run.cases.len()).unwrap_or(u32::MAX)
}

/// The runs of `target`; `None` when it is not there.
fn runs_of(workspace: &Workspace, target: Target) -> Option<Vec<(RunRef, &Run)>> {
    match target {
        Target::All => {}
        Target::Evaluation(id) => {
            workspace.entry(id)?;
        }
        Target::Run(run) => {
            workspace.run(run)?;
        }
    }
    let runs = workspace.entries_of(target).flat_map(|entry| {
        let runs = entry.evaluation.runs.iter().zip(0_u32..);
        runs.map(|(run, idx)| (RunRef { evaluation: entry.id, run: idx }, run))
    });
    let is_meant = |at: &RunRef| !matches!(target, Target::Run(run) if run != *at);
    Some(runs.filter(|(at, _)| is_meant(at)).collect())
}

/// All cases of a run; an empty run is one empty piece.
fn whole(run: RunRef, n_rows: u32) -> Vec<Piece> {
    let n_pieces = n_rows.div_ceil(PIECE_CASES).max(1);
    let piece = |nth: u32| {
        let start = nth * PIECE_CASES;
        Piece {
            run,
            rows: Rows::All(start..start.saturating_add(PIECE_CASES).min(n_rows)),
            is_first: nth == 0,
            is_last: nth + 1 == n_pieces,
        }
    };
    (0..n_pieces).map(piece).collect()
}

/// The cases `rows` of a run, cut into pieces; none is one empty piece.
fn picked(run: RunRef, rows: Vec<u32>) -> Vec<Piece> {
    let n_pieces = rows.len().div_ceil(PIECE_CASES as usize).max(1);
    let mut rest = rows;
    let piece = |nth: usize| {
        let later = rest.split_off(rest.len().min(PIECE_CASES as usize));
        let rows = Rows::Picked(std::mem::replace(&mut rest, later));
        Piece { run, rows, is_first: nth == 0, is_last: nth + 1 == n_pieces }
    };
    (0..n_pieces).map(piece).collect()
}

/// `rows` of `run`, each group's together, in the order of its groups; those without a group last.
fn grouped(run: &Run, rows: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let places = run.groups.iter().enumerate();
    let places: HashMap<&str, usize> =
        places.map(|(place, group)| (group.name.as_str(), place)).collect();
    let place = |row: u32| {
        let group = run.cases.group.get(row as usize);
        group.and_then(|name| places.get(name)).copied().unwrap_or(usize::MAX)
    };
    let mut rows: Vec<(usize, u32)> = rows.into_iter().map(|row| (place(row), row)).collect();
    rows.sort_unstable();
    rows.into_iter().map(|(_, row)| row).collect()
}

/// The chosen cases, run by run, each once; runs without a chosen case are left out.
fn by_run(runs: &[(RunRef, &Run)], cases: &[(RunRef, u32)], order: Order) -> Vec<Piece> {
    let chosen: BTreeSet<(u32, u32, u32)> =
        cases.iter().map(|(at, row)| (at.evaluation, at.run, *row)).collect();
    let mut pieces = Vec::new();
    for (at, run) in runs {
        let (evaluation, idx) = (at.evaluation, at.run);
        let own = chosen.range((evaluation, idx, 0)..(evaluation, idx, n_rows(run)));
        let own = own.map(|(_, _, row)| *row);
        let rows =
            if order == Order::ByGroup { grouped(run, own) } else { own.collect::<Vec<_>>() };
        if !rows.is_empty() {
            pieces.extend(picked(*at, rows));
        }
    }
    pieces
}

/// The chosen cases in their order; neighbours of the same run are one piece.
fn as_listed(runs: &[(RunRef, &Run)], cases: &[(RunRef, u32)]) -> Vec<Piece> {
    let n_rows: BTreeMap<(u32, u32), u32> =
        runs.iter().map(|(at, run)| ((at.evaluation, at.run), n_rows(run))).collect();
    let mut pieces: Vec<Piece> = Vec::new();
    for (run, row) in cases {
        if n_rows.get(&(run.evaluation, run.run)).is_none_or(|n_rows| row >= n_rows) {
            continue;
        }
        match pieces.last_mut() {
            Some(Piece { run: last, rows: Rows::Picked(rows), .. })
                if last == run && rows.len() < PIECE_CASES as usize =>
            {
                rows.push(*row);
            }
            _ => pieces.push(Piece {
                run: *run,
                rows: Rows::Picked(vec![*row]),
                is_first: false,
                is_last: false,
            }),
        }
    }
    pieces
}
