//! What a job's result states about its trials, and a trial's result about its verifier.

use super::job::TrialFiles;
use super::metrics::{metric, pass_at_k};
use super::trial::{HarborTrial, TrialUsage};
use super::verifier;
use crate::model::{Declared, DeclaredValue, Run, Scope, Unchecked};
use crate::readers::stated_figures::DeclaredFigures;
use crate::readers::unchecked_claims::{Claims, Part};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const PROGRESS: &str = "progress at the time of writing; no trial file records it";
const PLANNED: &str = "the job had not ended: not every trial that was planned has a result";
const NO_USAGE: &str = "no record of a trial that says it is among the files";
const OWN_METRIC: &str = "a metric of the job's own, whose rule is not in its files";

/// Collects the figures of a job.
#[derive(Default)]
pub(super) struct JobFigures {
    declared: Vec<Declared>,
    claims: Claims,
}

impl JobFigures {
    /// All of them, and what cannot be checked.
    pub(super) fn finish(self) -> (Vec<Declared>, Vec<Unchecked>) {
        (self.declared, self.claims.into_vec())
    }

    /// The figures of a job's result.
    pub(super) fn job(&mut self, path: &str, job: &Value, found: &[TrialFiles<'_>], runs: &[Run]) {
        let mut stated = DeclaredFigures::in_file(path);
        let trials: Vec<&HarborTrial> =
            found.iter().map(|one| &one.trial).filter(|trial| trial.has_result).collect();
        let nothing = Value::Null;
        let stats = job.get("stats").unwrap_or(&nothing);
        let scope = &match runs {
            [_] => Scope::Run(0),
            _ => Scope::Evaluation,
        };
        progress(&mut stated, scope, job, stats, &trials);
        let usage = [
            ("n_input_tokens", "input tokens", (|own| own.input) as fn(TrialUsage) -> Option<f64>),
            ("n_cache_tokens", "cached tokens", |own| own.cached),
            ("n_output_tokens", "output tokens", |own| own.output),
            ("cost_usd", "cost", |own| own.cost),
        ];
        for (field, words, of) in usage {
            let known: Vec<f64> = trials.iter().filter_map(|trial| of(trial.usage)).collect();
            if known.is_empty() {
                continue;
            }
            let at = format!("sum of {words} of {} trials that say them", known.len());
            let ours = Some(known.iter().sum());
            stated.number(scope, format!("stats.{field}"), stats.get(field), ours, at);
        }
        let evals = stats.get("evals").and_then(Value::as_object);
        for (key, eval) in evals.into_iter().flatten() {
            let own: Vec<&HarborTrial> =
                trials.iter().copied().filter(|trial| trial.key() == *key).collect();
            group(&mut stated, scope, &format!("stats.evals.{key}"), eval, &own);
        }
        self.claims.walk(stated.file(), job, "", stated.declared(), &|path| match path {
            "n_total_trials" => Part::Unchecked(PLANNED),
            "stats.n_running_trials" | "stats.n_retries" => Part::Unchecked(PROGRESS),
            "stats.n_input_tokens"
            | "stats.n_cache_tokens"
            | "stats.n_output_tokens"
            | "stats.cost_usd" => Part::Unchecked(NO_USAGE),
            _ if path.contains(".metrics[]") => Part::Unchecked(OWN_METRIC),
            _ => Part::Open,
        });
        self.declared.extend(stated.into_vec());
    }

    /// What a trial's result says of its rewards, beside what the verifier wrote; its tests beside their summary.
    pub(super) fn trial(&mut self, one: &TrialFiles<'_>, run: usize) {
        let scope = Scope::Run(run);
        if let Some((file, written)) = verifier::written(one.files) {
            let mut stated = DeclaredFigures::in_file(&one.trial.file);
            for (key, value) in one.trial.rewards.iter().flatten() {
                let Some((_, ours)) = written.iter().find(|(own, _)| own == key) else { continue };
                let field = format!("verifier_result.rewards.{key}");
                stated.number(
                    &scope,
                    field,
                    Some(&json!(value)),
                    Some(*ours),
                    format!("{key} in {file}"),
                );
            }
            self.declared.extend(stated.into_vec());
        }
        for report in &one.reports {
            let mut stated = DeclaredFigures::in_file(&report.path);
            let field = |name: &str| format!("results.summary.{name}");
            let member = |name: &str| report.summary.get(name);
            let n_tests = report.tests.len();
            stated.count(&scope, field("tests"), member("tests"), n_tests, "number of tests");
            for status in ["passed", "failed", "skipped", "pending", "other"] {
                let n = report.tests.iter().filter(|test| test.status == status).count();
                let at = format!("tests with status {status}");
                stated.count(&scope, field(status), member(status), n, at);
            }
            self.declared.extend(stated.into_vec());
        }
    }
}

/// How many trials there are, ended, failed.
fn progress(
    stated: &mut DeclaredFigures,
    scope: &Scope,
    job: &Value,
    stats: &Value,
    trials: &[&HarborTrial],
) {
    let whole = |name: &str| {
        let number = stats.get(name).and_then(Value::as_u64).unwrap_or(0);
        usize::try_from(number).unwrap_or(usize::MAX)
    };
    let (n_running, n_there) = (whole("n_running_trials"), trials.len());
    let n_errors = trials.iter().filter(|trial| trial.exception.is_some()).count();
    let is_cancelled = |trial: &&&HarborTrial| {
        trial.exception.as_ref().is_some_and(|(kind, _)| kind == "CancelledError")
    };
    let n_cancelled = trials.iter().filter(is_cancelled).count();
    let n_total = job.get("n_total_trials").and_then(Value::as_u64).unwrap_or(0);
    let n_total = usize::try_from(n_total).unwrap_or(usize::MAX);
    let is_ended = job.get("finished_at").is_some_and(|at| !at.is_null());
    let n_pending = n_total.saturating_sub(n_there.saturating_add(n_running));
    let pending = stats.get("n_pending_trials").is_some();
    let (ours, at) = if pending {
        let n_open = n_running.saturating_add(whole("n_pending_trials"));
        (n_there.saturating_add(n_open), "trials with a result, running and pending ones")
    } else {
        (n_there, "trials with a result")
    };
    // Of a job that has not ended, early releases do not say how many trials are still to come.
    if pending || is_ended || n_there > n_total {
        stated.count(scope, "n_total_trials", job.get("n_total_trials"), ours, at);
    }
    let results = "trials with a result";
    for field in ["n_trials", "n_completed_trials"] {
        stated.count(scope, format!("stats.{field}"), stats.get(field), n_there, results);
    }
    for field in ["n_errors", "n_errored_trials"] {
        let at = "trials with exception_info";
        stated.count(scope, format!("stats.{field}"), stats.get(field), n_errors, at);
    }
    let fields = [
        ("n_cancelled_trials", n_cancelled, "trials with a CancelledError"),
        (
            "n_pending_trials",
            n_pending,
            "n_total_trials less trials with a result and running ones",
        ),
    ];
    for (field, ours, at) in fields {
        stated.count(scope, format!("stats.{field}"), stats.get(field), ours, at);
    }
}

/// The figures of one agent, model and dataset.
fn group(
    stated: &mut DeclaredFigures,
    scope: &Scope,
    field: &str,
    eval: &Value,
    trials: &[&HarborTrial],
) {
    let n_rewarded = trials.iter().filter(|trial| trial.rewards.is_some()).count();
    let n_errors = trials.iter().filter(|trial| trial.exception.is_some()).count();
    let own = |name: &str| format!("{field}.{name}");
    stated.count(scope, own("n_trials"), eval.get("n_trials"), n_rewarded, "trials with rewards");
    stated.count(
        scope,
        own("n_errors"),
        eval.get("n_errors"),
        n_errors,
        "trials with exception_info",
    );
    let metrics = eval.get("metrics").and_then(Value::as_array).into_iter().flatten();
    for (idx, members) in metrics.enumerate() {
        for (name, value) in members.as_object().into_iter().flatten() {
            let Some(ours) = metric(name, trials) else { continue };
            let at = format!("{name} over {} trials, those without a reward as 0", trials.len());
            stated.number(
                scope,
                format!("{field}.metrics[{idx}].{name}"),
                Some(value),
                Some(ours),
                at,
            );
        }
    }
    for (k, value) in eval.get("pass_at_k").and_then(Value::as_object).into_iter().flatten() {
        let ours = k.parse().ok().and_then(|k| pass_at_k(k, trials));
        let at = format!("pass@{k}, a reward of 1 passes; mean over tasks");
        stated.number(scope, format!("{field}.pass_at_k.{k}"), Some(value), ours, at);
    }
    let kind = |trial: &HarborTrial| trial.exception.as_ref().map(|(kind, _)| kind.clone());
    for (part, is_reward, at) in [
        ("reward_stats", true, "names of the trials with this reward"),
        ("exception_stats", false, "names of the trials with this exception"),
    ] {
        let mut listed: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
        for (name, value, trial) in self::listed(eval.get(part), is_reward) {
            listed.entry((name, value)).or_default().insert(trial);
        }
        for ((name, value), theirs) in listed {
            let is_of = |trial: &&&HarborTrial| match (is_reward, value.parse::<f64>()) {
                (true, Ok(number)) => {
                    let mut own = trial.rewards.iter().flatten();
                    own.any(|(key, reward)| key == name && reward.total_cmp(&number).is_eq())
                }
                (true, Err(_)) => false,
                (false, _) => kind(trial).as_deref() == Some(name),
            };
            let ours: BTreeSet<&str> =
                trials.iter().filter(is_of).map(|trial| trial.name.as_str()).collect();
            let path = match is_reward {
                true => format!("{field}.{part}.{name}.{value}"),
                false => format!("{field}.{part}.{name}"),
            };
            let ours = DeclaredValue::Text(words(&ours));
            stated.found(scope, path, Some(&Value::from(words(&theirs))), ours, at);
        }
    }
}

fn words(names: &BTreeSet<&str>) -> String {
    names.iter().copied().collect::<Vec<_>>().join(", ")
}

/// Reward, value and trial of every entry of `reward_stats`; exception, nothing and trial of `exception_stats`.
pub(super) fn listed(stats: Option<&Value>, is_reward: bool) -> Vec<(&str, &str, &str)> {
    let mut all = Vec::new();
    for (name, value) in stats.and_then(Value::as_object).into_iter().flatten() {
        let lists: Vec<(&str, &Value)> = match value.as_object() {
            Some(by_value) if is_reward => {
                by_value.iter().map(|(value, list)| (value.as_str(), list)).collect()
            }
            _ => vec![("", value)],
        };
        for (value, list) in lists {
            let trials = list.as_array().into_iter().flatten().filter_map(Value::as_str);
            all.extend(trials.map(|trial| (name.as_str(), value, trial)));
        }
    }
    all
}
