//! Terminal-Bench before Harbor: a run with all its trials in `results.json`, each also in a folder of its own.

use super::metrics::pass_at_k_over;
use super::places::last;
use super::role;
use super::trial::secs;
use crate::input::json::Cursor;
use crate::input::{Error as InputError, ErrorKind, Record};
use crate::model::{
    CaseRow, CheckRow, Config, DeclaredValue, Evaluation, Locator, Outcome, Run, RunBuilder,
    RunKey, Scope, Verdict,
};
use crate::readers::record_value::{number, text};
use crate::readers::records::{elements, members};
use crate::readers::stated_figures::DeclaredFigures;
use crate::readers::unchecked_claims::{Claims, Part};
use crate::readers::{Bundle, Claimed, Context, Error};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashSet};

/// A trial of a task.
struct TaskTrial {
    record: Value,
    name: String,
    task: String,
    is_resolved: Option<bool>,
    at: Locator,
}

impl TaskTrial {
    fn of(value: Value, at: Locator) -> Result<Self, InputError> {
        let Some(task) = text(&value, "task_id").map(str::to_owned) else {
            let reason = if value.is_object() {
                "a trial has no task_id"
            } else {
                "a trial is not an object"
            };
            return Err(InputError::new(ErrorKind::Format(reason), 0));
        };
        let name = text(&value, "trial_name").unwrap_or(&task).to_owned();
        let is_resolved = value.get("is_resolved").and_then(Value::as_bool);
        Ok(Self { name, task, is_resolved, at, record: value })
    }

    /// The failure mode, where it is one.
    fn failure(&self) -> Option<&str> {
        text(&self.record, "failure_mode").filter(|mode| !matches!(*mode, "unset" | "none"))
    }

    fn secs(&self, phase: &str) -> Option<f64> {
        let own = |end: &str| text(&self.record, &format!("{phase}_{end}_at")).map(str::to_owned);
        secs(&own("started")?, &own("ended")?)
    }
}

/// Reads a run.
pub(super) async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let (mut trials, mut known) = (Vec::new(), HashSet::new());
    let whole = bundle.of_role(role::BENCH).next();
    if let Some(claimed) = whole {
        let mut take = |record: Record<'_>| {
            let len = record.bytes.len() as u64;
            let at = Locator::Span { source: claimed.file.id, offset: record.offset, len };
            let trial = TaskTrial::of(Cursor::new(record.bytes).tree()?, at)?;
            known.insert(trial.name.clone());
            trials.push(trial);
            Ok(())
        };
        elements(claimed, "results", "trial", cx, &mut take).await?;
    }
    for claimed in bundle.of_role(role::BENCH_TRIAL) {
        let value = members(claimed, &claimed.shape.outline, &[], cx)?;
        let span = &claimed.shape.outline.span;
        let len = span.end.saturating_sub(span.start);
        let at = Locator::Span { source: claimed.file.id, offset: span.start, len };
        if let Ok(trial) = TaskTrial::of(value, at)
            && known.insert(trial.name.clone())
        {
            trials.push(trial);
        }
        cx.pulse.advance(claimed.file.len()).await?;
    }
    let metadata = match bundle.of_role(role::BENCH_RUN).next() {
        Some(claimed) => members(claimed, &claimed.shape.outline, &[], cx)?,
        None => Value::Null,
    };
    let runs = runs_of(&trials, &metadata, &bundle.path);
    let mut claims = Claims::default();
    let mut declared = Vec::new();
    let mut heads = Map::new();
    let scope = if runs.len() == 1 { Scope::Run(0) } else { Scope::Evaluation };
    let of_run = bundle.of_role(role::BENCH_RUN).next();
    for claimed in [whole, of_run].into_iter().flatten() {
        let head = members(claimed, &claimed.shape.outline, &["results"], cx)?;
        let mut stated = DeclaredFigures::in_file(&claimed.file.path);
        figures(&mut stated, &scope, &head, &trials);
        claims.walk(stated.file(), &head, "", stated.declared(), &|path| match path {
            "" | "accuracy" | "pass_at_k" | "n_resolved" | "n_unresolved" => Part::Open,
            _ if path.starts_with("pass_at_k.") => Part::Open,
            _ => Part::Other,
        });
        declared.extend(stated.into_vec());
        heads.insert(claimed.file.path.clone(), figures_only(&head));
    }
    let label = text(&metadata, "run_id").unwrap_or_else(|| last(&bundle.path)).to_owned();
    let no_runs = runs.is_empty().then(|| "no trial is among these files".to_owned());
    let facts = [
        ("agent", "agent_name"),
        ("model", "model_name"),
        ("dataset", "dataset_name"),
        ("version of the dataset", "dataset_version"),
        ("commit", "commit_hash"),
    ];
    let fact = |(label, key): (&str, &str)| {
        text(&metadata, key).map(|value| (label.to_owned(), value.to_owned()))
    };
    Ok(Evaluation {
        producer: "harbor".into(),
        generation: "Terminal-Bench".to_owned(),
        path: bundle.path.clone(),
        label,
        suite: text(&metadata, "dataset_name").map(str::to_owned),
        config: Config {
            no_verdict: Some("Terminal-Bench has no rule that passes or fails a run".into()),
            case_rule: Some("is_resolved: every test of the task passed".into()),
            no_runs,
            description: facts.into_iter().filter_map(fact).collect(),
            ..Config::default()
        },
        declared,
        unchecked: claims.into_vec(),
        declared_json: Value::Object(heads),
        rows: Vec::new(),
        runs,
        sources: bundle.files.iter().map(|claimed| claimed.file.id).collect(),
    })
}

