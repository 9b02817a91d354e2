//! HELM: the folder of one run, `run_spec.json`, `scenario_state.json`, `per_instance_stats.json`, `stats.json`.
//!
//! Source: `helm.benchmark.runner`, `helm.benchmark.metrics.metric`, release 0.5.16. Fixtures: `helm/0.5.16`.
//! Recognised by the keys of each file.
//!
//! A folder is a run. An instance in one train trial under one perturbation is a case, scored by the first of
//! the metrics that the run asked for; HELM never says that an answer passes.

mod declared;
mod detail;
mod instance;

use super::asked_hash::asked;
use super::formula::is_beyond_unit;
use super::record_value::text;
use super::records::{elements, records};
use super::{
    Bundle, Claim, Claimed, Context, Error, Format, KeysOf, Producer, ReadEvaluation, Reader,
};
use crate::input::json::Cursor;
use crate::input::{Form, InputFile, LocalFuture, Record, Shape, ValueKind};
use crate::model::{
    Asked, CaseDetail, CaseRow, CheckRow, Config, Evaluation, Locator, NoteKind, Outcome, Place,
    Run, RunBuilder, RunKey,
};
use crate::secrets::mask_named;
use instance::{HelmInstance, InstanceKey, is_of_the_run};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The reader.
pub struct Helm;

const SPEC: &str = "run spec";
const SCENARIO: &str = "scenario";
const STATE: &str = "requests and answers";
const INSTANCES: &str = "stats of each instance";
const STATS: &str = "stats";

impl Producer for Helm {
    fn id(&self) -> &'static str {
        "helm"
    }

    fn bundle(&self, files: Vec<Rc<Claimed>>, _keys: &KeysOf<'_>) -> Vec<Bundle> {
        let mut folders: BTreeMap<String, Vec<Rc<Claimed>>> = BTreeMap::new();
        for claimed in files {
            folders.entry(claimed.file.folder().to_owned()).or_default().push(claimed);
        }
        let bundles = folders.into_iter().map(|(folder, files)| {
            let first = files.first().map_or("", |claimed| claimed.file.path.as_str());
            Bundle { path: if folder.is_empty() { first.to_owned() } else { folder }, files }
        });
        bundles.collect()
    }
}

impl Reader for Helm {
    fn formats(&self) -> &'static [Format] {
        &[Format {
            files: "run_spec.json + scenario_state.json + per_instance_stats.json + stats.json",
            versions: "HELM 0.5.16",
            what: "instances by train trial and perturbation with every metric; stats checked",
        }]
    }

    fn sniff(&self, _file: &InputFile, shape: &Shape) -> Option<Claim> {
        let (whole, record) = (&shape.outline, shape.record());
        let claim = |role, why| Some(Claim { role, generation: None, why });
        if shape.form != Form::Document {
            return None;
        }
        if shape.element.is_some() {
            if record.has_all(&["instance_id", "train_trial_index", "stats"]) {
                return claim(INSTANCES, "instance_id, train_trial_index and stats");
            }
            let is_stat = record.has("name", ValueKind::Object)
                && record.has_all(&["count", "sum", "sum_squared"]);
            return if is_stat { claim(STATS, "name, count, sum and sum_squared") } else { None };
        }
        if whole.has_all(&["adapter_spec", "request_states"]) {
            return claim(STATE, "adapter_spec and request_states");
        }
        if whole.has_all(&["scenario_spec", "adapter_spec", "metric_specs"]) {
            return claim(SPEC, "scenario_spec, adapter_spec and metric_specs");
        }
        let is_scenario = whole.has_all(&["name", "description", "tags", "definition_path"]);
        if is_scenario { claim(SCENARIO, "name, tags and definition_path") } else { None }
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

/// One request with its answer, without its long texts.
struct HelmRequest {
    key: InstanceKey,
    split: Option<String>,
    asked: Asked,
    answer: Option<u64>,
    secs: Option<f64>,
    error: Option<String>,
    place: Locator,
}

async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let spec = document(bundle, SPEC, cx)?;
    let scenario = document(bundle, SCENARIO, cx)?;
    let requests = requests(bundle, cx).await?;
    let mut instances = Vec::new();
    if let Some(claimed) = bundle.of_role(INSTANCES).next() {
        let mut take = |record: Record<'_>| {
            HelmInstance::read(record, claimed.file.id).map(|one| instances.push(one))
        };
        records(claimed, "instance", cx, &mut take).await?;
    }
    let metrics = metrics(&spec, &instances);
    let run = run_of(bundle, &spec, &scenario, requests, &instances, &metrics);
    if instances.is_empty() {
        let detail = "no per_instance_stats.json is among the files: nothing is scored";
        cx.notes.add(&bundle.path, NoteKind::MissingPartner, Place::File, detail);
    }
    let (declared, unchecked) = declared::of(bundle, &instances, cx).await?;
    let (mut spec_shown, suite) = (spec.clone(), run.key.suite.clone());
    mask_named(&mut spec_shown);
    let name = text(&spec, "name").map(str::to_owned);
    let described = text(&scenario, "description");
    Ok(Evaluation {
        producer: "helm".into(),
        generation: String::new(),
        path: bundle.path.clone(),
        label: name.unwrap_or_else(|| bundle.path.clone()),
        suite,
        config: Config {
            metrics,
            has_any_scores: is_beyond_unit(std::slice::from_ref(&run)),
            no_verdict: Some("HELM has no rule that passes or fails a run".into()),
            no_case_rule: Some("HELM does not say which answers pass".into()),
            score_source: Some("mean of the first metric over instances".into()),
            description: described
                .map(|text| ("scenario".to_owned(), text.to_owned()))
                .into_iter()
                .collect(),
            ..Config::default()
        },
        declared,
        unchecked,
        declared_json: serde_json::json!({ "run_spec": { "config": spec_shown } }),
        rows: Vec::new(),
        runs: vec![run],
        sources: bundle.files.iter().map(|claimed| claimed.file.id).collect(),
    })
}

