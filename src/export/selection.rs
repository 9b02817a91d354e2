//! What an export is about: everything, an evaluation, a run, or the chosen cases of a view.

use crate::model::Run;
use crate::order::ordered;
use crate::readers::TextPlace;
use crate::report::compare::CompareQuery;
use crate::report::{RunRef, Target};
use crate::workspace::{Entry, Need, Workspace};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// Most cases that are written in one go.
const PIECE_CASES: u32 = 4096;

/// The same where the files are read again for each case.
const PIECE_READ: u32 = 64;

/// What the user wants to have exported.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExportTarget<'a> {
    /// Everything, an evaluation or a run.
    pub target: Target,
    /// Of these, the chosen cases in the order of the view: run, row in the run. `None`: all of them.
    /// Cases outside of the target, and such that are no longer there, are passed over.
    pub cases: Option<&'a [(RunRef, u32)]>,
    /// What the cases carry beyond their scores and checks.
    pub contents: Contents<'a>,
    /// What is compared beside, in `evalglass-report/1`.
    pub compare: Option<&'a CompareQuery>,
}

/// What each case of `evalglass-report/1` carries beyond its scores and checks; by default nothing. The
/// other formats have no place for it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Contents<'a> {
    /// `detail`: facts, input, expected and actual output, failure texts, checks and attempts with
    /// their texts, as the producer's reader reads them.
    pub details: bool,
    /// `transcript` and `turns`: the conversation, and what is known of its turns.
    pub transcripts: bool,
    /// `raw`: the records as the files write them.
    pub raw: bool,
    /// The cases that carry it: run, row in the run. `None`: all that are exported.
    pub only: Option<&'a [(RunRef, u32)]>,
}

/// [`Contents`], to be kept while an export is written.
#[derive(Debug, Default)]
pub(super) struct ExportContents {
    /// As [`Contents::details`].
    pub details: bool,
    /// As [`Contents::transcripts`].
    pub transcripts: bool,
    /// As [`Contents::raw`].
    pub raw: bool,
    only: Option<BTreeSet<(u32, u32, u32)>>,
}

impl ExportContents {
    fn new(contents: Contents<'_>) -> Self {
        let Contents { details, transcripts, raw, only } = contents;
        let only =
            only.map(|cases| cases.iter().map(|(at, row)| (at.evaluation, at.run, *row)).collect());
        Self { details, transcripts, raw, only }
    }

    /// Whether no case carries anything.
    fn is_nothing(&self) -> bool {
        !(self.details || self.transcripts || self.raw)
    }

    /// Whether some case of `run` carries it, so that what belongs to the run as a whole is carried too.
    pub(super) fn is_of_run(&self, run: RunRef) -> bool {
        let is_own = |case: &(u32, u32, u32)| (case.0, case.1) == (run.evaluation, run.run);
        !self.is_nothing() && self.only.as_ref().is_none_or(|only| only.iter().any(is_own))
    }

    /// Whether case `row` of `run` carries it.
    pub(super) fn is_of(&self, run: RunRef, row: usize) -> bool {
        let key = |row| (run.evaluation, run.run, row);
        let is_meant = |only: &BTreeSet<(u32, u32, u32)>| {
            u32::try_from(row).is_ok_and(|row| only.contains(&key(row)))
        };
        !self.is_nothing() && self.only.as_ref().is_none_or(is_meant)
    }
}

/// In which order cases are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExportOrder {
    /// As the view has them.
    Listed,
    /// Run by run, in the order of the files.
    ByRun,
    /// Run by run, each group's cases together, in the order of the run's groups.
    ByGroup,
}

/// What goes into an export, cut into pieces.
#[derive(Debug)]
pub(super) struct ExportSelection {
    /// Everything, an evaluation or a run.
    pub target: Target,
    /// Whether a view chose the cases.
    pub is_picked: bool,
    /// The cases in the order in which they are written.
    pub pieces: Vec<CaseBatch>,
    /// How many they are.
    pub n_cases: u64,
    /// What they carry.
    pub carried: ExportContents,
    /// What is compared beside.
    pub compare: Option<CompareQuery>,
}

/// Some cases of one run that follow one another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CaseBatch {
    /// The run.
    pub run: RunRef,
    rows: SelectedRows,
    /// Whether no piece before is of the same run; in [`ExportOrder::ByRun`] the run begins here.
    pub is_first: bool,
    /// Whether no piece after is of the same run; in [`ExportOrder::ByRun`] the run ends here.
    pub is_last: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum SelectedRows {
    All(Range<u32>),
    Picked(Vec<u32>),
}