/// The figures of a file; settings of agents stay out, which may be secrets.
fn figures_only(head: &Value) -> Value {
    let names =
        ["accuracy", "pass_at_k", "n_resolved", "n_unresolved", "resolved_ids", "unresolved_ids"];
    let own = names.iter().filter_map(|name| Some(((*name).to_owned(), head.get(*name)?.clone())));
    Value::Object(own.collect())
}

fn figures(stated: &mut DeclaredFigures, scope: &Scope, head: &Value, trials: &[TaskTrial]) {
    let is_resolved = |trial: &&TaskTrial| trial.is_resolved == Some(true);
    let (n_all, n_resolved) = (trials.len(), trials.iter().filter(is_resolved).count());
    let n_open = n_all.saturating_sub(n_resolved);
    let at = "trials with is_resolved";
    stated.count(scope, "n_resolved", head.get("n_resolved"), n_resolved, at);
    stated.count(
        scope,
        "n_unresolved",
        head.get("n_unresolved"),
        n_open,
        "trials without is_resolved",
    );
    #[expect(clippy::cast_precision_loss, reason = "counts of trials stay far below 2^53")]
    let accuracy = if n_all == 0 { 0.0 } else { n_resolved as f64 / n_all as f64 };
    let at = format!("{n_resolved} of {n_all} trials are resolved");
    stated.number(scope, "accuracy", head.get("accuracy"), Some(accuracy), at);
    let mut tasks: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for trial in trials {
        let (n_trials, n_passed) = tasks.entry(&trial.task).or_default();
        *n_trials = n_trials.saturating_add(1);
        *n_passed = n_passed.saturating_add(u32::from(trial.is_resolved == Some(true)));
    }
    for (k, value) in head.get("pass_at_k").and_then(Value::as_object).into_iter().flatten() {
        // Tasks with fewer trials are left out.
        let of_k = |k: u32| {
            let own = tasks.values().copied().filter(|(n_trials, _)| *n_trials >= k);
            pass_at_k_over(k, own)
        };
        let ours = k.parse().ok().and_then(of_k);
        let at = format!("pass@{k} over tasks with at least {k} trials");
        stated.number(scope, format!("pass_at_k.{k}"), Some(value), ours, at);
    }
    for (list, wanted) in [("resolved_ids", true), ("unresolved_ids", false)] {
        let Some(theirs) = head.get(list).and_then(Value::as_array) else { continue };
        let mut theirs: Vec<&str> = theirs.iter().filter_map(Value::as_str).collect();
        let is_own = |trial: &&TaskTrial| (trial.is_resolved == Some(true)) == wanted;
        let mut ours: Vec<&str> =
            trials.iter().filter(is_own).map(|trial| trial.task.as_str()).collect();
        theirs.sort_unstable();
        ours.sort_unstable();
        let ours = DeclaredValue::Text(ours.join(", "));
        stated.found(scope, list, Some(&json!(theirs.join(", "))), ours, "tasks of these trials");
    }
}

