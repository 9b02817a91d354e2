//! Every figure that a log states, beside what its samples give.

use super::head::LogHead;
use super::reduce::{ReduceRules, Reducer};
use super::results;
use super::sample::{InspectSample, SampleTokens, USAGE_KEYS};
use super::value::Score;
use crate::input::json::f64_from_value;
use crate::model::{Declared, DeclaredValue, Scope, Unchecked};
use crate::readers::record_value::{items, number, text};
use crate::readers::stated_figures::DeclaredFigures;
use crate::readers::unchecked_claims::{Claims, Part, stated};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// Up to how many reduced scores are listed; beyond, only those that differ.
const REDUCTIONS_LISTED: usize = 5_000;

const RETRIED: &str = "the log also counts tokens of failed and retried attempts; samples \
    hold only those of the last attempt";
const NO_USAGE: &str = "no sample says how many tokens it took";
const MODELS_OUTSIDE: &str = "tokens outside of samples count, too";

/// Figures of the log `head`, whose reductions are `reductions`, stated in the file `reduced_in`.
pub(super) fn of(
    head: &LogHead,
    samples: &[InspectSample],
    reductions: &[Value],
    reduced_in: &str,
) -> (Vec<Declared>, Vec<Unchecked>) {
    let mut claims = Claims::default();
    let mut of_head = DeclaredFigures::in_file(&head.file);
    counts(head, samples, &mut of_head);
    results::declare(head, samples, &mut of_head, &mut claims);
    usage(head, samples, &mut of_head, &mut claims);
    let file = Rc::clone(of_head.file());
    let nothing = Value::Null;
    let member = |key: &str| head.tree.get(key).unwrap_or(&nothing);
    claims.walk(&file, member("results"), "results.", of_head.declared(), &|path| match path {
        "scores[].metrics" | "scores[].params" | "scores[].metadata" | "metadata" => Part::Other,
        "early_stopping" | "headline" => Part::Other,
        "total_samples" | "completed_samples" | "logged_samples" => {
            Part::Unchecked("no sample is among the files")
        }
        _ => Part::Open,
    });
    claims.walk(&file, member("stats"), "stats.", of_head.declared(), &|path| match path {
        "model_usage" | "started_at" | "completed_at" | "connection_limit_history" => Part::Other,
        "role_usage" => Part::Unchecked("tokens by role are those by model, split in another way"),
        _ => Part::Open,
    });
    let mut declared = of_head.into_vec();
    let mut of_reductions = DeclaredFigures::in_file(reduced_in);
    reduced(samples, reductions, &mut of_reductions, &mut claims);
    declared.append(&mut of_reductions.into_vec());
    (declared, claims.into_vec())
}

/// Samples planned, without error, and in the log.
fn counts(head: &LogHead, samples: &[InspectSample], into: &mut DeclaredFigures) {
    if samples.is_empty() {
        return;
    }
    let scope = &Scope::Evaluation;
    let member = |key: &str| head.tree.pointer(&format!("/results/{key}"));
    let said = |key: &str| member(key).and_then(f64_from_value);
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    let is = |n: usize, said: Option<f64>| said.is_some_and(|said| (said - n as f64).abs() < 0.5);
    // A run that was broken off states what was planned.
    let total = said("total_samples");
    match planned(head).filter(|n| is(*n, total) && *n != samples.len()) {
        Some(n) => {
            let at = "ids of the data set × epochs: as many samples were planned";
            into.count(scope, "results.total_samples", member("total_samples"), n, at);
        }
        None => into.count(
            scope,
            "results.total_samples",
            member("total_samples"),
            samples.len(),
            "samples in the log",
        ),
    }
    let n_whole = samples.iter().filter(|sample| sample.error.is_none()).count();
    let n_scored = samples.iter().filter(|sample| !sample.scores.is_empty()).count();
    // Releases before 0.3.200 or so counted samples that have scores.
    let (n, at) = match said("completed_samples") {
        Some(_) if is(n_scored, said("completed_samples")) && n_scored != n_whole => {
            (n_scored, "samples with scores")
        }
        _ => (n_whole, "samples without an error"),
    };
    into.count(scope, "results.completed_samples", member("completed_samples"), n, at);
    let at = "samples in the log";
    into.count(scope, "results.logged_samples", member("logged_samples"), samples.len(), at);
}

