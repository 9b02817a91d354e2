//! One trial: who worked on which task, and what came of it.

use super::places::last;
use crate::input::json::f64_from_value;
use crate::model::Locator;
use crate::readers::record_value::{items, number, text};
use serde_json::Value;

/// Name of the dataset of tasks that come from none.
pub(super) const NO_DATASET: &str = "adhoc";

/// What is known of a trial.
#[derive(Default)]
pub(super) struct HarborTrial {
    /// `TASK__RANDOM`.
    pub name: String,
    /// Task.
    pub task: String,
    /// Dataset, where the task comes from one.
    pub dataset: Option<String>,
    /// Agent.
    pub agent: Option<String>,
    /// Model, without its provider.
    pub model: Option<String>,
    /// Provider of the model.
    pub provider: Option<String>,
    /// Rewards by name; `None`: nothing was verified.
    pub rewards: Option<Vec<(String, f64)>>,
    /// Type and message of the exception.
    pub exception: Option<(String, String)>,
    /// When it started, as written.
    pub started_at: Option<String>,
    /// Seconds from start to finish.
    pub secs: Option<f64>,
    /// Of these, seconds that the agent worked.
    pub agent_secs: Option<f64>,
    /// Tokens and cost.
    pub usage: TrialUsage,
    /// Checksum of the task.
    pub checksum: Option<String>,
    /// Where its record lies.
    pub at: Option<Locator>,
    /// File with its record.
    pub file: String,
    /// Whether it has a result.
    pub has_result: bool,
}

/// Tokens and cost of a trial.
#[derive(Default, Clone, Copy)]
pub(super) struct TrialUsage {
    /// Tokens read, cached ones included.
    pub input: Option<f64>,
    /// Of these, from a cache.
    pub cached: Option<f64>,
    /// Tokens written.
    pub output: Option<f64>,
    /// US dollars.
    pub cost: Option<f64>,
}

impl TrialUsage {
    fn of(context: &Value) -> Self {
        Self {
            input: number(context, "n_input_tokens"),
            cached: number(context, "n_cache_tokens"),
            output: number(context, "n_output_tokens"),
            cost: number(context, "cost_usd"),
        }
    }

    fn and(self, other: Self) -> Self {
        let sum = |one: Option<f64>, other: Option<f64>| match (one, other) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        Self {
            input: sum(self.input, other.input),
            cached: sum(self.cached, other.cached),
            output: sum(self.output, other.output),
            cost: sum(self.cost, other.cost),
        }
    }
}

impl HarborTrial {
    /// Reads a trial's result.
    pub(super) fn of_result(record: &Value) -> Self {
        let own = |key: &str| text(record, key).map(str::to_owned);
        let config = record.get("config").map(Self::of_config).unwrap_or_default();
        let nothing = Value::Null;
        let agent = record.get("agent_info").unwrap_or(&nothing);
        let model = agent.get("model_info").unwrap_or(&nothing);
        let phase = record.get("agent_execution").unwrap_or(&nothing);
        let steps = items(record, "step_results").iter();
        let usage = match record.get("agent_result").filter(|context| context.is_object()) {
            Some(context) => TrialUsage::of(context),
            None => steps
                .filter_map(|step| step.get("agent_result"))
                .fold(TrialUsage::default(), |sum, context| sum.and(TrialUsage::of(context))),
        };
        let is_known = !agent.is_null();
        Self {
            name: own("trial_name").unwrap_or_default(),
            task: own("task_name").unwrap_or(config.task),
            dataset: own("source").or(config.dataset),
            agent: text(agent, "name").map(str::to_owned).or(config.agent),
            model: match is_known {
                true => text(model, "name").map(str::to_owned),
                false => config.model,
            },
            provider: text(model, "provider").map(str::to_owned),
            rewards: record.get("verifier_result").and_then(rewards_of),
            exception: record.get("exception_info").and_then(exception_of),
            started_at: own("started_at"),
            secs: secs_between(record),
            agent_secs: secs_between(phase),
            usage,
            checksum: own("task_checksum"),
            has_result: true,
            ..Self::default()
        }
    }

