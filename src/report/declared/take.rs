//! From declared figures in the order of the files to parts.

use super::sheet::{DeclaredMetric, DeclaredPart, DeclaredSheet, natural};
use super::spread;
use crate::model::{Declared, DeclaredValue, Evaluation, Figure, Num, Run, Scope, UsageField};
use crate::order::Order as _;
use serde_json::Value;

/// The parts and spreads that `evaluation` declares; spreads of parts with cases too, since they
/// are over more runs than are among the files, or differ.
pub(super) fn sheet(evaluation: &Evaluation) -> DeclaredSheet {
    let mut parts: Vec<DeclaredPart> = Vec::new();
    let mut spreads = Vec::new();
    for declared in &evaluation.declared {
        let Some(mut blank) = part_of(&declared.scope) else { continue };
        let Some(value) = scaled(declared) else { continue };
        spread::take(&mut spreads, declared, &blank, value);
        let at = parts.iter().position(|part| part.scope() == blank.scope());
        let part = match at.and_then(|at| parts.get_mut(at)) {
            Some(part) => part,
            None => {
                declared.file.as_ref().clone_into(&mut blank.file);
                parts.push(blank);
                let Some(part) = parts.last_mut() else { continue };
                part
            }
        };
        put(part, &declared.figure, value);
    }
    let started_at = made_at(&evaluation.declared_json);
    for part in &mut parts {
        part.started_at.clone_from(&started_at);
    }
    spread::count(&mut spreads, &parts);
    parts.retain(|part| !is_empty(part) && !has_cases(part, evaluation));
    parts.order_by_key(|part| {
        (part.repeat.is_some(), part.repeat.is_some() && part.subject.is_some(), part.repeat)
    });
    DeclaredSheet { parts, spreads }
}

fn part_of(scope: &Scope) -> Option<DeclaredPart> {
    let (repeat, subject) = match scope {
        Scope::Evaluation => (None, None),
        Scope::Repeat(repeat) => (Some(*repeat), None),
        Scope::Subject { repeat, subject } => (Some(*repeat), Some(subject.clone())),
        Scope::SubjectAggregate(subject) => (None, Some(subject.clone())),
        Scope::Run(_) | Scope::Suite(_) => return None,
    };
    Some(DeclaredPart { repeat, subject, ..DeclaredPart::default() })
}

/// The value on the scale of the computed figure; yes is 1, no is 0.
fn scaled(declared: &Declared) -> Option<f64> {
    match declared.value {
        DeclaredValue::Number(number) => Some(number / declared.scale),
        DeclaredValue::Bool(flag) => Some(f64::from(u8::from(flag))),
        DeclaredValue::Text(_) | DeclaredValue::Null => None,
    }
}

/// Puts a figure in its place; the first file that states it counts.
fn put(part: &mut DeclaredPart, figure: &Figure, value: f64) {
    let number = Num(value);
    let usage = &mut part.usage;
    let slot = match figure {
        Figure::Total => &mut part.counts.total,
        Figure::Attempted => &mut part.counts.attempted,
        Figure::Passed => &mut part.counts.passed,
        Figure::Failed => &mut part.counts.failed,
        Figure::Errors => &mut part.counts.error,
        Figure::AttemptedPassRate => &mut part.counts.pass_rate,
        Figure::MeanAttempted => &mut part.score.mean_attempted,
        Figure::MeanTotal => &mut part.score.mean_total,
        Figure::GateMean => &mut part.score.gate,
        Figure::Reward => &mut part.reward,
        Figure::RepeatsPassed => &mut part.repeats_passed,
        Figure::RepeatsFailed => &mut part.repeats_failed,
        Figure::Usage(UsageField::Prompt) => &mut usage.prompt_tokens,
        Figure::Usage(UsageField::Completion) => &mut usage.completion_tokens,
        Figure::Usage(UsageField::CachedInput) => &mut usage.cached_input_tokens,
        Figure::Usage(UsageField::CacheWrite) => &mut usage.cache_write_tokens,
        Figure::Usage(UsageField::Reasoning) => &mut usage.reasoning_tokens,
        Figure::Usage(UsageField::Cost) => &mut usage.cost_usd,
        Figure::Usage(UsageField::CostMissing) => &mut usage.cost_missing,
        Figure::MeanSecs => &mut part.timing.mean_secs,
        Figure::MeanTargetSecs => &mut part.timing.mean_target_secs,
        Figure::MeanExtractionSecs => &mut part.timing.mean_extraction_secs,
        Figure::P50Secs => &mut part.timing.p50_secs,
        Figure::P95Secs => &mut part.timing.p95_secs,
        Figure::MetricMeanAttempted(name) | Figure::MetricMeanOfAttempted(name) => {
            &mut metric(part, name).mean_attempted
        }
        Figure::MetricMeanTotal(name) => &mut metric(part, name).mean_total,
        Figure::MetricPassRate(name) => &mut metric(part, name).pass_rate,
        Figure::MetricPassed(name) => &mut metric(part, name).passed,
        Figure::MetricFailed(name) => &mut metric(part, name).failed,
        // Over the repeats of the part: it stands where the figure of one would.
        Figure::MeanOverRepeats(inner) => return put(part, inner, value),
        Figure::GatePassed => {
            part.gate_passed.get_or_insert(value != 0.0);
            return;
        }
        Figure::Repeats => {
            part.n_repeats = part.n_repeats.or_else(|| natural(number));
            return;
        }
        Figure::ErrorsByCategory(name) => {
            part.errors_by_category.entry(name.clone()).or_insert(number);
            return;
        }
        Figure::ErrorsByType(name) => {
            part.errors_by_type.entry(name.clone()).or_insert(number);
            return;
        }
        _ => return,
    };
    slot.get_or_insert(number);
}

fn metric<'a>(part: &'a mut DeclaredPart, name: &str) -> &'a mut DeclaredMetric {
    let known = part.metrics.iter().position(|metric| metric.name == name);
    let at = known.unwrap_or(part.metrics.len());
    if known.is_none() {
        part.metrics.push(DeclaredMetric { name: name.to_owned(), ..DeclaredMetric::default() });
    }
    &mut part.metrics[at]
}

/// Whether nothing of a part is shown: figures of other kinds are listed in the audit.
fn is_empty(part: &DeclaredPart) -> bool {
    let blank = DeclaredPart {
        repeat: part.repeat,
        subject: part.subject.clone(),
        file: part.file.clone(),
        started_at: part.started_at.clone(),
        ..DeclaredPart::default()
    };
    *part == blank
}

/// Whether the cases of a part are among the files: those of all its repeats.
fn has_cases(part: &DeclaredPart, evaluation: &Evaluation) -> bool {
    let is_its = |run: &&Run| {
        !run.cases.is_empty()
            && part.repeat.is_none_or(|repeat| run.key.repeat == repeat)
            && part.subject.as_ref().is_none_or(|own| run.key.subject.as_ref() == Some(own))
    };
    let mut repeats: Vec<u32> =
        evaluation.runs.iter().filter(is_its).map(|run| run.key.repeat).collect();
    repeats.order_by(Ord::cmp);
    repeats.dedup();
    let wanted = part.n_repeats.filter(|_| part.repeat.is_none()).unwrap_or(1);
    repeats.len() as u64 >= wanted.max(1)
}

/// When the evaluation was made, where a document says so and there is no run to carry it.
fn made_at(documents: &Value) -> Option<String> {
    let documents = documents.as_object()?;
    let text = |document: &Value| document.get("timestamp")?.as_str().map(str::to_owned);
    documents.values().find_map(text)
}
