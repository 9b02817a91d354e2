//! What the tool's own aggregates should be: each metric of each scorer and reducer, from the samples.

use super::declared::is_close;
use super::head::{LogHead, key_of};
use super::metrics::{MetricValue, Reduced, measure, unqualified};
use super::reduce::{ReduceRules, Reducer};
use super::sample::InspectSample;
use super::value::Score;
use crate::input::json::f64_from_value;
use crate::model::Scope;
use crate::readers::record_value::{number, text};
use crate::readers::stated_figures::DeclaredFigures;
use crate::readers::unchecked_claims::{Claims, stated};
use serde_json::Value;
use std::collections::HashMap;

/// How the samples of an aggregate may have been put together: releases differ, and logs do not say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ResultView {
    rules: ReduceRules,
    /// `None`: epochs are not reduced.
    reducer: Option<Reducer>,
    /// Whether samples that ended in an error count, where they have a score.
    with_errors: bool,
}

/// Declares every aggregate of the log; what cannot be computed again goes to `claims`.
pub(super) fn declare(
    head: &LogHead,
    samples: &[InspectSample],
    into: &mut DeclaredFigures,
    claims: &mut Claims,
) {
    for (at, entry) in head.scores().iter().enumerate() {
        Aggregate { head, samples, entry, at }.declare(into, claims);
    }
}

/// One entry of `results.scores`.
struct Aggregate<'a> {
    head: &'a LogHead,
    samples: &'a [InspectSample],
    entry: &'a Value,
    at: usize,
}

/// What a view gives for an entry: scored, not scored, and the metrics in the order of the file.
struct ViewResult {
    n_scored: usize,
    n_unscored: usize,
    metrics: Vec<MetricValue>,
    /// The largest value, by which roundings are judged.
    scale: f64,
}

impl<'a> Aggregate<'a> {
    fn declare(&self, into: &mut DeclaredFigures, claims: &mut Claims) {
        let entry = self.entry;
        let file = std::rc::Rc::clone(into.file());
        let field = |rest: &str| format!("results.scores[{}].{rest}", self.at);
        let metrics = entry.get("metrics").and_then(Value::as_object);
        let metrics: Vec<(&String, &Value)> = metrics.into_iter().flatten().collect();
        let reducer = text(entry, "reducer");
        let views = self.views(reducer);
        let is_known = !views.is_empty() && !self.samples.is_empty();
        if !is_known {
            let why = if self.samples.is_empty() {
                "no sample is among the files"
            } else {
                "a reducer that is not among the tool's own: its formula is in the user's code"
            };
            for (key, metric) in metrics {
                if let Some(value) = metric.get("value").and_then(stated) {
                    claims.add(&file, &format!("results.scores[].metrics.{key}.value"), value, why);
                }
            }
            return;
        }
        let n_stated =
            metrics.iter().filter(|(_, metric)| number(metric, "value").is_some()).count();
        let mut best: Option<(usize, ViewResult, ResultView)> = None;
        for view in &views {
            let outcome = self.outcome(*view, &metrics);
            let n = self.n_agreeing(&outcome, &metrics);
            if best.as_ref().is_none_or(|(most, ..)| n > *most) {
                best = Some((n, outcome, *view));
            }
            if n >= n_stated + 2 {
                break;
            }
        }
        let Some((_, outcome, view)) = best else { return };
        let scope = &Scope::Evaluation;
        let n = outcome.n_scored;
        let how = match (view.reducer, reducer) {
            (Some(_), Some(name)) => format!(", epochs reduced by {name}"),
            (Some(_), None) if self.has_epochs() => ", epochs reduced by mean".to_owned(),
            (None, _) if self.has_epochs() => ", epochs not reduced".to_owned(),
            _ => String::new(),
        };
        let of = format!("{n} scored {}{how}", if n == 1 { "sample" } else { "samples" });
        let counts = [("scored_samples", n), ("unscored_samples", outcome.n_unscored)];
        for (name, ours) in counts {
            into.count(scope, field(name), entry.get(name), ours, format!("samples{how}"));
        }
        for ((key, metric), measured) in metrics.iter().zip(&outcome.metrics) {
            let value = metric.get("value");
            let ours = match measured {
                MetricValue::One(ours) => *ours,
                MetricValue::Several(_) => continue,
                MetricValue::Unknown(why) => {
                    if let Some(value) = value.and_then(stated) {
                        let field = format!("results.scores[].metrics.{key}.value");
                        claims.add(&file, &field, value, *why);
                    }
                    continue;
                }
            };
            let said = value.and_then(f64_from_value);
            let ours = match said {
                Some(said) if is_rounding(said, ours, outcome.scale) => said,
                _ => ours,
            };
            let field = field(&format!("metrics.{key}.value"));
            into.number(
                scope,
                field,
                value,
                Some(ours),
                format!("{} over {of}", base_of(key, metric)),
            );
        }
    }

