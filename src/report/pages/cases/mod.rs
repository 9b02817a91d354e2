//! The table of cases: which, in which order, and what stands in a row.

mod columns;
mod copy;
mod heat;
mod keys;
mod metrics;
mod order;
mod rows;
mod sorted;
mod texts;

use crate::model::{Run, Verdict};
use crate::report::filter::{Filter, FilterError};
use crate::report::{Kind, Num, Outcome, RunRef, Target};
use crate::workspace::Workspace;
pub use copy::{Copied, copy_cases};
pub use heat::{HeatCell, HeatLine, HeatPage, heat_page};
pub(in crate::report) use order::{CaseOrder, CaseRef, runs_of};
pub use order::{matching_cases, order_more_cases};
pub use rows::cases_in_rows;
use serde::{Deserialize, Serialize};

/// Which cases, in which order, and which of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseQuery {
    /// Of what.
    pub target: Target,
    /// Which to keep: a [filter](crate::report::filter) as text. One that cannot be read keeps all.
    pub filter: String,
    /// What to sort by, most important first, and whether in reverse. Missing values stay last.
    pub sort: Vec<(SortKey, bool)>,
    /// Columns to show; none: those that hold anything.
    pub columns: Vec<SortKey>,
    /// The same cases in several runs or attempts side by side, instead of a list.
    pub heat: Option<Across>,
    /// First row wanted.
    pub offset: u64,
    /// Number of rows wanted.
    pub limit: u64,
}

/// What stands side by side in a heat map.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Across {
    /// Runs: repeats, models, checkpoints.
    #[default]
    Runs,
    /// The attempts of a case.
    Attempts,
}

/// A column, as something to show and to sort by. Equal values keep file order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SortKey {
    /// The order of the files; no column.
    #[default]
    File,
    /// Run.
    Run,
    /// Id; numbers by value.
    Id,
    /// Group.
    Group,
    /// Kind.
    Kind,
    /// Outcome: failed first, then error, skipped, unscored, scored, passed.
    Outcome,
    /// Score.
    Score,
    /// Checks that failed.
    FailedChecks,
    /// Attempts.
    Attempts,
    /// Seconds.
    Duration,
    /// Cost.
    Cost,
    /// Tokens, prompt and completion together.
    Tokens,
    /// Error message.
    Error,
    /// Who was evaluated.
    Model,
    /// What was evaluated.
    Suite,
    /// Which part of it.
    Variant,
    /// Which repetition.
    Repeat,
    /// Tags.
    Tags,
    /// How much outcome and score of a case differ from run to run; no column of the list.
    Instability,
    /// Score of a metric, by its place in [`CaseListPage::metrics`].
    Metric(u8),
    /// What the target was asked.
    Input,
    /// What it answered.
    Answer,
    /// What was expected.
    Expected,
}

/// Rows `offset..` of the answer to a query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CaseListPage {
    /// The rows.
    pub rows: Vec<CaseLine>,
    /// Index of the first row among the matching ones.
    pub offset: u64,
    /// Number of matching cases.
    pub n_matching: u64,
    /// Number of cases without the filter.
    pub n_total: u64,
    /// Columns to show, in display order.
    pub columns: Vec<SortKey>,
    /// Columns that say the same of every case of the target, so that they are not shown by themselves.
    pub constants: Vec<SortKey>,
    /// A case of the target, when there are such columns: it tells what they say.
    pub sample: Option<CaseLine>,
    /// Every column that can be shown for this target, in the usual order.
    pub choosable: Vec<SortKey>,
    /// What the columns of metrics are called.
    pub metrics: Vec<String>,
    /// Why the filter is not applied, when it cannot be read.
    pub filter_error: Option<FilterError>,
    /// The filter as it was probably meant, where a word alone is the name of an outcome or a kind.
    pub by_value: Option<String>,
    /// Texts that the filter looks for in files which have not been searched for them; until they
    /// are, that part of it is not applied.
    pub unsearched: Vec<String>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseLine {
    /// Its run.
    pub run: RunRef,
    /// Row in the run.
    pub case_idx: u64,
    /// Name of the run.
    pub run_label: String,
    /// Id.
    pub id: String,
    /// Part of the suite: the case's own (original checkpoint, metric position), else the run's.
    pub variant: Option<String>,
    /// Who was evaluated.
    pub model: Option<String>,
    /// What was evaluated.
    pub suite: Option<String>,
    /// Which repetition, 1-based.
    pub repeat: u32,
    /// Group.
    pub group: Option<String>,
    /// Kind.
    pub kind: Option<Kind>,
    /// Tags.
    pub tags: Vec<String>,
    /// Outcome.
    pub outcome: Outcome,
    /// Score; `None` undefined or unknown.
    pub score: Option<Num>,
    /// Checks that are wrong.
    pub n_failed_checks: u64,
    /// Checks that were verified.
    pub n_checks: u64,
    /// Attempts.
    pub n_attempts: Option<u32>,
    /// Seconds.
    pub duration_secs: Option<Num>,
    /// Tokens, prompt and completion together.
    pub tokens: Option<Num>,
    /// US dollars.
    pub cost_usd: Option<Num>,
    /// Scores by metric, in the order of [`CaseListPage::metrics`]; empty where no column wants them.
    pub metrics: Vec<Option<Num>>,
    /// First line of the error message, or its category.
    pub error: Option<String>,
}

