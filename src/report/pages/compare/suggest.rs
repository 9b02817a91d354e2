//! What is compared where nobody has said so, and what else could be.

use super::{MAX_SIDES, SideSpec, subjects_as_sides};
use crate::model::Run;
use crate::order::Order as _;
use crate::report::charts::seconds_of;
use crate::report::{RunRef, Target};
use crate::words::report::compare as words;
use crate::workspace::{Entry, Workspace, run_title};
use serde::{Deserialize, Serialize};

/// Runs of an evaluation that are offered one by one.
const MAX_RUNS: usize = 60;

/// Sides that are offered.
const MAX_OFFERED: usize = 400;

/// Something that can be a side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideOffer {
    /// The evaluation that it is of.
    pub evaluation: String,
    /// What it is called there; empty: it is the whole evaluation.
    pub label: String,
    /// What it holds.
    pub members: Vec<Target>,
}

/// What is compared with what `target` is about: the evaluation of the same suite before it, else the next one,
/// else its subjects, else its runs. Of everything: the newest evaluation that has something to be compared
/// with, else the first two. Empty where there is nothing.
pub fn suggested_sides(workspace: &Workspace, target: Target) -> Vec<SideSpec> {
    let entries = || workspace.entries.iter();
    match target {
        Target::All => {
            let by_time = in_time(workspace);
            let with_neighbour =
                by_time.iter().rev().find_map(|entry| with_neighbour(&by_time, entry));
            let first_two = |is_it: &dyn Fn(&&Entry) -> bool| {
                let opened: Vec<u32> = entries().filter(is_it).take(2).map(|one| one.id).collect();
                let two = by_time.iter().filter(|one| opened.contains(&one.id));
                let two: Vec<SideSpec> = two.map(|one| of_entry(one)).collect();
                (two.len() == 2).then_some(two)
            };
            let of_first = entries().next().map(|first| &first.evaluation.producer);
            with_neighbour
                .or_else(|| first_two(&|entry| Some(&entry.evaluation.producer) == of_first))
                .or_else(|| entries().find_map(|entry| within(workspace, entry)))
                .or_else(|| first_two(&|_| true))
        }
        Target::Evaluation(id) => workspace.entry(id).and_then(|entry| {
            with_neighbour(&in_time(workspace), entry).or_else(|| within(workspace, entry))
        }),
        Target::Run(run) => of_run(workspace, run),
    }
    .unwrap_or_default()
}

/// The newest evaluation of `target`, or the one that it is, and the one of the same suite before it; `None`
/// where there is none.
pub fn previous_sides(workspace: &Workspace, target: Target) -> Option<Vec<SideSpec>> {
    let by_time = in_time(workspace);
    let of =
        |entry: &Entry| before(&by_time, entry).map(|other| vec![of_entry(other), of_entry(entry)]);
    match target {
        Target::All => by_time.iter().rev().find_map(|entry| of(entry)),
        Target::Evaluation(id) => of(workspace.entry(id)?),
        Target::Run(_) => None,
    }
}

/// All that can be a side: evaluations, their subjects, their runs.
pub fn offered_sides(workspace: &Workspace) -> Vec<SideOffer> {
    let mut offers = Vec::new();
    for entry in &workspace.entries {
        let evaluation = entry.evaluation.label.clone();
        let mut offer = |label: String, members: Vec<Target>| {
            let evaluation = evaluation.clone();
            offers.push(SideOffer { evaluation, label, members });
        };
        offer(String::new(), vec![Target::Evaluation(entry.id)]);
        let subjects = subjects_as_sides(workspace, entry.id);
        for SideSpec { label, members } in &subjects {
            if members.len() > 1 {
                let named = words::subject_with_runs(label, members.len() as u64);
                offer(named, members.clone());
            }
        }
        let runs = &entry.evaluation.runs;
        if runs.len() > 1 {
            for (idx, run) in runs.iter().enumerate().take(MAX_RUNS) {
                let member = entry.run_ref(idx).map(Target::Run);
                offer(run_title(entry, run), member.into_iter().collect());
            }
        }
    }
    offers.truncate(MAX_OFFERED);
    offers
}

fn of_entry(entry: &Entry) -> SideSpec {
    SideSpec { label: String::new(), members: vec![Target::Evaluation(entry.id)] }
}

/// The evaluation before `entry` and it; else it and the one after it.
fn with_neighbour(by_time: &[&Entry], entry: &Entry) -> Option<Vec<SideSpec>> {
    if let Some(other) = before(by_time, entry) {
        return Some(vec![of_entry(other), of_entry(entry)]);
    }
    let mut later = by_time.iter().skip_while(|one| one.id != entry.id).skip(1);
    let after = later.find(|other| is_same_suite(other, entry))?;
    Some(vec![of_entry(entry), of_entry(after)])
}