/// A run for each repeat of the tasks.
fn runs_of(trials: &[TaskTrial], metadata: &Value, path: &str) -> Vec<Run> {
    let subject = match (text(metadata, "agent_name"), text(metadata, "model_name")) {
        (Some(agent), Some(model)) => Some(format!("{agent} with {model}")),
        (agent, model) => agent.or(model).map(str::to_owned),
    };
    let mut repeats: BTreeMap<&str, u32> = BTreeMap::new();
    let mut runs: BTreeMap<u32, RunBuilder> = BTreeMap::new();
    for trial in trials {
        let repeat = repeats.entry(&trial.task).or_default();
        *repeat = repeat.saturating_add(1);
        let run = runs.entry(*repeat).or_insert_with(|| {
            let key = RunKey {
                suite: text(metadata, "dataset_name").map(str::to_owned),
                variant: None,
                subject: subject.clone(),
                repeat: *repeat,
                path: path.to_owned(),
            };
            let label = subject.clone().unwrap_or_else(|| last(path).to_owned());
            let mut run = RunBuilder::new(key, label);
            run.started_at = text(metadata, "start_time").map(str::to_owned);
            run
        });
        add_case(trial, run);
    }
    runs.into_values().map(RunBuilder::finish).collect()
}

fn add_case(trial: &TaskTrial, run: &mut RunBuilder) {
    let failure = trial.failure();
    let outcome = match trial.is_resolved {
        Some(is_resolved) => Outcome::of(is_resolved),
        None => Outcome::Error,
    };
    let is_error = outcome == Outcome::Error;
    run.source(trial.at.source());
    run.case(
        CaseRow {
            id: Some(trial.task.as_str()),
            tags: failure.filter(|_| !is_error),
            passed: trial.is_resolved,
            n_attempts: (!is_error).then_some(1),
            duration_secs: trial.secs("trial"),
            target_secs: trial.secs("agent"),
            prompt_tokens: number(&trial.record, "total_input_tokens"),
            completion_tokens: number(&trial.record, "total_output_tokens"),
            input_hash: trial
                .record
                .get("instruction")
                .and_then(|text| crate::readers::asked_hash::asked(text.to_string().as_bytes())),
            error_category: is_error.then_some("failure mode"),
            error_type: failure.filter(|_| is_error),
            error_message: is_error.then(|| failure.unwrap_or("the trial was not judged")),
            ..CaseRow::default()
        }
        .with_outcome(outcome)
        .at(trial.at),
    );
    for (name, status) in
        trial.record.get("parser_results").and_then(Value::as_object).into_iter().flatten()
    {
        let verdict = match status.as_str() {
            Some("passed") => Some(Verdict::Passed),
            Some("failed") => Some(Verdict::Failed),
            _ => None,
        };
        run.check(CheckRow {
            attempt: Some(1),
            name: Some(name),
            is_correct: verdict.map(|verdict| verdict == Verdict::Passed),
            verdict: verdict.map(Verdict::as_str),
            ..CheckRow::default()
        });
    }
}

/// Files of the trial whose folder is named so, among the files of a run.
pub(super) fn folder_of<'a>(bundle: &'a Bundle, name: &str) -> Option<&'a str> {
    let is_it = |one: &&std::rc::Rc<Claimed>| last(one.file.folder()) == name;
    bundle.of_role(role::BENCH_TRIAL).find(is_it).map(|one| one.file.folder())
}
