//! The table of runs: who, what, when, verdict, every total, kinds and policies.

use super::SmallRow;
use super::totals::totals;
use crate::dataset::cell::{
    RecordCell, RecordColumn, cells, column, count, fields, num, number, required, text,
};
use crate::export::ColumnField;
use crate::export::ExportType::{Count, Flag, Number, Text};
use crate::figures::{Judgement, RunFigures};
use crate::model::{Better, Ended, Kind, Run, RunUsage};
use crate::policy::Policy;
use crate::report::{run_proviso, run_score};
use crate::workspace::Entry;

/// A run with its figures.
struct RunRecord<'a> {
    entry: &'a Entry,
    idx: usize,
    run: &'a Run,
    figures: &'a RunFigures,
}

/// The columns.
pub(super) fn schema() -> Vec<ColumnField> {
    fields(&own()).chain(fields(&totals())).chain(fields(&judged())).collect()
}

/// A row for each run of `entry`.
pub(super) fn rows(entry: &Entry) -> Vec<SmallRow> {
    let runs = entry.evaluation.runs.iter().zip(&entry.figures.runs).enumerate();
    let row = |(idx, (run, figures)): (usize, (&Run, &RunFigures))| {
        let mut row = cells(&own(), &RunRecord { entry, idx, run, figures });
        row.extend(cells(&totals(), &figures.totals));
        row.extend(cells(&judged(), figures));
        row
    };
    runs.map(row).collect()
}

fn own<'a>() -> Vec<RecordColumn<RunRecord<'a>>> {
    vec![
        required("run", Text, |of: &RunRecord<'a>| {
            Some(RecordCell::Text(of.entry.run_key(of.idx)))
        }),
        required("evaluation", Text, |of| text(Some(&of.entry.key))),
        required("run_idx", Count, |of| count(of.idx as u64)),
        required("producer", Text, |of| text(Some(&of.entry.evaluation.producer))),
        required("label", Text, |of| text(Some(&of.run.label))),
        required("path", Text, |of| text(Some(&of.run.key.path))),
        column("suite", Text, |of| text(of.run.key.suite.as_deref())),
        column("variant", Text, |of| text(of.run.key.variant.as_deref())),
        column("subject", Text, |of| text(of.run.key.subject.as_deref())),
        required("repeat", Count, |of| count(of.run.key.repeat.into())),
        column("again", Text, |of| text(of.run.again())),
        column("ended", Text, |of| text(of.run.state.as_ref().map(|state| ended(state.ended)))),
        column("started_at", Text, |of| text(of.run.started_at.as_deref())),
        column("duration_secs", Number, |of| number(of.run.duration_secs)),
        column("is_infrastructure_failure", Flag, |of| {
            of.run.is_infrastructure_failure.map(RecordCell::Flag)
        }),
        column("verdict", Text, |of| text(verdict(of).map(|found| found.outcome.as_str()))),
        column("standing", Text, |of| text(verdict(of).map(|found| found.standing().as_str()))),
        column("rule", Text, |of| text(verdict(of).map(|found| found.rule.as_str()))),
        column("reason", Text, |of| {
            verdict(of).map(|found| RecordCell::Text(found.reason.to_string()))
        }),
        column("declared_verdict", Text, |of| text(verdict(of)?.declared.as_deref())),
        column("so_far", Text, |of| run_proviso(of.entry, of.idx).map(RecordCell::Text)),
        column("score", Number, |of| num(run_score(of.figures))),
        column("score_better", Text, |of| text(of.run.score_better.map(Better::as_str))),
        column("own_prompt_tokens", Number, |of| usage(of, |usage| usage.prompt_tokens)),
        column("own_completion_tokens", Number, |of| usage(of, |usage| usage.completion_tokens)),
        column("own_cached_input_tokens", Number, |of| {
            usage(of, |usage| usage.cached_input_tokens)
        }),
        column("own_cache_write_tokens", Number, |of| usage(of, |usage| usage.cache_write_tokens)),
        column("own_reasoning_tokens", Number, |of| usage(of, |usage| usage.reasoning_tokens)),
        column("own_cost_usd", Number, |of| usage(of, |usage| usage.cost_usd)),
        column("declared_passed", Count, |of| declared(of, |passed, _| passed)),
        column("declared_total", Count, |of| declared(of, |_, total| total)),
    ]
}

fn ended(ended: Ended) -> &'static str {
    match ended {
        Ended::Complete => "complete",
        Ended::Error => "error",
        Ended::NotRun => "not_run",
    }
}

fn verdict<'a>(of: &RunRecord<'a>) -> Option<&'a Judgement> {
    of.figures.verdict.as_ref()
}

fn usage(of: &RunRecord<'_>, get: impl Fn(&RunUsage) -> Option<f64>) -> Option<RecordCell> {
    number(get(of.run.usage.as_ref()?))
}

/// A sum over the counts by kind that the files declare of a run whose cases are not there.
fn declared(of: &RunRecord<'_>, get: impl Fn(u64, u64) -> u64) -> Option<RecordCell> {
    let counts = of.run.declared_counts()?;
    count(counts.iter().map(|(_, passed, total)| get(*passed, *total)).sum())
}

fn judged() -> Vec<RecordColumn<RunFigures>> {
    vec![
        column("core_passed", Count, |of: &RunFigures| kind(of, Kind::Core, true)),
        column("core_total", Count, |of| kind(of, Kind::Core, false)),
        column("functionality_passed", Count, |of| kind(of, Kind::Functionality, true)),
        column("functionality_total", Count, |of| kind(of, Kind::Functionality, false)),
        column("regression_passed", Count, |of| kind(of, Kind::Regression, true)),
        column("regression_total", Count, |of| kind(of, Kind::Regression, false)),
        column("error_kind_passed", Count, |of| kind(of, Kind::Error, true)),
        column("error_kind_total", Count, |of| kind(of, Kind::Error, false)),
        column("policy_any", Flag, |of| policy(of, Policy::Any)),
        column("policy_any_case", Flag, |of| policy(of, Policy::AnyCase)),
        column("policy_all_cases", Flag, |of| policy(of, Policy::AllCases)),
        column("policy_all_non_error_cases", Flag, |of| policy(of, Policy::AllNonErrorCases)),
        column("policy_core_cases", Flag, |of| policy(of, Policy::CoreCases)),
        column("policy_any_core_cases", Flag, |of| policy(of, Policy::AnyCoreCases)),
        column("policy_all_core_cases", Flag, |of| policy(of, Policy::AllCoreCases)),
    ]
}

fn kind(of: &RunFigures, kind: Kind, is_passed: bool) -> Option<RecordCell> {
    let found = of.by_kind.get(&kind)?;
    count(if is_passed { found.passed } else { found.total })
}

fn policy(of: &RunFigures, policy: Policy) -> Option<RecordCell> {
    let found = of.policies.iter().find(|verdict| verdict.policy == policy)?;
    Some(RecordCell::Flag(found.is_passed))
}
