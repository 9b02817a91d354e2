//! lighteval: `results_TIME.json` and `details_TASK_TIME.parquet` of one model.
//!
//! Source: `lighteval.logging.evaluation_tracker`, release 0.13.0. Fixtures: `lighteval/0.13.0`.
//! Recognised by `config_general` and `results` (aggregate), or the columns `doc`, `metric` and
//! `model_response` (details).
//!
//! Each task is a run, each row of its details a case with the tool's metrics. The tool never says that an
//! answer passes: cases are scored by the first metric of their task.

mod bundle;
mod declared;
mod detail;
mod row;

use super::formula::is_beyond_unit;
use super::parquet_file::ParquetFile;
use super::record_value::{items, text};
use super::{
    Bundle, Claim, Claimed, Context, Error, Format, KeysOf, Producer, ReadEvaluation, Reader,
};
use crate::input::json::Cursor;
use crate::input::{Form, InputFile, LocalFuture, Shape, ValueKind};
use crate::model::{
    Better, CaseDetail, CaseRow, CheckRow, Config, Evaluation, Locator, NoteKind, Outcome, Place,
    Run, RunBuilder, RunKey,
};
use crate::secrets::mask_named;
use row::{LightevalRow, READ};
use serde_json::Value;
use std::rc::Rc;

/// The reader.
pub struct Lighteval;

const RESULTS: &str = "aggregate";
const DETAILS: &str = "details";

impl Producer for Lighteval {
    fn id(&self) -> &'static str {
        "lighteval"
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        bundle::bundle(files)
    }
}

impl Reader for Lighteval {
    fn formats(&self) -> &'static [Format] {
        &[Format {
            files: "results_*.json + details_*.parquet",
            versions: "lighteval 0.13.0",
            what: "documents with every metric; means and standard errors checked",
        }]
    }

    fn sniff(&self, file: &InputFile, shape: &Shape) -> Option<Claim> {
        let whole = &shape.outline;
        let is_results = shape.form == Form::Document
            && whole.has("config_general", ValueKind::Object)
            && whole.has("results", ValueKind::Object);
        if is_results {
            let why = "config_general and results";
            return Some(Claim { role: RESULTS, generation: None, why });
        }
        if shape.form != Form::Parquet {
            return None;
        }
        let opened = ParquetFile::open(file).ok()?;
        let is_there = |path: &&str| !opened.below(&[*path]).is_empty();
        let is_details = ["doc.query", "doc.id", "metric", "model_response"].iter().all(is_there);
        let why = "columns doc, metric and model_response";
        is_details.then_some(Claim { role: DETAILS, generation: None, why })
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

    fn row_texts(
        &self,
        file: &InputFile,
        part: usize,
        take: &mut dyn FnMut(u64, &str),
    ) -> Result<bool, Error> {
        ParquetFile::open(file)?.part_texts(part, take)
    }
}

/// The details of one task.
struct TaskDetails {
    task: String,
    rows: Vec<LightevalRow>,
    file: InputFile,
}

async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let results = results(bundle, cx)?;
    let general = results.get("config_general").unwrap_or(&Value::Null);
    let of_model = general.get("model_config").unwrap_or(&Value::Null);
    let model = text(general, "model_name").or_else(|| text(of_model, "model_name"));
    let model = model.map(str::to_owned);
    let mut parts = Vec::new();
    for claimed in bundle.of_role(DETAILS) {
        parts.push(part(&claimed.file, cx).await?);
    }
    let mut metrics: Vec<String> = Vec::new();
    for (name, _) in parts.iter().flat_map(|part| &part.rows).flat_map(|row| &row.metrics) {
        if !metrics.contains(name) {
            metrics.push(name.clone());
        }
    }
    let mut stated: Vec<(String, Better)> = Vec::new();
    for part in &parts {
        for name in &metrics {
            let own = better(&results, &part.task, name).map(|way| (name.clone(), way));
            stated.extend(own.filter(|own| !stated.contains(own)));
        }
    }
    let runs: Vec<Run> = parts.iter().map(|part| run_of(part, &model, &results)).collect();
    let (declared, unchecked) = declared::of(bundle, &results, &parts, &model);
    if parts.is_empty() {
        let detail = "no details_*.parquet is among the files (--save-details writes them): only the figures \
            of the aggregate are shown";
        cx.notes.add(&bundle.path, NoteKind::MissingPartner, Place::File, detail);
    }
    let mut made = results.clone();
    if let Some(members) = made.as_object_mut() {
        members.retain(|key, _| {
            matches!(key.as_str(), "config_general" | "config_tasks" | "versions")
        });
    }
    mask_named(&mut made);
    Ok(Evaluation {
        producer: "lighteval".into(),
        generation: String::new(),
        path: bundle.path.clone(),
        label: model.clone().unwrap_or_else(|| bundle.path.clone()),
        suite: None,
        config: Config {
            metrics,
            better: stated,
            has_any_scores: is_beyond_unit(&runs),
            no_verdict: Some("lighteval has no rule that passes or fails a run".into()),
            no_case_rule: Some("lighteval does not say which answers pass".into()),
            score_source: Some("mean of the first metric over documents".into()),
            no_runs: parts.is_empty().then(|| "the files hold the aggregate alone".to_owned()),
            ..Config::default()
        },
        declared,
        unchecked,
        declared_json: made,
        rows: Vec::new(),
        runs,
        sources: bundle.files.iter().map(|claimed| claimed.file.id).collect(),
    })
}

