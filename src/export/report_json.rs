//! `evalglass-report/1`: every figure and every case, as one JSON document.
//!
//! What is not known is `null`; what a format does not have is absent. Non-finite numbers are the
//! texts `"NaN"`, `"Infinity"`, `"-Infinity"`; finite ones read back to the same double. Cases are
//! written one after the other, so that a million of them need no tree in memory.

mod cases;

use super::flips::flip_value;
use crate::model::{Evaluation, Note, Strategy};
use crate::policy::gate_text;
use crate::report::{
    AuditRow, AuditValue, Entry, Judgement, Num, RepeatFigures, RunFigures, Settings,
    UncheckedGroup, Workspace, audit_entry, declared_by_run, flips,
};
use crate::scoring::{Spread, Totals};
use cases::CaseWriter;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Name and version of the schema.
pub const SCHEMA: &str = "evalglass-report/1";

/// The report on everything in `workspace`.
///
/// # Errors
/// When a value cannot be written.
pub fn report_json(workspace: &Workspace) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let head = json!({ "name": "evalglass", "version": env!("CARGO_PKG_VERSION") });
    write!(
        out,
        "{{\"schema\":\"{SCHEMA}\",\"app\":{head},\"settings\":{}",
        shown(&workspace.settings)
    )?;
    let entries = &workspace.entries;
    out.extend(b",\"evaluations\":[");
    separated(&mut out, entries.iter(), |out, entry| put(out, &evaluation_value(entry)))?;
    out.extend(b"],\"runs\":[");
    let runs = entries.iter().flat_map(|entry| {
        let declared = declared_by_run(entry).into_iter().enumerate();
        declared.map(move |(idx, declared)| (entry, idx, declared))
    });
    separated(&mut out, runs, |out, (entry, idx, declared)| write_run(out, entry, idx, &declared))?;
    out.extend(b"],\"audit\":[");
    let (mut rows, mut unchecked) = (Vec::new(), Vec::new());
    for entry in entries {
        let (own_rows, own_unchecked) = audit_entry(entry);
        rows.extend(own_rows);
        unchecked.extend(own_unchecked);
    }
    separated(&mut out, rows.iter(), |out, row| put(out, &audit_value(row)))?;
    out.extend(b"],\"unchecked\":[");
    separated(&mut out, unchecked.iter(), |out, group| put(out, &unchecked_value(group)))?;
    out.extend(b"],\"notes\":[");
    let notes = workspace.all_notes();
    separated(&mut out, notes.into_iter(), |out, note| put(out, &note_value(note)))?;
    if !workspace.settings.changes().is_empty() {
        out.extend(b"],\"flips\":[");
        separated(&mut out, flips(workspace), |out, flip| put(out, &flip_value(&flip)))?;
    }
    out.extend(b"]}\n");
    Ok(out)
}

/// The settings under which the figures hold.
fn shown(settings: &Settings) -> Value {
    json!({
        "policy": settings.policy.as_str(),
        "group_weights": settings.group_weights,
        "gate": settings.gate.as_ref().map(gate_text),
        "strategy": settings.rules.strategy.map(Strategy::as_str),
        "pass": settings.rules.pass.map(|rule| format!("{} {}", rule.op.sign(), rule.value)),
        "errors": settings.rules.errors.as_str(),
        "skipped": settings.rules.skipped.as_str(),
        "unscored": settings.rules.unscored.as_str(),
    })
}

fn separated<T>(
    out: &mut Vec<u8>,
    items: impl Iterator<Item = T>,
    mut write_item: impl FnMut(&mut Vec<u8>, T) -> io::Result<()>,
) -> io::Result<()> {
    for (idx, item) in items.enumerate() {
        if idx > 0 {
            out.push(b',');
        }
        out.push(b'\n');
        write_item(out, item)?;
    }
    Ok(())
}

fn put(out: &mut Vec<u8>, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(out, value).map_err(io::Error::from)
}

