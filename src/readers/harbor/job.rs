//! A job: its trials as cases, one run for each agent, model, dataset and repeat.

use super::declared;
use super::places::{by_trial, last};
use super::role;
use super::rules::{description, note_odd, note_unfinished, reward_names, rules};
use super::trial::HarborTrial;
use super::verifier::{self, VerifierReport};
use crate::input::json::Cursor;
use crate::input::{Error as InputError, ErrorKind, Record};
use crate::model::{
    CaseRow, CheckRow, Config, Evaluation, Locator, NoteKind, Outcome, Place, Run, RunBuilder,
    RunKey, SourceId,
};
use crate::order::Order as _;
use crate::readers::asked_hash::asked;
use crate::readers::record_value::text;
use crate::readers::records::{elements, members};
use crate::readers::{Bundle, Claimed, Context, Error};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A trial with the files beside its record.
pub(super) struct TrialFiles<'a> {
    /// The trial.
    pub trial: HarborTrial,
    /// Its files.
    pub files: &'a [&'a Rc<Claimed>],
    /// Reports of its verifier; a trial of several steps may have one for each.
    pub reports: Vec<VerifierReport>,
}

/// Reads a job, or trials that no job is known of.
pub(super) async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let (folders, rest) = by_trial(bundle);
    let of_role = |role: &str| rest.iter().find(|one| one.claim.role == role).copied();
    let mut found = Vec::new();
    for files in folders.values() {
        found.extend(in_folder(files, cx)?);
        let n_bytes = files.iter().map(|one| one.file.len()).sum();
        cx.pulse.advance(n_bytes).await?;
    }
    let job = match of_role(role::JOB) {
        Some(claimed) => {
            found.extend(embedded(claimed, &found, cx).await?);
            let job = members(claimed, &claimed.shape.outline, &["trial_results"], cx)?;
            if found.is_empty() {
                found.extend(named_in_stats(claimed, &job));
            }
            Some((claimed, job))
        }
        None => None,
    };
    let config = match of_role(role::JOB_CONFIG) {
        Some(claimed) => members(claimed, &claimed.shape.outline, &[], cx)?,
        None => Value::Null,
    };
    found.order_by(|left, right| {
        let key = |one: &TrialFiles<'_>| {
            let trial = &one.trial;
            (trial.task.clone(), trial.started_at.clone(), trial.name.clone())
        };
        key(left).cmp(&key(right))
    });
    let rewards = reward_names(&found);
    let (runs, places) = runs_of(&found, &bundle.path, rewards.len() > 1);
    let mut stated = declared::JobFigures::default();
    if let Some((claimed, job)) = &job {
        note_unfinished(claimed, job, &found, cx);
        stated.job(&claimed.file.path, job, &found, &runs);
    }
    for (one, (run, _)) in found.iter().zip(&places) {
        stated.trial(one, *run);
    }
    let (declared, unchecked) = stated.finish();
    let label = text(&config, "job_name").unwrap_or_else(|| last(&bundle.path)).to_owned();
    let mut datasets: Vec<Option<&str>> = runs.iter().map(|run| run.key.suite.as_deref()).collect();
    datasets.dedup();
    let no_runs = runs
        .is_empty()
        .then(|| "no trial is among these files: open the whole folder of the job".to_owned());
    Ok(Evaluation {
        producer: "harbor".into(),
        generation: "Harbor job".to_owned(),
        path: bundle.path.clone(),
        label,
        suite: if let [only] = datasets.as_slice() { only.map(str::to_owned) } else { None },
        config: Config { no_runs, description: description(&config), ..rules(rewards, &runs) },
        declared,
        unchecked,
        declared_json: job.map_or(Value::Null, |(_, job)| json!({ "result": job })),
        rows: Vec::new(),
        runs,
        sources: bundle.files.iter().map(|claimed| claimed.file.id).collect(),
    })
}

