//! Figures that summaries of 0.17 and later state.
//!
//! Definitions: `ModelSummary`, `RunSummary`, `TopLevelSummary` in `models.py`.
//! Fixtures `0.17.1_suite_multirun`, `0.26.0_reward_multirun`.

use crate::model::{DeclaredValue, Figure, Scope, UsageField};
use crate::readers::letta_evals::totals::declared::{ObjectFigures, errors, mean, std};
use serde_json::{Map, Value};

/// The figures of the summary over all models that stands at `prefix`; `is_multi`: over several
/// runs.
pub fn models(
    stated: &mut ObjectFigures<'_>,
    prefix: &str,
    summary: &Map<String, Value>,
    is_multi: bool,
) {
    let scope = if is_multi { Scope::Evaluation } else { Scope::Repeat(1) };
    let mut stated = stated.about(scope, prefix.to_owned());
    stated.put(summary, "gates_passed", Figure::GatePassed);
    stated.put(summary, "runs_passed", Figure::RepeatsPassed);
    let Some(Value::Array(models)) = summary.get("models") else { return };
    for (number, one) in models.iter().enumerate() {
        if let Some(one) = one.as_object() {
            model(&mut stated, &format!("{prefix}models[{number}]."), one, is_multi);
        }
    }
}

/// The figures of the model at `prefix`; `is_multi`: over several runs.
pub fn model(
    stated: &mut ObjectFigures<'_>,
    prefix: &str,
    model: &Map<String, Value>,
    is_multi: bool,
) {
    let Some(name) = model.get("model").and_then(Value::as_str) else { return };
    let scope = if is_multi {
        Scope::SubjectAggregate(name.to_owned())
    } else {
        Scope::Subject { repeat: 1, subject: name.to_owned() }
    };
    let mut stated = stated.about(scope, prefix.to_owned());
    stated.put(model, "n_total", Figure::Total);
    stated.put(model, "n_attempted", Figure::Attempted);
    let over_runs = |figure: Figure| if is_multi { mean(figure) } else { figure };
    stated.put(model, "score", over_runs(Figure::GateMean));
    stated.put(model, "reward", over_runs(Figure::Reward));
    stated.put(model, "score_std", std(Figure::GateMean));
    stated.put(model, "reward_std", std(Figure::Reward));
    stated.each(model, "per_metric", 1.0, |name| over_runs(Figure::MetricMeanAttempted(name)));
    stated.each(model, "per_metric_std", 1.0, |name| std(Figure::MetricMeanAttempted(name)));
    stated.put(model, "cost_missing", Figure::Usage(UsageField::CostMissing));
    usage(&mut stated, model);
    timing(&mut stated, model, &over_runs);
    stated.within(model, "errors", errors);
    let Some(Value::Array(runs)) = model.get("runs") else { return };
    for (place, run) in (1_u32..).zip(runs) {
        let Some(run) = run.as_object() else { continue };
        let repeat = run.get("run").and_then(Value::as_u64).and_then(|run| u32::try_from(run).ok());
        let Some(repeat) = repeat else { continue };
        let scope = Scope::Subject { repeat, subject: name.to_owned() };
        let mut stated = stated.about(scope, format!("{prefix}runs[{}].", place - 1));
        let value = DeclaredValue::Number(f64::from(place));
        stated.put(run, "run", Figure::Found { value, at: "its place in the list".into() });
        stated.put(run, "score", Figure::GateMean);
        stated.put(run, "reward", Figure::Reward);
        stated.each(run, "per_metric", 1.0, Figure::MetricMeanAttempted);
        stated.put(run, "n_errors", Figure::Errors);
        stated.put(run, "cost_missing", Figure::Usage(UsageField::CostMissing));
        usage(&mut stated, run);
        timing(&mut stated, run, &|figure| figure);
    }
}

fn usage(stated: &mut ObjectFigures<'_>, map: &Map<String, Value>) {
    stated.within(map, "usage", |stated, usage| {
        stated.put(usage, "prompt_tokens", Figure::Usage(UsageField::Prompt));
        stated.put(usage, "completion_tokens", Figure::Usage(UsageField::Completion));
        stated.put(usage, "cached_input_tokens", Figure::Usage(UsageField::CachedInput));
        stated.put(usage, "cache_write_tokens", Figure::Usage(UsageField::CacheWrite));
        stated.put(usage, "reasoning_tokens", Figure::Usage(UsageField::Reasoning));
        stated.put(usage, "cost", Figure::Usage(UsageField::Cost));
    });
}

fn timing(
    stated: &mut ObjectFigures<'_>,
    map: &Map<String, Value>,
    over: &dyn Fn(Figure) -> Figure,
) {
    stated.within(map, "timing", |stated, timing| {
        stated.put(timing, "mean_total", over(Figure::MeanSecs));
        stated.put(timing, "mean_target", over(Figure::MeanTargetSecs));
        stated.put(timing, "mean_extraction", over(Figure::MeanExtractionSecs));
        stated.put(timing, "p50_total", over(Figure::P50Secs));
        stated.put(timing, "p95_total", over(Figure::P95Secs));
        stated.each(timing, "per_grader_mean", 1.0, |name| over(Figure::MetricSecs(name)));
    });
}
