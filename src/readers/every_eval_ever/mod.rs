//! Every Eval Ever: the common schema, `UUID.json` (aggregate) and `UUID_samples.jsonl`.
//!
//! Source: `every_eval_ever` 0.3.0, `eval.schema.json` and `instance_level_eval.schema.json`. Fixtures:
//! `every-eval-ever/0.3.0`.
//! Recognised by `evaluation_id`, `evaluation_results` and `model_info`, or by `evaluation_id`, `sample_id` and
//! `evaluation`.
//!
//! Each `evaluation_name` is a run; a sample is a case, with one line for each result it counts in. The first
//! result of the aggregate is the case's score, and its `is_correct` says whether it passed.

mod bundle;
mod declared;
mod detail;
mod line;

use super::formula::is_beyond_unit;
use super::record_value::text;
use super::records::records;
use super::{
    Bundle, Claim, Claimed, Context, Error, Format, KeysOf, Producer, ReadEvaluation, Reader,
};
use crate::input::json::Cursor;
use crate::input::{Form, InputFile, LocalFuture, Record, Shape, ValueKind};
use crate::model::{
    Better, CaseDetail, CaseRow, CheckRow, Config, Evaluation, NoteKind, Outcome, Place, Run,
    RunBuilder, RunKey,
};
use crate::secrets::mask_named;
use line::SampleLine;
use serde_json::Value;
use std::collections::HashMap;
use std::rc::Rc;

/// The reader.
pub struct EveryEvalEver;

/// What `metadata.score` of a sample says in exports of Evalglass where the case has no score: the schema wants one.
pub const MISSING: &str = "missing";

const AGGREGATE: &str = "aggregate";
const SAMPLES: &str = "samples";

impl Producer for EveryEvalEver {
    fn id(&self) -> &'static str {
        "every-eval-ever"
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        bundle::bundle(files)
    }
}

impl Reader for EveryEvalEver {
    fn formats(&self) -> &'static [Format] {
        &[Format {
            files: "UUID.json + UUID_samples.jsonl",
            versions: "Every Eval Ever 0.3.0",
            what: "samples with every result; scores and their uncertainty checked",
        }]
    }

    fn sniff(&self, _file: &InputFile, shape: &Shape) -> Option<Claim> {
        let (whole, record) = (&shape.outline, shape.record());
        let is_aggregate = shape.form == Form::Document
            && whole.has("evaluation_results", ValueKind::Array)
            && whole.has_all(&["evaluation_id", "model_info"]);
        if is_aggregate {
            let why = "evaluation_id, evaluation_results and model_info";
            return Some(Claim { role: AGGREGATE, generation: None, why });
        }
        let is_samples = matches!(shape.form, Form::Document | Form::Lines)
            && record.has("evaluation", ValueKind::Object)
            && record.has_all(&["evaluation_id", "evaluation_name", "sample_id"]);
        let why = "evaluation_id, sample_id and evaluation";
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

async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let aggregate = aggregate(bundle, cx)?;
    let mut lines: Vec<SampleLine> = Vec::new();
    for claimed in bundle.of_role(SAMPLES) {
        let source = claimed.file.id;
        let mut take =
            |record: Record<'_>| SampleLine::read(record, source).map(|line| lines.push(line));
        records(claimed, "sample", cx, &mut take).await?;
    }
    let model = aggregate.get("model_info").unwrap_or(&Value::Null);
    let model = text(model, "name").or_else(|| text(model, "id")).map(str::to_owned);
    let model = model.or_else(|| lines.first().and_then(|line| line.model.clone()));
    let mut results: Vec<String> = declared::results(&aggregate);
    for line in &lines {
        let own = line.result.iter().find(|result| !results.contains(result));
        results.extend(own.cloned());
    }
    let stated = results.iter();
    let stated =
        stated.filter_map(|id| Some((id.clone(), declared::better(&aggregate, id)?))).collect();
    let runs = runs(bundle, &lines, &results, &model, &aggregate);
    let (declared, unchecked) = declared::of(bundle, &aggregate, &lines, &runs, &model);
    if lines.is_empty() {
        let detail =
            "no *_samples.jsonl is among the files: only the figures of the aggregate are shown";
        cx.notes.add(&bundle.path, NoteKind::MissingPartner, Place::File, detail);
    }
    let id = text(&aggregate, "evaluation_id").map(str::to_owned);
    let id = id.or_else(|| lines.first().and_then(|line| line.evaluation.clone()));
    let mut made = aggregate.clone();
    if let Some(members) = made.as_object_mut() {
        members.retain(|key, _| !matches!(key.as_str(), "evaluation_results"));
    }
    mask_named(&mut made);
    Ok(Evaluation {
        producer: "every-eval-ever".into(),
        generation: text(&aggregate, "schema_version").unwrap_or_default().to_owned(),
        path: bundle.path.clone(),
        label: id.unwrap_or_else(|| bundle.path.clone()),
        suite: None,
        config: Config {
            metrics: results,
            better: stated,
            has_any_scores: is_beyond_unit(&runs),
            no_verdict: Some("the schema has no rule that passes or fails an evaluation".into()),
            case_rule: Some("is_correct of the sample's first result".into()),
            score_source: Some("mean of the first result over samples".into()),
            no_runs: lines.is_empty().then(|| "the files hold the aggregate alone".to_owned()),
            ..Config::default()
        },
        declared,
        unchecked,
        declared_json: serde_json::json!({ "aggregate": { "metadata": made } }),
        rows: Vec::new(),
        runs,
        sources: bundle.files.iter().map(|claimed| claimed.file.id).collect(),
    })
}

