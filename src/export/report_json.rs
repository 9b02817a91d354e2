//! `evalglass-report/1`: every figure and every case, as one JSON document.
//!
//! What is not known is `null`; what a format does not have is absent. Non-finite numbers are the
//! texts `"NaN"`, `"Infinity"`, `"-Infinity"`; finite ones read back to the same double. Cases are
//! written one after the other, so that a million of them need no tree in memory.

mod cases;
mod documents;
mod model;
mod remarks;

use super::job::{ExportContext, ExportFormat};
use super::selection::{CaseBatch, ExportContents};
use super::{compare, flips};
use crate::figures::{RepeatFigures, RunFigures, Settings};
use crate::model::{Evaluation, Strategy};
use crate::policy::gate_text;
use crate::report::{
    Judgement, Num, RunRef, Target, audit_entry, declared_by_run, evaluation_proviso, run_proviso,
};
use crate::scoring::{Spread, Totals};
use crate::workspace::{Entry, Need};
use cases::CaseWriter;
pub(super) use cases::CasesJsonl;
pub(super) use cases::case_json;
use documents::put_documents;
use remarks::{audit_value, put_notes, unchecked_value, value_of};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::io::{self, Write};

/// Name and version of the schema.
pub const SCHEMA: &str = "evalglass-report/1";

/// The report, written run by run.
#[derive(Default)]
pub(super) struct ReportJson {
    /// What the files state about each run, by run.
    declared: HashMap<RunRef, Value>,
    has_runs: bool,
}

impl ReportJson {
    /// Writes run `at` without its end, up to its cases.
    fn put_run(
        &self,
        cx: &ExportContext<'_>,
        at: RunRef,
        carried: Option<&ExportContents>,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Some((entry, run)) = cx.workspace.run(at) else { return Ok(()) };
        put_open(out, &run_value(entry, at.run as usize))?;
        model::put_run(out, entry, run, cx.selection.n_cases_of(at))?;
        put_documents(out, cx.workspace, at, run, carried)
    }
}

impl ExportFormat for ReportJson {
    fn begin(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let head = json!({ "name": "evalglass", "version": env!("CARGO_PKG_VERSION") });
        write!(out, "{{\"schema\":\"{SCHEMA}\",\"app\":{head}")?;
        write!(out, ",\"settings\":{}", shown(&cx.workspace.settings))?;
        if let Some(scope) = scope_value(cx) {
            write!(out, ",\"scope\":{scope}")?;
        }
        out.extend(b",\"evaluations\":[");
        let entries = cx.selection.entries(cx.workspace);
        separated(out, entries, |out, entry| {
            put_open(out, &evaluation_value(entry))?;
            model::put_evaluation(out, entry, cx.selection)
        })?;
        out.extend(b"],\"runs\":[");
        for entry in cx.selection.entries(cx.workspace) {
            for (idx, declared) in declared_by_run(entry).into_iter().enumerate() {
                let Some(at) = entry.run_ref(idx) else { continue };
                let figures = declared.iter();
                let figures = figures.map(|(field, value)| ((*field).to_owned(), value_of(value)));
                self.declared.insert(at, Value::Object(figures.collect()));
            }
        }
        Ok(())
    }

    fn needs(&self, cx: &ExportContext<'_>, piece: &CaseBatch) -> Vec<Need> {
        let (at, carried) = (piece.run, &cx.selection.carried);
        let mut needs = Vec::new();
        if piece.is_first
            && carried.is_of_run(at)
            && let Some((_, run)) = cx.workspace.run(at)
        {
            needs.extend(documents::needs(run, at, carried));
        }
        let rows = piece.rows().filter(|row| carried.is_of(at, *row));
        needs.extend(rows.filter_map(|row| Some(Need::Case(at, u32::try_from(row).ok()?))));
        needs.extend(piece.reasons(cx.workspace, |_, _, _| true));
        needs
    }

    fn piece(
        &mut self,
        cx: &ExportContext<'_>,
        piece: &CaseBatch,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Some((entry, run)) = cx.workspace.run(piece.run) else { return Ok(()) };
        if piece.is_first {
            if std::mem::replace(&mut self.has_runs, true) {
                out.push(b',');
            }
            out.push(b'\n');
            let carried =
                Some(&cx.selection.carried).filter(|carried| carried.is_of_run(piece.run));
            self.put_run(cx, piece.run, carried, out)?;
            out.extend(b",\"cases\":[");
        } else {
            out.push(b',');
        }
        let writer =
            CaseWriter::new(cx.workspace, entry, run, piece.run).carrying(&cx.selection.carried);
        separated(out, piece.rows(), |out, idx| writer.write(out, idx))?;
        if piece.is_last {
            out.extend(b"],\"declared\":");
            put(out, &self.declared.remove(&piece.run).unwrap_or_else(|| json!({})))?;
            out.push(b'}');
        }
        Ok(())
    }

    fn end(&mut self, cx: &ExportContext<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let (mut rows, mut unchecked) = (Vec::new(), Vec::new());
        for entry in cx.selection.entries(cx.workspace) {
            let (own_rows, own_unchecked) = audit_entry(entry);
            rows.extend(own_rows);
            unchecked.extend(own_unchecked);
        }
        if let Target::Run(run) = cx.selection.target {
            let key =
                cx.workspace.entry(run.evaluation).map(|entry| entry.run_key(run.run as usize));
            rows.retain(|row| row.run == key);
        }
        out.extend(b"],\"audit\":[");
        separated(out, rows.iter(), |out, row| put(out, &audit_value(row)))?;
        out.extend(b"],\"unchecked\":[");
        separated(out, unchecked.iter(), |out, group| put(out, &unchecked_value(group)))?;
        out.extend(b"],");
        put_notes(cx, out)?;
        if !cx.workspace.settings.changes().is_empty() {
            out.extend(b"],\"flips\":[");
            let flips = flips::chosen(cx.workspace, cx.selection);
            separated(out, flips, |out, flip| put(out, &flips::flip_value(&flip)))?;
        }
        if let Some(query) = &cx.selection.compare {
            out.extend(b"],\"comparisons\":[");
            let comparisons = compare::comparisons(cx.workspace, query).into_iter();
            separated(out, comparisons, |out, one| put(out, &one))?;
        }
        out.extend(b"]}\n");
        Ok(())
    }
}

