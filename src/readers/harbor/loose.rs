//! Trajectories that no trial is known of: each is a case without a score.

use super::atif::METRICS;
use super::places::last;
use super::role;
use super::trial::secs;
use crate::input::json::Cursor;
use crate::input::{Error as InputError, ErrorKind, Record};
use crate::model::{
    CaseRow, Config, Declared, Evaluation, Locator, Outcome, RunBuilder, RunKey, Scope,
};
use crate::readers::asked_hash::asked;
use crate::readers::record_value::{number, text};
use crate::readers::records::{elements, members};
use crate::readers::stated_figures::DeclaredFigures;
use crate::readers::unchecked_claims::{Claims, Part};
use crate::readers::{Bundle, Claimed, Context, Error};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

const OTHER_CALLS: &str =
    "agents may count calls here that are no step of this file: summaries, sub-agents, retries";
const OTHER_STEPS: &str =
    "the format lets it differ from the steps listed, where its notes say why";
const NO_STEP_SAYS: &str = "no step of the trajectory states it";

/// What the steps of a trajectory give.
#[derive(Default)]
struct TrajectorySteps {
    n_steps: usize,
    /// Sums in the order of [`METRICS`].
    sums: [Option<f64>; 4],
    first_at: Option<String>,
    last_at: Option<String>,
    /// Hash of what the user asked first.
    asked: Option<u64>,
}

impl TrajectorySteps {
    fn add(&mut self, step: &Value) {
        self.n_steps += 1;
        if let Some(at) = text(step, "timestamp") {
            self.first_at.get_or_insert_with(|| at.to_owned());
            self.last_at = Some(at.to_owned());
        }
        if self.asked.is_none() && text(step, "source") == Some("user") {
            let json = step.get("message").map(Value::to_string).unwrap_or_default();
            self.asked = asked(json.as_bytes());
        }
        let Some(metrics) = step.get("metrics") else { return };
        if step.get("is_copied_context") == Some(&Value::Bool(true)) {
            return;
        }
        for ((key, _, _), sum) in METRICS.iter().zip(&mut self.sums) {
            if let Some(value) = number(metrics, key) {
                *sum = Some(sum.unwrap_or(0.0) + value);
            }
        }
    }
}

/// Reads the trajectories of a folder, or a loose one.
pub(super) async fn read(bundle: &Bundle, cx: &Context<'_>) -> Result<Evaluation, Error> {
    let mut runs: BTreeMap<Option<String>, RunBuilder> = BTreeMap::new();
    let mut read = Vec::new();
    for claimed in bundle.of_role(role::TRAJECTORY).filter(|one| !is_part(one, &bundle.files)) {
        let own = of_file(claimed, cx).await?;
        let subject = own.subject();
        let run = runs.entry(subject.clone()).or_insert_with(|| {
            let label = subject.clone().unwrap_or_else(|| last(&bundle.path).to_owned());
            let path = bundle.path.clone();
            let key =
                RunKey { suite: None, variant: None, subject: subject.clone(), repeat: 1, path };
            RunBuilder::new(key, label)
        });
        own.add_to(run, claimed);
        read.push((own, subject));
    }
    let order: Vec<Option<String>> = runs.keys().cloned().collect();
    let (mut declared, mut claims) = (Vec::new(), Claims::default());
    let (mut heads, mut version) = (Map::new(), String::new());
    for (own, subject) in &read {
        let run = order.iter().position(|known| known == subject).unwrap_or_default();
        declared.extend(own.figures(run, &mut claims));
        version.clone_from(&own.version);
        let metrics = own.head.get("final_metrics").cloned().unwrap_or_default();
        heads.insert(own.path.clone(), metrics);
    }
    let runs: Vec<_> = runs.into_values().map(RunBuilder::finish).collect();
    let no_runs = runs.is_empty().then(|| "no trajectory is among these files".to_owned());
    Ok(Evaluation {
        producer: "harbor".into(),
        generation: if version.is_empty() { "ATIF".to_owned() } else { version },
        path: bundle.path.clone(),
        label: last(&bundle.path).to_owned(),
        suite: None,
        config: Config {
            no_case_rule: Some("a trajectory says what was done, not how well".into()),
            no_verdict: Some("a trajectory says what was done, not how well".into()),
            no_runs,
            ..Config::default()
        },
        declared,
        unchecked: claims.into_vec(),
        declared_json: Value::Object(heads),
        rows: Vec::new(),
        runs,
        sources: bundle.files.iter().map(|claimed| claimed.file.id).collect(),
    })
}

