//! What a configuration says about reading rows: generation, metrics, gate, models.

use crate::model::{Config, Gate, GateRule, Op, PassRule, RewardRule};
use crate::readers::letta_evals::case_page::document::{at, texts_at};
use crate::readers::letta_evals::judging::gate::{self, SampleRule};
use crate::readers::letta_evals::judging::generation::Generation;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Everything that rows are judged by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LettaRules {
    /// Generation.
    pub generation: Generation,
    /// The rules in neutral words.
    pub config: Config,
    /// How a sample is judged. `None`: nothing says.
    pub sample: Option<SampleRule>,
    /// Grader that a row's only grade is of. `None`: the first one that a row names.
    pub grade_metric: Option<String>,
    /// Samples whose grade carries an error count as attempted: their summary says so (guide).
    pub counts_errors: bool,
    /// Metric whose checks get a verdict; `None`: every metric.
    pub judged_metric: Option<String>,
    /// Models that the configuration names.
    pub models: Vec<String>,
    /// Configurations of models that it names.
    pub model_configs: Vec<String>,
}

impl LettaRules {
    /// The rules of `config`, which is empty when there is none.
    pub fn new(generation: Generation, config: &Map<String, Value>) -> Self {
        let mut rules = Self {
            generation,
            config: Config {
                mean_over: generation.mean_over(),
                empty_mean: (generation != Generation::Guide).then_some(0.0),
                has_costs: generation >= Generation::C1,
                ..Config::default()
            },
            sample: None,
            grade_metric: None,
            counts_errors: false,
            judged_metric: None,
            models: texts_at(config, &["target", "model_handles"]),
            model_configs: texts_at(config, &["target", "model_configs"]),
        };
        rules.read_graders(config);
        rules.read_rule(config);
        rules
    }

    /// Whether the configuration names models, so that the release tells them apart.
    pub fn names_models(&self) -> bool {
        !self.models.is_empty() || !self.model_configs.is_empty()
    }

    fn read_graders(&mut self, config: &Map<String, Value>) {
        if let Some(Value::Object(graders)) = config.get("graders") {
            for (key, grader) in graders {
                self.add_grader(key, grader);
            }
        } else if let Some(grader @ Value::Object(_)) = config.get("grader") {
            self.add_grader(SINGLE_GRADER, grader);
        }
    }

    fn add_grader(&mut self, key: &str, grader: &Value) {
        self.config.metrics.push(key.to_owned());
        if let Some(label) = grader.get("display_name").and_then(Value::as_str) {
            self.config.metric_labels.push((key.to_owned(), label.to_owned()));
        }
    }

    fn read_rule(&mut self, config: &Map<String, Value>) {
        let first = self.config.metrics.first().cloned();
        if let Some(Value::Object(reward)) = config.get("reward") {
            self.config.reward = gate::reward(reward);
            self.config.primary_metric = match &self.config.reward {
                Some(RewardRule::Metric(metric)) => Some(metric.clone()),
                _ => first,
            };
            self.judged_metric.clone_from(&self.config.primary_metric);
        } else if let Some(Value::Object(gate)) = config.get("gate").filter(|gate| !is_empty(gate))
        {
            let reading = gate::gate(gate, first.as_deref());
            let follows_gate =
                !matches!(self.generation, Generation::C0 | Generation::C1 | Generation::C2);
            let known = reading.metric.clone().filter(|metric| {
                self.config.metrics.is_empty() || self.config.metrics.contains(metric)
            });
            self.config.primary_metric = known.filter(|_| follows_gate).or(first);
            self.judged_metric = reading.metric.filter(|_| !self.generation.counts_passed());
            self.sample = reading.sample;
            self.config.pass_rule = reading
                .pass_rule
                .map(|rule| PassRule { is_declared: self.generation.counts_passed(), ..rule });
            self.config.gate = Some(reading.gate);
        } else {
            self.config.primary_metric = first;
        }
        if self.generation == Generation::E {
            self.sample = Some(SampleRule::Reward);
            self.config.pass_rule = Some(PassRule { op: Op::Gte, value: 1.0, is_declared: false });
        }
        self.grade_metric.clone_from(&self.config.primary_metric);
        if self.generation == Generation::Guide {
            // The guide's `grade` is the sample's own score, whatever its `grades` are.
            self.config.primary_metric = None;
        }
        if self.sample.is_none() {
            self.config.no_case_rule = Some(no_case_rule(self.config.gate.as_ref()));
        }
    }
}

/// An empty gate (`"gate": {}`, as the guide leaves it) is none.
fn is_empty(gate: &Value) -> bool {
    gate.as_object().is_some_and(Map::is_empty)
}

/// Why no sample passes or fails where the files hold `gate`.
fn no_case_rule(gate: Option<&Gate>) -> Cow<'static, str> {
    match gate.map(|gate| &gate.rule) {
        Some(GateRule::Unknown(why)) => format!("no rule says which samples pass: {why}").into(),
        _ => "no rule says which samples pass: the files hold no gate".into(),
    }
}

/// Name of the only grader where the configuration gives it none (0.1).
pub const SINGLE_GRADER: &str = "score";

/// Whether the gate of `config` has a kind; `None` without a gate.
pub fn has_gate_kind(config: &Map<String, Value>) -> Option<bool> {
    at(config, &["gate"]).and_then(Value::as_object).map(|gate| gate.contains_key("kind"))
}