/// The trial in a folder; of a folder with two results the last in path order.
fn in_folder<'a>(
    files: &'a [&'a Rc<Claimed>],
    cx: &Context<'_>,
) -> Result<Option<TrialFiles<'a>>, Error> {
    let of_role = |role: &str| files.iter().rfind(|one| one.claim.role == role).copied();
    let (record, mut trial) = match (of_role(role::TRIAL), of_role(role::TRIAL_CONFIG)) {
        (Some(claimed), _) => {
            let record = members(claimed, &claimed.shape.outline, &[], cx)?;
            note_odd(&record, &claimed.file.path, cx);
            (claimed, HarborTrial::of_result(&record))
        }
        (None, Some(claimed)) => {
            let config = members(claimed, &claimed.shape.outline, &[], cx)?;
            let detail =
                "the trial has no result: it was stopped, or still ran when this was copied";
            cx.notes.add(&claimed.file.path, NoteKind::Unfinished, Place::File, detail);
            (claimed, HarborTrial::of_config(&config))
        }
        (None, None) => return Ok(None),
    };
    let span = &record.shape.outline.span;
    let (offset, len) = (span.start, span.end.saturating_sub(span.start));
    trial.at = Some(Locator::Span { source: record.file.id, offset, len });
    trial.file.clone_from(&record.file.path);
    if trial.name.is_empty() {
        trial.name = last(record.file.folder()).to_owned();
    }
    let mut reports = Vec::new();
    for claimed in files.iter().filter(|one| one.claim.role == role::TESTS) {
        match verifier::tests(claimed) {
            Ok(report) => reports.push(report),
            Err(err) => {
                let detail = format!("the verifier's tests cannot be read: {}", err.kind());
                cx.notes.add(&claimed.file.path, NoteKind::Broken, Place::File, detail);
            }
        }
    }
    Ok(Some(TrialFiles { trial, files, reports }))
}

/// Trials that the job's result holds itself and that have no folder.
async fn embedded(
    claimed: &Claimed,
    found: &[TrialFiles<'_>],
    cx: &Context<'_>,
) -> Result<Vec<TrialFiles<'static>>, Error> {
    let mut all = Vec::new();
    let mut take = |record: Record<'_>| {
        let value = Cursor::new(record.bytes).tree()?;
        if !value.is_object() {
            return Err(InputError::new(ErrorKind::Format("a trial is not an object"), 0));
        }
        let mut trial = HarborTrial::of_result(&value);
        if !found.iter().any(|one| one.trial.name == trial.name) {
            let len = record.bytes.len() as u64;
            let source = claimed.file.id;
            trial.at = Some(Locator::Span { source, offset: record.offset, len });
            trial.file.clone_from(&claimed.file.path);
            all.push(TrialFiles { trial, files: &[], reports: Vec::new() });
        }
        Ok(())
    };
    elements(claimed, "trial_results", "trial", cx, &mut take).await?;
    Ok(all)
}

/// Trials of which no more is there than what the job's statistics say: their rewards and exceptions.
fn named_in_stats(claimed: &Claimed, job: &Value) -> Vec<TrialFiles<'static>> {
    let at = claimed.shape.outline.member("stats").map(|member| Locator::Span {
        source: claimed.file.id,
        offset: member.span.start,
        len: member.span.end.saturating_sub(member.span.start),
    });
    let evals = job.pointer("/stats/evals").and_then(Value::as_object);
    let mut all: BTreeMap<(&str, &str), HarborTrial> = BTreeMap::new();
    for (key, stats) in evals.into_iter().flatten() {
        for (part, is_reward) in [("reward_stats", true), ("exception_stats", false)] {
            for (name, value, trial) in declared::listed(stats.get(part), is_reward) {
                let (agent, rest) = key.split_once("__").unwrap_or((key, ""));
                let (model, dataset) = match rest.rsplit_once("__") {
                    Some((model, dataset)) => (Some(model.to_owned()), dataset),
                    None => (None, rest),
                };
                let one = all.entry((key, trial)).or_insert_with(|| HarborTrial {
                    name: trial.to_owned(),
                    task: trial.rsplit_once("__").map_or(trial, |(task, _)| task).to_owned(),
                    dataset: (!matches!(dataset, "" | super::trial::NO_DATASET))
                        .then(|| dataset.to_owned()),
                    agent: Some(agent.to_owned()),
                    model,
                    has_result: true,
                    at,
                    file: claimed.file.path.clone(),
                    ..HarborTrial::default()
                });
                match (is_reward, value.parse::<f64>()) {
                    (true, Ok(number)) => {
                        one.rewards.get_or_insert_default().push((name.to_owned(), number));
                    }
                    (true, Err(_)) => {}
                    (false, _) => one.exception = Some((name.to_owned(), String::new())),
                }
            }
        }
    }
    let found = |trial| TrialFiles { trial, files: &[], reports: Vec::new() };
    all.into_values().map(found).collect()
}

