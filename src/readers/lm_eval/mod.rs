//! lm-evaluation-harness: `results_TIME.json` and `samples_TASK_TIME.jsonl` of one model.
//!
//! Source: `lm_eval.loggers.evaluation_tracker`, `lm_eval.evaluator`, releases 0.4.3 and 0.4.13. Fixtures:
//! `lm-eval/0.4.3`, `lm-eval/0.4.13`.
//! Recognised by `results`, `configs` and `versions` (aggregate), or `doc_id`, `doc`, `resps` and
//! `filtered_resps` (samples).
//!
//! Each task under each filter is a run, since the tool gives each its own aggregate; a document is a case.
//! The tool never says that an answer passes: cases are scored by the first metric that is a number.

mod better;
mod bundle;
mod corpus;
mod declared;
mod detail;
mod sample;

use super::formula::is_beyond_unit;
use super::record_value::{short_text, text};
use super::records::records;
use super::{
    Bundle, Claim, Claimed, Context, Error, Format, KeysOf, Producer, ReadEvaluation, Reader,
};
use crate::input::json::Cursor;
use crate::input::{Form, InputFile, LocalFuture, Record, Shape, ValueKind};
use crate::model::{
    Better, CaseDetail, CaseRow, CheckRow, Config, Evaluation, Locator, NoteKind, Outcome, Place,
    Run, RunBuilder, RunKey,
};
use crate::secrets::mask_named;
use bundle::task_of;
use sample::{LmEvalSample, by_filter};
use serde_json::{Map, Value};
use std::rc::Rc;

/// The reader.
pub struct LmEval;

const RESULTS: &str = "aggregate";
const SAMPLES: &str = "samples";

/// The filter of a task that names none.
const NO_FILTER: &str = "none";

impl Producer for LmEval {
    fn id(&self) -> &'static str {
        "lm-eval"
    }

    fn orders_bundles(&self) -> bool {
        true
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        bundle::bundle(files)
    }
}

impl Reader for LmEval {
    fn formats(&self) -> &'static [Format] {
        &[Format {
            files: "results_*.json + samples_*.jsonl",
            versions: "lm-evaluation-harness 0.4.3 – 0.4.13",
            what: "documents under each filter with every metric; means and standard errors checked",
        }]
    }

    fn sniff(&self, _file: &InputFile, shape: &Shape) -> Option<Claim> {
        let (whole, record) = (&shape.outline, shape.record());
        let is_results = shape.form == Form::Document
            && ["results", "configs", "versions"]
                .iter()
                .all(|key| whole.has(key, ValueKind::Object))
            && whole.member("config").is_some();
        let is_samples = matches!(shape.form, Form::Document | Form::Lines)
            && record.has_all(&["doc_id", "doc", "resps", "filtered_resps"]);
        if is_results {
            let why = "results, configs and versions";
            return Some(Claim { role: RESULTS, generation: None, why });
        }
        let why = "doc_id, doc, resps and filtered_resps";
        is_samples.then_some(Claim { role: SAMPLES, generation: None, why })
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

/// The samples of one task under one filter.
struct FilterSamples {
    task: String,
    filter: String,
    samples: Vec<LmEvalSample>,
    file: InputFile,
}

async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let results = results(bundle, cx)?;
    let model = model_of(&results);
    let mut parts = Vec::new();
    for claimed in bundle.of_role(SAMPLES) {
        let mut samples = Vec::new();
        let mut take = |record: Record<'_>| LmEvalSample::read(record).map(|one| samples.push(one));
        records(claimed, "sample", cx, &mut take).await?;
        let task = task_of(claimed.file.name());
        let filters = declared::filters(&results, &task);
        for (filter, samples) in by_filter(samples, &filters) {
            let (task, file) = (task.clone(), claimed.file.clone());
            parts.push(FilterSamples { task, filter, samples, file });
        }
    }
    let mut metrics: Vec<String> = Vec::new();
    let mut stated: Vec<(String, Better)> = Vec::new();
    let mut runs = Vec::new();
    for part in &parts {
        for (name, _) in part.samples.iter().flat_map(LmEvalSample::numbers) {
            if !metrics.iter().any(|known| known == name) {
                metrics.push(name.to_owned());
            }
        }
        for name in &metrics {
            let own = better::of(&results, &part.task, name).map(|way| (name.clone(), way));
            stated.extend(own.filter(|own| !stated.contains(own)));
        }
        runs.push(run_of(part, &parts, &model, &results));
    }
    let (declared, unchecked) = declared::of(bundle, &results, &parts, &model);
    let task_names = declared::tasks(&results);
    if parts.is_empty() && !task_names.is_empty() {
        let detail = "no samples_*.jsonl is among the files (--log_samples writes them): only the figures of \
            the aggregate are shown";
        cx.notes.add(&bundle.path, NoteKind::MissingPartner, Place::File, detail);
    }
    let suite = match task_names.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    };
    Ok(Evaluation {
        producer: "lm-eval".into(),
        generation: text(&results, "lm_eval_version").unwrap_or_default().to_owned(),
        path: bundle.path.clone(),
        label: model.clone().unwrap_or_else(|| bundle.path.clone()),
        suite,
        config: Config {
            metrics,
            better: stated,
            has_any_scores: is_beyond_unit(&runs),
            no_verdict: Some("lm-evaluation-harness has no rule that passes or fails a run".into()),
            no_case_rule: Some("lm-evaluation-harness does not say which answers pass".into()),
            score_source: Some("mean of the first metric over documents".into()),
            no_runs: parts.is_empty().then(|| "the files hold the aggregate alone".to_owned()),
            ..Config::default()
        },
        declared,
        unchecked,
        declared_json: serde_json::json!({ "results": settings(&results) }),
        rows: Vec::new(),
        runs,
        sources: bundle.files.iter().map(|claimed| claimed.file.id).collect(),
    })
}