fn tree(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

pub(super) fn num(number: Option<f64>) -> Value {
    tree(&number.map(Num))
}

fn evaluation_value(entry: &Entry) -> Value {
    let evaluation = &entry.evaluation;
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("id", json!(entry.key));
    put("label", json!(evaluation.label));
    put("producer", json!(evaluation.producer));
    put("generation", json!(evaluation.generation));
    put("path", json!(evaluation.path));
    put("suite", json!(evaluation.suite));
    if let Some(verdict) = &entry.figures.verdict {
        put("verdict", verdict_value(verdict));
    }
    let repeats = entry.figures.repeats.iter();
    put("repeats", repeats.map(|repeat| repeat_value(repeat, evaluation)).collect());
    if let Some(aggregate) = &entry.figures.aggregate {
        let mut value = spread_members(&aggregate.spread);
        value.insert("n_repeats".to_owned(), json!(aggregate.n_repeats));
        if let Some(n_passed) = aggregate.n_passed {
            value.insert("repeats_passed".to_owned(), json!(n_passed));
        }
        let subjects = aggregate.subjects.iter().map(|(subject, n_repeats, spread)| {
            let mut value = Map::new();
            value.insert("subject".to_owned(), json!(subject));
            value.insert("n_repeats".to_owned(), json!(n_repeats));
            value.extend(spread_members(spread));
            Value::Object(value)
        });
        value.insert("subjects".to_owned(), subjects.collect());
        put("aggregate", Value::Object(value));
    }
    if let Some(summary) = &entry.figures.summary {
        put("summary", summary.clone());
    }
    put("declared", evaluation.declared_json.clone());
    Value::Object(object)
}

fn verdict_value(verdict: &Judgement) -> Value {
    json!({
        "outcome": verdict.outcome.as_str(),
        "rule": verdict.rule,
        "reason": verdict.reason.to_string(),
    })
}

fn repeat_value(figures: &RepeatFigures, evaluation: &Evaluation) -> Value {
    let mut value = Map::new();
    value.insert("repeat".to_owned(), json!(figures.repeat));
    value.extend(totals_members(&figures.totals, evaluation));
    if let (Some(gate), Some(rule)) = (&figures.gate, &evaluation.config.gate) {
        value.insert(
            "gate".to_owned(),
            json!({
                "declared": rule.json,
                "rule": rule.text,
                "value": gate.value,
                "passed": gate.is_passed,
                "declared_passed": gate.declared_passed,
                "reason": gate.reason,
            }),
        );
    }
    let subjects = figures.subjects.iter().map(|(subject, totals)| {
        let mut value = Map::new();
        value.insert("subject".to_owned(), json!(subject));
        value.extend(totals_members(totals, evaluation));
        Value::Object(value)
    });
    value.insert("subjects".to_owned(), subjects.collect());
    Value::Object(value)
}

/// The members that `TOTALS` stands for; without those that the format does not have.
fn totals_members(totals: &Totals, evaluation: &Evaluation) -> Map<String, Value> {
    let config = &evaluation.config;
    let Value::Object(mut members) = tree(totals) else { return Map::new() };
    let mut drop_unless = |is_known: bool, key: &str| {
        if !is_known {
            members.shift_remove(key);
        }
    };
    drop_unless(config.reward.is_some(), "reward");
    drop_unless(!config.metrics.is_empty(), "metrics");
    drop_unless(totals.usage.is_some(), "usage");
    drop_unless(totals.timing.is_some(), "timing");
    if totals.score.mean_of_groups.is_none()
        && let Some(Value::Object(score)) = members.get_mut("score")
        && !config.has_policies
    {
        score.shift_remove("mean_of_groups");
        score.shift_remove("weighted");
    }
    members
}

/// The members that `SPREAD` stands for.
fn spread_members(spread: &Spread) -> Map<String, Value> {
    let Value::Object(mut members) = tree(spread) else { return Map::new() };
    if spread.reward.is_none() {
        members.shift_remove("reward");
    }
    members
}

fn write_run(
    out: &mut Vec<u8>,
    entry: &Entry,
    idx: usize,
    declared: &[(&str, AuditValue)],
) -> io::Result<()> {
    let evaluation = &entry.evaluation;
    let (Some(run), Some(figures)) = (evaluation.runs.get(idx), entry.figures.runs.get(idx)) else {
        return Ok(());
    };
    let mut head = Map::new();
    head.insert("id".to_owned(), json!(entry.run_key(idx)));
    head.insert("evaluation".to_owned(), json!(entry.key));
    head.insert("label".to_owned(), json!(run.label));
    head.insert("path".to_owned(), json!(run.key.path));
    head.insert("suite".to_owned(), json!(run.key.suite));
    if let Some(variant) = &run.key.variant {
        head.insert("variant".to_owned(), json!(variant));
    }
    head.insert("subject".to_owned(), json!(run.key.subject));
    head.insert("repeat".to_owned(), json!(run.key.repeat));
    head.insert("started_at".to_owned(), json!(run.started_at));
    head.insert("duration_secs".to_owned(), num(run.duration_secs));
    if let Some(verdict) = &figures.verdict {
        head.insert("verdict".to_owned(), verdict_value(verdict));
    }
    head.extend(totals_members(&figures.totals, evaluation));
    head.extend(kind_members(figures, evaluation));
    let head = Value::Object(head).to_string();
    out.extend(head.strip_suffix('}').unwrap_or(&head).as_bytes());
    out.extend(b",\"cases\":[");
    let writer = CaseWriter::new(run, &entry.bundle);
    separated(out, 0..run.cases.len(), |out, case_idx| writer.write(out, case_idx))?;
    out.extend(b"],\"declared\":");
    let declared = declared.iter().map(|(field, value)| ((*field).to_owned(), value_of(value)));
    put(out, &declared.collect::<Map<String, Value>>())?;
    out.push(b'}');
    Ok(())
}

/// Kinds, groups and policies, where the producer has them.
fn kind_members(figures: &RunFigures, evaluation: &Evaluation) -> Map<String, Value> {
    let mut members = Map::new();
    if evaluation.config.has_policies {
        let by_kind = figures.by_kind.iter();
        let by_kind: Map<String, Value> =
            by_kind.map(|(kind, count)| (kind.as_str().to_owned(), tree(count))).collect();
        members.insert("by_kind".to_owned(), Value::Object(by_kind));
    }
    if !figures.groups.is_empty() {
        members.insert("groups".to_owned(), tree(&figures.groups));
    }
    if !figures.policies.is_empty() {
        let policies: Map<String, Value> = figures
            .policies
            .iter()
            .map(|verdict| (verdict.policy.as_str().to_owned(), json!(verdict.is_passed)))
            .collect();
        members.insert("policies".to_owned(), Value::Object(policies));
    }
    members
}

fn value_of(value: &AuditValue) -> Value {
    match value {
        AuditValue::Number(number) => tree(number),
        AuditValue::Flag(flag) => json!(flag),
        AuditValue::Text(text) => json!(text),
        AuditValue::Missing => Value::Null,
    }
}

fn audit_value(row: &AuditRow) -> Value {
    json!({
        "evaluation": row.evaluation_id,
        "run": row.run,
        "repeat": row.repeat,
        "subject": row.subject,
        "file": row.file,
        "field": row.field,
        "declared": value_of(&row.declared),
        "computed": value_of(&row.computed),
        "difference": row.difference,
        "agrees": row.agrees,
        "severity": row.severity.as_str(),
        "why": row.why,
    })
}

fn unchecked_value(group: &UncheckedGroup) -> Value {
    let fields = group.fields.iter().map(|field| {
        json!({ "field": field.field, "count": field.count, "value": value_of(&field.value) })
    });
    json!({
        "evaluation": group.evaluation_id,
        "file": group.file,
        "why": group.why,
        "count": group.count,
        "fields": fields.collect::<Vec<Value>>(),
    })
}

fn note_value(note: &Note) -> Value {
    let at: Vec<String> = note.places.iter().map(ToString::to_string).collect();
    json!({
        "file": note.file,
        "kind": note.kind.as_str(),
        "at": at.join("; "),
        "detail": note.detail,
        "count": note.count,
    })
}