/// The runs, and for each trial its run and its case.
fn runs_of(
    found: &[TrialFiles<'_>],
    path: &str,
    has_several: bool,
) -> (Vec<Run>, Vec<(usize, usize)>) {
    let mut repeats: BTreeMap<(String, &str), u32> = BTreeMap::new();
    let mut keyed: Vec<(RunKey, usize)> = Vec::new();
    for (idx, one) in found.iter().enumerate() {
        let trial = &one.trial;
        let repeat = repeats.entry((trial.key(), &trial.task)).or_default();
        *repeat = repeat.saturating_add(1);
        let key = RunKey {
            suite: trial.dataset.clone(),
            variant: None,
            subject: trial.subject(),
            repeat: *repeat,
            path: path.to_owned(),
        };
        keyed.push((key, idx));
    }
    keyed.order_by(|(left, left_idx), (right, right_idx)| {
        let order =
            |key: &RunKey, idx: usize| (key.suite.clone(), key.subject.clone(), key.repeat, idx);
        order(left, *left_idx).cmp(&order(right, *right_idx))
    });
    let mut runs: Vec<RunBuilder> = Vec::new();
    let mut last_key: Option<RunKey> = None;
    let mut places = vec![(0, 0); found.len()];
    for (key, idx) in keyed {
        if last_key.as_ref() != Some(&key) {
            let label = key.subject.clone().unwrap_or_else(|| last(path).to_owned());
            runs.push(RunBuilder::new(key.clone(), label));
            last_key = Some(key);
        }
        let (Some(one), at) = (found.get(idx), runs.len() - 1) else { continue };
        let Some(run) = runs.get_mut(at) else { continue };
        if let Some(place) = places.get_mut(idx) {
            *place = (at, run.n_cases());
        }
        add_case(one, run, has_several);
    }
    (runs.into_iter().map(RunBuilder::finish).collect(), places)
}

fn add_case(one: &TrialFiles<'_>, run: &mut RunBuilder, has_several: bool) {
    let trial = &one.trial;
    let score = trial.headline().filter(|score| !score.is_nan());
    let exception = trial.exception.as_ref();
    let outcome = match (&trial.rewards, exception) {
        (None, Some(_)) => Outcome::Error,
        (None, None) if !trial.has_result => Outcome::Error,
        _ => Outcome::without_rule(score),
    };
    let is_error = outcome == Outcome::Error;
    let no_result = "there is no result of this trial: it was stopped, or still ran";
    let message = match exception {
        Some((kind, message)) if message.is_empty() => kind.as_str(),
        Some((_, message)) => message,
        None => no_result,
    };
    let kind = exception.map(|(kind, _)| kind.as_str()).filter(|kind| !kind.is_empty());
    let checksum = trial.checksum.as_ref().map(|sum| Value::from(sum.as_str()).to_string());
    let mut row = CaseRow {
        id: Some(trial.task.as_str()),
        tags: kind.filter(|_| !is_error),
        score,
        n_attempts: trial.rewards.as_ref().map(|_| 1),
        duration_secs: trial.secs,
        target_secs: trial.agent_secs,
        prompt_tokens: trial.usage.input,
        cached_input_tokens: trial.usage.cached,
        completion_tokens: trial.usage.output,
        cost_usd: trial.usage.cost,
        input_hash: checksum.and_then(|json| asked(json.as_bytes())),
        error_category: is_error.then_some("exception"),
        error_type: kind.filter(|_| is_error),
        error_message: is_error.then_some(message),
        ..CaseRow::default()
    }
    .with_outcome(outcome);
    if let Some(at) = trial.at {
        row = row.at(at);
        run.source(at.source());
    }
    if let Some(at) = one.trajectory() {
        row = row.joined_with(at);
        run.source(at.source());
    }
    if run
        .started_at
        .as_deref()
        .is_none_or(|first| trial.started_at.as_deref().is_some_and(|own| own < first))
    {
        run.started_at.clone_from(&trial.started_at);
    }
    run.case(row);
    for (name, value) in trial.rewards.iter().flatten().filter(|_| has_several) {
        run.check(CheckRow {
            attempt: Some(1),
            name: Some(name),
            score: Some(*value).filter(|value| !value.is_nan()),
            ..CheckRow::default()
        });
    }
    for test in one.reports.iter().flat_map(|report| &report.tests) {
        let verdict = test.verdict();
        run.check(CheckRow {
            attempt: Some(1),
            name: Some(&test.name),
            is_correct: verdict.map(|verdict| verdict == crate::model::Verdict::Passed),
            verdict: verdict.map(crate::model::Verdict::as_str),
            duration_secs: test.secs,
            ..CheckRow::default()
        });
    }
}

impl TrialFiles<'_> {
    /// Where the trajectory of the trial lies.
    fn trajectory(&self) -> Option<Locator> {
        let own = self.files.iter().find(|one| {
            one.claim.role == role::TRAJECTORY && one.file.name() == "trajectory.json"
        })?;
        let span = &own.shape.outline.span;
        let source: SourceId = own.file.id;
        let len = span.end.saturating_sub(span.start);
        Some(Locator::Span { source, offset: span.start, len })
    }
}
