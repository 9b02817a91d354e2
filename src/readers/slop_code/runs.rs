//! What surrounds the cases of a run: usage, state, and the checkpoints that were never evaluated.
//!
//! Producer's definition: `agent_runner` (run infos, inference results, statistics of the skill that
//! runs after a checkpoint), `problem.yaml` for what was planned. Fixtures: `real/*`.

use super::checkpoint::Built;
use super::declared::{FigureSheet, KINDS};
use super::run_files::{Document, RunFiles};
use crate::input::json::f64_from_value;
use crate::model::{Ended, Kind, RunBuilder, RunKey, RunState, RunUsage, SuiteState};
use crate::order::{Order as _, natural};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

const NO_EVALUATION: &str = "its evaluation.json is not among the files, or cannot be read";
const NO_CASES: &str = "only its row is among the files: its cases are not known";

/// A problem of the run directory.
struct RunProblem<'a> {
    name: String,
    folder: String,
    info: Option<&'a Document>,
    /// Checkpoints that its definition lists, in its order.
    planned: Option<Vec<String>>,
}

fn parent(folder: &str) -> &str {
    folder.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn last(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or_default()
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

fn text(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer)?.as_str().map(str::to_owned)
}

/// The problems that have a definition, a run info or rows.
fn problems<'a>(builts: &[Built], files: &'a RunFiles) -> Vec<RunProblem<'a>> {
    let defined = files.problems.iter().map(Document::folder);
    let mut folders: Vec<&str> =
        defined.chain(files.run_infos.iter().map(Document::folder)).collect();
    folders.order_by(Ord::cmp);
    folders.dedup();
    // Of several checkpoints the first says what their folder is called.
    let suites: HashMap<&str, &Option<String>> =
        builts.iter().rev().map(|built| (parent(&built.home), &built.run.key.suite)).collect();
    let mut found: Vec<RunProblem<'_>> = Vec::new();
    for folder in folders {
        let definition = files.problems.in_folder(folder).map(|document| &document.value);
        let of_built = suites.get(folder).copied().cloned().flatten();
        let named = || text(definition?, "/name");
        let name = of_built.or_else(named).unwrap_or_else(|| last(folder).to_owned());
        let planned = definition.and_then(|definition| {
            let listed = definition.get("checkpoints")?.as_object()?;
            let order = |one: &Value| one.get("order").and_then(Value::as_f64);
            let mut names: Vec<(Option<f64>, &String)> =
                listed.iter().map(|(name, one)| (order(one), name)).collect();
            names.order_by(|(left, _), (right, _)| {
                left.unwrap_or(f64::INFINITY).total_cmp(&right.unwrap_or(f64::INFINITY))
            });
            Some(names.into_iter().map(|(_, name)| name.clone()).collect())
        });
        let info = files.run_infos.in_folder(folder);
        found.push(RunProblem { name, folder: folder.to_owned(), info, planned });
    }
    let root = files.rows_path.as_deref().map(parent).unwrap_or_default();
    let own = builts.iter().rev();
    let homes: HashMap<&str, &str> = own
        .filter_map(|built| Some((built.run.key.suite.as_deref()?, parent(&built.home))))
        .collect();
    let mut names: HashSet<String> = found.iter().map(|problem| problem.name.clone()).collect();
    for row in &*files.rows {
        let Some(name) = row.get("problem").and_then(Value::as_str) else { continue };
        if !names.contains(name) {
            let home = homes.get(name).map(|home| (*home).to_owned());
            let folder = home.unwrap_or_else(|| joined(root, name));
            names.insert(name.to_owned());
            found.push(RunProblem { name: name.to_owned(), folder, info: None, planned: None });
        }
    }
    found
}

/// State of a checkpoint by its run info, else by its row.
fn state_of<'a>(
    problem: &RunProblem<'a>,
    files: &'a RunFiles,
    checkpoint: &str,
) -> Option<&'a str> {
    let in_info = || {
        let states = problem.info?.value.pointer("/summary/checkpoints")?;
        states.get(checkpoint)?.as_str()
    };
    in_info().or_else(|| files.rows.row(&problem.name, checkpoint)?.get("state")?.as_str())
}