    fn has_epochs(&self) -> bool {
        self.samples.iter().any(|sample| sample.epoch > 1)
    }

    /// The ways in which the entry may have been made, the likeliest first.
    fn views(&self, reducer: Option<&str>) -> Vec<ResultView> {
        let has_counts = self.entry.get("scored_samples").is_some_and(|n| !n.is_null());
        let rules: &[ReduceRules] = if has_counts {
            &[ReduceRules::Latest, ReduceRules::Middle]
        } else {
            &[ReduceRules::First, ReduceRules::Middle, ReduceRules::Latest]
        };
        let reducers: Vec<Option<Reducer>> = match reducer {
            Some(name) => Reducer::from_name(name).map(Some).into_iter().collect(),
            None if self.has_epochs() => vec![Some(Reducer::Mean), None],
            None => vec![Some(Reducer::Mean)],
        };
        let has_errors = self.samples.iter().any(|sample| sample.error.is_some());
        let errors: &[bool] = if has_errors { &[true, false] } else { &[true] };
        let mut views = Vec::new();
        for &reducer in &reducers {
            for &rules in rules {
                for &with_errors in errors {
                    views.push(ResultView { rules, reducer, with_errors });
                }
            }
        }
        views
    }

    fn outcome(&self, view: ResultView, metrics: &[(&String, &Value)]) -> ViewResult {
        let scorer = text(self.entry, "scorer").or_else(|| text(self.entry, "name"));
        let scorer = scorer.unwrap_or_default();
        let name = text(self.entry, "name").unwrap_or(scorer);
        let key = key_of(self.samples, scorer, name);
        let all = reduced(self.samples, scorer, view);
        let mut scored = Vec::new();
        let n_all = all.len();
        for mut one in all {
            if let (Some(key), Score::Dict(_)) = (key, &one.score) {
                one.score = one.score.member(key).cloned().unwrap_or(Score::Number(f64::NAN));
            }
            // The first releases let NaN take part.
            if view.rules == ReduceRules::First || !one.score.is_unscored() {
                scored.push(one);
            }
        }
        let n_scored = scored.len();
        let scale = scored.iter().map(|one| one.score.to_number().abs()).fold(0.0, f64::max);
        ViewResult {
            n_scored,
            n_unscored: n_all - n_scored,
            scale,
            metrics: metrics
                .iter()
                .map(|(key, metric)| self.measured(scorer, key, metric, &scored, view))
                .collect(),
        }
    }

