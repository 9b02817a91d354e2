//! The table of evaluations: what was read, its verdict, the rules that its files carry, the spread over repeats.

use super::{FileOrigin, SmallRow};
use crate::dataset::cell::{
    RecordCell, RecordColumn, cells, column, count, fields, flag, num, required, text,
};
use crate::export::ColumnField;
use crate::export::ExportType::{Count, Flag, Number, Text};
use crate::figures::Judgement;
use crate::model::{Aggregation, Evaluation, GateRule, MeanOver, Op};
use crate::policy::gate_text;
use crate::scoring::SpreadStat;
use crate::workspace::Entry;

/// An evaluation, and where its files lie.
struct EvaluationRecord<'a> {
    entry: &'a Entry,
    origin: &'a FileOrigin,
}

/// The columns.
pub(super) fn schema() -> Vec<ColumnField> {
    let spread = spreads().into_iter().map(|(field, _)| field);
    fields(&own()).chain(fields(&rules())).chain(spread).collect()
}

/// The row of `entry`.
pub(super) fn rows(entry: &Entry, origin: &FileOrigin) -> Vec<SmallRow> {
    let mut row = cells(&own(), &EvaluationRecord { entry, origin });
    row.extend(cells(&rules(), &entry.evaluation));
    row.extend(spreads().into_iter().map(|(field, get)| (field, get(entry))));
    vec![row]
}

fn own<'a>() -> Vec<RecordColumn<EvaluationRecord<'a>>> {
    vec![
        required("evaluation", Text, |of: &EvaluationRecord<'a>| text(Some(&of.entry.key))),
        required("producer", Text, |of| text(Some(&of.entry.evaluation.producer))),
        required("generation", Text, |of| text(Some(&of.entry.evaluation.generation))),
        required("path", Text, |of| text(Some(&of.entry.evaluation.path))),
        required("label", Text, |of| text(Some(&of.entry.evaluation.label))),
        column("suite", Text, |of| text(of.entry.evaluation.suite.as_deref())),
        required("origin", Text, |of| text(Some(&of.origin.folder))),
        required("n_files", Count, |of| count(of.entry.bundle.files.len() as u64)),
        required("n_runs", Count, |of| count(of.entry.evaluation.runs.len() as u64)),
        required("n_cases", Count, |of| {
            count(of.entry.evaluation.runs.iter().map(|run| run.cases.len() as u64).sum())
        }),
        required("n_checks", Count, |of| {
            count(of.entry.evaluation.runs.iter().map(|run| run.checks.len() as u64).sum())
        }),
        required("n_repeats", Count, |of| count(of.entry.figures.repeats.len() as u64)),
        required("n_notes", Count, |of| count(of.entry.notes.len() as u64)),
        column("n_lost", Count, |of| {
            let lost = of.entry.notes.iter().filter(|note| note.kind.is_loss());
            count(lost.map(|note| note.count).sum())
        }),
        column("verdict", Text, |of| text(verdict(of).map(|found| found.outcome.as_str()))),
        column("standing", Text, |of| text(verdict(of).map(|found| found.standing().as_str()))),
        column("rule", Text, |of| text(verdict(of).map(|found| found.rule.as_str()))),
        column("reason", Text, |of| {
            verdict(of).map(|found| RecordCell::Text(found.reason.to_string()))
        }),
        column("declared_verdict", Text, |of| text(verdict(of)?.declared.as_deref())),
        column("repeats_passed", Count, |of| {
            of.entry.figures.aggregate.as_ref()?.n_passed.map(RecordCell::Count)
        }),
    ]
}

fn verdict<'a>(of: &EvaluationRecord<'a>) -> Option<&'a Judgement> {
    of.entry.figures.verdict.as_ref()
}