/// The checkpoints that are planned or recorded, and have no evaluation among the files.
pub(super) fn without_evaluation(builts: &[Built], files: &RunFiles) -> Vec<Built> {
    // Rows that are published without their folders are a page of declared figures.
    let has_folder = !builts.is_empty()
        || !files.problems.is_empty()
        || !files.run_infos.is_empty()
        || !files.inferences.is_empty();
    if !has_folder {
        return Vec::new();
    }
    let mut recorded: HashMap<&str, Vec<&str>> = HashMap::new();
    for folder in files.inferences.iter().map(Document::folder).filter(|own| !own.is_empty()) {
        recorded.entry(parent(folder)).or_default().push(folder);
    }
    let named = |built: &Built| Some((built.run.key.suite.clone()?, built.checkpoint.clone()));
    let known: HashSet<(String, String)> = builts.iter().filter_map(named).collect();
    let homes: HashSet<&str> = builts.iter().map(|built| built.home.as_str()).collect();
    let mut made = Vec::new();
    for problem in problems(builts, files) {
        let states = problem.info.and_then(|info| info.value.pointer("/summary/checkpoints"));
        let states = states.and_then(Value::as_object).into_iter().flatten();
        let rows = files.rows.of(&problem.name);
        let in_rows = rows.filter_map(|row| row.get("checkpoint")?.as_str().map(str::to_owned));
        let own = recorded.get(problem.folder.as_str()).into_iter().flatten();
        let mut names: Vec<String> = problem.planned.clone().unwrap_or_default();
        let further = states.map(|(name, _)| name.clone()).chain(in_rows);
        for name in further.chain(own.map(|folder| last(folder).to_owned())) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        for name in names {
            let home = joined(&problem.folder, &name);
            let is_at_home = !home.is_empty() && homes.contains(home.as_str());
            if !is_at_home && !known.contains(&(problem.name.clone(), name.clone())) {
                made.push(unevaluated(&problem, &name, home, files));
            }
        }
    }
    made
}

/// A checkpoint without cases.
fn unevaluated(problem: &RunProblem<'_>, name: &str, home: String, files: &RunFiles) -> Built {
    let row = files.rows.row(&problem.name, name);
    let inference = files.inferences.in_folder(&home);
    let state = state_of(problem, files, name);
    let counts = row.map(declared_counts).unwrap_or_default();
    let (ended, message) = match state {
        Some("error") => (Ended::Error, None),
        Some("skipped") => (Ended::NotRun, Some("the producer skipped it".to_owned())),
        None if inference.is_none() && row.is_none() => (Ended::NotRun, None),
        _ if counts.is_empty() => (Ended::Complete, Some(NO_EVALUATION.to_owned())),
        _ => (Ended::Complete, Some(NO_CASES.to_owned())),
    };
    let key = RunKey {
        suite: Some(problem.name.clone()),
        variant: Some(name.to_owned()),
        subject: files.model().map(str::to_owned),
        repeat: 1,
        path: home.clone(),
    };
    let mut builder = RunBuilder::new(key, format!("{} / {name}", problem.name));
    builder.state = Some(RunState { ended, message, counts, ..RunState::default() });
    Built {
        run: builder.finish(),
        sheet: FigureSheet::default(),
        generation: "",
        version: None,
        folder: home.clone(),
        checkpoint: name.to_owned(),
        home,
        is_evaluated: false,
        has_all_groups: false,
    }
}

/// Passed and all cases by kind that a row declares; of kinds with a case.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be a whole number of cases"
)]
fn declared_counts(row: &Map<String, Value>) -> Vec<(Kind, u64, u64)> {
    let count = |name: String| {
        let found = row.get(&name).and_then(f64_from_value)?;
        (found >= 0.0 && found.fract() == 0.0 && found < 1e15).then_some(found as u64)
    };
    let of_kind = |(kind, word): (Kind, &str)| {
        let (passed, total) = (count(format!("{word}_passed"))?, count(format!("{word}_total"))?);
        (total > 0).then_some((kind, passed.min(total), total))
    };
    KINDS.into_iter().filter_map(of_kind).collect()
}

/// Fills in usage and state of the runs.
pub(super) fn complete(builts: &mut [Built], files: &RunFiles) {
    let mut infos: HashMap<String, Option<&Document>> = HashMap::new();
    for problem in problems(builts, files) {
        infos.entry(problem.name).or_insert(problem.info);
    }
    for built in builts {
        let (suite, checkpoint) = (built.run.key.suite.clone(), built.checkpoint.clone());
        let suite = suite.unwrap_or_default();
        let row = files.rows.row(&suite, &checkpoint);
        let is_again = built.is_again();
        let inference = files.inferences.in_folder(&built.home).filter(|_| !is_again);
        let ended_with = files.trajectories_after.in_folder(&built.folder);
        let began_with = files.trajectories_before.in_folder(&built.home);
        let trajectory = if is_again { ended_with } else { began_with };
        let trajectory = trajectory.map(|document| &document.value);
        built.run.usage = match (inference, is_again) {
            (_, true) => trajectory.and_then(of_trajectory),
            (Some(inference), _) => of_inference(&inference.value),
            (None, false) => row.and_then(of_row).or_else(|| trajectory.and_then(of_trajectory)),
        };
        let info = infos.get(&suite).copied().flatten();
        let mut state = built.run.state.clone().unwrap_or_default();
        if is_again {
            state.again = Some(checkpoint);
        } else {
            let result = inference.map(|document| &document.value);
            let had_error = result.and_then(|result| result.get("had_error")?.as_bool());
            let recorded = info
                .and_then(|info| info.value.pointer("/summary/checkpoints")?.get(&checkpoint))
                .or_else(|| row?.get("state"));
            if had_error == Some(true) || recorded.and_then(Value::as_str) == Some("error") {
                state.ended = Ended::Error;
                let own = result.and_then(|result| text(result, "/error_message"));
                let of_info = || text(&info?.value, "/summary/error_message");
                state.message = own.or_else(of_info).or(state.message);
            }
        }
        let tools = trajectory.and_then(|stats| stats.get("tools_used")?.as_object());
        let tools = tools.into_iter().flatten();
        state.tools = tools.filter_map(|(name, n)| Some((name.clone(), n.as_f64()?))).collect();
        built.run.state = (state != RunState::default()).then_some(state);
    }
}