    fn measured(
        &self,
        scorer: &str,
        key: &str,
        metric: &Value,
        scored: &[Reduced<'_>],
        view: ResultView,
    ) -> MetricValue {
        let base = base_of(key, metric);
        if self.is_users_own(scorer, base) {
            return measure("", &Value::Null, &[]);
        }
        let nothing = Value::Null;
        let params = metric.get("params").or_else(|| metric.get("options")).unwrap_or(&nothing);
        match measure(base, params, scored) {
            // np.var, before `var` divided by n − 1.
            MetricValue::One(ours) if base == "var" && view.rules == ReduceRules::First => {
                #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
                let n = scored.len() as f64;
                MetricValue::One(ours * (n - 1.0).max(0.0) / n)
            }
            MetricValue::Several(all) => {
                let name = text(metric, "name").unwrap_or(key);
                let inner = name.strip_prefix(base).and_then(|rest| rest.strip_prefix('_'));
                // A name that was taken has a number behind it, and may end in a digit itself.
                let bare = (1..key.len()).rev().filter_map(|end| key.split_at_checked(end));
                let bare = bare.filter(|(_, rest)| rest.bytes().all(|byte| byte.is_ascii_digit()));
                let wanted = [Some(name), Some(key), inner].into_iter().flatten();
                let found = wanted.chain(bare.map(|(name, _)| name)).find_map(|wanted| {
                    all.iter().find(|(own, _)| own == wanted).map(|(_, ours)| *ours)
                });
                found.map_or(
                    MetricValue::Unknown("no group of samples has this name"),
                    MetricValue::One,
                )
            }
            other => other,
        }
    }

    /// Whether the log lists the metric as one that does not come with the tool.
    fn is_users_own(&self, scorer: &str, base: &str) -> bool {
        let scorers = self.head.tree.pointer("/eval/scorers").and_then(Value::as_array);
        let own = scorers.into_iter().flatten().find(|one| text(one, "name") == Some(scorer));
        let mut names = Vec::new();
        if let Some(metrics) = own.and_then(|own| own.get("metrics")) {
            names_in(metrics, &mut names);
        }
        names.contains(&base) && !names.iter().any(|name| *name == format!("inspect_ai/{base}"))
    }

    fn n_agreeing(&self, outcome: &ViewResult, metrics: &[(&String, &Value)]) -> usize {
        let agrees = |said: Option<f64>, ours: f64| {
            said.is_some_and(|said| is_close(said, ours) || is_rounding(said, ours, outcome.scale))
        };
        #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
        let counts = [
            ("scored_samples", outcome.n_scored as f64),
            ("unscored_samples", outcome.n_unscored as f64),
        ];
        let n_counts =
            counts.iter().filter(|(name, ours)| agrees(number(self.entry, name), *ours)).count();
        let of_metric = |((_, metric), measured): (&(&String, &Value), &MetricValue)| {
            let MetricValue::One(ours) = measured else { return false };
            agrees(number(metric, "value"), *ours)
        };
        n_counts + metrics.iter().zip(&outcome.metrics).filter(|both| of_metric(*both)).count()
    }
}

/// The tool's name of a metric: that of the group where it gives several numbers.
fn base_of<'a>(key: &'a str, metric: &'a Value) -> &'a str {
    let params = metric.get("params").or_else(|| metric.get("options"));
    if params.is_some_and(|params| params.get("group_key").is_some()) {
        return "grouped";
    }
    unqualified(text(metric, "group").or_else(|| text(metric, "name")).unwrap_or(key))
}

/// Names of metrics in a list, or in lists by key.
fn names_in<'a>(metrics: &'a Value, names: &mut Vec<&'a str>) {
    match metrics {
        Value::Array(all) => all.iter().for_each(|one| match text(one, "name") {
            Some(name) => names.push(name),
            None => names_in(one, names),
        }),
        Value::Object(all) => all.values().for_each(|one| names_in(one, names)),
        _ => {}
    }
}

/// Whether both are nothing but what is left of rounding: a spread of equal values.
fn is_rounding(said: f64, ours: f64, scale: f64) -> bool {
    let limit = 1e-14 * scale;
    limit.is_finite() && said.abs() <= limit && ours.abs() <= limit
}

/// The samples of a scorer, one for each id where epochs are reduced, in the order of the file.
fn reduced<'a>(samples: &'a [InspectSample], scorer: &str, view: ResultView) -> Vec<Reduced<'a>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut by_id: Vec<Vec<(&'a InspectSample, usize)>> = Vec::new();
    for sample in samples {
        if sample.error.is_some() && !view.with_errors {
            continue;
        }
        let Some(at) = sample.scores.iter().position(|score| score.scorer == scorer) else {
            continue;
        };
        match places.get(sample.id.as_str()).filter(|_| view.reducer.is_some()) {
            Some(&place) => {
                if let Some(group) = by_id.get_mut(place) {
                    group.push((sample, at));
                }
            }
            None => {
                places.insert(&sample.id, by_id.len());
                by_id.push(vec![(sample, at)]);
            }
        }
    }
    let score = |(sample, at): &(&'a InspectSample, usize)| sample.scores.get(*at);
    by_id
        .iter()
        .filter_map(|group| {
            let first = score(group.first()?)?;
            let values: Vec<&Score> =
                group.iter().filter_map(|one| Some(&score(one)?.value)).collect();
            Some(Reduced {
                score: match view.reducer {
                    Some(reducer) => reducer.reduce(&values, view.rules),
                    None => first.value.clone(),
                },
                metadata: &group.first()?.0.metadata,
                score_metadata: &first.metadata,
            })
        })
        .collect()
}
