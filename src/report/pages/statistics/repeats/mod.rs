//! The same subject on the same part of a suite several times: which runs repeat one another, and the
//! sections about them.

mod spread;
mod trials;

use super::run_name;
use crate::figures::RunFigures;
use crate::model::Run;
use crate::report::Section;
use crate::report::cells::has_unit_scores;
use crate::report::scope::PageScope;
use crate::workspace::Entry;

/// Runs that repeat one another.
struct Repeated<'a> {
    /// Suite, part and subject; the label of its only run where it has none of them.
    name: String,
    /// Each with its evaluation and its number there.
    runs: Vec<(&'a Entry, usize, &'a Run)>,
}

/// The sections about the repeats in `scope`.
pub(super) fn sections(scope: &PageScope<'_>) -> Vec<Section> {
    let groups = repeated(scope);
    let mut sections = Vec::new();
    let several: Vec<&Repeated<'_>> = groups.iter().filter(|group| group.runs.len() > 1).collect();
    if !several.is_empty() {
        sections.push(spread::section(scope, &several));
    }
    sections.extend(trials::sections(&groups));
    sections
}

/// Runs grouped by producer, suite, part and subject, in the order of their first one.
fn repeated<'a>(scope: &PageScope<'a>) -> Vec<Repeated<'a>> {
    let mut groups: Vec<([Option<String>; 4], Repeated<'a>)> = Vec::new();
    let runs = scope.runs();
    // What all runs have in common tells none of them apart.
    let suite = runs.first().and_then(|run| run.key.suite.as_ref());
    let is_one_suite = runs.iter().all(|run| run.key.suite.as_ref() == suite);
    for (entry, idxs) in &scope.parts {
        for &idx in idxs {
            let Some(run) = entry.evaluation.runs.get(idx) else { continue };
            let key = [
                Some(entry.evaluation.producer.to_string()),
                run.key.suite.clone(),
                run.key.variant.clone(),
                run.key.subject.clone(),
            ];
            let found = groups.iter_mut().find(|(known, _)| *known == key);
            if let Some((_, group)) = found {
                group.runs.push((*entry, idx, run));
                continue;
            }
            let n_left_out = if is_one_suite { 2 } else { 1 };
            let words = key.iter().skip(n_left_out).flatten().cloned().collect::<Vec<_>>();
            let name = if words.is_empty() { run.label.clone() } else { words.join(" · ") };
            groups.push((key, Repeated { name, runs: vec![(*entry, idx, run)] }));
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

impl Repeated<'_> {
    /// Whether the scores of all runs lie in 0–1.
    fn has_unit_scores(&self) -> bool {
        self.runs.iter().all(|(entry, _, _)| has_unit_scores(&entry.evaluation))
    }

    /// The figures of each run.
    fn figures(&self) -> Vec<&RunFigures> {
        self.runs.iter().filter_map(|(entry, idx, _)| entry.figures.runs.get(*idx)).collect()
    }
}