/// The aggregate as a tree; null where there is none, or it cannot be read, which is noted.
fn aggregate(bundle: &Bundle, cx: &Context<'_>) -> Result<Value, Error> {
    let Some(claimed) = bundle.of_role(AGGREGATE).next() else { return Ok(Value::Null) };
    let file = &claimed.file;
    let bytes = file.all_bytes().map_err(|err| Error::from(err).in_file(&file.path))?;
    Ok(Cursor::new(&bytes).tree().unwrap_or_else(|err| {
        let detail = format!("the aggregate cannot be read: {}", err.reason());
        cx.notes.add(&file.path, err.note_kind(), Place::Byte(err.at()), detail);
        Value::Null
    }))
}

/// Lines of one sample in one repetition of one evaluation, in file order.
type SampleLines<'a> = Vec<&'a SampleLine>;

/// A run for each evaluation name and repetition.
fn runs(
    bundle: &Bundle,
    lines: &[SampleLine],
    results: &[String],
    model: &Option<String>,
    aggregate: &Value,
) -> Vec<Run> {
    let mut samples: Vec<(&str, u32, SampleLines<'_>)> = Vec::new();
    let mut places: HashMap<(&str, &str, u32), usize> = HashMap::new();
    let mut seen: HashMap<(&str, &str, Option<&str>), u32> = HashMap::new();
    for line in lines {
        let result = line.result.as_deref();
        let repeat = seen.entry((&line.name, &line.id, result)).or_default();
        *repeat += 1;
        let repeat = line.epoch.unwrap_or(*repeat);
        let place = *places.entry((&line.name, &line.id, repeat)).or_insert_with(|| {
            samples.push((&line.name, repeat, Vec::new()));
            samples.len() - 1
        });
        if let Some((_, _, own)) = samples.get_mut(place) {
            own.push(line);
        }
    }
    let mut keys: Vec<(&str, u32)> = Vec::new();
    for (name, repeat, _) in &samples {
        if !keys.contains(&(*name, *repeat)) {
            keys.push((name, *repeat));
        }
    }
    let started = text(aggregate, "evaluation_timestamp").and_then(|time| time.parse().ok());
    let started = started.and_then(declared::date);
    let run_of = |(name, repeat): (&str, u32)| {
        let key = RunKey {
            suite: Some(name.to_owned()),
            subject: model.clone(),
            repeat,
            path: bundle.path.clone(),
            ..RunKey::default()
        };
        let mut run = RunBuilder::new(key, name);
        bundle.files.iter().for_each(|claimed| run.source(claimed.file.id));
        run.started_at.clone_from(&started);
        let own = samples.iter().filter(|(own, at, _)| *own == name && *at == repeat);
        let mut scored_by = Vec::new();
        for (_, _, sample) in own {
            add(&mut run, sample, results);
            let first = judging(sample, results).and_then(|line| line.result.as_deref());
            if !scored_by.contains(&first) {
                scored_by.push(first);
            }
        }
        let stated = scored_by.iter().map(|id| id.and_then(|id| declared::better(aggregate, id)));
        run.score_better = Better::agreed(stated);
        run.finish()
    };
    keys.into_iter().map(run_of).collect()
}

/// The line of a sample that judges its case: that of the first of `results` that it has.
fn judging<'a>(sample: &SampleLines<'a>, results: &[String]) -> Option<&'a SampleLine> {
    let order = |line: &&&SampleLine| {
        let known = |own: &String| results.iter().position(|result| result == own);
        line.result.as_ref().and_then(known).unwrap_or(results.len())
    };
    sample.iter().min_by_key(order).copied()
}

/// Adds the case of a sample.
fn add(run: &mut RunBuilder, sample: &SampleLines<'_>, results: &[String]) {
    let Some(first) = judging(sample, results) else { return };
    let outcome = match (first.outcome, &first.error, first.is_correct) {
        (Some(outcome), ..) => outcome,
        (None, Some(_), _) => Outcome::Error,
        (None, None, Some(is_correct)) => Outcome::of(is_correct),
        (None, None, None) => Outcome::without_rule(first.score),
    };
    let is_judged = outcome != Outcome::Error;
    // Of a sample that failed the schema's score is only there because there has to be one.
    let has_score = is_judged || first.outcome.is_some();
    let is_verdict =
        first.outcome.is_none() || matches!(outcome, Outcome::Passed | Outcome::Failed);
    let row = CaseRow {
        id: Some(&first.id),
        is_numeric_id: Some(false),
        score: first.score.filter(|_| has_score),
        passed: first.is_correct.filter(|_| is_judged && is_verdict),
        duration_secs: first.secs,
        prompt_tokens: first.tokens.input,
        completion_tokens: first.tokens.output,
        cached_input_tokens: first.tokens.cache_read,
        cache_write_tokens: first.tokens.cache_write,
        reasoning_tokens: first.tokens.reasoning,
        answer: first.answer,
        error_category: first.error.as_deref().map(|_| "sample"),
        error_message: first.error.as_deref(),
        ..CaseRow::default()
    };
    run.case(row.with_outcome(outcome).with_asked(first.asked).at(first.place));
    for line in sample {
        let Some(result) = line.result.as_deref() else { continue };
        run.check(CheckRow {
            name: Some(result),
            score: line.score,
            is_correct: line.is_correct,
            ..CheckRow::default()
        });
    }
}