/// The aggregate as a tree; null where there is none, or it cannot be read, which is noted.
fn results(bundle: &Bundle, cx: &Context<'_>) -> Result<Value, Error> {
    let Some(claimed) = bundle.of_role(RESULTS).next() else { return Ok(Value::Null) };
    let file = &claimed.file;
    let bytes = file.all_bytes().map_err(|err| Error::from(err).in_file(&file.path))?;
    Ok(Cursor::new(&bytes).tree().unwrap_or_else(|err| {
        let detail = format!("the aggregate cannot be read: {}", err.reason());
        cx.notes.add(&file.path, err.note_kind(), Place::Byte(err.at()), detail);
        Value::Null
    }))
}

/// The rows of a task; what lies behind damage is noted as lost.
async fn part(file: &InputFile, cx: &Context<'_>) -> Result<TaskDetails, Error> {
    let opened = ParquetFile::open(file)?;
    let leaves = opened.below(&READ);
    let (mut rows, mut task) = (Vec::new(), None);
    for group in 0..opened.n_row_groups() {
        let mut take = |number: u64, record: serde_json::Map<String, Value>| {
            let record = Value::Object(record);
            if task.is_none() {
                task = record.pointer("/doc/task_name").and_then(Value::as_str).map(str::to_owned);
            }
            rows.push(LightevalRow::of(&record, number));
        };
        match opened.each_row(group, &leaves, cx.pulse, &mut take).await {
            Ok(()) => {}
            Err(err) if err.is_cancelled() => return Err(err),
            Err(err) => {
                let first = opened.first_row_of_group(group);
                cx.notes.add(&file.path, err.note_kind(), Place::Row(first), err.to_string());
            }
        }
    }
    let task = task.unwrap_or_else(|| bundle::task_of(file.name()));
    Ok(TaskDetails { task, rows, file: file.clone() })
}

/// Which way a metric of a task is better (`higher_is_better` in its configuration); `None`: the file does not say.
fn better(results: &Value, task: &str, metric: &str) -> Option<Better> {
    let config = results.get("config_tasks").and_then(|all| all.get(task))?;
    let mut listed = items(config, "metrics").iter();
    let own = listed.find(|one| text(one, "metric_name") == Some(metric))?;
    own.get("higher_is_better").and_then(Value::as_bool).map(Better::if_higher)
}

fn run_of(part: &TaskDetails, model: &Option<String>, results: &Value) -> Run {
    let key = RunKey {
        suite: Some(part.task.clone()),
        subject: model.clone(),
        repeat: 1,
        path: part.file.path.clone(),
        ..RunKey::default()
    };
    let mut run = RunBuilder::new(key, part.task.clone());
    run.source(part.file.id);
    let scored_by = part.rows.iter().filter_map(|row| {
        let (name, _) = row.metrics.iter().find(|(_, score)| score.is_some())?;
        Some(better(results, &part.task, name))
    });
    run.score_better = Better::agreed(scored_by);
    for row in &part.rows {
        let score = row.metrics.iter().find_map(|(_, score)| *score);
        let case = CaseRow {
            id: Some(&row.id),
            is_numeric_id: Some(false),
            score,
            answer: row.answer,
            ..CaseRow::default()
        };
        let case = case.with_outcome(Outcome::without_rule(score)).with_asked(row.asked);
        run.case(case.at(Locator::Row { source: part.file.id, row: row.number }));
        for (name, score) in &row.metrics {
            run.check(CheckRow { name: Some(name), score: *score, ..CheckRow::default() });
        }
    }
    run.finish()
}