fn rules() -> Vec<RecordColumn<Evaluation>> {
    vec![
        column("primary_metric", Text, |of: &Evaluation| text(of.config.primary_metric.as_deref())),
        required("mean_over", Text, |of| {
            text(Some(match of.config.mean_over {
                MeanOver::AttemptedAndGraded => "attempted",
                MeanOver::Graded => "graded",
            }))
        }),
        column("empty_mean", Number, |of| of.config.empty_mean.map(RecordCell::Number)),
        required("has_policies", Flag, |of| flag(of.config.has_policies)),
        required("has_reward", Flag, |of| flag(of.config.reward.is_some())),
        required("has_metrics", Flag, |of| flag(!of.config.metrics.is_empty())),
        required("has_costs", Flag, |of| flag(of.config.has_costs)),
        column("no_case_rule", Text, |of| text(of.config.no_case_rule.as_deref())),
        column("declared_policy", Text, |of| text(of.config.declared_policy.as_deref())),
        column("pass_op", Text, |of| text(of.config.pass_rule.map(|rule| op_text(rule.op)))),
        column("pass_value", Number, |of| {
            of.config.pass_rule.map(|rule| RecordCell::Number(rule.value))
        }),
        column("is_pass_declared", Flag, |of| {
            of.config.pass_rule.map(|rule| RecordCell::Flag(rule.is_declared))
        }),
        column("gate", Text, |of| gate(of).map(|rule| RecordCell::Text(gate_text(rule)))),
        column("gate_kind", Text, |of| text(gate(of).map(kind_text))),
        column("gate_metric", Text, |of| text(simple(of)?.0)),
        column("gate_aggregation", Text, |of| text(Some(aggregation_text(simple(of)?.1)))),
        column("gate_argument", Number, |of| argument(simple(of)?.1).map(RecordCell::Number)),
        column("gate_op", Text, |of| text(Some(op_text(simple(of)?.2)))),
        column("gate_value", Number, |of| Some(RecordCell::Number(simple(of)?.3))),
        column("config", Text, |of| serde_json::to_string(&of.config).ok().map(RecordCell::Text)),
    ]
}

fn gate(of: &Evaluation) -> Option<&GateRule> {
    of.config.gate.as_ref().map(|gate| &gate.rule)
}

fn kind_text(rule: &GateRule) -> &'static str {
    match rule {
        GateRule::Simple { .. } => "simple",
        GateRule::Weighted { .. } => "weighted",
        GateRule::Logical { .. } => "logical",
        GateRule::Unknown(_) => "unknown",
    }
}

/// Metric, aggregation, operator and value of a gate over one metric.
fn simple(of: &Evaluation) -> Option<(Option<&str>, Aggregation, Op, f64)> {
    match gate(of)? {
        GateRule::Simple { metric, aggregation, op, value } => {
            Some((metric.as_deref(), *aggregation, *op, *value))
        }
        _ => None,
    }
}

fn aggregation_text(aggregation: Aggregation) -> &'static str {
    match aggregation {
        Aggregation::AvgScore => "avg_score",
        Aggregation::Accuracy { .. } => "accuracy",
        Aggregation::PassPercent => "pass_percent",
        Aggregation::Min => "min",
        Aggregation::Max => "max",
        Aggregation::Percentile(_) => "percentile",
    }
}

fn argument(aggregation: Aggregation) -> Option<f64> {
    match aggregation {
        Aggregation::Accuracy { threshold } => Some(threshold),
        Aggregation::Percentile(percent) => Some(percent),
        _ => None,
    }
}

fn op_text(op: Op) -> &'static str {
    match op {
        Op::Gt => ">",
        Op::Gte => ">=",
        Op::Lt => "<",
        Op::Lte => "<=",
        Op::Eq => "=",
    }
}

/// A figure over repeats: its columns with their cells.
type SpreadColumn = (ColumnField, fn(&Entry) -> Option<RecordCell>);

/// The spread of score and reward over repeats; nothing where there is one repeat.
fn spreads() -> Vec<SpreadColumn> {
    fn score(entry: &Entry) -> Option<&SpreadStat> {
        entry.figures.aggregate.as_ref().map(|aggregate| &aggregate.spread.score)
    }
    fn total(entry: &Entry) -> Option<&SpreadStat> {
        entry.figures.aggregate.as_ref().map(|aggregate| &aggregate.spread.score_total)
    }
    fn reward(entry: &Entry) -> Option<&SpreadStat> {
        entry.figures.aggregate.as_ref()?.spread.reward.as_ref()
    }
    fn field(name: &'static str) -> ColumnField {
        ColumnField { name, kind: Number, is_required: false }
    }
    vec![
        (field("score_mean"), |entry| num(score(entry)?.mean)),
        (field("score_std"), |entry| num(score(entry)?.std)),
        (field("score_min"), |entry| num(score(entry)?.min)),
        (field("score_max"), |entry| num(score(entry)?.max)),
        (field("score_ci95_low"), |entry| num(score(entry)?.ci95.map(|[low, _]| low))),
        (field("score_ci95_high"), |entry| num(score(entry)?.ci95.map(|[_, high]| high))),
        (field("score_total_mean"), |entry| num(total(entry)?.mean)),
        (field("score_total_std"), |entry| num(total(entry)?.std)),
        (field("reward_mean"), |entry| num(reward(entry)?.mean)),
        (field("reward_std"), |entry| num(reward(entry)?.std)),
    ]
}
