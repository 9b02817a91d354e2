//! OpenAI evals: record logs, one line for each event.
//!
//! Source: evals 3.0.1.post1, `evals/record.py`, `evals/metrics.py`, `evals/elsuite`. The first line is the spec;
//! the final report is written at once and stands before the events, which are flushed later; after a crash there
//! is none. Events of one sample may lie among those of others; `event_id` orders them. A file that was written to
//! twice holds two runs, told apart by `run_id`. Fixtures: `openai-evals/3.0.1.post1`.

mod declared;
mod detail;
mod event;
mod log;
mod sample;

use super::record_value::text;
use super::records::records;
use super::{
    Bundle, Claim, Claimed, Context, Error, ErrorKind, Format, KeysOf, Producer, ReadEvaluation,
    Reader,
};
use crate::input::{Form, InputFile, LocalFuture, Record, Shape, ValueKind};
use crate::model::{CaseDetail, Config, Evaluation, NoteKind, Place, Run, RunBuilder, RunKey};
use log::{Log, LoggedRun};
use serde_json::{Value, json};
use std::rc::Rc;

/// The reader.
pub struct OpenAiEvals;

const LOG: &str = "record log";

impl Producer for OpenAiEvals {
    fn id(&self) -> &'static str {
        "openai-evals"
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        files
            .into_iter()
            .map(|claimed| Bundle { path: claimed.file.path.clone(), files: vec![claimed] })
            .collect()
    }
}

impl Reader for OpenAiEvals {
    fn formats(&self) -> &'static [Format] {
        &[Format {
            files: "RUN_ID_MODEL_EVAL.jsonl",
            versions: "3.0",
            what: "samples with their matches and metrics, model calls as a conversation",
        }]
    }

    fn sniff(&self, _file: &InputFile, shape: &Shape) -> Option<Claim> {
        sniff(shape)
    }

    fn read<'a>(
        &'a self,
        bundle: &'a Bundle,
        cx: &'a Context<'a>,
    ) -> LocalFuture<'a, Result<Vec<ReadEvaluation>, Error>> {
        Box::pin(async { read(bundle, cx).await.map(ReadEvaluation::alone) })
    }

    fn detail(&self, bundle: &Bundle, _config: &Config, case: &Run) -> Result<CaseDetail, Error> {
        detail::read(bundle, case)
    }
}

fn sniff(shape: &Shape) -> Option<Claim> {
    use ValueKind::{Number, Object, Text};
    if !matches!(shape.form, Form::Document | Form::Lines) {
        return None;
    }
    let record = shape.record();
    let is_in_head = |text: &str| memchr::memmem::find(&shape.head, text.as_bytes()).is_some();
    let why = if record.has("spec", Object)
        && record.members.len() == 1
        && is_in_head("\"completion_fns\"")
    {
        "a spec with completion_fns"
    } else if record.has("run_id", Text)
        && record.has("event_id", Number)
        && record.has_all(&["sample_id", "type", "data"])
    {
        "events with run_id, event_id and sample_id"
    } else if record.has("final_report", Object)
        && record.members.len() == 2
        && record.has("run_id", Text)
    {
        "final_report with run_id"
    } else {
        return None;
    };
    Some(Claim { role: LOG, generation: None, why })
}

async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let Some(claimed) = bundle.files.first() else { return Err(Error::new(ErrorKind::Gone)) };
    let file = &claimed.file;
    let mut log = Log::default();
    let mut take = |record: Record<'_>| log.add(record);
    records(claimed, "event", cx, &mut take).await?;
    let (mut runs, mut declared, mut unchecked) = (Vec::new(), Vec::new(), Vec::new());
    let (mut metrics, mut stated): (Vec<String>, Vec<Value>) = (Vec::new(), Vec::new());
    let mut keys: Vec<RunKey> = Vec::new();
    let mut has_any_scores = false;
    for logged in &log.runs {
        let mut key = key_of(logged, &file.path);
        let is_again = |other: &&RunKey| other.suite == key.suite && other.subject == key.subject;
        let n_before = keys.iter().filter(is_again).count();
        key.repeat = u32::try_from(n_before).unwrap_or(u32::MAX).saturating_add(1);
        keys.push(key.clone());
        let label = key.suite.clone().unwrap_or_else(|| file.name().to_owned());
        let mut run = RunBuilder::new(key, label);
        run.source(file.id);
        run.started_at = logged.spec_text("created_at").map(str::to_owned);
        let names = logged.metric_names();
        for sample in &logged.samples {
            has_any_scores |= sample.add_to(&mut run, file.id, &names);
        }
        for name in names.all() {
            if !metrics.contains(&name) {
                metrics.push(name);
            }
        }
        if logged.report.is_none() {
            let detail = match cx.notes.n_lost(&file.path) {
                0 => {
                    "there is no final report: the run stopped before its end, or is still going on"
                }
                _ => "there is no final report among the lines that could be read",
            };
            cx.notes.add(&file.path, NoteKind::Unfinished, Place::File, detail);
        }
        let (of_run, open) = declared::of(&file.path, logged, runs.len(), log.runs.len() > 1);
        declared.extend(of_run);
        unchecked.extend(open);
        stated.push(json!({ "spec": logged.spec, "final_report": logged.report }));
        runs.push(run.finish());
    }
    let first = log.runs.first();
    let no_runs = runs.is_empty().then(|| "the log holds no spec and no event".to_owned());
    Ok(Evaluation {
        producer: "openai-evals".into(),
        generation: "3.0".to_owned(),
        path: bundle.path.clone(),
        label: runs.first().map_or_else(|| file.name().to_owned(), |run: &Run| run.label.clone()),
        suite: first.and_then(|run| run.spec_text("eval_name")).map(str::to_owned),
        config: Config {
            metrics,
            no_verdict: Some("OpenAI evals has no rule that passes or fails a run".into()),
            case_rule: Some("the log says that the answer is correct".into()),
            score_source: Some(
                "accuracy where answers are matched, else the mean of the metric".into(),
            ),
            has_any_scores,
            no_runs,
            description: first.map(LoggedRun::description).unwrap_or_default(),
            ..Config::default()
        },
        declared,
        unchecked,
        declared_json: if stated.len() == 1 { stated.remove(0) } else { Value::Array(stated) },
        rows: Vec::new(),
        runs,
        sources: vec![file.id],
    })
}

fn key_of(logged: &LoggedRun, path: &str) -> RunKey {
    let models = logged.spec.get("completion_fns").and_then(Value::as_array);
    let models: Vec<&str> = models.into_iter().flatten().filter_map(Value::as_str).collect();
    let subject = if models.is_empty() { logged.model.clone() } else { Some(models.join(", ")) };
    RunKey {
        suite: text(&logged.spec, "eval_name").map(str::to_owned),
        variant: None,
        subject,
        repeat: 1,
        path: path.to_owned(),
    }
}