impl ExportSelection {
    /// What `scope` is about; `None` when its target is not (or no longer) there. `is_read`: the records of its
    /// cases are read, whatever they carry.
    pub(super) fn new(
        workspace: &Workspace,
        scope: ExportTarget<'_>,
        order: ExportOrder,
        is_read: bool,
    ) -> Option<Self> {
        let ExportTarget { target, cases, contents, compare } = scope;
        let runs = runs_of(workspace, target)?;
        let carried = ExportContents::new(contents);
        let is_read = is_read || !carried.is_nothing();
        let most = if is_read { PIECE_READ } else { PIECE_CASES };
        let pieces: Vec<CaseBatch> = match (cases, order) {
            (None, ExportOrder::Listed | ExportOrder::ByRun) => {
                runs.iter().flat_map(|(at, run)| whole(*at, n_rows(run), most)).collect()
            }
            (None, ExportOrder::ByGroup) => {
                let all =
                    |(at, run): &(RunRef, &Run)| picked(*at, grouped(run, 0..n_rows(run)), most);
                runs.iter().flat_map(all).collect()
            }
            (Some(cases), ExportOrder::Listed) => as_listed(&runs, cases),
            (Some(cases), _) => by_run(&runs, cases, order, most),
        };
        let n_cases = pieces.iter().map(|piece| piece.len() as u64).sum();
        let compare = compare.cloned();
        Some(Self { target, is_picked: cases.is_some(), pieces, n_cases, carried, compare })
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

    /// How many cases of `run` are in the export.
    pub(super) fn n_cases_of(&self, run: RunRef) -> u64 {
        let own = self.pieces.iter().filter(|piece| piece.run == run);
        own.map(|piece| piece.len() as u64).sum()
    }

    /// How many cases of `entry` are in the export, and how many it has, when they are not all.
    pub(super) fn part_of(&self, entry: &Entry) -> Option<[u64; 2]> {
        let own = || self.pieces.iter().filter(|piece| piece.run.evaluation == entry.id);
        let runs = &entry.evaluation.runs;
        let n_cases = own().map(|piece| piece.len() as u64).sum();
        let n_all = runs.iter().map(|run| run.cases.len() as u64).sum();
        // Runs without cases may be missing too.
        let n_runs = ordered::<u32, BTreeSet<u32>>(own().map(|piece| piece.run.run)).len();
        (n_cases != n_all || n_runs != runs.len()).then_some([n_cases, n_all])
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

impl CaseBatch {
    /// The reasons of those checks of its cases that are `chosen`, as far as there are some in the files.
    pub(super) fn reasons(
        &self,
        workspace: &Workspace,
        chosen: impl Fn(&Run, usize, usize) -> bool,
    ) -> Vec<Need> {
        let Some((entry, run)) = workspace.run(self.run) else { return Vec::new() };
        let mut needs = Vec::new();
        for idx in self.rows() {
            let checks = run.checks_of(idx).filter(|at| chosen(run, idx, *at));
            let places = checks.filter_map(|at| run.checks.reason_of(at));
            needs.extend(places.map(|at| Need::Text(entry.id, TextPlace::whole(at))));
        }
        needs
    }

    /// Rows in the run.
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> {
        let (range, picked) = match &self.rows {
            SelectedRows::All(range) => (range.clone(), &[][..]),
            SelectedRows::Picked(rows) => (0..0, rows.as_slice()),
        };
        range.chain(picked.iter().copied()).map(|row| row as usize)
    }

    /// Number of cases.
    pub(super) fn len(&self) -> usize {
        match &self.rows {
            SelectedRows::All(range) => range.len(),
            SelectedRows::Picked(rows) => rows.len(),
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

/// All cases of a run, at most `most` in a piece; an empty run is one empty piece.
fn whole(run: RunRef, n_rows: u32, most: u32) -> Vec<CaseBatch> {
    let n_pieces = n_rows.div_ceil(most).max(1);
    let piece = |nth: u32| {
        let start = nth * most;
        CaseBatch {
            run,
            rows: SelectedRows::All(start..start.saturating_add(most).min(n_rows)),
            is_first: nth == 0,
            is_last: nth + 1 == n_pieces,
        }
    };
    (0..n_pieces).map(piece).collect()
}

/// The cases `rows` of a run, cut into pieces of at most `most`; none is one empty piece.
fn picked(run: RunRef, rows: Vec<u32>, most: u32) -> Vec<CaseBatch> {
    let n_pieces = rows.len().div_ceil(most as usize).max(1);
    let mut rest = rows;
    let piece = |nth: usize| {
        let later = rest.split_off(rest.len().min(most as usize));
        let rows = SelectedRows::Picked(std::mem::replace(&mut rest, later));
        CaseBatch { run, rows, is_first: nth == 0, is_last: nth + 1 == n_pieces }
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
fn by_run(
    runs: &[(RunRef, &Run)],
    cases: &[(RunRef, u32)],
    order: ExportOrder,
    most: u32,
) -> Vec<CaseBatch> {
    let chosen: BTreeSet<(u32, u32, u32)> =
        cases.iter().map(|(at, row)| (at.evaluation, at.run, *row)).collect();
    let mut pieces = Vec::new();
    for (at, run) in runs {
        let (evaluation, idx) = (at.evaluation, at.run);
        let own = chosen.range((evaluation, idx, 0)..(evaluation, idx, n_rows(run)));
        let own = own.map(|(_, _, row)| *row);
        let rows =
            if order == ExportOrder::ByGroup { grouped(run, own) } else { own.collect::<Vec<_>>() };
        if !rows.is_empty() {
            pieces.extend(picked(*at, rows, most));
        }
    }
    pieces
}

/// The chosen cases in their order; neighbours of the same run are one piece.
fn as_listed(runs: &[(RunRef, &Run)], cases: &[(RunRef, u32)]) -> Vec<CaseBatch> {
    let n_rows: BTreeMap<(u32, u32), u32> =
        runs.iter().map(|(at, run)| ((at.evaluation, at.run), n_rows(run))).collect();
    let mut pieces: Vec<CaseBatch> = Vec::new();
    for (run, row) in cases {
        if n_rows.get(&(run.evaluation, run.run)).is_none_or(|n_rows| row >= n_rows) {
            continue;
        }
        match pieces.last_mut() {
            Some(CaseBatch { run: last, rows: SelectedRows::Picked(rows), .. })
                if last == run && rows.len() < PIECE_CASES as usize =>
            {
                rows.push(*row);
            }
            _ => pieces.push(CaseBatch {
                run: *run,
                rows: SelectedRows::Picked(vec![*row]),
                is_first: false,
                is_last: false,
            }),
        }
    }
    pieces
}