/// The report without cases and audit: with its cases the model can be built from it.
pub(super) fn without_cases(cx: &ExportContext<'_>) -> io::Result<Vec<u8>> {
    let (mut out, mut report) = (Vec::new(), ReportJson::default());
    report.begin(cx, &mut out)?;
    let runs = cx.selection.rows_by_run().into_keys();
    separated(&mut out, runs, |out, (evaluation, run)| {
        report.put_run(cx, RunRef { evaluation, run }, None, out)?;
        out.extend(b",\"cases\":[]}");
        Ok(())
    })?;
    out.extend(b"],");
    put_notes(cx, &mut out)?;
    out.extend(b"]}");
    Ok(out)
}

/// What the report is about, when that is not everything.
fn scope_value(cx: &ExportContext<'_>) -> Option<Value> {
    let selection = cx.selection;
    let mut scope = Map::new();
    let (id, run) = match selection.target {
        Target::All => (None, None),
        Target::Evaluation(id) => (Some(id), None),
        Target::Run(run) => (Some(run.evaluation), Some(run.run)),
    };
    if let Some(entry) = id.and_then(|id| cx.workspace.entry(id)) {
        scope.insert("evaluation".to_owned(), json!(entry.key));
        if let Some(run) = run {
            scope.insert("run".to_owned(), json!(entry.run_key(run as usize)));
        }
    }
    if selection.is_picked {
        scope.insert("cases".to_owned(), json!(selection.n_cases));
    }
    (!scope.is_empty()).then_some(Value::Object(scope))
}

/// The settings under which the figures hold, and how they differ from the declared ones.
fn shown(settings: &Settings) -> Value {
    let mut shown = json!({
        "policy": settings.policy.as_str(),
        "group_weights": settings.group_weights,
        "gate": settings.gate.as_ref().map(gate_text),
        "strategy": settings.rules.strategy.map(Strategy::as_str),
        "pass": settings.rules.pass.map(|rule| format!("{} {}", rule.op.sign(), rule.value)),
        "errors": settings.rules.errors.as_str(),
        "skipped": settings.rules.skipped.as_str(),
        "unscored": settings.rules.unscored.as_str(),
    });
    let changes = settings.changes();
    if let Some(members) = shown.as_object_mut().filter(|_| !changes.is_empty()) {
        members.insert("changes".to_owned(), json!(changes));
    }
    shown
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

/// Writes `object` without its end, so that members can follow.
fn put_open(out: &mut Vec<u8>, object: &Value) -> io::Result<()> {
    put(out, object)?;
    out.pop();
    Ok(())
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
        put("verdict", verdict_value(verdict, evaluation_proviso(entry).as_deref()));
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

fn verdict_value(verdict: &Judgement, proviso: Option<&str>) -> Value {
    let mut value = json!({
        "outcome": verdict.outcome.as_str(),
        "standing": verdict.standing().as_str(),
        "rule": verdict.rule,
        "reason": verdict.reason.to_string(),
        "declared": verdict.declared,
    });
    if let (Value::Object(members), Some(proviso)) = (&mut value, proviso) {
        members.insert("so_far".to_owned(), json!(proviso));
    }
    value
}

fn repeat_value(figures: &RepeatFigures, evaluation: &Evaluation) -> Value {
    let mut value = Map::new();
    value.insert("repeat".to_owned(), json!(figures.repeat));
    value.extend(totals_members(&figures.totals, evaluation));
    if let (None, Some(declared)) = (&figures.gate, figures.declared_passed) {
        let why = "the files hold no gate";
        value.insert(
            "gate".to_owned(),
            json!({
                "declared": null, "rule": "", "value": null, "passed": null,
                "declared_passed": declared, "reason": why,
            }),
        );
    }
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
    let timing = totals.timing.as_ref();
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
    for (of, key, is_known) in [
        ("counts", "left_out", totals.counts.left_out > 0),
        ("score", "under_rules", totals.score.under_rules.is_some()),
        ("usage", "steps", totals.usage.as_ref().is_some_and(|usage| usage.steps.is_some())),
        ("timing", "agent_secs", timing.is_some_and(|timing| timing.agent_secs.is_some())),
        ("timing", "test_secs", timing.is_some_and(|timing| timing.test_secs.is_some())),
        ("timing", "responses", timing.is_some_and(|timing| timing.responses.is_some())),
    ] {
        if !is_known && let Some(Value::Object(part)) = members.get_mut(of) {
            part.shift_remove(key);
        }
    }
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

/// Run `idx` without its cases and what is declared of it.
fn run_value(entry: &Entry, idx: usize) -> Value {
    let evaluation = &entry.evaluation;
    let (Some(run), Some(figures)) = (evaluation.runs.get(idx), entry.figures.runs.get(idx)) else {
        return json!({});
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
        head.insert(
            "verdict".to_owned(),
            verdict_value(verdict, run_proviso(entry, idx).as_deref()),
        );
    }
    head.extend(totals_members(&figures.totals, evaluation));
    head.extend(kind_members(figures, evaluation));
    Value::Object(head)
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