/// The subjects of `entry`, else its runs, as sides.
fn within(workspace: &Workspace, entry: &Entry) -> Option<Vec<SideSpec>> {
    let mut sides = subjects_as_sides(workspace, entry.id);
    // Named after what they hold, as everywhere.
    sides.iter_mut().for_each(|side| side.label.clear());
    let first = entry.evaluation.runs.first();
    let is_repeat = |run: &Run| first.is_some_and(|first| is_same_part(first, run));
    if sides.is_empty() && entry.evaluation.runs.iter().all(is_repeat) {
        let runs = (0..entry.evaluation.runs.len()).filter_map(|idx| entry.run_ref(idx));
        sides = runs.map(|run| side_of(Target::Run(run))).collect();
    }
    sides.truncate(MAX_SIDES);
    (sides.len() > 1).then_some(sides)
}

/// The run that is the same part of the evaluation before, else of the evaluation after, else another repeat, and
/// `run`.
fn of_run(workspace: &Workspace, at: RunRef) -> Option<Vec<SideSpec>> {
    let (entry, run) = workspace.run(at)?;
    let twin = |other: &Entry| {
        let twin = |one: &&Run| is_same_part(one, run) && one.key.subject == run.key.subject;
        let runs = &other.evaluation.runs;
        let found = runs.iter().position(|one| twin(&one) && one.key.repeat == run.key.repeat);
        other.run_ref(found.or_else(|| runs.iter().position(|one| twin(&one)))?)
    };
    let own = side_of(Target::Run(at));
    if let Some(other) = before(&in_time(workspace), entry).and_then(twin) {
        return Some(vec![side_of(Target::Run(other)), own]);
    }
    let runs = entry.evaluation.runs.iter().enumerate();
    let others: Vec<usize> = runs
        .filter(|(idx, one)| entry.run_ref(*idx) != Some(at) && is_same_part(one, run))
        .map(|(idx, _)| idx)
        .collect();
    let earlier = others.iter().rev().find(|idx| (**idx as u64) < u64::from(at.run));
    let other = entry.run_ref(*earlier.or(others.first())?)?;
    Some(vec![side_of(Target::Run(other)), own])
}

fn side_of(target: Target) -> SideSpec {
    SideSpec { label: String::new(), members: vec![target] }
}

fn is_same_part(one: &Run, other: &Run) -> bool {
    one.key.suite == other.key.suite && one.key.variant == other.key.variant
}

/// The evaluation of the same suite just before `entry`, of `by_time`: by the time of its first run where both say
/// it, else by the order of opening.
fn before<'a>(by_time: &[&'a Entry], entry: &Entry) -> Option<&'a Entry> {
    let own = by_time.iter().position(|one| one.id == entry.id)?;
    let mut earlier = by_time.iter().take(own).rev();
    earlier.find(|other| is_same_suite(other, entry)).copied()
}

/// All evaluations, the oldest first. Those that do not say when they were made stay where they were opened.
fn in_time(workspace: &Workspace) -> Vec<&Entry> {
    let mut sorted: Vec<&Entry> = workspace.entries.iter().collect();
    let starts = sorted.iter().enumerate().filter_map(|(at, entry)| Some((started(entry)?, at)));
    let mut dated: Vec<(f64, usize)> = starts.collect();
    let places: Vec<usize> = dated.iter().map(|(_, at)| *at).collect();
    dated.order_by(|one, two| one.0.total_cmp(&two.0));
    for (place, (_, at)) in places.into_iter().zip(dated) {
        if let (Some(cell), Some(entry)) = (sorted.get_mut(place), workspace.entries.get(at)) {
            *cell = entry;
        }
    }
    sorted
}

/// When its first run began, in seconds.
fn started(entry: &Entry) -> Option<f64> {
    let runs = entry.evaluation.runs.iter();
    let all = runs.filter_map(|run| seconds_of(run.started_at.as_deref()?));
    all.min_by(f64::total_cmp)
}

/// Whether two evaluations are of one producer and suite, or have a suite in common that their runs name.
fn is_same_suite(one: &Entry, other: &Entry) -> bool {
    let (left, right) = (&one.evaluation, &other.evaluation);
    let of_runs = |entry: &Entry, suite: &str| {
        entry.evaluation.runs.iter().any(|run| run.key.suite.as_deref() == Some(suite))
    };
    let shares_run = || {
        let suites = left.runs.iter().filter_map(|run| run.key.suite.as_deref());
        let mut suites = suites;
        suites.any(|suite| of_runs(other, suite))
    };
    left.producer == right.producer
        && ((left.suite.is_some() && left.suite == right.suite)
            || shares_run()
            || has_same_cases(one, other))
}

/// Whether both name no suite and their first cases have the same ids.
fn has_same_cases(one: &Entry, other: &Entry) -> bool {
    let names_none = |entry: &Entry| {
        entry.evaluation.suite.is_none()
            && entry.evaluation.runs.iter().all(|run| run.key.suite.is_none())
    };
    let first = |entry: &Entry| {
        let run = entry.evaluation.runs.first()?;
        run.cases.id.get(0).map(str::to_owned)
    };
    names_none(one) && names_none(other) && first(one).is_some() && first(one) == first(other)
}
