//! Models, agents or run directories beside each other.

use super::scores::score_axis;
use super::{ChartFigure, MarkLinks, quoted};
use crate::chart::{Axis, Chart, Dot, Dots, Range, Tone, Unit};
use crate::order::Order as _;
use crate::report::cells::has_unit_scores;
use crate::report::declared::{self, DeclaredPart};
use crate::report::interval95::Interval95;
use crate::report::measure::{MeasuredValue, share};
use crate::report::scope::PageScope;
use crate::report::table::Column;
use crate::report::tree::{evaluation_score, run_score, score_of_totals};
use crate::report::{Cell, Link, Measure, Num, Row, Table, Target};
use crate::scoring::Counts;
use crate::stats;
use crate::words::report::charts::{common, models as words};
use crate::workspace::Entry;
use crate::workspace::{part_title, run_title};

/// Rows that are drawn.
const MAX_DOTS: usize = 24;

/// One model of one evaluation, or one run directory.
pub(super) struct ChartSubject<'a> {
    /// Its name.
    pub name: String,
    /// Its evaluation.
    pub entry: &'a Entry,
    /// Its runs.
    pub runs: Vec<usize>,
    /// What shows it.
    pub link: Option<Link>,
    /// What is declared of it, where none of its cases is among the files.
    pub declared: Option<DeclaredPart>,
}

/// Every model of every evaluation; a run directory counts as one.
pub(super) fn subjects<'a>(scope: &PageScope<'a>) -> Vec<ChartSubject<'a>> {
    let is_many = scope.parts.len() > 1;
    let mut found: Vec<ChartSubject<'a>> = Vec::new();
    for (entry, idxs) in &scope.parts {
        let entry: &'a Entry = entry;
        let label = &entry.evaluation.label;
        if entry.evaluation.config.has_policies && !entry.is_declared_only() {
            found.push(ChartSubject {
                name: label.clone(),
                entry,
                runs: idxs.clone(),
                link: Some(Link::Target(Target::Evaluation(entry.id))),
                declared: None,
            });
            continue;
        }
        let first = found.len();
        for &idx in idxs {
            let Some(run) = entry.evaluation.runs.get(idx) else { continue };
            let name = match (is_many, &run.key.subject) {
                (true, Some(own)) => part_title(label, own),
                (true, None) => run_title(entry, run),
                (false, own) => own.as_deref().unwrap_or(&run.label).to_owned(),
            };
            let known = found.iter_mut().skip(first).find(|subject| subject.name == name);
            match known {
                Some(subject) => subject.runs.push(idx),
                None => {
                    let (runs, link, declared) = (vec![idx], None, None);
                    found.push(ChartSubject { name, entry, runs, link, declared });
                }
            }
        }
        for subject in found.iter_mut().skip(first) {
            let only = subject.runs.first().filter(|_| subject.runs.len() == 1);
            let run = only.and_then(|&idx| entry.run_ref(idx));
            let model = subject.runs.first().and_then(|&idx| {
                let run = entry.evaluation.runs.get(idx)?;
                run.key.subject.as_deref().map(|name| format!("model={}", quoted(name)))
            });
            subject.link = match (run, model) {
                (Some(run), _) => Some(Link::Target(Target::Run(run))),
                (None, Some(filter)) if !is_many => Some(Link::Filter(filter)),
                _ => Some(Link::Target(Target::Evaluation(entry.id))),
            };
        }
        if !scope.is_run {
            found.extend(declared_subjects(entry, is_many));
        }
    }
    found
}

/// The models of an evaluation that are declared only.
fn declared_subjects(entry: &Entry, is_many: bool) -> impl Iterator<Item = ChartSubject<'_>> {
    let has_run = |part: &DeclaredPart| {
        // What is stated of all together says nothing beside runs.
        let is_its = |name: Option<&str>| part.subject.is_none() || part.subject.as_deref() == name;
        entry.evaluation.runs.iter().any(|run| is_its(run.key.subject.as_deref()))
    };
    let parts = entry.declared().subjects().into_iter().filter(move |part| !has_run(part));
    parts.map(move |part| {
        let label = &entry.evaluation.label;
        let name = match &part.subject {
            Some(own) if is_many => common::declared(&part_title(label, own)),
            own => common::declared(own.as_ref().unwrap_or(label)),
        };
        ChartSubject {
            name,
            entry,
            runs: Vec::new(),
            link: Some(Link::Target(Target::Evaluation(entry.id))),
            declared: Some(part),
        }
    })
}