/// The aggregate as a tree; null where there is none, or it cannot be read, which is noted.
fn results(bundle: &Bundle, cx: &Context<'_>) -> Result<Value, Error> {
    let mut all = bundle.of_role(RESULTS);
    let Some(claimed) = all.next() else { return Ok(Value::Null) };
    let file = &claimed.file;
    let bytes = file.all_bytes().map_err(|err| Error::from(err).in_file(&file.path))?;
    Ok(Cursor::new(&bytes).tree().unwrap_or_else(|err| {
        let detail = format!("the aggregate cannot be read: {}", err.reason());
        cx.notes.add(&file.path, err.note_kind(), Place::Byte(err.at()), detail);
        Value::Null
    }))
}

/// Name of the model: as stated, else out of its arguments, else the kind of model.
fn model_of(results: &Value) -> Option<String> {
    let config = results.get("config").unwrap_or(&Value::Null);
    let arguments = config.get("model_args");
    let of_text = || {
        let pairs = arguments?.as_str()?.split(',');
        let mut pairs = pairs.filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| matches!(key.trim(), "pretrained" | "model")).map(|(_, name)| name)
    };
    let of_object = || ["pretrained", "model"].iter().find_map(|key| text(arguments?, key));
    let stated = of_text().or_else(of_object).or_else(|| text(results, "model_name"));
    stated.or_else(|| text(config, "model")).map(str::to_owned)
}

/// What the aggregate says of how it was made, secrets masked.
fn settings(results: &Value) -> Value {
    const OF_RESULTS: [&str; 5] =
        ["results", "groups", "pretty_env_info", "group_subtasks", "higher_is_better"];
    let members = results.as_object().into_iter().flatten();
    let kept = members.filter(|(key, _)| !OF_RESULTS.contains(&key.as_str()));
    let mut settings = Value::Object(kept.map(|(key, one)| (key.clone(), one.clone())).collect());
    mask_named(&mut settings);
    settings
}

fn run_of(
    part: &FilterSamples,
    all: &[FilterSamples],
    model: &Option<String>,
    results: &Value,
) -> Run {
    let n_filters = all.iter().filter(|other| other.task == part.task).count();
    let is_named = n_filters > 1 || part.filter != NO_FILTER;
    let key = RunKey {
        suite: Some(part.task.clone()),
        variant: is_named.then(|| part.filter.clone()),
        subject: model.clone(),
        repeat: 1,
        path: part.file.path.clone(),
    };
    let label =
        if is_named { format!("{} · {}", part.task, part.filter) } else { part.task.clone() };
    let mut run = RunBuilder::new(key, label);
    run.source(part.file.id);
    run.started_at = results.get("date").and_then(Value::as_f64).and_then(declared::date);
    let scored_by = part.samples.iter().filter_map(|sample| sample.numbers().next());
    run.score_better =
        Better::agreed(scored_by.map(|(name, _)| better::of(results, &part.task, name)));
    for sample in &part.samples {
        let score = sample.numbers().next().map(|(_, number)| number);
        let row = CaseRow {
            id: Some(&sample.id),
            is_numeric_id: Some(sample.is_numeric_id),
            score,
            answer: sample.answer,
            n_attempts: sample.n_repeats,
            ..CaseRow::default()
        };
        let outcome = Outcome::without_rule(score);
        run.case(row.with_outcome(outcome).with_asked(sample.asked).at(Locator::Span {
            source: part.file.id,
            offset: sample.offset,
            len: sample.len,
        }));
        for (name, value) in &sample.metrics {
            let score = sample::number(value);
            run.check(CheckRow { name: Some(name), score, ..CheckRow::default() });
        }
    }
    run.finish()
}

/// A member of an object at `key`, as an object; empty where there is none.
fn object<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    value.get(key).and_then(Value::as_object).into_iter().flat_map(Map::iter)
}

/// A setting in one line; `None` where nothing is said.
fn said(value: Option<&Value>) -> Option<String> {
    value.map(short_text).filter(|text| !text.is_empty())
}
