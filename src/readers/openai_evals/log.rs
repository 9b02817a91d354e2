//! The runs of a log with their samples.

use super::event::{EvalEvent, EventLine};
use super::sample::{MetricNames, OpenaiSample};
use crate::input::{Error, Record};
use crate::readers::record_value::{short_text, text};
use serde_json::Value;
use std::collections::HashMap;

/// All that a log holds.
#[derive(Default)]
pub(super) struct Log {
    /// In the order of their first line.
    pub runs: Vec<LoggedRun>,
    /// Place of a run by its id.
    known: HashMap<String, usize>,
    /// Place of the sample of the last event, since events of one sample often follow each other.
    n_events: u64,
}

/// One run.
#[derive(Default)]
pub(super) struct LoggedRun {
    pub spec: Value,
    /// `final_report`.
    pub report: Option<Value>,
    /// In the order of their first event.
    pub samples: Vec<OpenaiSample>,
    places: HashMap<String, usize>,
    /// The first model that was called.
    pub model: Option<String>,
    /// Sums of `usage` over the model calls, by the keys of the first.
    pub usage: Vec<(String, f64)>,
}

impl Log {
    /// Adds a line.
    ///
    /// # Errors
    /// When it is not an event.
    pub(super) fn add(&mut self, record: Record<'_>) -> Result<(), Error> {
        let line = EventLine::read(record)?;
        let nth = self.n_events;
        self.n_events += 1;
        let of_spec = line.spec.as_ref().and_then(|spec| text(spec, "run_id"));
        let id = line.run_id.as_deref().or(of_spec).unwrap_or_default().to_owned();
        let is_new = !self.known.contains_key(&id);
        let at = *self.known.entry(id).or_insert(self.runs.len());
        if is_new {
            self.runs.push(LoggedRun::default());
        }
        let Some(run) = self.runs.get_mut(at) else { return Ok(()) };
        if let Some(spec) = line.spec {
            run.spec = spec;
        } else if let Some(report) = line.report {
            run.report = Some(report);
        } else if let Some(sample) = line.sample_id {
            run.count(&line.event);
            let place = *run.places.entry(sample.clone()).or_insert(run.samples.len());
            if place == run.samples.len() {
                run.samples.push(OpenaiSample::new(sample, line.is_numeric_id));
            }
            if let Some(sample) = run.samples.get_mut(place) {
                let len = record.bytes.len() as u64;
                sample.add(line.event, line.event_id, nth, record.offset, len);
            }
        }
        Ok(())
    }
}

impl LoggedRun {
    fn count(&mut self, event: &EvalEvent) {
        let EvalEvent::Sampling { model, usage, .. } = event else { return };
        if self.model.is_none() {
            self.model.clone_from(model);
        }
        let Some(usage) = usage else { return };
        if self.usage.is_empty() {
            self.usage = usage.iter().map(|(key, _)| (key.clone(), 0.0)).collect();
        }
        for (key, sum) in &mut self.usage {
            let own = usage.iter().find(|(other, _)| other == key);
            *sum += own.map_or(0.0, |(_, number)| *number);
        }
    }

    /// A text of the spec.
    pub(super) fn spec_text(&self, key: &str) -> Option<&str> {
        text(&self.spec, key)
    }

    /// Name of the class that judges: `evals.elsuite.basic.match:Match`.
    pub(super) fn class(&self) -> Option<&str> {
        self.spec.pointer("/run_config/eval_spec/cls").and_then(Value::as_str)
    }

    /// What the run was asked to do.
    pub(super) fn description(&self) -> Vec<(String, String)> {
        let all = [
            ("class", "/run_config/eval_spec/cls"),
            ("arguments", "/run_config/eval_spec/args"),
            ("seed", "/run_config/seed"),
            ("largest number of samples", "/run_config/max_samples"),
        ];
        let said = all.into_iter().map(|(label, place)| {
            (label.to_owned(), self.spec.pointer(place).map(short_text).unwrap_or_default())
        });
        said.filter(|(_, value)| !value.is_empty()).collect()
    }

    /// Names of the metrics of its samples.
    pub(super) fn metric_names(&self) -> MetricNames {
        let has_matches = self.samples.iter().any(|sample| !sample.matches.is_empty());
        let mut own: Vec<String> = Vec::new();
        for (key, _) in self.samples.iter().flat_map(OpenaiSample::numbers) {
            if !own.contains(key) {
                own.push(key.clone());
            }
        }
        // Matches make the accuracy, unless samples have one of their own.
        let is_taken = own.iter().any(|name| name == "accuracy");
        let of_match = if is_taken { "match" } else { "accuracy" };
        let stated = self.report.as_ref().and_then(Value::as_object);
        let named = stated.into_iter().flatten().map(|(key, _)| key);
        let headline =
            named.chain(["score".to_owned()].iter()).find(|key| own.contains(key)).cloned();
        let headline = headline.or_else(|| own.first().cloned());
        MetricNames { of_match: has_matches.then(|| of_match.to_owned()), own, headline }
    }
}