/// Answers `query`; `None` when its target is not there.
pub fn case_page(workspace: &Workspace, query: &CaseQuery) -> Option<CaseListPage> {
    let order = CaseOrder::of(workspace, query)?;
    let asked = order.rows(query)?;
    let offset = asked.start as u64;
    let line_of = |case: CaseRef| {
        let (entry, run) = workspace.run(case.run)?;
        let own = line(entry.id, entry.evaluation.suite.as_deref(), run, case);
        let scores = metrics::scores(run, case.case_idx as usize, &order.columns.metrics);
        Some(CaseLine { metrics: scores.into_iter().map(|score| score.map(Num)).collect(), ..own })
    };
    let rows = asked.filter_map(|at| line_of(order.case(at)?)).collect();
    let sample =
        order.first_of_all().filter(|_| !order.columns.constants.is_empty()).and_then(line_of);
    let columns =
        if query.columns.is_empty() { order.columns.shown.clone() } else { query.columns.clone() };
    let (filter, filter_error) = match query.filter.parse::<Filter>() {
        Ok(filter) => (filter, None),
        Err(error) => (Filter::default(), Some(error)),
    };
    Some(CaseListPage {
        rows,
        offset,
        n_matching: order.len() as u64,
        n_total: order.n_total,
        columns,
        constants: order.columns.constants.clone(),
        sample,
        choosable: order.columns.choosable.clone(),
        metrics: order.columns.metrics.clone(),
        filter_error,
        unsearched: order.unsearched.clone(),
        by_value: filter.by_value().map(|filter| filter.to_string()),
    })
}

/// Most rows in one answer.
const MAX_ROWS: u64 = 1_000;

/// The row of a case. `suite` is that of the evaluation, for runs that have none of their own.
pub(in crate::report) fn line(
    evaluation: u32,
    suite: Option<&str>,
    run: &Run,
    case: CaseRef,
) -> CaseLine {
    let (cases, idx) = (&run.cases, case.case_idx as usize);
    let (mut n_failed_checks, mut n_checks) = (0, 0);
    for at in run.checks_of(idx) {
        let is_right = is_right(run, at);
        n_checks += u64::from(is_right.is_some());
        n_failed_checks += u64::from(is_right == Some(false));
    }
    let own = |text: Option<&str>| text.map(str::to_owned);
    CaseLine {
        run: RunRef { evaluation, run: case.run.run },
        case_idx: u64::from(case.case_idx),
        run_label: run.label.clone(),
        id: cases.id.get(idx).unwrap_or_default().to_owned(),
        variant: own(cases.variant.get(idx).or(run.key.variant.as_deref())),
        model: run.key.subject.clone(),
        suite: own(run.key.suite.as_deref().or(suite)),
        repeat: run.key.repeat,
        group: own(cases.group.get(idx)),
        kind: cases.kind_of(idx),
        tags: cases
            .tags
            .get(idx)
            .into_iter()
            .flat_map(crate::report::filter::tags)
            .map(str::to_owned)
            .collect(),
        outcome: cases.outcome_of(idx),
        score: cases.score.get(idx).map(Num),
        n_failed_checks,
        n_checks,
        n_attempts: cases.n_attempts.get(idx),
        duration_secs: cases.duration_secs.get(idx).map(Num),
        tokens: tokens(run, idx).map(Num),
        cost_usd: cases.cost_usd.get(idx).map(Num),
        metrics: Vec::new(),
        error: cases
            .error_message
            .get(idx)
            .and_then(|message| message.lines().find(|line| !line.trim().is_empty()))
            .or_else(|| cases.error_type.get(idx))
            .or_else(|| cases.error_category.get(idx))
            .map(str::to_owned),
    }
}

/// Whether check `at` is right; `None` when nobody has judged it.
pub(crate) fn is_right(run: &Run, at: usize) -> Option<bool> {
    let verdict = || run.checks.verdict_of(at).map(|verdict| verdict == Verdict::Passed);
    run.checks.is_correct.get(at).or_else(verdict)
}

/// Prompt and completion tokens of a case together.
pub(in crate::report) fn tokens(run: &Run, idx: usize) -> Option<f64> {
    let parts = [run.cases.prompt_tokens.get(idx), run.cases.completion_tokens.get(idx)];
    parts.iter().any(Option::is_some).then(|| parts.into_iter().flatten().sum())
}
