//! Repeats, intervals, consistency, usage, timing: everything that is counted and measured beyond
//! verdicts.

mod directory;
mod repeats;
mod timing;
mod usage;

use crate::model::Run;
use crate::report::charts::trade_offs;
use crate::report::scope::PageScope;
use crate::report::{Link, Section, Sections, Target, declared};
use crate::words::report::statistics as words;
use crate::workspace::run_title;
use crate::workspace::{Entry, Workspace};

/// Rows of one table.
const MAX_ROWS: usize = 500;

/// The statistics of `target`; `None` when it is not there.
pub(in crate::report) fn statistics(workspace: &Workspace, target: Target) -> Option<Sections> {
    let scope = PageScope::new(workspace, target)?;
    let mut sections = Vec::new();
    if !scope.is_run {
        sections.extend(directory::sections(&scope));
    }
    sections.extend(repeats::sections(&scope));
    if !scope.is_run {
        sections.extend(declared_spreads(&scope));
    }
    sections.extend(costs(&scope));
    sections.extend(usage::section(&scope));
    sections.extend(timing::section(&scope));
    let empty = sections.is_empty().then(|| words::NOTHING.to_owned());
    Some(Sections {
        title: words::TITLE.to_owned(),
        has_contents: true,
        facts: scope.facts(),
        sections,
        empty,
        ..Sections::default()
    })
}

/// What files declare over several runs.
fn declared_spreads(scope: &PageScope<'_>) -> Option<Section> {
    let table = |(entry, _): &(&Entry, Vec<usize>)| {
        let mut table = declared::spreads(entry)?;
        if scope.parts.len() > 1 {
            table.caption = format!("{}: {}", table.caption, entry.evaluation.label);
        }
        Some(table)
    };
    let tables: Vec<_> = scope.parts.iter().filter_map(table).collect();
    (!tables.is_empty()).then(|| Section {
        title: words::DECLARED_SPREADS.to_owned(),
        lead: Some(words::DECLARED_SPREADS_LEAD.to_owned()),
        tables,
        ..Section::default()
    })
}

/// What scores cost; `None` where the files do not say.
fn costs(scope: &PageScope<'_>) -> Option<Section> {
    let figures = trade_offs(scope);
    (!figures.is_empty()).then(|| Section {
        title: words::TRADE_OFFS.to_owned(),
        figures,
        ..Section::default()
    })
}

/// Every run of `scope` with its evaluation and the link to it.
pub(in crate::report) fn named_runs<'a>(
    scope: &PageScope<'a>,
) -> impl Iterator<Item = (&'a Entry, usize, &'a Run, Option<Link>)> {
    let of_part = |(entry, idxs): &(&'a Entry, Vec<usize>)| {
        let entry: &'a Entry = entry;
        let runs = idxs.clone().into_iter().filter_map(move |idx| {
            let run = entry.evaluation.runs.get(idx)?;
            Some((entry, idx, run, entry.run_ref(idx).map(|run| Link::Target(Target::Run(run)))))
        });
        runs.collect::<Vec<_>>()
    };
    scope.parts.iter().flat_map(of_part).collect::<Vec<_>>().into_iter()
}

/// A run's name; with its evaluation's when there are several.
pub(in crate::report) fn run_name(scope: &PageScope<'_>, entry: &Entry, run: &Run) -> String {
    if scope.parts.len() > 1 { run_title(entry, run) } else { run.label.clone() }
}