/// Whether a trajectory is of a sub-agent, or goes on where another ends: `trajectory.NAME.json` beside
/// `trajectory.json`.
fn is_part(claimed: &Claimed, files: &[Rc<Claimed>]) -> bool {
    let name = claimed.file.name();
    let is_named = name.starts_with("trajectory.") && name != "trajectory.json";
    is_named
        && files.iter().any(|other| {
            other.file.folder() == claimed.file.folder() && other.file.name() == "trajectory.json"
        })
}

struct Loose {
    path: String,
    version: String,
    /// All but the steps.
    head: Value,
    steps: TrajectorySteps,
}

async fn of_file(claimed: &Claimed, cx: &Context<'_>) -> Result<Loose, Error> {
    let outline = &claimed.shape.outline;
    let head = members(claimed, outline, &["steps", "subagent_trajectories"], cx)?;
    let mut steps = TrajectorySteps::default();
    let mut take = |record: Record<'_>| {
        let step = Cursor::new(record.bytes).tree()?;
        if !step.is_object() {
            return Err(InputError::new(ErrorKind::Format("a step is not an object"), 0));
        }
        steps.add(&step);
        Ok(())
    };
    elements(claimed, "steps", "step", cx, &mut take).await?;
    let version = text(&head, "schema_version").unwrap_or_default().to_owned();
    Ok(Loose { path: claimed.file.path.clone(), version, head, steps })
}

impl Loose {
    fn subject(&self) -> Option<String> {
        let agent = self.head.get("agent")?;
        match (text(agent, "name"), text(agent, "model_name")) {
            (Some(name), Some(model)) => Some(format!("{name} with {model}")),
            (name, model) => name.or(model).map(str::to_owned),
        }
    }

    fn add_to(&self, run: &mut RunBuilder, claimed: &Claimed) {
        let stem = claimed.file.name().trim_end_matches(".json");
        let named = ["trajectory_id", "session_id"].iter().find_map(|key| text(&self.head, key));
        let id = match (stem, named) {
            ("trajectory" | "unknown", Some(named)) => named,
            (stem, _) => stem,
        };
        let steps = &self.steps;
        let nothing = Value::Null;
        let total = self.head.get("final_metrics").unwrap_or(&nothing);
        let [prompt, completion, cached, cost] = std::array::from_fn(|idx| {
            let (_, of_total, _) = METRICS.get(idx)?;
            number(total, of_total).or(steps.sums.get(idx).copied().flatten())
        });
        let span = &claimed.shape.outline.span;
        let (source, offset) = (claimed.file.id, span.start);
        let len = span.end.saturating_sub(span.start);
        run.source(source);
        if run.started_at.is_none() {
            run.started_at.clone_from(&steps.first_at);
        }
        run.case(
            CaseRow {
                id: Some(id),
                duration_secs: steps
                    .first_at
                    .as_deref()
                    .zip(steps.last_at.as_deref())
                    .and_then(|(first, last)| secs(first, last)),
                prompt_tokens: prompt,
                completion_tokens: completion,
                cached_input_tokens: cached,
                cost_usd: cost,
                input_hash: steps.asked,
                ..CaseRow::default()
            }
            .with_outcome(Outcome::Unscored)
            .at(Locator::Span { source, offset, len }),
        );
    }

    /// The totals that the trajectory states beside what its steps give.
    fn figures(&self, run: usize, claims: &mut Claims) -> Vec<Declared> {
        let mut stated = DeclaredFigures::in_file(&self.path);
        let scope = Scope::Run(run);
        let total = |key: &str| self.head.get("final_metrics").and_then(|all| all.get(key));
        for ((_, key, words), sum) in METRICS.iter().zip(self.steps.sums) {
            if sum.is_some() && total(key).is_some_and(|value| !value.is_null()) {
                let at = format!("sum of {words} over the steps that state them");
                stated.number(&scope, format!("final_metrics.{key}"), total(key), sum, at);
                stated.known(OTHER_CALLS, None);
            }
        }
        if total("total_steps").is_some_and(|value| !value.is_null()) {
            let n_steps = self.steps.n_steps;
            stated.count(
                &scope,
                "final_metrics.total_steps",
                total("total_steps"),
                n_steps,
                "steps",
            );
            stated.known(OTHER_STEPS, None);
        }
        claims.walk(stated.file(), &self.head, "", stated.declared(), &|path| match path {
            "" | "final_metrics" => Part::Open,
            _ if path.starts_with("final_metrics.extra") => {
                Part::Unchecked("an addition of the agent, whose rule is not in the file")
            }
            _ if path.starts_with("final_metrics.") => Part::Unchecked(NO_STEP_SAYS),
            _ => Part::Other,
        });
        stated.into_vec()
    }
}
