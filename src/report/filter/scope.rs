//! The cases of a target as one list over its runs, and what a field is in each.

use super::field::Field;
use crate::model::{Dict, Evaluation, Run, Text, ValueColumn, Verdict};
use crate::report::{RunRef, Target};
use crate::workspace::Workspace;
use std::rc::Rc;

/// What stands between the tags of a case.
const TAG_BREAK: char = crate::model::TAG_SEPARATOR;

/// The cases of a target, numbered from 0 over its runs.
pub struct FilterScope<'a> {
    workspace: &'a Workspace,
    /// The runs, in display order.
    pub parts: Vec<ScopeRun<'a>>,
    /// Number of cases.
    pub n_cases: usize,
}

/// A run with its place in the list.
pub struct ScopeRun<'a> {
    /// Which run.
    pub at: RunRef,
    /// Its evaluation.
    pub evaluation: &'a Evaluation,
    /// The run.
    pub run: &'a Run,
    /// Number of its first case.
    pub start: usize,
}

/// Where the words of a field are.
pub enum FieldWords<'a> {
    /// The same for every case of the run.
    Constant(Option<&'a str>),
    /// A column of words; where it has none, the run's own.
    Column(&'a ValueColumn<Dict>, Option<&'a str>),
    /// A column of lists of words.
    Lists(&'a ValueColumn<Dict>),
    /// A column of texts.
    Texts(&'a ValueColumn<Text>),
    /// The names of the checks.
    Checks,
}

impl<'a> FilterScope<'a> {
    /// The cases of `target`; `None` when it is not there.
    pub fn new(workspace: &'a Workspace, target: Target) -> Option<Self> {
        let mut parts = Vec::new();
        let mut n_cases = 0;
        for entry in workspace.entries_of(target) {
            for (run, idx) in entry.evaluation.runs.iter().zip(0_u32..) {
                let at = RunRef { evaluation: entry.id, run: idx };
                if matches!(target, Target::Run(only) if only != at) {
                    continue;
                }
                parts.push(ScopeRun { at, evaluation: &entry.evaluation, run, start: n_cases });
                n_cases += run.cases.len();
            }
        }
        let is_there = match target {
            Target::All => true,
            Target::Evaluation(id) => workspace.entry(id).is_some(),
            Target::Run(_) => !parts.is_empty(),
        };
        // Cases are numbered with 32 bits.
        (is_there && u32::try_from(n_cases).is_ok()).then_some(Self { workspace, parts, n_cases })
    }

    /// The cases of these runs, in their order; `None` when one is not there.
    pub fn of_runs(workspace: &'a Workspace, runs: impl Iterator<Item = RunRef>) -> Option<Self> {
        let mut parts = Vec::new();
        let mut n_cases = 0;
        for at in runs {
            let (entry, run) = workspace.run(at)?;
            parts.push(ScopeRun { at, evaluation: &entry.evaluation, run, start: n_cases });
            n_cases += run.cases.len();
        }
        u32::try_from(n_cases).is_ok().then_some(Self { workspace, parts, n_cases })
    }

    /// The cases of the run in whose files `needle` was found; `None`: nobody has looked.
    pub fn found(&self, needle: &str, run: RunRef) -> Option<Rc<Vec<bool>>> {
        self.workspace.found(needle, run)
    }

    /// Whether the files of every run have been searched for `needle`.
    pub fn is_searched(&self, needle: &str) -> bool {
        self.parts.iter().all(|part| self.found(needle, part.at).is_some())
    }
}

impl<'a> ScopeRun<'a> {
    /// Number of cases.
    pub fn n_cases(&self) -> usize {
        self.run.cases.len()
    }

    /// Where the words of `field` are; empty for numbers and for what is no word.
    pub fn words(&self, field: &Field) -> Vec<FieldWords<'a>> {
        let (cases, key) = (&self.run.cases, &self.run.key);
        vec![match field {
            Field::Outcome => FieldWords::Column(&cases.outcome, Some("unscored")),
            Field::Group => FieldWords::Column(&cases.group, None),
            Field::Kind => FieldWords::Column(&cases.kind, None),
            Field::Variant => FieldWords::Column(&cases.variant, key.variant.as_deref()),
            Field::Run => FieldWords::Constant(Some(&self.run.label)),
            Field::Suite => {
                FieldWords::Constant(key.suite.as_deref().or(self.evaluation.suite.as_deref()))
            }
            Field::Model => FieldWords::Constant(key.subject.as_deref()),
            Field::Id => FieldWords::Texts(&cases.id),
            Field::Metric => FieldWords::Checks,
            Field::Tag => FieldWords::Lists(&cases.tags),
            Field::Error => {
                let words = [&cases.error_type, &cases.error_category];
                return words.map(|column| FieldWords::Column(column, None)).into();
            }
            _ => return Vec::new(),
        }]
    }

    /// The number of `field` in each case.
    pub fn number(&self, field: &Field) -> Box<dyn Fn(usize) -> Option<f64> + 'a> {
        let (cases, run) = (&self.run.cases, self.run);
        match field {
            Field::Score => Box::new(|idx| cases.score.get(idx)),
            Field::Duration => Box::new(|idx| cases.duration_secs.get(idx)),
            Field::Tokens => Box::new(|idx| crate::report::pages::cases::tokens(run, idx)),
            Field::Cost => Box::new(|idx| cases.cost_usd.get(idx)),
            Field::Attempts => Box::new(|idx| cases.n_attempts.get(idx).map(f64::from)),
            Field::Repeat => {
                let repeat = f64::from(run.key.repeat);
                Box::new(move |_| Some(repeat))
            }
            Field::Checks => {
                let wrong = wrong_checks(run);
                Box::new(move |idx| {
                    let (n_wrong, n_judged) = *wrong.get(idx)?;
                    (n_judged > 0).then(|| f64::from(n_wrong))
                })
            }
            _ => Box::new(|_| None),
        }
    }

    /// Whether an error is recorded of case `idx`.
    pub fn has_error(&self, idx: usize) -> bool {
        let cases = &self.run.cases;
        cases.error_message.get(idx).is_some()
            || cases.error_type.get(idx).is_some()
            || cases.error_category.get(idx).is_some()
    }
}

/// The tags that a word of the column of tags holds.
pub fn tags(joined: &str) -> impl Iterator<Item = &str> {
    joined.split(TAG_BREAK)
}

/// By case: checks that are wrong, and checks that were judged.
pub fn wrong_checks(run: &Run) -> Vec<(u32, u32)> {
    let mut counts = vec![(0, 0); run.cases.len()];
    let checks = &run.checks;
    let verdicts: Vec<bool> =
        checks.verdict.words().map(|word| word == Verdict::Passed.as_str()).collect();
    let is_verdict = |word: &str| Verdict::from_text(word).is_some();
    let is_known: Vec<bool> = checks.verdict.words().map(is_verdict).collect();
    for (at, (code, case)) in checks.verdict.codes().zip(checks.case_idx.iter()).enumerate() {
        let by_verdict = || {
            let code = code.filter(|code| is_known.get(*code) == Some(&true))?;
            verdicts.get(code).copied()
        };
        let Some(is_right) = checks.is_correct.get(at).or_else(by_verdict) else { continue };
        if let Some((n_wrong, n_judged)) = case.and_then(|case| counts.get_mut(case as usize)) {
            *n_wrong += u32::from(!is_right);
            *n_judged += 1;
        }
    }
    counts
}