/// The document of a role as a tree; null where there is none, or it cannot be read, which is noted.
fn document(bundle: &Bundle, role: &str, cx: &Context<'_>) -> Result<Value, Error> {
    let Some(claimed) = bundle.of_role(role).next() else { return Ok(Value::Null) };
    let file = &claimed.file;
    let bytes = file.all_bytes().map_err(|err| Error::from(err).in_file(&file.path))?;
    Ok(Cursor::new(&bytes).tree().unwrap_or_else(|err| {
        let detail = format!("the {role} cannot be read: {}", err.reason());
        cx.notes.add(&file.path, err.note_kind(), Place::Byte(err.at()), detail);
        Value::Null
    }))
}

/// The requests of the scenario state, in file order.
async fn requests(bundle: &Bundle, cx: &Context<'_>) -> Result<Vec<HelmRequest>, Error> {
    let mut requests = Vec::new();
    if let Some(claimed) = bundle.of_role(STATE).next() {
        let source = claimed.file.id;
        let mut take = |record: Record<'_>| {
            let request = record.read(|cursor| cursor.tree())?;
            let json =
                |pointer: &str| request.pointer(pointer).map(|one| one.to_string().into_bytes());
            let text = |pointer: &str| request.pointer(pointer).and_then(Value::as_str);
            let right: Vec<Value> = instance::correct(&request).into_iter().cloned().collect();
            requests.push(HelmRequest {
                key: InstanceKey::of_request(&request),
                split: text("/instance/split").map(str::to_owned),
                asked: Asked {
                    input: json("/request/prompt").as_deref().and_then(asked),
                    expected: asked(Value::Array(right).to_string().as_bytes()),
                },
                answer: json("/result/completions/0/text")
                    .as_deref()
                    .and_then(super::answer_hash::answer),
                secs: request.pointer("/result/request_time").and_then(Value::as_f64),
                error: text("/result/error").map(str::to_owned),
                place: Locator::Span {
                    source,
                    offset: record.offset,
                    len: record.bytes.len() as u64,
                },
            });
            Ok(())
        };
        elements(claimed, "request_states", "request", cx, &mut take).await?;
    }
    Ok(requests)
}

