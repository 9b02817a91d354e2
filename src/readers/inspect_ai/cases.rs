//! Samples as cases of runs: one run for each epoch.

use super::declared::parts;
use super::head::{HeadlineScore, LogHead};
use super::sample::InspectSample;
use super::value::Score;
use crate::model::{
    CaseRow, CheckRow, Ended, Outcome, Run, RunBuilder, RunKey, RunState, RunUsage, TAG_SEPARATOR,
};
use std::collections::BTreeSet;

/// Metric by which the case's own score goes; the column of its checks has the same name.
pub(super) fn headline_name(headline: &HeadlineScore) -> Option<String> {
    (!headline.scorer.is_empty()).then(|| match &headline.key {
        Some(key) => format!("{}/{key}", headline.scorer),
        None => headline.scorer.clone(),
    })
}

/// What all runs of a log share.
pub(super) struct LogContext<'a> {
    pub head: &'a LogHead,
    pub headline: &'a HeadlineScore,
    /// Member of the metadata by which samples are grouped.
    pub group_key: Option<String>,
    /// Path of the bundle.
    pub path: &'a str,
}

impl LogContext<'_> {
    /// The runs of `samples`, one for each epoch.
    pub fn runs(&self, samples: &[InspectSample]) -> Vec<Run> {
        let mut epochs: BTreeSet<u32> = samples.iter().map(|sample| sample.epoch).collect();
        if epochs.is_empty() {
            epochs.insert(1);
        }
        let n_epochs = epochs.len();
        epochs.into_iter().map(|epoch| self.run(samples, epoch, n_epochs)).collect()
    }

    fn run(&self, samples: &[InspectSample], epoch: u32, n_epochs: usize) -> Run {
        let head = self.head;
        let task = head.task().unwrap_or("task");
        let key = RunKey {
            suite: head.task().map(str::to_owned),
            variant: None,
            subject: head.model().map(str::to_owned),
            repeat: epoch,
            path: self.path.to_owned(),
        };
        let label = if n_epochs > 1 { format!("{task}, epoch {epoch}") } else { task.to_owned() };
        let mut run = RunBuilder::new(key, label);
        run.started_at =
            head.text("/stats/started_at").or(head.text("/eval/created")).map(str::to_owned);
        run.state = self.state();
        if n_epochs == 1 {
            run.usage = self.usage(samples);
        }
        for sample in samples.iter().filter(|sample| sample.epoch == epoch) {
            self.add(&mut run, sample);
        }
        run.finish()
    }

    /// What the log says of its end, where that is not a good one.
    fn state(&self) -> Option<RunState> {
        let status = self.head.status();
        if status == "success" {
            return None;
        }
        let own = self.head.text("/error/message").map(str::to_owned);
        let message = own.unwrap_or_else(|| match status {
            "started" => "the run was broken off before its log was finished".to_owned(),
            status => format!("the log ends with the status {status:?}"),
        });
        let message = Some(message);
        Some(RunState { ended: Ended::Error, message, ..RunState::default() })
    }

    /// Tokens of the log as a whole, where samples do not say theirs.
    fn usage(&self, samples: &[InspectSample]) -> Option<RunUsage> {
        if samples.iter().any(|sample| !sample.usage.is_empty()) {
            return None;
        }
        let all = self.head.tree.pointer("/stats/model_usage")?.as_object()?;
        let tokens = all.values().map(super::sample::SampleTokens::of);
        let tokens = tokens.reduce(super::sample::SampleTokens::plus)?;
        Some(RunUsage {
            prompt_tokens: tokens.input,
            completion_tokens: tokens.output,
            cached_input_tokens: tokens.cache_read,
            cache_write_tokens: tokens.cache_write,
            reasoning_tokens: tokens.reasoning,
            cost_usd: tokens.cost,
            ..RunUsage::default()
        })
    }

    fn add(&self, run: &mut RunBuilder, sample: &InspectSample) {
        let Some(at) = sample.at else { return };
        run.source(at.source());
        let reasons_in = sample.reasons_in.unwrap_or(at.source());
        run.source(reasons_in);
        let value = sample.value(&self.headline.scorer, self.headline.key.as_deref());
        let score = value.and_then(Score::shown);
        let correct = value.and_then(Score::is_correct);
        let outcome = match (&sample.error, correct) {
            (Some(_), _) => Outcome::Error,
            (None, Some(is_correct)) => Outcome::of(is_correct),
            (None, None) => Outcome::without_rule(score),
        };
        let tags = tags(sample);
        let group = self.group_key.as_ref().and_then(|key| sample.metadata.get(key));
        let group = group.map(super::metrics::python_text);
        let tokens = sample.tokens().unwrap_or_default();
        let attempt = sample.n_retries.saturating_add(1);
        let row = CaseRow {
            id: Some(&sample.id),
            is_numeric_id: sample.is_numeric_id.then_some(true),
            group: group.as_deref(),
            tags: (!tags.is_empty()).then_some(tags.as_str()),
            score,
            passed: correct.filter(|_| sample.error.is_none()),
            // The tool counts a sample that ended in an error where it has a score all the same.
            is_attempted: Some(sample.error.is_none() || !sample.scores.is_empty()),
            n_attempts: Some(attempt),
            duration_secs: sample.total_secs,
            prompt_tokens: tokens.input,
            completion_tokens: tokens.output,
            cached_input_tokens: tokens.cache_read,
            cache_write_tokens: tokens.cache_write,
            reasoning_tokens: tokens.reasoning,
            cost_usd: tokens.cost,
            answer: sample.answer,
            error_category: sample.error.as_ref().map(|_| "sample"),
            error_type: sample.error.as_deref().and_then(exception),
            error_message: sample.error.as_deref(),
            ..CaseRow::default()
        };
        run.case(row.with_outcome(outcome).with_asked(sample.asked).at(at));
        for score in &sample.scores {
            for (nth, (name, value)) in parts(&score.scorer, &score.value).iter().enumerate() {
                let check = CheckRow {
                    attempt: Some(attempt),
                    name: Some(name),
                    score: value.shown(),
                    is_correct: value.is_correct(),
                    ..CheckRow::default()
                };
                run.check(match score.reason.filter(|_| nth == 0) {
                    Some((offset, len)) => check.reasoned_at(reasons_in, offset, len),
                    None => check,
                });
            }
        }
    }
}

/// What is special about a sample.
fn tags(sample: &InspectSample) -> String {
    let mut tags = Vec::new();
    if let Some(limit) = &sample.limit {
        tags.push(format!("{limit} limit"));
    }
    if sample.n_retries > 0 {
        tags.push("retried".to_owned());
    }
    if sample.scores.iter().any(|score| score.n_edits > 0) {
        tags.push("edited score".to_owned());
    }
    if sample.is_invalid {
        tags.push("invalidated".to_owned());
    }
    tags.join(&TAG_SEPARATOR.to_string())
}

/// The exception's name in a message that is its `repr`: `ValueError('…')`.
fn exception(message: &str) -> Option<&str> {
    let (name, _) = message.split_once('(')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}