/// `names`: those of input, output, cache reads, cache writes, reasoning, cost and steps.
fn usage_of(find: impl Fn(&str) -> Option<f64>, names: [&str; 7], secs: Option<f64>) -> RunUsage {
    let [input, output, read, write, reasoning, cost, steps] = names.map(find);
    RunUsage {
        prompt_tokens: input,
        completion_tokens: output,
        cached_input_tokens: read,
        cache_write_tokens: write,
        reasoning_tokens: reasoning,
        cost_usd: cost,
        n_steps: steps,
        agent_secs: secs,
    }
}

fn known(usage: RunUsage) -> Option<RunUsage> {
    (usage != RunUsage::default()).then_some(usage)
}

fn of_inference(result: &Value) -> Option<RunUsage> {
    const NAMES: [&str; 7] = [
        "/usage/net_tokens/input",
        "/usage/net_tokens/output",
        "/usage/net_tokens/cache_read",
        "/usage/net_tokens/cache_write",
        "/usage/net_tokens/reasoning",
        "/usage/cost",
        "/usage/steps",
    ];
    let secs = result.get("elapsed").and_then(f64_from_value);
    known(usage_of(|pointer| result.pointer(pointer).and_then(f64_from_value), NAMES, secs))
}

fn of_trajectory(stats: &Value) -> Option<RunUsage> {
    const NAMES: [&str; 7] = [
        "input_tokens",
        "output_tokens",
        "cache_read_tokens",
        "cache_write_tokens",
        "reasoning_tokens",
        "cost",
        "steps",
    ];
    known(usage_of(|name| stats.get(name).and_then(f64_from_value), NAMES, None))
}

fn of_row(row: &Map<String, Value>) -> Option<RunUsage> {
    const NAMES: [&str; 7] =
        ["input", "output", "cache_read", "cache_write", "reasoning", "cost", "steps"];
    let find = |name: &str| row.get(name).and_then(f64_from_value);
    // From v0.3 on `duration` is the agent's time; before, that of the evaluation.
    let is_new = row.contains_key("strict_pass_rate") || row.contains_key("isolated_pass_rate");
    let secs = find("elapsed").or_else(|| find("duration").filter(|_| is_new));
    known(usage_of(find, NAMES, secs))
}

/// What the run infos and definitions say of each problem, in the order of the runs.
pub(super) fn suites(builts: &[Built], files: &RunFiles) -> Vec<SuiteState> {
    let of_problem = |problem: RunProblem<'_>| {
        let info = problem.info.map(|info| &info.value);
        let at = |pointer: &str| text(info?, pointer);
        let state = SuiteState {
            state: at("/summary/state"),
            error_type: at("/summary/error_type"),
            message: at("/summary/error_message"),
            traceback: at("/summary/error_traceback"),
            policy: at("/pass_policy"),
            is_passed: info.and_then(|info| info.pointer("/summary/passed_policy")?.as_bool()),
            n_planned: problem.planned.as_ref().map(|planned| planned.len() as u64),
            suite: problem.name,
        };
        let alone = SuiteState { suite: state.suite.clone(), ..SuiteState::default() };
        (state != alone).then_some(state)
    };
    let mut suites: Vec<SuiteState> =
        problems(builts, files).into_iter().filter_map(of_problem).collect();
    let own = builts.iter().enumerate().rev();
    let ranks: HashMap<&str, usize> =
        own.filter_map(|(at, built)| Some((built.run.key.suite.as_deref()?, at))).collect();
    suites.order_by(|left, right| {
        let at = |suite: &SuiteState| *ranks.get(suite.suite.as_str()).unwrap_or(&usize::MAX);
        at(left).cmp(&at(right)).then_with(|| natural(&left.suite, &right.suite))
    });
    suites
}