/// How many samples were to be run.
pub(super) fn planned(head: &LogHead) -> Option<usize> {
    let data = head.tree.pointer("/eval/dataset")?;
    let listed = items(data, "sample_ids").len();
    let n_ids =
        if listed > 0 { listed } else { usize::try_from(data.get("samples")?.as_u64()?).ok()? };
    let epochs = head.tree.pointer("/eval/config/epochs").and_then(Value::as_u64).unwrap_or(1);
    n_ids.checked_mul(usize::try_from(epochs.max(1)).ok()?)
}

/// Tokens by model.
fn usage(
    head: &LogHead,
    samples: &[InspectSample],
    into: &mut DeclaredFigures,
    claims: &mut Claims,
) {
    let models = head.tree.pointer("/stats/model_usage").and_then(Value::as_object);
    let has_usage = samples.iter().any(|sample| !sample.usage.is_empty());
    let has_lost = samples.iter().any(|sample| sample.n_retries > 0 || sample.error.is_some());
    let is_whole = head.status() == "success";
    for (model, said) in models.into_iter().flatten() {
        let own = samples.iter().flat_map(|sample| &sample.usage).filter(|(name, _)| name == model);
        let sums = own.map(|(_, tokens)| *tokens).fold(SampleTokens::default(), SampleTokens::plus);
        for (key, ours) in USAGE_KEYS.into_iter().zip(sums.each()) {
            let Some(value) = number(said, key) else { continue };
            let ours = ours.unwrap_or(0.0);
            let agrees = (value - ours).abs() <= 1e-9 * value.abs().max(ours.abs());
            let why = if !has_usage {
                Some(NO_USAGE)
            } else if agrees || value < ours {
                None
            } else if has_lost {
                Some(RETRIED)
            } else {
                (!is_whole).then_some(MODELS_OUTSIDE)
            };
            if let Some(why) = why {
                let field = format!("stats.model_usage[].{key}");
                claims.add(&Rc::clone(into.file()), &field, DeclaredValue::Number(value), why);
            } else {
                // Costs are sums of many fractions, in whatever order calls ended.
                let ours = if agrees { value } else { ours };
                let field = format!("stats.model_usage.{model}.{key}");
                let at = "sum over samples";
                into.number(&Scope::Evaluation, field, said.get(key), Some(ours), at);
            }
        }
    }
}

/// Scores of samples with their epochs made one.
fn reduced(
    samples: &[InspectSample],
    reductions: &[Value],
    into: &mut DeclaredFigures,
    claims: &mut Claims,
) {
    let n_all: usize = reductions.iter().map(|one| items(one, "samples").len()).sum();
    let lists_all = n_all <= REDUCTIONS_LISTED;
    let mut by_id: HashMap<&str, Vec<&InspectSample>> = HashMap::new();
    for sample in samples {
        by_id.entry(&sample.id).or_default().push(sample);
    }
    for (at, reduction) in reductions.iter().enumerate() {
        let scorer = text(reduction, "scorer").unwrap_or_default();
        let name = text(reduction, "reducer");
        let said = items(reduction, "samples");
        let Some(reducer) = Reducer::from_name(name.unwrap_or("mean")) else {
            for value in said.iter().filter_map(|one| stated(one.get("value")?)) {
                let why = "a reducer that is not among the tool's own";
                claims.add(&Rc::clone(into.file()), "reductions[].samples[].value", value, why);
            }
            continue;
        };
        let all_rules = [ReduceRules::Latest, ReduceRules::Middle, ReduceRules::First];
        let ours = |rules: ReduceRules| -> Vec<Option<Score>> {
            said.iter().map(|one| of_sample(&by_id, scorer, one, reducer, rules)).collect()
        };
        let n_same = |ours: &[Option<Score>]| {
            let pairs = said.iter().zip(ours);
            let is_same = |(said, ours): &(&Value, &Option<Score>)| {
                let ours = ours.as_ref().map(value_of).unwrap_or_default();
                said.get("value").is_some_and(|said| is_alike(said, &ours))
            };
            pairs.filter(is_same).count()
        };
        let mut best = (0, Vec::new());
        for rules in all_rules {
            let own = ours(rules);
            let n = n_same(&own);
            if best.1.is_empty() || n > best.0 {
                best = (n, own);
            }
            if n == said.len() {
                break;
            }
        }
        let how = name.map_or(String::new(), |name| format!(", epochs reduced by {name}"));
        let what = format!("scores of {scorer}{how}");
        for (nth, (said, ours)) in said.iter().zip(best.1).enumerate() {
            let ours = ours.as_ref().map(value_of).unwrap_or_default();
            let Some(said) = said.get("value") else { continue };
            if lists_all || !is_alike(said, &ours) {
                let field = format!("reductions[{at}].samples[{nth}].value");
                figures(&field, said, &ours, &what, into);
            }
        }
    }
}

