//! The aggregate of a run: who was evaluated on what, and each result with its uncertainty.

use super::{PASSED, ResultOf, SCORE, VERSION, Writing};
use crate::export::columns::RunCx;
use crate::export::job::ExportContext;
use crate::model::Better;
use crate::report::{RunRef, run_proviso, run_score};
use crate::stats;
use serde_json::{Map, Value, json};

/// The aggregate of the samples that were written.
pub(super) fn of(cx: &ExportContext<'_>, of: &RunCx<'_>, at: RunRef, written: &Writing) -> Value {
    let RunCx { entry, run, key, .. } = of;
    let (evaluation, names) = (&entry.evaluation, &written.names);
    let figures = entry.figures.runs.get(at.run as usize);
    let verdict = figures.and_then(|figures| figures.verdict.as_ref());
    let score = figures.and_then(run_score);
    let changes = cx.workspace.settings.changes();
    let said = texts([
        ("exported_by", Some(concat!("Evalglass ", env!("CARGO_PKG_VERSION")).to_owned())),
        ("run", Some(key.clone())),
        ("label", Some(run.label.clone())),
        ("suite", run.key.suite.clone()),
        ("variant", run.key.variant.clone()),
        ("repeat", Some(run.key.repeat.to_string())),
        ("run_score", score.map(|score| score.0.to_string())),
        ("verdict", verdict.map(|verdict| verdict.outcome.to_string())),
        ("rule", verdict.map(|verdict| verdict.rule.clone())),
        ("reason", verdict.map(|verdict| verdict.reason.to_string())),
        ("so_far", run_proviso(entry, at.run as usize)),
        ("rules_changed", (!changes.is_empty()).then(|| changes.join("; "))),
    ]);
    let generation = Some(evaluation.generation.as_str()).filter(|text| !text.is_empty());
    let results = written.results.iter().filter_map(|result| result_value(of, written, result));
    let mut aggregate = json!({
        "schema_version": VERSION,
        "evaluation_id": names.id,
        "retrieved_timestamp": names.started,
        "source_metadata": {
            "source_name": evaluation.producer,
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
            "additional_details": said,
        },
        "eval_library": { "name": evaluation.producer, "version": generation.unwrap_or("unknown") },
        "model_info": {
            "name": names.model,
            "id": names.model,
            "additional_details": { "deployment_type": "unknown", "model_availability": "unknown" },
        },
        "evaluation_results": results.collect::<Vec<_>>(),
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": format!("{}_samples.jsonl", names.path),
            "total_rows": written.n_rows,
        },
    });
    if let (Value::Object(members), true) = (&mut aggregate, names.started != "0") {
        members.insert("evaluation_timestamp".to_owned(), json!(names.started));
    }
    aggregate
}

/// One result; `None` where no sample has a score for it.
fn result_value(of: &RunCx<'_>, written: &Writing, result: &ResultOf) -> Option<Value> {
    let values = &result.scores;
    let mean = stats::mean(values.iter().copied()).filter(|mean| mean.is_finite())?;
    let stdev = stats::stdev(values).filter(|stdev| stdev.is_finite());
    let mut uncertainty = json!({ "num_samples": values.len() });
    if let (Some(stdev), Value::Object(members)) = (stdev, &mut uncertainty) {
        #[expect(clippy::cast_precision_loss, reason = "counts of samples stay far below 2^53")]
        let error = stdev / (values.len() as f64).sqrt();
        let error = json!({ "value": error, "method": "analytic" });
        members.insert("standard_error".to_owned(), error);
        members.insert("standard_deviation".to_owned(), json!(stdev));
    }
    Some(json!({
        "evaluation_result_id": result.id,
        "evaluation_name": written.names.evaluation,
        "source_data": { "dataset_name": written.names.evaluation, "source_type": "other" },
        "metric_config": metric(of, result),
        "score_details": { "score": mean, "uncertainty": uncertainty },
    }))
}

/// Which way a result is better, where the files say.
fn better(of: &RunCx<'_>, id: &str) -> Option<Better> {
    let config = &of.entry.evaluation.config;
    match id {
        SCORE => of.run.score_better,
        PASSED => Some(Better::More),
        _ => config.better_of(id.strip_prefix("metric ").unwrap_or(id)),
    }
}

/// What is known of a metric. Results seldom say which way is better, and the schema has no word for that.
fn metric(of: &RunCx<'_>, result: &ResultOf) -> Value {
    let config = &of.entry.evaluation.config;
    let what = match result.id.as_str() {
        SCORE => "mean over the cases' own scores",
        PASSED => "share of cases that passed, of those that passed or failed",
        _ => "mean over samples",
    };
    let is_passed = result.id == PASSED;
    let better = better(of, &result.id);
    let is_unit = !config.has_any_scores && result.scores.iter().all(|x| (0.0..=1.0).contains(x));
    let mut metric = json!({
        "evaluation_description": format!("{}: {what}", config.label_of(&result.id)),
        "metric_id": format!("{}.{}", of.entry.evaluation.producer, result.id),
        "metric_name": if is_passed { "pass_rate" } else { "mean" },
        "lower_is_better": better == Some(Better::Less),
    });
    if let Value::Object(members) = &mut metric {
        if is_passed {
            members.insert("score_type".to_owned(), json!("binary"));
        } else if is_unit {
            let unit = [
                ("score_type", json!("continuous")),
                ("min_score", json!(0)),
                ("max_score", json!(1)),
            ];
            members.extend(unit.map(|(name, value)| (name.to_owned(), value)));
        }
        let unknown = [
            ("polarity", better.is_none().then(|| "unknown".to_owned())),
            ("bounds_status", (!is_passed && !is_unit).then(|| "unknown".to_owned())),
        ];
        members.insert("additional_details".to_owned(), texts(unknown));
    }
    metric
}

/// The texts that are there, by name.
fn texts<const N: usize>(known: [(&str, Option<String>); N]) -> Value {
    let there = known.into_iter().filter_map(|(name, text)| Some((name.to_owned(), json!(text?))));
    Value::Object(there.collect::<Map<_, _>>())
}
