//! Trends: runs over time, checkpoints and repeats in order, run directories as maps, code quality.

use crate::report::charts::{
    by_folder, heat_maps, over_checkpoints, over_repeats, over_time, problems_by_evaluation,
    quality,
};
use crate::report::compare::{SideSpec, previous_sides};
use crate::report::scope::PageScope;
use crate::report::{ChartFigure, Link, Measure, Section, SectionChoice, Sections, Target};
use crate::words::report::statistics::trends as words;
use crate::workspace::Workspace;

/// The trends of `target` by `measure`; `None` when it is not there.
pub(in crate::report) fn trends(
    workspace: &Workspace,
    target: Target,
    measure: Measure,
) -> Option<Sections> {
    let scope = PageScope::new(workspace, target)?;
    let section = |title: &str, lead: &str, mut figures: Vec<ChartFigure>| {
        // A lone one has the room of several.
        if let [only] = figures.as_mut_slice() {
            only.is_small = false;
        }
        let (title, lead) = (title.to_owned(), Some(lead.to_owned()));
        Section { title, lead, figures, ..Section::default() }
    };
    let definition = match measure == Measure::Score && scope.is_less_better() {
        true => words::lower_is_better(measure.definition()),
        false => measure.definition().to_owned(),
    };
    let mut sections = Vec::new();
    let time = match over_time(&scope, measure) {
        Ok(figures) => section(words::OVER_TIME, &definition, figures),
        Err(reason) => section(words::OVER_TIME, &reason, Vec::new()),
    };
    sections.push(time);
    let folders = by_folder(&scope, measure);
    if !folders.is_empty() {
        sections.push(section(words::BY_FOLDER, words::BY_FOLDER_LEAD, folders));
    }
    let repeats = over_repeats(&scope, measure);
    if !repeats.is_empty() {
        sections.push(section(words::OVER_REPEATS, &definition, repeats));
    }
    let mut checkpoints: Vec<_> = over_checkpoints(&scope, measure).into_iter().collect();
    checkpoints.extend(heat_maps(&scope));
    checkpoints.extend(problems_by_evaluation(&scope));
    if !checkpoints.is_empty() {
        let lead = words::OVER_CHECKPOINTS_LEAD;
        sections.push(section(words::OVER_CHECKPOINTS, lead, checkpoints));
    }
    sections.extend(quality(&scope));
    let is_empty = sections.iter().all(|section| section.figures.is_empty());
    let is_offered = |known: &Measure| {
        *known == measure
            || scope.parts.is_empty()
            || scope.parts.iter().any(|(entry, _)| known.is_of(entry))
    };
    let offered = Measure::ALL.into_iter().filter(is_offered);
    let choice = |known: Measure| SectionChoice {
        label: known.title().to_owned(),
        link: Link::Measure(known),
        is_on: known == measure,
    };
    Some(Sections {
        title: words::TITLE.to_owned(),
        facts: scope.facts(),
        ways: compare_newest(workspace, target),
        choices: offered.map(choice).collect(),
        empty: (is_empty && scope.is_run).then(|| words::SINGLE_RUN.to_owned()),
        sections,
        ..Sections::default()
    })
}

/// The way to the newest evaluation compared with the one of the same suite before it.
fn compare_newest(workspace: &Workspace, target: Target) -> Vec<(String, Link)> {
    let sides = previous_sides(workspace, target).into_iter();
    let link = |sides: Vec<SideSpec>| {
        let members = sides.into_iter().map(|side| side.members).collect();
        let label = match target {
            Target::All => words::COMPARE_NEWEST,
            Target::Evaluation(_) | Target::Run(_) => words::COMPARE_PREVIOUS,
        };
        (label.to_owned(), Link::Compare(members))
    };
    sides.map(link).collect()
}
