//! Which columns hold anything, and which say the same of every case.

use super::SortKey;
use super::metrics::metrics;
use crate::model::{Dict, Kinded, Run, ValueColumn};
use crate::order::Order as _;
use crate::report::filter::FilterScope;
use crate::words::report::cases as words;

impl SortKey {
    /// Every column, in the usual order.
    pub const COLUMNS: [Self; 20] = [
        Self::Id,
        Self::Outcome,
        Self::Score,
        Self::Run,
        Self::Suite,
        Self::Variant,
        Self::Model,
        Self::Repeat,
        Self::Group,
        Self::Kind,
        Self::Tags,
        Self::FailedChecks,
        Self::Attempts,
        Self::Duration,
        Self::Tokens,
        Self::Cost,
        Self::Error,
        Self::Input,
        Self::Answer,
        Self::Expected,
    ];

    /// Whether rows can be sorted by it: not by texts, which lie in the files and come after the rows.
    pub fn is_sortable(self) -> bool {
        !matches!(self, Self::Input | Self::Answer | Self::Expected)
    }

    /// Its heading, where the columns of metrics are called `metrics`.
    pub fn heading(self, metrics: &[String]) -> &str {
        match self {
            Self::Metric(at) => metrics.get(usize::from(at)).map_or(words::METRIC, String::as_str),
            _ => self.title(),
        }
    }

    /// Its heading; that of a metric is its name, which is not known here.
    pub fn title(self) -> &'static str {
        match self {
            Self::File => words::FILE_ORDER,
            Self::Run => words::RUN,
            Self::Id => words::CASE,
            Self::Group => words::GROUP,
            Self::Kind => words::KIND,
            Self::Outcome => words::OUTCOME,
            Self::Score => words::SCORE,
            Self::FailedChecks => words::FAILED_CHECKS,
            Self::Attempts => words::ATTEMPTS,
            Self::Duration => words::TIME,
            Self::Cost => words::COST,
            Self::Tokens => words::TOKENS,
            Self::Error => words::MESSAGE,
            Self::Model => words::MODEL,
            Self::Suite => words::SUITE,
            Self::Variant => words::VARIANT,
            Self::Repeat => words::REPEAT,
            Self::Tags => words::TAGS,
            Self::Instability => words::INSTABILITY,
            Self::Metric(_) => words::METRIC,
            Self::Input => words::INPUT,
            Self::Answer => words::ANSWER,
            Self::Expected => words::EXPECTED,
        }
    }
}

/// The columns of the table of a target, whichever of its cases are shown.
#[derive(Debug)]
pub(in crate::report) struct TargetColumns {
    /// Those that hold anything.
    pub shown: Vec<SortKey>,
    /// Those that say the same of every case, and are not among these.
    pub constants: Vec<SortKey>,
    /// Those that can be chosen.
    pub choosable: Vec<SortKey>,
    /// What those of metrics are called.
    pub metrics: Vec<String>,
}

impl TargetColumns {
    /// Of the cases of `scope`.
    pub(super) fn of(scope: &FilterScope<'_>) -> Self {
        let runs: Vec<&Run> = scope.parts.iter().map(|part| part.run).collect();
        let mut shown = columns(&runs);
        let constants = constants(&runs, &shown);
        shown.retain(|key| !constants.contains(key));
        let metrics = metrics(runs.iter().copied());
        Self { choosable: choosable(&runs, metrics.len()), shown, constants, metrics }
    }
}

fn any<K: Kinded>(column: &ValueColumn<K>) -> bool {
    column.array().is_some()
}

/// The columns that hold anything in `runs` and are shown when none are chosen, in display order.
fn columns(runs: &[&Run]) -> Vec<SortKey> {
    let holds = |get: fn(&Run) -> bool| runs.iter().any(|run| get(run));
    let is_shown = |key: &SortKey| match key {
        SortKey::Id => true,
        SortKey::Run => runs.len() > 1,
        SortKey::Model => are_told_by_model(runs),
        SortKey::Group => holds(|run| any(&run.cases.group)),
        SortKey::Kind => holds(|run| any(&run.cases.kind)),
        SortKey::Tags => holds(|run| any(&run.cases.tags)),
        SortKey::Score => holds(|run| any(&run.cases.score)),
        SortKey::FailedChecks => {
            holds(|run| any(&run.checks.is_correct) || any(&run.checks.verdict))
        }
        SortKey::Attempts => holds(|run| any(&run.cases.n_attempts)),
        SortKey::Duration => holds(|run| any(&run.cases.duration_secs)),
        SortKey::Tokens => {
            holds(|run| any(&run.cases.prompt_tokens) || any(&run.cases.completion_tokens))
        }
        SortKey::Cost => holds(|run| any(&run.cases.cost_usd)),
        SortKey::Error => holds(|run| {
            any(&run.cases.error_message)
                || any(&run.cases.error_type)
                || any(&run.cases.error_category)
        }),
        // The sign of the outcome stands before the case; texts are read when somebody asks for them.
        SortKey::Outcome
        | SortKey::Suite
        | SortKey::Variant
        | SortKey::Repeat
        | SortKey::File
        | SortKey::Metric(_)
        | SortKey::Input
        | SortKey::Answer
        | SortKey::Expected
        | SortKey::Instability => false,
    };
    SortKey::COLUMNS.into_iter().filter(is_shown).collect()
}