    /// What a trial's configuration says of it.
    pub(super) fn of_config(config: &Value) -> Self {
        let nothing = Value::Null;
        let (task, agent) =
            (config.get("task").unwrap_or(&nothing), config.get("agent").unwrap_or(&nothing));
        let name = text(task, "name").or_else(|| text(task, "path").map(last));
        let own = |value: &Value, key: &str| text(value, key).map(str::to_owned);
        let class =
            || text(agent, "import_path").map(|path| path.rsplit(':').next().unwrap_or(path));
        Self {
            name: own(config, "trial_name").unwrap_or_default(),
            task: name.unwrap_or_default().to_owned(),
            dataset: own(task, "source"),
            agent: own(agent, "name").or_else(|| class().map(str::to_owned)),
            model: own(agent, "model_name"),
            ..Self::default()
        }
    }

    /// Key of its group in the job's statistics: `AGENT__MODEL__DATASET`.
    pub(super) fn key(&self) -> String {
        let dataset = self.dataset.as_deref().unwrap_or(NO_DATASET);
        let agent = self.agent.as_deref().unwrap_or_default();
        match self.model.as_deref() {
            Some(model) => format!("{agent}__{model}__{dataset}"),
            None => format!("{agent}__{dataset}"),
        }
    }

    /// Who worked: `terminus-2 with anthropic/claude-opus-4-1`.
    pub(super) fn subject(&self) -> Option<String> {
        let model = self.model.as_deref().map(|model| match self.provider.as_deref() {
            Some(provider) if !model.contains('/') => format!("{provider}/{model}"),
            _ => model.to_owned(),
        });
        match (self.agent.as_deref(), model) {
            (Some(agent), Some(model)) => Some(format!("{agent} with {model}")),
            (Some(agent), None) => Some(agent.to_owned()),
            (None, model) => model,
        }
    }

    /// The reward that is the trial's score: the one called so, else the first.
    pub(super) fn headline(&self) -> Option<f64> {
        let rewards = self.rewards.as_ref()?;
        let named = rewards.iter().find(|(name, _)| name == "reward");
        named.or(rewards.first()).map(|(_, value)| *value)
    }
}

/// Rewards by name; releases before there were several have one number.
fn rewards_of(result: &Value) -> Option<Vec<(String, f64)>> {
    if let Some(members) = result.get("rewards").and_then(Value::as_object) {
        let numbers = members.iter();
        return Some(
            numbers.filter_map(|(key, value)| Some((key.clone(), reward(value)?))).collect(),
        );
    }
    Some(vec![("reward".to_owned(), reward(result.get("reward")?)?)])
}

/// A reward as a number; a truth value counts 1 or 0.
pub(super) fn reward(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(is_so) => Some(f64::from(u8::from(*is_so))),
        other => f64_from_value(other),
    }
}

fn exception_of(info: &Value) -> Option<(String, String)> {
    let own = |key: &str| text(info, key).unwrap_or_default().to_owned();
    info.is_object().then(|| (own("exception_type"), own("exception_message")))
}

/// Seconds from `started_at` to `finished_at`.
pub(super) fn secs_between(timing: &Value) -> Option<f64> {
    secs(text(timing, "started_at")?, text(timing, "finished_at")?)
}

/// Seconds between two moments as files write them; without a zone they are taken as UTC.
pub(super) fn secs(from: &str, to: &str) -> Option<f64> {
    let moment = |text: &str| {
        text.parse::<jiff::Timestamp>().ok().or_else(|| {
            let local = text.parse::<jiff::civil::DateTime>().ok()?;
            jiff::tz::Offset::UTC.to_timestamp(local).ok()
        })
    };
    let between = moment(to)?.duration_since(moment(from)?).as_secs_f64();
    (between >= 0.0).then_some(between)
}