/// The metrics of the instances, those that the run asked for by name first.
fn metrics(spec: &Value, instances: &[HelmInstance]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let specs = spec.get("metric_specs").and_then(Value::as_array).into_iter().flatten();
    let asked_for = specs.filter_map(|one| one.pointer("/args/names")?.as_array()).flatten();
    let named = asked_for.filter_map(Value::as_str);
    let held = || instances.iter().flat_map(|one| one.stats.iter().map(|stat| stat.name.as_str()));
    let is_held = |name: &&str| held().any(|own| own == *name);
    for name in named.filter(is_held).chain(held()) {
        if !is_of_the_run(name) && !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
        }
    }
    found
}

fn run_of(
    bundle: &Bundle,
    spec: &Value,
    scenario: &Value,
    requests: Vec<HelmRequest>,
    instances: &[HelmInstance],
    metrics: &[String],
) -> Run {
    let of_name = text(spec, "name").and_then(|name| name.split(':').next());
    let suite = text(scenario, "name").or(of_name).map(str::to_owned);
    let model = spec.pointer("/adapter_spec/model").and_then(Value::as_str).map(str::to_owned);
    let label = suite.clone().unwrap_or_else(|| bundle.path.clone());
    let path = bundle.path.clone();
    let mut run = RunBuilder::new(
        RunKey { suite, subject: model, repeat: 1, path, ..RunKey::default() },
        label,
    );
    bundle.files.iter().for_each(|claimed| run.source(claimed.file.id));
    let has_trials =
        requests.iter().map(|one| &one.key).chain(instances.iter().map(|one| &one.key));
    let has_trials = has_trials.clone().any(|key| key.trial != 0);
    let mut by_key: HashMap<&InstanceKey, &HelmInstance> = HashMap::new();
    for one in instances {
        by_key.entry(&one.key).or_insert(one);
    }
    let mut is_asked: HashMap<&InstanceKey, ()> = HashMap::new();
    for request in &requests {
        is_asked.insert(&request.key, ());
        add(&mut run, Some(request), by_key.get(&request.key).copied(), has_trials, metrics);
    }
    for one in instances.iter().filter(|one| !is_asked.contains_key(&one.key)) {
        add(&mut run, None, Some(one), has_trials, metrics);
    }
    run.finish()
}

/// Adds a case of its request and its stats, of which one may be missing.
fn add(
    run: &mut RunBuilder,
    request: Option<&HelmRequest>,
    stats: Option<&HelmInstance>,
    has_trials: bool,
    metrics: &[String],
) {
    let Some(key) = request.map(|one| &one.key).or(stats.map(|one| &one.key)) else { return };
    let value = |name: &str| stats.and_then(|one| one.mean(name));
    let score = metrics.first().and_then(|metric| value(metric));
    let error = request.and_then(|request| request.error.as_deref());
    let outcome = match error {
        Some(_) => Outcome::Error,
        None => Outcome::without_rule(score),
    };
    let split = request.and_then(|one| one.split.as_deref());
    let variant = key.variant(has_trials);
    let row = CaseRow {
        id: Some(&key.instance),
        is_numeric_id: Some(false),
        group: split.or(stats.and_then(|one| one.split.as_deref())),
        variant: variant.as_deref(),
        score,
        duration_secs: request.and_then(|one| one.secs).or_else(|| value("inference_runtime")),
        prompt_tokens: value("num_prompt_tokens"),
        completion_tokens: value("num_output_tokens"),
        answer: request.and_then(|one| one.answer),
        error_category: error.map(|_| "request"),
        error_message: error,
        ..CaseRow::default()
    };
    let row =
        row.with_outcome(outcome).with_asked(request.map(|one| one.asked).unwrap_or_default());
    let (first, second) = (request.map(|one| one.place), stats.map(|one| one.place));
    run.case(match (first, second) {
        (Some(first), Some(second)) => row.at(first).joined_with(second),
        (Some(only), None) | (None, Some(only)) => row.at(only),
        (None, None) => row,
    });
    for stat in stats.into_iter().flat_map(|one| &one.stats) {
        if !is_of_the_run(&stat.name) {
            let score = stat.mean();
            run.check(CheckRow { name: Some(&stat.name), score, ..CheckRow::default() });
        }
    }
}