/// Whether runs that are called alike are of different models, as those of several evaluations of one suite are.
fn are_told_by_model(runs: &[&Run]) -> bool {
    let mut names: Vec<(&str, Option<&str>)> =
        runs.iter().map(|run| (run.label.as_str(), run.key.subject.as_deref())).collect();
    names.order_by(Ord::cmp);
    names.windows(2).any(|two| matches!(two, [one, next] if one.0 == next.0 && one.1 != next.1))
}

/// Columns of words and of numbers that may say the same of every case.
const FOLDING: [SortKey; 7] = [
    SortKey::Group,
    SortKey::Kind,
    SortKey::Tags,
    SortKey::Attempts,
    SortKey::Duration,
    SortKey::Tokens,
    SortKey::Cost,
];

/// Those of `columns` that say the same of every case of `runs`, of which there are several.
fn constants(runs: &[&Run], columns: &[SortKey]) -> Vec<SortKey> {
    let n_cases: usize = runs.iter().map(|run| run.cases.len()).sum();
    if n_cases < 2 {
        return Vec::new();
    }
    let is_constant = |key: &&SortKey| FOLDING.contains(key) && says_one_thing(runs, **key);
    columns.iter().filter(is_constant).copied().collect()
}

/// Whether column `key` holds the same in every case. It is left at the first one that differs.
fn says_one_thing(runs: &[&Run], key: SortKey) -> bool {
    let all_same = |get: &dyn Fn(&Run, usize) -> Option<u64>| {
        let mut cases = runs.iter().flat_map(|run| (0..run.cases.len()).map(|row| get(run, row)));
        let first = cases.next().flatten();
        first.is_some() && cases.all(|one| one == first)
    };
    let words = |get: fn(&Run) -> &ValueColumn<Dict>| {
        let first = runs.iter().find_map(|run| get(run).get(0));
        let says = |run: &&Run| {
            let column = get(run);
            let known = column.words().position(|word| Some(word) == first);
            known.is_some() && (0..run.cases.len()).all(|row| column.code(row) == known)
        };
        first.is_some() && runs.iter().all(says)
    };
    match key {
        SortKey::Group => words(|run| &run.cases.group),
        SortKey::Kind => words(|run| &run.cases.kind),
        SortKey::Tags => words(|run| &run.cases.tags),
        SortKey::Attempts => all_same(&|run, row| run.cases.n_attempts.get(row).map(u64::from)),
        SortKey::Duration => {
            all_same(&|run, row| run.cases.duration_secs.get(row).map(f64::to_bits))
        }
        SortKey::Tokens => all_same(&|run, row| super::tokens(run, row).map(f64::to_bits)),
        SortKey::Cost => all_same(&|run, row| run.cases.cost_usd.get(row).map(f64::to_bits)),
        _ => false,
    }
}

/// The columns that a chooser offers: those shown by themselves, what tells runs apart, and texts.
fn choosable(runs: &[&Run], n_metrics: usize) -> Vec<SortKey> {
    let shown = columns(runs);
    let is_offered = |key: &SortKey| match key {
        SortKey::Model => runs.iter().any(|run| run.key.subject.is_some()),
        SortKey::Variant => {
            runs.iter().any(|run| run.key.variant.is_some() || any(&run.cases.variant))
        }
        SortKey::Input => runs.iter().any(|run| any(&run.cases.input_hash)),
        SortKey::Answer => runs.iter().any(|run| run.has_texts()),
        SortKey::Expected => runs.iter().any(|run| any(&run.cases.expected_hash)),
        SortKey::Outcome | SortKey::Suite | SortKey::Repeat => true,
        key => shown.contains(key),
    };
    let of_metrics = (0_u8..).take(n_metrics).map(SortKey::Metric);
    SortKey::COLUMNS.into_iter().filter(is_offered).chain(of_metrics).collect()
}