/// Declares a value, or each value in it.
fn figures(field: &str, said: &Value, ours: &Value, what: &str, into: &mut DeclaredFigures) {
    match said {
        Value::Object(members) => {
            for (key, said) in members {
                let ours = ours.get(key).unwrap_or(&Value::Null);
                figures(&format!("{field}.{key}"), said, ours, what, into);
            }
        }
        Value::Array(all) => {
            for (at, said) in all.iter().enumerate() {
                let ours = ours.get(at).unwrap_or(&Value::Null);
                figures(&format!("{field}[{at}]"), said, ours, what, into);
            }
        }
        single => {
            let ours = match (single, stated(ours)) {
                // True is 1 to Python's counting.
                (Value::Number(_), Some(DeclaredValue::Bool(is_so))) => {
                    DeclaredValue::Number(f64::from(u8::from(is_so)))
                }
                (_, ours) => ours.unwrap_or(DeclaredValue::Null),
            };
            into.found(&Scope::Evaluation, field, Some(single), ours, what.to_owned());
        }
    }
}

/// Whether two values say the same, except for rounding.
fn is_alike(said: &Value, ours: &Value) -> bool {
    match (said, ours) {
        (Value::Object(said), Value::Object(ours)) => {
            said.iter().all(|(key, said)| ours.get(key).is_some_and(|ours| is_alike(said, ours)))
        }
        (Value::Array(said), Value::Array(ours)) => {
            said.len() == ours.len()
                && said.iter().zip(ours).all(|(said, ours)| is_alike(said, ours))
        }
        _ => match (f64_from_value(said), f64_from_value(ours)) {
            (Some(said), Some(ours)) => is_close(said, ours),
            _ => said == ours,
        },
    }
}

/// Whether two numbers differ by rounding at most.
#[expect(clippy::float_cmp, reason = "equal infinities need no tolerance")]
pub(super) fn is_close(left: f64, right: f64) -> bool {
    let scale = left.abs().max(right.abs());
    left == right
        || (left.is_nan() && right.is_nan())
        || (scale.is_finite() && (left - right).abs() <= 1e-12 * scale)
}

/// The reduced score of the sample that `said` names.
fn of_sample(
    by_id: &HashMap<&str, Vec<&InspectSample>>,
    scorer: &str,
    said: &Value,
    reducer: Reducer,
    rules: ReduceRules,
) -> Option<Score> {
    let id = match said.get("sample_id")? {
        Value::String(id) => id.clone(),
        other => other.to_string(),
    };
    let own = by_id.get(id.as_str())?.iter();
    let values: Vec<&Score> = own.filter_map(|sample| sample.value(scorer, None)).collect();
    (!values.is_empty()).then(|| reducer.reduce(&values, rules))
}

fn value_of(score: &Score) -> Value {
    match score {
        Score::Text(text) => Value::from(text.as_str()),
        Score::Number(number) => crate::input::json::value_from_f64(*number),
        Score::Bool(is_so) => Value::from(*is_so),
        Score::List(all) => all.iter().map(value_of).collect(),
        Score::Dict(all) => all.iter().map(|(key, value)| (key.clone(), value_of(value))).collect(),
        Score::Null => Value::Null,
    }
}

/// Names of the metrics of a table: the headline, then every scorer, each key of one with several.
pub(super) fn metric_names(samples: &[InspectSample], headline: Option<String>) -> Vec<String> {
    let mut names: Vec<String> = headline.into_iter().collect();
    let mut known: BTreeSet<String> = names.iter().cloned().collect();
    for sample in samples {
        for score in &sample.scores {
            for (name, _) in parts(&score.scorer, &score.value) {
                if known.insert(name.clone()) {
                    names.push(name);
                }
            }
        }
    }
    names
}

/// A score's values by name: `scorer`, or `scorer/key` for each key.
pub(super) fn parts<'a>(scorer: &str, value: &'a Score) -> Vec<(String, &'a Score)> {
    match value {
        Score::Dict(all) => {
            all.iter().map(|(key, value)| (format!("{scorer}/{key}"), value)).collect()
        }
        Score::List(all) => all
            .iter()
            .enumerate()
            .map(|(at, value)| (format!("{scorer}/{}", at + 1), value))
            .collect(),
        single => vec![(scorer.to_owned(), single)],
    }
}