impl ChartSubject<'_> {
    /// Its score, as the tables have it: over its repeats, over its checkpoints, or of its only run.
    pub(super) fn score(&self) -> Option<MeasuredValue> {
        if let Some(part) = &self.declared {
            return declared::measured(part, Measure::Score);
        }
        let n_runs = self.runs.len() as u64;
        let is_unit = has_unit_scores(&self.entry.evaluation);
        if let [only] = self.runs.as_slice() {
            return Measure::Score.of_run(self.entry, *only);
        }
        let scores: Vec<f64> = self
            .runs
            .iter()
            .filter_map(|&idx| run_score(self.entry.figures.runs.get(idx)?))
            .map(|score| score.0)
            .collect();
        if self.entry.evaluation.config.has_policies {
            return Some(MeasuredValue {
                value: evaluation_score(self.entry)?.0,
                interval: Interval95::over(&scores, stats::mean_interval(&scores), is_unit),
                note: words::mean_of_checkpoints(n_runs),
            });
        }
        Some(MeasuredValue {
            value: self.over_repeats().or_else(|| stats::exact_mean(&scores))?,
            interval: Interval95::over(&scores, stats::mean_interval(&scores), is_unit),
            note: words::mean_of_runs(n_runs),
        })
    }

    /// The mean over repeats that the tables show for it.
    fn over_repeats(&self) -> Option<f64> {
        let name = self.entry.evaluation.runs.get(*self.runs.first()?)?.key.subject.as_deref()?;
        let figures = &self.entry.figures;
        if let Some(aggregate) = &figures.aggregate {
            let (_, _, spread) = aggregate.subjects.iter().find(|(known, ..)| known == name)?;
            let stat = spread.under_rules.as_ref().or(spread.reward.as_ref());
            return Some(stat.unwrap_or(&spread.score).mean?.0);
        }
        let mut repeats = figures.repeats.iter().flat_map(|repeat| &repeat.subjects);
        let (_, totals) = repeats.find(|(known, _)| known == name)?;
        score_of_totals(totals).map(|score| score.0)
    }

    /// Share of its cases that pass, over all its runs.
    pub(super) fn pass_rate(&self) -> Option<MeasuredValue> {
        if let Some(part) = &self.declared {
            return declared::measured(part, Measure::PassRate);
        }
        let counts = || {
            let runs = self.runs.iter().filter_map(|&idx| self.entry.figures.runs.get(idx));
            runs.map(|run| &run.totals.counts)
        };
        let is_judged = counts().any(Counts::is_judged);
        let (passed, counted) = Counts::passing_of(counts()).filter(|_| is_judged)?;
        share(passed, counted)
    }
}

/// Scores with intervals, when there are several.
pub(super) fn scores(scope: &PageScope<'_>) -> Option<ChartFigure> {
    let found = measured(scope, ChartSubject::score)?;
    let values: Vec<f64> =
        found.iter().filter_map(|(_, found)| found.as_ref()).map(|found| found.value).collect();
    let axis = score_axis(common::SCORE, &values);
    let title = words::scores(what(scope));
    let is_less = scope.is_less_better();
    let lead =
        if is_less { words::scores_lead_lower_better() } else { words::SCORES_LEAD.to_owned() };
    Some(dots("chart-models", &title, &lead, axis, (found, is_less), Cell::Number))
}

/// Shares of cases that pass, when there are several.
pub(super) fn pass_rates(scope: &PageScope<'_>) -> Option<ChartFigure> {
    let found = measured(scope, ChartSubject::pass_rate)?;
    let axis = Axis::new(common::PASS_RATE, Unit::Rate, Range::Whole);
    let lead = words::PASS_RATES_LEAD;
    let title = words::pass_rates(what(scope));
    Some(dots("chart-model-passes", &title, lead, axis, (found, false), Cell::Rate))
}

/// What stands beside each other.
fn what(scope: &PageScope<'_>) -> &'static str {
    let mut sorts = scope.parts.iter().map(|(entry, _)| entry.evaluation.config.has_policies);
    match (sorts.clone().any(|is_directory| is_directory), sorts.all(|is_directory| is_directory)) {
        (true, true) => words::DIRECTORIES,
        (true, false) => words::MODELS_AND_DIRECTORIES,
        (false, _) => words::MODELS,
    }
}

type ModelSubjects<'a> = Vec<(ChartSubject<'a>, Option<MeasuredValue>)>;

/// `None` of fewer than two subjects, or when none of them has the value.
fn measured<'a>(
    scope: &PageScope<'a>,
    measure: impl Fn(&ChartSubject<'a>) -> Option<MeasuredValue>,
) -> Option<ModelSubjects<'a>> {
    if scope.is_run {
        return None;
    }
    let subjects = subjects(scope);
    let found: ModelSubjects<'_> = subjects
        .into_iter()
        .map(|subject| (measure(&subject), subject))
        .map(|(m, s)| (s, m))
        .collect();
    (found.len() > 1 && found.iter().any(|(_, value)| value.is_some())).then_some(found)
}

/// `found`, best first, where `is_less` says that lower is better.
fn dots(
    id: &str,
    title: &str,
    lead: &str,
    axis: Axis,
    (mut found, is_less): (ModelSubjects<'_>, bool),
    cell: fn(Num) -> Cell,
) -> ChartFigure {
    let gain = |value: f64| if is_less { -value } else { value };
    let value = |found: &Option<MeasuredValue>| {
        found.as_ref().map_or(f64::NEG_INFINITY, |found| gain(found.value))
    };
    found.order_by(|(_, left), (_, right)| value(right).total_cmp(&value(left)));
    let mut links = MarkLinks::default();
    let mut table = Table::new(
        id,
        title,
        vec![
            Column::words(common::OF),
            Column::numbers(&axis.label, ""),
            Column::numbers(common::INTERVAL, ""),
            Column::words(words::BASED_ON),
        ],
    );
    let mut dots = Vec::new();
    let n_found = found.len();
    for (subject, measured) in found {
        let interval = measured.as_ref().map_or(Interval95::Undefined, |found| found.interval);
        let note = measured.as_ref().map(|measured| measured.note.clone()).unwrap_or_default();
        let value = measured.map(|measured| measured.value);
        table.rows.push(Row {
            cells: vec![
                Cell::Text(subject.name.clone()),
                Cell::or_missing(value.map(Num), cell, words::NO_VALUE),
                interval.cell(),
                Cell::Text(note.clone()),
            ],
            link: subject.link.clone(),
        });
        if dots.len() < MAX_DOTS {
            let link = links.add(subject.link);
            let (tone, interval) = (Tone::Series(0), interval.drawn());
            dots.push(Dot { name: subject.name, value, interval, note, tone, link });
        }
    }
    let part = if n_found > MAX_DOTS { words::first_of(MAX_DOTS, n_found) } else { String::new() };
    let lead = format!("{lead}{part}");
    ChartFigure::new(title, lead, Chart::Dots(Dots { axis, dots }), links, table)
}
