//! Figures of one repeat over all subjects, and figures over all repeats.

use super::run::declared_kinds;
use super::{AggregateFigures, FigureBasis, Figures, RepeatFigures, RunFigures, declared_gate};
use crate::model::{Evaluation, Figure, Run, Scope};
use crate::policy::judge_gate;
use crate::scoring::{Totals, spread, totals};
use std::collections::BTreeMap;

impl FigureBasis<'_> {
    pub(super) fn repeat_figures(&self, of_runs: &[RunFigures]) -> Vec<RepeatFigures> {
        let mut by_repeat: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (idx, run) in self.evaluation.runs.iter().enumerate() {
            by_repeat.entry(run.key.repeat).or_default().push(idx);
        }
        let figure = |(repeat, idxs): (u32, Vec<usize>)| {
            let mut subjects: Vec<(String, Vec<usize>)> = Vec::new();
            for &idx in &idxs {
                let subject = self.evaluation.runs.get(idx).and_then(|run| run.key.subject.clone());
                let Some(subject) = subject else { continue };
                match subjects.iter_mut().find(|(name, _)| *name == subject) {
                    Some((_, of_subject)) => of_subject.push(idx),
                    None => subjects.push((subject, vec![idx])),
                }
            }
            RepeatFigures {
                declared_passed: declared_gate(self.evaluation, &Scope::Repeat(repeat)),
                repeat,
                totals: self.totals_of(&idxs, of_runs, |base| Some(&known(base, repeat)?.totals)),
                gate: self.gate.as_ref().map(|gate| {
                    let same = self.with_same_gate().and_then(|base| known(base, repeat));
                    if let Some(same) = same.and_then(|base| base.gate.clone()) {
                        return same;
                    }
                    let declared = declared_gate(self.evaluation, &Scope::Repeat(repeat));
                    judge_gate(
                        gate.rule,
                        &self.runs(&idxs),
                        &self.evaluation.config,
                        &self.settings.rules,
                        declared.filter(|_| gate.is_declared),
                    )
                }),
                subjects: subjects
                    .into_iter()
                    .map(|(name, idxs)| {
                        let found = self.totals_of(&idxs, of_runs, |base| {
                            let mut all = known(base, repeat)?.subjects.iter();
                            all.find(|(known, _)| *known == name).map(|(_, totals)| totals)
                        });
                        (name, found)
                    })
                    .collect(),
            }
        };
        by_repeat.into_iter().map(figure).collect()
    }

    /// Totals of several runs together; those of a single one are known already.
    fn totals_of<'a>(
        &'a self,
        idxs: &[usize],
        of_runs: &[RunFigures],
        known: impl FnOnce(&'a Figures) -> Option<&'a Totals>,
    ) -> Totals {
        if let ([only], false) = (idxs, self.evaluation.config.has_policies)
            && let Some(known) = of_runs.get(*only)
            && known.groups.is_empty()
        {
            return known.totals.clone();
        }
        let all = self.runs(idxs);
        // What was evaluated again counts once; what it took counts with the rest.
        let first: Vec<&Run> = all.iter().copied().filter(|run| run.again().is_none()).collect();
        let known = self.known(&all, known);
        let of = |runs: &[&Run]| totals(runs, &self.evaluation.config, &self.settings.rules, known);
        let mut found = of(&first);
        if first.len() < all.len() && known.is_none() {
            let Totals { usage, timing, .. } = of(&all);
            found.usage = usage;
            found.timing = timing;
        }
        for declared in first.iter().filter_map(|run| run.declared_counts()) {
            declared_kinds(declared, &mut found.counts);
        }
        found
    }
}

/// The figures of repeat `repeat`.
fn known(base: &Figures, repeat: u32) -> Option<&RepeatFigures> {
    base.repeats.iter().find(|own| own.repeat == repeat)
}

/// Figures over all repeats; `None` where there is one repeat and no file says that there are several.
pub(super) fn aggregate_figures(
    evaluation: &Evaluation,
    repeats: &[RepeatFigures],
    has_gate: bool,
) -> Option<AggregateFigures> {
    let is_declared = evaluation.declared.iter().any(|d| d.figure == Figure::Repeats);
    if repeats.is_empty() || (repeats.len() < 2 && !is_declared) {
        return None;
    }
    let n_passed = repeats
        .iter()
        .filter(|repeat| repeat.gate.as_ref().is_some_and(|gate| gate.is_passed == Some(true)))
        .count() as u64;
    let is_judged = repeats
        .iter()
        .all(|repeat| repeat.gate.as_ref().is_some_and(|gate| gate.is_passed.is_some()));
    let mut subjects: Vec<(String, Vec<&Totals>)> = Vec::new();
    for (name, totals) in repeats.iter().flat_map(|repeat| &repeat.subjects) {
        match subjects.iter_mut().find(|(known, _)| known == name) {
            Some((_, of_subject)) => of_subject.push(totals),
            None => subjects.push((name.clone(), vec![totals])),
        }
    }
    let of_repeats: Vec<&Totals> = repeats.iter().map(|repeat| &repeat.totals).collect();
    Some(AggregateFigures {
        n_repeats: repeats.len() as u64,
        n_passed: (has_gate && is_judged).then_some(n_passed),
        spread: spread(&of_repeats),
        subjects: subjects
            .into_iter()
            .map(|(name, totals)| (name, totals.len() as u64, spread(&totals)))
            .collect(),
    })
}
