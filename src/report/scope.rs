//! What a page is about, as evaluations and runs: the input of rules, statistics, trends and charts.

use super::Target;
use crate::model::{Better, Run};
use crate::words::report::shared as words;
use crate::workspace::{Entry, Workspace};

/// What a page is about: evaluations, with the runs of each that count.
pub(super) struct PageScope<'a> {
    /// Everything that is loaded.
    pub workspace: &'a Workspace,
    /// Evaluations with the runs that count.
    pub parts: Vec<(&'a Entry, Vec<usize>)>,
    /// Whether it is about one run.
    pub is_run: bool,
}

impl<'a> PageScope<'a> {
    /// What `target` is about; `None` when it is not there.
    pub(super) fn new(workspace: &'a Workspace, target: Target) -> Option<Self> {
        let only = match target {
            Target::Run(run) => {
                workspace.run(run)?;
                Some(run.run as usize)
            }
            Target::Evaluation(id) => {
                workspace.entry(id)?;
                None
            }
            Target::All => None,
        };
        let parts = workspace.entries_of(target).map(|entry| {
            let runs = 0..entry.evaluation.runs.len();
            (entry, runs.filter(|idx| only.is_none_or(|only| only == *idx)).collect())
        });
        Some(Self { workspace, parts: parts.collect(), is_run: only.is_some() })
    }

    /// Every run, as judged by the rules in force.
    pub(super) fn runs(&self) -> Vec<&'a Run> {
        let of_part = |(entry, idxs): &(&'a Entry, Vec<usize>)| -> Vec<&'a Run> {
            idxs.iter().filter_map(|&idx| entry.evaluation.runs.get(idx)).collect()
        };
        self.parts.iter().flat_map(of_part).collect()
    }

    /// Names of what it is about, in reading order.
    pub(super) fn facts(&self) -> Vec<String> {
        match self.parts.as_slice() {
            [(entry, idxs)] => {
                let run = idxs.first().filter(|_| self.is_run);
                let run = run.and_then(|&idx| entry.evaluation.runs.get(idx));
                std::iter::once(entry.evaluation.label.clone())
                    .chain(run.map(|run| run.label.clone()))
                    .collect()
            }
            parts => vec![words::n_evaluations(parts.len() as u64)],
        }
    }

    /// Whether lower is better of the scores of every run.
    pub(super) fn is_less_better(&self) -> bool {
        let runs = self.runs();
        let is_less = |run: &&Run| run.score_better == Some(Better::Less);
        !runs.is_empty() && runs.iter().all(is_less)
    }

    /// Whether policies decide any of it.
    pub(super) fn has_policies(&self) -> bool {
        self.parts.iter().any(|(entry, _)| entry.evaluation.config.has_policies)
    }

    /// Whether any case has attempts that a strategy combines.
    pub(super) fn has_strategies(&self) -> bool {
        let has = |run: &&Run| {
            run.cases.strategy.words().next().is_some()
                || (run.checks.verdict.words().next().is_some()
                    && run.cases.n_attempts.iter().any(|n| n.is_some())
                    && run.checks.attempt.iter().flatten().any(|attempt| attempt > 1))
        };
        self.runs().iter().any(has)
    }

    /// How many cases of all runs are counted by `is_counted`.
    pub(super) fn count(&self, is_counted: impl Fn(&Run, usize) -> bool) -> u64 {
        let of_run = |run: &Run| (0..run.cases.len()).filter(|&idx| is_counted(run, idx)).count();
        self.runs().into_iter().map(|run| of_run(run) as u64).sum()
    }
}
