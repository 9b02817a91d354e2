//! The stats of one instance, and what tells it from others.

use crate::input::{Error, ErrorKind, Record};
use crate::model::{Locator, SourceId};
use crate::readers::record_value::{items, number, short_text, text};
use serde_json::Value;

/// What makes a case itself and no other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct InstanceKey {
    /// `instance_id`.
    pub instance: String,
    /// `train_trial_index`, 0-based.
    pub trial: u64,
    /// The perturbation as JSON, for it may have parameters.
    perturbation: Option<String>,
    /// Its name.
    name: Option<String>,
}

impl InstanceKey {
    fn new(instance: Option<&Value>, trial: Option<&Value>, perturbation: Option<&Value>) -> Self {
        let perturbation = perturbation.filter(|one| !one.is_null());
        Self {
            instance: instance.map(short_text).unwrap_or_default(),
            trial: trial.and_then(Value::as_u64).unwrap_or(0),
            perturbation: perturbation.map(Value::to_string),
            name: perturbation.and_then(|one| text(one, "name")).map(str::to_owned),
        }
    }

    /// Of an element of `request_states`.
    pub(super) fn of_request(request: &Value) -> Self {
        let instance = request.pointer("/instance/id");
        Self::new(
            instance,
            request.get("train_trial_index"),
            request.pointer("/instance/perturbation"),
        )
    }

    /// Whether it is asked as the scenario wrote it.
    pub(super) fn is_plain(&self) -> bool {
        self.perturbation.is_none()
    }

    /// What tells it from the same instance in another trial or under another perturbation.
    pub(super) fn variant(&self, has_trials: bool) -> Option<String> {
        let trial = has_trials.then(|| format!("trial {}", self.trial.saturating_add(1)));
        let perturbed = self.perturbation.as_ref();
        let perturbed = perturbed.map(|whole| self.name.clone().unwrap_or_else(|| whole.clone()));
        let parts: Vec<String> = trial.into_iter().chain(perturbed).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// One stat of an instance.
#[derive(Debug)]
pub(super) struct Stat {
    /// `name.name`.
    pub name: String,
    count: f64,
    sum: f64,
}

impl Stat {
    /// Its mean; `None` where nothing was counted.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.count > 0.0).then(|| self.sum / self.count)
    }
}

/// One element of `per_instance_stats.json`.
#[derive(Debug)]
pub(super) struct HelmInstance {
    /// Which case it is about.
    pub key: InstanceKey,
    /// Split of its stats.
    pub split: Option<String>,
    /// Its stats, in file order.
    pub stats: Vec<Stat>,
    /// Where it lies.
    pub place: Locator,
}

impl HelmInstance {
    /// Reads an element.
    ///
    /// # Errors
    /// When it is not JSON or has no `instance_id`.
    pub(super) fn read(record: Record<'_>, source: SourceId) -> Result<Self, Error> {
        let element = record.read(|cursor| cursor.tree())?;
        if element.get("instance_id").is_none() {
            return Err(Error::new(ErrorKind::Format("an instance has no instance_id"), 0));
        }
        let (id, trial) = (element.get("instance_id"), element.get("train_trial_index"));
        let stats = items(&element, "stats");
        let of_stat = |stat: &Value| {
            let name = stat.pointer("/name/name")?.as_str()?.to_owned();
            let (count, sum) = (number(stat, "count")?, number(stat, "sum").unwrap_or(0.0));
            Some(Stat { name, count, sum })
        };
        let split = stats.first().and_then(|stat| stat.pointer("/name/split")?.as_str());
        Ok(Self {
            key: InstanceKey::new(id, trial, element.get("perturbation")),
            split: split.map(str::to_owned),
            stats: stats.iter().filter_map(of_stat).collect(),
            place: Locator::Span { source, offset: record.offset, len: record.bytes.len() as u64 },
        })
    }

    /// Mean of the stat called `name`.
    pub(super) fn mean(&self, name: &str) -> Option<f64> {
        self.stats.iter().find(|stat| stat.name == name)?.mean()
    }
}

/// The texts of the references that are right.
pub(super) fn correct(request: &Value) -> Vec<&Value> {
    let references = request.pointer("/instance/references").and_then(Value::as_array);
    let is_right = |one: &&Value| items(one, "tags").iter().any(|tag| tag == "correct");
    let right = references.into_iter().flatten().filter(is_right);
    right.filter_map(|one| one.pointer("/output/text")).collect()
}

/// Whether a stat says how the request was made rather than how good the answer is.
pub(super) fn is_of_the_run(stat: &str) -> bool {
    const MADE: [&str; 16] = [
        "num_references",
        "num_train_trials",
        "num_prompt_tokens",
        "num_completion_tokens",
        "num_output_tokens",
        "num_train_instances",
        "num_perplexity_tokens",
        "num_bytes",
        "training_co2_cost",
        "training_energy_cost",
        "inference_runtime",
        "inference_idealized_runtime",
        "inference_denoised_runtime",
        "batch_size",
        "prompt_truncated",
        "max_prob",
    ];
    MADE.contains(&stat) || stat.starts_with("finish_reason_")
}
